#pragma once
#include <nanobind/nanobind.h>

namespace purl::python {

void bindCommands(nanobind::module_& module);

}  // namespace purl::python

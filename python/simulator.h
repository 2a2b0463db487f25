// purl.Simulator: the solver's Simulator, driven from Python.
#pragma once
#include "python/casters.h"

namespace purl::python {

void bindSimulator(nanobind::module_& module);

}  // namespace purl::python

// purl.read_cache: reads frames from disk.
#pragma once
#include "python/casters.h"

namespace purl::python {

void bindCache(nanobind::module_& module);

}  // namespace purl::python

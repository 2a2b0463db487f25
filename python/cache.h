// purl.read_cache: frames back from disk.
#pragma once
#include "python/casters.h"

namespace purl::python {

void bindCache(nanobind::module_& module);

}  // namespace purl::python

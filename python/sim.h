// purl.load and purl.Sim: a Maya scene played without Maya, through the same nodes.
#pragma once
#include "python/casters.h"

namespace purl::python {

void bindSim(nanobind::module_& module);

}  // namespace purl::python

// purl.load and purl.Sim: play a Maya scene without Maya, with the same nodes.
#pragma once
#include "python/casters.h"

namespace purl::python {

void bindSim(nanobind::module_& module);

}  // namespace purl::python

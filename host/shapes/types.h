// Maya's own node types, declared in host/builtin. registerBuiltinTypes() (host/graph/builtin.h) calls this once.
#pragma once

namespace purl::host {

void registerSceneTypes();

}  // namespace purl::host

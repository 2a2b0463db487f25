// Registers the built-in node types, before any plugin.
#pragma once

namespace purl::host {

// Called once, before the first type is looked up. Adds dependNode, dagNode and time here, then calls
// registerSceneTypes() of host/builtin/builtin.h for transform, shape, mesh, poly*, animCurve*, … .
void registerBuiltinTypes();

}  // namespace purl::host

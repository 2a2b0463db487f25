// Which of the two overrides draws purlView: a node can have one only.
#pragma once
#include <maya/MStatus.h>

namespace purl {

// With OpenGL's core profile the passes of render/, with every other rendering engine stock shaders. The engine stays
// the same until Maya is started again.
MStatus registerViewDrawing();
MStatus deregisterViewDrawing();

}  // namespace purl

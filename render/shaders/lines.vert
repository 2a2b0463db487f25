// A line's end in view space.
#include "viewUniforms.glsl"
layout(location = 0) in vec3 vertex;
void main() { gl_Position = viewFromWorld * vec4(vertex, 1.0); }

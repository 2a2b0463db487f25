// Mesh vertices for a shadow map.
#include "viewUniforms.glsl"
layout(location = 0) in vec3 vertex;
uniform int cascade;
void main() { gl_Position = shadowFromWorld[cascade] * vec4(vertex, 1.0); }

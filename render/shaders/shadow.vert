// A mesh seen by the light.
#include "stage.glsl"
layout(location = 0) in vec3 vertex;
void main() { gl_Position = shadowFromWorld * vec4(vertex, 1.0); }

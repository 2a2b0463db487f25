// Vertices of the G-buffer pass, for meshes and yarn tubes.
#include "viewUniforms.glsl"
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexNormal;
layout(location = 5) in vec3 vertexVelocity;
layout(location = 6) in float vertexWetness;
out vec3 normal, velocity;
out float wetness;
void main() {
    normal = vertexNormal;
    velocity = vertexVelocity;
    wetness = vertexWetness;
    gl_Position = clipFromView * viewFromWorld * vec4(vertex, 1.0);
}

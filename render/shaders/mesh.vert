// A mesh seen by the camera.
#include "stage.glsl"
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexNormal;
layout(location = 2) in vec3 vertexColor;
layout(location = 3) in float vertexGlow;
out vec3 position, normal, surface;
out float ownGlow;
void main() {
    position = vertex;
    normal = vertexNormal;
    surface = vertexColor;
    ownGlow = vertexGlow;
    gl_Position = clipFromView * viewFromWorld * vec4(vertex, 1.0);
}

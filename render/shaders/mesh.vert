// A mesh seen by the camera.
#include "stage.glsl"
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexNormal;
layout(location = 2) in vec3 vertexColor;
out vec3 position, normal, surface;
void main() {
    position = vertex;
    normal = vertexNormal;
    surface = vertexColor;
    gl_Position = clipFromView * viewFromWorld * vec4(vertex, 1.0);
}

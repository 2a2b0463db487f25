// A mesh seen by the camera.
#include "stage.glsl"
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexNormal;
layout(location = 2) in vec3 vertexColor;
layout(location = 3) in float vertexGlow;
uniform float setBack;  // how much farther from the eye its depth is; a length
out vec3 position, normal, surface;
out float ownGlow;
void main() {
    position = vertex;
    normal = vertexNormal;
    surface = vertexColor;
    ownGlow = vertexGlow;
    vec4 seen = viewFromWorld * vec4(vertex, 1.0);
    gl_Position = clipFromView * seen;
    // Depth only: the place in the picture stays.
    if (setBack > 0.0) {
        vec4 farther = clipFromView * vec4(seen.xyz + setBack * normalize(seen.xyz), 1.0);
        gl_Position.z = farther.z / farther.w * gl_Position.w;
    }
}

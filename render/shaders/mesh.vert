// Mesh vertices for the camera.
#include "viewUniforms.glsl"
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexNormal;
layout(location = 2) in vec3 vertexColor;
layout(location = 3) in float vertexGlow;
uniform float depthOffset;  // pushes the depth away from the eye, without moving the pixel; a length
out vec3 position, normal, surface;
out float ownGlow;
void main() {
    position = vertex;
    normal = vertexNormal;
    surface = vertexColor;
    ownGlow = vertexGlow;
    vec4 seen = viewFromWorld * vec4(vertex, 1.0);
    gl_Position = clipFromView * seen;
    // Depth only; the screen position stays.
    if (depthOffset > 0.0) {
        vec4 farther = clipFromView * vec4(seen.xyz + depthOffset * normalize(seen.xyz), 1.0);
        gl_Position.z = farther.z / farther.w * gl_Position.w;
    }
}

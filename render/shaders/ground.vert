// Ground quad.
#include "viewUniforms.glsl"
out vec3 position;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 || gl_VertexID == 2 ? 1.0 : -1.0, gl_VertexID >= 2 ? -1.0 : 1.0);
    position = vec3(focus.x + corner.x * groundLines.x, ground.w, focus.z + corner.y * groundLines.x);
    gl_Position = clipFromView * viewFromWorld * vec4(position, 1.0);
}

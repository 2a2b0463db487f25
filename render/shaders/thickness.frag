// Water's back faces count with their distance, front faces against it; nothing counts behind what is solid.
#include "stage.glsl"
uniform sampler2D behind;
in vec3 position, normal;
out vec4 result;
void main() {
    float limit = texelFetch(behind, ivec2(gl_FragCoord.xy), 0).a;
    float distance = min(length(position - eye.xyz), limit);
    result = vec4(gl_FrontFacing ? -distance : distance, 0.0, 0.0, 0.0);
}

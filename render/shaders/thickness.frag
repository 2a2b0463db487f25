// Water's back faces count with their distance, front faces against it; nothing counts behind what is solid. Where back
// faces look to is kept too: there the eye's ray goes out again.
#include "stage.glsl"
#include "refraction.glsl"
in vec3 position, normal;
out vec4 result;
void main() {
    float limit = distanceBehind(gl_FragCoord.xy / picture.xy);
    float distance = min(length(position - eye.xyz), limit);
    result = vec4(gl_FrontFacing ? -distance : distance, gl_FrontFacing ? vec3(0.0) : normalize(normal));
}

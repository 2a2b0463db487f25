// Water thickness: back faces add their distance, front faces subtract it, both clamped to opaque geometry. Also sums
// the back-face normals, for the second refraction.
#include "viewUniforms.glsl"
#include "refraction.glsl"
in vec3 position, normal;
out vec4 result;
void main() {
    float limit = distanceToBackground(gl_FragCoord.xy / viewport.xy);
    float distance = min(length(position - eye.xyz), limit);
    result = vec4(gl_FrontFacing ? -distance : distance, gl_FrontFacing ? vec3(0.0) : normalize(normal));
}

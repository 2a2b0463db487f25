// Ball impostor with analytic normal and depth.
#include "viewUniforms.glsl"
#include "light.glsl"
#include "refraction.glsl"
#include "ball.glsl"
flat in vec3 color, key;
out vec4 result;
void main() {
    float inside;
    vec3 hit = intersectBall(inside);
    if (inside <= 0.0 || isInFrontOfFluid()) discard;
    vec3 normal = normalize(mat3(worldFromView) * (hit - center));
    vec3 position = (worldFromView * vec4(hit, 1.0)).xyz;
    result = vec4(applyMedium(shadeCoated(position, normal, color, 0.45, key), position), inside);
}

// A foam particle as a soft white disc.
#include "viewUniforms.glsl"
#include "refraction.glsl"
flat in vec3 light;
flat in float alpha;
in vec2 disc;
out vec4 result;
void main() {
    if (isInFrontOfFluid()) discard;
    float inside = max(1.0 - dot(disc, disc), 0.0);
    result = vec4(light, alpha * inside * inside);
}

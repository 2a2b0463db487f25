// Matte material; the normal is flipped on back faces.
#include "viewUniforms.glsl"
#include "light.glsl"
#include "refraction.glsl"
uniform float roughness, opacity;
uniform vec3 glow;
in vec3 position, normal, surface;
in float ownGlow;
out vec4 result;
void main() {
    if (isInFrontOfFluid()) discard;
    vec3 n = normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0);
    // Cooler glow is redder.
    vec3 light = shadeCoated(position, n, surface, roughness, keyVisibility(position, n)) + glow * vec3(sqrt(ownGlow), ownGlow, ownGlow * ownGlow);
    result = vec4(applyMedium(light, position), opacity);
}

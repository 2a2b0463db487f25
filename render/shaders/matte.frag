// Matte material; the normal is flipped on back faces.
#include "stage.glsl"
#include "light.glsl"
#include "refraction.glsl"
uniform float roughness, opacity;
uniform vec3 glow;
in vec3 position, normal, surface;
in float ownGlow;
out vec4 result;
void main() {
    if (isBeforeFluid()) discard;
    vec3 n = normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0);
    // Cooler glow is redder.
    vec3 light = lit(position, n, surface, roughness, shadowAt(position, n)) + glow * vec3(sqrt(ownGlow), ownGlow, ownGlow * ownGlow);
    result = vec4(hazed(light, position), opacity);
}

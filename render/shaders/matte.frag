// A matte surface; seen from behind it is lit from behind.
#include "stage.glsl"
#include "light.glsl"
#include "refraction.glsl"
uniform float roughness, opacity;
in vec3 position, normal, surface;
out vec4 result;
void main() {
    if (isBeforeFluid()) discard;
    vec3 n = normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0);
    result = vec4(lit(position, n, surface, roughness, shadowAt(position, n)), opacity);
}

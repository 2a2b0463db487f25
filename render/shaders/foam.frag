// A foam particle as a soft white disc.
#include "stage.glsl"
#include "refraction.glsl"
flat in vec3 light;
flat in float cover;
in vec2 place;
out vec4 result;
void main() {
    if (isBeforeFluid()) discard;
    float inside = max(1.0 - dot(place, place), 0.0);
    result = vec4(light, cover * inside * inside);
}

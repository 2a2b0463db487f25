// Shades a ray-marched liquid.
#include "stage.glsl"
#include "light.glsl"
#include "refraction.glsl"
#include "water.glsl"
#include "rays.glsl"
out vec4 result;
void main() {
    Ray ray = rayHere();
    bool within = fieldAt(along(ray)) > kLevel;
    if (!goOn(ray)) discard;
    vec3 place = along(ray), n = outward(place);
    setDepth(place);
    result = seenWater(place, within ? -n : n, within, vec2(1.0));
}

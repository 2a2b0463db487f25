// Environment map or studio background, with vignetting.
#include "stage.glsl"
#include "light.glsl"
in vec2 place;
out vec4 result;
void main() {
    vec3 direction = normalize(mat3(worldFromView) * vec3(place * picture.zw, -1.0));
    vec3 wall = backdrop(direction) * mix(0.86, 1.03, exp(-0.5 * dot(place, place)));
#ifdef UNDER_WATER
    wall += shafts(eye.xyz, direction, 2.5 / medium.w);
#endif
    result = vec4(zenith.w > 0.0 ? panoramaAt(direction, 0.0) : wall, 1.0);
}

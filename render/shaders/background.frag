// Environment map or studio background, with vignetting.
#include "viewUniforms.glsl"
#include "light.glsl"
in vec2 ndc;
out vec4 result;
void main() {
    vec3 direction = normalize(mat3(worldFromView) * vec3(ndc * viewport.zw, -1.0));
    vec3 wall = backdrop(direction) * mix(0.86, 1.03, exp(-0.5 * dot(ndc, ndc)));
#ifdef UNDER_WATER
    wall += lightShafts(eye.xyz, direction, 2.5 / medium.w);
#endif
    result = vec4(zenith.w > 0.0 ? panoramaAt(direction, 0.0) : wall, 1.0);
}

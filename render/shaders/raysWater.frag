// Shades a ray-marched liquid.
#include "viewUniforms.glsl"
#include "light.glsl"
#include "refraction.glsl"
#include "water.glsl"
#include "rays.glsl"
out vec4 result;
void main() {
    Ray ray = fragmentRay();
    bool eyeInside = fieldAt(pointOn(ray)) > kLevel;
    if (!marchToSurface(ray)) discard;
    vec3 position = pointOn(ray), n = surfaceNormal(position);
    setDepth(position);
    result = shadeWater(position, eyeInside ? -n : n, eyeInside, vec2(1.0));
}

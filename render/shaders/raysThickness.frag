// Thickness of a ray-marched liquid in front of opaque geometry, and the normals where the ray leaves it.
#include "viewUniforms.glsl"
#include "refraction.glsl"
#include "rays.glsl"
out vec4 result;
void main() {
    Ray ray = fragmentRay();
    float limit = distanceToBackground(gl_FragCoord.xy / viewport.xy), thickness = 0.0;
    bool inside = fieldAt(pointOn(ray)) > kLevel;
    float entered = ray.t;
    vec3 exitNormals = vec3(0.0);
    while (marchToSurface(ray)) {
        if (inside) {
            thickness += max(min(ray.t, limit) - entered, 0.0);
            exitNormals += surfaceNormal(pointOn(ray));
        }
        entered = min(ray.t, limit);
        inside = !inside;
    }
    if (inside) thickness += max(min(ray.tEnd, limit) - entered, 0.0);
    result = vec4(thickness, exitNormals);
}

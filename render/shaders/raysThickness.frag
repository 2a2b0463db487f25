// Thickness of a ray-marched liquid in front of opaque geometry, and the normals where the ray leaves it.
#include "stage.glsl"
#include "refraction.glsl"
#include "rays.glsl"
out vec4 result;
void main() {
    Ray ray = rayHere();
    float limit = distanceBehind(gl_FragCoord.xy / picture.xy), sum = 0.0;
    bool inside = fieldAt(along(ray)) > kLevel;
    float since = ray.at;
    vec3 backs = vec3(0.0);
    while (goOn(ray)) {
        if (inside) {
            sum += max(min(ray.at, limit) - since, 0.0);
            backs += outward(along(ray));
        }
        since = min(ray.at, limit);
        inside = !inside;
    }
    if (inside) sum += max(min(ray.end, limit) - since, 0.0);
    result = vec4(sum, backs);
}

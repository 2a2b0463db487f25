// A ball: where the eye's ray meets it, with that point's depth and light.
#include "stage.glsl"
#include "light.glsl"
#include "refraction.glsl"
flat in vec3 center, color, key;
flat in float radius;
in vec3 ray;
out vec4 result;
void main() {
    vec3 direction = normalize(ray);
    float along = dot(direction, center);
    vec3 nearest = along * direction - center;  // from the centre to the ray
    float gap = length(nearest);

    // the rim: the share of this pixel that the ball covers, from how many pixels the ray is inside
    float pixel = along * picture.w * 2.0 / picture.y;
    float inside = clamp((radius - gap) / pixel + 0.5, 0.0, 1.0);
    if (inside <= 0.0) discard;

    // |t d - c|^2 = r^2
    float t = along - sqrt(max(radius * radius - gap * gap, 0.0));
    vec3 hit = t * direction;
    vec4 place = clipFromView * vec4(hit, 1.0);
    gl_FragDepth = clamp(0.5 + 0.5 * place.z / place.w, 0.0, 1.0);
    if (isBeforeFluid()) discard;

    vec3 normal = normalize(mat3(worldFromView) * (hit - center));
    vec3 position = (worldFromView * vec4(hit, 1.0)).xyz;
    result = vec4(lit(position, normal, color, 0.45, key), inside);
}

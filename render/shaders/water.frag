// Water: it mirrors the sky, bends what is behind it, and swallows colour with depth.
#include "stage.glsl"
#include "light.glsl"
#include "refraction.glsl"
uniform vec3 color, cubeCenter;
uniform float roughness, clarity;
uniform bool layered;  // alpha is coverage
uniform sampler2D thickness;
uniform samplerCube surroundings;  // what stands around the water; nothing where alpha is 0
in vec3 position, normal;
out vec4 result;

const float kIndex = 1.333;  // of refraction, air to water

// The light from a direction: things of the scene, as they look from the middle of the water, before the studio.
vec3 mirrored(vec3 direction) {
    vec3 there = position + direction * focus.w - cubeCenter;  // things are taken to be that far away
    vec4 thing = texture(surroundings, there);
    return thing.rgb + (1.0 - thing.a) * reflected(direction);
}

void main() {
    vec2 here = gl_FragCoord.xy / picture.xy;
    vec3 n = normalize(normal);
    vec3 toEye = normalize(eye.xyz - position);
    if (dot(n, toEye) < 0.02) n = normalize(n + (0.02 - dot(n, toEye)) * toEye);  // smooth normals may turn away
    float distance = length(eye.xyz - position);
    float solid = distanceBehind(here);

    // an open surface has no back: then it is water down to what is solid
    float depth = texelFetch(thickness, ivec2(gl_FragCoord.xy), 0).r;
    if (depth < 0.0) depth += solid;
    depth = clamp(depth, 0.0, max(solid - distance, 0.0));

    // Snell: the bent ray leaves the water as deep below its surface as the straight one would; the picture there is
    // what one sees, unless it shows something before the water.
    vec3 bent = refract(-toEye, n, 1.0 / kIndex);
    float bentDepth = depth * dot(n, toEye) / max(dot(-n, bent), 1e-3);
    vec4 end = clipFromView * viewFromWorld * vec4(position + bent * min(bentDepth, focus.w), 1.0);
    vec2 uv = clamp(0.5 + 0.5 * end.xy / end.w, vec2(0.0), vec2(1.0));
    if (end.w <= 0.0 || distanceBehind(uv) < distance) uv = here;
    vec3 through = texture(behind, uv).rgb;

    // Beer: light of each colour falls off exponentially; what is lost is partly scattered back as the water's own colour
    float length_ = clarity > 0.0 ? clarity : 0.45 * focus.w;
    vec3 left = pow(max(color, vec3(1e-3)), vec3(depth / length_));
    vec3 key = vec3(0.0);
    vec3 shine = vec3(0.0);
    for (int i = 0; i < int(lightCount.x); ++i) {
        if (lights[i].place.w == 2.0) continue;
        vec3 towards;
        vec3 light = lightFrom(i, position, towards);
        if (i == int(shadow.x)) {
            ShadowPlace place = shadowPlace(position, n);
            light *= arriving(solidShadow, place, 3) * mix(0.55, 1.0, arriving(waterShadow, place, 3));
        }
        key += light * (0.25 + 0.75 * max(dot(n, towards), 0.0));
        float cosine = max(dot(n, towards), 0.0);
        shine += light * cosine * fresnel(0.02, dot(towards, normalize(towards + toEye))) * highlight(n, towards, toEye, roughness);
    }
    vec3 body = color * (skyOn(n) + key) * 0.35;
    vec3 inside = through * left + body * (1.0 - left);

    float mirror = fresnel(0.02, dot(n, toEye));
    // alpha 0: no occlusion here
    result = vec4(mix(inside, mirrored(reflect(-toEye, n)), mirror) + shine, layered ? 1.0 : 0.0);
}

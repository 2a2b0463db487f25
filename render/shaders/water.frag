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
    bool within = !gl_FrontFacing;  // the eye is under water
    if (within) n = -n;
    vec3 toEye = normalize(eye.xyz - position);
    if (dot(n, toEye) < 0.02) n = normalize(n + (0.02 - dot(n, toEye)) * toEye);  // smooth normals may turn away
    float distance = length(eye.xyz - position);
    float solid = distanceBehind(here);

    // how far the ray goes on to what it shows
    float reach = texelFetch(thickness, ivec2(gl_FragCoord.xy), 0).r;
    // an open surface has no back: then it is water down to what is solid
    if (reach < 0.0) reach += solid;
    reach = clamp(reach, 0.0, max(solid - distance, 0.0));
    if (within) reach = min(max(solid - distance, 0.0), focus.w);
    float depth = within ? distance : reach;  // of the water that it goes through

    // Snell: the bent ray ends as deep below the surface as the straight one would; the picture there is what one sees,
    // unless it shows something before the water. From within a flat ray does not come out: it is mirrored.
    vec3 bent = refract(-toEye, n, within ? kIndex : 1.0 / kIndex);
    bool caught = dot(bent, bent) < 0.5;
    float bentReach = reach * dot(n, toEye) / max(dot(-n, bent), 1e-3);
    vec4 end = clipFromView * viewFromWorld * vec4(position + bent * min(bentReach, focus.w), 1.0);
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

    vec3 mirroredLight = mirrored(reflect(-toEye, n));
    // Schlick's cosine is that in air
    float mirror = fresnel(0.02, within ? dot(-n, bent) : dot(n, toEye));
    if (within) {
        mirroredLight = mirroredLight * left + body * (1.0 - left);
        if (caught) mirror = 1.0;
        shine = vec3(0.0);
    }
    // alpha 0: no occlusion here
    result = vec4(mix(inside, mirroredLight, mirror) + shine, layered ? 1.0 : 0.0);
}

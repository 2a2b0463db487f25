// Water shading: Fresnel reflection, refraction and absorption.
uniform vec3 color, cubeCenter;
uniform float roughness, clarity, turbidity, rim;
uniform bool layered;  // write alpha as coverage
uniform sampler2D thickness;
uniform samplerCube surroundings;  // environment of the water; alpha 0: nothing there

const float kIndex = 1.333;  // refractive index of water

// Reflected radiance: the cube map in front of the studio environment.
vec3 mirrored(vec3 position, vec3 direction) {
    vec3 there = position + direction * focus.w - cubeCenter;  // parallax: the environment is assumed at this distance
    vec4 thing = texture(surroundings, there);
    return thing.rgb + (1.0 - thing.a) * reflected(direction);
}

// Screen coordinates (0 to 1) of a world position; far outside if it is behind the eye.
vec2 placeOf(vec3 position) {
    vec4 end = clipFromView * viewFromWorld * vec4(position, 1.0);
    return end.w > 0.0 ? 0.5 + 0.5 * end.xy / end.w : vec2(-9.0);
}

// Mip level at which neighbouring pixels sample neighbouring texels: minified refraction would alias. `joined`: 1 if
// the neighbour in x, and in y, belongs to the same surface.
float levelOf(vec2 uv, vec2 joined) {
    vec2 across = dFdx(uv) * picture.xy * joined.x, down = dFdy(uv) * picture.xy * joined.y;
    return clamp(0.5 * log2(max(max(dot(across, across), dot(down, down)), 1.0)), 0.0, 6.0);
}

// Normal of water that touches a pane: the pane's. Meshes are rounded where they meet a wall, and the rounded edge, or
// any interpolated normal, would reflect the lamps as a bright line.
vec3 atPanes(vec3 position, vec3 n) {
    // In a corner of the box: the pane that the surface faces most, of those that face the eye.
    vec3 result = n, toEye = eye.xyz - position;
    float most = 0.08;
    for (int i = 0; i < int(lightCount.y); ++i) {
        float facing = dot(n, panes[i].xyz);
        if (abs(panes[i].w - dot(panes[i].xyz, position)) >= rim || facing <= most) continue;
        if (dot(toEye, panes[i].xyz) <= 0.0) continue;
        most = facing;
        result = panes[i].xyz;
    }
    return result;
}

// `n`: normal facing the eye; `within`: the eye is under water; `joined`: see mipLevel.
vec4 seenWater(vec3 position, vec3 n, bool within, vec2 joined) {
    vec2 here = gl_FragCoord.xy / picture.xy;
    vec3 toEye = normalize(eye.xyz - position);
    if (rim > 0.0 && !within) n = atPanes(position, n);
    if (dot(n, toEye) < 0.02) n = normalize(n + (0.02 - dot(n, toEye)) * toEye);  // interpolated normals may face away
    float distance = length(eye.xyz - position);
    float solid = distanceBehind(here);

    // distance to the background along the ray
    vec4 inner = texelFetch(thickness, ivec2(gl_FragCoord.xy), 0);
    float reach = inner.r;
    // an open surface has no back face: assume water down to the background
    if (reach < 0.0) reach += solid;
    reach = clamp(reach, 0.0, max(solid - distance, 0.0));
    if (within) reach = min(max(solid - distance, 0.0), focus.w);
    float depth = within ? distance : reach;  // path length in water

    // Snell refraction: the refracted ray ends at the same depth below the surface as the straight one, and the
    // background image is sampled there, unless it shows something in front of the water. From inside, total internal
    // reflection occurs at grazing angles.
    vec3 bent = refract(-toEye, n, within ? kIndex : 1.0 / kIndex);
    bool caught = dot(bent, bent) < 0.5;
    float bentReach = reach * dot(n, toEye) / max(dot(-n, bent), 1e-3);
    vec2 uv = clamp(placeOf(position + bent * min(bentReach, focus.w)), vec2(0.0), vec2(1.0));
    float level = levelOf(uv, joined);
    if (distanceBehind(uv) < distance) {
        uv = here;
        level = 0.0;
    }
    vec3 through = textureLod(behind, uv, level).rgb;

    // Second refraction where the ray leaves the water before it hits something (a drop acts as a lens). Samples the
    // background at the same distance, and the studio where that lies outside the image.
    float beyond = solid - distance - reach;
    vec3 face = normalize(inner.gba + 1e-6 * bent);
    if (dot(bent, face) < 0.05) face = normalize(face + (0.05 - dot(bent, face)) * bent);
    vec3 on = refract(bent, -face, kIndex);
    if (dot(on, on) < 0.5) on = reflect(bent, face);  // one total internal reflection, then it exits
    vec2 there = placeOf(position + bent * bentReach + on * clamp(beyond, 0.0, 4.0 * focus.w));
    level = levelOf(there, joined) + 0.5;
    if (!within && inner.r > 0.0 && dot(inner.gba, inner.gba) > 1e-4 && beyond > 0.01 * focus.w) {
        vec2 rim = abs(2.0 * there - 1.0);
        float seen = distanceBehind(there) < distance ? 0.0 : 1.0 - smoothstep(0.8, 1.0, max(rim.x, rim.y));
        through = mix(reflected(on), textureLod(behind, clamp(there, vec2(0.0), vec2(1.0)), level).rgb, seen);
    }

    // Beer-Lambert absorption per channel; part of the lost light is scattered back in the water's colour
    float length_ = (clarity > 0.0 ? clarity : 0.45 * focus.w) * (1.0 - turbidity) * (1.0 - turbidity);
    vec3 left = pow(max(color, vec3(1e-3)), vec3(depth / max(length_, 1e-6 * focus.w)));
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
    vec3 body = color * (skyOn(n) + key) * mix(0.14, 0.7, turbidity);
    vec3 inside = through * left + body * (1.0 - left);

    vec3 mirroredLight = mirrored(position, reflect(-toEye, n));
    // Schlick's approximation uses the cosine in air
    float mirror = fresnel(0.02, within ? dot(-n, bent) : dot(n, toEye));
    if (within) {
        mirroredLight = mirroredLight * left + body * (1.0 - left);
        if (caught) mirror = 1.0;
        shine = vec3(0.0);
    }
    // alpha 0 disables ambient occlusion here
    return vec4(mix(inside, mirroredLight, mirror) + shine, layered ? 1.0 : 0.0);
}

// Water shading: Fresnel reflection, refraction and absorption.
uniform vec3 color, cubeCenter;
uniform float roughness, clarity, turbidity, wallDistance;
uniform bool coverageAlpha;  // write alpha as coverage
uniform sampler2D thickness;
uniform samplerCube environmentCube;  // environment of the water; alpha 0: nothing there

const float kIndex = 1.333;  // refractive index of water

// Reflected radiance: the cube map in front of the studio environment.
vec3 reflection(vec3 position, vec3 direction) {
    vec3 ray = position + direction * focus.w - cubeCenter;  // parallax: the environment is assumed at this distance
    vec4 hit = texture(environmentCube, ray);
    return hit.rgb + (1.0 - hit.a) * environmentReflection(direction);
}

// Screen coordinates (0 to 1) of a world position; far outside if it is behind the eye.
vec2 screenUv(vec3 position) {
    vec4 end = clipFromView * viewFromWorld * vec4(position, 1.0);
    return end.w > 0.0 ? 0.5 + 0.5 * end.xy / end.w : vec2(-9.0);
}

// Mip level at which neighbouring pixels sample neighbouring texels: minified refraction would alias. `connected`: 1 if
// the neighbour in x, and in y, belongs to the same surface.
float mipLevel(vec2 uv, vec2 connected) {
    vec2 across = dFdx(uv) * viewport.xy * connected.x, down = dFdy(uv) * viewport.xy * connected.y;
    return clamp(0.5 * log2(max(max(dot(across, across), dot(down, down)), 1.0)), 0.0, 6.0);
}

// Normal of water that touches a pane: the pane's. Meshes are rounded where they meet a wall, and the rounded edge, or
// any interpolated normal, would reflect the lamps as a bright line.
vec3 paneNormal(vec3 position, vec3 n) {
    // In a corner of the box: the pane that the surface faces most, of those that face the eye.
    vec3 result = n, toEye = eye.xyz - position;
    float best = 0.08;
    for (int i = 0; i < int(counts.y); ++i) {
        float facing = dot(n, panes[i].xyz);
        if (abs(panes[i].w - dot(panes[i].xyz, position)) >= wallDistance || facing <= best) continue;
        if (dot(toEye, panes[i].xyz) <= 0.0) continue;
        best = facing;
        result = panes[i].xyz;
    }
    return result;
}

// `n`: normal facing the eye; `eyeInside`: the eye is under water; `connected`: see mipLevel.
vec4 shadeWater(vec3 position, vec3 n, bool eyeInside, vec2 connected) {
    vec2 pixelUv = gl_FragCoord.xy / viewport.xy;
    vec3 toEye = normalize(eye.xyz - position);
    if (wallDistance > 0.0 && !eyeInside) n = paneNormal(position, n);
    if (dot(n, toEye) < 0.02) n = normalize(n + (0.02 - dot(n, toEye)) * toEye);  // interpolated normals may face away
    float distance = length(eye.xyz - position);
    float opaqueDistance = distanceToBackground(pixelUv);

    // length of the eye ray inside the water
    vec4 interior = texelFetch(thickness, ivec2(gl_FragCoord.xy), 0);
    float pathLength = interior.r;
    // an open surface has no back face: assume water down to the background
    if (pathLength < 0.0) pathLength += opaqueDistance;
    pathLength = clamp(pathLength, 0.0, max(opaqueDistance - distance, 0.0));
    if (eyeInside) pathLength = min(max(opaqueDistance - distance, 0.0), focus.w);
    float depth = eyeInside ? distance : pathLength;  // absorbing path

    // Snell refraction: the refracted ray ends at the same depth below the surface as the straight one, and the
    // background image is sampled there, unless it shows something in front of the water. From inside, total internal
    // reflection occurs at grazing angles.
    vec3 refracted = refract(-toEye, n, eyeInside ? kIndex : 1.0 / kIndex);
    bool totalReflection = dot(refracted, refracted) < 0.5;
    float refractedLength = pathLength * dot(n, toEye) / max(dot(-n, refracted), 1e-3);
    vec2 uv = clamp(screenUv(position + refracted * min(refractedLength, focus.w)), vec2(0.0), vec2(1.0));
    float level = mipLevel(uv, connected);
    if (distanceToBackground(uv) < distance) {
        uv = pixelUv;
        level = 0.0;
    }
    vec3 transmitted = textureLod(behindColor, uv, level).rgb;

    // Second refraction where the ray leaves the water before it hits something (a drop acts as a lens). Samples the
    // background at the same distance, and the studio where that lies outside the image.
    float distanceBehind = opaqueDistance - distance - pathLength;
    vec3 exitNormal = normalize(interior.gba + 1e-6 * refracted);
    float outwards = dot(refracted, exitNormal);
    if (outwards < 0.05) exitNormal = normalize(exitNormal + (0.05 - outwards) * refracted);
    vec3 exitDirection = refract(refracted, -exitNormal, kIndex);
    // one total internal reflection, then it exits
    if (dot(exitDirection, exitDirection) < 0.5) exitDirection = reflect(refracted, exitNormal);
    vec2 exitUv = screenUv(position + refracted * refractedLength + exitDirection * clamp(distanceBehind, 0.0, 4.0 * focus.w));
    level = mipLevel(exitUv, connected) + 0.5;
    if (!eyeInside && interior.r > 0.0 && dot(interior.gba, interior.gba) > 1e-4 && distanceBehind > 0.01 * focus.w) {
        vec2 border = abs(2.0 * exitUv - 1.0);
        float visible = distanceToBackground(exitUv) < distance ? 0.0 : 1.0 - smoothstep(0.8, 1.0, max(border.x, border.y));
        vec3 background_ = textureLod(behindColor, clamp(exitUv, vec2(0.0), vec2(1.0)), level).rgb;
        transmitted = mix(environmentReflection(exitDirection), background_, visible);
    }

    // Beer-Lambert absorption per channel; part of the lost light is scattered back in the water's colour
    float absorptionLength = (clarity > 0.0 ? clarity : 0.45 * focus.w) * (1.0 - turbidity) * (1.0 - turbidity);
    vec3 transmittance = pow(max(color, vec3(1e-3)), vec3(depth / max(absorptionLength, 1e-6 * focus.w)));
    vec3 key = vec3(0.0);
    vec3 specular = vec3(0.0);
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) continue;
        vec3 toLight;
        vec3 light = incidentLight(i, position, toLight);
        if (i == int(shadow.x)) {
            ShadowCoord coord = shadowCoord(position, n);
            light *= shadowPcf(solidShadow, coord, 3) * mix(0.55, 1.0, shadowPcf(waterShadow, coord, 3));
        }
        key += light * (0.25 + 0.75 * max(dot(n, toLight), 0.0));
        float cosine = max(dot(n, toLight), 0.0);
        float reflected = fresnel(0.02, dot(toLight, normalize(toLight + toEye)));
        specular += light * cosine * reflected * highlight(n, toLight, toEye, roughness);
    }
    vec3 body = color * (skyDiffuse(n) + key) * mix(0.14, 0.7, turbidity);
    vec3 inside = transmitted * transmittance + body * (1.0 - transmittance);

    vec3 reflectedLight = reflection(position, reflect(-toEye, n));
    // Schlick's approximation uses the cosine in air
    float reflectance = fresnel(0.02, eyeInside ? dot(-n, refracted) : dot(n, toEye));
    if (eyeInside) {
        reflectedLight = reflectedLight * transmittance + body * (1.0 - transmittance);
        if (totalReflection) reflectance = 1.0;
        specular = vec3(0.0);
    }
    // alpha 0 disables ambient occlusion here
    return vec4(mix(inside, reflectedLight, reflectance) + specular, coverageAlpha ? 1.0 : 0.0);
}

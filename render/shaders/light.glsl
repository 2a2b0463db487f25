// Lighting: shadows, sky, reflection and shading models.
#include "panorama.glsl"
#include "medium.glsl"
#include "backdrop.glsl"
uniform sampler2DArrayShadow solidShadow, waterShadow;

// Coordinates in the shadow maps.
struct ShadowCoord {
    int cascade;
    vec3 position;
};

// Shadow-map coordinates of a point, with a normal offset against self-shadowing. The offset grows at grazing
// incidence, where the filter taps lie far below the surface.
ShadowCoord shadowCoord(vec3 position, vec3 normal) {
    float viewDepth = dot(cascadeAxis, vec4(position, 1.0));
    int cascade = 0;
    for (int i = 0; i < 3; ++i) cascade += viewDepth > cascadeEnds[i] ? 1 : 0;
    float cosine = dot(normal, lights[int(shadow.x)].position.xyz);
    float texels = 2.0 + 4.0 * sqrt(max(1.0 - cosine * cosine, 0.0));
    vec4 coord = shadowFromWorld[cascade] * vec4(position + normal * texels * cascadeTexels[cascade], 1.0);
    vec3 p = coord.xyz * 0.5 + 0.5;
    return ShadowCoord(cascade, vec3(p.xy, min(p.z, 0.9999)));
}

float shadowTap(sampler2DArrayShadow map, ShadowCoord coord, vec2 offset) {
    return texture(map, vec4(coord.position.xy + offset / shadow.y, float(coord.cascade), coord.position.z));
}

// PCF: n x n bilinear taps with a round kernel. Most points are fully lit or fully shadowed: if the corner and centre
// taps agree, the remaining ones are skipped.
float shadowPcf(sampler2DArrayShadow map, ShadowCoord coord, int n) {
    if (any(lessThan(coord.position.xy, vec2(0.0))) || any(greaterThan(coord.position.xy, vec2(1.0)))) return 1.0;
    // taps farther apart than their footprint would show as steps
    float middle = 0.5 * float(n - 1), step = clamp(shadow.z / cascadeTexels[coord.cascade] / middle, 0.75, 2.0);
    float sum = shadowTap(map, coord, vec2(0.0));
    for (int corner = 0; corner < 4; ++corner)
        sum += shadowTap(map, coord, middle * step * vec2((corner & 1) * 2 - 1, (corner & 2) - 1));
    if (sum <= 0.0 || sum >= 5.0) return sum / 5.0;
    sum = 0.0;
    float weights = 0.0;
    for (int i = 0; i < n * n; ++i) {
        vec2 offset = vec2(i % n, i / n) - middle;
        float weight = 1.0 - dot(offset, offset) / (2.4 * middle * middle);
        sum += weight * shadowTap(map, coord, offset * step);
        weights += weight;
    }
    return sum / weights;
}

// Transmittance of water for the key light: of liquids in the shadow map, and of the surrounding medium with its
// caustics.
vec3 waterTransmittance(vec3 position, float unshadowed) {
    vec3 light = mix(waterTint.rgb, vec3(1.0), unshadowed);
#ifdef UNDER_WATER
    light *= mix(1.0, caustics(surfaceEntry(position, lights[int(shadow.x)].position.xyz)), 0.85);
#endif
    return light;
}

// Visibility of the key light at a point, with soft shadows.
vec3 keyVisibility(vec3 position, vec3 normal) {
    if (shadow.x < 0.0) return vec3(1.0);
    ShadowCoord coord = shadowCoord(position, normal);
    float unshadowed = shadow.w > 0.0 ? shadowPcf(waterShadow, coord, 3) : 1.0;
    return shadowPcf(solidShadow, coord, 5) * waterTransmittance(position, unshadowed);
}

// The same with a single tap per map, for small and numerous primitives.
vec3 keyVisibilityHard(vec3 position, vec3 normal) {
    if (shadow.x < 0.0) return vec3(1.0);
    ShadowCoord coord = shadowCoord(position, normal);
    float unshadowed = shadow.w > 0.0 ? shadowTap(waterShadow, coord, vec2(0.0)) : 1.0;
    return shadowTap(solidShadow, coord, vec2(0.0)) * waterTransmittance(position, unshadowed);
}

#ifdef UNDER_WATER
// Light shafts: in-scattering along the ray from `from`, modulated by the caustics above and by shadows.
vec3 lightShafts(vec3 from, vec3 direction, float range) {
    if (shadow.x < 0.0) return vec3(0.0);
    const int kSteps = 24;
    LightUniforms key = lights[int(shadow.x)];
    vec3 sum = vec3(0.0);
    for (int i = 0; i < kSteps; ++i) {
        float distance = range * (float(i) + 0.5) / float(kSteps);
        vec3 here = from + distance * direction;
        float light = caustics(1.4 * surfaceEntry(here, key.position.xyz));
        light *= shadowTap(solidShadow, shadowCoord(here, vec3(0.0)), vec2(0.0));
        sum += light * pow(medium.rgb, vec3(distance * medium.w));
    }
    return 0.2 * key.color.rgb * medium.rgb * sum * range * medium.w / float(kSteps);
}
#endif

// Attenuates a surface's light on its path to the eye, and adds the medium's in-scattering.
vec3 applyMedium(vec3 light, vec3 position) {
#ifdef UNDER_WATER
    float range = length(position - eye.xyz);
    vec3 direction = (position - eye.xyz) / range;
    light = mix(waterInscatter(direction), light, pow(medium.rgb, vec3(range * medium.w))) + lightShafts(eye.xyz, direction, range);
#endif
    return light;
}

// Sky radiance in a direction, with a smooth band at the horizon.
vec3 sky(vec3 direction) {
    if (zenith.w > 0.0) return panoramaAt(direction, 5.0);
    float up = direction.y;
    vec3 above = mix(horizon.rgb, zenith.rgb, sqrt(clamp(up, 0.0, 1.0)));
    return mix(above, floorLight.rgb, smoothstep(0.02, -0.30, up));
}

// Irradiance / pi from the sky on a surface.
vec3 skyDiffuse(vec3 normal) {
    if (zenith.w > 0.0) {
        vec3 n = normal;
        vec3 light = skyIrradiance[0].rgb + n.y * skyIrradiance[1].rgb + n.z * skyIrradiance[2].rgb + n.x * skyIrradiance[3].rgb;
        light += n.x * n.y * skyIrradiance[4].rgb + n.y * n.z * skyIrradiance[5].rgb + (3.0 * n.z * n.z - 1.0) * skyIrradiance[6].rgb;
        return max(light + n.x * n.z * skyIrradiance[7].rgb + (n.x * n.x - n.y * n.y) * skyIrradiance[8].rgb, vec3(0.0));
    }
    vec3 above = 0.5 * (horizon.rgb + zenith.rgb);
    return mix(floorLight.rgb, above, 0.5 + 0.5 * normal.y);
}

// Soft-edged rectangle: 1 inside the half size, 0 outside.
float window(vec2 coord, vec2 middle, vec2 size) {
    vec2 edge = smoothstep(size + 0.06, size - 0.06, abs(coord - middle));
    return edge.x * edge.y;
}

// Environment for reflections: wall and ground, a large softbox overhead on the key light's side, and a long one
// opposite, low over the horizon.
vec3 environmentReflection(vec3 direction) {
    if (zenith.w > 0.0) return panoramaAt(direction, 0.0);
    vec3 below = ground.rgb * (skyDiffuse(vec3(0.0, 1.0, 0.0)) + vec3(0.6));
    vec3 light = mix(backdrop(direction), below, smoothstep(0.0, -0.25, direction.y));
    if (shadow.x < 0.0 || direction.y <= 0.02) return light;
    LightUniforms key = lights[int(shadow.x)];
    vec2 toLight = normalize(key.position.xz + vec2(1e-4, 0.0)), across = vec2(-toLight.y, toLight.x);
    vec2 above = direction.xz / direction.y;  // on a ceiling at unit height
    light += 4.5 * window(vec2(dot(above, toLight), dot(above, across)), vec2(0.75, 0.0), vec2(0.45, 0.75)) * key.color.rgb;
    vec2 low = vec2(dot(direction.xz, across), direction.y) / max(-dot(direction.xz, toLight), 1e-3);  // on the far wall
    if (dot(direction.xz, toLight) < 0.0) light += 1.6 * window(low, vec2(0.0, 0.62), vec2(0.9, 0.20)) * key.color.rgb;
    return light;
}

// F = F0 + (1 - F0) (1 - cos)^5   Schlick 1994
float fresnel(float f0, float cosine) {
    float c = clamp(1.0 - cosine, 0.0, 1.0);
    return f0 + (1.0 - f0) * c * c * c * c * c;
}

// Unshadowed light i at a point, and the direction towards it. Not for ambient lights.
vec3 incidentLight(int i, vec3 position, out vec3 toLight) {
    LightUniforms light = lights[i];
    if (light.position.w == 0.0) {
        toLight = light.position.xyz;
        return light.color.rgb;
    }
    vec3 offset = light.position.xyz - position;
    toLight = normalize(offset);
    vec3 incoming = light.color.rgb * pow(max(length(offset), 1e-6), -light.color.w);
    if (light.position.w == 1.0) return incoming;
    float along = -dot(toLight, light.axis.xyz);
    return incoming * pow(max(along, 0.0), light.axis.w) * smoothstep(light.cone.x, light.cone.y, along);
}

// Normalised Blinn-Phong.
float highlight(vec3 normal, vec3 toLight, vec3 toEye, float roughness) {
    float shine = 2.0 / max(roughness * roughness * roughness * roughness, 1e-4) - 2.0;
    float h = max(dot(normal, normalize(toLight + toEye)), 0.0);
    return (shine + 8.0) / 25.0 * pow(h, max(shine, 0.01));
}

// Specular highlight of a wet fibre (Kajiya and Kay 1989, 4). `key`: key light visibility.
vec3 wetHighlight(vec3 hair, vec3 position, vec3 key) {
    vec3 toEye = normalize(eye.xyz - position), sum = vec3(0.0);
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) continue;
        vec3 toLight;
        vec3 light = incidentLight(i, position, toLight) * (i == int(shadow.x) ? key : vec3(1.0));
        float along = dot(hair, normalize(toLight + toEye));
        float shine = max(1.0 - along * along, 0.0);
        shine *= shine;
        shine *= shine;
        shine *= shine;
        sum += light * shine * shine * shine * shine;  // ^32
    }
    return 0.35 * sum;
}

// Lambertian shading. `key`: key light visibility.
vec3 shadeLambert(vec3 position, vec3 normal, vec3 albedo, vec3 key) {
    vec3 light = skyDiffuse(normal);
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) {
            light += lights[i].color.rgb;
            continue;
        }
        vec3 toLight;
        vec3 incident = incidentLight(i, position, toLight);
        light += max(dot(normal, toLight), 0.0) * (i == int(shadow.x) ? incident * key : incident);
    }
    return albedo * light;
}

// Lambertian base with a dielectric coat (highlight and sky reflection). `key`: key light visibility.
vec3 shadeCoated(vec3 position, vec3 normal, vec3 albedo, float roughness, vec3 key) {
    vec3 toEye = normalize(eye.xyz - position);
    float coat = fresnel(0.04, max(dot(normal, toEye), 0.0)) * (1.0 - roughness) * (1.0 - roughness);
    vec3 result = albedo * skyDiffuse(normal) + coat * sky(reflect(-toEye, normal));
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) {
            result += albedo * lights[i].color.rgb;
            continue;
        }
        vec3 toLight;
        vec3 light = incidentLight(i, position, toLight);
        float cosine = dot(normal, toLight);
        if (cosine <= 0.0) continue;
        if (i == int(shadow.x)) light *= key;
        result += light * cosine * (albedo + 0.04 * highlight(normal, toLight, toEye, roughness));
    }
    return result;
}

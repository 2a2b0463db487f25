// Surrounding water: caustics, absorption and in-scattering. Compiled only with UNDER_WATER: a software rasterizer pays
// for untaken branches too.
#ifdef UNDER_WATER

// Caustics: intensity relative to a flat surface, 1 / |det J| of the refraction map, J = 1 + d H with H the Hessian of
// the wave height (Berry 1981). The mean is about 1.
float caustics(vec2 p) {
    const float kWaves = 6.0, kFocus = 0.85;
    float xx = 0.0, yy = 0.0, xy = 0.0;
    for (float i = 0.0; i < kWaves; ++i) {
        float angle = 2.3999632 * i + 0.4, k = 6.0 + 1.9 * i;
        vec2 direction = vec2(cos(angle), sin(angle));
        float curvature = kFocus / kWaves * 1.9 * sin(k * dot(direction, p) + 1.7 * i + sqrt(k) * time.x * 1.6);
        xx += curvature * direction.x * direction.x;
        yy += curvature * direction.y * direction.y;
        xy += curvature * direction.x * direction.y;
    }
    float det = (1.0 + xx) * (1.0 + yy) - xy * xy;
    return clamp(0.55 / max(abs(det), 0.16), 0.0, 3.0);
}

// Where the key light that reaches a point entered the surface, in scene radii.
vec2 surfaceEntry(vec3 position, vec3 toLight) {
    return (position.xz - focus.xz - toLight.xz / max(toLight.y, 0.2) * (position.y - focus.y)) / focus.w;
}

// In-scattered radiance of the water: bright from above, dark from below.
vec3 waterInscatter(vec3 direction) {
    float up = 0.5 + 0.5 * direction.y;
    vec3 deep = medium.rgb * medium.rgb * 0.35;
    return mix(deep, 0.75 * medium.rgb, smoothstep(0.2, 0.95, up)) + 0.5 * medium.rgb * smoothstep(0.65, 1.0, up);
}
#endif

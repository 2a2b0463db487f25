// The shoulder of film, and the curve of sRGB.

// Straight up to 0.6, then bending so that even very bright light stays below 1.
vec3 film(vec3 light) {
    const float knee = 0.6;
    vec3 above = max(light - knee, vec3(0.0));
    return min(light, vec3(knee)) + (1.0 - knee) * (1.0 - exp(-above / (1.0 - knee)));
}

vec3 sRgb(vec3 linear) {
    vec3 curve = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}

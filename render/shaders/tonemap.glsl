// Tone curve and sRGB encoding.

// y = x^n / (x^n + s^n): a sigmoid that keeps middle grey, darkens shadows slightly and rolls off highlights (Naka and
// Rushton 1966; as a photographic curve Reinhard et al. 2002).
// Sums of lights in half floats may be infinite, which has no place on the curve.
vec3 toneCurve(vec3 light) {
    const float grey = 0.18, contrast = 1.5, maxHalf = 65504.0;
    vec3 power = pow(clamp(light, vec3(0.0), vec3(maxHalf)), vec3(contrast));
    return power / (power + pow(grey, contrast) * (1.0 - grey) / grey);
}

vec3 sRgb(vec3 linear) {
    vec3 curve = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}

// From light to a picture: exposure, the shoulder of film, the curve of sRGB; the samples of a pixel meet at the end.
#include "stage.glsl"
uniform sampler2DMS colorSamples;
uniform bool plain;  // linear light as it is
out vec4 result;

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

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 light = texelFetch(colorSamples, ivec2(gl_FragCoord.xy), i).rgb;
        sum += plain ? light : film(eye.w * light);
    }
    result = vec4(plain ? 0.25 * sum : sRgb(0.25 * sum), 1.0);
}

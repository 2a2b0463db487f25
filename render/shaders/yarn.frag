// Yarn tube with procedural plies: diffuse, with grooves between the plies.
#include "viewUniforms.glsl"
#include "light.glsl"
#include "refraction.glsl"
uniform bool twisted;
#ifdef FINE
in vec3 key;
#else
uniform bool hardShadows;  // distant or covered by fibres
#endif
in vec3 position, normal, color, around;
in float phase;  // radians: the centre of a ply at multiples of 2 pi
in float wet;    // 0 to 1
out vec4 result;
void main() {
    if (isInFrontOfFluid()) discard;
    vec3 n = normalize(normal), a = normalize(around);
    vec3 albedo = color;
    if (twisted) {
        // fibres at an angle to the plies; both fade below pixel size
        float sharp = clamp(1.5 - fwidth(phase) * 0.5, 0.0, 1.0);
        n = normalize(n + 0.75 * sharp * sin(phase) * a);
        albedo *= mix(1.0, 0.45 + 0.55 * smoothstep(-1.0, 0.1, cos(phase)), sharp);
        float fibre = clamp(1.5 - fwidth(phase) * 4.0, 0.0, 1.0);
        albedo *= 1.0 + 0.10 * fibre * sin(7.0 * phase + 2.0 * sin(phase));
    }
    vec3 toEye = normalize(eye.xyz - position);
    // fuzz: brighter at grazing angles, where light passes through stray fibres
    float rim = 1.0 - max(dot(n, toEye), 0.0);
#ifndef FINE
    vec3 key = hardShadows ? keyVisibilityHard(position, n) : keyVisibility(position, n);
#endif
    vec3 light = shadeLambert(position, n, albedo, key);
    light *= 0.85 + 0.30 * rim * rim * (1.0 - wet);
#ifdef WET
    light += wet * wetHighlight(cross(a, normalize(normal)), position, key);
#endif
    result = vec4(applyMedium(light, position), 1.0);
}

// Diffuse ground with an optional grid, fading into the background with distance.
#include "viewUniforms.glsl"
#include "light.glsl"
#include "refraction.glsl"
in vec3 position;
out vec4 result;

// Grid coverage: 1 on a line, 0 between; lines are about a pixel wide and fade where they would alias.
float lines(vec2 p, float spacing) {
    vec2 cell = p / spacing, pixel = fwidth(cell);
    vec2 offset = abs(fract(cell - 0.5) - 0.5) / max(pixel, 1e-6);
    vec2 line = clamp(1.2 - offset, 0.0, 1.0) * clamp(1.0 - 4.0 * pixel, 0.0, 1.0);
    return max(line.x, line.y);
}

void main() {
    if (isInFrontOfFluid()) discard;
    if (eye.y <= ground.w) discard;  // invisible from below
    float distance = length(position.xz - focus.xz) / groundLines.x;
    float alpha = 1.0 - smoothstep(0.15, 0.95, distance);
    vec3 albedo = ground.rgb;
    if (groundLines.y > 0.0) albedo *= 1.0 + 0.16 * lines(position.xz, groundLines.y);
    const vec3 up = vec3(0.0, 1.0, 0.0);
    result = vec4(applyMedium(shadeCoated(position, up, albedo, 0.85, keyVisibility(position, up)), position), alpha);
}

// Depth-aware 4 x 4 blur of the ambient occlusion, multiplied onto the scene.
#include "viewUniforms.glsl"
uniform sampler2DMS depthSamples;
uniform sampler2D occlusion;
uniform float strength;
out vec4 result;
float viewDistance(ivec2 pixel) {
    float depth = 2.0 * texelFetch(depthSamples, pixel, 0).r - 1.0;
    return 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - depth * (clipRange.y - clipRange.x));
}
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy), last = ivec2(viewport.xy) - 1;
    float here = viewDistance(pixel), sum = 0.0, weights = 0.0;
    for (int i = 0; i < 16; ++i) {
        ivec2 other = clamp(pixel + ivec2(i & 3, i >> 2) - 2, ivec2(0), last);
        float weight = max(1.0 - abs(viewDistance(other) - here) / (0.02 * focus.w), 1e-4);
        sum += weight * texelFetch(occlusion, other, 0).r;
        weights += weight;
    }
    result = vec4(vec3(mix(1.0, sum / weights, strength)), 1.0);
}

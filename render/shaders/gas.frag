// A gas splat: alpha from the optical depth along the ray, faded out where it intersects opaque geometry.
#include "viewUniforms.glsl"
uniform sampler2DMS depthSamples;
flat in vec3 light;
flat in vec3 splatSize;  // radius; optical depth; view-space distance
in vec2 disc;
out vec4 result;
void main() {
    float inside = 1.0 - dot(disc, disc);
    if (inside <= 0.0) discard;
    float depth = 2.0 * texelFetch(depthSamples, ivec2(gl_FragCoord.xy), 0).r - 1.0;
    float solid = 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - depth * (clipRange.y - clipRange.x));
    float before = clamp(0.5 + 0.5 * (solid - splatSize.z) / splatSize.x, 0.0, 1.0);
    float alpha = 1.0 - exp(-splatSize.y * inside * inside * before);
    if (alpha <= 0.0) discard;
    result = vec4(light, alpha);
}

// Writes a pixel class as depth, to be selected by the depth test: 1 no water, 0.5 samples differ, 0.25 all four
// samples agree.
#include "viewUniforms.glsl"
uniform sampler2DMS waterSurface, depthSamples;
float viewDistance(ivec2 pixel, int i) {
    float depth = 2.0 * texelFetch(depthSamples, pixel, i).r - 1.0;
    return 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - depth * (clipRange.y - clipRange.x));
}
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 first = texelFetch(waterSurface, pixel, 0);
    float near = viewDistance(pixel, 0), wide = near * 2.0 * viewport.w / viewport.y;
    bool any = first.w != 0.0, alike = any;
    for (int i = 1; i < 4; ++i) {
        vec4 own = texelFetch(waterSurface, pixel, i);
        any = any || own.w != 0.0;
        // Samples within 6 degrees and four pixels of depth belong to one surface.
        alike = alike && own.w == first.w && dot(own.xyz, first.xyz) > 0.995 && abs(viewDistance(pixel, i) - near) < 4.0 * wide;
    }
    gl_FragDepth = alike ? 0.25 : any ? 0.5 : 1.0;
}

// Tone mapping: exposure, tone curve and sRGB per sample, then the MSAA resolve.
#include "viewUniforms.glsl"
#include "tonemap.glsl"
uniform sampler2DMS colorSamples;
uniform bool linearOutput;  // resolve only, for the beauty AOV
out vec4 result;

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec3 light = texelFetch(colorSamples, ivec2(gl_FragCoord.xy), i).rgb;
        sum += linearOutput ? light : toneCurve(eye.w * light);
    }
    result = vec4(linearOutput ? 0.25 * sum : sRgb(0.25 * sum), 1.0);
}

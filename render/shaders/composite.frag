// Tone maps and composites over a host image: premultiplied alpha, and depth reprojected to the host's camera.
#include "viewUniforms.glsl"
#include "tonemap.glsl"
uniform sampler2DMS colorSamples, depthSamples;  // premultiplied colour; depth
uniform vec3 corner;     // x, y: lower left corner of the viewport, pixels
uniform vec3 depthClip;  // rows z and w of the host's projection: z from z, z from 1, w from z
uniform float depthOne;  // w from 1
uniform float eyeOffset;  // how much farther away our eye is than the host's
out vec4 result;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy - corner.xy);
    vec3 sum = vec3(0.0);
    float alpha = 0.0, nearest = 1.0;
    for (int i = 0; i < 4; ++i) {
        vec4 light = texelFetch(colorSamples, pixel, i);
        if (light.a <= 0.0) continue;
        sum += light.a * toneCurve(eye.w * light.rgb / light.a);
        alpha += light.a;
        nearest = min(nearest, texelFetch(depthSamples, pixel, i).r);
    }
    if (alpha <= 0.0) discard;
    result = vec4(sRgb(sum / alpha), 1.0) * (0.25 * alpha);
    float z = eyeOffset - 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - (2.0 * nearest - 1.0) * (clipRange.y - clipRange.x));
    gl_FragDepth = clamp(0.5 + 0.5 * (depthClip.x * z + depthClip.y) / (depthClip.z * z + depthOne), 0.0, 1.0);
}

// Deferred shading of water meshes from the output of waterSurface.frag: one MSAA sample of each pixel, or the mean of
// all.
#include "viewUniforms.glsl"
#include "light.glsl"
#include "refraction.glsl"
#include "water.glsl"
uniform sampler2DMS waterSurface, depthSamples;
uniform int firstSample, lastSample;
uniform int body;
in vec2 ndc;
out vec4 result;
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 surface = vec4(0.0);
    float depth = 0.0, count = float(lastSample - firstSample + 1);
    for (int i = firstSample; i <= lastSample; ++i) {
        surface += texelFetch(waterSurface, pixel, i);
        depth += texelFetch(depthSamples, pixel, i).r;
    }
    bool isThisMesh = abs(surface.w) == count * float(body);
    float z = 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - (2.0 * depth / count - 1.0) * (clipRange.y - clipRange.x));
    vec3 position = (worldFromView * vec4(ndc * viewport.zw * z, -z, 1.0)).xyz;
    vec3 n = normalize(surface.xyz + vec3(0.0, isThisMesh ? 0.0 : 1.0, 0.0));

    // Neighbouring pixels belong to the same surface if the step to them lies near its tangent plane.
    float there = isThisMesh ? 1.0 : 0.0;
    vec3 across = dFdx(position), down = dFdy(position);
    vec2 connected = vec2(dFdx(there) == 0.0 && abs(dot(n, across)) < 0.5 * length(across),
                       dFdy(there) == 0.0 && abs(dot(n, down)) < 0.5 * length(down));
    result = shadeWater(position, n, surface.w < 0.0, connected);
    if (!isThisMesh) discard;
}

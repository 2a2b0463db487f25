// The mean of a pixel's samples, and the distance from the eye to the first of them.
#include "stage.glsl"
uniform sampler2DMS colorSamples, depthSamples;
in vec2 place;
out vec4 result;
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) sum += texelFetch(colorSamples, pixel, i).rgb;
    // depth to distance along -z, and from there along the ray
    float depth = 2.0 * texelFetch(depthSamples, pixel, 0).r - 1.0;
    float z = 2.0 * clip.x * clip.y / (clip.y + clip.x - depth * (clip.y - clip.x));
    result = vec4(0.25 * sum, z * length(vec3(place * picture.zw, 1.0)));
}

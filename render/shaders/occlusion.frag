// Screen-space ambient occlusion from depth alone (McGuire et al. 2011). Each pixel of a 4 x 4 tile uses another
// rotation; occlusionBlur.frag averages the tile.
#include "viewUniforms.glsl"
uniform sampler2DMS depthSamples, colorSamples;
in vec2 ndc;
out vec4 result;

const int kSampleCount = 16;

// View-space position of a pixel.
vec3 viewPosition(ivec2 pixel) {
    pixel = clamp(pixel, ivec2(0), ivec2(viewport.xy) - 1);
    float depth = 2.0 * texelFetch(depthSamples, pixel, 0).r - 1.0;
    float z = 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - depth * (clipRange.y - clipRange.x));
    return vec3(((vec2(pixel) + 0.5) / viewport.xy * 2.0 - 1.0) * viewport.zw * z, -z);
}

// One-sided difference with the smaller depth step: the other neighbour may belong to another surface.
vec3 difference(vec3 here, ivec2 pixel, ivec2 step) {
    vec3 before = here - viewPosition(pixel - step), after = viewPosition(pixel + step) - here;
    return abs(before.z) < abs(after.z) ? before : after;
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    result = vec4(1.0);
    if (texelFetch(depthSamples, pixel, 0).r >= 1.0) return;
    if (texelFetch(colorSamples, pixel, 0).a < 0.5) return;  // not on water
    vec3 here = viewPosition(pixel);
    vec3 normal = normalize(cross(difference(here, pixel, ivec2(1, 0)), difference(here, pixel, ivec2(0, 1))));
    float radius = 0.28 * focus.w;
    float pixels = min(radius / (-here.z * viewport.w) * 0.5 * viewport.y, 0.16 * viewport.y);
    if (pixels < 1.5) return;
    radius = pixels * 2.0 / viewport.y * viewport.w * -here.z;
    int tile = (pixel.x & 3) * 4 + (pixel.y & 3);
    float rotation = 6.2831853 * float((tile * 7) & 15) / 16.0;
    float sum = 0.0;
    for (int i = 0; i < kSampleCount; ++i) {
        float t = (float(i) + 0.5 + float((tile * 5) & 15) / 32.0) / float(kSampleCount);
        float angle = rotation + 2.3999632 * float(i);
        ivec2 other = pixel + ivec2(round(t * t * pixels * vec2(cos(angle), sin(angle))));
        vec3 offset = viewPosition(other) - here;
        float distance2 = dot(offset, offset);
        float near = max(1.0 - distance2 / (radius * radius), 0.0);
        // Occluders less than 13 degrees above the tangent plane are ignored: they would show the facets of curved
        // meshes.
        float height = dot(offset, normal) / (sqrt(distance2) + 1e-4 * radius);
        sum += near * max(height - 0.22, 0.0) / 0.78;
    }
    result = vec4(max(1.0 - 2.8 * sum / float(kSampleCount), 0.0));
}

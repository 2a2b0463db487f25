// Screen-space ambient occlusion from depth alone (McGuire et al. 2011). Each pixel of a 4 x 4 tile uses another
// rotation; occlusionBlur.frag averages the tile.
#include "stage.glsl"
uniform sampler2DMS depthSamples, colorSamples;
in vec2 place;
out vec4 result;

const int kLooks = 16;

// View-space position of a pixel.
vec3 seenAt(ivec2 pixel) {
    pixel = clamp(pixel, ivec2(0), ivec2(picture.xy) - 1);
    float depth = 2.0 * texelFetch(depthSamples, pixel, 0).r - 1.0;
    float z = 2.0 * clip.x * clip.y / (clip.y + clip.x - depth * (clip.y - clip.x));
    return vec3(((vec2(pixel) + 0.5) / picture.xy * 2.0 - 1.0) * picture.zw * z, -z);
}

// One-sided difference with the smaller depth step: the other neighbour may belong to another surface.
vec3 slope(vec3 here, ivec2 pixel, ivec2 step) {
    vec3 before = here - seenAt(pixel - step), after = seenAt(pixel + step) - here;
    return abs(before.z) < abs(after.z) ? before : after;
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    result = vec4(1.0);
    if (texelFetch(depthSamples, pixel, 0).r >= 1.0) return;
    if (texelFetch(colorSamples, pixel, 0).a < 0.5) return;  // not on water
    vec3 here = seenAt(pixel);
    vec3 normal = normalize(cross(slope(here, pixel, ivec2(1, 0)), slope(here, pixel, ivec2(0, 1))));
    float reach = 0.28 * focus.w;
    float pixels = min(reach / (-here.z * picture.w) * 0.5 * picture.y, 0.16 * picture.y);
    if (pixels < 1.5) return;
    reach = pixels * 2.0 / picture.y * picture.w * -here.z;
    int tile = (pixel.x & 3) * 4 + (pixel.y & 3);
    float turn = 6.2831853 * float((tile * 7) & 15) / 16.0;
    float sum = 0.0;
    for (int i = 0; i < kLooks; ++i) {
        float away = (float(i) + 0.5 + float((tile * 5) & 15) / 32.0) / float(kLooks);
        float angle = turn + 2.3999632 * float(i);
        ivec2 other = pixel + ivec2(round(away * away * pixels * vec2(cos(angle), sin(angle))));
        vec3 gap = seenAt(other) - here;
        float distance2 = dot(gap, gap);
        float near = max(1.0 - distance2 / (reach * reach), 0.0);
        // Occluders less than 13 degrees above the tangent plane are ignored: they would show the facets of curved
        // meshes.
        float height = dot(gap, normal) / (sqrt(distance2) + 1e-4 * reach);
        sum += near * max(height - 0.22, 0.0) / 0.78;
    }
    result = vec4(max(1.0 - 2.8 * sum / float(kLooks), 0.0));
}

// Camera-facing quad, with the light scattered at the splat.
#include "stage.glsl"
#include "light.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in Splat {
    vec3 center, color;
    vec2 size, light;
} splat[];
flat out vec3 light;
flat out vec3 splatSize;  // radius; optical depth; view-space distance
out vec2 place;           // disc coordinates, -1 to 1
void main() {
    vec3 c = (viewFromWorld * vec4(splat[0].center, 1.0)).xyz;
    if (-c.z < clip.x) return;
    const vec3 up = vec3(0.0, 1.0, 0.0);
    light = splat[0].light.y * 0.6 * (skyOn(up) + skyOn(-up));
    vec3 toEye = normalize(eye.xyz - splat[0].center);
    for (int i = 0; i < int(lightCount.x); ++i) {
        if (lights[i].place.w == 2.0) {
            light += splat[0].light.y * lights[i].color.rgb;
            continue;
        }
        vec3 towards;
        vec3 own = lightFrom(i, splat[0].center, towards);
        if (i == int(shadow.x)) own *= shadowNear(splat[0].center, up);
        // Forward scattering: gas in front of the light is brighter.
        float forwards = 0.5 - 0.5 * dot(towards, toEye);
        light += splat[0].light.x * mix(0.8, 1.2, forwards * forwards) * own;
    }
    light *= splat[0].color;
    splatSize = vec3(splat[0].size, -c.z);
    for (int corner = 0; corner < 4; ++corner) {
        place = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
        gl_Position = clipFromView * vec4(c + vec3(splat[0].size.x * place, 0.0), 1.0);
        EmitVertex();
    }
}

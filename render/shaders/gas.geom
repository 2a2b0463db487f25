// Camera-facing quad, with the light scattered at the splat.
#include "viewUniforms.glsl"
#include "light.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in Splat {
    vec3 center, color;
    vec2 size, light;
} splat[];
flat out vec3 light;
flat out vec3 splatSize;  // radius; optical depth; view-space distance
out vec2 disc;           // disc coordinates, -1 to 1
void main() {
    vec3 c = (viewFromWorld * vec4(splat[0].center, 1.0)).xyz;
    if (-c.z < clipRange.x) return;
    const vec3 up = vec3(0.0, 1.0, 0.0);
    light = splat[0].light.y * 0.6 * (skyDiffuse(up) + skyDiffuse(-up));
    vec3 toEye = normalize(eye.xyz - splat[0].center);
    for (int i = 0; i < int(counts.x); ++i) {
        if (lights[i].position.w == 2.0) {
            light += splat[0].light.y * lights[i].color.rgb;
            continue;
        }
        vec3 toLight;
        vec3 incident = incidentLight(i, splat[0].center, toLight);
        if (i == int(shadow.x)) incident *= keyVisibilityHard(splat[0].center, up);
        // Forward scattering: gas in front of the light is brighter.
        float forwards = 0.5 - 0.5 * dot(toLight, toEye);
        light += splat[0].light.x * mix(0.8, 1.2, forwards * forwards) * incident;
    }
    light *= splat[0].color;
    splatSize = vec3(splat[0].size, -c.z);
    for (int corner = 0; corner < 4; ++corner) {
        disc = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
        gl_Position = clipFromView * vec4(c + vec3(splat[0].size.x * disc, 0.0), 1.0);
        EmitVertex();
    }
}

// Camera-facing quad of at least a pixel; smaller particles get a lower alpha instead.
#include "viewUniforms.glsl"
#include "light.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball[];
flat out vec3 light;
flat out float alpha;
out vec2 disc;  // disc coordinates, -1 to 1
void main() {
    vec3 c = (viewFromWorld * vec4(ball[0].center, 1.0)).xyz;
    if (-c.z < clipRange.x) return;
    float pixel = -c.z * viewport.w * 2.0 / viewport.y;
    float minSize = 0.75 * pixel, size = max(ball[0].radius, minSize);
    alpha = 0.85 * (ball[0].radius / size) * (ball[0].radius / size);
    // Foam scatters light in all directions, so no normal is used.
    const vec3 up = vec3(0.0, 1.0, 0.0);
    light = skyDiffuse(up);
    for (int i = 0; i < int(counts.x); ++i) {
        vec3 toLight;
        vec3 incident = lights[i].position.w == 2.0 ? lights[i].color.rgb : incidentLight(i, ball[0].center, toLight);
        light += (i == int(shadow.x) ? 0.7 * keyVisibilityHard(ball[0].center, up) : vec3(0.7)) * incident;
    }
    light *= ball[0].color;
    for (int corner = 0; corner < 4; ++corner) {
        disc = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
        // moved towards the eye by half its size, so that the water surface does not cut it
        vec4 p = vec4(c + vec3(size * disc, 0.5 * size), 1.0);
        gl_Position = clipFromView * p;
        EmitVertex();
    }
}

// Camera-facing quad of at least a pixel; smaller particles get a lower alpha instead.
#include "stage.glsl"
#include "light.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball[];
flat out vec3 light;
flat out float cover;
out vec2 place;  // disc coordinates, -1 to 1
void main() {
    vec3 c = (viewFromWorld * vec4(ball[0].center, 1.0)).xyz;
    if (-c.z < clip.x) return;
    float pixel = -c.z * picture.w * 2.0 / picture.y;
    float least = 0.75 * pixel, wide = max(ball[0].radius, least);
    cover = 0.85 * (ball[0].radius / wide) * (ball[0].radius / wide);
    // Foam scatters light in all directions, so no normal is used.
    const vec3 up = vec3(0.0, 1.0, 0.0);
    light = skyOn(up);
    for (int i = 0; i < int(lightCount.x); ++i) {
        vec3 towards;
        vec3 own = lights[i].place.w == 2.0 ? lights[i].color.rgb : lightFrom(i, ball[0].center, towards);
        light += (i == int(shadow.x) ? 0.7 * shadowNear(ball[0].center, up) : vec3(0.7)) * own;
    }
    light *= ball[0].color;
    for (int corner = 0; corner < 4; ++corner) {
        place = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
        // moved towards the eye by half its size, so that the water surface does not cut it
        vec4 p = vec4(c + vec3(wide * place, 0.5 * wide), 1.0);
        gl_Position = clipFromView * p;
        EmitVertex();
    }
}

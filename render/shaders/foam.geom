// A square that faces the eye, a pixel wide at least: what is smaller is fainter instead.
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
out vec2 place;  // -1 to 1
void main() {
    vec3 c = (viewFromWorld * vec4(ball[0].center, 1.0)).xyz;
    if (-c.z < clip.x) return;
    float pixel = -c.z * picture.w * 2.0 / picture.y;
    float least = 0.75 * pixel, wide = max(ball[0].radius, least);
    cover = 0.85 * (ball[0].radius / wide) * (ball[0].radius / wide);
    // Froth throws light back to all sides: it has no normal of its own.
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
        // half its size nearer to the eye, so that the water it floats on does not cut it in two
        vec4 p = vec4(c + vec3(wide * place, 0.5 * wide), 1.0);
        gl_Position = clipFromView * p;
        EmitVertex();
    }
}

// Camera-facing quad that covers a ball. The shadow is looked up once per ball, at its lit side.
#include "viewUniforms.glsl"
#include "light.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball[];
flat out vec3 center, color, velocity;  // centre in view space
flat out vec3 key;                      // key light visibility
flat out float radius, wetness;
out vec3 ray;                 // from the eye to the quad
void main() {
    vec3 c = (viewFromWorld * vec4(ball[0].center, 1.0)).xyz;
    float r = ball[0].radius, d = length(c);
    if (d <= r || -c.z + r < clipRange.x) return;
    // The silhouette seen in perspective is wider than the ball: half the side of a quad through the centre is r d /
    // sqrt(d^2 - r^2). The margin leaves room for the antialiased edge.
    float halfSide = r * d / sqrt(d * d - r * r) + 0.75 * d * viewport.w * 2.0 / viewport.y;
    vec3 forward = c / d;
    vec3 right = normalize(cross(forward, abs(forward.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 up = cross(right, forward);
    vec3 toLight = shadow.x < 0.0 ? vec3(0.0, 1.0, 0.0) : lights[int(shadow.x)].position.xyz;
    vec3 visibility = keyVisibility(ball[0].center + r * toLight, toLight);
    for (int corner = 0; corner < 4; ++corner) {
        ray = c + halfSide * ((corner & 1) * 2 - 1) * right + halfSide * ((corner & 2) - 1) * up;
        center = c;
        color = ball[0].color;
        radius = r;
        velocity = ball[0].velocity;
        wetness = ball[0].wetness;
        key = visibility;
        gl_Position = clipFromView * vec4(ray, 1.0);
        EmitVertex();
    }
}

// Disc through a ball's centre, perpendicular to the light: it shadows everything behind it but not the ball's own lit
// side.
#include "viewUniforms.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
in Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball[];
out vec2 disc;
uniform int cascade;
void main() {
    vec4 c = shadowFromWorld[cascade] * vec4(ball[0].center, 1.0);
    float halfSide = ball[0].radius * 2.0 / (shadow.y * cascadeTexels[cascade]);
    for (int corner = 0; corner < 4; ++corner) {
        disc = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
        gl_Position = c + vec4(halfSide * disc, 0.0, 0.0);
        EmitVertex();
    }
}

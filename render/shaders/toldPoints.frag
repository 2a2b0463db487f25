// G-buffer of ball impostors.
#include "stage.glsl"
#include "ball.glsl"
uniform int id;
flat in vec3 velocity;
flat in float wetness;
layout(location = 0) out vec4 surface;  // see gbuffer.frag
layout(location = 1) out vec4 motion;
void main() {
    float inside;
    vec3 hit = meetBall(inside);
    if (inside < 0.5) discard;
    surface = vec4(normalize(mat3(worldFromView) * (hit - center)), wetness);
    motion = vec4(velocity, float(id));
}

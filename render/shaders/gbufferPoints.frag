// G-buffer of ball impostors.
#include "viewUniforms.glsl"
#include "ball.glsl"
uniform int id;
flat in vec3 velocity;
flat in float wetness;
layout(location = 0) out vec4 normalWetness;  // see gbuffer.frag
layout(location = 1) out vec4 velocityId;
void main() {
    float inside;
    vec3 hit = intersectBall(inside);
    if (inside < 0.5) discard;
    normalWetness = vec4(normalize(mat3(worldFromView) * (hit - center)), wetness);
    velocityId = vec4(velocity, float(id));
}

// G-buffer of the ground.
#include "viewUniforms.glsl"
uniform int id;
in vec3 position;
layout(location = 0) out vec4 normalWetness;  // see gbuffer.frag
layout(location = 1) out vec4 velocityId;
void main() {
    if (eye.y <= ground.w) discard;  // invisible from below
    normalWetness = vec4(0.0, 1.0, 0.0, 0.0);
    velocityId = vec4(0.0, 0.0, 0.0, float(id));
}

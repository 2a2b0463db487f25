// G-buffer of the ground.
#include "stage.glsl"
uniform int id;
in vec3 position;
layout(location = 0) out vec4 surface;  // see gbuffer.frag
layout(location = 1) out vec4 motion;
void main() {
    if (eye.y <= ground.w) discard;  // invisible from below
    surface = vec4(0.0, 1.0, 0.0, 0.0);
    motion = vec4(0.0, 0.0, 0.0, float(id));
}

// The ground, in numbers.
#include "stage.glsl"
uniform int id;
in vec3 position;
layout(location = 0) out vec4 surface;  // as told.frag has them
layout(location = 1) out vec4 motion;
void main() {
    if (eye.y <= ground.w) discard;  // from below one looks through it
    surface = vec4(0.0, 1.0, 0.0, 0.0);
    motion = vec4(0.0, 0.0, 0.0, float(id));
}

// G-buffer of meshes and yarn tubes.
uniform int id;
in vec3 normal, velocity;
in float wetness;
layout(location = 0) out vec4 surface;  // normal facing the eye; wetness
layout(location = 1) out vec4 motion;   // velocity; item id
void main() {
    surface = vec4(normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0), wetness);
    motion = vec4(velocity, float(id));
}

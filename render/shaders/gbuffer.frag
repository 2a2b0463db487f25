// G-buffer of meshes and yarn tubes.
uniform int id;
in vec3 normal, velocity;
in float wetness;
layout(location = 0) out vec4 normalWetness;  // normal facing the eye; wetness
layout(location = 1) out vec4 velocityId;   // velocity; item id
void main() {
    normalWetness = vec4(normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0), wetness);
    velocityId = vec4(velocity, float(id));
}

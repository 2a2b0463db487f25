// Surface attributes of water meshes, for deferred shading (water.frag): triangles are often smaller than pixels, and
// forward shading would shade each of them.
uniform int body;
in vec3 normal;
out vec4 result;  // normal facing the eye; mesh index, negative if the eye is under water
void main() {
    float side = gl_FrontFacing ? 1.0 : -1.0;
    result = vec4(side * normalize(normal), side * float(body));
}

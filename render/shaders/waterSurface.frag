// What the surface of a mesh of water is like, to be shaded by the pixel later (water.frag): triangles of water are often
// smaller than pixels, and each would be shaded for itself.
uniform int body;
in vec3 normal;
out vec4 result;  // normal towards the eye; which mesh it is, negative where the eye is under water
void main() {
    float side = gl_FrontFacing ? 1.0 : -1.0;
    result = vec4(side * normalize(normal), side * float(body));
}

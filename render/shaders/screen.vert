// Full-screen triangle.
out vec2 ndc;  // normalised device coordinates, -1 to 1
void main() {
    ndc = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(ndc, 0.0, 1.0);
}

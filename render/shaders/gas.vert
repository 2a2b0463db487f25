// Passes a gas splat to the geometry shader.
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexColor;
layout(location = 2) in vec2 vertexSize;   // radius; optical depth through the centre
layout(location = 3) in vec2 vertexLight;  // transmittance towards the key light and the sky
out Splat {
    vec3 center, color;
    vec2 size, light;
} splat;
void main() {
    splat.center = vertex;
    splat.color = vertexColor;
    splat.size = vertexSize;
    splat.light = vertexLight;
}

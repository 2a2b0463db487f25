// A ball's centre, colour and radius, on their way to a geometry shader.
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexColor;
layout(location = 2) in float vertexRadius;
out Ball {
    vec3 center, color;
    float radius;
} ball;
void main() {
    ball.center = vertex;
    ball.color = vertexColor;
    ball.radius = vertexRadius;
}

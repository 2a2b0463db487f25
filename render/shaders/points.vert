// Passes a particle to the geometry shader.
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexColor;
layout(location = 2) in float vertexRadius;
layout(location = 5) in vec3 vertexVelocity;
layout(location = 6) in float vertexWetness;
out Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball;
void main() {
    ball.center = vertex;
    ball.color = vertexColor;
    ball.radius = vertexRadius;
    ball.velocity = vertexVelocity;
    ball.wetness = vertexWetness;
}

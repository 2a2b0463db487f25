// Splats a particle into the liquid's colour field: one quad per grid slice within its support.
layout(points) in;
layout(triangle_strip, max_vertices = 64) out;
in Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball[];
uniform vec3 fieldLow, fieldSize, fieldCells;
uniform float supportRadius;
out vec3 offset;  // from the particle, in support radii
flat out float weight;
void main() {
    vec3 cell = fieldSize / fieldCells, at = (ball[0].center - fieldLow) / cell;
    vec3 extent = vec3(supportRadius) / cell;
    // V W(0), V = 4/3 pi r^3 and W = 315 / (64 pi R^3) (1 - (d/R)^2)^3: 105/16 (r/R)^3
    float ratio = ball[0].radius / supportRadius;
    weight = 6.5625 * ratio * ratio * ratio;
    int first = max(int(ceil(at.z - extent.z - 0.5)), 0), last = min(int(floor(at.z + extent.z - 0.5)), int(fieldCells.z) - 1);
    for (int layer = first; layer <= min(last, first + 15); ++layer) {
        for (int corner = 0; corner < 4; ++corner) {
            vec2 side = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
            offset = vec3(side, (float(layer) + 0.5 - at.z) / extent.z);
            gl_Layer = layer;
            gl_Position = vec4((at.xy + side * extent.xy) / fieldCells.xy * 2.0 - 1.0, 0.0, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}

// Splats a particle into the liquid's colour field: one quad per grid slice within its support.
layout(points) in;
layout(triangle_strip, max_vertices = 64) out;
in Ball {
    vec3 center, color, velocity;
    float radius, wetness;
} ball[];
uniform vec3 fieldLow, fieldSize, fieldCells;
uniform float reach;
out vec3 gap;  // offset from the particle, in support radii
flat out float share;
void main() {
    vec3 cell = fieldSize / fieldCells, at = (ball[0].center - fieldLow) / cell;
    vec3 wide = vec3(reach) / cell;
    // V W(0), V = 4/3 pi r^3 and W = 315 / (64 pi R^3) (1 - (d/R)^2)^3: 105/16 (r/R)^3
    float part = ball[0].radius / reach;
    share = 6.5625 * part * part * part;
    int first = max(int(ceil(at.z - wide.z - 0.5)), 0), last = min(int(floor(at.z + wide.z - 0.5)), int(fieldCells.z) - 1);
    for (int layer = first; layer <= min(last, first + 15); ++layer) {
        for (int corner = 0; corner < 4; ++corner) {
            vec2 side = vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
            gap = vec3(side, (float(layer) + 0.5 - at.z) / wide.z);
            gl_Layer = layer;
            gl_Position = vec4((at.xy + side * wide.xy) / fieldCells.xy * 2.0 - 1.0, 0.0, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}

// A mesh of water.
#include "stage.glsl"
#include "light.glsl"
#include "refraction.glsl"
#include "water.glsl"
in vec3 position, normal;
out vec4 result;
void main() {
    bool within = !gl_FrontFacing;
    result = seenWater(position, normalize(normal) * (within ? -1.0 : 1.0), within);
}

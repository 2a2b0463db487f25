// The sky's picture, or a studio wall: a plain colour, lighter in the middle, darker towards the corners.
#include "stage.glsl"
#include "backdrop.glsl"
#include "panorama.glsl"
in vec2 place;
out vec4 result;
void main() {
    vec3 direction = normalize(mat3(worldFromView) * vec3(place * picture.zw, -1.0));
    result = vec4(zenith.w > 0.0 ? panoramaAt(direction, 0.0) : backdrop(place), 1.0);
}

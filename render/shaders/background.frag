// A studio wall: a plain colour, lighter in the middle, darker towards the corners.
#include "stage.glsl"
#include "backdrop.glsl"
in vec2 place;
out vec4 result;
void main() { result = vec4(backdrop(place), 1.0); }

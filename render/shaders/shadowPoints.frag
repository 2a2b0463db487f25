// Depth only, inside the disc.
in vec2 place;
void main() {
    if (dot(place, place) > 1.0) discard;
}

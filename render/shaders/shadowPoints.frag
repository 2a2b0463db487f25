// Depth only, inside the disc.
in vec2 disc;
void main() {
    if (dot(disc, disc) > 1.0) discard;
}

// The colour behind everything at a place of the picture, -1 to 1.
vec3 backdrop(vec2 place) {
    float middle = exp(-0.5 * dot(place, place));
    return background.rgb * mix(0.72, 1.12, middle);
}

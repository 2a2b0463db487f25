// Background: a studio wall with a vertical gradient that the ground fades into, or the surrounding water.
vec3 backdrop(vec3 direction) {
#ifdef UNDER_WATER
    return waterInscatter(direction);
#else
    float up = 1.0 - exp(-3.0 * max(direction.y, 0.0));
    return background.rgb * mix(vec3(1.0), wallTop.rgb, up);
#endif
}

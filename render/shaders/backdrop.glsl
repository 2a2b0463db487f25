// What is behind everything: a studio's wall, bright over the horizon and bluer upwards, into which the ground fades; or
// the water one is in.
vec3 backdrop(vec3 direction) {
#ifdef UNDER_WATER
    return waterFrom(direction);
#else
    float up = 1.0 - exp(-3.0 * max(direction.y, 0.0));
    return background.rgb * mix(vec3(1.0), vec3(0.16, 0.30, 0.52), up);
#endif
}

// What is behind everything: a studio's wall, which changes upwards and into which the ground fades; or the water that
// surrounds the camera.
vec3 backdrop(vec3 direction) {
#ifdef UNDER_WATER
    return waterFrom(direction);
#else
    float up = 1.0 - exp(-3.0 * max(direction.y, 0.0));
    return background.rgb * mix(vec3(1.0), wallTop.rgb, up);
#endif
}

// The scene behind water, for refraction: rendered without the water and without anything in front of it.
uniform sampler2D behind, behindDepth, fluidDepth;
uniform bool onlyBehindFluid;  // while that image is rendered

// Whether a fragment is in front of the water in its pixel.
bool isBeforeFluid() {
    float fluid = texelFetch(fluidDepth, ivec2(gl_FragCoord.xy), 0).r;
    return onlyBehindFluid && fluid < 1.0 && gl_FragCoord.z < fluid;
}

// Distance along the eye ray to the background, from its depth.
float distanceBehind(vec2 uv) {
    float depth = 2.0 * texture(behindDepth, uv).r - 1.0;
    float z = 2.0 * clip.x * clip.y / (clip.y + clip.x - depth * (clip.y - clip.x));
    return z * length(vec3((2.0 * uv - 1.0) * picture.zw, 1.0));
}

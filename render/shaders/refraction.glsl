// The scene behind water, for refraction: rendered without the water and without anything in front of it.
uniform sampler2D behindColor, behindDepth, fluidDepth;
uniform bool onlyBehindFluid;  // while that image is rendered

// Whether a fragment is in front of the water in its pixel.
bool isInFrontOfFluid() {
    float fluid = texelFetch(fluidDepth, ivec2(gl_FragCoord.xy), 0).r;
    return onlyBehindFluid && fluid < 1.0 && gl_FragCoord.z < fluid;
}

// Distance along the eye ray to the background, from its depth.
float distanceToBackground(vec2 uv) {
    float depth = 2.0 * texture(behindDepth, uv).r - 1.0;
    float z = 2.0 * clipRange.x * clipRange.y / (clipRange.y + clipRange.x - depth * (clipRange.y - clipRange.x));
    return z * length(vec3((2.0 * uv - 1.0) * viewport.zw, 1.0));
}

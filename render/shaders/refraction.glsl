// What lies behind water, for it to bend: drawn without the water, and without what is before it.
uniform sampler2D behind, behindDepth, fluidDepth;
uniform bool onlyBehindFluid;  // while that picture is drawn

// Whether a fragment is nearer than the water of its pixel, if that has any.
bool isBeforeFluid() {
    float fluid = texelFetch(fluidDepth, ivec2(gl_FragCoord.xy), 0).r;
    return onlyBehindFluid && fluid < 1.0 && gl_FragCoord.z < fluid;
}

// Along the eye's ray to what is behind, from its depth.
float distanceBehind(vec2 uv) {
    float depth = 2.0 * texture(behindDepth, uv).r - 1.0;
    float z = 2.0 * clip.x * clip.y / (clip.y + clip.x - depth * (clip.y - clip.x));
    return z * length(vec3((2.0 * uv - 1.0) * picture.zw, 1.0));
}

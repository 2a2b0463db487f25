// Equirectangular environment map; the middle column is -z.
uniform sampler2D panorama;

// `blur`: mip level. Explicit, because the derivatives of the coordinates jump at the seam.
vec3 panoramaAt(vec3 direction, float blur) {
    vec2 uv = vec2(0.5 + atan(direction.x, -direction.z) / 6.2831853, acos(clamp(direction.y, -1.0, 1.0)) / 3.14159265);
    return skyIrradiance[0].w * textureLod(panorama, uv, blur).rgb;
}

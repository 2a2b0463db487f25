// Copies shaded water into one MSAA sample of the scene.
uniform sampler2DMS waterSurface;
uniform sampler2D layer;  // shaded water
uniform int sampleIndex;
out vec4 result;
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    if (texelFetch(waterSurface, pixel, sampleIndex).w == 0.0) discard;
    result = texelFetch(layer, pixel, 0);
}

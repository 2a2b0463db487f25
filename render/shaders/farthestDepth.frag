// Resolves multisampled depth to the farthest sample.
uniform sampler2DMS depthSamples;
void main() {
    float depth = 0.0;
    for (int i = 0; i < 4; ++i) depth = max(depth, texelFetch(depthSamples, ivec2(gl_FragCoord.xy), i).r);
    gl_FragDepth = depth;
}

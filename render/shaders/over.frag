// Blends a layer over the scene.
uniform sampler2D fibres;
out vec4 result;
void main() { result = texelFetch(fibres, ivec2(gl_FragCoord.xy), 0); }

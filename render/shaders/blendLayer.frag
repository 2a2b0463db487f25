// Blends a layer over the scene.
uniform sampler2D layer;
out vec4 result;
void main() { result = texelFetch(layer, ivec2(gl_FragCoord.xy), 0); }

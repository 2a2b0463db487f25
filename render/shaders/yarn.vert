// Vertices of yarn tubes. FINE: tubes of a few pixels; their vertices are denser than pixels, so shadows are looked up
// per vertex: far fewer lookups than per fragment, since every small triangle shades whole 2 x 2 blocks.
#include "viewUniforms.glsl"
#ifdef FINE
#include "light.glsl"
uniform bool hardShadows;  // use a single shadow tap
out vec3 key;
#endif
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexNormal;
layout(location = 2) in vec3 vertexColor;
layout(location = 3) in vec3 vertexAround;
layout(location = 4) in float vertexPhase;
layout(location = 7) in float vertexWet;
out vec3 position, normal, color, around;
out float phase, wet;
void main() {
    position = vertex;
    normal = vertexNormal;
    color = vertexColor;
    around = vertexAround;
    phase = vertexPhase;
    wet = vertexWet;
#ifdef FINE
    key = hardShadows ? keyVisibilityHard(vertex, vertexNormal) : keyVisibility(vertex, vertexNormal);
#endif
    gl_Position = clipFromView * viewFromWorld * vec4(vertex, 1.0);
}

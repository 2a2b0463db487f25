// A tube of yarn seen by the camera. FINE: a few pixels wide at most, so that its corners lie closer together than
// pixels and shadows are looked up here: many times fewer lookups, where each small triangle costs a block of pixels.
#include "stage.glsl"
#ifdef FINE
#include "light.glsl"
uniform bool plain;  // shadows need not be soft
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
    key = plain ? shadowNear(vertex, vertexNormal) : shadowAt(vertex, vertexNormal);
#endif
    gl_Position = clipFromView * viewFromWorld * vec4(vertex, 1.0);
}

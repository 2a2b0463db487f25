// Vertices of lumislice quads. Shadows are looked up here, at the yarn's surface, because there are many overlapping
// quads.
#include "viewUniforms.glsl"
#include "light.glsl"
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertexOut;    // offset from the yarn's axis, in radii
layout(location = 2) in vec3 vertexAlong;  // tangent of the yarn
layout(location = 3) in vec3 vertexColor;
layout(location = 4) in vec2 vertexSliceUv;  // position in the slice
layout(location = 5) in float vertexDepth;
layout(location = 7) in float vertexWet;
uniform float radius;
out vec3 outward, along, color, position;
out vec2 sliceUv;
out float depth, wet;
out vec3 key;
void main() {
    position = vertex;
    outward = vertexOut;
    along = vertexAlong;
    color = vertexColor;
    sliceUv = vertexSliceUv;
    depth = vertexDepth;
    wet = vertexWet;
    vec3 n = normalize(vertexOut + 1e-6 * vertexAlong);
    key = keyVisibilityHard(vertex - radius * vertexOut + radius * n, n);
    gl_Position = clipFromView * viewFromWorld * vec4(vertex, 1.0);
}

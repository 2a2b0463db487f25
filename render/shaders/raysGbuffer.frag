// G-buffer of a ray-marched liquid.
#include "viewUniforms.glsl"
#include "rays.glsl"
uniform int id;
layout(location = 0) out vec4 normalWetness;  // see gbuffer.frag
layout(location = 1) out vec4 velocityId;
void main() {
    Ray ray = fragmentRay();
    bool eyeInside = fieldAt(pointOn(ray)) > kLevel;
    if (!marchToSurface(ray)) discard;
    vec3 position = pointOn(ray);
    setDepth(position);
    normalWetness = vec4(surfaceNormal(position) * (eyeInside ? -1.0 : 1.0), 0.0);
    velocityId = vec4(0.0, 0.0, 0.0, float(id));
}

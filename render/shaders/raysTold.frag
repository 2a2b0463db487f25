// G-buffer of a ray-marched liquid.
#include "stage.glsl"
#include "rays.glsl"
uniform int id;
layout(location = 0) out vec4 surface;  // see gbuffer.frag
layout(location = 1) out vec4 motion;
void main() {
    Ray ray = rayHere();
    bool within = fieldAt(along(ray)) > kLevel;
    if (!goOn(ray)) discard;
    vec3 place = along(ray);
    setDepth(place);
    surface = vec4(outward(place) * (within ? -1.0 : 1.0), 0.0);
    motion = vec4(0.0, 0.0, 0.0, float(id));
}

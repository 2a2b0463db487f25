// Depth of a ray-marched liquid.
#include "viewUniforms.glsl"
#include "rays.glsl"
void main() {
    Ray ray = fragmentRay();
    if (fieldAt(pointOn(ray)) <= kLevel && !marchToSurface(ray)) discard;
    setDepth(pointOn(ray));
}

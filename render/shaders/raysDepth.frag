// Depth of a ray-marched liquid.
#include "stage.glsl"
#include "rays.glsl"
void main() {
    Ray ray = rayHere();
    if (fieldAt(along(ray)) <= kLevel && !goOn(ray)) discard;
    setDepth(along(ray));
}

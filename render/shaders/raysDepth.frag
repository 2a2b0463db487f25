// How near a liquid is, by rays through its field.
#include "stage.glsl"
#include "rays.glsl"
void main() {
    Ray ray = rayHere();
    if (fieldAt(along(ray)) <= kLevel && !goOn(ray)) discard;
    setDepth(along(ray));
}

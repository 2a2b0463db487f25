#include "host/builtin/builtin.h"

namespace purl::host {

void registerSceneTypes() {
    addTransformTypes();
    addMeshTypes();
    addPolyTypes();
    addAnimTypes();
    addMathTypes();
    addRenderTypes();
}

}  // namespace purl::host

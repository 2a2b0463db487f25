#include "host/builtin/builtin.h"

namespace purl::host {

void registerSceneTypes() {
    addTransformTypes();
    addMeshTypes();
    addPolyTypes();
    addAnimTypes();
    addMathTypes();
    addRenderTypes();
    addDeformerTypes();
}

}  // namespace purl::host

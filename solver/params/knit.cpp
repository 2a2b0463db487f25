#include "solver/params/knit.h"

#include "solver/core/error.h"
#include "solver/params/checks.h"

namespace purl {

void checkKnit(const Knit& knit) {
    checkParams(knit.name, knit.params);
    if (knit.faces.empty()) throw Error(knit.name + ": mesh has no faces; connect one to inMesh");
    checkFaces(knit.name, knit.points, knit.faces);
}

}  // namespace purl

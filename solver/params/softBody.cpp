#include "solver/params/softBody.h"

#include "solver/core/error.h"
#include "solver/core/math.h"
#include "solver/params/checks.h"

namespace purl {

// Densities are handbook values: gelatine is mostly water; cellular rubber and foams have 30 to 300 kg/m³, solid rubber
// 1100, modelling clay 1700. Shape matching has no measurable moduli: the other numbers were tuned by eye, on a 30 cm
// body that falls one metre. Saved scenes store the index in this table: append new materials at the end.
const SoftMaterialTable& softMaterials() {
    using P = SoftBodyParams;
    static const SoftMaterialTable table{
        "soft material",
        {&P::density, &P::stiffness, &P::beta, &P::yieldStrain, &P::damping, &P::friction},
        {{"jelly", {1050, 0.6f, 0.6f, 0, 1, 0.2f}},
         {"sponge", {60, 0.4f, 0.3f, 0, 2, 0.7f}},
         {"rubber", {1100, 0.9f, 0, 0, 0.06f, 0.8f}},
         {"clay", {1700, 0.95f, 0, 0.05f, 2, 0.6f}},
         {"rigid", {1000, 1, 0, 0, 0.06f, 0.4f}}}};
    return table;
}

void checkSoftBody(const SoftBody& body) {
    checkParams(body.name, body.params);
    if (body.points.empty()) throw Error(body.name + ": has no points; connect a mesh to inMesh or points to inPoints");
    checkFaces(body.name, body.points, body.faces);
    checkMap(body.name, "pins", body.pins, body.points.size(), 1);
    if (!isFinite(body.dragTo)) throw Error(body.name + ": inDrag has a position that is not finite");
    if (body.faces.empty() && !(body.params.spacing > 0))
        throw Error(body.name + ": a point cloud needs a spacing above 0, the distance between its points");
}

double softShare(double stiffness, double dt, int iterations) {
    if (stiffness >= 1) return 1;
    const double s = dt * dt / (kSoftStep * kSoftStep) * stiffness / (1 - stiffness);
    return 1 - pow(1 - s / (1 + s), 1.0 / iterations);
}

}  // namespace purl

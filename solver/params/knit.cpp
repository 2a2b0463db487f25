#include "solver/params/knit.h"

#include "solver/core/error.h"
#include "solver/params/checks.h"

namespace purl {

KnitParams::KnitParams() {
    thickness = 0.0015f;
    color = {0.76f, 0.68f, 0.55f};
    density = 0.4f;
    stretchStiffness = 250;
    shearStiffness = 40;
    bendStiffness = 1e-5f;
    // Stitches are light and their springs stiff: short steps converge better than many iterations.
    maxTimeStep = 0.001f;
    iterations = 2;
    damping = 5e-4f;
    bendDamping = 0.005f;
    friction = 0.5f;
    fluidContact = FluidContact::points;
}

// Stitches per 10 cm are the Craft Yarn Council's standard weights: super fine 27 to 32, worsted 16 to 20, bulky 12 to
// 15, with four rows to three stitches; jersey is machine-knitted, with 14 wales per centimetre. Radii are as large as
// neighbouring courses permit (Güdükbay: 0.117 of a cell), thickness is 0.3 of a cell. Masses follow from common balls
// (100 g: 400 m super fine, 200 m worsted, 110 m bulky; 25 g: 210 m lace mohair) and the yarn length of a stitch. Shear
// and bending are in the range of Kawabata's KES-F measurements of weft knits (see fabrics()); stretch is the initial
// stiffness, before loops lock. Compression, twist, damping, friction and openness are estimates.
// Saved scenes store the index in this table: append new gauges at the end.
const GaugeTable& gauges() {
    using P = KnitParams;
    static const GaugeTable table{
        "gauge",
        {&P::stitchWidth, &P::stitchHeight, &P::thickness, &P::yarnRadius, &P::twist, &P::density, &P::stretchStiffness,
         &P::shearStiffness, &P::bendStiffness, &P::damping, &P::friction, &P::compressStiffness, &P::slideStiffness,
         &P::openness},
        {{"fineMerino",
          {0.0036f, 0.0027f, 0.001f, 0.00036f, 300, 0.28f, 200, 30, 5e-6f, 5e-4f, 0.45f, 15000, 200, 0.2f}},
         {"worsted", {0.0053f, 0.004f, 0.0015f, 0.00055f, 160, 0.4f, 250, 40, 1e-5f, 5e-4f, 0.5f, 20000, 200, 0.25f}},
         {"chunky", {0.0077f, 0.0057f, 0.0022f, 0.0008f, 90, 0.57f, 300, 50, 3e-5f, 6e-4f, 0.55f, 15000, 200, 0.25f}},
         {"cottonJersey",
          {0.0007f, 0.00055f, 0.0002f, 0.00007f, 800, 0.16f, 500, 50, 3e-6f, 3e-4f, 0.35f, 40000, 600, 0.15f}},
         {"acrylic", {0.0055f, 0.0042f, 0.0016f, 0.00057f, 140, 0.36f, 220, 35, 8e-6f, 5e-4f, 0.4f, 12000, 150, 0.25f}},
         {"mohair", {0.005f, 0.0039f, 0.0013f, 0.00032f, 120, 0.11f, 120, 15, 4e-6f, 7e-4f, 0.6f, 5000, 80, 0.55f}}}};
    return table;
}

void checkKnit(const Knit& knit) {
    checkParams(knit.name, knit.params);
    if (knit.faces.empty()) throw Error(knit.name + ": mesh has no faces; connect one to inMesh");
    checkFaces(knit.name, knit.points, knit.faces);
    checkMap(knit.name, "pins", knit.pins, knit.points.size(), 1);
    checkMap(knit.name, "stiffnessMap", knit.stiffnessMap, knit.points.size(), 1e6f);
    checkMap(knit.name, "massMap", knit.massMap, knit.points.size(), 1e6f);
    if (knit.params.motion != KnitMotion::simulated) return;
    if (!(knit.params.thickness > 0))
        throw Error(knit.name + ": thickness is 0; a simulated knit needs a distance between its layers");
    if (knit.params.isSolvedBy(ClothSolver::directional))
        throw Error(knit.name + ": the solver directional handles one layer only; choose xpbd for a knit");
    checkPores(knit.name, knit.pores, knit.points.size());
}

}  // namespace purl

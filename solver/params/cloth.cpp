#include "solver/params/cloth.h"

#include "solver/core/error.h"
#include "solver/params/checks.h"

namespace purl {

// Stiffness in the ranges that Kawabata's KES-F instruments measure (S. Kawabata, The Standardization and Analysis of
// Hand Evaluation, 1980): bending 0.03 gf·cm²/cm for silk to 0.8 for denim (1 gf·cm²/cm = 9.8e-5 N·m), shear 0.3 to 3
// gf/(cm·deg) (1 gf/(cm·deg) = 56 N/m), stretch 2 … 8 % at 500 gf/cm (490 N/m). Leather and rubber are plates a
// millimetre thick: stretch E t and bending E t³/12 (1 − ν²), with E of 50 and 1.5 MPa. Masses are of common weights.
const FabricTable& fabrics() {
    using P = ClothParams;
    static const FabricTable table{
        "fabric",
        {&P::density, &P::stretchStiffness, &P::shearStiffness, &P::bendStiffness, &P::damping, &P::friction},
        {{"silk", {0.06f, 5000, 17, 3e-6f, 0.001f, 0.2f}},
         {"cotton", {0.15f, 8000, 56, 7e-6f, 0.002f, 0.35f}},
         {"wool", {0.22f, 6000, 34, 1.2e-5f, 0.004f, 0.4f}},
         {"denim", {0.4f, 15000, 170, 8e-5f, 0.003f, 0.5f}},
         {"leather", {0.9f, 50000, 8000, 4.6e-3f, 0.005f, 0.5f}},
         {"rubber", {1.1f, 1500, 500, 1.7e-4f, 0.005f, 0.9f}}}};
    return table;
}

void checkCloth(const Cloth& cloth) {
    const size_t points = cloth.points.size();
    checkParams(cloth.name, cloth.params);
    if (cloth.faces.empty()) throw Error(cloth.name + ": mesh has no faces; connect one to inMesh");
    checkFaces(cloth.name, cloth.points, cloth.faces);
    checkMap(cloth.name, "pins", cloth.pins, points, 1);
    checkMap(cloth.name, "stiffnessMap", cloth.stiffnessMap, points, 1e6f);
    checkMap(cloth.name, "massMap", cloth.massMap, points, 1e6f);
}

}  // namespace purl

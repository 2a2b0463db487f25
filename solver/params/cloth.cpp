#include "solver/params/cloth.h"

#include <cstddef>

#include "solver/core/error.h"
#include "solver/params/checks.h"

namespace purl {

// Bending is calibrated: B is chosen so that Cusick's drape test (30 cm sample on an 18 cm disc), simulated with
// converged xpbd, gives a drape coefficient in the published range. c = (B/ρg)^⅓ is the resulting bending length.
//     silk    39 %, published 20 to 40 % (Matsudaira and Yang, Text. Res. J. 73, 2003); c = 1.3 cm
//     cotton  63 %, published 68 % for one plain weave (Gan, Ly and Steven, J. Text. Inst. 82, 1991); c = 2.4 cm
//     wool    45 %, commonly 40 to 70 % for worsted; c = 1.8 cm
//     denim   74 %, commonly 70 to 90 %; c = 2.9 cm. Measured for 11 oz/yd²: B = 6.4e-5 N·m at 0.324 kg/m², c = 2.7 cm
//             (Wang, O'Brien and Ramamoorthi, SIGGRAPH 2011)
// Shear of 0.3, 1, 0.6 and 3 gf/(cm·deg) (1 gf/(cm·deg) = 56 N/m) and stretch of 3 to 10 % at 500 gf/cm (490 N/m) are
// in the range of Kawabata's KES-F measurements (The Standardization and Analysis of Hand Evaluation, 2nd edition,
// Osaka 1980). Leather and rubber are plates of 1 mm with E = 50 and 1.5 MPa, ν = 0.3 and 0.5: stretch E t, shear E
// t/2(1 + ν), bending E t³/12(1 − ν²). Damping and friction are estimates. Saved scenes store the index in this table:
// append new fabrics at the end.
const FabricTable& fabrics() {
    using P = ClothParams;
    static const FabricTable table{
        "fabric",
        {&P::density, &P::stretchStiffness, &P::shearStiffness, &P::bendStiffness, &P::damping, &P::friction},
        {{"silk", {0.06f, 5000, 17, 1.2e-6f, 0.001f, 0.25f}},
         {"cotton", {0.15f, 8000, 56, 2e-5f, 0.002f, 0.4f}},
         {"wool", {0.22f, 6000, 34, 1.2e-5f, 0.004f, 0.4f}},
         {"denim", {0.4f, 15000, 170, 1e-4f, 0.003f, 0.5f}},
         {"leather", {0.9f, 50000, 19000, 4.6e-3f, 0.005f, 0.5f}},
         {"rubber", {1.1f, 1500, 500, 1.7e-4f, 0.005f, 0.9f}}}};
    return table;
}

Faces Cloth::facesOfLayer() const {
    if (layers.count == 1) return faces;
    const auto count = static_cast<std::ptrdiff_t>(layers.count);
    Faces one;
    const auto firstOf = [&](const Channel<int>& all) {
        return std::vector<int>(all.begin(), all.begin() + std::ptrdiff_t(all.size()) / count);
    };
    one.counts = firstOf(faces.counts);
    one.corners = firstOf(faces.corners);
    return one;
}

void checkCloth(const Cloth& cloth) {
    const size_t points = cloth.points.size();
    checkParams(cloth.name, cloth.params);
    if (cloth.faces.empty()) throw Error(cloth.name + ": mesh has no faces; connect one to inMesh");
    checkFaces(cloth.name, cloth.points, cloth.faces);
    checkMap(cloth.name, "pins", cloth.pins, points, 1);
    checkMap(cloth.name, "stiffnessMap", cloth.stiffnessMap, points, 1e6f);
    checkMap(cloth.name, "massMap", cloth.massMap, points, 1e6f);
    checkPores(cloth.name, cloth.pores, points);
    for (const int v : cloth.attachedVertices)
        if (v < 0 || v >= static_cast<int>(points))
            throw Error(cloth.name + ": attachedVertices names vertex " + std::to_string(v) + " of " +
                        std::to_string(points));
}

}  // namespace purl

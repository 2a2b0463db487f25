// Small cloths for tests.
#pragma once
#include <functional>
#include <string>

#include "solver/cloth/fabric.h"
#include "solver/simulator.h"

namespace purl::test {

// A standard solver of cloth, or a reference one in its place.
struct SolverChoice {
    ClothSolver solver = ClothSolver::xpbd;
    ReferenceClothSolver reference = ReferenceClothSolver::none;

    constexpr SolverChoice(ClothSolver one) : solver(one) {}
    constexpr SolverChoice(ReferenceClothSolver one) : reference(one) {}
    void applyTo(ClothParams& params) const {
        params.solver = solver;
        params.reference.solver = reference;
    }
    std::string name() const {
        return reference == ReferenceClothSolver::none ? choicesOf(solver)[static_cast<size_t>(solver)]
                                                       : choicesOf(reference)[static_cast<size_t>(reference)];
    }
};
constexpr SolverChoice kEverySolver[] = {ClothSolver::xpbd,
                                         ClothSolver::implicitEuler,
                                         ReferenceClothSolver::precomputedFilter,
                                         ReferenceClothSolver::neighborEstimate,
                                         ClothSolver::velocityVerlet,
                                         ClothSolver::directional};

// A rectangle of nx × ny points in quads (or pairs of triangles), spanned from `corner` by `across` and `along`, m.
inline Cloth gridCloth(int nx, int ny, Vec3 corner, Vec3 across, Vec3 along, bool triangles = false) {
    Cloth cloth;
    cloth.name = "cloth";
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            cloth.points.push_back(corner + float(i) / float(nx - 1) * across + float(j) / float(ny - 1) * along);
    for (int j = 0; j + 1 < ny; ++j)
        for (int i = 0; i + 1 < nx; ++i) {
            const int a = j * nx + i, b = a + 1, c = a + nx + 1, d = a + nx;
            if (!triangles) {
                cloth.faces.counts.push_back(4);
                cloth.faces.corners.insert(cloth.faces.corners.end(), {a, b, c, d});
            } else {
                cloth.faces.counts.insert(cloth.faces.counts.end(), {3, 3});
                cloth.faces.corners.insert(cloth.faces.corners.end(), {a, b, c, a, c, d});
            }
        }
    return cloth;
}

// A horizontal square of n × n points with this edge, m.
inline Cloth levelCloth(int n, float edge, Vec3 center = {}) {
    return gridCloth(n, n, center - Vec3{0.5f * edge, 0, 0.5f * edge}, {0, 0, edge}, {edge, 0, 0});
}

// No air, no damping: pure mechanics.
inline Cloth& inVacuum(Cloth& cloth) {
    cloth.params.airDrag = cloth.params.windDrag = 0;
    cloth.params.damping = cloth.params.bendDamping = 0;
    return cloth;
}

inline void pin(Cloth& cloth, const std::function<bool(Vec3)>& where) {
    cloth.pins.resize(cloth.points.size());
    for (size_t i = 0; i < cloth.points.size(); ++i)
        if (where(cloth.points[i])) cloth.pins[i] = 1;
}

inline Scene sceneOf(const Cloth& cloth) {
    Scene scene;
    scene.cloths.push_back(cloth);
    return scene;
}

// Advances frame by frame to `time`, s.
inline const Frame& play(Simulator& simulator, const Scene& scene, double time, double fps = 24) {
    const int first = static_cast<int>(simulator.state().time * fps + 0.5);
    for (int frame = first + 1; frame <= static_cast<int>(time * fps + 0.5); ++frame)
        simulator.advanceTo(scene, frame / fps);
    return simulator.frame();
}

inline Fabric fabricOf(const Cloth& cloth) {
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    return fabric;
}

}  // namespace purl::test

// Small scenes of water and fabrics, and their mass balance.
#pragma once
#include <cmath>
#include <string>

#include "solver/simulator.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/meshes.h"

namespace purl::test {

constexpr float kSpacing = 0.005f;  // m, of fluid particles

inline Fluid water(const std::string& name = "water") {
    Fluid fluid;
    fluid.name = name;
    fluid.params.restDensity = 1000;
    fluid.params.particleSpacing = kSpacing;
    return fluid;
}

// A horizontal swatch, pinned at its border, and above it a block of water n particles wide.
inline Scene dropOnSwatch(int n, float edge = 0.2f, int points = 41) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.fluids.push_back(water());
    const float half = 0.5f * static_cast<float>(n) * kSpacing;
    scene.fluids[0].volumes.push_back(boxMesh({-half, 0.005f, -half}, {half, 0.005f + 2 * half, half}));
    Cloth swatch = levelCloth(points, edge);
    swatch.params.thickness = 0.002f;
    swatch.pores.params.absorption = Absorption::soak;
    pin(swatch, [&](Vec3 p) { return std::max(std::fabs(p.x), std::fabs(p.z)) > 0.499f * edge; });
    scene.cloths.push_back(swatch);
    return scene;
}

// A cloth that hangs from its upper edge, fully wet, and a fluid that it may drip as.
inline Scene wetTowel(int nx = 11, int ny = 21, float width = 0.1f, float height = 0.2f) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::pbf;
    scene.fluids.push_back(water());
    Cloth towel = gridCloth(nx, ny, {}, {width, 0, 0}, {0, height, 0});
    towel.params.thickness = 0.002f;
    towel.pores.params.absorption = Absorption::soak;
    towel.pores.params.startWetness = 1;
    pin(towel, [&](Vec3 p) { return p.y > 0.999f * height; });
    scene.cloths.push_back(towel);
    return scene;
}

// A box that holds water, with frictionless walls.
inline Collider trayOf(Vec3 low, Vec3 high) {
    Collider tray;
    tray.name = "tray";
    tray.params.shape = ColliderShape::box;
    tray.params.container = true;
    tray.params.friction = 0;
    tray.params.halfSize = 0.5f * (high - low);
    tray.pose.position = 0.5f * (high + low);
    return tray;
}

// kg. All the water there is, less what was supplied: constant.
inline double bookOf(const Frame& frame) {
    const FrameStats& stats = frame.stats;
    return stats.liquidMass + stats.fabricMass + stats.evaporatedMass + stats.drainedMass - stats.suppliedMass;
}

}  // namespace purl::test

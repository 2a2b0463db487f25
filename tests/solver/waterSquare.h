// A square of 900 water particles in the plane, falling in a box twice as wide, by pbf: the scene of Lup 2015.
#pragma once
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl::test {

constexpr float kSquareSpacing = 0.02f;  // m

// There a spacing is 6 units long and gravity is 100 units/s².
inline Scene waterSquare() {
    Scene scene;
    scene.solver.dimensions = 2;
    scene.solver.pressureSolver = PressureSolver::pbf;
    scene.solver.gravity = 100.0f / 6 * kSquareSpacing;
    scene.solver.cfl = 0;
    scene.solver.maxTimeStep = 1.0f / 60;
    scene.fluids.push_back(dampedWater("water"));
    FluidParams& water = scene.fluids[0].params;
    water.particleSpacing = kSquareSpacing;
    water.viscosity = water.surfaceTension = 0;
    const float side = 30 * kSquareSpacing;
    scene.fluids[0].volumes.push_back(boxMesh({0, 0, -0.5f}, {side, side, 0.5f}));
    scene.colliders.push_back(boxCollider({0, 0, -1}, {2 * side, 2 * side, 1}));
    return scene;
}

}  // namespace purl::test

#include "solver/fluid/boundaryForces.h"

#include <gtest/gtest.h>

#include "solver/fluid/boundaryPressure.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// A sheet of fluid on the floor of a box.
Scene sheetOnFloor() {
    Scene scene = test::wcsphScene();
    Fluid water = test::dampedWater("water");
    water.volumes = {boxMesh({-0.1f, 0.01f, -0.1f}, {0.1f, 0.07f, 0.1f})};
    scene.fluids = {water};
    Collider box = test::boxCollider({-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f});
    box.params.boundary = WallModel::particles;
    box.params.friction = 0;
    scene.colliders = {box};
    scene.solver.maxTimeStep = 0.001f;
    return scene;
}

// The wall that a fluid sees, as wcsph's particles measure it: a floor at 0 under a block of 6 × 3 × 6 particles that
// is dense enough to press, `gap` above it.
struct OnFloor {
    float density = 0, pressure = 0, push = 0;  // kg/m³, Pa and m/s² upward, of a particle in the middle of the floor

    OnFloor(float gap, bool seen) {
        constexpr float kSpacing = 0.018f;
        Scene scene = sheetOnFloor();
        test::Measured measured(scene, test::lattice(6, 3, 6, kSpacing, {0, gap - 0.5f * kSpacing, 0}));
        const Poly6 poly6(measured.materials.searchRadius);
        Boundary walls(test::oneThread());
        walls.prepare(StepColliders(scene), measured.materials.spacing,
                      BoundaryKernel(measured.materials.searchRadius,
                                     [&](double r) { return poly6(static_cast<float>(r * r)); }));
        walls.moveTo(StepColliders(scene), 1, 1, 0);
        walls.findNeighbors(measured.particles.x);
        const int middle = 2 + 6 * (0 + 3 * 2);
        if (seen) addBoundaryDensity(measured.particles, walls, measured.materials, measured.volume);
        const float before = measured.a(middle).y;
        if (seen) addBoundaryPressure(measured.particles, walls, measured.materials);
        density = measured.particles.density[middle];
        pressure = measured.particles.pressure[middle];
        push = measured.a(middle).y - before;
    }
};

// B-59 B-60. The nearer, the denser, the harder it presses and the harder the wall pushes back, up to where it is out
// of reach; not seen by the density it would press the same at any distance.
TEST(BoundaryForces, seenWallsPressTheMoreTheNearer) {
    const float h = static_cast<float>(supportRadius(sheetOnFloor().fluids[0].params));
    OnFloor last(0.1f * h, true);
    EXPECT_GT(last.push, 0);
    for (const float gap : {0.2f, 0.3f, 0.4f, 0.5f, 0.6f}) {
        const OnFloor now(gap * h, true), blind(gap * h, false);
        EXPECT_LT(now.density, last.density) << gap;
        EXPECT_LT(now.pressure, last.pressure) << gap;
        if (now.pressure > 0) {
            EXPECT_GT(now.push, 0) << gap;
            EXPECT_LT(now.push, last.push) << gap;
        }
        EXPECT_NEAR(blind.density, OnFloor(0.1f * h, false).density, 1e-5f * blind.density) << gap;
        last = now;
    }
    EXPECT_EQ(OnFloor(1.01f * h, true).push, 0);
    EXPECT_EQ(OnFloor(1.01f * h, true).density, OnFloor(1.01f * h, false).density);
}

// B-65's law: pulled as strongly as the wall's pressure pushes, a particle feels nothing of the wall.
TEST(BoundaryForces, fullAdhesionCancelsTheWallsPressure) {
    Scene scene = sheetOnFloor();
    scene.fluids[0].params.restDensity = 900;
    const std::vector<Vec3> points = test::lattice(6, 3, 6, 0.018f);
    test::Measured measured(scene, points);
    Boundary walls(test::oneThread());
    const Poly6 poly6(measured.materials.searchRadius);
    const BoundaryKernel kernel(measured.materials.searchRadius,
                                [&](double r) { return poly6(static_cast<float>(r * r)); });
    walls.prepare(StepColliders(scene), measured.materials.spacing, kernel);
    walls.moveTo(StepColliders(scene), 1, 1, 0);
    walls.findNeighbors(measured.particles.x);
    addBoundaryDensity(measured.particles, walls, measured.materials, measured.volume);
    const Buffer<Vec3> before = measured.particles.a;
    addBoundaryPressure(measured.particles, walls, measured.materials);
    float pushed = 0, left = 0;
    for (int i = 0; i < measured.count(); ++i) pushed = std::max(pushed, length(measured.a(i) - before[i]));
    addBoundaryAdhesion(measured.particles, walls, measured.materials, 1);
    for (int i = 0; i < measured.count(); ++i) left = std::max(left, length(measured.a(i) - before[i]));
    EXPECT_GT(pushed, 1);
    EXPECT_LT(left, 1e-4f * pushed);
}

}  // namespace
}  // namespace purl

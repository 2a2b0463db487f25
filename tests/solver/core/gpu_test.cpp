// The GPU computes what the CPU computes. Skipped if the build has no GPU code, or the machine no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/core/error.h"
#include "solver/search/neighbors.h"
#include "solver/simulator.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

class Gpu : public testing::Test {
  protected:
    void SetUp() override {
        try {
            gpu = Device::cuda();
        } catch (const Error& error) { GTEST_SKIP() << error.what(); }
    }

    // The frame after this many steps of a millisecond.
    Frame play(const Device& device, const Scene& scene, int steps) const {
        Simulator simulator(device);
        simulator.reset(scene);
        for (int i = 1; i <= steps; ++i) simulator.advanceTo(scene, 0.001 * i);
        return simulator.frame();
    }

    std::optional<Device> gpu;
};

// B-103. Order, runs and lists are integers: they are equal, not approximately equal.
TEST_F(Gpu, sortsAndSearchesAsTheCpuDoes) {
    const std::vector<Vec3> points = test::jittered(test::lattice(20, 20, 20, 0.02f), 0.008f);
    const auto found = [&](const Device& device) {
        Buffer<Vec3> x(device, static_cast<int>(points.size()));
        std::copy(points.begin(), points.end(), x.begin());
        CellGrid grid(device);
        grid.sort(x, Neighbors::cellSize(0.05f));
        Neighbors neighbors(device);
        neighbors.build(x, 0.05f);
        device.synchronize();
        std::vector<int> all(grid.order().begin(), grid.order().end());
        for (int i = 0; i < neighbors.count(); ++i) {
            all.push_back(neighbors.view().count(i));
            all.insert(all.end(), neighbors.view().begin(i), neighbors.view().end(i));
        }
        return all;
    };
    EXPECT_EQ(found(*gpu), found(Device::cpu(1)));
}

// B-109. A dam break of a hundred steps: rounding differs, and the difference grows a little.
TEST_F(Gpu, damBreaksAsOnTheCpu) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene;
        scene.solver.pressureSolver = solver;
        scene.fluids.push_back(test::dampedWater("water"));
        scene.fluids[0].volumes.push_back(boxMesh({}, {0.2f, 0.4f, 0.2f}));
        scene.colliders.push_back(test::boxCollider({}, {0.6f, 0.8f, 0.2f}));
        const Frame one = play(Device::cpu(1), scene, 100), other = play(*gpu, scene, 100);
        ASSERT_EQ(one.points.ids, other.points.ids);
        double sum = 0;
        for (size_t i = 0; i < one.points.count(); ++i)
            sum += double(lengthSquared(one.points.positions[i] - other.points.positions[i]));
        const double h = supportRadius(scene, scene.fluids[0].params);
        EXPECT_LT(std::sqrt(sum / double(one.points.count())), 1e-3 * h)
            << choicesOf(solver)[static_cast<size_t>(solver)];
    }
}

// G-37. Water on a hanging knit that absorbs it, ten steps.
TEST_F(Gpu, wetsAKnitAsOnTheCpu) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    const Cloth plane = test::gridCloth(9, 9, {0, -0.064f, 0}, {0.08f, 0, 0}, {0, 0.064f, 0});
    Knit knit;
    knit.name = "knit";
    knit.points = plane.points;
    knit.faces = plane.faces;
    knit.params.motion = KnitMotion::simulated;
    for (const Vec3 p : knit.points) knit.pins.push_back(p.y > -1e-6f ? 1.0f : 0.0f);
    scene.knits.push_back(knit);
    scene.fluids.push_back(test::dampedWater("water"));
    scene.fluids[0].params.particleSpacing = 0.005f;
    scene.fluids[0].params.startVelocity = {0, 0, -1.5f};
    scene.fluids[0].volumes.push_back(boxMesh({0.02f, -0.05f, 0.01f}, {0.06f, -0.01f, 0.05f}));
    const Frame one = play(Device::cpu(1), scene, 10), other = play(*gpu, scene, 10);
    const auto h = static_cast<float>(supportRadius(scene, scene.fluids[0].params));
    const auto expectNear = [&](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
        ASSERT_EQ(a.size(), b.size());
        for (size_t i = 0; i < a.size(); ++i) ASSERT_LT(length(a[i] - b[i]), 1e-4f * h) << i;
    };
    expectNear(one.points.positions, other.points.positions);
    expectNear(one.curves[0].positions, other.curves[0].positions);
}

}  // namespace
}  // namespace purl

// A GPU and its rehearsal compute what the CPU computes. The GPU is skipped if the build has no code for it, or the
// machine has none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/core/error.h"
#include "solver/core/hostView.h"
#include "solver/search/neighbors.h"
#include "solver/simulator.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

class Gpu : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        try {
            gpu = Device::named(GetParam(), 1);
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
TEST_P(Gpu, sortsAndSearchesAsTheCpuDoes) {
    const std::vector<Vec3> points = test::jittered(test::lattice(20, 20, 20, 0.02f), 0.008f);
    const auto found = [&](const Device& device) {
        Buffer<Vec3> x(device);
        upload(x, points);
        CellGrid grid(device);
        grid.sort(x, Neighbors::cellSize(0.05f));
        Neighbors neighbors(device);
        neighbors.build(x, 0.05f);
        const auto copied = [&](const int* from, int count) {
            std::vector<int> values(static_cast<size_t>(count));
            device.download(values.data(), from, sizeof(int) * values.size());
            return values;
        };
        const Neighbors::View view = neighbors.view();
        const std::vector<int> counts = copied(view.counts, neighbors.count()),
                               starts = copied(view.starts, neighbors.count()),
                               indices = copied(view.indices, neighbors.listSize());
        const HostReader<int> order = readOnHost(grid.order());
        std::vector<int> all(order.begin(), order.end());
        for (size_t i = 0; i < counts.size(); ++i) {
            all.push_back(counts[i]);
            all.insert(all.end(), indices.begin() + starts[i], indices.begin() + starts[i] + counts[i]);
        }
        return all;
    };
    EXPECT_EQ(found(*gpu), found(Device::cpu(1)));
}

// B-109. A dam break of a hundred steps: rounding differs, and the difference grows a little. The rehearsal, which
// takes longer, does fewer; tests/solver/rehearsal_test.cpp compares its bits.
TEST_P(Gpu, damBreaksAsOnTheCpu) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene;
        scene.solver.pressureSolver = solver;
        scene.fluids.push_back(test::dampedWater("water"));
        scene.fluids[0].volumes.push_back(boxMesh({}, {0.2f, 0.4f, 0.2f}));
        scene.colliders.push_back(test::boxCollider({}, {0.6f, 0.8f, 0.2f}));
        const int steps = gpu->isCuda() ? 100 : 10;
        const Frame one = play(Device::cpu(1), scene, steps), other = play(*gpu, scene, steps);
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
TEST_P(Gpu, wetsAKnitAsOnTheCpu) {
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

INSTANTIATE_TEST_SUITE_P(Devices, Gpu, testing::Values("cuda", "rehearsal"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace purl

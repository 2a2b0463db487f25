#include "solver/reference/approximateImplicit.h"

#include <gtest/gtest.h>

#include "solver/cloth/implicit.h"
#include "solver/core/random.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

// B-100: from an unstretched state the solvers differ only in the stiffness across springs, which does not matter for a
// strip moving along itself.
TEST(ClothIntegration, precomputedFilterMatchesImplicitEulerAlongAStrip) {
    Cloth cloth = test::gridCloth(2, 12, {}, {0.01f, 0, 0}, {0, 0.11f, 0});
    test::inVacuum(cloth).params.stretchStiffness = 300;
    cloth.params.shearStiffness = cloth.params.bendStiffness = 0;
    const Fabric fabric = test::fabricOf(cloth);
    std::vector<Vec3> x = cloth.points, exact(x.size()), filtered;
    for (size_t i = 0; i < x.size(); ++i) exact[i].y = randomUnit(9, i / 2);
    filtered = exact;
    ImplicitEuler implicit(oneThread());
    implicit.solve(fabric, 0.01f, 1e-7f, x.data(), exact.data());
    PrecomputedFilter filter(oneThread());
    filter.solve(fabric, 0.01f, x.data(), filtered.data());
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(filtered[i].y, exact[i].y, 1e-5);
    // Factored only once while nothing changes.
    for (int step = 0; step < 3; ++step) filter.solve(fabric, 0.01f, x.data(), filtered.data());
    EXPECT_EQ(filter.factored(), 1);
    filter.solve(fabric, 0.02f, x.data(), filtered.data());
    EXPECT_EQ(filter.factored(), 2);
}

// B-101: a chain of twenty points comes to rest at any stiffness.
TEST(ClothIntegration, neighborEstimateSettlesAtAnyStiffness) {
    for (const double stiffness : {0.1, 1.0, 10.0, 1e2, 1e3, 1e4}) {
        Cloth cloth = test::gridCloth(2, 20, {}, {0.05f, 0, 0}, {0.95f * 0.05f, 0.95f, 0});
        test::inVacuum(cloth).params.reference.solver = ReferenceClothSolver::neighborEstimate;
        cloth.params.maxTimeStep = 0.01f;
        cloth.params.shearStiffness = cloth.params.bendStiffness = 0;
        const double mass = double(cloth.params.density) * 0.05 * 0.05 / 2;
        cloth.params.stretchStiffness = static_cast<float>(stiffness * mass / 1e-4);
        test::pin(cloth, [](Vec3 p) { return p.y < 0.01f; });
        Scene scene = test::sceneOf(cloth);
        scene.solver.gravity = 0;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        State state = simulator.state();
        for (int i = 2; i < state.cloth.count(); ++i)
            for (int k = 0; k < 3; ++k)
                state.cloth.v[i][k] = 0.1f * (randomUnit(11, static_cast<uint64_t>(3 * i + k)) - 0.5f);
        simulator.restore(state, scene);
        test::play(simulator, scene, 20);
        double most = 0;
        for (const Vec3& speed : simulator.state().cloth.v) most = std::max(most, double(length(speed)));
        EXPECT_LT(most, 0.06) << stiffness;
    }
}

}  // namespace
}  // namespace purl

#include "solver/cloth/xpbd.h"

#include <gtest/gtest.h>

#include "solver/core/random.h"
#include "tests/solver/cloth/cloths.h"

namespace purl {
namespace {

// A deformed cloth: pinned at an edge, curved at rest, with or without damping, with element counts that are no
// multiples of eight.
struct Crumpled {
    Cloth cloth;
    Fabric fabric;
    std::vector<Vec3> before, x;

    // `across`: points per row; long rows are solved in runs. `uniform`: flat at rest, with equal spring lengths.
    Crumpled(bool triangles, float damping, int threads = 1, int across = 23, bool uniform = false)
        : fabric(Device::cpu(threads)) {
        cloth = test::gridCloth(across, 17, {}, {0.5f, 0, 0}, {0, 0, 0.4f}, triangles);
        for (size_t i = 0; i < cloth.points.size() && !uniform; ++i) cloth.points[i].y = 0.02f * randomUnit(1, i);
        cloth.params.damping = cloth.params.bendDamping = damping;
        cloth.params.bendStiffness = 1e-3f;
        test::pin(cloth, [](Vec3 p) { return p.x < 0.01f; });
        fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
        before = cloth.points;
        x = before;
        for (size_t i = 0; i < x.size(); ++i)
            if (fabric.inverseMass[static_cast<int>(i)] > 0)
                for (int k = 0; k < 3; ++k) x[i][k] += 0.005f * (randomUnit(2, 3 * i + static_cast<size_t>(k)) - 0.5f);
    }
};

TEST(Xpbd, lanesHaveTheSameBitsAsOneElementAtATime) {
    for (const bool triangles : {false, true})
        for (const float damping : {0.0f, 0.003f})
            for (const int across : {5, 23, 70})
                for (const bool uniform : {false, true}) {
                    Crumpled together(triangles, damping, 1, across, uniform), alone = together;
                    Xpbd one(Device::cpu(1)), other(Device::cpu(1));
                    one.solve(together.fabric, 0.004f, 6, together.before.data(), together.x.data());
                    other.solveByElement(alone.fabric, 0.004f, 6, alone.before.data(), alone.x.data());
                    ASSERT_EQ(together.x, alone.x) << across << uniform << triangles;
                    ASSERT_NE(together.x, Crumpled(triangles, damping, 1, across, uniform).x);
                }
    EXPECT_TRUE(Crumpled(false, 0, 1, 70).fabric.mostlyInRuns());
    EXPECT_FALSE(Crumpled(true, 0, 1, 5).fabric.mostlyInRuns());
}

TEST(Xpbd, hasTheSameBitsForAnyNumberOfThreads) {
    for (const int across : {23, 70}) {
        Crumpled first(false, 0.001f, 1, across);
        Xpbd xpbd(Device::cpu(1));
        xpbd.solve(first.fabric, 0.004f, 4, first.before.data(), first.x.data());
        for (const int threads : {2, 3}) {
            Crumpled other(false, 0.001f, threads, across);
            Xpbd own(Device::cpu(threads));
            own.solve(other.fabric, 0.004f, 4, other.before.data(), other.x.data());
            EXPECT_EQ(other.x, first.x);
        }
    }
}

TEST(Xpbd, conservesMomentum) {
    Crumpled crumpled(false, 0.002f);
    crumpled.cloth.pins.clear();
    crumpled.fabric.set(crumpled.cloth, {crumpled.cloth.points.data(), static_cast<int>(crumpled.cloth.points.size())});
    const auto momentum = [&] {
        double sum[3] = {};
        for (size_t i = 0; i < crumpled.x.size(); ++i)
            for (int k = 0; k < 3; ++k)
                sum[k] += double(crumpled.x[i][k] - crumpled.before[i][k]) /
                          double(crumpled.fabric.inverseMass[static_cast<int>(i)]);
        return Vec3{float(sum[0]), float(sum[1]), float(sum[2])};
    };
    const Vec3 start = momentum();
    Xpbd xpbd(Device::cpu(1));
    xpbd.solve(crumpled.fabric, 0.004f, 10, crumpled.before.data(), crumpled.x.data());
    // 0.03 kg moved by millimetres: rounding is a millionth of that.
    EXPECT_NEAR(length(momentum() - start), 0, 1e-9);
}

// L-06: springs exert no torque. Corrections of one pass act along their springs, so Σ x × m Δx is conserved. Without
// folds: their corrections do not act along the lines between points, and cause a torque of the order of the motion.
TEST(Xpbd, springsConserveAngularMomentum) {
    Crumpled crumpled(false, 0);
    crumpled.cloth.pins.clear();
    crumpled.cloth.params.bendStiffness = 0;
    crumpled.fabric.set(crumpled.cloth, {crumpled.cloth.points.data(), static_cast<int>(crumpled.cloth.points.size())});
    const std::vector<Vec3> start = crumpled.x;
    Xpbd xpbd(Device::cpu(1));
    xpbd.solve(crumpled.fabric, 0.004f, 1, crumpled.before.data(), crumpled.x.data());
    double turn[3] = {}, moved = 0;
    for (size_t i = 0; i < start.size(); ++i) {
        const Vec3 step = crumpled.x[i] - start[i], spin = cross(crumpled.x[i], step);
        const double mass = 1 / double(crumpled.fabric.inverseMass[static_cast<int>(i)]);
        for (int k = 0; k < 3; ++k) turn[k] += mass * double(spin[k]);
        moved += mass * double(length(step));
    }
    // Later springs of a pass see points moved by earlier ones: a thousandth of the total.
    for (const double of : turn) EXPECT_NEAR(of, 0, 2e-3 * moved);
}

}  // namespace
}  // namespace purl

// Water by a state equation: soft water is compressed by its weight and never calms down, stiff water keeps its volume.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/fluidRuns.h"

namespace purl {
namespace {

using namespace test;

struct DamBreak {
    double peakSpeed = 0, wallTime = 0, runUp = 0, energyAt4 = 0, meanCompression = 0, maxCompression = 0;
    double furthestOut = 0;  // m, beyond the box
    size_t least = 1000000, most = 0;
};

DamBreak damBreak(const std::string& preset, double until) {
    Scene scene = sceneOf(preset);
    const float s = spacingOf(scene);
    const Vec3 size = s * Vec3{45, 10, 60};
    scene.colliders.push_back(boxCollider({}, size));
    if (preset == "nearIncompressibleWater") scene.solver.maxTimeStep = 0.001f;
    DamBreak result;
    playFrom(scene, lattice(15, 10, 15, s), until, [&](const Frame& frame) {
        result.peakSpeed = std::max(result.peakSpeed, frame.stats.maxSpeed);
        result.least = std::min(result.least, frame.points.count());
        result.most = std::max(result.most, frame.points.count());
        if (result.wallTime == 0 && percentile(frame, 0, 0.99) > size.x - s) result.wallTime = frame.time;
        for (const Vec3 x : frame.points.positions) {
            if (x.x > size.x - s) result.runUp = std::max<double>(result.runUp, x.z);
            for (int axis = 0; axis < 3; ++axis)
                result.furthestOut = std::max<double>({result.furthestOut, -x[axis], x[axis] - size[axis]});
        }
        if (frame.time < 4.005) result.energyAt4 = frame.stats.kineticEnergy;
        result.meanCompression = frame.stats.meanCompression;
        result.maxCompression = frame.stats.maxCompression;
    });
    return result;
}

// K-45 K-57 K-59 K-62 K-63
TEST(DamBreak, ofWaterRunsUpTheWallAndOfMucusIsCalmer) {
    const DamBreak water = damBreak("water", 6);
    EXPECT_LT(water.peakSpeed, 6);
    EXPECT_GT(water.wallTime, 0.4);
    EXPECT_LT(water.wallTime, 0.7);
    EXPECT_GT(water.runUp, 0.3);
    EXPECT_LT(water.runUp, 0.5);
    EXPECT_LT(water.energyAt4, 1);
    EXPECT_GT(water.meanCompression, 1.1);  // soft water gives way
    EXPECT_LE(water.furthestOut, 1e-6);
    EXPECT_EQ(water.least, 2250u);
    EXPECT_EQ(water.most, 2250u);

    const DamBreak mucus = damBreak("mucus", 3);
    const float waterSpacing = fluidPreset("water").particleSpacing,
                mucusSpacing = fluidPreset("mucus").particleSpacing;
    EXPECT_LT(mucus.peakSpeed, water.peakSpeed);
    EXPECT_LT(mucus.runUp / mucusSpacing, water.runUp / waterSpacing);
    EXPECT_GT(mucus.wallTime / std::sqrt(mucusSpacing), water.wallTime / std::sqrt(waterSpacing));
    EXPECT_LE(mucus.furthestOut, 1e-6);
}

// K-27 K-59
TEST(DamBreak, ofStiffWaterKeepsItsVolume) {
    const DamBreak stiff = damBreak("nearIncompressibleWater", 6);
    EXPECT_LT(stiff.meanCompression, 1.02);
    EXPECT_LT(stiff.maxCompression, 1.05);
}

// K-68. The pillar: soft water in a tall narrow box never calms, the report's own finding; stiff water calms down from
// the bottom up, long before the ten seconds that soft water is given.
TEST(Pillar, calmsOnlyWhenStiff) {
    const auto energyAfter = [](const std::string& preset, double time) {
        Scene scene = sceneOf(preset);
        const float s = spacingOf(scene);
        if (preset == "nearIncompressibleWater") scene.solver.maxTimeStep = 0.001f;
        scene.colliders.push_back(boxCollider({}, s * Vec3{10, 11, 80}));
        return playFrom(scene, lattice(10, 11, 40, s), time).frame().stats.kineticEnergy;
    };
    EXPECT_GT(energyAfter("water", 10), 5);
    EXPECT_LT(energyAfter("nearIncompressibleWater", 2), 0.5);
}

// K-69. 5000 particles in the same capsule: lying they stand less deep, so they are less compressed and fill more of
// it.
TEST(Capsule, isFullerLyingThanStanding) {
    struct Fill {
        double volume, neighbours;
    };
    const auto fill = [](bool lying) {
        Scene scene = sceneOf("water");
        const float s = spacingOf(scene);
        scene.colliders.push_back(capsuleAlongZ({}, 0.3f, 0.25f));
        std::vector<Vec3> points = lattice(12, 12, 35, s, s * Vec3{-6, -6, -17.5f});
        points.resize(5000);
        if (lying) {  // a quarter turn about y
            scene.colliders[0].pose.axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
            for (Vec3& p : points) p = {p.z, p.y, -p.x};
        }
        const Simulator simulator = playFrom(scene, points, 6);
        Neighbors neighbors(oneThread());
        neighbors.build(simulator.state().particles.x, static_cast<float>(supportRadius(scene.fluids[0].params)));
        const double capsule = kPi * 0.25 * 0.25 * (0.6 + 4 * 0.25 / 3);
        return Fill{summedVolume(simulator.frame(), 0.02) / capsule, double(neighbors.pairCount()) / 5000};
    };
    const Fill standing = fill(false), lying = fill(true);
    EXPECT_GT(lying.volume, standing.volume);
    EXPECT_GT(standing.neighbours, lying.neighbours);
    EXPECT_NEAR(lying.volume, 0.384, 0.05);
    EXPECT_NEAR(standing.volume, 0.265, 0.05);
}

// K-65
TEST(PressureShock, throwsTheSurfaceUpAndCalmsDown) {
    Scene scene = sceneOf("water");
    const float s = spacingOf(scene);
    scene.colliders.push_back(capsuleAlongZ({0, 0, 0.15f}, 0.45f, 0.25f));
    Simulator simulator = playFrom(scene, lattice(10, 10, 15, s, s * Vec3{-5, -5, -7.5f}), 8);
    const auto top = [&] { return percentile(simulator.frame(), 2, 1); };
    const float before = top();
    scene.colliders[0] = capsuleAlongZ({0, 0, 0.12f}, 0.36f, 0.2f);  // all of it × 0.8
    float highest = before;
    double fastest = 0;
    for (int i = 1; i <= 300; ++i) {
        fastest = std::max(fastest, simulator.advanceTo(scene, 8 + 0.01 * i).stats.maxSpeed);
        highest = std::max(highest, top());
    }
    EXPECT_GT(highest, before + 0.3f);
    EXPECT_LT(fastest, 10);
    EXPECT_LT(simulator.frame().stats.maxSpeed, 0.5);
}

// K-67 K-28: stiffness and all other numbers the same, whatever the number of particles.
TEST(Resolution, changesTheFilledVolumeLittle) {
    std::vector<double> volumes;
    for (const int count : {100, 200, 400, 800}) {
        Scene scene = sceneOf("water");
        FluidParams& params = scene.fluids[0].params;
        params.particleSpacing = static_cast<float>(std::cbrt(0.1 / count));
        const float s = params.particleSpacing;
        scene.colliders.push_back(capsuleAlongZ({}, 0.5f, 0.3f));
        const int side = std::max(3, static_cast<int>(0.42f / s));
        std::vector<Vec3> points =
            lattice(side, side, count / (side * side) + 1, s, s * Vec3{-float(side) / 2, -float(side) / 2, 0});
        points.resize(static_cast<size_t>(count));
        for (Vec3& p : points) p.z -= 0.6f;
        const Simulator simulator = playFrom(scene, points, 20);
        EXPECT_LT(simulator.frame().stats.maxSpeed, 0.05) << count;
        volumes.push_back(summedVolume(simulator.frame(), particleMass(params)));
    }
    const auto [least, most] = std::minmax_element(volumes.begin(), volumes.end());
    EXPECT_LT(*most / *least, 1.05);
}

}  // namespace
}  // namespace purl

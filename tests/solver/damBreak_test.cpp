// Dam breaks of thirty thousand to two million particles by each pressure solver: stable, no particle lost, the density
// kept; the smaller ones run until the water is at rest and the floor bears its weight.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "solver/fluid/material.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

struct Size {
    const char* name;
    int x, y, z;     // particles of the column
    int steps;       // of the dam break; 0: on to rest
    double restAt;   // s
    int restFrames;  // averaged over
};
// The tank has one size, whatever the number of particles: a column of 0.72 m.
constexpr Size kSizes[] = {{"thirtyThousand", 36, 36, 24, 0, 6, 120},
                           {"hundredThousand", 58, 58, 38, 0, 6, 120},
                           {"halfAMillion", 92, 92, 60, 120, 0, 0},
                           {"twoMillion", 146, 146, 95, 20, 0, 0}};

// Frames a second: dfsph's pressures oscillate from step to step, so that means need most of them.
constexpr double kRate = 120;

struct DamBreak {
    Scene scene;
    float spacing;
    Vec3 room;

    DamBreak(PressureSolver solver, const Size& size) : spacing(0.72f / float(size.y)) {
        scene.solver.pressureSolver = solver;
        scene.fluids.push_back(dampedWater("water"));
        FluidParams& water = scene.fluids[0].params;
        water.particleSpacing = spacing;
        // So deep a tank needs a stiff state equation, and damping to match.
        if (solver == PressureSolver::wcsph) {
            water.stiffness = 400;
            water.viscosity = 20;
            water.surfaceTension = 0;
        }
        const Vec3 column = spacing * Vec3{float(size.x), float(size.y), float(size.z)};
        room = {2 * column.x, 1.5f * column.y, column.z};
        scene.fluids[0].volumes.push_back(boxMesh({}, column));
        scene.colliders.push_back(boxCollider({}, room));
        scene.colliders[0].params.boundary = WallModel::volumeMap;
    }

    int outside(const Points& points) const {
        int count = 0;
        for (const Vec3& x : points.positions)
            for (int axis = 0; axis < 3; ++axis) count += !(x[axis] > -1e-5f && x[axis] < room[axis] + 1e-5f);
        return count;
    }
    // Pressure over ρ g depth: in the layer on the floor, or in all others but the top two; away from the side walls.
    struct Ratio {
        double pressure = 0, weight = 0;
        double value() const { return pressure / weight; }
    };
    void compare(const Points& points, Ratio& floor, Ratio& inside) const {
        // Of the water at rest.
        const double level = double(points.count()) * std::pow(double(spacing), 3) / (double(room.x) * room.z);
        for (size_t i = 0; i < points.count(); ++i) {
            const Vec3 x = points.positions[i];
            const double depth = level - double(x.y);
            const float side = std::min({x.x, x.z, room.x - x.x, room.z - x.z});
            if (side < 3 * spacing || depth < 2 * double(spacing)) continue;
            Ratio& ratio = x.y < spacing ? floor : inside;
            ratio.pressure += double(points.pressures[i]);
            ratio.weight += 9.81 * double(scene.fluids[0].params.restDensity) * depth;
        }
    }
};

struct Case {
    PressureSolver solver;
    Size size;
};
class DamBreaks : public testing::TestWithParam<Case> {};
std::string nameOf(const testing::TestParamInfo<Case>& info) {
    return std::string(choicesOf(PressureSolver{})[static_cast<size_t>(info.param.solver)]) + "_" +
           info.param.size.name;
}
std::vector<Case> allCases() {
    std::vector<Case> cases;
    for (const Size& size : kSizes)
        for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph})
            cases.push_back({solver, size});
    return cases;
}
INSTANTIATE_TEST_SUITE_P(AllSolvers, DamBreaks, testing::ValuesIn(allCases()), nameOf);

// L-26
TEST_P(DamBreaks, areStableLoseNobodyAndComeToRest_nightly) {
    const auto [solver, size] = GetParam();
    DamBreak dam(solver, size);
    Simulator simulator;
    const size_t all = simulator.reset(dam.scene).points.count();
    ASSERT_EQ(all, static_cast<size_t>(size.x) * static_cast<size_t>(size.y) * static_cast<size_t>(size.z));
    const bool springy = solver == PressureSolver::wcsph;
    DamBreak::Ratio floor, inside;
    double borne = 0;  // by the floor, in shares of the water's weight
    double fastest = 0, worstError = 0, steps = 0;
    const int frames = size.steps ? 1000 : static_cast<int>(kRate * size.restAt + 0.5);
    for (int frame = 1; frame <= frames && (!size.steps || steps < size.steps); ++frame) {
        // Large ones are cut short in the middle of a frame.
        const double rate = size.steps ? 240 : kRate;
        // Water sloshes for minutes in a smooth tank: once the break is over, it is made to calm down.
        if (!size.steps && frame > frames / 3) dam.scene.fluids[0].params.viscosity = 50;
        const Frame& now = simulator.advanceTo(dam.scene, frame / rate);
        steps += now.stats.steps;
        ASSERT_EQ(now.points.count(), all);
        ASSERT_EQ(dam.outside(now.points), 0) << "frame " << frame;
        fastest = std::max(fastest, now.stats.maxSpeed);
        worstError = std::max(worstError, 100 * (now.stats.meanCompression - 1));
        if (size.steps || frame <= frames - size.restFrames) continue;
        dam.compare(now.points, floor, inside);
        const double area = double(dam.room.x) * dam.room.z;
        const double weight = 9.81 * double(all) * particleMass(dam.scene.fluids[0].params) / area;
        if (!springy) borne += pressureOnFloor(dam.scene, now, area) / weight / size.restFrames;
    }
    // √(2 g H) is 3.8 m/s; the spray where the wave hits the wall is up to three times faster, 12.0 m/s with wcsph.
    EXPECT_LT(fastest, 15);
    // wcsph 1.2 % with 31 thousand particles.
    EXPECT_LT(worstError, springy ? 3 : solver == PressureSolver::pbf ? 2.5 : 0.1);
    std::printf("%zu particles: %.0f steps, fastest %.2f m/s, mean compression at most %.3f %%", all, steps, fastest,
                worstError);
    if (!size.steps) {
        std::printf("; at rest floor bears %.3f, layer on it %.3f, inside %.3f of rho g h, fastest %.3f m/s", borne,
                    floor.value(), inside.value(), simulator.frame().stats.maxSpeed);
        std::printf("\n");
        if (springy) {
            // 31 thousand particles are at 0.13 m/s, with 1.10 of the hydrostatic pressure inside and 1.15 on the
            // floor: pressures still oscillate by a third, and the mean of a second by less.
            EXPECT_LT(simulator.frame().stats.maxSpeed, 0.4);  // a tenth of √(2 g H)
            EXPECT_NEAR(inside.value(), 1, 0.25);
            EXPECT_NEAR(floor.value(), 1, 0.25);
            return;
        }
        // pbf's artificial pressure bears a few per cent of the weight and is not part of the reported pressure:
        // without it the inside of a tank reads 1.00 instead of 0.99, after forty iterations 1.02 instead of 0.92. The
        // layer on the floor reads 1.02 in a tank filled in place and 1.14 after a dam break; its tolerance covers
        // both.
        EXPECT_NEAR(borne, 1, solver == PressureSolver::pbf ? 0.05 : 0.03);
        EXPECT_NEAR(inside.value(), 1, solver == PressureSolver::pbf ? 0.05 : 0.03);
        EXPECT_NEAR(floor.value(), 1, 0.15);
        return;
    }
    std::printf("\n");
}

}  // namespace
}  // namespace purl

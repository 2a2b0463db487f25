#include "solver/reference/curvature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;
constexpr float kRadius = 2.2f;  // of the ball, in support radii

// Tension alone, h = 2.67 spacings.
Scene tensionOnly(ReferenceTension model) {
    Scene scene = wcsphScene();
    scene.solver.gravity = 0;
    scene.fluids.resize(1);
    scene.fluids[0].name = "drop";
    FluidParams& params = scene.fluids[0].params;
    params.particleSpacing = kSpacing;
    params.wcsph.kernelParticles = 80;
    params.stiffness = 0;
    params.viscosity = 0;
    params.surfaceTension = 1;
    params.reference.tension = model;
    return scene;
}

float supportOf(const Scene& scene) { return static_cast<float>(supportRadius(scene.fluids[0].params)); }

// The lattice's points in a ball about the origin, and which of them lack a neighbour along some axis.
struct Ball {
    std::vector<Vec3> points;
    std::vector<bool> shell;

    explicit Ball(float radius) {
        const int reach = static_cast<int>(radius / kSpacing) + 1;
        const auto inside = [&](int x, int y, int z) {
            return length(kSpacing * Vec3{float(x), float(y), float(z)}) <= radius;
        };
        for (int z = -reach; z <= reach; ++z)
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    if (!inside(x, y, z)) continue;
                    points.push_back(kSpacing * Vec3{float(x), float(y), float(z)});
                    shell.push_back(!inside(x + 1, y, z) || !inside(x - 1, y, z) || !inside(x, y + 1, z) ||
                                    !inside(x, y - 1, z) || !inside(x, y, z + 1) || !inside(x, y, z - 1));
                }
    }
};

// The normals before they are made unit, 1/m.
std::vector<Vec3> longNormals(Measured& measured) {
    LaneMemory memory(oneThread());
    packFlow(oneThread(), std::as_const(measured.particles.x).span(), std::as_const(measured.particles.v).span(),
             std::as_const(measured.volume).span(), memory);
    applyCurvatureTension(measured.particles, measured.neighbors, nullptr, measured.materials, memory);
    std::vector<Vec3> n;
    for (int i = 0; i < measured.count(); ++i) n.push_back(memory.normals[i].w * Vec3(memory.normals[i]));
    return n;
}

const ReferenceTension kModels[] = {ReferenceTension::colorNormals, ReferenceTension::centroidNormals};

// B-15
TEST(SurfaceNormals, followAColorFieldThatIsOneInsideAndFadesAtTheSkin) {
    const Scene scene = tensionOnly(ReferenceTension::colorNormals);
    const Ball ball(kRadius * supportOf(scene));
    const Measured measured(scene, ball.points);
    for (int i = 0; i < measured.count(); ++i) {
        const FluidConstants& fluid = measured.materials.fluids[0];
        const float volume = fluid.mass / fluid.restDensity;
        float color = volume * fluid.poly6(0.0f);
        measured.neighbors.view().forEach(i, [&](int, Vec3, float r2) { color += volume * fluid.poly6(r2); });
        const Vec3 x = measured.particles.x[i];
        if (ball.shell[static_cast<size_t>(i)]) {
            EXPECT_LT(color, 0.8f);
            EXPECT_GT(dot(measured.particles.normal[i], x), 0);
        } else if (length(x) < (kRadius - 1) * supportOf(scene)) {
            EXPECT_NEAR(color, 1, 0.03f);
        }
    }
}

// B-16
TEST(SurfaceNormals, areOfUnitLengthOrExactlyZero) {
    for (const ReferenceTension model : kModels) {
        const Scene scene = tensionOnly(model);
        const Ball ball(kRadius * supportOf(scene));
        const Measured measured(scene, ball.points);
        for (int i = 0; i < measured.count(); ++i) {
            const Vec3 n = measured.particles.normal[i];
            if (length(measured.particles.x[i]) < (kRadius - 1.05f) * supportOf(scene)) {
                EXPECT_EQ(n, Vec3{});
            } else {
                EXPECT_TRUE(n == Vec3{} || std::fabs(length(n) - 1) < 1e-6f);
            }
        }
    }
}

// B-17. |n| = ¾ (h² − d²)² / (2h³ + 3h² d − d³) at depth d below a flat surface: 0.375 h at 0, 0.125 h at h/2. The
// surface is half a spacing above the last layer.
TEST(SurfaceNormals, fromCentroidsAreAsLongAsTheContinuumSays) {
    Scene scene = tensionOnly(ReferenceTension::centroidNormals);
    scene.fluids[0].params.wcsph.kernelParticles = 900;  // a continuum, nearly: h = 6 spacings
    scene.fluids[0].params.surfaceThreshold = 1e-3f;
    constexpr int kSide = 21;
    Measured measured(scene, lattice(kSide, kSide, kSide, kSpacing));
    const std::vector<Vec3> n = longNormals(measured);
    const double h = supportRadius(scene.fluids[0].params), scale = centroidScale(h, 3);
    const auto depthOf = [&](int layer) { return (layer + 0.5) * double(kSpacing); };
    for (int layer = 0; layer < 10; ++layer) {
        const Vec3 at = n[static_cast<size_t>(((kSide - 1 - layer) * kSide + kSide / 2) * kSide + kSide / 2)];
        const double d = std::min(depthOf(layer), h), rest = h * h - d * d;
        const double expected = 0.75 * rest * rest / (2 * h * h * h + 3 * h * h * d - d * d * d);
        EXPECT_NEAR(double(at.z) / scale, expected, 0.1 * expected + 0.01 * h) << layer;
        if (depthOf(layer) >= h) { EXPECT_LT(double(length(at)) / scale, 0.02 * h); }
    }
}

// B-18
TEST(SurfaceNormals, flagTheOuterShellAndALoneParticle) {
    const Scene scene = tensionOnly(ReferenceTension::centroidNormals);
    const float h = supportOf(scene);
    const Ball ball(kRadius * h);
    const Measured measured(scene, ball.points);
    for (int i = 0; i < measured.count(); ++i) {
        const bool flagged = measured.particles.normal[i] != Vec3{};
        if (ball.shell[static_cast<size_t>(i)]) { EXPECT_TRUE(flagged) << length(measured.particles.x[i]) / h; }
        if (length(measured.particles.x[i]) < (kRadius - 1) * h) { EXPECT_FALSE(flagged); }
    }
    const Measured alone(scene, {{1, 2, 3}});
    EXPECT_NE(alone.particles.normal[0], Vec3{});
    EXPECT_EQ(alone.a(0), Vec3{});
}

// B-19 B-20. Every particle of the skin is drawn inward, the mean curvature is that of the ball, and the force grows
// with σ.
TEST(CurvatureTension, drawsTheSkinOfABallInward) {
    for (const ReferenceTension model : kModels) {
        Scene scene = tensionOnly(model);
        const float h = supportOf(scene);
        const Ball ball(kRadius * h);
        Measured measured(scene, ball.points);
        const std::vector<Vec3> n = longNormals(measured);
        const Measured fresh(scene, ball.points);
        scene.fluids[0].params.surfaceTension = 3;
        const Measured stronger(scene, ball.points);
        double curvature = 0;
        int skin = 0;
        for (int i = 0; i < fresh.count(); ++i) {
            EXPECT_LE(length(stronger.a(i) - 3 * fresh.a(i)), 1e-4f * length(stronger.a(i)) + 1e-6f);
            if (!ball.shell[static_cast<size_t>(i)]) continue;
            EXPECT_LT(dot(fresh.a(i), fresh.particles.x[i]), 0) << int(model);
            // a = −σ/ρ κ n, with σ = 1
            const Vec3 normal = n[static_cast<size_t>(i)];
            curvature -= double(fresh.particles.density[i] * dot(fresh.a(i), normal) / lengthSquared(normal));
            ++skin;
        }
        EXPECT_NEAR(curvature / skin, 2 / double(kRadius * h), 0.15 * 2 / double(kRadius * h)) << int(model);
    }
}

// B-19 B-20. pbf and dfsph pull by the same force: a cube of them becomes rounder.
TEST(CurvatureTension, roundsACubeInEverySolver) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph})
        for (const ReferenceTension model : kModels) {
            Scene scene = tensionOnly(model);
            FluidParams& params = scene.fluids[0].params;
            params.stiffness = 100;
            params.viscosity = 2;
            params.wcsph.kernelParticles = 40;
            params.surfaceTension = 5;
            scene.solver.pressureSolver = solver;
            Simulator simulator(oneThread());
            simulator.restore(stateOf(lattice(7, 7, 7, kSpacing, -3.5f * kSpacing * Vec3{1, 1, 1})), scene);
            const auto farthest = [&](const Frame& frame) {
                float most = 0;
                for (const Vec3 x : frame.points.positions) most = std::max(most, length(x));
                return most;
            };
            const float before = farthest(simulator.frame());
            EXPECT_LT(farthest(run(simulator, scene, 0.1, 0.02)), 0.9f * before) << int(solver) << int(model);
        }
}

}  // namespace
}  // namespace purl

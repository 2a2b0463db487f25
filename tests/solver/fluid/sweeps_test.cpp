// Every pressure solver, force and mixture of fluids gives the same bits with sweeps of eight lanes, with one neighbour
// at a time, and with any number of threads.
#include "solver/core/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "solver/core/random.h"
#include "solver/fluid/cohesion.h"
#include "solver/fluid/density.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/implicitViscosity.h"
#include "solver/fluid/mixing.h"
#include "solver/fluid/nonPressureForces.h"
#include "solver/fluid/pressure/dfsph.h"
#include "solver/fluid/pressure/doubleDensity.h"
#include "solver/fluid/pressure/pbf.h"

namespace purl {
namespace {

constexpr float kSpacing = 0.02f, kStep = 0.001f;

// A jittered block of one fluid, or of two on top of each other, in motion; one particle alone, and two at one place.
struct Block {
    Scene scene;
    Device device;
    Particles particles;
    Materials materials{device};
    Neighbors neighbors{device};
    LaneMemory memory{device};
    Buffer<float> volume{device};
    Buffer<Vec3> v{device};

    Block(const Scene& of, int threads) : scene(of), device(Device::cpu(threads)), particles(device) {
        std::vector<Vec3> points;
        for (int k = 0; k < 9 * 9 * 9; ++k) {
            const auto seed = static_cast<uint64_t>(k);
            const Vec3 jitter{randomUnit(seed, 1), randomUnit(seed, 2), randomUnit(seed, 3)};
            points.push_back(kSpacing * (0.93f * Vec3{float(k % 9), float(k / 9 % 9), float(k / 81)} + 0.3f * jitter));
        }
        points.push_back({-1, 0, 0});
        points.push_back(points[40]);
        const int count = static_cast<int>(points.size());
        particles.resize(count);
        for (int i = 0; i < count; ++i) {
            const Vec3 x = points[static_cast<size_t>(i)];
            particles.x[i] = x;
            particles.v[i] = {20 * x.y, std::sin(60 * x.z), -15 * x.x};
            particles.id[i] = i;
            particles.body[i] = scene.fluids.size() > 1 && x.y > 4 * kSpacing ? 1 : 0;
        }
        materials.set(scene);
        neighbors.build(particles.x, materials.searchRadius);
        v = particles.v;
        takeUpColors(particles, materials);
    }
    // All that a sweep may have written, as bits.
    std::vector<float> results() const {
        std::vector<float> all;
        const auto addVectors = [&](const Buffer<Vec3>& vectors) {
            for (const Vec3& a : vectors) all.insert(all.end(), {a.x, a.y, a.z});
        };
        addVectors(particles.x);
        addVectors(particles.a);
        addVectors(particles.normal);
        addVectors(v);
        for (const Buffer<float>* numbers : {&particles.density, &particles.pressure, &volume, &particles.color.values})
            all.insert(all.end(), numbers->begin(), numbers->end());
        return all;
    }
};

Scene sceneOf(int fluids) {
    Scene scene;
    for (int f = 0; f < fluids; ++f) {
        Fluid fluid;
        fluid.name = f ? "oil" : "water";
        fluid.params.particleSpacing = kSpacing;
        fluid.params.viscosity = f ? 3 : 0.5f;
        fluid.params.restDensity = f ? 700 : 1000;
        fluid.params.surfaceTension = 0.07f;
        scene.fluids.push_back(fluid);
    }
    return scene;
}

// Runs `act` on one and on two fluids with the settings, in lanes, on threads and one by one.
void expectOneResult(const char* what, const std::function<void(FluidParams&, int)>& set,
                     const std::function<void(Block&)>& act, float oilSpacing = kSpacing) {
    for (const int fluids : {1, 2}) {
        Scene scene = sceneOf(fluids);
        for (int f = 0; f < fluids; ++f) set(scene.fluids[static_cast<size_t>(f)].params, f);
        if (fluids > 1) scene.fluids[1].params.particleSpacing = oilSpacing;
        const auto run = [&](int threads) {
            Block block(scene, threads);
            const std::vector<float> before = block.results();
            act(block);
            const std::vector<float> after = block.results();
            EXPECT_NE(after, before) << what;
            for (const float number : after) EXPECT_TRUE(std::isfinite(number)) << what;
            return after;
        };
        const std::vector<float> lanes = run(1);
        EXPECT_EQ(run(3), lanes) << what << ", " << fluids << " fluids, three threads";
        const ScopedSweepOneByOne oneByOne;
        EXPECT_EQ(run(1), lanes) << what << ", " << fluids << " fluids, one neighbour at a time";
    }
}

void measure(Block& b) { computeDensity(b.particles, b.neighbors, b.materials, b.volume, b.memory); }
void applyAll(Block& b) {
    measure(b);
    applyForces(b.particles, b.neighbors, b.materials, b.volume, b.memory);
}

// K-07 K-08 K-10 K-11 K-13 K-19 K-21 K-78
TEST(Sweeps, ofWcsphHaveTheSameBitsInLanesAndOneByOne) {
    for (const SmoothingKernel kernel :
         {SmoothingKernel::muller, SmoothingKernel::spiky, SmoothingKernel::cubicSpline, SmoothingKernel::wendland})
        expectOneResult(
            "kernel", [=](FluidParams& p, int) { p.wcsph.kernel = kernel; }, applyAll);
    for (const PressureForm form : {PressureForm::mean, PressureForm::basic})
        expectOneResult(
            "form", [=](FluidParams& p, int) { p.reference.pressureForm = form; }, applyAll);
    expectOneResult(
        "a kernel and a form each",
        [](FluidParams& p, int fluid) {
            p.wcsph.kernel = fluid ? SmoothingKernel::muller : SmoothingKernel::wendland;
            p.reference.pressureForm = fluid ? PressureForm::mean : PressureForm::symmetric;
        },
        applyAll);
    expectOneResult(
        "gas", [](FluidParams& p, int fluid) { p.kind = fluid ? FluidKind::liquid : FluidKind::gas; }, applyAll,
        1.1f * kSpacing);
}

TEST(Sweeps, ofOtherForcesHaveTheSameBitsInLanesAndOneByOne) {
    const auto past = [](Block& b) {
        for (Vec3& each : b.v) each = 0.7f * each + Vec3{0.1f, 0, 0};
        return std::as_const(b.v).span();
    };
    const auto fractional = [](FluidParams& p, int fluid) {
        p.viscosityModel = fluid ? ViscosityModel::mueller : ViscosityModel::fractional;
    };
    expectOneResult("fractional, wcsph", fractional, [&](Block& b) {
        measure(b);
        applyForces(b.particles, b.neighbors, b.materials, b.volume, b.memory, past(b));
    });
    for (const float xsph : {0.0f, 0.1f}) {
        const auto nonPressure = [&](Block& b, Span<const Vec3> replaced) {
            b.scene.solver.xsph = xsph;
            b.scene.solver.vorticityConfinement = 0.2f;
            measure(b);
            applyNonPressureForces(b.particles, b.neighbors, nullptr, b.materials, b.scene.solver, kStep,
                                   Gravity::include, b.particles.v, b.volume, b.memory, replaced);
        };
        expectOneResult(
            "non-pressure", [](FluidParams&, int) {}, [&](Block& b) { nonPressure(b, {}); });
        expectOneResult("fractional", fractional, [&](Block& b) { nonPressure(b, past(b)); });
    }
    for (const ViscosityModel model : {ViscosityModel::morris, ViscosityModel::xsph})
        expectOneResult(
            "viscosity", [=](FluidParams& p, int fluid) { p.viscosityModel = fluid ? ViscosityModel::xsph : model; },
            [](Block& b) {
                measure(b);
                addExplicitViscosity(b.particles, b.neighbors, nullptr, b.materials, kStep, b.particles.v, b.volume,
                                     b.memory);
            });
    expectOneResult(
        "implicit", [](FluidParams& p, int) { p.viscosityModel = ViscosityModel::implicit; },
        [](Block& b) {
            measure(b);
            ImplicitViscosity implicit(b.device);
            implicit.solve(b.particles, b.neighbors, nullptr, b.materials, b.scene.solver, kStep, b.volume, b.v);
        });
    expectOneResult(
        "cohesion", [](FluidParams& p, int) { p.tensionModel = TensionModel::cohesion; },
        [](Block& b) {
            applyAll(b);
            applyCohesion(b.particles, b.neighbors, b.materials, b.memory);
        });
    for (const ReferenceTension model : {ReferenceTension::colorNormals, ReferenceTension::centroidNormals})
        expectOneResult(
            "curvature", [=](FluidParams& p, int) { p.reference.tension = model; }, applyAll);
    expectOneResult(
        "dispersion",
        [](FluidParams& p, int fluid) {
            p.dispersion = 1e-3f;
            p.color[0] = fluid ? 0.2f : 0.9f;
        },
        [](Block& b) {
            measure(b);
            disperse(b.particles, b.neighbors, b.materials, 0.1f, b.memory);
        });
}

TEST(Sweeps, ofPressureSolversHaveTheSameBitsInLanesAndOneByOne) {
    const auto nothing = [](FluidParams&, int) {};
    for (const float oilSpacing : {kSpacing, 1.1f * kSpacing}) {
        expectOneResult(
            "dfsph", nothing,
            [](Block& b) {
                Dfsph dfsph(b.device);
                dfsph.measure(b.particles, b.neighbors, nullptr, b.materials, b.volume);
                dfsph.solveDivergence(b.particles, b.neighbors, b.materials, b.scene.solver, kStep, b.v);
                dfsph.solveDensity(b.particles, b.neighbors, b.materials, b.scene.solver, kStep, b.v);
            },
            oilSpacing);
        for (const float power : {0.0f, 4.0f, 3.5f})
            expectOneResult(
                "pbf", nothing,
                [=](Block& b) {
                    b.scene.solver.pbf.artificialPressure = power > 0 ? 0.1f : 0;
                    b.scene.solver.pbf.artificialPressurePower = power;
                    Pbf(b.device).solve(b.particles, b.neighbors, nullptr, b.materials, b.scene.solver, kStep, {}, b.v,
                                        b.volume);
                },
                oilSpacing);
    }
    expectOneResult("double density", nothing, [](Block& b) {
        DoubleDensity paste(b.device);
        paste.set(b.scene, b.materials);
        paste.damp(b.particles, b.neighbors, kStep, b.v);
        paste.relax(b.particles, b.neighbors, kStep);
    });
}

}  // namespace
}  // namespace purl

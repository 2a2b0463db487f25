// Estimates of particles, memory and time.
#include "farm/estimate.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"

namespace purl {
namespace {

TriangleMesh cube(float side) {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i) mesh.vertices.edit().push_back({i & 1 ? side : 0, i & 2 ? side : 0, i & 4 ? side : 0});
    mesh.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return mesh;
}

// A cube of water of 20 cm with a spacing of 2 cm, and a tap of 0.24 l/s.
Patient patientWith(float spacing, bool tap) {
    Patient patient;
    patient.name = "solver";
    patient.last = 49;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = spacing;
    water.volumes.push_back(cube(20));
    if (tap) {
        Emitter emitter;
        emitter.params.rate = 0.24f;
        water.emitters.push_back(emitter);
    }
    patient.bodies.fluids.push_back(water);
    return patient;
}

TEST(Estimate, countsFillsAndWhatEmittersLetOut) {
    EXPECT_NEAR(estimateRun(patientWith(2, false), 49, 1, 8000).particles, 1000, 1);
    // 48 frames are two seconds: 0.48 l are 60 particles of 8 cm³.
    EXPECT_NEAR(estimateRun(patientWith(2, true), 49, 1, 8000).particles, 1060, 1);
    Patient ended = patientWith(2, true);
    ended.bodies.fluids[0].emitters[0].params.endTime = 0.5f;
    EXPECT_NEAR(estimateRun(ended, 49, 1, 8000).particles, 1015, 1);
    EXPECT_TRUE(estimateRun(patientWith(2, true), 49, 1, 8000).warnings.empty());
}

TEST(Estimate, halfTheSpacingTakesEightTimesTheParticlesAndMoreTimeThanThat) {
    const Estimate coarse = estimateRun(patientWith(0.5f, false), 49, 1, 8000);
    const Estimate fine = estimateRun(patientWith(0.25f, false), 49, 1, 8000);
    EXPECT_NEAR(fine.particles / coarse.particles, 8, 0.01);
    EXPECT_GE(fine.minutes / coarse.minutes, 15) << "steps are shorter, too";
    EXPECT_NEAR(estimateRun(patientWith(0.25f, false), 49, 4, 8000).minutes, fine.minutes / 4, 1e-3 * fine.minutes);
}

TEST(Estimate, fillsBeyondMaxParticlesAreAnErrorBeforeAnythingIsAllocated) {
    try {
        estimateRun(patientWith(0.01f, false), 49, 1, 8000);
        FAIL() << "it must refuse 8 billion particles";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("water: its meshes hold about 8,000,000,"), std::string::npos) << text;
        EXPECT_NE(text.find("particleSpacing 0.01 cm"), std::string::npos) << text;
        EXPECT_NE(text.find("maxParticles 5,000,000"), std::string::npos) << text;
    }
}

TEST(Estimate, emissionThatMaxParticlesCutsShortIsWarnedOf) {
    Patient patient = patientWith(2, true);
    patient.bodies.solver.maxParticles = 1030;  // half of what the tap emits
    const Estimate estimate = estimateRun(patient, 49, 1, 8000);
    EXPECT_NEAR(estimate.wanted, 1060, 1);
    EXPECT_EQ(estimate.particles, 1030);
    ASSERT_EQ(estimate.warnings.size(), 1u);
    EXPECT_NE(estimate.warnings[0].find("solver.maxParticles 1,030 in frame 26"), std::string::npos)
        << estimate.warnings[0];
}

TEST(Estimate, memoryBeyondTheMachineIsWarnedOf) {
    const Estimate estimate = estimateRun(patientWith(0.2f, false), 49, 1, 1000);  // a million particles, 1.2 GB
    ASSERT_EQ(estimate.warnings.size(), 1u);
    EXPECT_NE(estimate.warnings[0].find("this machine has 1.0 GB"), std::string::npos) << estimate.warnings[0];
    EXPECT_TRUE(estimateRun(patientWith(0.2f, false), 49, 1, 8000).warnings.empty());
}

}  // namespace
}  // namespace purl

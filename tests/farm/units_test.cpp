// Values with units, as accepted by --set.
#include "farm/units.h"

#include <gtest/gtest.h>

#include <fstream>

#include "farm/playback.h"

namespace purl {
namespace {

const char* const kScene = R"(//Maya ASCII 2022 scene
requires maya "2022";
currentUnit -l %s -a degree -t film;
createNode transform -n "pool";
createNode purlFluid -n "water";
createNode purlSolver -n "solver";
createNode purlSurface -n "skin";
)";

std::unique_ptr<Playback> sceneIn(const std::string& unit) {
    std::string text = kScene;
    text.replace(text.find("%s"), 2, unit);
    const std::string path =
        testing::TempDir() + "purl_units_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".ma";
    std::ofstream(path) << text;
    return std::make_unique<Playback>(path);
}

std::string refusalOf(Playback& playback, const std::string& assignment) {
    try {
        playback.set(assignment);
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(Units, lengthsTakeAnyUnitAndAreEchoedInTheScenes) {
    const auto playback = sceneIn("centimeter");
    for (const char* same : {"0.4", "0.4cm", "4mm", "0.004m", "0.004 m", " 4e-3m "})
        EXPECT_EQ(playback->set(std::string("water.particleSpacing=") + same),
                  "water.particleSpacing = 0.4 cm (0.004 m)")
            << same;
    EXPECT_DOUBLE_EQ(playback->graph().plug("water.particleSpacing").number(), 0.4);
}

TEST(Units, aSceneInMetresTakesBareNumbersAsMetres) {
    const auto playback = sceneIn("meter");
    EXPECT_EQ(playback->set("water.particleSpacing=0.004"), "water.particleSpacing = 0.004 m");
    EXPECT_EQ(playback->set("water.particleSpacing=4mm"), "water.particleSpacing = 0.004 m");
    EXPECT_DOUBLE_EQ(playback->graph().plug("water.particleSpacing").number(), 0.4) << "stored in centimetres";
}

TEST(Units, otherQuantitiesHaveTheirOwn) {
    const auto playback = sceneIn("centimeter");
    EXPECT_EQ(playback->set("water.viscosity=50mPa.s"), "water.viscosity = 0.05 Pa·s");
    EXPECT_EQ(playback->set("water.restDensity=1g/cm3"), "water.restDensity = 1000 kg/m³");
    EXPECT_EQ(playback->set("water.startVelocity=0 200cm/s 0"), "water.startVelocity = 0 2 0 m/s");
    EXPECT_EQ(playback->set("solver.maxTimeStep=2ms"), "solver.maxTimeStep = 0.002 s");
    EXPECT_EQ(playback->set("skin.contactAngle=60deg"), "skin.contactAngle = 60 °");
    EXPECT_EQ(playback->set("pool.rotateX=90deg"), "pool.rotate.rotateX = 90 deg");
    EXPECT_EQ(playback->set("pool.translate=1m 2 30mm"), "pool.translate = 100 2 3 cm");
    EXPECT_EQ(playback->set("solver.pressureSolver=dfsph"), "solver.pressureSolver = dfsph");
}

TEST(Units, aWrongUnitIsRefusedWithTheRightOnes) {
    const auto playback = sceneIn("centimeter");
    EXPECT_EQ(refusalOf(*playback, "water.particleSpacing=4kg"),
              "water.particleSpacing is in cm: 'kg' does not fit; use mm, cm, m, km, in, ft or yd");
    EXPECT_EQ(refusalOf(*playback, "water.viscosity=4cm"),
              "water.viscosity is in Pa·s: 'cm' does not fit; use Pa·s, Pa.s, Pas, mPa·s, mPa.s or mPas");
    EXPECT_EQ(refusalOf(*playback, "solver.subSteps=3cm"),
              "solver.subSteps has no unit: 'cm' does not fit; use a plain number");
    EXPECT_NE(refusalOf(*playback, "water.particleSpacing=fine"), "");
    EXPECT_DOUBLE_EQ(playback->graph().plug("water.particleSpacing").number(), 2) << "as it was";
}

}  // namespace
}  // namespace purl

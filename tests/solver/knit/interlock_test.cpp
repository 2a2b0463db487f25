#include "tests/solver/knit/interlock.h"

#include <gtest/gtest.h>

#include "tests/solver/knit/fabrics.h"

namespace purl {
namespace {

using testing::unitSheet;
using testing::yarnsOf;

const YarnLoop& loopAt(const std::vector<YarnLoop>& loops, int course, int wale) {
    for (const YarnLoop& loop : loops)
        if (loop.course == course && loop.wale == wale) return loop;
    throw std::runtime_error("no such loop");
}

// G-12
TEST(Interlock, everyPlainStitchHasFourCrossingsOfAlternatingSides) {
    Knit knit = unitSheet(6, 6);
    const std::vector<YarnLoop> loops = loopsOf(yarnsOf(knit));
    for (int course = 0; course < 5; ++course)
        for (int wale = 1; wale < 5; ++wale) {
            const auto crossings = crossingsOf(loopAt(loops, course, wale), loopAt(loops, course + 1, wale));
            ASSERT_EQ(crossings.size(), 4u) << course << " " << wale;
            // Legs in front of the feet of the course above, the head behind its legs.
            const bool front[] = {true, false, false, true};
            for (size_t k = 0; k < 4; ++k) EXPECT_EQ(crossings[k].lowerInFront, front[k]) << course << " " << wale;
        }
}

float clearanceAt(float thickness) {
    const std::vector<YarnLoop> loops = loopsOf(yarnsOf(unitSheet(6, 6, thickness)));
    return clearance(loopAt(loops, 2, 3).points, loopAt(loops, 3, 3).points);
}

// G-12: the values of the document's section 3, to their last digit and up to the error of the line segments.
TEST(Interlock, clearanceOfCoursesIsThatOfTheDocument) {
    EXPECT_NEAR(clearanceAt(0.3f), 0.235f, 0.002f);
    EXPECT_NEAR(clearanceAt(0.1f), 0.107f, 0.002f);
    EXPECT_NEAR(clearanceAt(1.0f), 0.236f, 0.003f);
}

TEST(Interlock, everyPatternHoldsAllItsLoops) {
    for (const std::string& name : patternNames()) {
        Knit knit = unitSheet(24, 24);
        knit.params.pattern = name;
        const Interlocking result = checkInterlocking(yarnsOf(knit));
        EXPECT_GT(result.loops, 400) << name;
        EXPECT_EQ(result.loose.size(), 0u) << name;
    }
}

// G-12: the criterion for sharp folds, where crossings are hidden.
TEST(Interlock, everyLoopComesThroughTheOneBelowAndGoesBack) {
    const std::vector<YarnLoop> loops = loopsOf(yarnsOf(unitSheet(6, 6)));
    for (int course = 0; course < 5; ++course)
        for (int wale = 1; wale < 5; ++wale) {
            EXPECT_TRUE(passesThrough(loopAt(loops, course, wale), loopAt(loops, course + 1, wale)));
            EXPECT_FALSE(passesThrough(loopAt(loops, course, wale), loopAt(loops, course + 1, wale - 1)));
        }
    YarnLoop beside = loopAt(loops, 3, 3);
    for (Vec3& p : beside.points) p.z += 1;
    EXPECT_FALSE(passesThrough(loopAt(loops, 2, 3), beside)) << "it lies before the lower one";
}

TEST(Interlock, aLoopPulledThroughIsFound) {
    Curves curves = yarnsOf(unitSheet(6, 6));
    ASSERT_TRUE(checkInterlocking(curves).loose.empty());
    // Its head, which lies in the course above, slips out to the front.
    for (size_t i = 0; i < curves.count(); ++i)
        if (curves.courses[i] == 2 && curves.wales[i] == 3 && curves.positions[i].y > 2.9f)
            curves.positions.edit()[i].z += 1;
    const Interlocking result = checkInterlocking(curves);
    ASSERT_EQ(result.loose.size(), 1u);
    EXPECT_EQ(result.loose[0].course, 2);
    EXPECT_EQ(result.loose[0].wale, 3);
}

// A sheet bent to a half tube and stretched by a third along it keeps every loop.
TEST(Interlock, bendingAndStretchingKeepLoopsHeld) {
    const Knit knit = unitSheet(16, 12);
    const KnitFabric fabric(Device::cpu(2), knit, knit.points);
    std::vector<Vec3> bent = knit.points;
    for (Vec3& p : bent) p = {5 * std::sin(p.x / 5), 1.3f * p.y, 5 * std::cos(p.x / 5)};
    EXPECT_TRUE(checkInterlocking(testing::yarnsOn(fabric, bent)).loose.empty());
}

}  // namespace
}  // namespace purl

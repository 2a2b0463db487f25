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

// G-12. A sharp crease along a wale keeps every loop, as long as the thickness direction in the crease lies between the
// normals of both sides. Tilted to the normal of one side, it points through the other side: front and back swap
// places in that corner, and yarns have passed through each other.
TEST(Interlock, aCreaseLosesLoopsOnlyIfItsCellsInvert) {
    constexpr int kWales = 8, kCourses = 6, kCreaseWale = 4;
    const Knit knit = unitSheet(kWales, kCourses);
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    for (const float degrees : {60.0f, 115.0f}) {
        const float angle = degrees / 57.29578f;
        std::vector<Vec3> folded = knit.points;
        for (Vec3& p : folded) {
            const float right = std::max(0.0f, p.x - kCreaseWale);
            p = {std::min(p.x, float(kCreaseWale)) + right * std::cos(angle), p.y, -right * std::sin(angle)};
        }
        const std::vector<Vec3> still(folded.size());
        const auto count = static_cast<int>(folded.size());
        KnitLayers layers = fabric.follow({folded.data(), count}, {still.data(), count});
        EXPECT_TRUE(checkInterlocking(fabric.makeCurves(layers)).loose.empty()) << degrees;

        const Vec3 half = 0.5f * knit.params.thickness * Vec3{std::sin(angle), 0, std::cos(angle)};
        for (int i = 0; i < layers.front.size(); ++i) {
            const Vec3 middle = 0.5f * (layers.front[i] + layers.back[i]);
            if (std::abs(middle.x - kCreaseWale) > 1e-4f || std::abs(middle.z) > 1e-4f) continue;
            layers.front[i] = middle + half;
            layers.back[i] = middle - half;
        }
        const Interlocking tilted = checkInterlocking(fabric.makeCurves(layers));
        EXPECT_EQ(tilted.loose.size(), degrees < 90 ? 0u : kCourses) << degrees;
        for (const YarnLoop& loop : tilted.loose) EXPECT_EQ(loop.wale, kCreaseWale - 1) << degrees;
    }
}

}  // namespace
}  // namespace purl

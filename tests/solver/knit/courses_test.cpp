#include "solver/knit/courses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/core/error.h"
#include "solver/simulator.h"
#include "tests/solver/knit/fabrics.h"
#include "tests/solver/knit/interlock.h"

namespace purl {
namespace {

using testing::tube;
using testing::unitSheet;
using testing::yarnsOf;
using testing::yarnsOn;

// A sheet of quads whose width at height y is width(y), about x = 0.
Knit sheetOfWidth(int columns, int rows, float height, float (*width)(float)) {
    Knit knit = unitSheet(columns, rows);
    for (Vec3& p : knit.points) {
        const float y = height * p.y / float(rows);
        p = {(p.x / float(columns) - 0.5f) * width(y), y, 0};
    }
    return knit;
}
// The same for the radius of a tube.
Knit tubeOfRadius(int around, int rows, float height, float (*radius)(float)) {
    Knit knit = tube(around, rows, 1, height);
    for (Vec3& p : knit.points) p = {p.x * radius(p.y), p.y, p.z * radius(p.y)};
    knit.params.stitchWidth = knit.params.stitchHeight = 1;
    knit.params.thickness = 0.3f;
    return knit;
}
// A sleeve, 20 high: narrow at the wrist, wider towards the arm, with a cap that narrows faster.
float sleeve(float y) { return y < 14 ? 12 + 0.6f * y : 20.4f - 1.6f * (y - 14); }
float coneRadius(float y) { return 6 - 0.25f * y; }
float sleeveRadius(float y) { return sleeve(y) / 4; }

Courses coursesOf(const Knit& knit) { return KnitFabric(Device::cpu(1), knit, knit.points).lattices()[0].courses; }

// Widths of all stitches along their courses, relative to stitchWidth.
struct Widths {
    float least = 1e9f, most = 0;
};
Widths widthsOf(const Knit& knit) {
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    const Cloth cloth = fabric.asCloth(knit, 1);
    const Courses& courses = fabric.lattices()[0].courses;
    Widths widths;
    for (int r = 0; r < courses.count(); ++r)
        for (int c = 0; c < courses.wales(r); ++c) {
            const auto at = [&](int m) { return cloth.points[courses.corner(r, c, m)]; };
            const float width = length(at(3) - at(2)) / knit.params.stitchWidth;
            widths.least = std::min(widths.least, width);
            widths.most = std::max(widths.most, width);
        }
    return widths;
}

void expectOneCurveThatHolds(const Knit& knit, const std::string& what) {
    const Curves curves = yarnsOf(knit);
    ASSERT_EQ(curves.counts.size(), 1u) << what;
    for (size_t i = 1; i < curves.count(); ++i) {
        ASSERT_TRUE(isFinite(curves.positions[i])) << what;
        if (curves.courses[i - 1] < 0 && curves.courses[i] >= 0) continue;  // from a tube's cast-on edge
        ASSERT_LT(length(curves.positions[i] - curves.positions[i - 1]), 2.5f) << what << " " << i;
    }
    const Interlocking result = checkInterlocking(curves);
    EXPECT_GT(result.loops, 100) << what;
    for (const YarnLoop& loose : result.loose) ADD_FAILURE() << what << ": " << loose.course << " " << loose.wale;
}

TEST(Courses, ofOneLengthStandUponEachOther) {
    const Courses flat(3, 4), round(3, 4, true);
    EXPECT_EQ(flat.points(), 5 * 5);
    EXPECT_EQ(flat.massPoints(), 4 * 5);
    EXPECT_EQ(round.points(), 5 * 4 + 1);
    EXPECT_EQ(round.massPoints(), 4 * 4 + 1);
    EXPECT_EQ(flat.corner(1, 2, 0), flat.point(2, 2));
    EXPECT_EQ(flat.corner(1, 2, 1), flat.point(2, 3));
    EXPECT_EQ(round.corner(1, 3, 3), round.point(2, 0));  // the end of a course is the start of the next
    EXPECT_TRUE(flat.gaps().empty());
    EXPECT_FALSE(flat.anyShaped());
}

TEST(Courses, loopsThatAreKnittedTogetherMeetInOneStitch) {
    const Courses courses(6, {{}, {{1, Shaping::joinsRight}, {3, Shaping::joinsLeft}}}, false);
    ASSERT_EQ(courses.wales(1), 4);
    const int above[] = {0, 1, 1, 2, 3, 3};
    for (int c = 0; c < 6; ++c) EXPECT_EQ(courses.above(0, c), above[c]);
    // Which of the two loops continues the wale, and which is carried from the side.
    EXPECT_EQ(courses.carried(0, 1), 0);
    EXPECT_EQ(courses.carried(0, 2), -1);
    EXPECT_EQ(courses.carried(0, 4), 1);
    EXPECT_EQ(courses.carried(0, 5), 0);
    EXPECT_EQ(courses.corner(0, 2, 0), courses.corner(0, 2, 1));  // no upper edge
    EXPECT_NE(courses.corner(0, 1, 0), courses.corner(0, 1, 1));
}

TEST(Courses, aStitchThatIsMadeStandsBetweenTwo) {
    const Courses courses(4, {{}, {{2, Shaping::made}}}, false);
    ASSERT_EQ(courses.wales(1), 5);
    EXPECT_EQ(courses.above(0, 1), 1);
    EXPECT_EQ(courses.above(0, 2), 3);
    EXPECT_EQ(courses.madeBefore(0, 2), 2);
    EXPECT_EQ(courses.madeBefore(0, 1), -1);
    ASSERT_EQ(courses.gaps().size(), 1u);
    EXPECT_EQ(courses.gaps()[0], (std::array<int, 3>{courses.point(1, 3), courses.point(1, 2), courses.point(0, 2)}));
}

// For any sequence of lengths, every course has the right number of stitches, and every loop below is used exactly
// once.
TEST(Courses, anyLengthsCanBeShaped) {
    for (const KnitShaping shaping : {KnitShaping::even, KnitShaping::sides})
        for (const bool closed : {false, true})
            for (int seed = 0; seed < 60; ++seed) {
                std::vector<double> wanted;
                for (int r = 0; r < 40; ++r)
                    wanted.push_back(std::abs((3 + seed) * (1 + 1.2 * std::sin(0.05 * r * (1 + seed % 7) + seed))));
                const Courses courses = shapeCourses(wanted, closed, shaping);
                ASSERT_EQ(courses.count(), 40);
                for (int r = 0; r + 1 < courses.rows(); ++r) {
                    ASSERT_GE(courses.wales(r), closed ? 3 : 2);
                    std::set<int> taken;
                    int previous = 0;
                    for (int c = 0; c < courses.wales(r); ++c) {
                        ASSERT_GE(courses.above(r, c), previous);
                        previous = courses.above(r, c);
                        taken.insert(previous);
                        // Corners of adjacent cells coincide, except for the gap below an increase.
                        if (c > 0) {
                            const int step = courses.corner(r, c, 0) - courses.corner(r, c - 1, 1);
                            ASSERT_EQ(step, courses.madeBefore(r, c) >= 0 ? 1 : 0) << r << " " << c;
                        }
                    }
                    ASSERT_LT(previous, courses.wales(r + 1));
                    int made = 0;
                    if (r + 1 < courses.count())
                        for (const ShapedStitch& stitch : courses.shaped(r + 1)) made += stitch.how == Shaping::made;
                    ASSERT_EQ(static_cast<int>(taken.size()) + made, courses.wales(r + 1));
                }
            }
}

TEST(Courses, aLengthBetweenTwoNumbersDoesNotGoToAndFro) {
    std::vector<double> wanted;
    for (int r = 0; r < 50; ++r) wanted.push_back(20.5 + (r % 2 ? 0.2 : -0.2));
    EXPECT_FALSE(shapeCourses(wanted, false, KnitShaping::even).anyShaped());
}

// The courses of a cone shorten from 38 stitches to 7; stretched, the stitch widths would differ by a factor of three.
TEST(Shaping, stitchesOfAConeKeepTheirWidth) {
    Knit knit = tubeOfRadius(48, 20, 20, coneRadius);
    EXPECT_GT(coursesOf(knit).wales(0), 35);
    EXPECT_LT(coursesOf(knit).wales(18), 12);
    const Widths shaped = widthsOf(knit);
    EXPECT_GT(shaped.least, 0.6f);  // at decreases
    EXPECT_LT(shaped.most, 1.35f);
    knit.params.shaping = KnitShaping::stretch;
    EXPECT_EQ(coursesOf(knit).wales(0), coursesOf(knit).wales(18));
    const Widths stretched = widthsOf(knit);
    EXPECT_LT(stretched.least, 0.45f);
    EXPECT_GT(stretched.most, 1.6f);
}

TEST(Shaping, aConeIsOneYarnWhoseLoopsHold) {
    for (const KnitShaping shaping : {KnitShaping::even, KnitShaping::sides}) {
        Knit knit = tubeOfRadius(48, 20, 20, coneRadius);
        knit.params.shaping = shaping;
        expectOneCurveThatHolds(knit, "cone");
        // Upside down it widens.
        std::reverse(knit.points.begin(), knit.points.end());
        for (Vec3& p : knit.points) p.y = 20 - p.y;
        expectOneCurveThatHolds(knit, "funnel");
        EXPECT_TRUE(coursesOf(knit).anyShaped());
    }
}

TEST(Shaping, aSleeveFlatOrRoundIsOneYarnWhoseLoopsHold) {
    for (const char* pattern : {"stockinette", "rib2x2", "garter", "cable", "lace"}) {
        Knit flat = sheetOfWidth(16, 40, 20, sleeve);
        flat.params.shaping = KnitShaping::sides;
        flat.params.pattern = pattern;
        expectOneCurveThatHolds(flat, std::string("flat ") + pattern);
        EXPECT_TRUE(coursesOf(flat).anyShaped());
        Knit round = tubeOfRadius(32, 40, 20, sleeveRadius);
        round.params.pattern = pattern;
        expectOneCurveThatHolds(round, std::string("round ") + pattern);
    }
}

// With side shaping, wales in the middle of a sleeve stay straight.
TEST(Shaping, atTheSidesMiddleWalesStayUpright) {
    Knit knit = sheetOfWidth(16, 40, 20, sleeve);
    knit.params.shaping = KnitShaping::sides;
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    const Cloth cloth = fabric.asCloth(knit, 1);
    const Courses& courses = fabric.lattices()[0].courses;
    int column = courses.wales(0) / 2;
    for (int r = 0; r < courses.count(); ++r) {
        EXPECT_LT(std::abs(cloth.points[courses.point(r, column)].x), 0.8f) << r;
        column = courses.above(r, column);
    }
}

// An increase hangs in the yarn lifted between two stitches below: its loop crosses that yarn like the head of a loop.
TEST(Shaping, madeStitchesHangInTheYarnBetweenTwo) {
    Knit knit = sheetOfWidth(16, 20, 12, [](float y) { return 12 + y; });
    const Curves curves = yarnsOf(knit);
    const Courses courses = coursesOf(knit);
    const std::vector<YarnLoop> loops = loopsOf(curves);
    int made = 0;
    for (int r = 0; r + 1 < courses.count(); ++r)
        for (int c = 1; c < courses.wales(r); ++c) {
            const int column = courses.madeBefore(r, c);
            if (column < 0) continue;
            ++made;
            // The lifted yarn: eight points around the boundary between wales c − 1 and c, in either direction.
            YarnLoop lifted;
            for (size_t i = 1; i < curves.count() && lifted.points.empty(); ++i) {
                const auto is = [&](size_t k, int wale) { return curves.courses[k] == r && curves.wales[k] == wale; };
                if ((is(i - 1, c - 1) && is(i, c)) || (is(i - 1, c) && is(i, c - 1)))
                    lifted.points.assign(curves.positions.begin() + static_cast<std::ptrdiff_t>(i) - 5,
                                         curves.positions.begin() + static_cast<std::ptrdiff_t>(i) + 5);
            }
            ASSERT_FALSE(lifted.points.empty());
            const auto upper = std::find_if(loops.begin(), loops.end(), [&](const YarnLoop& loop) {
                return loop.course == r + 1 && loop.wale == column;
            });
            ASSERT_NE(upper, loops.end());
            EXPECT_TRUE(isHeldBy(lifted, *upper)) << r << " " << c;
        }
    EXPECT_GT(made, 8);
}

// Existing wales keep their stitch, and the pattern continues at the sides.
TEST(Shaping, ribsGoOnThroughShaping) {
    const Courses courses(8, {{}, {{1, Shaping::made}, {8, Shaping::made}}, {{1, Shaping::joinsRight}}}, false);
    const std::vector<PatternStitch> stitches = expandPattern(builtInPattern("rib", ""), courses);
    std::string kinds;
    for (const PatternStitch& stitch : stitches) kinds += stitch.kind == StitchKind::knit ? 'k' : 'p';
    EXPECT_EQ(kinds.substr(0, 8), "kpkpkpkp");
    EXPECT_EQ(kinds.substr(8, 10), "kkpkpkpkpp");
    EXPECT_EQ(kinds.substr(18, 9), "kkkpkpkpp");
}

// A shaped knit is simulated like any cloth: it falls, hangs, and keeps its loops.
TEST(Shaping, aHangingSleeveKeepsItsLoops) {
    Knit knit = sheetOfWidth(16, 40, 20, sleeve);
    for (Vec3& p : knit.points) p *= 0.005f;
    knit.params = KnitParams();
    knit.params.motion = KnitMotion::simulated;
    knit.pins.clear();
    for (const Vec3 p : knit.points) knit.pins.push_back(p.y > 0.0999f ? 1.0f : 0.0f);
    Scene scene;
    scene.knits.push_back(knit);
    Simulator simulator(Device::cpu(2));
    simulator.reset(scene);
    for (int frame = 1; frame <= 8; ++frame) {
        const Curves& curves = simulator.advanceTo(scene, frame / 24.0).curves.at(0);
        EXPECT_TRUE(checkInterlocking(curves).loose.empty()) << frame;
    }
    // No point has left the fabric.
    for (const Vec3 p : simulator.frame().curves[0].positions) EXPECT_GT(p.y, -0.03f);
}

// Meshes that taper to a point, or are no wider than a stitch, are knitted with the minimum number of stitches.
TEST(Shaping, whatComesToAPointIsKnittedWithFewStitches) {
    for (const KnitShaping shaping : {KnitShaping::even, KnitShaping::sides}) {
        Knit cone = tubeOfRadius(24, 12, 12, [](float y) { return 4 - y / 3; });
        cone.params.shaping = shaping;
        EXPECT_LE(coursesOf(cone).wales(coursesOf(cone).count() - 1), 6);
        for (const Vec3 p : yarnsOf(cone).positions) ASSERT_TRUE(isFinite(p));
        Knit shred = sheetOfWidth(4, 8, 8, [](float y) { return 0.3f * y; });
        shred.params.shaping = shaping;
        EXPECT_EQ(coursesOf(shred).wales(0), 2);
        for (const Vec3 p : yarnsOf(shred).positions) ASSERT_TRUE(isFinite(p));
    }
    Knit flat = sheetOfWidth(4, 8, 8, [](float) { return 0.0f; });
    for (const Vec3 p : yarnsOf(flat).positions) ASSERT_TRUE(isFinite(p));
}

TEST(Shaping, threadsDoNotChangeABit) {
    const Knit knit = tubeOfRadius(48, 20, 20, coneRadius);
    const Curves one = yarnsOn(KnitFabric(Device::cpu(1), knit, knit.points), knit.points);
    const Curves many = yarnsOn(KnitFabric(Device::cpu(3), knit, knit.points), knit.points);
    EXPECT_EQ(one.positions, many.positions);
}

}  // namespace
}  // namespace purl

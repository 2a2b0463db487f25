#include "solver/knit/pattern.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"

namespace purl {
namespace {

template <class Parse>
std::string messageOf(Parse&& parse) {
    try {
        parse();
    } catch (const Error& error) { return error.what(); }
    return "";
}
std::string chartMessage(const std::string& text) {
    return messageOf([&] { parseChart(text, "my.chart"); });
}

std::string kindsOf(const std::vector<PatternStitch>& stitches) {
    std::string kinds;
    for (const PatternStitch& stitch : stitches) kinds += stitchOf(stitch.kind).symbol;
    return kinds;
}

TEST(Chart, lowestRowIsKnittedFirst) {
    const Pattern pattern = parseChart("p p p\nk k p\n", "a");
    EXPECT_EQ(pattern.rows, 2);
    EXPECT_EQ(pattern.columns, 3);
    EXPECT_EQ(kindsOf(pattern.stitches), "kkpppp");
}

TEST(Chart, partsInBracketsFillTheWidthBetweenEdges) {
    const Pattern pattern = parseChart("s [ k p ] o t", "a");
    EXPECT_EQ(kindsOf(expandPattern(pattern, Courses(1, 9))), "skpkpkpot");
    EXPECT_EQ(pattern.wholeColumns(10), 11);
}

TEST(Chart, rowsBetweenRulesRepeatAndTheOthersComeOnce) {
    const Pattern pattern = parseChart("s\n---\nk\np\n---\nt\n", "a");
    EXPECT_EQ(kindsOf(expandPattern(pattern, Courses(7, 1))), "tpkpkps");
}

TEST(Chart, yarnsHaveLettersAndColours) {
    const Pattern pattern = parseChart("# two yarns\nB = 0.5 0.25 1\nA B A\nB: p p p\n", "a");
    EXPECT_EQ(pattern.yarns(), 2);
    ASSERT_EQ(pattern.colors.size(), 2u);
    EXPECT_FALSE(pattern.colors[0]);
    EXPECT_EQ(*pattern.colors[1], (Vec3{0.5f, 0.25f, 1}));
    EXPECT_EQ(pattern.at(0, 2).yarn, 1);
    EXPECT_EQ(pattern.at(0, 2).kind, StitchKind::purl);
    EXPECT_EQ(pattern.at(1, 0).yarn, 0);
    EXPECT_EQ(pattern.at(1, 1).yarn, 1);
}

TEST(Chart, crossingsCarryStitchesOverEachOther) {
    const Pattern pattern = parseChart("k > > < k } { {", "a");
    const int shift[] = {0, 1, 1, -2, 0, 2, -1, -1};
    for (int c = 0; c < 8; ++c) EXPECT_EQ(pattern.at(0, c).shift, shift[c]) << c;
    EXPECT_TRUE(pattern.at(0, 1).inFront);
    EXPECT_FALSE(pattern.at(0, 3).inFront);
    EXPECT_FALSE(pattern.at(0, 5).inFront);
    EXPECT_TRUE(pattern.at(0, 6).inFront);
    // A crossing cut by the fabric's edge is left out.
    const auto cut = expandPattern(parseChart("> > < <", "a"), Courses(1, 6));
    EXPECT_EQ(cut[0].shift, 2);
    EXPECT_EQ(cut[4].shift, 0);
    EXPECT_EQ(cut[5].shift, 0);
}

TEST(Chart, errorsNameLineAndColumn) {
    EXPECT_EQ(chartMessage("k k\nk x\n"), "my.chart:2:3: \"x\" is not a stitch; use k p s t o / \\ > < } { or A to Z");
    EXPECT_EQ(chartMessage("k k\nk\n"), "my.chart:2:1: has 1 stitches where the row of line 1 has 2");
    EXPECT_EQ(chartMessage("k ]\n"), "my.chart:1:3: ] without a [ before it");
    EXPECT_EQ(chartMessage("[ k\n"), "my.chart:1:3: [ without a ] after it");
    EXPECT_EQ(chartMessage("k > k\n"),
              "my.chart:1:3: a crossing needs stitches to the right (>> or }}) and then to the left (<< or {{)");
    EXPECT_EQ(chartMessage("B = 0.5 2 1\nk\n"), "my.chart:1:9: a colour is three numbers from 0 to 1");
    EXPECT_EQ(chartMessage("# nothing\n"), "my.chart: the chart has no rows; a row is letters like k p k p");
    EXPECT_EQ(chartMessage("---\nk\n"), "my.chart: one --- is missing; put them above and below the rows that repeat");
    EXPECT_NE(messageOf([] { builtInPattern("argyle", "vest"); })
                  .find("vest: pattern \"argyle\" is not known; use "
                        "stockinette, reverseStockinette, garter"),
              std::string::npos);
}

TEST(Knitout, frontNeedlesKnitAndBackNeedlesPurl) {
    const Pattern pattern = parsePattern(
        ";!knitout-2\n;;Carriers: 1 2\nin 1\n"
        "knit + f1 1\nknit + b2 1\ntuck + f3 1\n"
        "miss - f3 1\nknit - b2 1\nknit - f1 1\n",
        "a.k");
    EXPECT_EQ(pattern.columns, 3);
    EXPECT_EQ(kindsOf(pattern.stitches), "kptkps");
    EXPECT_TRUE(pattern.notes.empty());
}

TEST(Knitout, transfersCarryLoops) {
    const Pattern pattern = parseKnitout(
        ";!knitout-2\n;;Carriers: 1\nknit + f1 1\nknit + f2 1\nknit + f3 1\n"
        "xfer f2 b2\nrack 1\nxfer b2 f3\nrack 0\n"  // two loops on needle 3
        "knit - f3 1\nknit - f2 1\nknit - f1 1\n",
        "a.k");
    EXPECT_EQ(pattern.rows, 2);
    EXPECT_EQ(pattern.at(1, 1).shift, 1);
    EXPECT_EQ(pattern.at(1, 0).shift, 0);
    EXPECT_EQ(pattern.at(1, 2).shift, 0);
}

TEST(Knitout, carriersAreYarnsAndWhatIsSkippedIsSaid) {
    const Pattern pattern = parseKnitout(
        ";!knitout-2\n;;Carriers: 1 2\ninhook 5\nx-stitch-number 40\nknit + f1 5\nknit + f2 6\nx-stitch-number 41\n"
        "drop f2\nknit - f1 5\n",
        "a.k");
    EXPECT_EQ(pattern.at(0, 0).yarn, 0);
    EXPECT_EQ(pattern.at(0, 1).yarn, 1);
    EXPECT_TRUE(pattern.at(1, 1).drops);
    ASSERT_EQ(pattern.notes.size(), 1u);
    EXPECT_EQ(pattern.notes[0], "a.k: skipped 2 × x-stitch-number, first in line 4");
}

TEST(Knitout, errorsNameLineAndColumn) {
    const auto message = [](const std::string& line) {
        return messageOf([&] { parseKnitout(";!knitout-2\n;;Carriers: 1\n" + line + "\n", "a.k"); });
    };
    EXPECT_EQ(message("knit + g1 1"), "a.k:3:8: \"g1\" is not a needle; use f5 or b5, for example");
    EXPECT_EQ(message("knit f1 1"), "a.k:3:9: knit needs a direction + or -, a needle and a carrier");
    EXPECT_EQ(message("xfer f1 f2"), "a.k:3:9: xfer goes from one bed to the other");
    EXPECT_EQ(message("xfer f1 b2"), "a.k:3:9: needles do not face each other at rack 0");
    EXPECT_EQ(message("in 1"), "a.k: has no stitches; a knitout file has lines like knit + f1 A");
}

// Regression: a file of a few bytes requested all available memory.
TEST(Knitout, boundsNeedlesAndStitchesBeforeMemoryIsTaken) {
    const auto message = [](const std::string& lines) {
        return messageOf([&] { parseKnitout(";!knitout-2\n;;Carriers: 1\n" + lines, "a.k"); });
    };
    EXPECT_EQ(message("knit + f-2147483648 1\nknit + f2147483647 1\n"),
              "a.k:3:8: needle f-2147483648 is beyond 100000; no machine is that wide");
    std::string wide;
    for (int course = 0; course < 100; ++course) wide += "knit + f1 1\nknit + f99999 1\n";
    EXPECT_EQ(message(wide), "a.k: 100 courses over needles 1 to 99999 are more than 4000000 stitches");
    EXPECT_EQ(message("rack 1e20\n"), "a.k:3:6: rack is beyond 100000");
    EXPECT_EQ(message("rack -2147483648\nxfer f1 b1\n"), "a.k:3:6: rack is beyond 100000");
    EXPECT_EQ(message("rack 2000\nknit + b1 1\nxfer b1 f2001\nknit + f2001 1\nknit + f2001 1\n"),
              "a.k: a loop is carried from needle 1 to 2001, farther than 1000 needles");
    std::string carriers;
    for (int k = 0; k <= 256; ++k) carriers += "knit + f1 c" + std::to_string(k) + "\n";
    EXPECT_NE(message(carriers).find("more than 256 carriers"), std::string::npos);
}

TEST(Chart, boundsStitchesAndCrossings) {
    const std::string row = std::string(1000, 'k') + "\n";
    std::string chart;
    for (int k = 0; k < 4001; ++k) chart += row;
    EXPECT_EQ(chartMessage(chart), "my.chart:4001:1: the chart has more than 4000000 stitches");
    EXPECT_EQ(chartMessage(std::string(600, '>') + std::string(600, '<') + "\n"),
              "my.chart:1:1: a crossing has at most 1000 stitches");
}

}  // namespace
}  // namespace purl

// Example scenes with knits: no yarn passes through another while they move.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "farm/playback.h"
#include "tests/solver/knit/interlock.h"

namespace purl {
namespace {

// Checks every frame from 1 to `last`, or every `stride`-th: more than `loops` loops, at most `most` of them loose.
void expectHeld(Playback& playback, int last, int loops, int stride = 1, size_t most = 0) {
    for (int number = 1; number <= last; number += stride) {
        int held = 0;
        for (const Curves& curves : playback.frame(number)->curves) {
            const Interlocking result = checkInterlocking(curves);
            for (const YarnLoop& loose : result.loose)
                if (result.loose.size() > most)
                    ADD_FAILURE() << playback.path() << " frame " << number << ": " << curves.name << ", course "
                                  << loose.course << ", wale " << loose.wale;
            held += result.loops;
        }
        EXPECT_GT(held, loops);
    }
}

std::string scene(const char* name) { return std::string(PURL_SOURCE_DIR) + "/scenes/" + name; }

// G-12
TEST(KnitScenes, swatchesKeepAllTheirLoops) {
    Playback playback(scene("knitSwatch.ma"));
    expectHeld(playback, 25, 2000, 4);
}

TEST(KnitScenes, shapedKnitsKeepAllTheirLoops) {
    Playback playback(scene("shapedKnits.ma"));
    expectHeld(playback, 1, 1600);
}

TEST(KnitScenes, theTubeKeepsAllItsLoops) {
    Playback playback(scene("knitTube.ma"));
    expectHeld(playback, 49, 1500, 12);
}

// Simulated: every frame of the fall, the impact and shortly after, with a knit and a ball of half the scene's size.
TEST(KnitScenes, theKnitOnTheBallKeepsAllItsLoops) {
    Playback playback(scene("knitOnSphere.ma"));
    for (const char* change : {"sheetPlane.width=22", "sheetPlane.height=22", "sheet.translateY=24", "ball.radius=6"})
        playback.set(change);
    expectHeld(playback, 16, 1000);
}

TEST(KnitScenes, theHangingKnitKeepsAllItsLoops) {
    Playback playback(scene("hangingKnit.ma"));
    expectHeld(playback, 9, 1500);
}

// G-12. Every frame of every scene with knits. Where the rim of a knit is folded by more than 90° within a stitch, as
// on the ball and below the jet, front and back of a stitch may swap places for a frame (docs/knitting.md, limits). On
// the ball one loop does; below the jet none, but one in the cast-on if the jet is 2 % faster or slower.
TEST(KnitScenes, nightlyAllOfThemKeepAllTheirLoopsToTheEnd) {
    const std::pair<const char*, int> all[] = {{"knitSwatch", 2000},  {"knitTube", 1500},     {"shapedKnits", 1600},
                                               {"hangingKnit", 1500}, {"knitOnSphere", 4000}, {"rainOnTube", 1000},
                                               {"jetOnKnit", 1000}};
    for (const auto& [name, loops] : all) {
        Playback playback(scene((std::string(name) + ".ma").c_str()));
        const bool folds = name == std::string("knitOnSphere") || name == std::string("jetOnKnit");
        expectHeld(playback, playback.playbackRange().last, loops, 1, folds ? 1 : 0);
    }
}

}  // namespace
}  // namespace purl

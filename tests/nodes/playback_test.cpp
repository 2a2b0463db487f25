// What an artist may expect of the timeline: rewinding, scrubbing, jumping, editing on the way, and cached playback.
#include <maya/MTimeRange.h>

#include "nodes/solverNode.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

class Timeline : public Nodes {
  protected:
    void SetUp() override {
        Nodes::SetUp();
        smallTank();
    }
    SolverNode& node() { return *static_cast<SolverNode*>(solver->user); }
    uint64_t hashAt(double frame) { return frameAt(frame)->stateHash; }
    std::vector<uint64_t> played(int last) {
        std::vector<uint64_t> hashes;
        for (int f = 1; f <= last; ++f) hashes.push_back(hashAt(f));
        return hashes;
    }
    // Times that the simulator began steps to since the last call, s.
    std::vector<double> steppedTo() { return std::exchange(stepped_, {}); }
    void watch() {
        node().onProgress([this](const Progress& progress) { stepped_.push_back(progress.until); });
    }
    // The frame that the solver's plug stands at, without making it compute.
    uint64_t shown() {
        const uint64_t hash = value<FrameData>(solver->plug("outFrame"))->stateHash;
        return hash;
    }

  private:
    std::vector<double> stepped_;
};

// --- start and rewind

TEST_F(Timeline, theStartFrameIsTheStart) {
    EXPECT_EQ(frameAt(1)->time, 0);
    solver->plug("startFrame").set(5);
    EXPECT_EQ(frameAt(5)->time, 0);
    EXPECT_NEAR(frameAt(6)->time, 1.0 / 24, 1e-12);
}

TEST_F(Timeline, beforeTheStartStandsTheStart) {
    const uint64_t start = hashAt(1);
    hashAt(4);
    EXPECT_EQ(hashAt(-20), start);
    EXPECT_EQ(hashAt(0.5), start);
}

TEST_F(Timeline, rewindingTakesUpWhatWasEditedMeanwhile) {
    const uint64_t start = hashAt(1), third = (hashAt(2), hashAt(3));
    fluid->plug("startVelocity").set(1, 0, 0);
    EXPECT_NE(hashAt(1), start);
    EXPECT_NE((hashAt(2), hashAt(3)), third);
}

// --- the same time, and times between frames

TEST_F(Timeline, theSameTimeAgainIsNotSimulatedAgain) {
    played(4);
    const uint64_t fourth = hashAt(4);
    watch();
    graph.dirty(solver->plug("bodies[0]"));
    EXPECT_EQ(shown(), fourth);
    EXPECT_TRUE(steppedTo().empty());
}

TEST_F(Timeline, timesBetweenFramesAreReached) {
    EXPECT_NEAR(frameAt(3.5)->time, 2.5 / 24, 1e-9);
    EXPECT_NEAR(frameAt(3.75)->time, 2.75 / 24, 1e-9);
    EXPECT_NEAR(frameAt(3.25)->time, 2.25 / 24, 1e-9) << "back to it";
}

// Motion blur asks for times around the frame.
TEST_F(Timeline, timesBetweenFramesDoNotChangeTheNextFrame) {
    const std::vector<uint64_t> hashes = played(6);
    hashAt(1);
    for (int f = 2; f <= 6; ++f) {
        if (f > 2) hashAt(f - 0.25);
        EXPECT_EQ(hashAt(f), hashes[size_t(f) - 1]) << f;
        hashAt(f + 0.25);
        hashAt(f + 0.5);
    }
    EXPECT_EQ(hashAt(6), hashes[5]) << "back to the frame itself";
}

TEST_F(Timeline, aTimeBetweenFramesDoesNotDependOnThoseAskedBefore) {
    hashAt(3);
    const uint64_t straight = hashAt(3.5);
    hashAt(3);
    hashAt(3.125);
    hashAt(3.25);
    EXPECT_EQ(hashAt(3.5), straight);
}

// --- scrubbing and jumping

TEST_F(Timeline, scrubbingBackGivesThePlayedBits) {
    const std::vector<uint64_t> hashes = played(14);
    for (const int f : {13, 12, 7, 6, 2, 14}) EXPECT_EQ(hashAt(f), hashes[size_t(f) - 1]) << f;
}

TEST_F(Timeline, scrubbingBackGoesOnFromAStateThatWasKept) {
    played(14);
    watch();
    hashAt(13);
    const std::vector<double> stepped = steppedTo();
    ASSERT_FALSE(stepped.empty());
    EXPECT_GT(stepped.front(), 10.0 / 24 - 1e-9) << "every tenth frame is kept";
}

TEST_F(Timeline, aJumpIsPlayedThrough) {
    const uint64_t twelfth = played(12).back();
    hashAt(1);
    EXPECT_EQ(hashAt(12), twelfth);
}

TEST_F(Timeline, aJumpBeyondTheLimitIsNotSimulated) {
    solver->plug("frameJumpLimit").set(2);
    const std::vector<uint64_t> hashes = played(3);
    const uint64_t fifth = hashAt(5);
    EXPECT_NE(fifth, hashes.back()) << "two frames are allowed";
    EXPECT_EQ(hashAt(8), fifth) << "three are not: the last frame stays";
    EXPECT_NE(hashAt(7), fifth) << "and goes on from there";
    hashAt(1);
    EXPECT_EQ(hashAt(2), hashes[1]) << "as it would have been played";
}

// --- edits on the way

TEST_F(Timeline, anEditChangesOnlyLaterFrames) {
    const std::vector<uint64_t> hashes = played(12);
    fluid->plug("viscosity").set(9);
    EXPECT_EQ(hashAt(11), hashes[10]) << "kept before the edit";
}

TEST_F(Timeline, aBodyThatIsNotDynamicFollowsItsMesh) {
    const NodePtr cloth = graph.create("purlCloth", "sheet"), shape = cube("patch", 4, 0, 60, 0);
    graph.connect(shape->plug("worldMesh[0]"), cloth->plug("inMesh"));
    graph.connect(cloth->plug("outBody"), solver->plug("bodies[2]"));
    cloth->plug("isDynamic").set(0);
    const NodePtr mesh = graph.create("purlClothMesh", "sheetMesh");
    graph.connect(solver->plug("outFrame"), mesh->plug("inFrame"));
    const auto lowest = [&](int f) {
        float low = 1e9f;
        for (const Mesh& m : frameAt(f)->meshes)
            for (const Vec3& p : m.positions) low = std::min(low, p.y);
        return low;
    };
    EXPECT_NEAR(lowest(1), 58, 1e-3);
    EXPECT_NEAR(lowest(4), 58, 1e-3) << "it does not fall";
    graph.find("patch")->plug("translateY").set(65);
    EXPECT_NEAR(lowest(5), 63, 1e-3) << "and goes where the mesh goes";
    cloth->plug("isDynamic").set(1);
    EXPECT_LT(lowest(8), 62.9f) << "until it is let go";
}

// --- cached playback, as Maya 2020 and later do it

TEST_F(Timeline, cachedPlaybackShowsThePlayedBitsInAnyOrderAndSimulatesNothing) {
    const std::vector<uint64_t> hashes = played(12);
    host::CachedPlayback cached(graph, {solver->plug("outFrame")});
    ASSERT_TRUE(cached.fill(1, 12));
    EXPECT_EQ(cached.frames().size(), 12u);
    watch();
    for (const int f : {12, 3, 7, 6, 5, 1, 11}) {
        ASSERT_TRUE(cached.show(f));
        EXPECT_EQ(shown(), hashes[size_t(f) - 1]) << f;
    }
    EXPECT_TRUE(steppedTo().empty());
    EXPECT_FALSE(cached.show(13));
}

TEST_F(Timeline, cachedPlaybackGoesOnFromTheStateOfTheFrameBefore) {
    const std::vector<uint64_t> hashes = played(8);
    host::CachedPlayback cached(graph, {solver->plug("outFrame")});
    ASSERT_TRUE(cached.fill(1, 6));
    graph.setFrame(1);
    shown();  // meanwhile the artist rewinds: the simulator forgets all it had
    watch();
    ASSERT_TRUE(cached.fill(7, 8));
    const std::vector<double> stepped = steppedTo();
    ASSERT_FALSE(stepped.empty());
    EXPECT_NEAR(stepped.front(), 6.0 / 24, 1e-9) << "frame 7 at once: 2 to 6 are not simulated again";
    ASSERT_TRUE(cached.show(8));
    EXPECT_EQ(shown(), hashes[7]);
}

TEST_F(Timeline, anEditInvalidatesFromItsTimeToTheEnd) {
    host::CachedPlayback cached(graph, {solver->plug("outFrame")});
    ASSERT_TRUE(cached.fill(1, 9));
    const auto at = [](double frame) { return MTime(frame, MTime::uiUnit()); };
    cached.invalidate(fluid->plug("viscosity"), MTimeRange(at(5), at(6)));
    EXPECT_EQ(cached.frames(), (std::vector<int>{1, 2, 3, 4}));
    const MTimeRange range = node().transformInvalidationRange(MPlug(), MTimeRange(at(5), at(6)));
    EXPECT_EQ(range.bounds().min, at(5));
    EXPECT_TRUE(range.intersects(at(1e9), at(1e9)));
    EXPECT_FALSE(range.intersects(at(1), at(4.9)));
    fluid->plug("viscosity").set(9);
    ASSERT_TRUE(cached.fill(1, 9));
    EXPECT_EQ(cached.frames().size(), 9u);
}

TEST_F(Timeline, foamIsCachedToo) {
    fluid->plug("startVelocity").set(0, -6, 0);
    const NodePtr foam = graph.create("purlFoam", "foam");
    graph.connect(solver->plug("outFrame"), foam->plug("inFrame"));
    foam->plug("minTurbulence").set(0.05);
    foam->plug("airRate").set(3000.0);
    const auto bubbles = [&] {
        const auto frame = value<FrameData>(foam->plug("outFrame"));
        return pointsOf(*frame, findBody(*frame, "waterFoam")).positions;
    };
    std::vector<Channel<Vec3>> live(1);
    for (int f = 1; f <= 5; ++f) {
        graph.setFrame(f);
        live.push_back(bubbles());
    }
    ASSERT_GT(live[5].size(), live[3].size());
    host::CachedPlayback cached(graph, {foam->plug("outFrame")});
    ASSERT_TRUE(cached.fill(1, 4));
    graph.setFrame(1);
    bubbles();
    ASSERT_TRUE(cached.fill(5, 5));
    for (const int f : {5, 3, 4}) {
        ASSERT_TRUE(cached.show(f));
        EXPECT_EQ(bubbles(), live[size_t(f)]) << f;
    }
}

// Solvers own all threads: no two of them, and no frame of one, at a time.
TEST_F(Timeline, nodesWithMemoryComputeOneAtATime) {
    for (const char* type : {"purlSolver", "purlFoam", "purlCache"})
        EXPECT_EQ(graph.create(type)->user->schedulingType(), MPxNode::kGloballySerial) << type;
    for (const char* type : {"purlFluid", "purlCloth", "purlPoints"})
        EXPECT_EQ(graph.create(type)->user->schedulingType(), MPxNode::kSerial) << type;
}

// Locators of plugins stand in the way of cached playback unless they say otherwise.
TEST_F(Timeline, aViewDoesNotStandInTheWayOfCachedPlayback) {
    const NodePtr view = graph.createWithParent("purlView", "view");
    graph.connect(solver->plug("outFrame"), view->plug("inFrame"));
    EXPECT_NO_THROW(host::CachedPlayback(graph, {view->plug("inFrame")}));
}

}  // namespace
}  // namespace purl

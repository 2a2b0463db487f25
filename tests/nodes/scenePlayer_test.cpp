// Playing a solver through Maya's API: its frame chain, caches with checkpoints, cancelling, and going back.
#include "nodes/scenePlayer.h"

#include <filesystem>

#include "nodes/cacheNode.h"
#include "solver/cache/stateFolder.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

class Player : public Nodes {
  protected:
    void SetUp() override {
        Nodes::SetUp();
        smallTank();
        std::filesystem::remove_all(target.directory);
        object = host::Api::make(solver);
    }
    ScenePlayer player() const { return {object, frameChain(object).end}; }
    NodePtr after(const NodePtr& node, const char* type) {
        const NodePtr next = graph.create(type);
        graph.connect(node->plug("outFrame"), next->plug("inFrame"));
        return next;
    }
    static std::vector<int> numbers(const std::string& directory) { return CacheReader(directory).frames(); }

    MObject object;
    // One folder per test: they run side by side.
    CacheTarget target{
        testing::TempDir() + "purl_scenePlayer_" + testing::UnitTest::GetInstance()->current_test_info()->name(),
        {"ply"},
        false,
        1,
        2};
};

TEST_F(Player, theChainEndsAtTheLastNodeThatPassesFramesOn) {
    EXPECT_EQ(frameChain(object).end.name(), MString("solver.outFrame"));
    const NodePtr played = after(solver, "purlCache");
    EXPECT_EQ(frameChain(object).end.name(), MString("solver.outFrame")) << "nothing follows the cache";
    EXPECT_EQ(nameOf(frameChain(object).cache), MString("purlCache1"));
    const NodePtr surface = after(played, "purlSurface");
    after(surface, "purlCache");
    EXPECT_EQ(frameChain(object).end.name(), MString("purlSurface1.outFrame"));
    EXPECT_EQ(nameOf(frameChain(object).cache), MString("purlCache2"));
    after(after(surface, "purlFoam"), "purlPoints");
    EXPECT_EQ(frameChain(object).end.name(), MString("purlFoam1.outFrame")) << "purlPoints passes nothing on";
}

TEST_F(Player, aCancelledRangeIsResumedToTheSameFiles) {
    const SceneSource source = openScene(object);
    CacheTarget whole = target;
    whole.directory += "Whole";
    ScenePlayer uninterrupted = player();
    uninterrupted.writeCache(source, whole);
    const auto all = [](int, const FrameFuture&) { return true; };
    EXPECT_EQ(uninterrupted.play({1, 6}, all).last, 6);
    {
        ScenePlayer first = player();
        first.writeCache(source, target);
        const auto played = first.play({1, 6}, [](int number, const FrameFuture&) { return number < 4; });
        EXPECT_TRUE(played.cancelled);
        EXPECT_EQ(played.last, 4);
    }
    EXPECT_EQ(numbers(target.directory), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(savedStates(target.directory), (std::vector<int>{1, 3, 4})) << "every second one, and the last";
    ScenePlayer second = player();
    second.writeCache(source, target);
    EXPECT_EQ(second.resume({1, 6}), 4);
    second.play({5, 6}, all);
    const Manifest a = CacheReader(whole.directory).manifest(), b = CacheReader(target.directory).manifest();
    EXPECT_EQ(encodeManifest(a), encodeManifest(b));
    EXPECT_EQ(savedStates(whole.directory), savedStates(target.directory));
    EXPECT_EQ(a.scenePath, source.path);
    EXPECT_FALSE(a.parameters.empty());
}

TEST_F(Player, framesBeforeTheFirstAreSimulatedButNotWritten) {
    target.first = 3;
    target.checkpoints.reset();
    ScenePlayer late = player();
    late.writeCache(openScene(object), target);
    EXPECT_EQ(late.nextFrame(3), 1);
    late.frame(3);
    late.finishCache();
    EXPECT_EQ(numbers(target.directory), std::vector<int>{3});
    EXPECT_TRUE(savedStates(target.directory).empty());
}

TEST_F(Player, goingBackContinuesFromAKeptState) {
    ScenePlayer kept = player();
    kept.keepStates(size_t(1) << 30);
    std::vector<uint64_t> hashes;
    for (int f = 1; f <= 6; ++f) hashes.push_back(kept.frame(f)->stateHash);
    std::vector<double> stepped;  // times that were simulated to, s
    kept.solver().onProgress([&](const Progress& at) { stepped.push_back(at.until); });
    EXPECT_EQ(kept.frame(4)->stateHash, hashes[3]);
    ASSERT_FALSE(stepped.empty());
    EXPECT_GT(stepped.front(), 2.5 / 24) << "from frame 3 on";
}

TEST_F(Player, anEditContinuesFromTheStateBeforeIt) {
    ScenePlayer edited = player();
    edited.keepStates(size_t(1) << 30);
    const uint64_t sixth = edited.frame(6)->stateHash, third = edited.frame(3)->stateHash;
    fluid->plug("viscosity").set(20);
    EXPECT_EQ(edited.continueBefore(4), 3);
    EXPECT_EQ(edited.nextFrame(6), 4);
    EXPECT_NE(edited.frame(6)->stateHash, sixth);
    EXPECT_EQ(edited.continueBefore(1), std::nullopt) << "no state is before the start";
    EXPECT_NE(edited.frame(3)->stateHash, third) << "the edit takes effect from the start";
}

TEST_F(Player, aCancelledFrameIsNotAnError) {
    after(solver, "purlSurface");
    ScenePlayer cancelled = player();
    cancelled.frame(1);
    cancelled.solver().onCancel([] { return true; });
    EXPECT_THROW(cancelled.frame(2), Cancelled);
    cancelled.solver().onCancel({});
    EXPECT_NO_THROW(cancelled.frame(2));
}

}  // namespace
}  // namespace purl

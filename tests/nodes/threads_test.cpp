// Purl's nodes under the evaluation manager and cached playback: computed by several threads, and in the background
// while the foreground computes, edits nothing and reads.
#include <maya/MComputation.h>

#include <filesystem>
#include <thread>

#include "nodes/cacheNode.h"
#include "nodes/solverNode.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

class Threads : public Nodes {
  protected:
    // The tank with everything that shows it.
    void SetUp() override {
        Nodes::SetUp();
        smallTank();
        cache = graph.create("purlCache", "cache");
        graph.connect(solver->plug("outFrame"), cache->plug("inFrame"));
        graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
        for (int i = 0; i < 3; ++i) {
            const NodePtr node = graph.create("purlPoints", "points" + std::to_string(i));
            graph.connect(cache->plug("outFrame"), node->plug("inFrame"));
            graph.connect(fluid->plug("outBody"), node->plug("inBody"));
            shown.push_back(node->plug("outPositions"));
        }
        const NodePtr foam = graph.create("purlFoam", "foam");
        graph.connect(cache->plug("outFrame"), foam->plug("inFrame"));
        shown.push_back(foam->plug("outFrame"));
        shown.push_back(solver->plug("outFrame"));
    }
    uint64_t hash() { return value<FrameData>(solver->plug("outFrame"))->stateHash; }
    std::vector<uint64_t> played(int last) {
        std::vector<uint64_t> hashes;
        for (int f = 1; f <= last; ++f) {
            graph.setFrame(f);
            hashes.push_back(hash());
        }
        return hashes;
    }
    NodePtr cache;
    std::vector<Plug> shown;
};

TEST_F(Threads, parallelEvaluationGivesTheSameBits) {
    const std::vector<uint64_t> hashes = played(5);
    for (int f = 1; f <= 5; ++f) {
        graph.setFrame(f);
        EXPECT_EQ(host::evaluateParallel(graph, shown, 4), host::Result::Done);
        EXPECT_EQ(hash(), hashes[size_t(f) - 1]) << f;
    }
    EXPECT_TRUE(errors.empty()) << errors.front();
}

// The artist scrubs and reads statistics while Maya fills its cache.
TEST_F(Threads, theBackgroundFillsItsCacheWhileTheForegroundScrubs) {
    const std::vector<uint64_t> hashes = played(8);
    graph.setFrame(1);
    hash();
    host::CachedPlayback cached(graph, shown);
    auto filled = cached.fillInBackground(1, 8);
    auto& node = *static_cast<SolverNode*>(solver->user);
    for (const int f : {1, 4, 2, 6, 3, 3, 5, 1, 7}) {
        graph.setFrame(f);
        EXPECT_EQ(hash(), hashes[size_t(f) - 1]) << f;
        const auto result = node.result();
        ASSERT_NE(result, nullptr);
        EXPECT_GE(result->frame.time, 0);
        const auto state = node.state();
        ASSERT_NE(state, nullptr);
        EXPECT_NEAR(state->time, (f - 1) / 24.0, 1e-9) << "of the frame shown";
    }
    EXPECT_TRUE(filled.get());
    EXPECT_EQ(cached.frames().size(), 8u);
    for (int f = 8; f >= 1; --f) {
        ASSERT_TRUE(cached.show(f));
        EXPECT_EQ(hash(), hashes[size_t(f) - 1]) << f;
    }
    EXPECT_TRUE(errors.empty()) << errors.front();
}

// purlCache reads from disk for both at once.
TEST_F(Threads, aCacheIsReadByForegroundAndBackground) {
    const std::string folder = testing::TempDir() + "threadsCache";
    std::filesystem::remove_all(folder);
    cache->plug("directory").setFromText(folder);
    cache->plug("mode").setFromText("write");
    std::vector<uint64_t> hashes;
    const auto passed = [&] { return value<FrameData>(cache->plug("outFrame"))->stateHash; };
    for (int f = 1; f <= 6; ++f) {
        graph.setFrame(f);
        hashes.push_back(passed());
    }
    EXPECT_THROW(host::CachedPlayback(graph, {cache->plug("outFrame")}), host::Error) << "while it writes";
    cache->plug("mode").setFromText("read");
    solver->plug("playFromCache").set(1);
    host::CachedPlayback cached(graph, shown);
    auto filled = cached.fillInBackground(1, 6);
    for (const int f : {6, 1, 5, 2, 4, 3, 6, 1}) {
        graph.setFrame(f);
        EXPECT_EQ(value<FrameData>(cache->plug("outFrame"))->time, (f - 1) / 24.0);
    }
    EXPECT_TRUE(filled.get());
    EXPECT_TRUE(errors.empty()) << errors.front();
}

// The host reports an MComputation that is used outside of the main thread, which hangs Maya.
TEST_F(Threads, theBackgroundDoesNotOpenAComputation) {
    host::CachedPlayback cached(graph, {solver->plug("outFrame")});
    EXPECT_TRUE(cached.fillInBackground(1, 3).get());
    EXPECT_TRUE(errors.empty()) << errors.front();
}

}  // namespace
}  // namespace purl

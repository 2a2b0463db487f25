// What the nodes tell cached playback, and what other threads may read while a frame is computed.
#include <maya/MCacheSchema.h>
#include <maya/MDagPath.h>
#include <maya/MEvaluationNode.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>

#include <future>

#include "nodes/mayaYear.h"
#include "nodes/solverNode.h"
#include "nodes/viewNode.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

class CacheSetup : public Nodes {
  protected:
    struct Answer {
        bool disabled = false, simulates = false, wanted = false;
        std::vector<std::string> monitored, cached;
    };
    Answer ask(const NodePtr& node) {
        MNodeCacheDisablingInfo disabling;
        MNodeCacheSetupInfo setup;
        MObjectArray monitored;
        MCacheSchema schema;
        const MEvaluationNode evaluated = host::Api::evaluationNode({});
        node->user->getCacheSetup(evaluated, disabling, setup, monitored);
        node->user->configCache(evaluated, schema);
        Answer answer{disabling.getCacheDisabled(),
                      setup.getRequirement(MNodeCacheSetupInfo::kSimulationSupport),
                      setup.getPreference(MNodeCacheSetupInfo::kWantToCacheByDefault),
                      {},
                      {}};
        for (unsigned i = 0; i < monitored.length(); ++i)
            answer.monitored.push_back(host::Api::attr(monitored[i])->name);
        for (const MObject& attribute : host::Api::attributes(schema))
            answer.cached.push_back(host::Api::attr(attribute)->name);
        return answer;
    }
};

TEST_F(CacheSetup, aCacheThatWritesRefusesCachedPlayback) {
    const NodePtr cache = graph.create("purlCache", "cache");
    EXPECT_FALSE(ask(cache).disabled);
    cache->plug("mode").setFromText("read");
    EXPECT_FALSE(ask(cache).disabled);
    cache->plug("mode").setFromText("write");
    EXPECT_TRUE(ask(cache).disabled) << "frames would be written ahead of the current one";
    EXPECT_EQ(ask(cache).monitored, std::vector<std::string>{"mode"});
}

TEST_F(CacheSetup, theSolverSimulatesWhileItIsOnAndNotCached) {
    smallTank();
    EXPECT_TRUE(ask(solver).simulates);
    EXPECT_TRUE(ask(solver).wanted);
    EXPECT_EQ(ask(solver).monitored, (std::vector<std::string>{"enable", "playFromCache"}));
    solver->plug("playFromCache").set(1);
    EXPECT_FALSE(ask(solver).simulates);
    solver->plug("playFromCache").set(0);
    solver->plug("enable").set(0);
    EXPECT_FALSE(ask(solver).simulates);
}

// 216 particles take some 100 kB a frame: a range of a million frames would take more than the limit.
TEST_F(CacheSetup, aSimulationThatWouldFillTheMemoryRefusesCachedPlayback) {
    smallTank();
    frameAt(1);
    const double bytes = dynamic_cast<const MemoryNode*>(solver->user)->bytesPerFrame();
    EXPECT_GT(bytes, 216 * 24) << "positions and velocities at least";
    EXPECT_FALSE(ask(solver).disabled);
    graph.maxTicks = graph.minTicks + graph.units.ticksPerFrame * 2 * kMaxCachedBytes / bytes;
    EXPECT_TRUE(ask(solver).disabled);
}

TEST_F(CacheSetup, aViewKeepsWhatItDraws) {
    const NodePtr view = graph.createWithParent("purlView");
    EXPECT_FALSE(ask(view).disabled);
    EXPECT_TRUE(ask(view).wanted);
    EXPECT_EQ(ask(view).cached, std::vector<std::string>{"inFrame"});
}

TEST_F(CacheSetup, theBoundsOfAViewAreInItsOwnSpace) {
    smallTank();
    const NodePtr shape = graph.createWithParent("purlView");
    graph.connect(solver->plug("outFrame"), shape->plug("inFrame"));
    const auto& view = *dynamic_cast<const ViewNode*>(shape->user);
    const MPoint before = view.boundingBox().center();
    host::NodePtr transform = graph.find(graph.dagName(shape))->parents[0]->ptr();
    transform->plug("translate").set(100, 0, 0);
    transform->plug("scale").set(2, 2, 2);
    EXPECT_NEAR(view.worldBounds().center().x, before.x, 1e-6) << "the frame stays where it is";
    EXPECT_NEAR(view.boundingBox().center().x, (before.x - 100) / 2, 1e-6);
}

// --- readers of the simulator

TEST_F(CacheSetup, theLastFrameIsReadWithoutWaitingForTheNext) {
    smallTank();
    auto& node = *static_cast<SolverNode*>(solver->user);
    EXPECT_EQ(node.result(), nullptr);
    frameAt(2);
    const auto second = node.result();
    ASSERT_NE(second, nullptr);
    EXPECT_NEAR(second->frame.time, 1.0 / 24, 1e-9);
    EXPECT_EQ(second->scene.fluids.at(0).name, "water");
    EXPECT_FALSE(second->timings.empty());
    std::vector<double> seen;
    node.onProgress([&](const Progress&) {
        // Another thread reads while this one computes frame 3.
        seen.push_back(std::async(std::launch::async, [&] { return node.result()->frame.time; }).get());
    });
    frameAt(3);
    ASSERT_FALSE(seen.empty());
    for (const double time : seen) EXPECT_NEAR(time, 1.0 / 24, 1e-9) << "a whole frame, never half a one";
    EXPECT_NEAR(second->frame.time, 1.0 / 24, 1e-9) << "copies do not change";
    EXPECT_NEAR(node.result()->frame.time, 2.0 / 24, 1e-9);
}

TEST_F(CacheSetup, theStateIsThatOfTheCurrentTimeWhateverWasSimulatedSince) {
    smallTank();
    auto& node = *static_cast<SolverNode*>(solver->user);
    frameAt(2);
    const auto state = node.state();
    ASSERT_NE(state, nullptr);
    EXPECT_NEAR(state->time, 1.0 / 24, 1e-9);
    frameAt(3);
    EXPECT_NEAR(node.state()->time, 2.0 / 24, 1e-9);
    EXPECT_NEAR(state->time, 1.0 / 24, 1e-9);
}

TEST_F(CacheSetup, filesAreListedForArchives) {
    smallTank();
    solver->plug("initialState").setFromText("/tmp/start.purl");
    const MStringArray files = solver->user->getFilesToArchive();
    ASSERT_EQ(files.length(), 1u);
    EXPECT_STREQ(files[0].asChar(), "/tmp/start.purl");
    EXPECT_TRUE(solver->find("initialState")->usedAsFilename);
    EXPECT_TRUE(graph.create("purlCache")->find("directory")->usedAsFilename);
}

}  // namespace
}  // namespace purl

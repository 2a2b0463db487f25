// The player: frames simulated on its thread, edits that take effect from the right frame, and unchanged results.
#include "app/view/player.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace purl {
namespace {

const std::string kScene = PURL_SOURCE_DIR "/scenes/damBreak.ma";

// The dam break with a few hundred particles: milliseconds per frame.
class Coarse {
  public:
    explicit Coarse(const std::string& source = kScene) : player(source, [] {}) {
        player.set("water", "particleSpacing", "5");
        player.wait();
    }
    uint64_t hash(int frame) { return player.moment(frame)->frame->stateHash; }
    void simulateTo(int frame) {
        player.simulateTo(frame);
        player.wait();
    }

    Player player;
};

// Whether the condition holds within a minute, 100 times as long as any of these takes.
template <class Condition>
bool withinAMinute(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

bool isSimulated(const Player& player, int frame) {
    return withinAMinute([&] { return player.moment(frame) != nullptr; });
}

std::string valueOf(const Player& player, const std::string& node, const std::string& attribute) {
    const PanelState state = player.state();
    for (const PanelNode& each : *state.nodes)
        if (each.name == node)
            if (const PanelAttribute* row = each.find(attribute)) return row->value;
    return "none";
}

TEST(Player, framesEqualThoseOfPlayback) {
    Coarse coarse;
    coarse.simulateTo(4);
    Playback playback(kScene);
    playback.writeNothing();
    playback.set("water.particleSpacing=5");
    for (int frame = 1; frame <= 4; ++frame) EXPECT_EQ(coarse.hash(frame), playback.frame(frame)->stateHash);
    const PanelState state = coarse.player.state();
    EXPECT_EQ(state.activity, PanelActivity::idle);
    EXPECT_EQ(state.samples.size(), 4u);
    EXPECT_GT(state.samples.back().waterMass, 0);
    EXPECT_FALSE(state.phases.empty());
    EXPECT_EQ(state.frames[3], PanelFrame::upToDate);
    EXPECT_EQ(state.frames[4], PanelFrame::missing);
}

TEST(Player, anEditTakesEffectAtTheFrameLookedAt) {
    Coarse coarse;
    coarse.simulateTo(5);
    const uint64_t third = coarse.hash(3), fifth = coarse.hash(5);
    coarse.player.look(4);
    coarse.player.set("water", "viscosity", "20");
    coarse.player.wait();
    EXPECT_EQ(valueOf(coarse.player, "water", "viscosity"), "20");
    EXPECT_EQ(coarse.hash(3), third) << "frames before the edit stay";
    EXPECT_EQ(coarse.player.state().frames[2], PanelFrame::stale);
    coarse.simulateTo(5);
    EXPECT_NE(coarse.hash(5), fifth);
    EXPECT_TRUE(coarse.player.state().changed);

    // The same as a playback with the value set at that frame.
    Playback playback(kScene);
    playback.writeNothing();
    playback.set("water.particleSpacing=5");
    playback.frame(3);
    playback.set("water.viscosity=20");
    EXPECT_EQ(coarse.hash(5), playback.frame(5)->stateHash);
}

TEST(Player, undoBringsTheOldFramesBack) {
    Coarse coarse;
    coarse.player.editFrom(EditFrom::start);
    coarse.simulateTo(3);
    const uint64_t before = coarse.hash(3);
    coarse.player.set("solver", "gravity", "3");
    coarse.simulateTo(3);
    EXPECT_NE(coarse.hash(3), before);
    coarse.player.undo();
    coarse.player.wait();
    EXPECT_EQ(valueOf(coarse.player, "solver", "gravity"), "9.81");
    coarse.simulateTo(3);
    EXPECT_EQ(coarse.hash(3), before);
    coarse.player.redo();
    coarse.player.wait();
    EXPECT_EQ(valueOf(coarse.player, "solver", "gravity"), "3");
}

// Values and commands are undone in the order they were made; a command that fails leaves everything as it was.
TEST(Player, commandsAreUndoneAmongValues) {
    Coarse coarse;
    coarse.simulateTo(2);
    const uint64_t before = coarse.hash(2);
    coarse.player.editFrom(EditFrom::start);
    coarse.player.set("water", "viscosity", "3");
    coarse.player.run([](host::Session& session) {
        session.command("delete", {"pillarSolid"});
        session.command("polySphere", {"-name", "ball"});
        return std::string("ball");
    });
    coarse.player.set("water", "viscosity", "4");
    coarse.simulateTo(2);
    EXPECT_NE(coarse.hash(2), before);
    EXPECT_EQ(coarse.player.created().first, "ball");
    EXPECT_EQ(valueOf(coarse.player, "pillarSolid", "friction"), "none");
    coarse.player.undo();
    coarse.player.undo();
    coarse.player.wait();
    EXPECT_EQ(valueOf(coarse.player, "pillarSolid", "friction"), "0.1");
    EXPECT_EQ(valueOf(coarse.player, "water", "viscosity"), "3");
    coarse.player.run([](host::Session& session) {
        session.command("delete", {"tankWalls"});
        session.command("delete", {"nothing"});
        return std::string();
    });
    coarse.player.wait();
    EXPECT_NE(coarse.player.error().find("nothing"), std::string::npos);
    EXPECT_EQ(valueOf(coarse.player, "tankWalls", "shape"), "box");
    coarse.player.undo();
    coarse.simulateTo(2);
    EXPECT_EQ(coarse.hash(2), before);
    EXPECT_EQ(coarse.player.error(), "");
}

// A cache can be made again from its scene file and assignments only.
TEST(Player, aSceneWithNewNodesIsSavedBeforeItIsCached) {
    const std::string folder = testing::TempDir() + "purl_view_unsaved", path = folder + ".ma";
    std::filesystem::remove_all(folder);
    Coarse coarse;
    coarse.player.setRange({1, 2});
    coarse.player.run([](host::Session& session) {
        session.command("delete", {"pillarSolid"});
        return std::string();
    });
    coarse.player.writeCache(folder);
    coarse.player.wait();
    EXPECT_NE(coarse.player.error().find("save the scene first"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder));
    coarse.player.save(path);
    coarse.player.writeCache(folder);
    coarse.player.wait();
    EXPECT_EQ(coarse.player.error(), "");
    const CacheReader reader(folder);
    EXPECT_EQ(reader.frames(), (std::vector<int>{1, 2}));
    EXPECT_EQ(reader.manifest().scenePath, path);
    EXPECT_TRUE(reader.manifest().run.assignments.empty());
}

TEST(Player, aWrongValueIsAMessageAndChangesNothing) {
    Coarse coarse;
    coarse.simulateTo(2);
    const uint64_t before = coarse.hash(2);
    coarse.player.set("water", "viscosity", "-1");
    coarse.player.wait();
    const PanelState state = coarse.player.state();
    EXPECT_EQ(state.messages.back().severity, PanelSeverity::error);
    EXPECT_NE(state.messages.back().text.find("viscosity"), std::string::npos);
    EXPECT_EQ(valueOf(coarse.player, "water", "viscosity"), "0.5");
    EXPECT_EQ(coarse.hash(2), before);
}

// Whatever the moment, an edit interrupts the frame being simulated without a message, and the result is that of a
// playback with the same edits at the same frames.
TEST(Player, editsAtTenMomentsOfARunningSimulation) {
    constexpr int kLast = 72, kEdits = 10;
    Player player(kScene, [] {});
    player.set("water", "particleSpacing", "3.5");  // about 10 ms a frame, so that most edits come within a frame
    player.wait();
    std::mt19937 random(7);
    // In ms. Ten pauses are far from the length of 72 frames, also on a faster machine.
    std::uniform_real_distribution<double> pause(0, 25);
    int frame = 2;
    std::vector<std::pair<int, std::string>> edits;  // frame and assignment
    for (int edit = 0; edit < kEdits; ++edit) {
        player.simulateTo(kLast);
        ASSERT_TRUE(isSimulated(player, frame)) << "frame " << frame << " is missing after a minute";
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(pause(random)));
        while (frame < kLast && player.moment(frame + 1)) ++frame;
        ASSERT_LT(frame, kLast) << "the simulation is over before edit " << edit;
        player.look(frame);
        const MomentPtr before = player.moment(frame);
        const std::string value = std::to_string(1 + edit);
        const bool gravity = edit % 2;
        player.set(gravity ? "solver" : "water", gravity ? "gravity" : "viscosity", value);
        edits.emplace_back(frame, (gravity ? "solver.gravity=" : "water.viscosity=") + value);
        // The edit takes effect at the frame that is current when the player gets to it.
        ASSERT_TRUE(withinAMinute([&] { return player.moment(frame) != before; })) << "edit " << edit;
    }
    player.wait();
    Playback playback(kScene);
    playback.writeNothing();
    playback.set("water.particleSpacing=3.5");
    int played = 0;
    for (const auto& [at, assignment] : edits) {
        // Playing the start frame again would restart with the edits so far.
        if (at - 1 > played) playback.frame(played = at - 1);
        playback.set(assignment);
    }
    const PanelState state = player.state();
    for (const PanelMessage& message : state.messages) EXPECT_EQ(message.severity, PanelSeverity::note) << message.text;
    EXPECT_EQ(valueOf(player, "water", "viscosity"), "9");
    EXPECT_EQ(valueOf(player, "solver", "gravity"), "10");
    ASSERT_TRUE(player.moment(kLast)) << "playback stopped at an edit";
    EXPECT_EQ(player.moment(kLast)->frame->stateHash, playback.frame(kLast)->stateHash);
}

TEST(Player, editsOfARunningSimulationThatApplyFromTheStartGiveAFreshRun) {
    Player player(kScene, [] {});
    player.set("water", "particleSpacing", "3.5");
    player.editFrom(EditFrom::start);
    std::mt19937 random(8);
    std::uniform_real_distribution<double> pause(0, 60);  // ms
    for (int edit = 0; edit < 10; ++edit) {
        player.simulateTo(8);
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(pause(random)));
        player.set("pillarSolid", "friction", std::to_string(0.05 * edit));
    }
    player.wait();
    for (const PanelMessage& message : player.state().messages)
        EXPECT_EQ(message.severity, PanelSeverity::note) << message.text;
    Playback playback(kScene);
    playback.writeNothing();
    playback.set("water.particleSpacing=3.5");
    playback.set("pillarSolid.friction=" + std::to_string(0.05 * 9));
    for (int frame = 1; frame <= 8; ++frame) {
        ASSERT_TRUE(player.moment(frame));
        EXPECT_EQ(player.moment(frame)->frame->stateHash, playback.frame(frame)->stateHash) << "frame " << frame;
    }
}

TEST(Player, undoingWhatWasSavedIsAChange) {
    Coarse coarse;
    coarse.player.run([](host::Session& session) {
        session.command("delete", {"pillarSolid"});
        return std::string();
    });
    coarse.player.save(testing::TempDir() + "purl_view_undone.ma");
    coarse.player.wait();
    EXPECT_FALSE(coarse.player.state().changed);
    coarse.player.undo();
    coarse.player.wait();
    EXPECT_TRUE(coarse.player.state().changed) << "the file lacks pillarSolid, the scene has it";
}

TEST(Player, cancelKeepsWholeFramesAndSimulationContinuesLater) {
    Player player(kScene, [] {});  // 18,000 particles: a frame takes long enough to interrupt
    player.simulateTo(72);
    ASSERT_TRUE(isSimulated(player, 1)) << "frame 1 is missing after a minute";
    player.cancel();
    player.wait();
    EXPECT_FALSE(player.moment(72));
    EXPECT_EQ(player.state().activity, PanelActivity::idle);
    const uint64_t first = player.moment(1)->frame->stateHash;
    player.simulateTo(2);
    player.wait();
    EXPECT_EQ(player.moment(1)->frame->stateHash, first);
    EXPECT_TRUE(player.moment(2));
}

// Dropped frames are not simulated over and over, but again when they are shown.
TEST(Player, framesBeyondTheMemoryLimitAreDroppedAndSimulatedAgain) {
    Coarse coarse;
    coarse.simulateTo(1);
    const uint64_t first = coarse.hash(1);
    coarse.player.keepAtMost(1);  // 1 byte: at most two frames are kept
    coarse.player.look(6);
    coarse.simulateTo(6);
    EXPECT_FALSE(coarse.player.moment(1));
    EXPECT_TRUE(coarse.player.moment(6));
    EXPECT_EQ(coarse.player.state().samples.size(), 6u);
    coarse.player.look(1);
    coarse.player.wait();
    ASSERT_TRUE(coarse.player.moment(1));
    EXPECT_EQ(coarse.hash(1), first);
}

TEST(Player, aCacheWithoutItsSceneIsReadOnly) {
    const std::string folder = testing::TempDir() + "purl_view_orphan", scene = folder + ".ma";
    std::filesystem::remove_all(folder);
    std::filesystem::copy_file(kScene, scene, std::filesystem::copy_options::overwrite_existing);
    {
        Playback playback(scene);
        playback.set("water.particleSpacing=5");
        CacheTarget target;
        target.directory = folder;
        target.formats = {"mcx"};
        playback.writeCache(target);
        playback.frame(1);
        playback.finishCache();
    }
    std::filesystem::remove(scene);
    Player player(folder, [] {});
    player.set("water", "viscosity", "3");
    player.save(scene);
    player.openCache("");
    player.wait();
    EXPECT_EQ(player.state().messages.back().severity, PanelSeverity::error);
    EXPECT_NE(player.state().messages.back().text.find("only a cache is open"), std::string::npos);
    player.simulateTo(1);
    player.wait();
    EXPECT_TRUE(player.moment(1));
}

TEST(Player, writesACacheAndShowsIt) {
    const std::string folder = testing::TempDir() + "purl_view_cache";
    std::filesystem::remove_all(folder);
    uint64_t live = 0;
    {
        Coarse coarse;
        coarse.player.set("solver", "maxParticles", "100000");
        coarse.player.cancel();
        coarse.player.writeCache(folder);
        ASSERT_TRUE(isSimulated(coarse.player, 6)) << "frame 6 is missing after a minute";
        coarse.player.cancel();
        coarse.player.wait();
        live = coarse.hash(6);
        EXPECT_EQ(coarse.player.state().caches.size(), 1u);
    }
    Player player(folder, [] {});
    player.simulateTo(6);
    player.wait();
    const PanelState state = player.state();
    EXPECT_FALSE(state.editable);
    EXPECT_EQ(state.firstFrame, 1);
    EXPECT_GE(state.lastFrame, 6);
    EXPECT_GE(state.samples.size(), 6u) << "the manifest has the statistics of all frames";
    EXPECT_EQ(player.moment(6)->frame->stateHash, live);
    EXPECT_FALSE(player.moment(6)->around.solids.empty()) << "the pillar belongs to the scene";
    player.openCache("");
    player.wait();
    EXPECT_TRUE(player.state().editable);
}

// A list of frames, of which one is damaged.
TEST(Player, framesThatACacheLacksDoNotHideTheOthers) {
    const std::string folder = testing::TempDir() + "purl_view_gaps";
    std::filesystem::remove_all(folder);
    {
        Playback playback(kScene);
        playback.set("water.particleSpacing=5");
        CacheTarget target;
        target.directory = folder;
        target.formats = {"ply"};
        for (const int number : {1, 3, 5, 7}) target.frames.add(number);
        playback.writeCache(target);
        playback.frame(7);
        playback.finishCache();
    }
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().filename().string().find("0005") != std::string::npos) std::filesystem::remove(file.path());
    Player player(folder, [] {});
    player.simulateTo(7);
    player.wait();
    for (const int number : {1, 3, 7}) EXPECT_TRUE(player.moment(number)) << "frame " << number;
    for (const int number : {2, 4, 5, 6}) EXPECT_TRUE(player.isAbsent(number)) << "frame " << number;
    bool said = false;
    for (const PanelMessage& message : player.state().messages)
        said = said || message.text.find("0005") != std::string::npos;
    EXPECT_TRUE(said) << "the missing file is named";
}

TEST(Player, aSceneIsNotEditedWhileACacheIsOpen) {
    const std::string folder = testing::TempDir() + "purl_view_closed";
    std::filesystem::remove_all(folder);
    Coarse coarse;
    coarse.player.setRange({1, 2});
    coarse.player.writeCache(folder);
    coarse.player.wait();
    coarse.player.openCache(folder);
    coarse.player.run([](host::Session& session) {
        session.command("delete", {"pillarSolid"});
        return std::string();
    });
    coarse.player.wait();
    EXPECT_NE(coarse.player.error().find("a cache is open"), std::string::npos);
    coarse.player.set("water", "viscosity", "7");
    coarse.player.undo();
    coarse.player.openCache("");
    coarse.player.wait();
    EXPECT_EQ(valueOf(coarse.player, "pillarSolid", "friction"), "0.1");
    EXPECT_EQ(valueOf(coarse.player, "water", "viscosity"), "0.5");
    EXPECT_EQ(valueOf(coarse.player, "water", "particleSpacing"), "5");
}

TEST(Player, anEditThatEndsTheWritingOfACacheIsReported) {
    const std::string folder = testing::TempDir() + "purl_view_edited";
    std::filesystem::remove_all(folder);
    Coarse coarse;
    Player& player = coarse.player;
    player.setRange({1, 400});  // takes seconds
    player.writeCache(folder);
    ASSERT_TRUE(isSimulated(player, 2)) << "frame 2 is missing after a minute";
    player.set("water", "viscosity", "7");
    player.cancel();
    player.wait();
    const size_t frames = CacheReader(folder).frames().size();
    EXPECT_GE(frames, 2u);
    EXPECT_LT(frames, 400u);
    std::string said;
    for (const PanelMessage& message : player.state().messages)
        if (message.severity == PanelSeverity::warning) said += message.text;
    EXPECT_NE(said.find(folder + ": frames 1 to " + std::to_string(frames) + " written of 1 to 400"), std::string::npos)
        << said;
}

TEST(Player, aFinishedCacheIsNotReplacedByTheNext) {
    const std::string folder = testing::TempDir() + "purl_view_versions";
    for (const char* version : {"", "_v002"}) std::filesystem::remove_all(folder + version);
    Coarse coarse;
    coarse.player.setRange({1, 2});
    coarse.player.writeCache(folder);
    coarse.player.wait();
    coarse.player.setRange({1, 1});
    coarse.player.writeCache(folder);
    coarse.player.wait();
    EXPECT_EQ(coarse.player.error(), "");
    EXPECT_EQ(CacheReader(folder).frames(), (std::vector<int>{1, 2}));
    EXPECT_EQ(CacheReader(folder + "_v002").frames(), (std::vector<int>{1}));
    EXPECT_NE(coarse.player.state().messages.back().text.find("_v002"), std::string::npos);
}

TEST(Player, savesWhatWasEdited) {
    const std::string path = testing::TempDir() + "purl_view_saved.ma";
    Coarse coarse;
    coarse.player.set("water", "viscosity", "7");
    coarse.player.save(path);
    coarse.player.wait();
    EXPECT_FALSE(coarse.player.state().changed);
    Player again(path, [] {});
    EXPECT_EQ(valueOf(again, "water", "viscosity"), "7");
    EXPECT_EQ(valueOf(again, "water", "particleSpacing"), "5");
}

}  // namespace
}  // namespace purl

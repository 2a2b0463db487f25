#include "solver/cache/cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "solver/cache/file.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

TEST(Cache, roundTripsFramesToTheBit) {
    for (const std::vector<std::string>& formats :
         {std::vector<std::string>{"mcx", "ply"}, {"mcc", "ply"}, {"ply"}, {"mcx", "obj", "ply"}}) {
        Folder folder;
        CacheSettings settings;
        settings.formats = formats;
        settings.fps = 25;
        settings.scenePath = "scenes/pond & \"mud\".ma";
        settings.run.toolVersion = "purl 0";
        settings.run.solver = "solver1";
        settings.run.inputs = {{"scene", "pond.ma", {12, 0x0123456789abcdefull}}, {"knit.pattern", "gone.txt", {}}};
        settings.run.assignments = {"water.viscosity=2"};
        settings.run.origin = 0xfedcba9876543210ull;
        CacheWriter writer(folder / "cache", settings);
        const auto numbers = writeFrames(writer, 1, 3);
        writer.write(0, frameNumbered(0, 0));  // an empty frame, and out of order
        writer.finish();

        const CacheReader reader(folder / "cache");
        EXPECT_EQ(reader.frames(), (std::vector<int>{0, 1, 2, 3}));
        EXPECT_EQ(reader.manifest().scenePath, settings.scenePath);
        EXPECT_TRUE(reader.manifest().run == settings.run);
        EXPECT_EQ(reader.manifest().identity, hashOf(settings.run));
        EXPECT_EQ(reader.manifest().upAxis, "y");
        EXPECT_EQ(reader.manifest().attributes.size(), 9u + 3u);  // of points and of the mesh
        for (const int n : numbers) {
            Frame expected = frameNumbered(n);
            if (formats.size() == 3) expected.meshes[0].velocities.clear();  // the first format with meshes is OBJ
            expectSameFrame(reader.read(n), expected);
        }
        EXPECT_EQ(reader.read(0).points.count(), 0u);
        EXPECT_TRUE(verifyCache(folder / "cache").empty());
        EXPECT_EQ(errorOf([&] { reader.read(9); }), (folder / "cache") + ": has no frame 9; it has 0 to 3");
    }
}

TEST(Cache, descriptionIsWholeAfterEveryFrame) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    for (int n = 1; n <= 3; ++n) {
        writer.write(n, frameNumbered(n, n == 1 ? 0 : 20));
        const NCacheDescription d = decodeNCacheDescription(readFile(folder / "water.xml"), "water.xml");
        EXPECT_EQ(d.startTicks, 250);
        EXPECT_EQ(d.endTicks, 250 * n);
        ASSERT_FALSE(d.channels.empty());
        EXPECT_EQ(d.channels[0].name, "water_count");
        EXPECT_EQ(d.channels.back().startTicks, n == 1 ? 250 : 500);  // from when there are particles
        EXPECT_TRUE(fs::exists(folder / ("waterFrame" + std::to_string(n) + ".mcx")));
        EXPECT_TRUE(fs::exists(folder / ("scene_oilFrame" + std::to_string(n) + ".mcx")));
        EXPECT_TRUE(fs::exists(folder / ("water.000" + std::to_string(n) + ".ply")));
    }
}

TEST(Cache, resumedEqualsUnbroken) {
    Folder folder, unbroken;
    CacheWriter whole(unbroken / ".", {});
    writeFrames(whole, 1, 6);
    whole.finish();

    {
        CacheWriter killed(folder / ".", {});
        writeFrames(killed, 1, 5);
    }
    // As a kill leaves it: a file under way, and whole files of a frame that was never listed.
    put(folder / "waterFrame6.mcx.part", "half");
    put(folder / "manifest.json.part", "{");
    fs::copy_file(folder / "waterFrame5.mcx", folder / "waterFrame6.mcx");
    put(folder / "notes.txt", "mine");
    EXPECT_EQ(verifyCache(folder / ".").size(), 2u);
    EXPECT_EQ(CacheReader(folder / ".").frames().back(), 5);

    CacheWriter resumed = CacheWriter::resume(folder / ".", {}, 3);
    EXPECT_EQ(CacheReader(folder / ".").frames(), (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    EXPECT_FALSE(fs::exists(folder / "waterFrame6.mcx"));
    EXPECT_FALSE(fs::exists(folder / "water.0005.ply"));
    EXPECT_EQ(decodeNCacheDescription(readFile(folder / "water.xml"), "x").endTicks, 750);
    writeFrames(resumed, 4, 6);
    resumed.finish();

    EXPECT_EQ(readFile(folder / "notes.txt"), "mine");
    fs::remove(folder / "notes.txt");
    EXPECT_EQ(listing(folder / "."), listing(unbroken / "."));
    for (const std::string& name : listing(folder / ".")) EXPECT_EQ(readFile(folder / name), readFile(unbroken / name));
}

TEST(Cache, resumeRefusesAnotherSimulation) {
    Folder folder;
    cacheOf(folder / ".", 1, 2);
    CacheSettings other;
    other.fps = 30;
    EXPECT_NE(errorOf([&] { CacheWriter::resume(folder / ".", other, 2); }).find("a different frame rate"),
              std::string::npos);
    other = {};
    other.run.assignments = {"water.viscosity=2"};
    EXPECT_NE(errorOf([&] { CacheWriter::resume(folder / ".", other, 2); }).find("belongs to a different run"),
              std::string::npos);
    EXPECT_EQ(CacheReader(folder / ".").frames().size(), 2u);
    // Where there is none to resume, one begins.
    CacheWriter::resume(folder / "new", {}, 5);
    EXPECT_TRUE(CacheReader(folder / "new").frames().empty());
}

TEST(Cache, beginningAgainLeavesNothingOfTheOldOne) {
    Folder folder;
    cacheOf(folder / ".", 1, 5);
    keepState(encodeState(stateNumbered(5)), folder / ".", 5, 24, 1);
    CacheWriter writer(folder / ".", {});
    EXPECT_EQ(listing(folder / "."), (std::vector<std::string>{"manifest.json", "manifest.lock"}));
    writeFrames(writer, 1, 2);
    EXPECT_EQ(CacheReader(folder / ".").frames().size(), 2u);
}

// Whoever writes into a folder of his own things keeps them.
TEST(Cache, filesOfOthersAreNeverTouched) {
    Folder folder;
    const std::vector<std::string> names = {"film.mp4.part", "thesis.doc",          "water.txt",   "x.part",
                                            "notes.xml",     "photo.0001.jpg.part", "oil.0001.ply"};
    for (const std::string& name : names) put(folder / name, "mine");
    cacheOf(folder / ".", 1, 3);
    cacheOf(folder / ".", 1, 2);
    CacheWriter::resume(folder / ".", {}, 1).finish();
    for (const std::string& name : names) EXPECT_EQ(readFile(folder / name), "mine") << name;

    // A list that names one of them was not written so.
    std::string text = readFile(folder / "manifest.json");
    text.replace(text.find("water.0001.ply"), 14, "thesis.doc");
    put(folder / "manifest.json", text);
    cacheOf(folder / ".", 1, 1);
    EXPECT_EQ(readFile(folder / "thesis.doc"), "mine");

    // A manifest of something else is no cache's: it stays, and nothing is written beside it.
    for (const std::string foreign : {"not json", "{\"name\": \"a web page\"}", "", "[1, 2]"}) {
        std::filesystem::create_directory(folder / "web");
        put(folder / "web/manifest.json", foreign);
        EXPECT_NE(errorOf([&] { CacheWriter(folder / "web", {}); }).find("manifest.json: was not written by Purl"),
                  std::string::npos);
        EXPECT_THROW(CacheWriter::resume(folder / "web", {}, 1), Error);
        EXPECT_EQ(readFile(folder / "web/manifest.json"), foreign);
        EXPECT_EQ(listing(folder / "web"), std::vector<std::string>{"manifest.json"});
    }
}

// Killed at many moments: whatever is listed is whole and right.
TEST(Cache, killedAtAnyMomentHoldsWholeFramesOnly) {
    const WithoutSyncs quick;
    Folder folder;
    int most = 0;
    for (int round = 0; round < 12; ++round) {
        const std::string directory = folder / ("run" + std::to_string(round));
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            endWithParent();
            fileOperations().calls = 0;
            fileOperations().killAt = 1 + 23 * round;  // a frame takes some thirty
            CacheWriter writer(directory, {});
            for (int n = 1; n < 100; ++n) writer.write(n, frameNumbered(n));
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
        ASSERT_EQ(WEXITSTATUS(status), FileOperations::kKilled);
        if (!fs::exists(directory + "/manifest.json")) continue;
        const CacheReader reader(directory);
        for (const int n : reader.frames()) expectSameFrame(reader.read(n), frameNumbered(n));
        most = std::max(most, static_cast<int>(reader.frames().size()));
        const int kept = static_cast<int>(reader.frames().size());
        CacheWriter resumed = CacheWriter::resume(directory, {}, kept);
        resumed.write(kept + 1, frameNumbered(kept + 1));
        EXPECT_TRUE(verifyCache(directory).empty());
    }
    EXPECT_GT(most, 5);
}

TEST(Cache, readerNeverReturnsAFrameThatIsNotWhole) {
    Folder folder;
    CacheWriter writer(folder / "c", {});
    writeFrames(writer, 1, 2);
    const CacheReader reader(folder / "c");
    const std::string name = "c/waterFrame2.mcx", bytes = readFile(folder / name);
    put(folder / name, bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(errorOf([&] { reader.read(2); }).find(folder / name), 0u);
    put(folder / name, readFile(folder / "c/waterFrame1.mcx"));  // another frame's bytes, well-formed
    EXPECT_EQ(errorOf([&] { reader.read(2); }).find(folder / name), 0u);
    fs::remove(folder / name);
    EXPECT_EQ(errorOf([&] { reader.read(2); }).find(folder / name), 0u);
    expectSameFrame(reader.read(1), frameNumbered(1));
}

// Whatever made it, and after the solver's own guard: surfaces, yarns, display meshes, foam.
TEST(Cache, aNumberThatIsNotFiniteIsNotWritten) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    writer.write(1, everything(1));
    const auto refused = [&](void (*spoil)(Frame&)) {
        Frame frame = everything(2);
        spoil(frame);
        return errorOf([&] { writer.write(2, frame); });
    };
    constexpr float kInfinity = HUGE_VALF;
    const std::string end = " is not finite in frame 2; the frame was not written; a smaller maxTimeStep helps";
    const Frame whole = everything(2);
    EXPECT_EQ(refused([](Frame& f) { f.points.velocities.back().y = std::nanf(""); }),
              whole.bodies[static_cast<size_t>(whole.points.bodies.back())].name + ": velocity of point " +
                  std::to_string(whole.points.count() - 1) + end);
    EXPECT_EQ(refused([](Frame& f) { f.meshes[1].positions[2].z = -kInfinity; }),
              whole.meshes[1].name + ": position of point 2" + end);
    EXPECT_EQ(refused([](Frame& f) { f.curves[0].widths[1] = kInfinity; }), "jumper: width of point 1" + end);
    EXPECT_EQ(refused([](Frame& f) { f.curves[0].colors[0].x = kInfinity; }), "jumper: rgbPP of point 0" + end);
    EXPECT_EQ(refused([](Frame& f) {
                  f.rigids.push_back({"float", {}, {}});
                  f.rigids[0].axes.y.x = std::nanf("");
              }),
              "float: its pose" + end);
    EXPECT_EQ(refused([](Frame& f) { f.stats.kineticEnergy = std::nan(""); }), "solver: kineticEnergy" + end);
    EXPECT_EQ(CacheReader(folder / ".").frames(), std::vector<int>{1});
    writer.write(2, everything(2));
    writer.finish();
    EXPECT_TRUE(verifyCache(folder / ".").empty());
}

TEST(Cache, badPlacesAreOneLineErrors) {
    Folder folder;
    put(folder / "file", "");
    EXPECT_EQ(errorOf([&] { CacheWriter(folder / "file", {}); }).find(folder / "file"), 0u);
    EXPECT_EQ(errorOf([&] { CacheWriter(folder / "file/below", {}); }).find(folder / "file/below"), 0u);
    EXPECT_EQ(
        errorOf([&] { CacheReader(folder / "nowhere"); }).find((folder / "nowhere") + "/manifest.json: cannot read"),
        0u);
    put(folder / "manifest.json", "{\"fps\": \"fast\"}");
    EXPECT_EQ(errorOf([&] { CacheReader(folder / "."); }).find(folder / "./manifest.json"), 0u);
    EXPECT_NE(errorOf([&] { CacheWriter("/proc/purl", {}); }).find("/proc/purl: cannot"), std::string::npos);
    CacheSettings settings;
    settings.formats = {"mcx", "tiff"};
    EXPECT_NE(errorOf([&] { CacheWriter(folder / "c", settings); }).find("unknown format \"tiff\""), std::string::npos);
    settings.formats = {"mcx", "mcc"};
    EXPECT_NE(errorOf([&] { CacheWriter(folder / "c", settings); }).find("choose one"), std::string::npos);

    Frame clash = frameNumbered(1);
    clash.bodies[0].name = "a:b";
    clash.bodies[1].name = "a|b";
    CacheWriter writer(folder / "d", {});
    EXPECT_NE(errorOf([&] { writer.write(1, clash); }).find("share this file"), std::string::npos);
}

// A disk that fills up in the middle of a frame, played by a limit on the size of files.
TEST(Cache, fullDiskLosesOnlyTheFrameUnderWay) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    writeFrames(writer, 1, 2);

    std::string what;
    {
        const FileSizeLimit limit(20000);
        what = errorOf([&] { writer.write(3, frameNumbered(3, 5000)); });
    }
    EXPECT_EQ(what, (folder / "./waterFrame3.mcx") +
                        ": cannot write: File too large; free some space and run again with --resume");
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    EXPECT_EQ(CacheReader(folder / ".").frames(), (std::vector<int>{1, 2}));
    writer.write(3, frameNumbered(3));
    expectSameFrame(CacheReader(folder / ".").read(3), frameNumbered(3));
}

TEST(Cache, framesWrittenBehindMakeTheSameCache) {
    Folder folder;
    CacheWriter plain(folder / "plain", {}), behindWriter(folder / "behind", {});
    {
        WriteBehind behind;
        for (int n = 1; n <= 6; ++n) {
            plain.write(n, frameNumbered(n));
            behindWriter.writeBehind(behind, n, std::make_shared<Frame>(frameNumbered(n)));
        }
        // The same frame again, before the first one is listed.
        behindWriter.writeBehind(behind, 6, std::make_shared<Frame>(frameNumbered(6)));
        behind.finish();
    }
    plain.finish();
    behindWriter.finish();
    EXPECT_EQ(listing(folder / "plain"), listing(folder / "behind"));
    for (const std::string& name : listing(folder / "plain"))
        EXPECT_EQ(readFile(folder / ("plain/" + name)), readFile(folder / ("behind/" + name))) << name;
}

TEST(Cache, aStagedFrameThatIsDroppedLeavesNothing) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    writeFrames(writer, 1, 2);
    const auto before = listing(folder / ".");
    writer.stage(3, frameNumbered(3), Device::cpu(1));
    EXPECT_EQ(listing(folder / "."), before);
    // Staged twice before either is committed, neither is in the other's way.
    StagedFrame first = writer.stage(3, frameNumbered(3), Device::cpu(1));
    StagedFrame again = writer.stage(3, frameNumbered(4), Device::cpu(1));
    writer.commit(std::move(first));
    expectSameFrame(CacheReader(folder / ".").read(3), frameNumbered(3));
    writer.commit(std::move(again));
    expectSameFrame(CacheReader(folder / ".").read(3), frameNumbered(4));
}

}  // namespace
}  // namespace purl

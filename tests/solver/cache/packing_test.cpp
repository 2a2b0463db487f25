// All frames of a thing in one file.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solver/cache/cache.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

CacheSettings packed(const std::string& format = "mcx") {
    CacheSettings settings;
    settings.formats = {format, "ply"};
    settings.oneFile = true;
    return settings;
}

void packAndUnpack(const std::string& format, const std::string& extension) {
    Folder folder, unbroken;
    CacheSettings settings;
    settings.formats[0] = format;
    settings.oneFile = true;
    CacheWriter writer(folder / ".", settings);
    writeFrames(writer, 1, 4);
    writer.finish();
    EXPECT_TRUE(fs::exists(folder / ("water" + extension)));
    EXPECT_FALSE(fs::exists(folder / ("waterFrame1" + extension)));
    EXPECT_EQ(decodeNCacheDescription(readFile(folder / "water.xml"), "x").layout, NCacheLayout::oneFile);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    for (int n = 1; n <= 4; ++n) expectSameFrame(CacheReader(folder / ".").read(n), frameNumbered(n));

    CacheWriter again = CacheWriter::resume(folder / ".", settings, 2);
    EXPECT_FALSE(fs::exists(folder / ("water" + extension)));
    EXPECT_EQ(CacheReader(folder / ".").frames(), (std::vector<int>{1, 2}));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    writeFrames(again, 3, 6);
    again.finish();
    CacheWriter whole(unbroken / ".", settings);
    writeFrames(whole, 1, 6);
    whole.finish();
    EXPECT_EQ(listing(folder / "."), listing(unbroken / "."));
    for (const std::string& name : listing(folder / ".")) EXPECT_EQ(readFile(folder / name), readFile(unbroken / name));
}

TEST(Packing, packsIntoOneFileAndUnpacksToResume) {
    packAndUnpack("mcx", ".mcx");
    packAndUnpack("mcc", ".mc");
}

TEST(Packing, aDamagedPackedFileIsRefusedAndNeverRemoved) {
    for (const std::string format : {"mcx", "abc"}) {
        Folder folder;
        cacheOf(folder / ".", 1, 3, packed(format));
        const std::string path = folder / (format == "mcx" ? "./water.mcx" : "./waterPoints.abc");
        damage(path);
        const std::string damaged = readFile(path);
        const auto before = listing(folder / ".");
        EXPECT_EQ(errorOf([&] { CacheReader(folder / ".").read(1); }).find(path + ": was changed"), 0u);
        for (const int last : {1, 3}) {
            if (format == "abc" && last == 3) continue;  // nothing of it is needed
            EXPECT_EQ(errorOf([&] { CacheWriter::resume(folder / ".", packed(format), last); }).find(path), 0u);
            EXPECT_EQ(readFile(path), damaged);
            EXPECT_EQ(listing(folder / "."), before);
        }
        EXPECT_EQ(CacheReader(folder / ".").frames().size(), 3u);
        EXPECT_EQ(verifyCache(folder / ".").size(), 1u);
    }
}

TEST(Packing, aReaderHashesAPackedFileOnce) {
    Folder folder;
    cacheOf(folder / ".", 1, 3, packed());
    const CacheReader reader(folder / ".");
    expectSameFrame(reader.read(1), frameNumbered(1));
    // Only a bit of the first frame's: frames are still read, as the file was seen to be whole.
    std::string bytes = readFile(folder / "water.mcx");
    bytes[bytes.size() / 6] = static_cast<char>(bytes[bytes.size() / 6] ^ 1);
    put(folder / "water.mcx", bytes);
    EXPECT_NO_THROW(reader.read(3));
    EXPECT_THROW(CacheReader(folder / ".").read(3), Error);
}

TEST(Packing, aDamagedFrameIsNotPacked) {
    Folder folder;
    CacheWriter writer(folder / ".", packed());
    writeFrames(writer, 1, 3);
    damage(folder / "waterFrame2.mcx");
    const auto before = listing(folder / ".");
    EXPECT_EQ(errorOf([&] { writer.finish(); }).find(folder / "./waterFrame2.mcx: was changed"), 0u);
    EXPECT_EQ(listing(folder / "."), before);
}

// A frame written behind a finished cache once replaced the packed file by its own.
TEST(Packing, aFrameAfterTheEndIsPackedWithTheOthers) {
    Folder folder;
    CacheWriter writer(folder / ".", packed());
    writeFrames(writer, 1, 3);
    writer.finish();
    writer.write(4, frameNumbered(4));
    for (int n = 1; n <= 4; ++n) expectSameFrame(CacheReader(folder / ".").read(n), frameNumbered(n));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    writer.finish();
    EXPECT_FALSE(fs::exists(folder / "waterFrame4.mcx"));
    for (int n = 1; n <= 4; ++n) expectSameFrame(CacheReader(folder / ".").read(n), frameNumbered(n));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
}

// At every file operation of it: nothing is left to write, and the next run packs all the same.
TEST(Packing, oneThatWasCutOffIsEndedByTheNextRun) {
    const WithoutSyncs quick;
    Folder unbroken;
    cacheOf(unbroken / ".", 1, 3, packed());
    bool through = false;
    for (int killAt = 1; !through; ++killAt) {
        ASSERT_LT(killAt, 200);
        Folder folder;
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            endWithParent();
            CacheWriter writer(folder / ".", packed());
            writeFrames(writer, 1, 3);
            fileOperations().calls = 0;
            fileOperations().killAt = killAt;
            writer.finish();
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        through = WEXITSTATUS(status) == 0;
        for (int n = 1; n <= 3; ++n) expectSameFrame(CacheReader(folder / ".").read(n), frameNumbered(n));
        CacheWriter::resume(folder / ".", packed(), 3).finish();
        EXPECT_TRUE(verifyCache(folder / ".").empty()) << killAt;
        ASSERT_EQ(listing(folder / "."), listing(unbroken / ".")) << killAt;
        for (const std::string& name : listing(folder / "."))
            EXPECT_EQ(readFile(folder / name), readFile(unbroken / name)) << name << ", killed at " << killAt;
    }
}

TEST(Packing, aBodyMayBeMissingFromSomeFrames) {
    Folder folder;
    CacheWriter writer(folder / ".", packed());
    for (int n = 1; n <= 4; ++n) {
        Frame frame = frameNumbered(n);
        if (n != 3) frame.bodies.resize(1), frame.points = {};
        writer.write(n, frame);
    }
    writer.finish();
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    EXPECT_EQ(CacheReader(folder / ".").manifest().files.back().lacks, (std::vector<int>{1, 2, 4}));
    EXPECT_EQ(CacheReader(folder / ".").read(2).points.count(), 0u);
    expectSamePoints(CacheReader(folder / ".").read(3).points, frameNumbered(3).points);
    CacheWriter::resume(folder / ".", packed(), 3).finish();
    expectSamePoints(CacheReader(folder / ".").read(3).points, frameNumbered(3).points);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
}

}  // namespace
}  // namespace purl

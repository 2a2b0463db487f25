#include "solver/cache/verify.h"

#include <gtest/gtest.h>

#include <climits>
#include <filesystem>

#include "solver/cache/cacheReader.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

TEST(Verify, findsWhatWasDone) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    writeFrames(writer, 1, 4);
    EXPECT_TRUE(verifyCache(folder / ".").empty());

    const auto problemAfter = [&](const char* name, auto&& change) {
        const std::string before = readFile(folder / name);
        change(folder / name, before);
        const auto problems = verifyCache(folder / ".");
        put(folder / name, before);
        EXPECT_EQ(problems.size(), 1u);
        return problems.empty() ? "" : problems[0];
    };
    EXPECT_NE(problemAfter("waterFrame2.mcx",
                           [](const std::string& path, std::string bytes) {
                               bytes[bytes.size() / 2] ^= 1;
                               put(path, bytes);
                           })
                  .find("waterFrame2.mcx: was changed"),
              std::string::npos);
    EXPECT_NE(
        problemAfter("water.0003.ply", [](const std::string& path,
                                          const std::string& bytes) { put(path, bytes.substr(0, bytes.size() - 1)); })
            .find("water.0003.ply: has "),
        std::string::npos);
    EXPECT_NE(problemAfter("water.0003.ply", [](const std::string& path, const std::string&) { fs::remove(path); })
                  .find("water.0003.ply: is missing"),
              std::string::npos);
    EXPECT_NE(problemAfter("water.xml",
                           [](const std::string& path, const std::string& bytes) { put(path, bytes.substr(0, 100)); })
                  .find("water.xml: truncated"),
              std::string::npos);
    EXPECT_NE(problemAfter("water.xml",
                           [](const std::string& path, std::string bytes) {
                               bytes.replace(bytes.find("1000"), 4, "2000");
                               put(path, bytes);
                           })
                  .find("water.xml: was changed"),
              std::string::npos);

    writer.write(7, frameNumbered(7));
    writer.finish();
    EXPECT_EQ(verifyCache(folder / "."), std::vector<std::string>{(folder / ".") + ": frames 5 to 6 are missing"});
    put(folder / "waterFrame8.mcx.0.part", "");
    put(folder / "x.part", "");  // somebody else's
    EXPECT_EQ(verifyCache(folder / ".").size(), 2u);
    EXPECT_EQ(verifyCache(folder / "nowhere").size(), 1u);
}

// Any number of the manifest: times, colours, receipts, assignments.
TEST(Verify, findsEveryChangeOfTheManifest) {
    Folder folder;
    CacheSettings settings;
    settings.run.assignments = {"water.viscosity=2"};
    settings.formats = {"ply"};
    cacheOf(folder / ".", 1, 2, settings);
    const std::string path = folder / "./manifest.json", whole = readFile(path);
    ASSERT_TRUE(verifyCache(folder / ".").empty());
    for (uint64_t seed = 0; seed < 400; ++seed) {
        std::string changed = whole;
        changed[randomBits(seed, 0) % changed.size()] ^= static_cast<char>(1 + randomBits(seed, 1) % 255);
        put(path, changed);
        EXPECT_FALSE(verifyCache(folder / ".").empty()) << "seed " << seed;
    }
    // Whoever reads it is refused too.
    std::string changed = whole;
    changed.replace(changed.find("viscosity=2"), 11, "viscosity=3");
    put(path, changed);
    EXPECT_EQ(errorOf([&] { CacheReader(folder / "."); }).find(path + ": was changed after it was written"), 0u);
    EXPECT_EQ(errorOf([&] { CacheWriter::resume(folder / ".", settings, 1); }).find(path + ": was changed"), 0u);
}

// What an earlier version wrote, or someone edited who means it.
TEST(Verify, takesAManifestWithoutAHashAsItIs) {
    Folder folder;
    cacheOf(folder / ".", 1, 2);
    std::string text = readFile(folder / "manifest.json");
    const size_t hash = text.find(",\n \"manifestHash\""), version = text.find(" \"manifestVersion\"");
    text.erase(hash, text.find('\n', hash + 2) - hash);
    text.erase(version, text.find('\n', version) + 1 - version);
    put(folder / "manifest.json", text);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    EXPECT_FALSE(CacheReader(folder / ".").hasHash());
    expectSameFrame(CacheReader(folder / ".").read(2), frameNumbered(2));
    // A run that goes on gives it one.
    CacheWriter::resume(folder / ".", {}, 2).finish();
    EXPECT_TRUE(CacheReader(folder / ".").hasHash());
}

TEST(Verify, holdsStatesAgainstTheirFramesReceipts) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    for (int n = 1; n <= 3; ++n) {
        writer.write(n, frameOfState(n));
        keepState(encodeState(stateNumbered(n)), folder / ".", n, 1, 1);
    }
    writer.finish();
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    const std::string path = stateFileOf(folder / ".", 2), whole = readFile(path);
    damage(path);
    ASSERT_EQ(verifyCache(folder / ".").size(), 1u);
    EXPECT_EQ(verifyCache(folder / ".")[0].find(path + ": damaged"), 0u);
    put(path, encodeState(stateNumbered(7)));  // whole, and another one
    ASSERT_EQ(verifyCache(folder / ".").size(), 1u);
    EXPECT_EQ(verifyCache(folder / ".")[0].find(path + ": is the state "), 0u);
    put(path, whole);
    put(stateFileOf(folder / ".", 9), whole);
    ASSERT_EQ(verifyCache(folder / ".").size(), 1u);
    EXPECT_NE(verifyCache(folder / ".")[0].find("9.purl: belongs to a frame that the cache does not have"),
              std::string::npos);
    fs::remove(stateFileOf(folder / ".", 9));
    put(path + ".part", "half");
    ASSERT_EQ(verifyCache(folder / ".").size(), 1u);
    EXPECT_NE(verifyCache(folder / ".")[0].find("2.purl.part: left over"), std::string::npos);
}

TEST(Verify, goesDownIntoBranches) {
    Folder folder;
    cacheOf(folder / ".", 1, 4);
    CacheSettings settings;
    settings.branch = "honey";
    settings.parent = "../..";
    settings.branchFrame = 3;
    const std::string branch = branchFolder(folder / ".", "honey");
    cacheOf(branch, 3, 5, settings);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    damage(branch + "/waterFrame4.mcx");
    ASSERT_EQ(verifyCache(folder / ".").size(), 1u);
    EXPECT_EQ(verifyCache(folder / ".")[0].find(branch + "/waterFrame4.mcx: was changed"), 0u);
    // One that does not begin where it left.
    cacheOf(branch, 4, 5, settings);
    EXPECT_EQ(verifyCache(folder / "."), std::vector<std::string>{branch + ": frame 3 is missing"});
}

// Regression: two links that lead back were followed 2^32 times.
TEST(Verify, doesNotTakeALinkForABranch) {
    Folder folder;
    cacheOf(folder / ".", 1, 2);
    fs::create_directory(folder / "branches");
    for (const char* name : {"branches/x", "branches/y"}) fs::create_directory_symlink("..", folder / name);
    ASSERT_TRUE(branchesOf(folder / ".").empty());
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    fs::remove_all(folder / "branches");
    Folder other;
    cacheOf(other / "branch", 1, 2);
    fs::create_directory_symlink(other / ".", folder / "branches");
    EXPECT_TRUE(branchesOf(folder / ".").empty());
}

// Regression: the 33rd branch of a branch was written, and then no reader accepted it.
TEST(Verify, noBranchIsBegunThatNoReaderAccepts) {
    const WithoutSyncs quick;
    Folder folder;
    std::string deepest = folder / ".";
    cacheOf(deepest, 1, 2);
    CacheSettings settings;
    settings.parent = "../..";
    const auto addBranch = [&] {
        settings.branch = "b";
        settings.branchFrame = 2;
        deepest = branchFolder(deepest, "b");
        cacheOf(deepest, 2, 2, settings);
    };
    for (int parents = 1; parents <= 32; ++parents) {
        EXPECT_NO_THROW(CacheReader(deepest).checkCanBranch());
        addBranch();
    }
    EXPECT_EQ(CacheReader(deepest).frames(), (std::vector<int>{1, 2}));
    EXPECT_THROW(CacheReader(deepest).checkCanBranch(), Error);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    addBranch();
    EXPECT_THROW(CacheReader{deepest}, Error);
    EXPECT_EQ(verifyCache(folder / ".").size(), 1u) << "a deeper one is reported";
}

TEST(Verify, namesRangesOfMissingFrames) {
    Folder folder;
    CacheSettings settings;
    settings.formats = {"ply"};
    CacheWriter writer(folder / ".", settings);
    for (const int n : {INT_MIN, -3, 1, 3, 2000000000, INT_MAX}) writer.write(n, frameNumbered(n < 9 ? 1 : 2, 2));
    writer.finish();
    const std::string at = folder / ".";
    EXPECT_EQ(
        verifyCache(folder / "."),
        (std::vector<std::string>{at + ": frames -2147483647 to -4 are missing", at + ": frames -2 to 0 are missing",
                                  at + ": frame 2 is missing", at + ": frames 4 to 1999999999 are missing",
                                  at + ": frames 2000000001 to 2147483646 are missing"}));
}

}  // namespace
}  // namespace purl

#include "solver/cache/stateFolder.h"

#include <gtest/gtest.h>

#include <climits>

#include "solver/cache/cacheReader.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

// Frames 1 to 4, each with its state.
void cacheWithStates(const std::string& directory) {
    CacheWriter writer(directory, {});
    for (int n = 1; n <= 4; ++n) {
        writer.write(n, frameOfState(n));
        keepState(encodeState(stateNumbered(n)), directory, n, 1, 1);
    }
    writer.finish();
}

int newest(const std::string& directory, int last, std::vector<std::string>& skipped) {
    skipped.clear();
    const auto found = newestState(directory, CacheReader(directory).manifest(), last, skipped);
    if (!found) return 0;
    EXPECT_EQ(hashOf(found->state), hashOf(stateNumbered(found->frame)));
    return found->frame;
}

TEST(StateFolder, aDamagedStateFallsBackToTheOneBefore) {
    Folder folder;
    cacheWithStates(folder / ".");
    std::vector<std::string> skipped;
    EXPECT_EQ(newest(folder / ".", INT_MAX, skipped), 4);
    EXPECT_TRUE(skipped.empty());
    EXPECT_EQ(newest(folder / ".", 2, skipped), 2);
    damage(stateFileOf(folder / ".", 4));
    EXPECT_EQ(newest(folder / ".", INT_MAX, skipped), 3);
    ASSERT_EQ(skipped.size(), 1u);
    EXPECT_EQ(skipped[0].find(stateFileOf(folder / ".", 4) + ": damaged"), 0u);
    for (const int n : {1, 2, 3}) put(stateFileOf(folder / ".", n), "");
    EXPECT_EQ(newest(folder / ".", INT_MAX, skipped), 0);
    EXPECT_EQ(skipped.size(), 4u);
}

TEST(StateFolder, aStateThatIsNotItsFramesIsNeverUsed) {
    Folder folder;
    cacheWithStates(folder / ".");
    std::vector<std::string> skipped;
    put(stateFileOf(folder / ".", 4), encodeState(stateNumbered(9)));  // of an earlier run, say
    EXPECT_EQ(newest(folder / ".", INT_MAX, skipped), 3);
    ASSERT_EQ(skipped.size(), 1u);
    EXPECT_NE(skipped[0].find("but frame 4 was made from"), std::string::npos);
    // One of a frame that is not listed was written before the run was cut off; it is nothing to report.
    put(stateFileOf(folder / ".", 5), encodeState(stateNumbered(5)));
    fs::remove(stateFileOf(folder / ".", 4));
    EXPECT_EQ(newest(folder / ".", INT_MAX, skipped), 3);
    EXPECT_TRUE(skipped.empty());
}

TEST(StateFolder, statesGoWithTheirFrames) {
    Folder folder;
    cacheWithStates(folder / ".");
    put(folder / "state/mine.purl", "mine");
    put(folder / "state/007.purl", "mine");
    put(folder / "state/3.purl.part", "half");
    { CacheWriter writer = CacheWriter::resume(folder / ".", {}, 2); }
    EXPECT_EQ(savedStates(folder / "."), (std::vector<int>{1, 2}));
    EXPECT_FALSE(fs::exists(folder / "state/3.purl.part"));
    {
        // Written again from another state: the old one would be gone on from.
        CacheWriter writer = CacheWriter::resume(folder / ".", {}, 2);
        writer.write(2, frameOfState(2));
        EXPECT_EQ(savedStates(folder / "."), (std::vector<int>{1, 2}));
        writer.write(2, frameOfState(7));
        EXPECT_EQ(savedStates(folder / "."), (std::vector<int>{1}));
    }
    { CacheWriter writer(folder / ".", {}); }
    EXPECT_TRUE(savedStates(folder / ".").empty());
    EXPECT_EQ(listing(folder / "state"), (std::vector<std::string>{"007.purl", "mine.purl"}));
}

TEST(StateFolder, nothingIsRemovedThroughALink) {
    Folder folder;
    cacheWithStates(folder / "other");
    cacheOf(folder / "c", 1, 2);
    fs::create_directory_symlink(folder / "other/state", folder / "c/state");
    const std::string refused = (folder / "c/state") + ": is a symbolic link";
    EXPECT_EQ(errorOf([&] { CacheWriter(folder / "c", {}); }).find(refused), 0u);
    EXPECT_EQ(errorOf([&] { CacheWriter::resume(folder / "c", {}, 1); }).find(refused), 0u);
    EXPECT_EQ(errorOf([&] { keepState("", folder / "c", 1, 0, 1); }).find(refused), 0u);
    EXPECT_EQ(savedStates(folder / "other").size(), 4u);
    EXPECT_EQ(CacheReader(folder / "c").frames().size(), 2u);
}

}  // namespace
}  // namespace purl

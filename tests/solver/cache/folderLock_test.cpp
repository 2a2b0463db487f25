#include "solver/cache/folderLock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solver/cache/cache.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

std::string host() {
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

TEST(FolderLock, theSecondWriterIsToldWhoTheFirstIs) {
    Folder folder;
    CacheWriter first(folder / ".", {});
    writeFrames(first, 1, 2);
    const std::string who =
        (folder / ".") + ": is being written by process " + std::to_string(getpid()) + " on " + host() + ", since 2";
    EXPECT_EQ(errorOf([&] { CacheWriter(folder / ".", {}); }).find(who), 0u);
    EXPECT_EQ(errorOf([&] { CacheWriter::resume(folder / ".", {}, 1); }).find(who), 0u);
    // Nothing was changed, readers are not held up, and what a writer has under way is no leftover.
    const StagedFrame staged = first.stage(3, frameNumbered(3), Device::cpu(1));
    EXPECT_EQ(CacheReader(folder / ".").frames().size(), 2u);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    EXPECT_TRUE(isBeingWritten(folder / "."));
}

TEST(FolderLock, isGivenFreeByFinishAndByDestruction) {
    Folder folder;
    CacheWriter first(folder / ".", {});
    writeFrames(first, 1, 2);
    first.finish();
    EXPECT_FALSE(fs::exists(folder / "manifest.lock"));
    { CacheWriter second = CacheWriter::resume(folder / ".", {}, 2); }
    EXPECT_FALSE(fs::exists(folder / "manifest.lock"));
    // The first goes on where nobody has changed anything. Where somebody has, its list is out of date.
    first.write(3, frameNumbered(3));
    EXPECT_TRUE(isBeingWritten(folder / "."));
    first.finish();
    CacheWriter::resume(folder / ".", {}, 1).finish();
    EXPECT_NE(errorOf([&] { first.write(4, frameNumbered(4)); }).find("was written by another run after"),
              std::string::npos);
    EXPECT_EQ(CacheReader(folder / ".").frames(), std::vector<int>{1});
}

TEST(FolderLock, ofADeadProcessIsTakenOverWithANote) {
    Folder folder;
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        endWithParent();
        CacheWriter writer(folder / ".", {});
        writer.write(1, frameNumbered(1));
        if (write(ready[1], "x", 1) == 1) pause();
        _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    const std::string living = errorOf([&] { CacheWriter::resume(folder / ".", {}, 1); });
    EXPECT_NE(living.find("is being written by process " + std::to_string(child)), std::string::npos);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
    EXPECT_FALSE(isBeingWritten(folder / "."));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    CacheWriter writer = CacheWriter::resume(folder / ".", {}, 1);
    EXPECT_NE(writer.note().find("process " + std::to_string(child)), std::string::npos);
    EXPECT_NE(writer.note().find("taken over"), std::string::npos);
    writer.finish();
    EXPECT_FALSE(fs::exists(folder / "manifest.lock"));
}

// Nobody here can know whether it lives.
TEST(FolderLock, ofAnotherMachineIsRefused) {
    Folder folder;
    cacheOf(folder / ".", 1, 1);
    put(folder / "manifest.lock", "renderfarm7 4711 2026-11-18T06:00:00Z\n");
    EXPECT_EQ(errorOf([&] { CacheWriter(folder / ".", {}); }),
              (folder / ".") +
                  ": is being written by process 4711 on renderfarm7, since 2026-11-18T06:00:00Z; if that process is "
                  "dead, remove " +
                  (folder / "./manifest.lock"));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    put(folder / "manifest.lock", "what is this?\n");
    EXPECT_NE(errorOf([&] { CacheWriter(folder / ".", {}); }).find("manifest.lock: was not written by Purl"),
              std::string::npos);
    // Killed before it could say who it was.
    put(folder / "manifest.lock", "");
    EXPECT_NO_THROW(CacheWriter(folder / ".", {}));
    // A link is not followed.
    put(folder / "mine", "mine");
    fs::create_symlink(folder / "mine", folder / "manifest.lock");
    EXPECT_NE(errorOf([&] { CacheWriter(folder / ".", {}); }).find("remove the folder or link of the same name"),
              std::string::npos);
    EXPECT_EQ(readFile(folder / "mine"), "mine");
}

}  // namespace
}  // namespace purl

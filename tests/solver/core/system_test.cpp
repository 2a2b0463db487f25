// What solver/core/system.h promises on every operating system. What survives a power cut:
// tests/solver/cache/powerCut_test.cpp.
#include "solver/core/system.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/core/path.h"

namespace purl {
namespace {

class System : public testing::Test {
  protected:
    System() { std::filesystem::create_directories(toPath(folder_)); }
    ~System() override { std::filesystem::remove_all(toPath(folder_)); }

    std::string in(const std::string& name) const { return folder_ + "/" + name; }
    // A new file with this content.
    std::string made(const std::string& name, const std::string& content) const {
        int file = -1;
        EXPECT_EQ(os::create(in(name), file), 0);
        EXPECT_EQ(os::writeAt(file, 0, content.data(), content.size()), 0);
        EXPECT_EQ(os::close(file), 0);
        return in(name);
    }
    static std::string contentOf(const std::string& path) {
        int file = -1;
        os::FileInfo info;
        EXPECT_EQ(os::openToRead(path, file, info), 0);
        std::string content = os::readStart(file, 100);
        EXPECT_EQ(info.bytes, content.size());
        os::close(file);
        return content;
    }

    const std::string folder_ = testing::TempDir() + "purl system größer 水";
};

TEST_F(System, pathsAreUtf8WithForwardSlashes) {
    EXPECT_EQ(toText(toPath("größer/水 und/x.ma")), "größer/水 und/x.ma");
    EXPECT_EQ(toText(toPath("größer") / "x.ma"), "größer/x.ma");
    EXPECT_EQ(contentOf(made("naïve.txt", "text")), "text");
    EXPECT_TRUE(std::filesystem::is_regular_file(toPath(in("naïve.txt"))));
}

TEST_F(System, absolutePathsHaveNoDots) {
    const std::string here = toText(std::filesystem::current_path());
    EXPECT_EQ(absolutePath("größer/../x.ma"), here + "/x.ma");
    EXPECT_EQ(absolutePath(here + "/./x.ma"), here + "/x.ma");
    EXPECT_EQ(absolutePath(""), "");
}

TEST_F(System, aFileIsRenamedOverAnExistingOne) {
    const std::string part = made("a.part", "later"), whole = made("a", "before");
    EXPECT_EQ(os::rename(part, whole), 0);
    EXPECT_EQ(contentOf(whole), "later");
    EXPECT_FALSE(std::filesystem::exists(toPath(part)));
    EXPECT_EQ(os::rename(part, whole), ENOENT);
}

TEST_F(System, anExistingFileIsNotCreatedAgain) {
    int file = -1;
    EXPECT_EQ(os::create(made("a", "kept"), file), EEXIST);
    EXPECT_EQ(contentOf(in("a")), "kept");
    EXPECT_EQ(os::remove(in("a")), 0);
    EXPECT_EQ(os::remove(in("a")), ENOENT);
}

TEST_F(System, foldersAreMadeListedAndRemovedWhenEmpty) {
    EXPECT_EQ(os::makeFolder(in("größer")), 0);
    EXPECT_EQ(os::makeFolder(in("größer")), EEXIST);
    EXPECT_EQ(os::makeFolder(in("missing/below")), ENOENT);
    made("größer/水.txt", "text");
    std::vector<std::string> names;
    EXPECT_EQ(os::namesIn(in("größer"), names), 0);
    EXPECT_EQ(names, std::vector<std::string>{"水.txt"});
    EXPECT_EQ(os::namesIn(in("missing"), names), ENOENT);
    EXPECT_NE(os::removeFolder(in("größer")), 0);
    EXPECT_EQ(os::remove(in("größer/水.txt")), 0);
    EXPECT_EQ(os::removeFolder(in("größer")), 0);
    EXPECT_EQ(os::kindOf(in("größer")), os::Kind::none);
}

TEST_F(System, kindsOfFilesAreToldApart) {
    made("file", "text");
    EXPECT_EQ(os::kindOf(in("file")), os::Kind::file);
    EXPECT_EQ(os::kindOf(in("file"), os::Links::stay), os::Kind::file);
    EXPECT_EQ(os::kindOf(folder_), os::Kind::folder);
    EXPECT_EQ(os::kindOf(in("file/below")), os::Kind::none);
    std::filesystem::create_symlink(toPath(in("file")), toPath(in("link")));
    EXPECT_EQ(os::kindOf(in("link")), os::Kind::file);
    EXPECT_EQ(os::kindOf(in("link"), os::Links::stay), os::Kind::link);
    EXPECT_EQ(os::remove(in("file")), 0);
    EXPECT_EQ(os::kindOf(in("link")), os::Kind::none);
    EXPECT_EQ(os::kindOf(in("link"), os::Links::stay), os::Kind::link);
}

TEST_F(System, readingPastTheEndIsAnError) {
    int file = -1;
    ASSERT_EQ(os::openOrCreate(in("a"), file), 0);
    EXPECT_EQ(os::writeAt(file, 4, "5678", 4), 0);
    char bytes[4] = {};
    EXPECT_EQ(os::readAt(file, 4, bytes, 4), 0);
    EXPECT_EQ(std::string(bytes, 4), "5678");
    EXPECT_EQ(os::readAt(file, 5, bytes, 4), EIO);
    EXPECT_EQ(os::resize(file, 5), 0);
    EXPECT_EQ(os::sync(file), 0);
    EXPECT_EQ(os::readStart(file, 100).size(), 5u);
    os::close(file);
}

TEST_F(System, aLockHasOneHolder) {
    int first = -1, second = -1;
    ASSERT_EQ(os::openOrCreate(in("lock"), first), 0);
    ASSERT_EQ(os::openOrCreate(in("lock"), second), 0);
    EXPECT_EQ(os::lock(first), os::Lock::taken);
    EXPECT_EQ(os::lock(second), os::Lock::held);
    os::unlock(first);
    EXPECT_EQ(os::lock(second), os::Lock::taken);
    os::close(first);
    os::close(second);
}

TEST_F(System, aFileThatWasReplacedIsNoLongerAtItsPath) {
    int file = -1;
    ASSERT_EQ(os::openOrCreate(in("a"), file), 0);
    EXPECT_TRUE(os::isAt(in("a"), file));
    EXPECT_EQ(os::rename(made("b", "other"), in("a")), 0);
    EXPECT_FALSE(os::isAt(in("a"), file));
    os::close(file);
}

TEST_F(System, theOwnProcessIsAlive) {
    EXPECT_TRUE(os::isAlive(os::processId()));
    EXPECT_FALSE(os::isAlive(0));
    EXPECT_GT(os::physicalBytes(), os::residentBytes());
    EXPECT_GT(os::peakResidentBytes(), 0);
}

}  // namespace
}  // namespace purl

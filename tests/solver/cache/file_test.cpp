#include "solver/cache/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

TEST(AtomicFile, isThereWhenFinishedAndNotBefore) {
    Folder folder;
    {
        AtomicFile file(folder / "a");
        file.append("one ");
        file.append("two");
        EXPECT_FALSE(fs::exists(folder / "a"));
        file.finish();
        EXPECT_EQ(readFile(folder / "a"), "one two");
    }
    { AtomicFile abandoned(folder / "b"); }
    EXPECT_EQ(listing(folder / "."), std::vector<std::string>{"a"});
    EXPECT_EQ(readFilePart(folder / "a", 4, 2), "tw");
    EXPECT_EQ(readFilePart(folder / "a", 4, 100), "two");
    EXPECT_EQ(readFilePart(folder / "a", 100, 1), "");
    EXPECT_EQ(receiptOf("one two"), receiptOfFile(folder / "a"));
    EXPECT_NE(errorOf([&] { readFile(folder / "."); }).find("cannot read"), std::string::npos);
}

TEST(AtomicFile, receiptsOfLargeFilesAgreeHoweverTheyAreRead) {
    Folder folder;
    const std::string large((3 << 20) + 17, 'x');
    writeFile(folder / "large", large);
    EXPECT_EQ(receiptOf(large), receiptOfFile(folder / "large"));
}

TEST(AtomicFile, fullDiskIsOneLineAndLeavesNothing) {
    Folder folder;
    const FileSizeLimit limit(4);
    const std::string what = errorOf([&] { writeFile(folder / "full", "some bytes"); });
    EXPECT_EQ(what, (folder / "full") + ": cannot write: File too large; free some space and run again with --resume");
    EXPECT_TRUE(listing(folder / ".").empty());
}

// Somebody else may have put a link there.
TEST(AtomicFile, neverWritesThroughALinkInThePlaceOfItsPart) {
    Folder folder;
    put(folder / "secret", "mine");
    fs::create_symlink(folder / "secret", folder / "a.part");
    writeFile(folder / "a", "new");
    EXPECT_EQ(readFile(folder / "secret"), "mine");
    EXPECT_EQ(readFile(folder / "a"), "new");
    EXPECT_FALSE(fs::is_symlink(folder / "a"));
    EXPECT_EQ(listing(folder / "."), (std::vector<std::string>{"a", "secret"}));
    // Nor through its target: the link itself is replaced.
    fs::create_symlink(folder / "secret", folder / "b");
    writeFile(folder / "b", "new");
    EXPECT_EQ(readFile(folder / "secret"), "mine");
    // A folder in its place is one line.
    fs::create_directory(folder / "c.part");
    EXPECT_NE(errorOf([&] { writeFile(folder / "c", "new"); }).find("remove the folder or link of the same name"),
              std::string::npos);
}

TEST(MakeFolders, makesWhatIsMissingAndRefusesAFile) {
    Folder folder;
    makeFolders(folder / "a/b/c");
    EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
    makeFolders(folder / "a/b/c/");
    makeFolders(folder / "d/");
    EXPECT_EQ(listing(folder / "."), (std::vector<std::string>{"a", "d"}));
    writeFile(folder / "file", "");
    EXPECT_EQ(errorOf([&] { makeFolders(folder / "file"); }),
              (folder / "file") + ": cannot make this folder: a file has its name");
    EXPECT_EQ(errorOf([&] { makeFolders(folder / "file/below"); }),
              (folder / "file/below") + ": cannot make this folder: Not a directory");
    EXPECT_NE(errorOf([] { makeFolders(""); }).find("cannot make this folder"), std::string::npos);
}

TEST(ReadFile, refusesAtOnceWhatIsNoFile) {
    Folder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const std::string& path : {folder / "pipe", std::string("/dev/zero"), std::string("/dev/null")}) {
        const std::string refused = path + ": cannot read: it is a pipe, a socket or a device, not a file";
        EXPECT_EQ(errorOf([&] { readFile(path); }), refused);
        EXPECT_EQ(errorOf([&] { readFilePart(path, 0, 1); }), refused);
        EXPECT_EQ(errorOf([&] { receiptOfFile(path); }), refused);
        EXPECT_EQ(errorOf([&] { ByteSource::ofFile(path); }), refused);
    }
    EXPECT_EQ(errorOf([&] { readFile(folder / "."); }), (folder / ".") + ": cannot read: Is a directory");
}

TEST(ReadFile, refusesWhatIsLargerThanItsLimit) {
    Folder folder;
    put(folder / "a", "seven b");
    EXPECT_EQ(readFile(folder / "a", 7), "seven b");
    EXPECT_EQ(errorOf([&] { readFile(folder / "a", 6); }), (folder / "a") + ": has 7 bytes, more than the limit of 6");
    // A hole of a terabyte costs nothing on disk.
    fs::resize_file(folder / "a", uint64_t{1} << 40);
    EXPECT_NE(errorOf([&] { readFile(folder / "a"); }).find("more than the limit of 68719476736"), std::string::npos);
}

TEST(ReadFile, doesNotReadAFileOfAnotherSizeThanItsReceipt) {
    Folder folder;
    put(folder / "a", "seven b");
    const Receipt receipt = receiptOfFile(folder / "a");
    EXPECT_EQ(readFile(folder / "a", receipt), "seven b");
    EXPECT_NO_THROW(checkFile(folder / "a", receipt));
    // To read a hole of a terabyte takes more memory than there is, and to hash it takes minutes.
    fs::resize_file(folder / "a", uint64_t{1} << 40);
    const std::string refused =
        (folder / "a") + ": has 1099511627776 bytes, was written with 7; simulate this frame again";
    EXPECT_EQ(errorOf([&] { readFile(folder / "a", receipt); }), refused);
    EXPECT_EQ(errorOf([&] { checkFile(folder / "a", receipt); }), refused);
}

}  // namespace
}  // namespace purl

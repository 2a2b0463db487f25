#include "solver/cache/fileContent.h"

#include <gtest/gtest.h>

#include <cstring>

#include "solver/cache/file.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

// Rows of `width` bytes, each with its number in it.
FileContent::MakeRows rows(size_t width) {
    return [width](size_t begin, size_t end, char* to) {
        for (size_t i = begin; i < end; ++i, to += width) {
            std::memset(to, static_cast<int>(i % 251), width);
            to[0] = '|';
        }
    };
}

// Bytes, a view, rows of one length and rows of any; more than two pieces of a receipt.
FileContent mixed(const std::string& seen) {
    FileContent content("head");
    content.addView(seen.data(), seen.size());
    content.addRows(200001, 13, rows(13));
    content.add(std::string());  // nothing
    std::vector<uint64_t> ends;
    for (uint64_t i = 1; i <= 90; ++i) ends.push_back(ends.empty() ? i : ends.back() + i);
    content.addRows(ends, [](size_t begin, size_t end, char* to) {
        for (size_t i = begin; i < end; ++i, to += i) std::memset(to, static_cast<int>(i), i + 1);
    });
    content.add(FileContent("tail"));
    return content;
}

TEST(FileContent, anyPartIsThatPartOfTheWhole) {
    const std::string seen(100, 's');
    const FileContent content = mixed(seen);
    const std::string whole = content.bytes();
    ASSERT_EQ(whole.size(), 4u + 100 + 200001 * 13 + 90 * 91 / 2 + 4);
    EXPECT_EQ(whole.substr(0, 6), "headss");
    EXPECT_EQ(whole.substr(104 + 13 * 7, 3), std::string("|\x07\x07"));
    EXPECT_EQ(whole.substr(whole.size() - 7), std::string("\x59\x59\x59tail"));
    for (const size_t step : {1u, 7u, 13u, 64u, 5000u}) {
        std::string read;
        const size_t end = std::min<size_t>(whole.size(), 300 * step);
        for (const size_t from : {size_t{0}, whole.size() - end})
            for (size_t at = from; at < from + end; at += step) {
                read.assign(std::min(step, whole.size() - at), '?');
                content.read(at, read.size(), read.data());
                ASSERT_EQ(read, whole.substr(at, read.size())) << at << " by " << step;
            }
    }
}

TEST(FileContent, anyNumberOfThreadsWritesTheSameFileAndReceipt) {
    Folder folder;
    const std::string seen(100, 's');
    const FileContent content = mixed(seen);
    const std::string whole = content.bytes();
    for (const int threads : {1, 2, 4, 7}) {
        EXPECT_EQ(writeFile(folder / "a", content, Device::cpu(threads)), receiptOf(whole)) << threads;
        EXPECT_EQ(readFile(folder / "a"), whole) << threads;
    }
    EXPECT_EQ(writeFile(folder / "none", FileContent(), Device::cpu(2)), receiptOf(""));
    EXPECT_EQ(readFile(folder / "none"), "");
}

TEST(FileContent, aFullDiskIsOneLineAndLeavesNothing) {
    Folder folder;
    const std::string seen(100, 's');
    for (const int threads : {1, 2}) {
        const FileSizeLimit limit(1000);
        EXPECT_EQ(errorOf([&] { writeFile(folder / "full", mixed(seen), Device::cpu(threads)); }),
                  (folder / "full") + ": cannot write: File too large; free some space and run again with --resume");
        EXPECT_TRUE(listing(folder / ".").empty());
    }
}

}  // namespace
}  // namespace purl

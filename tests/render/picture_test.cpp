#include "render/picture.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "solver/core/error.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

struct PictureTest : testing::Test {
    fs::path folder = fs::temp_directory_path() / ("purl_picture_" + std::to_string(getpid()));
    Picture picture{7, 5, std::vector<uint8_t>(4 * 7 * 5)};

    PictureTest() {
        fs::create_directories(folder);
        for (size_t i = 0; i < picture.rgba.size(); ++i) picture.rgba[i] = uint8_t(i * 37 + i / 9);
    }
    ~PictureTest() override { fs::remove_all(folder); }
};

TEST_F(PictureTest, pngRoundTripIsExact) {
    const std::string path = (folder / "a.png").string();
    writePng(picture, path);
    EXPECT_EQ(readPng(path), picture);
    EXPECT_FALSE(fs::exists(path + ".part"));
    picture.rgba[0] ^= 1;
    writePng(picture, path);  // overwrites an older file
    EXPECT_EQ(readPng(path), picture);
}

TEST_F(PictureTest, unwritablePathIsAnErrorThatNamesIt) {
    const std::string path = (folder / "missing" / "a.png").string();
    try {
        writePng(picture, path);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
    }
}

TEST_F(PictureTest, aPathThatIsAFolderLeavesNoPartBehind) {
    const std::string path = (folder / "a.png").string();
    fs::create_directories(fs::path(path) / "inside");
    EXPECT_THROW(writePng(picture, path), Error);
    EXPECT_FALSE(fs::exists(path + ".part"));
}

TEST_F(PictureTest, isNotWrittenThroughALinkInThePlaceOfItsPart) {
    const std::string path = (folder / "a.png").string();
    std::ofstream(folder / "mine") << "mine";
    fs::create_symlink(folder / "mine", path + ".part");
    writePng(picture, path);
    EXPECT_EQ(readPng(path), picture);
    std::string kept;
    std::ifstream(folder / "mine") >> kept;
    EXPECT_EQ(kept, "mine");
}

TEST_F(PictureTest, whatIsNotAPngOrHasNoPixelsIsRefused) {
    const std::string path = (folder / "a.png").string();
    std::ofstream(path) << "this is no picture";
    EXPECT_THROW(readPng(path), Error);
    EXPECT_THROW(readPng(path + "x"), Error);
    EXPECT_THROW(writePng(Picture(), path), Error);
    picture.rgba.pop_back();
    EXPECT_THROW(writePng(picture, path), Error);
}

}  // namespace
}  // namespace purl

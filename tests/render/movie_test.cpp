#include "render/movie.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "solver/core/error.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

struct MovieTest : testing::Test {
    fs::path folder = fs::temp_directory_path() / ("purl_movie_" + std::to_string(getpid()));
    std::string path = (folder / "a.mp4").string();

    MovieTest() { fs::create_directories(folder); }
    ~MovieTest() override { fs::remove_all(folder); }

    static bool hasFfmpeg() { return std::system("ffmpeg -version >/dev/null 2>&1") == 0; }
    static Picture plain(int width, int height, uint8_t red, uint8_t green, uint8_t blue) {
        Picture picture{width, height, {}};
        for (int i = 0; i < width * height; ++i) picture.rgba.insert(picture.rgba.end(), {red, green, blue, 255});
        return picture;
    }
    static std::string messageOf(const std::function<void()>& action) {
        try {
            action();
        } catch (const Error& error) { return error.what(); }
        return "";
    }
};

TEST_F(MovieTest, holdsItsFramesInTheirColors) {
    if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    Movie movie(path, 65, 33, 24);  // odd sizes too
    for (int i = 0; i < 5; ++i) movie.add(plain(65, 33, 200, 60, 20));
    EXPECT_FALSE(fs::exists(path)) << "not before it is finished";
    movie.finish();
    EXPECT_TRUE(fs::exists(path));
    EXPECT_FALSE(fs::exists(path + ".part"));

    const std::string pictures = (folder / "f%d.png").string();
    ASSERT_EQ(std::system(("ffmpeg -loglevel error -i " + path + " -pix_fmt rgba " + pictures).c_str()), 0);
    EXPECT_TRUE(fs::exists(folder / "f5.png"));
    EXPECT_FALSE(fs::exists(folder / "f6.png"));
    const Picture last = readPng((folder / "f5.png").string());
    EXPECT_EQ(last.width, 66);
    EXPECT_EQ(last.height, 34);
    EXPECT_NEAR(last.pixel(20, 20)[0], 200, 8);  // accuracy of 8-bit limited-range video
    EXPECT_NEAR(last.pixel(20, 20)[1], 60, 8);
    EXPECT_NEAR(last.pixel(20, 20)[2], 20, 8);
}

TEST_F(MovieTest, isNotWrittenThroughALinkInThePlaceOfItsPart) {
    if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const std::string mine = (folder / "mine").string(), part = path + ".part";
    fs::create_symlink(mine, part);
    {
        Movie movie(path, 64, 32, 24);
        EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(part))) << "made before ffmpeg opens it";
        movie.add(plain(64, 32, 1, 2, 3));
        movie.finish();
    }
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path)));
    EXPECT_FALSE(fs::exists(mine));
    // Put there while it is written.
    Movie movie(path, 64, 32, 24);
    fs::remove(part);
    fs::create_symlink(mine, part);
    const std::string message = messageOf([&] {
        for (int i = 0; i < 30; ++i) movie.add(plain(64, 32, 1, 2, 3));
        movie.finish();
    });
    EXPECT_EQ(message, path + ": another program replaced " + part + " while it was written; write it again");
    EXPECT_FALSE(fs::exists(mine));
}

TEST_F(MovieTest, missingFfmpegIsSaidPlainly) {
    const std::string before = std::getenv("PATH");
    setenv("PATH", folder.c_str(), 1);
    const std::string message = messageOf([&] { Movie(path, 64, 32, 24); });
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(message, path + ": ffmpeg not found; install it or omit --movie");
}

TEST_F(MovieTest, anUnwritablePathGivesItsReason) {
    if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const std::string message = messageOf([&] {
        Movie movie((folder / "missing" / "a.mp4").string(), 640, 320, 24);
        for (int i = 0; i < 40; ++i) movie.add(plain(640, 320, 9, 9, 9));
        movie.finish();
    });
    EXPECT_NE(message.find("No such file"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST_F(MovieTest, anUnfinishedOneLeavesNothing) {
    if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    {
        Movie movie(path, 64, 32, 24);
        movie.add(plain(64, 32, 1, 2, 3));
    }
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(MovieTest, picturesOfAnotherSizeAreRefused) {
    if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    Movie movie(path, 64, 32, 24);
    EXPECT_THROW(movie.add(plain(32, 64, 1, 2, 3)), Error);
}

}  // namespace
}  // namespace purl

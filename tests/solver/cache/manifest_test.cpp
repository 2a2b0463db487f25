#include "solver/cache/manifest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

TEST(Manifest, damagedOnesGiveErrorsAndNothingWorse) {
    Folder folder;
    cacheOf(folder / ".", 1, 2);
    const std::string whole = readFile(folder / "manifest.json");
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        std::string damaged = whole.substr(0, seed % 2 ? whole.size() : randomBits(seed, 9) % whole.size());
        if (!damaged.empty()) damaged[randomBits(seed, 0) % damaged.size()] = static_cast<char>(randomBits(seed, 1));
        try {
            decodeManifest(damaged, "m.json");
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find("m.json: "), 0u);
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
    }
    // Counts that are not integers, or out of range.
    for (const char* number : {"1e300", "2.5", "99999999999999999999"}) {
        std::string odd = whole;
        const size_t at = odd.find("\"number\":1") + 9;
        odd.replace(at, 1, number);
        EXPECT_NE(errorOf([&] { decodeManifest(odd, "m.json"); }).find("not an integer, or too large"),
                  std::string::npos)
            << number;
    }
    // A name that leads out of the folder is refused.
    std::string evil = whole;
    evil.replace(evil.find("waterFrame1.mcx"), 15, "../../etc/passw");
    EXPECT_NE(errorOf([&] { decodeManifest(evil, "m.json"); }).find("not the name of a file in this folder"),
              std::string::npos);
}

TEST(Manifest, framesOutOfOrderAreRefused) {
    Manifest manifest;
    manifest.frames.resize(2);
    for (const int second : {0, -1}) {
        manifest.frames[1].number = second;
        EXPECT_NE(errorOf([&] { decodeManifest(encodeManifest(manifest), "m.json"); }).find("does not come after 0"),
                  std::string::npos);
    }
    manifest.frames[1].number = 1;
    EXPECT_EQ(decodeManifest(encodeManifest(manifest), "m.json").frames.size(), 2u);
}

// JSON has no word for a number that is not finite: earlier versions wrote null.
TEST(Manifest, aNullIsNotANumber) {
    Manifest manifest;
    manifest.frames.resize(1);
    manifest.frames[0].stats.meanCompression = std::nan("");
    EXPECT_EQ(decodeManifest(encodeManifest(manifest), "m.json").frames[0].stats.meanCompression, 0) << "not known";
    manifest.frames[0].rigids.resize(1);
    manifest.frames[0].rigids[0].position = {std::nanf(""), HUGE_VALF, 1};
    EXPECT_EQ(errorOf([&] { decodeManifest(encodeManifest(manifest), "m.json"); }).find("m.json: not a cache's"), 0u);
}

// A float would become infinite, and be written as null.
TEST(Manifest, aNumberBeyondTheRangeOfItsFieldIsRefused) {
    Manifest manifest;
    manifest.frames.resize(1);
    manifest.frames[0].rigids.resize(1);
    manifest.frames[0].rigids[0].position = {4096, 0, 0};
    std::string text = encodeManifest(manifest);
    text.replace(text.find("4096.0"), 6, "1e39");
    EXPECT_NE(errorOf([&] { decodeManifest(text, "m.json"); }).find("1e+39 is too large"), std::string::npos);
}

TEST(Manifest, ofALaterVersionIsRefused) {
    std::string text = encodeManifest({});
    text.replace(text.find("\"manifestVersion\": 2") + 19, 1, "3");
    EXPECT_NE(errorOf([&] { decodeManifest(text, "m.json"); }).find("newer version of Purl"), std::string::npos);
}

}  // namespace
}  // namespace purl

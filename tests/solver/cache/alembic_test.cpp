#include "solver/cache/alembic.h"

#include <gtest/gtest.h>

#include "solver/cache/cache.h"
#include "solver/cache/file.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

// A frame as files give it back: bodies by name only, and no receipt.
void expectSameContents(const Frame& read, const Frame& written) {
    ASSERT_EQ(read.bodies.size(), written.bodies.size());
    for (size_t i = 0; i < read.bodies.size(); ++i) EXPECT_EQ(read.bodies[i].name, written.bodies[i].name);
    for (int body = 0; body < static_cast<int>(read.bodies.size()); ++body) {
        Points a = pointsOf(read, body), b = pointsOf(written, body);
        expectSamePoints(a, b);
    }
    ASSERT_EQ(read.meshes.size(), written.meshes.size());
    for (size_t i = 0; i < read.meshes.size(); ++i) {
        expectSameMesh(read.meshes[i], written.meshes[i]);
        EXPECT_EQ(read.meshes[i].faces.corners, written.meshes[i].faces.corners);
    }
    ASSERT_EQ(read.curves.size(), written.curves.size());
    for (size_t i = 0; i < read.curves.size(); ++i) expectSameCurves(read.curves[i], written.curves[i]);
}

TEST(Alembic, givesFramesBackToTheBit) {
    Folder folder;
    AlembicWriter writer(folder / "all.abc", 25);
    for (int n = 3; n <= 6; ++n) writer.add(everything(n), n);
    EXPECT_FALSE(std::filesystem::exists(folder / "all.abc"));
    writer.finish();
    const AlembicReader reader(ByteSource::ofFile(folder / "all.abc"));
    EXPECT_EQ(reader.frames(), (std::vector<int>{3, 4, 5, 6}));
    for (int n = 3; n <= 6; ++n) {
        const Frame frame = reader.read(n);
        EXPECT_EQ(frame.metersPerUnit, 0.01);
        EXPECT_NEAR(frame.time, everything(3).time + (n - 3) / 25.0, 1e-12);
        expectSameContents(frame, everything(n));
    }
    EXPECT_NE(errorOf([&] { reader.read(7); }).find("all.abc: has no frame 7"), std::string::npos);
}

TEST(Alembic, framesMayBeMissingAndThingsMayComeAndGo) {
    Folder folder;
    AlembicWriter writer(folder / "a.abc", 24);
    Frame before = everything(1), between = everything(4);
    before.curves.clear();
    before.points = {};
    between.meshes.clear();
    writer.add(before, 1);
    writer.add(everything(2), 2);
    writer.add(between, 4);
    writer.finish();
    const AlembicReader reader(ByteSource::ofFile(folder / "a.abc"));
    EXPECT_EQ(reader.frames(), (std::vector<int>{1, 2, 4}));
    EXPECT_EQ(reader.read(1).points.count(), 0u);
    EXPECT_EQ(reader.read(1).curves.size(), 1u);  // begun later, so empty
    EXPECT_TRUE(reader.read(1).curves[0].counts.empty());
    expectSameContents(reader.read(2), everything(2));
    EXPECT_TRUE(reader.read(4).meshes[0].positions.empty());
    EXPECT_EQ(reader.read(4).points.count(), between.points.count());
}

// What does not change is written once: topology of many frames costs nothing.
TEST(Alembic, whatStaysIsWrittenOnce) {
    const auto sizeOf = [](int frames) {
        Folder folder;
        AlembicWriter writer(folder / "a.abc", 24);
        for (int n = 1; n <= frames; ++n) writer.add(everything(1), n);
        writer.finish();
        return readFile(folder / "a.abc").size();
    };
    EXPECT_EQ(sizeOf(2), sizeOf(40));
}

TEST(Alembic, cachesGoToOneArchiveAndBack) {
    Folder folder, unbroken;
    CacheSettings settings;
    settings.formats = {"abc"};
    settings.oneFile = true;
    CacheWriter writer(folder / ".", settings);
    for (int n = 1; n <= 4; ++n) writer.write(n, everything(n));
    writer.finish();
    EXPECT_TRUE(std::filesystem::exists(folder / "waterPoints.abc"));
    EXPECT_TRUE(std::filesystem::exists(folder / "water.abc"));
    EXPECT_FALSE(std::filesystem::exists(folder / "water.0001.abc"));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    for (int n = 1; n <= 4; ++n) expectSameFrame(CacheReader(folder / ".").read(n), everything(n));

    CacheWriter again = CacheWriter::resume(folder / ".", settings, 2);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
    for (int n = 3; n <= 5; ++n) again.write(n, everything(n));
    again.finish();
    CacheWriter whole(unbroken / ".", settings);
    for (int n = 1; n <= 5; ++n) whole.write(n, everything(n));
    whole.finish();
    for (const auto& entry : std::filesystem::directory_iterator(unbroken / ".")) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(readFile(folder / name), readFile(unbroken / name)) << name;
    }
}

TEST(Alembic, whoeverIsCutOffLeavesNothing) {
    Folder folder;
    {
        AlembicWriter writer(folder / "a.abc", 24);
        writer.add(everything(1), 1);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder / "."));
}

TEST(Alembic, damagedFilesGiveErrorsAndNothingWorse) {
    const std::string whole = encodeAlembic(everything(1), {1, 24});
    int refused = 0;
    for (uint64_t seed = 0; seed < 3000; ++seed) {
        std::string damaged = whole;
        if (seed % 3 == 0) damaged.resize(randomBits(seed, 1) % whole.size());
        for (uint64_t k = 0; k < 1 + seed % 4 && !damaged.empty(); ++k)
            damaged[randomBits(seed, 2 + k) % damaged.size()] ^= static_cast<char>(1 + randomBits(seed, 20 + k) % 255);
        try {
            decodeAlembic(damaged, "damaged.abc");
        } catch (const Error& error) {
            ++refused;
            EXPECT_EQ(std::string(error.what()).find("damaged.abc"), 0u);
        }
    }
    EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace purl

#include "solver/cache/usd.h"

#include <gtest/gtest.h>

#include "solver/cache/cache.h"
#include "solver/cache/points.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

TEST(Usd, givesPointsMeshesAndYarnsBackToTheBit) {
    const Frame frame = everything(3);
    const auto back = [](const Frame& part) { return decodeUsd(encodeUsd(part, {3, 25}), "a.usda"); };
    const Frame water = onlyBody(frame, 0), read = back(water);
    EXPECT_EQ(read.time, frame.time);
    EXPECT_EQ(read.metersPerUnit, frame.metersPerUnit);
    EXPECT_EQ(read.bodies[0].name, "water");
    expectSamePoints(read.points, water.points);
    for (int i = 0; i < 2; ++i) {
        const Frame mesh = back(onlyMesh(frame, i));
        expectSameMesh(mesh.meshes[0], frame.meshes[static_cast<size_t>(i)]);
        EXPECT_TRUE(mesh.meshes[0].faces == frame.meshes[static_cast<size_t>(i)].faces);
    }
    expectSameCurves(back(onlyCurves(frame, 0)).curves[0], frame.curves[0]);
}

// What renderers must be told: no subdivision, widths as diameters, velocities under their own name.
TEST(Usd, followsTheConventions) {
    const Frame frame = everything(3);
    const std::string mesh = encodeUsd(onlyMesh(frame, 0), {3, 24});
    EXPECT_NE(mesh.find("subdivisionScheme = \"none\""), std::string::npos);
    EXPECT_NE(mesh.find("vector3f[] velocities.timeSamples"), std::string::npos);
    EXPECT_EQ(mesh.find("primvars:velocities"), std::string::npos);
    const std::string points = encodeUsd(onlyBody(frame, 0), {3, 24});
    EXPECT_NE(points.find("int64[] ids.timeSamples"), std::string::npos);
    EXPECT_NE(points.find("vector3f[] accelerations.timeSamples"), std::string::npos);
    EXPECT_NE(points.find("float[] primvars:radius"), std::string::npos);
    EXPECT_NE(points.find("color3f[] primvars:displayColor"), std::string::npos);
    for (const char* word : {"metersPerUnit = 0.01", "upAxis = \"Y\"", "timeCodesPerSecond = 24",
                             "framesPerSecond = 24", "startTimeCode = 3", "endTimeCode = 3"})
        EXPECT_NE(points.find(word), std::string::npos) << word;
}

TEST(Usd, damagedPointsAndMeshesGiveErrorsAndNothingWorse) {
    const Frame frame = everything(1);
    for (const Frame& part : {onlyBody(frame, 0), onlyMesh(frame, 1), onlyCurves(frame, 0)}) {
        const std::string whole = encodeUsd(part, {1, 24});
        for (uint64_t seed = 0; seed < 500; ++seed) {
            std::string damaged = whole.substr(0, seed % 2 ? whole.size() : randomBits(seed, 1) % whole.size());
            if (!damaged.empty())
                damaged[randomBits(seed, 2) % damaged.size()] = static_cast<char>(randomBits(seed, 3));
            try {
                decodeUsd(damaged, "damaged.usda");
            } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find("damaged.usda"), 0u); }
        }
    }
}

TEST(Formats, mayBeToldWhatToHold) {
    Folder folder;
    CacheSettings settings;
    settings.formats = {"abc:meshes", "usda:curves", "mcx"};
    CacheWriter writer(folder / ".", settings);
    writer.write(1, everything(1));
    for (const FileRecord& file : CacheReader(folder / ".").manifest().frames[0].files)
        EXPECT_EQ(file.format, file.content == Content::points ? "mcx"
                               : file.content == Content::mesh ? "abc"
                                                               : "usda");
    expectSameFrame(CacheReader(folder / ".").read(1), everything(1));
    settings.formats = {"mcx:meshes"};
    EXPECT_NE(errorOf([&] { CacheWriter(folder / "b", settings); }).find("whichever mcx can hold"), std::string::npos);
}

}  // namespace
}  // namespace purl

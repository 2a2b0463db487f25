#include "solver/cache/bgeo.h"

#include <gtest/gtest.h>

#include "solver/cache/cache.h"
#include "solver/cache/points.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

TEST(Bgeo, givesPointsAndMeshesBackToTheBit) {
    const Frame frame = everything(3), water = onlyBody(frame, 0);
    expectSamePoints(decodeBgeo(encodeBgeo(water, {}), "a.bgeo").points, water.points);
    for (int i = 0; i < 2; ++i) {
        Mesh expected = frame.meshes[static_cast<size_t>(i)];
        Frame read = decodeBgeo(encodeBgeo(onlyMesh(frame, i), {}), "a.bgeo");
        read.meshes[0].name = expected.name;
        expectSameMesh(read.meshes[0], expected);
        EXPECT_EQ(read.meshes[0].faces.corners, expected.faces.corners);
    }
}

// The head as SideFX describes it, and attributes under the names that Houdini gives them.
TEST(Bgeo, isAsHoudiniExpectsIt) {
    const Frame water = onlyBody(everything(3), 0);
    const std::string bytes = encodeBgeo(water, {});
    EXPECT_EQ(bytes.substr(0, 9), std::string("BgeoV\0\0\0\5", 9));
    EXPECT_EQ(bytes.substr(9, 4), std::string("\0\0\0\12", 4));  // ten points
    EXPECT_EQ(bytes.substr(bytes.size() - 2), std::string("\0\xff", 2));
    for (const char* name : {"id", "v", "accel", "pscale", "Cd", "density", "pressure", "age"}) {
        const std::string text = std::string(1, '\0') + static_cast<char>(std::strlen(name)) + name;
        EXPECT_NE(bytes.find(text), std::string::npos) << name;
    }
}

TEST(Bgeo, manyPolygonsComeInRunsAndWideIndices) {
    Frame frame;
    Mesh mesh;
    mesh.name = "strip";
    for (int i = 0; i < 70000; ++i)
        mesh.positions.edit().push_back({static_cast<float>(i), 0, static_cast<float>(i % 2)});
    for (int i = 0; i + 2 < 70000; ++i) mesh.triangles.edit().insert(mesh.triangles.edit().end(), {i, i + 1, i + 2});
    frame.meshes.push_back(mesh);
    EXPECT_EQ(decodeBgeo(encodeBgeo(frame, {}), "a.bgeo").meshes.at(0).triangles, mesh.triangles);
}

TEST(Bgeo, idsBeyond32BitsAreRefused) {
    Frame water = onlyBody(everything(3), 0);
    water.points.ids.edit()[0] = 1ll << 33;
    EXPECT_NE(errorOf([&] { encodeBgeo(water, {}); }).find("keeps 32 bits of id"), std::string::npos);
}

TEST(Bgeo, cachesComeBack) {
    Folder folder;
    CacheSettings settings;
    settings.formats = {"bgeo", "usda:curves"};
    CacheWriter writer(folder / ".", settings);
    Frame frame = everything(2);
    frame.meshes.pop_back();  // texture coordinates are not kept
    writer.write(2, frame);
    expectSameFrame(CacheReader(folder / ".").read(2), frame);
}

TEST(Bgeo, damagedFilesGiveErrorsAndNothingWorse) {
    const Frame frame = everything(1);
    for (const Frame& part : {onlyBody(frame, 0), onlyMesh(frame, 1)}) {
        const std::string whole = encodeBgeo(part, {});
        for (uint64_t seed = 0; seed < 2000; ++seed) {
            std::string damaged = whole.substr(0, seed % 2 ? whole.size() : randomBits(seed, 1) % whole.size());
            if (!damaged.empty())
                damaged[randomBits(seed, 2) % damaged.size()] = static_cast<char>(randomBits(seed, 3));
            try {
                decodeBgeo(damaged, "damaged.bgeo");
            } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find("damaged.bgeo"), 0u); }
        }
    }
}

}  // namespace
}  // namespace purl

#include "solver/cache/bgeo.h"

#include <gtest/gtest.h>

#include "solver/cache/cache.h"
#include "solver/cache/points.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

TEST(Bgeo, readsBackPointsAndMeshesBitForBit) {
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

// The header as SideFX documents it, and attributes under the names that Houdini uses.
TEST(Bgeo, hasTheHeaderAndNamesThatHoudiniExpects) {
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

TEST(Bgeo, manyPolygonsAreWrittenInRunsWithWideIndices) {
    Frame frame;
    Mesh mesh;
    mesh.name = "strip";
    for (int i = 0; i < 70000; ++i) mesh.positions.push_back({static_cast<float>(i), 0, static_cast<float>(i % 2)});
    for (int i = 0; i + 2 < 70000; ++i) mesh.triangles.insert(mesh.triangles.end(), {i, i + 1, i + 2});
    frame.meshes.push_back(mesh);
    EXPECT_EQ(decodeBgeo(encodeBgeo(frame, {}), "a.bgeo").meshes.at(0).triangles, mesh.triangles);
}

TEST(Bgeo, idsBeyond32BitsAreRefused) {
    Frame water = onlyBody(everything(3), 0);
    water.points.ids[0] = 1ll << 33;
    EXPECT_NE(errorOf([&] { encodeBgeo(water, {}); }).find("stores id in 32 bits"), std::string::npos);
}

TEST(Bgeo, cachesAreReadBack) {
    Folder folder;
    CacheSettings settings;
    settings.formats = {"bgeo", "usda:curves"};
    CacheWriter writer(folder / ".", settings);
    Frame frame = everything(2);
    frame.meshes.pop_back();  // texture coordinates are not kept
    writer.write(2, frame);
    expectSameFrame(CacheReader(folder / ".").read(2), frame);
}

// The last two bytes only say that no further attributes follow; the reader needs all others.
TEST(Bgeo, everyTruncatedFileIsRefused) {
    const Frame frame = everything(1);
    for (const Frame& part : {onlyBody(frame, 0), onlyMesh(frame, 1)}) {
        const std::string whole = encodeBgeo(part, {});
        for (size_t size = 0; size + 2 < whole.size(); ++size)
            EXPECT_EQ(errorOf([&] { decodeBgeo(whole.substr(0, size), "cut.bgeo"); }).find("cut.bgeo"), 0u)
                << size << " of " << whole.size() << " bytes";
        EXPECT_NO_THROW(decodeBgeo(whole, "whole.bgeo"));
    }
}

TEST(Bgeo, everyDamagedHeaderIsRefused) {
    const std::string whole = encodeBgeo(onlyBody(everything(1), 0), {});
    // 5 bytes magic number, 4 version, 4 points, 4 primitives; then what follows does not add up.
    for (size_t at = 0; at < 17; ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        EXPECT_EQ(errorOf([&] { decodeBgeo(damaged, "damaged.bgeo"); }).find("damaged.bgeo"), 0u) << "byte " << at;
    }
}

// A changed value cannot be recognized; whatever is accepted is consistent.
TEST(Bgeo, randomDamageIsRefusedOrReadConsistently) {
    const Frame frame = everything(1);
    for (const Frame& part : {onlyBody(frame, 0), onlyMesh(frame, 1)}) {
        const std::string whole = encodeBgeo(part, {});
        int refused = 0;
        for (uint64_t seed = 0; seed < 2000; ++seed) {
            std::string damaged = whole.substr(0, seed % 2 ? whole.size() : randomBits(seed, 1) % whole.size());
            if (!damaged.empty())
                damaged[randomBits(seed, 2) % damaged.size()] = static_cast<char>(randomBits(seed, 3));
            try {
                const Frame read = decodeBgeo(damaged, "damaged.bgeo");
                EXPECT_EQ(read.points.bodies.size(), read.points.positions.size());
                for (const Mesh& mesh : read.meshes)
                    for (const int corner : mesh.triangles)
                        EXPECT_TRUE(corner >= 0 && size_t(corner) < mesh.positions.size()) << seed;
            } catch (const Error& error) {
                EXPECT_EQ(std::string(error.what()).find("damaged.bgeo"), 0u);
                ++refused;
            }
        }
        // Half of the files are truncated; changing one of their bytes makes nearly none of them valid.
        EXPECT_GT(refused, 950);
    }
}

}  // namespace
}  // namespace purl

#include "solver/cache/vdb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "solver/cache/file.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

// A cube of quads cut into a grid of triangles and blown up into a ball.
Mesh ball(float radius, int cuts) {
    Mesh mesh;
    mesh.name = "ball";
    std::vector<Vec3>& points = mesh.positions.edit();
    const auto vertex = [&](Vec3 p) {
        const Vec3 q = (radius / length(p)) * p;
        for (size_t i = 0; i < points.size(); ++i)
            if (length(points[i] - q) < 1e-4f * radius) return static_cast<int>(i);
        points.push_back(q);
        return static_cast<int>(points.size()) - 1;
    };
    for (int face = 0; face < 6; ++face)
        for (int i = 0; i < cuts; ++i)
            for (int j = 0; j < cuts; ++j) {
                const auto at = [&](int u, int v) {
                    const float a = 2 * static_cast<float>(u) / static_cast<float>(cuts) - 1,
                                b = 2 * static_cast<float>(v) / static_cast<float>(cuts) - 1;
                    const int axis = face / 2;
                    const float side = face % 2 ? 1.0f : -1.0f;
                    Vec3 p;
                    p[axis] = side;
                    p[(axis + 1) % 3] = side * a;
                    p[(axis + 2) % 3] = b;
                    return vertex(p);
                };
                const int q[4] = {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
                mesh.triangles.edit().insert(mesh.triangles.edit().end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
            }
    for (const Vec3 p : points) mesh.velocities.edit().push_back(2.0f * p);
    return mesh;
}

template <class Visit>
void forEachVoxel(const VdbGrid& grid, Visit&& visit) {
    for (const VdbLeaf& leaf : grid.leaves) {
        size_t value = 0;
        for (int i = 0; i < 512; ++i) {
            const Vec3 at = static_cast<float>(grid.voxel) * Vec3{static_cast<float>(leaf.x + (i >> 6)),
                                                                  static_cast<float>(leaf.y + (i >> 3 & 7)),
                                                                  static_cast<float>(leaf.z + (i & 7))};
            const auto word = static_cast<size_t>(i >> 6);
            const bool active = leaf.active[word] >> (i & 63) & 1, inside = leaf.inside[word] >> (i & 63) & 1;
            visit(at, active, inside, active ? &leaf.values[value] : nullptr);
            if (active) value += static_cast<size_t>(grid.components);
        }
    }
}

TEST(Vdb, levelSetIsTheDistanceToTheSurface) {
    const Mesh mesh = ball(2, 12);
    const std::vector<VdbGrid> grids = levelSetOf(mesh, 0.25);
    ASSERT_EQ(grids.size(), 2u);
    EXPECT_EQ(grids[0].name, "surface");
    EXPECT_EQ(grids[0].kind, "level set");
    EXPECT_FLOAT_EQ(grids[0].background, 0.75f);
    size_t checked = 0;
    forEachVoxel(grids[0], [&](Vec3 at, bool active, bool inside, const float* value) {
        const float exact = length(at) - 2;
        // The ball's faces cut off up to edge² / 8 r = 0.01 of it.
        if (active) {
            EXPECT_NEAR(*value, exact, 0.02f);
        } else {
            EXPECT_EQ(inside, exact < 0);
        }
        if (std::abs(std::abs(exact) - 0.75f) > 0.02f) { EXPECT_EQ(active, std::abs(exact) < 0.75f) << exact; }
        checked += active;
    });
    // A shell 1.5 thick at radius 2: 4 π (2² + 0.75²/3) 1.5 / 0.25³
    EXPECT_NEAR(static_cast<double>(checked), 4 * 3.14159 * (4 + 0.1875) * 1.5 / 0.015625, 0.03 * 5052);
}

TEST(Vdb, velocitiesAreThoseOfTheNearestPoint) {
    const std::vector<VdbGrid> grids = levelSetOf(ball(2, 12), 0.25);
    forEachVoxel(grids[1], [&](Vec3 at, bool active, bool, const float* value) {
        if (!active) return;
        const Vec3 expected = (2 * 2 / length(at)) * at;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(value[k], expected[k], 0.3f);  // an edge is 0.26 long
    });
}

TEST(Vdb, fogHoldsTheVolumeAndTheMomentum) {
    const Frame frame = frameNumbered(3, 100);
    const std::vector<VdbGrid> grids = fogOf(frame.points, 2);
    double volume = 0, expected = 0;
    forEachVoxel(grids[0], [&](Vec3, bool active, bool, const float* value) {
        if (active) volume += static_cast<double>(*value) * 8;
    });
    for (const float r : frame.points.radii) expected += 4.18879020478639 * std::pow(static_cast<double>(r), 3);
    EXPECT_NEAR(volume, expected, 1e-4 * expected);  // sums of a few hundred floats
    EXPECT_EQ(grids[0].kind, "fog volume");
    EXPECT_EQ(grids[1].name, "v");
}

// As a leaf's particles are summed in their order, whoever does it.
TEST(Vdb, fogHasTheSameBitsForAnyNumberOfThreads) {
    Points points;
    for (uint64_t i = 0; i < 150000; ++i) {  // in three parts, no two neighbours alike
        points.positions.edit().push_back(
            {40 * randomUnit(1, i) - 20, 30 * randomUnit(2, i) - 20, 20 * randomUnit(3, i)});
        points.velocities.edit().push_back({randomUnit(4, i), randomUnit(5, i), randomUnit(6, i)});
        points.radii.edit().push_back(0.5f + randomUnit(7, i));
    }
    const std::string one = encodeVdb(fogOf(points, 0.7, Device::cpu(1)), 0.01);
    for (const int threads : {2, 4, 7})
        EXPECT_EQ(one == encodeVdb(fogOf(points, 0.7, Device::cpu(threads)), 0.01).bytes(), true) << threads;
}

// On a voxel's centre it fills that one alone, though seven neighbours, here in other leaves, get none of it.
TEST(Vdb, aParticleOnAVoxelFillsThatOneAlone) {
    Points points;
    points.positions = {{14, 14, -2}};
    points.radii = {1.2407009f};  // the sphere that fills a voxel 2 wide
    const std::vector<VdbGrid> grids = fogOf(points, 2);
    ASSERT_EQ(grids.size(), 1u);
    ASSERT_EQ(grids[0].leaves.size(), 1u);
    EXPECT_EQ(grids[0].leaves[0].x, 0);
    EXPECT_EQ(grids[0].leaves[0].z, -8);
    ASSERT_EQ(grids[0].leaves[0].values.size(), 1u);
    EXPECT_NEAR(grids[0].leaves[0].values[0], 1, 1e-5);  // seven digits of the radius, cubed
}

TEST(Vdb, particlesThatAreNowhereAreRefused) {
    Points points;
    points.positions = {{0, 0, 0}, {std::nanf(""), 0, 0}, {1, 1, 1}};
    EXPECT_NE(errorOf([&] { fogOf(points, 1); }).find("more than a million voxels"), std::string::npos);
    points.positions.edit()[1] = {0, -3e6f, 0};
    EXPECT_NE(errorOf([&] { fogOf(points, 1); }).find("more than a million voxels"), std::string::npos);
}

bool sameGrid(const VdbGrid& a, const VdbGrid& b) {
    if (a.name != b.name || a.kind != b.kind || a.components != b.components || a.voxel != b.voxel ||
        a.background != b.background || a.leaves.size() != b.leaves.size())
        return false;
    // Files have their leaves in the tree's order.
    for (const VdbLeaf& leaf : a.leaves) {
        const auto other = std::find_if(b.leaves.begin(), b.leaves.end(), [&](const VdbLeaf& l) {
            return l.x == leaf.x && l.y == leaf.y && l.z == leaf.z;
        });
        if (other == b.leaves.end() || leaf.active != other->active || leaf.inside != other->inside ||
            !sameBits(leaf.values, other->values))
            return false;
    }
    return true;
}

TEST(Vdb, gridsComeBackToTheBit) {
    for (const auto& grids : {levelSetOf(ball(2, 8), 0.2), fogOf(frameNumbered(2, 50).points, 2)}) {
        const std::vector<VdbGrid> read = decodeVdb(encodeVdb(grids, 0.01), "a.vdb");
        ASSERT_EQ(read.size(), grids.size());
        for (size_t i = 0; i < grids.size(); ++i) EXPECT_TRUE(sameGrid(read[i], grids[i])) << grids[i].name;
    }
}

// OpenVDB's own tool prints what we wrote.
TEST(Vdb, vdbPrintOpensOurFiles) {
    if (std::system("command -v vdb_print >/dev/null") != 0)
        GTEST_SKIP() << "no vdb_print; apt install libopenvdb-tools";
    Folder folder;
    const std::vector<VdbGrid> grids = levelSetOf(ball(2, 12), 0.25);
    writeFile(folder / "ball.vdb", encodeVdb(grids, 0.01));
    ASSERT_EQ(std::system(("vdb_print -l " + (folder / "ball.vdb") + " > " + (folder / "out") + " 2>&1").c_str()), 0)
        << readFile(folder / "out");
    const std::string text = readFile(folder / "out");
    for (const char* word : {"Name: surface", "Name: v", "class: level set", "voxel size: 0.25",
                             "Background value: 0.75", "vector_type: contravariant relative"})
        EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

TEST(Vdb, damagedFilesGiveErrorsAndNothingWorse) {
    const std::string whole = encodeVdb(levelSetOf(ball(2, 4), 0.5), 0.01);
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        std::string damaged = whole.substr(0, seed % 2 ? whole.size() : randomBits(seed, 1) % whole.size());
        for (uint64_t k = 0; k < 3 && !damaged.empty(); ++k)
            damaged[randomBits(seed, 2 + k) % std::min<size_t>(damaged.size(), seed % 3 ? 900 : damaged.size())] =
                static_cast<char>(randomBits(seed, 12 + k));
        try {
            decodeVdb(damaged, "damaged.vdb");
        } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find("damaged.vdb"), 0u); }
    }
}

}  // namespace
}  // namespace purl

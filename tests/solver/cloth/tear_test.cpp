#include "solver/cloth/tear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/cache/stateFile.h"
#include "solver/cloth/cloth.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

// Number of connected components.
int piecesOf(const Faces& faces, size_t points) {
    std::vector<int> piece(points);
    for (size_t i = 0; i < points; ++i) piece[i] = static_cast<int>(i);
    const auto leader = [&](int i) {
        while (piece[i] != i) i = piece[i];
        return i;
    };
    forEachFace(faces, [&](const int* corners, int count) {
        for (int k = 1; k < count; ++k) piece[leader(corners[k])] = leader(corners[0]);
    });
    int pieces = 0;
    for (size_t i = 0; i < points; ++i) pieces += leader(static_cast<int>(i)) == static_cast<int>(i);
    return pieces;
}

// Area of the faces at these positions.
double areaOf(const Faces& faces, const Vec3* x) {
    double sum = 0;
    const std::vector<int> triangles = triangulate(faces);
    for (size_t t = 0; t < triangles.size(); t += 3)
        sum +=
            0.5 * double(length(cross(x[triangles[t + 1]] - x[triangles[t]], x[triangles[t + 2]] - x[triangles[t]])));
    return sum;
}

void addUvs(Cloth& cloth) {
    for (const Vec3& p : cloth.points) {
        cloth.faces.u.push_back(p.x);
        cloth.faces.v.push_back(p.y + p.z);
    }
    cloth.faces.cornerUvs = cloth.faces.corners;
}

// A strip along x stretched at its ends, faster on one side, so that it tears from there.
struct Strip {
    Cloth cloth = test::gridCloth(17, 5, {-0.2f, 0, 0}, {0.4f, 0, 0}, {0, 0, 0.1f});
    Strip() {
        cloth.params.tearStrain = 0.2f;
        cloth.params.stretchStiffness = 200;
        test::pin(cloth, [](Vec3 p) { return std::fabs(p.x) > 0.19f; });
        addUvs(cloth);
    }
    Scene at(double time) const {
        Scene scene = test::sceneOf(cloth);
        scene.solver.gravity = 0;
        for (size_t i = 0; i < cloth.points.size(); ++i)
            if (cloth.pins[i] > 0)
                scene.cloths[0].points[i].x += (cloth.points[i].x > 0 ? 1.0f : -1.0f) *
                                               (0.05f + 1.5f * cloth.points[i].z) * static_cast<float>(time);
        return scene;
    }
    const Frame& play(Simulator& simulator, int first, int last) const {
        if (first == 1) simulator.reset(at(0));
        for (int frame = first; frame <= last; ++frame) simulator.advanceTo(at(frame / 24.0), frame / 24.0);
        return simulator.frame();
    }
};

// Across the tension through the centre point: one copy, and both cracks end in intact points.
TEST(Tear, splitsAcrossTheTensionAndKeepsFaces) {
    const Cloth cloth = test::gridCloth(5, 5, {}, {1, 0, 0}, {0, 1, 0});
    std::vector<Vec3> x = cloth.points;
    x[13].x += 0.5f;
    const std::vector<float> weights(25, 1);
    Faces faces = cloth.faces;
    const std::vector<int> copies = tear(faces, {cloth.points.data(), 25}, {x.data(), 25}, {weights.data(), 25}, 1);
    // Edge 12 – 13 has three times its length. Faces to the right of 12 move to its copy.
    EXPECT_EQ(copies, std::vector<int>{12});
    EXPECT_EQ(faces.counts, cloth.faces.counts);
    EXPECT_EQ(std::count(faces.corners.begin(), faces.corners.end(), 12), 2);
    EXPECT_EQ(std::count(faces.corners.begin(), faces.corners.end(), 25), 2);
    EXPECT_EQ(piecesOf(faces, 26), 1);
}

TEST(Tear, nothingTearsWithinTheLimit) {
    const Cloth cloth = test::gridCloth(5, 5, {}, {1, 0, 0}, {0, 1, 0});
    std::vector<Vec3> x = cloth.points;
    for (Vec3& p : x) p = 1.19f * p;
    const std::vector<float> weights(25, 1);
    Faces faces = cloth.faces;
    EXPECT_TRUE(tear(faces, {cloth.points.data(), 25}, {x.data(), 25}, {weights.data(), 25}, 0.2f).empty());
    EXPECT_EQ(faces, cloth.faces);
}

// If all points are pinned, nothing tears.
TEST(Tear, pinnedPointsDoNotSplit) {
    const Cloth cloth = test::gridCloth(4, 4, {}, {1, 0, 0}, {0, 1, 0});
    std::vector<Vec3> x = cloth.points;
    for (Vec3& p : x) p = 3 * p;
    const std::vector<float> weights(16, 0);
    Faces faces = cloth.faces;
    EXPECT_TRUE(tear(faces, {cloth.points.data(), 16}, {x.data(), 16}, {weights.data(), 16}, 0.2f).empty());
}

TEST(Tear, tornStripKeepsMassAndTexture) {
    const Strip strip;
    Simulator simulator(oneThread());
    const Frame& frame = strip.play(simulator, 1, 60);
    ASSERT_EQ(frame.meshes.size(), 1u);
    const Mesh& mesh = frame.meshes[0];
    EXPECT_GT(mesh.positions.size(), strip.cloth.points.size());
    EXPECT_EQ(mesh.positions.size(), mesh.velocities.size());
    EXPECT_GE(piecesOf(mesh.faces, mesh.positions.size()), 2);
    // No component contains pins from both sides.
    EXPECT_EQ(mesh.faces.counts, strip.cloth.faces.counts);
    EXPECT_EQ(mesh.faces.u, strip.cloth.faces.u);
    EXPECT_EQ(mesh.faces.cornerUvs, strip.cloth.faces.cornerUvs);
    // Every corner is a copy of the original one: its rest position is its texture coordinate.
    const Buffer<Vec3>& rest = simulator.state().cloth.rest;
    ASSERT_EQ(static_cast<size_t>(rest.size()), mesh.positions.size());
    for (size_t k = 0; k < mesh.faces.corners.size(); ++k)
        EXPECT_EQ(rest[mesh.faces.corners[k]].x, mesh.faces.u[mesh.faces.cornerUvs[k]]);
    EXPECT_EQ(areaOf(mesh.faces, rest.data()), areaOf(strip.cloth.faces, strip.cloth.points.data()));
    Fabric fabric(oneThread());
    Cloth torn = strip.cloth;
    torn.faces = mesh.faces;
    torn.points.assign(rest.begin(), rest.end());
    torn.pins.clear();
    fabric.set(torn, rest.span());
    double mass = 0;
    for (const float inverse : fabric.inverseMass) mass += 1 / double(inverse);
    EXPECT_NEAR(mass, 0.04 * double(strip.cloth.params.density), 1e-7);  // kg: rounding of the sum
}

TEST(Tear, resumedInTheMiddleOfATearGivesTheSameBits) {
    const Strip strip;
    Simulator whole(oneThread()), part(oneThread()), rest(oneThread());
    const uint64_t expected = strip.play(whole, 1, 48).stateHash;
    // Saved after the first split and before the last.
    int middle = 1;
    while (strip.play(part, middle, middle).meshes[0].positions.size() == strip.cloth.points.size()) ++middle;
    EXPECT_LT(part.frame().meshes[0].positions.size(), whole.frame().meshes[0].positions.size());
    const std::string path = testing::TempDir() + "torn.purl";
    saveState(part.state(), path);
    rest.restore(loadState(path, oneThread()), strip.at(middle / 24.0));
    EXPECT_EQ(rest.frame().meshes[0].faces, part.frame().meshes[0].faces);
    EXPECT_EQ(strip.play(rest, middle + 1, 48).stateHash, expected);
}

TEST(Tear, sameBitsForAnyNumberOfThreads) {
    const Strip strip;
    Simulator one(oneThread()), two(Device::cpu(2));
    EXPECT_EQ(strip.play(one, 1, 18).stateHash, strip.play(two, 1, 18).stateHash);
}

// A cloth stored after one that tears keeps its points.
TEST(Tear, otherClothsAreUnaffected) {
    const Strip strip;
    Simulator simulator(oneThread());
    Cloth other = test::levelCloth(4, 0.1f, {0, 1, 0});
    other.name = "other";
    for (int frame = 0; frame <= 36; ++frame) {
        Scene scene = strip.at(frame / 24.0);
        scene.cloths.push_back(other);
        simulator.advanceTo(scene, frame / 24.0);
    }
    const Frame& frame = simulator.frame();
    EXPECT_GT(frame.meshes[0].positions.size(), strip.cloth.points.size());
    ASSERT_EQ(frame.meshes[1].positions.size(), 16u);
    EXPECT_EQ(frame.meshes[1].faces, other.faces);
    for (size_t i = 0; i < 16; ++i) EXPECT_LT(length(frame.meshes[1].positions[i] - other.points[i]), 1e-4f);
}

}  // namespace
}  // namespace purl

#include "solver/fluid/fill.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"
#include "tests/solver/messageOf.h"
#include "tests/solver/waterSquare.h"

namespace purl {
namespace {

// Regression: 3.6·10⁹ sites in one layer overflowed to none, and the message recommended a smaller spacing.
TEST(Fill, refusesMoreSitesThanItCanLookAtAndSaysHowMany) {
    const TriangleMesh plane = boxMesh({0, 0, -0.1f}, {1.8f, 1.8f, 0.1f});
    EXPECT_EQ(test::messageOf([&] { fillVolume(plane, 3e-5f, 0, 1, 2000000000, Device::cpu(1), 2); }),
              "volume mesh spans a box of 3.6e+09 sites at spacing 3e-05 m, more than 1e+09; use a larger spacing, or "
              "a volume for each piece");
    // Two small boxes far apart.
    TriangleMesh specks = boxMesh({0, 0, 0}, {0.1f, 0.1f, 0.1f});
    const TriangleMesh far = boxMesh({60, 60, 60}, {60.1f, 60.1f, 60.1f});
    for (const int corner : far.triangles) specks.triangles.push_back(corner + 8);
    specks.vertices.insert(specks.vertices.end(), far.vertices.begin(), far.vertices.end());
    EXPECT_NE(test::messageOf([&] { fillVolume(specks, 0.02f, 0, 1); }).find("sites at spacing 0.02 m"),
              std::string::npos);
}

TEST(Fill, boxOfNSpacingsHoldsNCubed) {
    for (const int n : {1, 2, 7, 20}) {
        for (const float spacing : {0.02f, 0.1f, 0.3f}) {
            const Vec3 low{-0.4f, 1.1f, 3};
            const float edge = static_cast<float>(n) * spacing;
            const auto points = fillVolume(boxMesh(low, low + Vec3{edge, edge, edge}), spacing, 0, 1);
            ASSERT_EQ(points.size(), static_cast<size_t>(n * n * n)) << n << " × " << spacing;
            EXPECT_NEAR(length(points[0] - (low + 0.5f * spacing * Vec3{1, 1, 1})), 0, 1e-5f);
        }
    }
}

// For any size, the outer rows are half a pitch from the walls and the lowest layer from the floor, every site has a
// volume of spacing³, and only the height of the surface is rounded.
TEST(Fill, boxOfAnySizeTouchesItsWallsAtRestDensity) {
    constexpr float kSpacing = 0.1f;
    const Vec3 low{-0.4f, 1.1f, 3}, size{1.04f, 0.83f, 0.76f};
    const Bounds box{low, low + size};
    for (const Vec3 down : {Vec3{0, -1, 0}, Vec3{0, 0, -1}, Vec3{1, 0, 0}}) {
        const FillLattice lattice(box, kSpacing, 3, down);
        EXPECT_NEAR(double(lattice.pitch.x) * lattice.pitch.y * lattice.pitch.z, 1e-3, 1e-9);
        const Vec3 last = lattice.site(lattice.sites() - 1);
        const int upright = down.x != 0 ? 0 : down.y != 0 ? 1 : 2;
        for (int axis = 0; axis < 3; ++axis) {
            const float half = 0.5f * lattice.pitch[axis], before = lattice.first[axis] - box.low[axis],
                        behind = box.high[axis] - last[axis];
            const bool isTop = axis == upright;
            EXPECT_NEAR(before, half, isTop && down[axis] > 0 ? half + 1e-5f : 1e-5f);
            EXPECT_NEAR(behind, half, isTop && down[axis] < 0 ? half + 1e-5f : 1e-5f);
        }
        EXPECT_NEAR(double(lattice.sites()) * 1e-3, double(size.x) * size.y * size.z,
                    0.5 * 1e-3 * double(lattice.sites()) / double(size[upright] / lattice.pitch[upright] - 0.5f));
    }
}

// B-116
TEST(Fill, sphereHoldsItsVolume) {
    for (const float spacing : {0.05f, 0.037f, 0.02f}) {
        const TriangleMesh mesh = sphereMesh({0.1f, 0.2f, 0.3f}, 0.5f, 5);
        const auto points = fillVolume(mesh, spacing, 0, 1);
        const double volume = static_cast<double>(points.size()) * spacing * spacing * spacing;
        EXPECT_NEAR(volume / volumeTree(mesh).volume(), 1, 0.02) << spacing;
    }
}

TEST(Fill, cavityStaysEmpty) {
    TriangleMesh shell = boxMesh({-1, -1, -1}, {1, 1, 1}), cavity = boxMesh({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
    for (size_t t = 0; t < cavity.triangles.size(); t += 3) std::swap(cavity.triangles[t], cavity.triangles[t + 1]);
    for (const int v : cavity.triangles) shell.triangles.push_back(v + 8);
    shell.vertices.insert(shell.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
    EXPECT_EQ(fillVolume(shell, 0.1f, 0, 1).size(), 20u * 20 * 20 - 10u * 10 * 10);
}

TEST(Fill, meshInsideOutFillsAllTheSame) {
    TriangleMesh mesh = boxMesh({0, 0, 0}, {1, 1, 1});
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) std::swap(mesh.triangles[t], mesh.triangles[t + 1]);
    EXPECT_EQ(fillVolume(mesh, 0.1f, 0, 1).size(), 1000u);
}

TEST(Fill, jitterMovesButStaysInside) {
    const TriangleMesh mesh = sphereMesh({}, 0.5f, 4);
    const auto still = fillVolume(mesh, 0.05f, 0, 1), moved = fillVolume(mesh, 0.05f, 0.3f, 1),
               other = fillVolume(mesh, 0.05f, 0.3f, 2);
    ASSERT_EQ(still.size(), moved.size());
    const TriangleTree tree = volumeTree(mesh);
    size_t elsewhere = 0, different = 0;
    for (size_t i = 0; i < still.size(); ++i) {
        EXPECT_TRUE(tree.isInside(moved[i]));
        EXPECT_LE(length(moved[i] - still[i]), 0.05f * 0.3f * 1.7321f);
        elsewhere += moved[i] != still[i];
        different += moved[i] != other[i];
    }
    EXPECT_GT(elsewhere, still.size() * 9 / 10);
    EXPECT_GT(different, still.size() * 9 / 10);
}

TEST(Fill, anyNumberOfThreadsFillsTheSame) {
    const TriangleMesh mesh = sphereMesh({0, 0, 0}, 0.5f, 4);
    const auto one = fillVolume(mesh, 0.02f, 0.2f, 5, 1000000, Device::cpu(1));
    const auto two = fillVolume(mesh, 0.02f, 0.2f, 5, 1000000, Device::cpu(2));
    EXPECT_TRUE(one == two);
}

std::string errorOf(const TriangleMesh& mesh, float spacing, int most = 1000000) {
    try {
        fillVolume(mesh, spacing, 0, 1, most);
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(Fill, whatCannotBeFilledSaysWhy) {
    TriangleMesh open = boxMesh({0, 0, 0}, {1, 1, 1});
    open.triangles.resize(open.triangles.size() - 6);
    EXPECT_EQ(errorOf(open, 0.1f), "volume mesh is open (4 edges have one face); close its holes");
    EXPECT_EQ(errorOf({}, 0.1f), "volume mesh has no faces; connect a closed mesh");
    EXPECT_EQ(
        errorOf(boxMesh({0, 0, 0}, {1, 1, 1}), 0.1f, 999),
        "volume mesh holds more than 999 particles at spacing 0.1 m; use a larger spacing or a larger maxParticles");
    EXPECT_NE(errorOf(boxMesh({0, 0, 0}, {1, 1, 1}), 1e-6f), "");  // immediately, not after 10¹⁸ sites
}

// L-73. A square dam is the same square each time, at rest.
TEST(Fill, damStartsTheSameEachTime) {
    const Scene scene = test::waterSquare();
    Simulator first(test::oneThread()), second;
    const Frame& frame = first.reset(scene);
    EXPECT_EQ(frame.stateHash, second.reset(scene).stateHash);
    for (const Vec3 v : frame.points.velocities) EXPECT_EQ(v, Vec3{});
    Bounds bounds;
    for (const Vec3 x : frame.points.positions) bounds.include(x);
    EXPECT_NEAR(bounds.size().x, 29 * test::kSquareSpacing, 1e-5);
    EXPECT_NEAR(bounds.size().y, 29 * test::kSquareSpacing, 1e-5);
}

}  // namespace
}  // namespace purl

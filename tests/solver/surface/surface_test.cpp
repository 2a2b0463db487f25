#include "solver/surface/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/random.h"
#include "solver/search/triangleTree.h"
#include "solver/surface/cells.h"
#include "solver/surface/smooth.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

Frame frameOf(float spacing, float supportRadius, std::vector<Vec3> positions) {
    Frame frame;
    frame.bodies.push_back({"water", BodyKind::liquid, 1000, spacing, supportRadius, {0.1f, 0.2f, 0.3f}});
    frame.points.positions = std::move(positions);
    for (size_t i = 0; i < frame.points.count(); ++i) {
        frame.points.ids.push_back(static_cast<int64_t>(i));
        frame.points.bodies.push_back(0);
    }
    return frame;
}

Vec3 cellCenter(int x, int y, int z) {
    return {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, static_cast<float>(z) + 0.5f};
}

// Particles of a cubic lattice within a ball.
std::vector<Vec3> latticeBall(float spacing, float radius, Vec3 center = {}) {
    std::vector<Vec3> inside;
    const int n = static_cast<int>(radius / spacing) + 1;
    for (int z = -n; z <= n; ++z)
        for (int y = -n; y <= n; ++y)
            for (int x = -n; x <= n; ++x) {
                const Vec3 p = spacing * cellCenter(x, y, z);
                if (length(p) <= radius) inside.push_back(center + p);
            }
    return inside;
}

std::vector<Vec3> randomCloud(int count, float size, uint64_t seed) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < count; ++i) {
        const auto at = [&](int k) { return size * (randomUnit(seed, static_cast<uint64_t>(3 * i + k)) - 0.5f); };
        cloud.push_back({at(0), at(1), at(2)});
    }
    return cloud;
}

// Density by summation, self included, and the sphere that holds the mass at it (Kelager, eq. 5.19).
void addDensities(Frame& frame, double mass, double h) {
    const auto& x = frame.points.positions;
    const double scale = 315 / (64 * kPi * std::pow(h, 9));
    for (const Vec3& a : x) {
        double density = 0;
        for (const Vec3& b : x) {
            const double left = h * h - lengthSquared(a - b);
            if (left > 0) density += mass * scale * left * left * left;
        }
        frame.points.densities.push_back(static_cast<float>(density));
        frame.points.radii.push_back(static_cast<float>(std::cbrt(3 * mass / (4 * kPi * density))));
    }
}

// Every edge is run through once in each direction: closed, and each edge has exactly two triangles.
::testing::AssertionResult isClosed(const Mesh& mesh) {
    std::map<std::pair<int, int>, int> edges;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t + k], b = mesh.triangles[t + (k + 1) % 3];
            if (a < 0 || a >= static_cast<int>(mesh.positions.size()))
                return ::testing::AssertionFailure() << "no vertex " << a;
            if (++edges[{a, b}] > 1) return ::testing::AssertionFailure() << "edge " << a << "→" << b << " runs twice";
        }
    for (const auto& [edge, times] : edges)
        if (!edges.count({edge.second, edge.first}))
            return ::testing::AssertionFailure() << "edge " << edge.first << "→" << edge.second << " is open";
    for (const Vec3& p : mesh.positions)
        if (!isFinite(p)) return ::testing::AssertionFailure() << "a vertex is not finite";
    return ::testing::AssertionSuccess();
}

int eulerCharacteristic(const Mesh& mesh) {
    const int triangles = static_cast<int>(mesh.triangles.size() / 3);
    return static_cast<int>(mesh.positions.size()) - triangles * 3 / 2 + triangles;
}

double volumeOf(const Mesh& mesh) {
    double volume = 0;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const auto corner = [&](size_t k) { return mesh.positions[static_cast<size_t>(mesh.triangles[t + k])]; };
        volume += static_cast<double>(dot(corner(0), cross(corner(1), corner(2)))) / 6;
    }
    return volume;
}

SurfaceParams plain() {
    SurfaceParams params;
    params.kernelScale = 1;
    params.smoothing = 0;
    return params;
}

// B-68 G-49 K-73 L-82
TEST(Surface, ballIsClosedWithTheVolumeOfItsMass) {
    // The documents' water: 20 neighbours, m = 0.02 kg, so that h = 0.0457 m and the spacing is 0.0272 m.
    const float mass = 0.02f, restDensity = 998.29f, h = 0.0457f;
    const float spacing = std::cbrt(mass / restDensity);
    Frame frame = frameOf(spacing, h, latticeBall(spacing, 0.3f));
    addDensities(frame, static_cast<double>(mass), static_cast<double>(h));
    const double volume = static_cast<double>(frame.points.count()) * static_cast<double>(mass / restDensity);

    SurfaceParams documented = plain();
    documented.resolution = spacing / 0.01f;
    for (const SurfaceParams& params : {documented, SurfaceParams{}}) {
        const Mesh mesh = makeSurface(Device::cpu(), frame, 0, params);
        EXPECT_TRUE(isClosed(mesh));
        EXPECT_EQ(eulerCharacteristic(mesh), 2);
        EXPECT_NEAR(volumeOf(mesh), volume, 0.1 * volume);
        EXPECT_EQ(mesh.name, "water");
        ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
        for (size_t i = 0; i < mesh.positions.size(); ++i) {
            EXPECT_NEAR(length(mesh.normals[i]), 1, 1e-4);
            EXPECT_GT(dot(mesh.normals[i], normalized(mesh.positions[i])), 0.5f);
        }
    }
}

// B-127. Points and mesh of one frame show the same: no particle, of a pool or of spray, lies farther than a support
// radius outside.
TEST(Surface, holdsItsParticles) {
    const float s = 0.05f, h = 0.1f;
    std::vector<Vec3> splash;
    for (int z = 0; z < 12; ++z)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 12; ++x) splash.push_back(s * cellCenter(x, y, z));
    for (const Vec3 drop : randomCloud(60, 1, 9)) splash.push_back(drop + Vec3{0.3f, 1.0f, 0.3f});
    Frame frame = frameOf(s, h, splash);
    addDensities(frame, 1000 * std::pow(double(s), 3), double(h));
    const Mesh mesh = makeSurface(Device::cpu(), frame, 0);
    TriangleTree tree;
    tree.build(mesh.positions, mesh.triangles);
    int inside = 0;
    for (const Vec3 x : splash) {
        const bool in = tree.isInside(x);
        inside += in;
        EXPECT_TRUE(in || tree.closest(x, h)) << x.x << " " << x.y << " " << x.z;
    }
    EXPECT_GT(inside, 12 * 6 * 12);
}

// K-74
TEST(Surface, gasNeverGivesAMesh) {
    Frame frame = frameOf(0.1f, 0.2f, latticeBall(0.1f, 0.5f));
    frame.bodies[0].kind = BodyKind::gas;
    EXPECT_THROW(makeSurface(Device::cpu(), frame, 0), Error);
    EXPECT_THROW(makeSurface(Device::cpu(), frame, 1), Error);
}

TEST(Surface, ofNothingIsEmpty) {
    const Mesh mesh = makeSurface(Device::cpu(), frameOf(0.1f, 0.2f, {}), 0);
    EXPECT_TRUE(mesh.positions.empty());
    EXPECT_TRUE(mesh.triangles.empty());
}

// B-68
TEST(Surface, isClosedForRandomClouds) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        // From a mist of crumbs to a froth full of holes: all of the 256 cases come up.
        const int count = 50 << (seed % 7);
        SurfaceParams params = plain();
        params.resolution = seed % 3 == 0 ? 1.0f : 2.0f;
        params.isoValue = seed % 2 ? 0.5f : 0.15f;
        const Mesh mesh = makeSurface(Device::cpu(), frameOf(0.1f, 0.15f, randomCloud(count, 1.2f, seed)), 0, params);
        EXPECT_TRUE(isClosed(mesh)) << "seed " << seed;
        EXPECT_GE(volumeOf(mesh), 0) << "seed " << seed;
    }
}

TEST(Surface, isClosedForAwkwardPlaces) {
    const float s = 0.125f;  // a cell is then a power of two, and these lie exactly on nodes and block corners
    const std::vector<std::vector<Vec3>> awkward = {
        {{0, 0, 0}},
        {{0, 0, 0}, {s, 0, 0}},
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        {{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}},
        {{s, s, 0}, {0, 0, 0}, {2 * s, 0, 0}, {s, 0, s}},
        {{-4 * s, -4 * s, -4 * s}, {-4 * s, -4 * s, -3 * s}, {-5 * s, -4 * s, -4 * s}},
        {{1000, -2000, 3000}, {1000 + s, -2000, 3000}},
    };
    for (size_t i = 0; i < awkward.size(); ++i)
        for (const float scale : {0.5f, 1.0f, 2.0f})
            for (const float resolution : {0.5f, 2.0f, 8.0f}) {
                SurfaceParams params = plain();
                params.kernelScale = scale;
                params.resolution = resolution;
                params.isoValue = 0.05f;
                const Mesh mesh = makeSurface(Device::cpu(), frameOf(s, 2 * s, awkward[i]), 0, params);
                EXPECT_TRUE(isClosed(mesh)) << "set " << i << ", scale " << scale << ", resolution " << resolution;
            }
}

TEST(Surface, facesOutward) {
    const Mesh mesh = makeSurface(Device::cpu(), frameOf(0.1f, 0.2f, latticeBall(0.1f, 0.5f, {-7, -3, -11})), 0);
    EXPECT_TRUE(isClosed(mesh));
    EXPECT_GT(volumeOf(mesh), 0.3);
    for (const Vec3& p : mesh.positions) EXPECT_NEAR(length(p - Vec3{-7, -3, -11}), 0.5f, 0.1f);
}

TEST(Surface, isTheSameForAnyNumberOfThreads) {
    Frame frame = frameOf(0.05f, 0.1f, randomCloud(4000, 0.8f, 5));
    frame.points.velocities = randomCloud(4000, 2, 6);
    const Mesh one = makeSurface(Device::cpu(1), frame, 0);
    for (const int threads : {2, 3, 8}) {
        const Mesh many = makeSurface(Device::cpu(threads), frame, 0);
        EXPECT_EQ(one.positions, many.positions);
        EXPECT_EQ(one.normals, many.normals);
        EXPECT_EQ(one.velocities, many.velocities);
        EXPECT_EQ(one.triangles, many.triangles);
    }
}

TEST(Surface, movesWithARigidBall) {
    const Vec3 velocity{1, -2, 3}, spin{0.5f, 2, -1};
    Frame frame = frameOf(0.05f, 0.1f, latticeBall(0.05f, 0.5f));
    for (const Vec3& p : frame.points.positions) frame.points.velocities.push_back(velocity + cross(spin, p));
    const Mesh mesh = makeSurface(Device::cpu(), frame, 0);
    ASSERT_EQ(mesh.velocities.size(), mesh.positions.size());
    // At the surface all particles lie on one side, by up to half a kernel: that much lever arm is lost.
    for (size_t i = 0; i < mesh.positions.size(); ++i)
        EXPECT_LT(length(mesh.velocities[i] - velocity - cross(spin, mesh.positions[i])), 0.06f * length(spin));
}

TEST(Surface, ofOneBodyLeavesOthersOut) {
    Frame frame = frameOf(0.1f, 0.2f, latticeBall(0.1f, 0.4f));
    const size_t own = frame.points.count();
    for (const Vec3& p : latticeBall(0.1f, 0.4f, {5, 0, 0})) {
        frame.points.positions.push_back(p);
        frame.points.ids.push_back(static_cast<int64_t>(frame.points.ids.size()));
        frame.points.bodies.push_back(1);
    }
    frame.bodies.push_back(frame.bodies[0]);
    frame.bodies[1].name = "oil";
    const Mesh water = makeSurface(Device::cpu(), frame, 0), oil = makeSurface(Device::cpu(), frame, 1);
    ASSERT_GT(own, 0u);
    EXPECT_EQ(oil.name, "oil");
    for (const Vec3& p : water.positions) EXPECT_LT(p.x, 1);
    for (const Vec3& p : oil.positions) EXPECT_GT(p.x, 4);
}

TEST(Surface, ofARestingBlockIsFlat) {
    std::vector<Vec3> block;
    for (int z = 0; z < 20; ++z)
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 20; ++x) block.push_back(0.1f * cellCenter(x, y, z));
    const Mesh mesh = makeSurface(Device::cpu(), frameOf(0.1f, 0.193f, block), 0);
    float low = 10, high = 0;
    for (const Vec3& p : mesh.positions) {
        if (p.y < 0.6f || p.x < 0.5f || p.x > 1.5f || p.z < 0.5f || p.z > 1.5f) continue;
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    EXPECT_LT(high - low, 0.005f);  // a twentieth of the spacing
    EXPECT_NEAR(low, 0.8f, 0.02f);
}

TEST(Surface, dropOfALoneParticleHasItsVolume) {
    // With 30 neighbours a lone particle's density is 6.5625/30 of rest (Kelager), its sphere so much larger.
    const float s = 0.1f, h = s * std::cbrt(30 * 3 / (4 * static_cast<float>(kPi)));
    Frame frame = frameOf(s, h, {{0.03f, 0.01f, 0.02f}});
    addDensities(frame, 1000 * 0.001, static_cast<double>(h));
    EXPECT_NEAR(frame.points.densities[0], 1000 * 6.5625 / 30, 1);
    SurfaceParams fine;
    fine.resolution = 6;
    const Mesh drop = makeSurface(Device::cpu(), frame, 0, fine);
    EXPECT_TRUE(isClosed(drop));
    EXPECT_NEAR(volumeOf(drop), 0.001, 0.0002);
}

TEST(Surface, refusesWhatItCannotMesh) {
    Frame far = frameOf(0.1f, 0.2f, {{1e30f, 0, 0}});
    EXPECT_THROW(makeSurface(Device::cpu(), far, 0), Error);
    Frame notANumber = frameOf(0.1f, 0.2f, {{std::nanf(""), 0, 0}});
    EXPECT_THROW(makeSurface(Device::cpu(), notANumber, 0), Error);
    Frame noSpacing = frameOf(0, 0, {{0, 0, 0}});
    EXPECT_THROW(makeSurface(Device::cpu(), noSpacing, 0), Error);
    SurfaceParams wrong;
    wrong.resolution = 0;
    EXPECT_THROW(makeSurface(Device::cpu(), frameOf(0.1f, 0.2f, {{0, 0, 0}}), 0, wrong), Error);
}

// B-68
TEST(Cells, everyCutEdgeCarriesAVertexAndNoOther) {
    const auto cases = cellCases();
    const auto edges = cellEdges();
    EXPECT_EQ(cases[1].triangleCount, 1);
    for (int bits = 0; bits < 256; ++bits) {
        const CellCase& made = cases[static_cast<size_t>(bits)];
        int used = 0, cut = 0;
        for (int k = 0; k < 3 * made.triangleCount; ++k) used |= 1 << made.edges[k];
        for (size_t e = 0; e < edges.size(); ++e) {
            const int from = edges[e].corner, to = from | 1 << edges[e].axis;
            if ((bits >> from & 1) != (bits >> to & 1)) cut |= 1 << e;
        }
        EXPECT_EQ(used, cut) << "case " << bits;
    }
}

TEST(SmoothMesh, keepsVolume) {
    const Mesh before = makeSurface(Device::cpu(), frameOf(0.1f, 0.2f, latticeBall(0.1f, 0.8f)), 0, plain());
    Mesh after = before;
    smoothMesh(Device::cpu(), after, 10);
    EXPECT_NE(after.positions, before.positions);
    EXPECT_NEAR(volumeOf(after), volumeOf(before), 0.02 * volumeOf(before));
}

}  // namespace
}  // namespace purl

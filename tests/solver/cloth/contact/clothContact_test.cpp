#include "solver/cloth/contact/clothContact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/cache/stateFile.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/cloth/crossings.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::crossingsIn;
using test::oneThread;
using test::pierces;
using test::Wide;

Cloth robust(Cloth cloth) {
    cloth.params.selfCollision = SelfCollision::robust;
    return cloth;
}

Collider floorPlane() {
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.params.friction = 0.5f;
    return floor;
}

// Portable uniform random number in [0, 1).
float uniform(std::mt19937& random) { return float(random() >> 8) / float(1 << 24); }
Vec3 somewhere(std::mt19937& random) {
    const float x = uniform(random), y = uniform(random), z = uniform(random);
    return {x, y, z};
}

// Random pairs moving through each other: up to the time of impact they are separated whenever their four points are
// coplanar, which is necessary for passing through.
TEST(FeaturePair, timeOfImpactIsConservative) {
    std::mt19937 random(7);
    int hits = 0, safe = 0;
    for (int trial = 0; trial < 20000; ++trial)
        for (const FeaturePair kind : {FeaturePair::pointTriangle, FeaturePair::edgeEdge}) {
            Vec3 x[4], displacement[4];
            for (int k = 0; k < 4; ++k) {
                x[k] = somewhere(random);
                displacement[k] = 2 * somewhere(random) - Vec3{1, 1, 1};
            }
            const float time = timeOfImpact(kind, x, displacement), start = length(closestPair(kind, x).separation);
            time < 1 ? ++hits : ++safe;
            const auto volumeAt = [&](double t) {
                Wide p[4];
                for (int k = 0; k < 4; ++k)
                    p[k] = {double(x[k].x) + t * double(displacement[k].x),
                            double(x[k].y) + t * double(displacement[k].y),
                            double(x[k].z) + t * double(displacement[k].z)};
                const Wide a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
                return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
            };
            constexpr int kSamples = 100;
            for (int s = 0; s < kSamples; ++s) {
                double from = double(time) * s / kSamples, to = double(time) * (s + 1) / kSamples;
                const bool below = volumeAt(from) < 0;
                if ((volumeAt(to) < 0) == below) continue;
                for (int bisection = 0; bisection < 40; ++bisection) {
                    const double middle = 0.5 * (from + to);
                    ((volumeAt(middle) < 0) == below ? from : to) = middle;
                }
                Vec3 at[4];
                for (int k = 0; k < 4; ++k) at[k] = x[k] + static_cast<float>(from) * displacement[k];
                ASSERT_GE(length(closestPair(kind, at).separation), 0.99f * kMinSeparationRatio * start) << trial;
            }
        }
    EXPECT_GT(hits, 1000);
    EXPECT_GT(safe, 1000);
}

TEST(FeaturePair, closestPairIsClosest) {
    std::mt19937 random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        Vec3 x[4];
        for (Vec3& p : x) p = somewhere(random);
        const float vt = length(closestPair(FeaturePair::pointTriangle, x).separation),
                    ee = length(closestPair(FeaturePair::edgeEdge, x).separation);
        for (int a = 0; a <= 20; ++a)
            for (int b = 0; b <= 20; ++b) {
                const float s = float(a) / 20, t = float(b) / 20;
                EXPECT_LE(ee, length(lerp(x[0], x[1], s) - lerp(x[2], x[3], t)) + 1e-6f);
                if (s + t > 1) continue;
                EXPECT_LE(vt, length(x[0] - x[1] - s * (x[2] - x[1]) - t * (x[3] - x[1])) + 1e-6f);
            }
    }
}

TEST(ClothContact, sheetsShotAtEachOtherDoNotCross) {
    for (const float speed : {1.0f, 6.0f, 25.0f, 50.0f}) {
        Scene scene;
        for (const float side : {-1.0f, 1.0f}) {
            // Misaligned meshes, so that edges meet edges and vertices meet faces.
            Cloth cloth = robust(test::gridCloth(14, 14, {-0.2f + 0.013f * side, side * 0.1f, -0.2f},
                                                 {0.4f, 0.03f, 0.02f}, {0.03f, 0, 0.4f}, side > 0));
            cloth.name = side > 0 ? "upper" : "lower";
            cloth.params.startVelocity = {0.2f * side, -side * speed, 0};
            scene.cloths.push_back(cloth);
        }
        scene.solver.gravity = 0;
        Simulator simulator(oneThread());
        for (int frame = 1; frame <= 12; ++frame)
            ASSERT_EQ(crossingsIn(simulator.advanceTo(scene, frame / 24.0)), 0) << speed << " " << frame;
        // The sheets stopped each other: otherwise they would have kept this speed; and nothing throws them back. Rims
        // stand out and fold around, and crumpled parts spring back, so some motion remains.
        double upper = 0, lower = 0;
        for (int i = 0; i < 196; ++i) {
            lower += double(simulator.state().cloth.v[i].y) / 196;
            upper += double(simulator.state().cloth.v[196 + i].y) / 196;
        }
        EXPECT_LT(std::fabs(lower), 0.2 * double(speed));  // an eighth at most
        EXPECT_LT(std::fabs(upper), 0.2 * double(speed));
    }
}

// A wavy sheet standing on its edge.
Cloth standing(int nx, int ny) {
    Cloth cloth = robust(test::gridCloth(nx, ny, {-0.1f, 0.01f, 0}, {0.2f, 0, 0.01f}, {0.02f, 0.8f, 0.03f}));
    for (Vec3& p : cloth.points) p.z += 0.03f * std::sin(20 * p.y + p.x);
    cloth.params.bendStiffness = 1e-6f;
    return cloth;
}

// B-47, including contacts between points.
TEST(ClothContact, clothFallingInFoldsDoesNotCross) {
    Scene scene = test::sceneOf(standing(12, 40));
    scene.colliders.push_back(floorPlane());
    Simulator simulator(oneThread());
    for (int frame = 1; frame <= 24; ++frame)
        ASSERT_EQ(crossingsIn(simulator.advanceTo(scene, frame / 24.0)), 0) << frame;
    float highest = 0;
    for (const Vec3& x : simulator.state().cloth.x) highest = std::max(highest, x.y);
    EXPECT_LT(highest, 0.2f);  // it has fallen
}

// B-48: pairs closer at rest than their thickness are not repelled.
TEST(ClothContact, flatClothIsNotMoved) {
    Cloth cloth = robust(test::levelCloth(9, 0.16f));
    test::inVacuum(cloth).params.selfDistance = 0.03f;  // 1.5 quad edges
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator simulator(oneThread());
    test::play(simulator, scene, 0.5);
    // In vacuum it drifts as a whole, by rounding over 125 steps.
    for (int i = 0; i < simulator.state().cloth.count(); ++i)
        EXPECT_NEAR(length(simulator.state().cloth.x[i] - cloth.points[i]), 0, 1e-5);
}

// A strip with its ends twisted against each other by three turns.
TEST(ClothContact, twistedClothDoesNotCross) {
    const int nx = 10, ny = 30;
    Cloth cloth = robust(test::gridCloth(nx, ny, {-0.1f, 0, 0}, {0.2f, 0, 0}, {0, 0.6f, 0}));
    cloth.params.strainLimit = 0.1f;
    test::pin(cloth, [](Vec3 p) { return p.y < 0.001f || p.y > 0.599f; });
    Scene scene = test::sceneOf(cloth);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const int frames = 72;
    for (int frame = 1; frame <= frames; ++frame) {
        const float angle = 6.2831853f * 3 * float(frame) / frames;
        for (int i = 0; i < nx; ++i) {
            const Vec3 p = cloth.points[(ny - 1) * nx + i];
            scene.cloths[0].points[(ny - 1) * nx + i] = {p.x * std::cos(angle), 0.6f - 0.15f * float(frame) / frames,
                                                         p.x * std::sin(angle)};
        }
        ASSERT_EQ(crossingsIn(simulator.advanceTo(scene, frame / 24.0)), 0) << frame;
    }
}

// A pyramid of this height on a square base of this edge, below the origin.
Collider spike(float edge, float height) {
    Collider collider;
    collider.name = "spike";
    collider.params.shape = ColliderShape::mesh;
    const float h = 0.5f * edge;
    collider.mesh.vertices = {{-h, 0, -h}, {h, 0, -h}, {h, 0, h}, {-h, 0, h}, {0, height, 0}};
    collider.mesh.triangles = {0, 1, 2, 0, 2, 3, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3, 4};
    return collider;
}

// Number of collider edges that pass through cloth triangles.
int piercings(const Frame& frame, const TriangleMesh& solid) {
    const Mesh& cloth = frame.meshes[0];
    const auto corner = [&](size_t k) { return cloth.positions[cloth.triangles[k]]; };
    int count = 0;
    for (size_t t = 0; t < solid.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const Vec3 p = solid.vertices[solid.triangles[t + k]], q = solid.vertices[solid.triangles[t + (k + 1) % 3]];
            for (size_t u = 0; u < cloth.triangles.size(); u += 3)
                if (pierces(p, q, corner(u), corner(u + 1), corner(u + 2))) ++count;
        }
    return count;
}

// The tip is narrower than the quads that fall on it, so no cloth point ever touches it.
TEST(ClothContact, spikeDoesNotPassBetweenPoints) {
    for (const SelfCollision mode : {SelfCollision::none, SelfCollision::robust}) {
        Cloth cloth = test::gridCloth(10, 10, {-0.23f, 0.15f, -0.21f}, {0.4f, 0, 0}, {0, 0, 0.4f}, true);
        cloth.params.selfCollision = mode;
        cloth.params.startVelocity = {0, -4, 0};
        Scene scene = test::sceneOf(cloth);
        scene.colliders.push_back(spike(0.05f, 0.12f));
        Simulator simulator(oneThread());
        for (int frame = 1; frame <= 12; ++frame)
            ASSERT_EQ(piercings(simulator.advanceTo(scene, frame / 24.0), scene.colliders[0].mesh), 0) << frame;
        // There is still cloth above the tip.
        float highest = 0;
        for (const Vec3& x : simulator.state().cloth.x) highest = std::max(highest, x.y);
        EXPECT_GT(highest, 0.1f);  // 0.124
    }
}

// Edges and corners of a table top between the points of a coarse cloth that is pulled down over them.
TEST(ClothContact, tableEdgesDoNotPassBetweenPoints) {
    Cloth cloth = test::levelCloth(14, 0.5f, {0.02f, 0.03f, 0.01f});
    cloth.params.airDrag = 0.2f;
    Scene scene = test::sceneOf(cloth);
    Collider table;
    table.name = "table";
    table.params.shape = ColliderShape::box;
    table.params.halfSize = {0.12f, 0.02f, 0.12f};
    table.params.friction = 0.8f;
    scene.colliders.push_back(table);
    const TriangleMesh top = outlineOf(table);
    Simulator simulator(oneThread());
    for (int frame = 1; frame <= 36; ++frame)
        ASSERT_EQ(piercings(simulator.advanceTo(scene, frame / 24.0), top), 0) << frame;
    EXPECT_LT(simulator.state().cloth.x[0].y, -0.05f);  // the corners hang down
}

TEST(ClothContact, sameBitsForAnyNumberOfThreadsAndOnResuming) {
    Scene scene = test::sceneOf(standing(30, 60));
    scene.colliders.push_back(floorPlane());
    uint64_t hashes[2] = {};
    for (const int threads : {1, 2}) {
        Simulator simulator(Device::cpu(threads));
        hashes[threads - 1] = test::play(simulator, scene, 0.25).stateHash;
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    Simulator part(oneThread()), rest(oneThread());
    test::play(part, scene, 0.125);
    const std::string path = testing::TempDir() + "layers.purl";
    saveState(part.state(), path);
    rest.restore(loadState(path, oneThread()), scene);
    EXPECT_EQ(test::play(rest, scene, 0.25).stateHash, hashes[0]);
}

}  // namespace
}  // namespace purl

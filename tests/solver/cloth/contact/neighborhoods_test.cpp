#include "solver/cloth/contact/neighborhoods.h"

#include <gtest/gtest.h>

#include <random>

#include "solver/cloth/contact/featurePair.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

ContactGeometry geometryOf(const Cloth& cloth) {
    std::vector<Fabric> fabrics;
    fabrics.emplace_back(oneThread());
    fabrics[0].set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    ContactGeometry geometry(oneThread());
    geometry.setCloths(fabrics, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    return geometry;
}

Cloth robustCloth(int n) {
    Cloth cloth = test::levelCloth(n, 1);
    cloth.params.selfCollision = SelfCollision::robust;
    return cloth;
}

// Visits every vertex–face and edge–edge pair of two patches without a common point.
template <class Visit>
void forEachPair(const ContactGeometry& geometry, int p, int q, const Visit& visit) {
    const auto shares = [](int a, const int* v, int count) { return std::find(v, v + count, a) != v + count; };
    const auto begin = [&](int patch) { return geometry.patchStarts[patch]; };
    for (int i = begin(p); i < begin(p + 1); ++i)
        for (int k = begin(q); k < begin(q + 1); ++k) {
            const int *a = geometry.primitives[i].v, *b = geometry.primitives[k].v;
            for (int m = 0; m < 3; ++m) {
                if (!shares(a[m], b, 3)) visit(FeaturePair::pointTriangle, a[m], b[0], b[1], b[2]);
                if (!shares(b[m], a, 3)) visit(FeaturePair::pointTriangle, b[m], a[0], a[1], a[2]);
                for (int l = 0; l < 3; ++l) {
                    const int other[2] = {b[l], b[(l + 1) % 3]};
                    if (!shares(a[m], other, 2) && !shares(a[(m + 1) % 3], other, 2))
                        visit(FeaturePair::edgeEdge, a[m], a[(m + 1) % 3], other[0], other[1]);
                }
            }
        }
}

// Cloth folded along a grid line by 80°: its two sides stay apart.
TEST(Neighborhoods, sharpFoldIsNearRigid) {
    const ContactGeometry geometry = geometryOf(robustCloth(9));
    Neighborhoods neighborhoods(oneThread());
    neighborhoods.set(geometry);
    Bounds box;
    for (int i = 0; i < geometry.clothPoints; ++i) box.include(geometry.rest[i]);
    const auto countNearRigid = [&](float angle) {
        Buffer<MassPoint> x(oneThread(), geometry.clothPoints);
        for (int i = 0; i < geometry.clothPoints; ++i) {
            const Vec3 r = geometry.rest[i];
            const float beyond = std::max(r.x - box.center().x, 0.0f);
            x[i].x = r + beyond * Vec3{std::cos(angle) - 1, std::sin(angle), 0};
        }
        neighborhoods.update(geometry, x.data(), x.data());
        int count = 0;
        for (int p = 0; p + 1 < static_cast<int>(geometry.patchStarts.size()); ++p)
            for (int k = 0; k < neighborhoods.neighborhoodsOf(p).count; ++k) count += neighborhoods.isNearRigid(p)[k];
        return count;
    };
    const int flat = countNearRigid(0);
    EXPECT_GT(flat, 0);
    EXPECT_EQ(countNearRigid(1.4f), flat);
}

// Cloth bent, sheared and shaken at random, from flat to crumpled: near-rigid neighbourhoods keep their distances and
// do not intersect. Many must be near-rigid, and some of the crumpled ones not, or the test would show nothing.
TEST(Neighborhoods, nearRigidPatchesKeepTheirDistance) {
    const ContactGeometry geometry = geometryOf(robustCloth(9));
    Neighborhoods neighborhoods(oneThread());
    neighborhoods.set(geometry);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1, 1);
    const auto patches = static_cast<int>(geometry.patchStarts.size()) - 1;
    int nearRigid = 0, deforming = 0;
    for (int round = 0; round < 60; ++round) {
        const float roughness = 0.0015f * static_cast<float>(round), wave = 6 * any(random), rotation = 3 * any(random);
        const auto shape = [&](Buffer<MassPoint>& x, float more) {
            for (int i = 0; i < geometry.clothPoints; ++i) {
                const Vec3 r = geometry.rest[i];
                const float angle = wave * r.x + rotation + more;
                const Vec3 noise = roughness * Vec3{any(random), any(random), any(random)};
                x[i].x = Vec3{r.z * std::cos(more) + 0.3f * r.x, 0.1f * std::sin(angle), r.x} + noise;
            }
        };
        Buffer<MassPoint> from(oneThread(), geometry.clothPoints), to(oneThread(), geometry.clothPoints);
        shape(from, 0);
        shape(to, 0.1f * any(random));
        neighborhoods.update(geometry, from.data(), to.data());
        EXPECT_TRUE(neighborhoods.recheck(geometry, from.data(), to.data()).empty());
        const float thickness = 2 * geometry.bodies[0].halfThickness;
        for (int p = 0; p < patches; ++p) {
            const Span<const Neighborhood> neighbors = neighborhoods.neighborhoodsOf(p);
            for (int k = 0; k < neighbors.count; ++k) {
                if (!neighborhoods.isNearRigid(p)[k]) {
                    ++deforming;
                    continue;
                }
                ++nearRigid;
                forEachPair(geometry, p, neighbors[k].other, [&](FeaturePair kind, int a, int b, int c, int d) {
                    const int v[4] = {a, b, c, d};
                    Vec3 rest[4], x[4], displacement[4], now[4];
                    for (int m = 0; m < 4; ++m) {
                        rest[m] = geometry.rest[v[m]];
                        x[m] = from[v[m]].x;
                        displacement[m] = to[v[m]].x - from[v[m]].x;
                    }
                    const float minDistance = std::min(thickness, 0.7f * length(closestPair(kind, rest).separation));
                    for (const float time : {0.0f, 0.3f, 0.7f, 1.0f}) {
                        for (int m = 0; m < 4; ++m) now[m] = x[m] + time * displacement[m];
                        // Up to rounding.
                        EXPECT_GT(length(closestPair(kind, now).separation), 0.9999f * minDistance);
                    }
                    EXPECT_EQ(timeOfImpact(kind, x, displacement), 1);
                });
            }
        }
    }
    EXPECT_GT(nearRigid, 500);
    EXPECT_GT(deforming, 100);
}

// A flat, rotated cloth is near-rigid everywhere. Neighbourhoods with a cut are not, although its two sides coincide at
// rest.
TEST(Neighborhoods, cutIsNotNearRigid) {
    Cloth cloth = robustCloth(9);
    const auto knownIn = [](const Cloth& of, int& all) {
        const ContactGeometry geometry = geometryOf(of);
        Neighborhoods neighborhoods(oneThread());
        neighborhoods.set(geometry);
        Buffer<MassPoint> x(oneThread(), geometry.clothPoints);
        for (int i = 0; i < geometry.clothPoints; ++i)
            x[i].x = {-geometry.rest[i].z, geometry.rest[i].y, geometry.rest[i].x};
        neighborhoods.update(geometry, x.data(), x.data());
        int known = 0;
        all = 0;
        for (int p = 0; p + 1 < static_cast<int>(geometry.patchStarts.size()); ++p)
            for (int k = 0; k < neighborhoods.neighborhoodsOf(p).count; ++k, ++all)
                known += neighborhoods.isNearRigid(p)[k];
        return known;
    };
    int all = 0;
    EXPECT_EQ(knownIn(cloth, all), all);
    // Duplicate the inner points of the fourth row; the faces below it use the copies.
    const auto first = static_cast<int>(cloth.points.size());
    for (int i = 1; i < 8; ++i) cloth.points.push_back(cloth.points[4 * 9 + i]);
    for (size_t f = 4 * 8 * 4; f < cloth.faces.corners.size(); ++f) {
        int& corner = cloth.faces.corners.edit()[f];
        if (corner > 4 * 9 && corner < 4 * 9 + 8) corner += first - 4 * 9 - 1;
    }
    EXPECT_LT(knownIn(cloth, all), all);
}

}  // namespace
}  // namespace purl

#include "solver/cloth/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "solver/cloth/fabric.h"
#include "solver/core/error.h"
#include "tests/solver/cloth/cloths.h"

namespace purl {
namespace {

std::map<SpringFamily, int> countsOf(const Topology& topology) {
    std::map<SpringFamily, int> counts;
    for (const Link& link : topology.links) ++counts[link.family];
    return counts;
}

Topology makeTopology(const Cloth& cloth) {
    return purl::makeTopology(cloth.faces, cloth.points.data(), static_cast<int>(cloth.points.size()));
}

// B-30
TEST(ClothTopology, quadGridMatchesThePapersSprings) {
    for (const auto& [nx, ny] : {std::pair(2, 2), {3, 3}, {7, 5}, {20, 31}}) {
        const Topology topology = makeTopology(test::gridCloth(nx, ny, {}, {1, 0, 0}, {0, 2, 0}));
        auto counts = countsOf(topology);
        EXPECT_EQ(counts[SpringFamily::structural], nx * (ny - 1) + ny * (nx - 1));
        EXPECT_EQ(counts[SpringFamily::shear], 2 * (nx - 1) * (ny - 1));
        EXPECT_EQ(counts[SpringFamily::bend], nx * (ny - 2) + ny * (nx - 2));
        EXPECT_EQ(static_cast<int>(topology.folds.size()), counts[SpringFamily::bend]);
        std::set<std::pair<int, int>> pairs;
        for (const Link& link : topology.links) EXPECT_TRUE(pairs.insert(std::minmax(link.a, link.b)).second);
    }
}

// O-16. Özgen's grids have his stretch and shear springs. He bends by springs to every other point, along the axes and
// along the diagonals; here the first are folds, which bend like a plate, and the second would only add to them.
TEST(ClothTopology, gridsHaveOezgensStretchAndShearSprings) {
    struct Row {
        int rows, columns, stretch, shear, bend;
    };
    for (const Row& row :
         {Row{31, 21, 1250, 1200, 2300}, Row{61, 41, 4900, 4800, 9400}, Row{41, 41, 3280, 3200, 6240}}) {
        const Topology topology = makeTopology(test::gridCloth(row.columns, row.rows, {}, {0.4f, 0, 0}, {0, 0.6f, 0}));
        auto counts = countsOf(topology);
        EXPECT_EQ(counts[SpringFamily::structural], row.stretch);
        EXPECT_EQ(counts[SpringFamily::shear], row.shear);
        EXPECT_EQ(static_cast<int>(topology.folds.size()), row.bend - 2 * (row.rows - 2) * (row.columns - 2));
    }
}

TEST(ClothTopology, bendSpringsSkipOnePointAlongAnAxis) {
    const int nx = 6, ny = 4;
    for (const Link& link : makeTopology(test::gridCloth(nx, ny, {}, {1, 0, 0}, {0, 1, 0})).links) {
        const int di = std::abs(link.a % nx - link.b % nx), dj = std::abs(link.a / nx - link.b / nx);
        switch (link.family) {
            case SpringFamily::structural: EXPECT_EQ(di + dj, 1); break;
            case SpringFamily::shear: EXPECT_TRUE(di == 1 && dj == 1); break;
            case SpringFamily::bend: EXPECT_TRUE((di == 2 && dj == 0) || (di == 0 && dj == 2)); break;
            default: FAIL() << "a sheet has one layer";
        }
    }
}

TEST(ClothTopology, trianglesFoldAcrossEveryInnerEdge) {
    const int n = 5;
    const Topology topology = makeTopology(test::gridCloth(n, n, {}, {1, 0, 0}, {0, 1, 0}, true));
    auto counts = countsOf(topology);
    const int edges = 2 * n * (n - 1) + (n - 1) * (n - 1), rim = 4 * (n - 1);
    EXPECT_EQ(counts[SpringFamily::structural], edges);
    EXPECT_EQ(counts[SpringFamily::shear], 0);
    EXPECT_EQ(static_cast<int>(topology.folds.size()), edges - rim);
}

TEST(ClothTopology, areasAddUpToTheMesh) {
    for (const bool triangles : {false, true}) {
        double sum = 0;
        for (const float area : makeTopology(test::gridCloth(9, 6, {}, {0.5f, 0, 0}, {0, 0, 2}, triangles)).areas)
            sum += double(area);
        EXPECT_NEAR(sum, 1, 1e-6);  // rounding
    }
}

// Energy per area is ½ Y ε² at strain ε and ½ G γ² at shear γ, at any resolution; diagonals of quads carry some of the
// stretch too, edges of triangles carry all.
TEST(ClothTopology, energyOfAStrainedSheetDoesNotDependOnTheMesh) {
    const auto energyOf = [](const Topology& topology, const Cloth& cloth, SpringFamily family, auto&& strained) {
        double energy = 0;
        for (const Link& link : topology.links) {
            if (link.family != family) continue;
            const Vec3 a = strained(cloth.points[link.a]), b = strained(cloth.points[link.b]);
            energy += 0.5 * double(link.stiffnessPerModulus) * square(length(a - b) - link.rest);
        }
        return energy;
    };
    constexpr float strain = 0.01f;
    const auto stretch = [](Vec3 p) { return Vec3{p.x * (1 + strain), p.y, p.z}; };
    const auto shear = [](Vec3 p) { return Vec3{p.x + strain * p.y, p.y, p.z}; };
    for (const int n : {4, 11, 41}) {
        const Cloth squares = test::gridCloth(n, 2 * n - 1, {}, {1, 0, 0}, {0, 1, 0});
        const Topology topology = makeTopology(squares);
        // 0.5 % for finite strains.
        EXPECT_NEAR(energyOf(topology, squares, SpringFamily::structural, stretch) / (0.5 * strain * strain), 1, 0.005);
        // 2.5e-5: shear lengthens threads in second order.
        EXPECT_NEAR(energyOf(topology, squares, SpringFamily::structural, shear) / (0.5 * strain * strain), 0, 1e-4);
        const Cloth even = test::gridCloth(n, n, {}, {1, 0, 0}, {0, 1, 0});
        // 2e-5, of second order in the strain.
        EXPECT_NEAR(energyOf(makeTopology(even), even, SpringFamily::shear, shear) / (0.5 * strain * strain), 1, 1e-4);
    }
}

// A sheet rolled to a radius R has the energy ½ B / R² per area: quads, triangles, coarse and fine.
TEST(ClothTopology, energyOfABentSheetDoesNotDependOnTheMesh) {
    constexpr float radius = 2;
    for (const bool triangles : {false, true})
        for (const int n : {11, 41}) {
            const Cloth cloth = test::gridCloth(n, n, {}, {1, 0, 0}, {0, 1, 0}, triangles);
            double energy = 0;
            for (const Fold& fold : makeTopology(cloth).folds) {
                Vec3 sum;
                for (int k = 0; k < 4; ++k) {
                    const Vec3 p = cloth.points[fold.v[k]];
                    sum += fold.c[k] * Vec3{radius * std::sin(p.x / radius), p.y, radius * std::cos(p.x / radius)};
                }
                energy += 0.5 * double(fold.stiffnessPerModulus) * double(lengthSquared(sum));
            }
            // A row of n points has n − 2 folds: its two ends stay straight.
            EXPECT_NEAR(energy * 2 * radius * radius, 1, 2.0 / n) << n << (triangles ? " triangles" : " squares");
        }
}

TEST(ClothTopology, bentRestMeshHasNoStrain) {
    Cloth cloth = test::gridCloth(8, 8, {}, {1, 0, 0}, {0, 1, 0});
    for (Vec3& p : cloth.points) p.z = 0.3f * p.x * p.x;
    for (const Fold& fold : makeTopology(cloth).folds) {
        Vec3 sum;
        for (int k = 0; k < 4; ++k) sum += fold.c[k] * cloth.points[fold.v[k]];
        EXPECT_NEAR(length(sum), fold.rest, 1e-6);  // rounding
    }
}

// B-107
TEST(ClothTopology, incidencesListEverySpringTwice) {
    const Cloth cloth = test::levelCloth(9, 1);
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    std::vector<int> seen(static_cast<size_t>(fabric.springs.size()));
    for (int i = 0; i < fabric.count(); ++i)
        for (int p = fabric.incidenceStarts[i]; p < fabric.incidenceStarts[i + 1]; ++p) {
            const Incidence part = fabric.incidences[p];
            if (part.element >= fabric.springs.size()) continue;
            ++seen[part.element];
            const Spring& spring = fabric.springs[part.element];
            EXPECT_EQ(part.weight > 0 ? spring.a : spring.b, i);
        }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 2; }));
}

TEST(ClothTopology, elementsOfAColorShareNoPoint) {
    const Cloth cloth = test::levelCloth(13, 1);
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    int springs = 0;
    for (int c = 0; c < fabric.springColors.count(); ++c) {
        std::set<int> points;
        for (int s = fabric.springColors.begin(c); s < fabric.springColors.end(c); ++s) {
            EXPECT_TRUE(points.insert(fabric.springs[s].a).second);
            EXPECT_TRUE(points.insert(fabric.springs[s].b).second);
            ++springs;
        }
    }
    EXPECT_EQ(springs, fabric.springs.size());
    // Eight springs meet at a point, so eight colours is the minimum; each one more costs a barrier.
    EXPECT_LE(fabric.springColors.count(), 12);
}

TEST(ClothTopology, coincidentPointsAreAnError) {
    Cloth cloth = test::levelCloth(4, 1);
    cloth.points[5] = cloth.points[6];
    try {
        makeTopology(cloth);
        FAIL();
    } catch (const Error& error) { EXPECT_NE(std::string(error.what()).find("5 and 6"), std::string::npos); }
}

}  // namespace
}  // namespace purl

#include "solver/cloth/directional.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/cloth/forces.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

const Vec3 kDown{0, -1, 0};

// A sheet of n × n points, a metre wide, hanging from y = 0 by its first row; pinned where `held` is true.
Cloth hanging(int n, const std::function<bool(int, int)>& held) {
    Cloth cloth = test::gridCloth(n, n, {}, {1, 0, 0}, {0, -1, 0});
    cloth.pins.assign(cloth.points.size(), 0);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            if (held(i, j)) cloth.pins[j * n + i] = 1;
    return cloth;
}
bool upperEdge(int, int j) { return j == 0; }
std::function<bool(int, int)> corners(int n) {
    return [n](int i, int j) { return j == 0 && (i == 0 || i == n - 1); };
}

Fabric fabricOf(const Cloth& cloth) {
    Fabric fabric(oneThread());
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    return fabric;
}
CorrectionList listOf(const Cloth& cloth, const CorrectionRules& rules = {}, Vec3 down = kDown) {
    return makeCorrectionList(fabricOf(cloth), down, rules);
}
std::set<std::pair<int, int>> edgesOf(const CorrectionList& list) {
    std::set<std::pair<int, int>> edges;
    for (const Correction& c : list.sequence) edges.insert({c.from, c.to});
    return edges;
}

// O-90
TEST(Directional, threeByThreeListMatchesThePaper) {
    const CorrectionList list = listOf(hanging(3, [](int i, int j) { return i + j == 0; }), {CorrectionOrder::hvs, 1});
    const std::vector<std::pair<int, int>> expected{{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {3, 6}, {3, 7}, {4, 8}};
    ASSERT_EQ(list.sequence.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k)
        EXPECT_EQ(std::pair(list.sequence[k].from, list.sequence[k].to), expected[k]) << k;
}

// O-90: no correction leads up, bends or moves a pin.
TEST(Directional, correctionsGoAcrossAndDown) {
    const int n = 9;
    const Cloth cloth = hanging(n, corners(n));
    for (const Correction& c : listOf(cloth).sequence) {
        const Vec3 from = cloth.points[c.from], to = cloth.points[c.to];
        EXPECT_LE(to.y, from.y + 1e-6f);               // rounding
        EXPECT_LT(length(to - from), 1.5f / (n - 1));  // √2 grid distances: neighbours and diagonals only
        EXPECT_EQ(cloth.pins[c.to], 0);
    }
}

// O-91
TEST(Directional, listSizesMatchTheLiteralAlgorithm) {
    for (int limit = 1; limit <= 3; ++limit) {
        const CorrectionRules literal{CorrectionOrder::hvs, limit, true};
        EXPECT_EQ(listOf(hanging(41, corners(41)), literal).sequence.size(), size_t(1679 * limit));
        EXPECT_EQ(listOf(hanging(41, upperEdge), literal).sequence.size(), size_t(1640 * limit));
        std::vector<int> visits(41 * 41);
        for (const Correction& c : listOf(hanging(41, corners(41)), {CorrectionOrder::hvs, limit}).sequence)
            EXPECT_LE(++visits[c.to], limit);
    }
}

// O-92
TEST(Directional, sixOrdersGiveFourPatterns) {
    const Cloth cloth = hanging(41, [](int i, int j) { return i + j == 0; });
    std::vector<std::set<std::pair<int, int>>> sets;
    for (int order = 0; order < 6; ++order)
        sets.push_back(edgesOf(listOf(cloth, {static_cast<CorrectionOrder>(order), 1})));
    const auto of = [&](CorrectionOrder order) { return sets[static_cast<size_t>(order)]; };
    EXPECT_EQ(of(CorrectionOrder::hvs), of(CorrectionOrder::vhs));
    EXPECT_EQ(of(CorrectionOrder::shv), of(CorrectionOrder::svh));
    std::sort(sets.begin(), sets.end());
    EXPECT_EQ(std::unique(sets.begin(), sets.end()) - sets.begin(), 4);
    EXPECT_EQ(ClothParams().reference.correctionOrder, CorrectionOrder::hvs);
}

// O-93
TEST(Directional, simultaneousFrontsAreSymmetric) {
    const int n = 15;
    const auto mirrored = [&](const CorrectionRules& rules) {
        const CorrectionList list = listOf(hanging(n, corners(n)), rules);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (list.depth[j * n + i] != list.depth[j * n + n - 1 - i]) return false;
        return true;
    };
    EXPECT_TRUE(mirrored({}));
    EXPECT_FALSE(mirrored({CorrectionOrder::hvs, 2, false, false}));
}

// O-94
TEST(Directional, movesOnlyTheFartherEndToRestLength) {
    const std::vector<Correction> one{{0, 1, 0.1f}};
    const float w[] = {1, 1};
    Vec3 x[] = {{0.3f, 0.1f, 0.7f}, {0.5f, -0.2f, 0.6f}};
    const Vec3 source = x[0];
    EXPECT_EQ(enforce(one, {}, {w, 2}, x), 1);
    EXPECT_EQ(x[0], source);
    EXPECT_NEAR(length(x[1] - x[0]), 0.1f, 1e-7);  // rounding
    // Compressed springs are left alone.
    x[1] = x[0] + Vec3{0.05f, 0, 0};
    EXPECT_EQ(enforce(one, {}, {w, 2}, x), 0);
}

// O-107, O-106: levels reproduce the serial result, and no two corrections of a level conflict.
TEST(Directional, levelsMatchTheSerialSequenceBitwise) {
    const Cloth cloth = hanging(20, corners(20));
    const CorrectionList list = listOf(cloth, {CorrectionOrder::hvs, 3});
    std::vector<Vec3> serial = cloth.points, levelled;
    for (size_t i = 0; i < serial.size(); ++i) serial[i] *= 1.1f + 0.1f * randomUnit(4, i);
    levelled = serial;
    const Fabric fabric = fabricOf(cloth);
    enforce(list.sequence, {}, fabric.inverseMass.span(), serial.data());
    for (size_t l = 0; l + 1 < list.levels.size(); ++l) {
        std::set<int> written, read;
        // In reverse: the order within a level does not matter.
        for (int k = list.levels[l + 1] - 1; k >= list.levels[l]; --k) {
            const Correction& c = list.sequence[list.levelOrder[k]];
            EXPECT_TRUE(written.insert(c.to).second);
            read.insert(c.from);
            enforce({c}, {}, fabric.inverseMass.span(), levelled.data());
        }
        for (const int v : read) EXPECT_EQ(written.count(v), 0u);
    }
    EXPECT_EQ(levelled, serial);
}

// Özgen's sheet (7.1) simulated as in bench/directional: soft springs, steps of 3 ms, velocity damping.
struct Played {
    double longest = 0, lowest = 0, speed = 0;
};
Played playSheet(const Cloth& sheet, float damping, int steps, const std::function<void(const Fabric&, Vec3*)>& apply) {
    Cloth cloth = sheet;
    cloth.params.density = 0.3f;
    cloth.params.stretchStiffness = cloth.params.shearStiffness = 0.3f;
    cloth.params.bendSpring = 0.6f;
    cloth.params.bendStiffness = cloth.params.damping = 0;
    const Fabric fabric = fabricOf(cloth);
    std::vector<Vec3> x = cloth.points, v(x.size()), force(x.size());
    for (Vec3& p : x) p = {p.x, 0.5f * p.y, -0.866f * p.y};
    Buffer<Vec3> element(oneThread());
    constexpr float dt = 0.003f;
    for (int step = 0; step < steps; ++step) {
        internalForces(fabric, x.data(), v.data(), element, force.data());
        const std::vector<Vec3> before = x;
        for (int i = 0; i < fabric.count(); ++i) {
            const auto k = static_cast<size_t>(i);
            if (!(fabric.inverseMass[i] > 0)) continue;
            // x⁺ = x + (1 − δ)(x − x⁻) + a Δt²
            v[k] = (1 - damping) * v[k] + dt * (Vec3{0, -9.81f, 0} + fabric.inverseMass[i] * force[k]);
            x[k] += dt * v[k];
        }
        apply(fabric, x.data());
        for (size_t k = 0; k < x.size(); ++k) v[k] = (1 / dt) * (x[k] - before[k]);
    }
    Played played;
    for (const Link& link : fabric.topology().links)
        if (link.family == SpringFamily::structural)
            played.longest = std::max(played.longest, double(length(x[link.a] - x[link.b]) / link.rest) - 1);
    for (const Vec3& p : x) played.lowest = std::max(played.lowest, -double(p.y));
    for (const Vec3& p : v) played.speed += double(length(p)) / double(v.size());
    return played;
}
Played playDirectional(const Cloth& cloth, float damping, int steps) {
    const CorrectionList list = listOf(cloth);
    return playSheet(cloth, damping, steps,
                     [&](const Fabric& fabric, Vec3* x) { enforce(list.sequence, {}, fabric.inverseMass.span(), x); });
}
Played playPasses(const Cloth& cloth, int passes, int steps) {
    std::vector<Correction> all;
    for (const Spring& spring : fabricOf(cloth).springs) all.push_back({spring.a, spring.b, spring.rest});
    return playSheet(cloth, 0.1f, steps, [&, all](const Fabric& fabric, Vec3* x) {
        for (int pass = 0; pass < passes; ++pass) enforce(all, {true, 0.5f}, fabric.inverseMass.span(), x);
    });
}

// O-95, O-97: over the whole sheet; a metre of cloth hangs down a metre. The speed of a settled point comes from
// corrections, which undo gravity after every step.
TEST(Directional, onePassStopsOverstretchAndComesToRest) {
    const Cloth cloth = hanging(41, upperEdge);
    const Played with = playDirectional(cloth, 0.1f, 1500), without = playPasses(cloth, 0, 1500);
    EXPECT_LT(with.longest, 0.02);      // 0.008
    EXPECT_NEAR(with.lowest, 1, 1e-4);  // 6e-6: the cloth is 1 m long
    EXPECT_LT(with.speed, 2e-3);
    EXPECT_GT(without.longest, 1.5);
}

// O-89: more of Provot's passes are better; O-96: one directional pass replaces ten of them.
TEST(Directional, onePassMatchesTenProvotPasses) {
    const Cloth cloth = hanging(25, upperEdge);
    const double one = playPasses(cloth, 1, 600).longest, two = playPasses(cloth, 2, 600).longest,
                 ten = playPasses(cloth, 10, 600).longest, directional = playDirectional(cloth, 0.1f, 600).longest;
    EXPECT_LT(two, one);
    EXPECT_LT(ten, two);
    EXPECT_LT(directional, 1.2 * ten + 0.005);  // 0.0036 and 0.0080
    // It handles fewer springs than one pass, and costs accordingly less.
    EXPECT_LT(listOf(cloth).sequence.size(), 0.6 * fabricOf(cloth).springs.size());
}

// O-89: springs within the threshold and pins do not move.
TEST(Directional, passesRespectThresholdAndPins) {
    const std::vector<Correction> springs{{0, 1, 0.1f}};
    const float held[] = {0, 1};
    Vec3 x[] = {{}, {0.105f, 0, 0}};
    EXPECT_EQ(enforce(springs, {false, 0.5f}, {held, 2}, x, 0.1f), 0);
    x[1].x = 0.2f;
    EXPECT_EQ(enforce(springs, {false, 0.5f}, {held, 2}, x, 0.1f), 1);
    EXPECT_EQ(x[0], Vec3{});
    EXPECT_NEAR(x[1].x, 0.1f, 1e-7);
    const float both[] = {1, 1};
    x[1].x = 0.05f;
    enforce(springs, {false, 0.5f}, {both, 2}, x, 0.1f);
    EXPECT_NEAR(x[0].x, -0.025f, 1e-7);
    EXPECT_NEAR(x[1].x, 0.075f, 1e-7);
}

// A cloth as in scenes: far too stiff for such steps, no damping, pinned at an edge.
Scene sceneHanging(int n, const std::function<bool(int, int)>& held) {
    Cloth cloth = hanging(n, held);
    test::inVacuum(cloth).params.solver = ClothSolver::directional;
    cloth.params.airDrag = 0.05f;
    for (Vec3& p : cloth.points) p = {p.x, 0.5f * p.y, -0.866f * p.y};
    return test::sceneOf(cloth);
}

// O-97: damps motion relative to the point above, not the motion itself: the cloth swings freely and still settles.
TEST(Directional, clothSwingsWithoutShaking) {
    Scene scene = sceneHanging(21, upperEdge);
    Simulator simulator(oneThread());
    double fastest = 0;
    for (int frame = 1; frame <= 24 * 8; ++frame) {
        EXPECT_LT(simulator.advanceTo(scene, frame / 24.0).stats.maxStretch, 0.02) << frame;  // 0.005 at most
        fastest = std::max(fastest, double(length(simulator.state().cloth.v[20 * 21 + 10])));
    }
    // A metre of cloth falls half a metre: 3.1 m/s, with some loss.
    EXPECT_GT(fastest, 1.5);
    double speed = 0, lowest = 0;
    for (const Vec3& v : simulator.state().cloth.v) speed += double(length(v)) / 441;
    for (const Vec3& x : simulator.state().cloth.x) lowest = std::max(lowest, -double(x.y));
    EXPECT_NEAR(lowest, 1, 1e-3);                          // 2e-5: the cloth is 1 m long
    EXPECT_LT(speed, 1e-3);                                // m/s: 4e-5
    EXPECT_LT(simulator.frame().stats.maxStretch, 0.005);  // 4e-4
}

// O-104: with two pinned corners, one-sided corrections leave a gap in between; passes over all springs replace them.
TEST(Directional, partsHangingFromDifferentPinsStayJoined) {
    const int n = 21;
    const Cloth cloth = hanging(n, corners(n));
    EXPECT_FALSE(listOf(cloth).fallback.empty());
    EXPECT_TRUE(listOf(hanging(n, upperEdge)).fallback.empty());
    Directional directional;
    const Played joined =
        playSheet(cloth, 0.1f, 800, [&](const Fabric& fabric, Vec3* x) { directional.apply(fabric, kDown, 5, x); });
    EXPECT_LT(joined.longest, playPasses(cloth, 1, 800).longest);
    EXPECT_LT(joined.longest, 0.2 * playDirectional(cloth, 0.1f, 800).longest);
}

// O-98, O-99, O-100: a list is built for each new set of pins and reused when the set recurs.
TEST(Directional, listsAreBuiltOncePerPinSet) {
    const int n = 12;
    Directional directional;
    Fabric fabric(oneThread());
    const auto hold = [&](const std::function<bool(int, int)>& held) {
        const Cloth cloth = hanging(n, held);
        fabric.set(cloth, {cloth.points.data(), n * n});
        std::vector<Vec3> x = cloth.points;
        directional.apply(fabric, kDown, 1, x.data());
        return directional.listsBuilt();
    };
    const auto knee = [](int side) { return [side](int i, int j) { return j == 0 || (j == 6 && i == side); }; };
    EXPECT_EQ(hold(upperEdge), 1);
    EXPECT_EQ(hold(upperEdge), 1);
    for (int sequence = 0; sequence < 3; ++sequence)
        for (const int side : {2, 9}) {
            hold(knee(side));
            hold(upperEdge);
        }
    EXPECT_EQ(directional.listsBuilt(), 3);
}

// O-105: more pins change the order; the position of a correction in the list is its index.
TEST(Directional, additionalPinsChangeTheOrder) {
    const Cloth one = hanging(9, upperEdge),
                more = hanging(9, [](int i, int j) { return j == 0 || (i == 4 && j == 4); });
    EXPECT_NE(edgesOf(listOf(one)), edgesOf(listOf(more)));
    EXPECT_EQ(listOf(more).depth[4 * 9 + 4], 0);
    EXPECT_EQ(listOf(one).depth[4 * 9 + 4], 4);
}

// O-101: lists for typical pin sets: corner, corners, edge, pole, table, collar.
TEST(Directional, everyPinSetHasAList) {
    const int n = 21;
    const auto sizeOf = [&](const std::function<bool(int, int)>& held, Vec3 down = kDown) {
        const Cloth cloth = hanging(n, held);
        const CorrectionList list = listOf(cloth, {}, down);
        for (size_t i = 0; i < list.depth.size(); ++i) EXPECT_GE(list.depth[i], 0) << i;
        return double(list.sequence.size());
    };
    const double corner = sizeOf([](int i, int j) { return i + j == 0; });
    EXPECT_NEAR(sizeOf(corners(n)) / corner, 1, 0.05);                                              // 0.1 %
    EXPECT_NEAR(sizeOf([](int i, int j) { return j == 0 && i > 5 && i < 15; }) / corner, 1, 0.05);  // 1.9 %
    // A flag's pole is at its side, and a tablecloth is horizontal: no spring leads down.
    EXPECT_NEAR(sizeOf([](int i, int) { return i == 0; }) / corner, 1, 0.1);
    EXPECT_LT(sizeOf([&](int i, int j) { return (i - 10) * (i - 10) + (j - 10) * (j - 10) < 36; }, {0, 0, -1}),
              0.9 * corner);
}

// O-87: damping acts on velocities, not positions: a cloth at rest stays anywhere, and a free one falls freely.
TEST(Directional, restsAnywhereAndFallsFreely) {
    Cloth cloth = test::levelCloth(5, 0.4f, {1000, -500, 2000});
    test::inVacuum(cloth).params.solver = ClothSolver::directional;
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator still(oneThread());
    still.advanceTo(scene, 1);
    for (int i = 0; i < still.state().cloth.count(); ++i) EXPECT_EQ(still.state().cloth.x[i], cloth.points[i]);
    Cloth falling = test::levelCloth(5, 0.4f);
    test::inVacuum(falling).params.solver = ClothSolver::directional;
    Simulator simulator(oneThread());
    simulator.advanceTo(test::sceneOf(falling), 0.5);
    // Steps of 4 ms fall g t Δt/2 too far.
    EXPECT_NEAR(simulator.state().cloth.x[12].y, -0.5 * 9.81 * 0.25, 0.5 * 9.81 * 0.5 * 0.0041);
}

// O-88: a mass on a spring hangs m g/k lower.
TEST(Directional, hangingMassStretchesItsSpring) {
    Cloth cloth = test::gridCloth(2, 2, {}, {0.1f, 0, 0}, {0, -0.1f, 0});
    cloth.params.solver = ClothSolver::velocityVerlet;
    cloth.params.shearStiffness = cloth.params.bendStiffness = 0;
    cloth.params.stretchStiffness = 2;
    cloth.params.airDrag = 1;
    test::pin(cloth, [](Vec3 p) { return p.y > -0.01f; });
    Simulator simulator(oneThread());
    test::play(simulator, test::sceneOf(cloth), 4);
    // A quarter of 1.5 g on a spring of half the modulus.
    EXPECT_NEAR(-simulator.state().cloth.x[2].y - 0.1, 0.25 * 0.15 * 0.01 * 9.81 / 1, 0.01 * 3.7e-3);
}

// O-102: a ball moves through the sheet's position and pushes it aside.
TEST(Directional, ballPushesTheSheetAside) {
    Scene scene = sceneHanging(21, upperEdge);
    Collider ball;
    ball.name = "ball";
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = 0.2f;
    scene.colliders.push_back(ball);
    Simulator simulator(oneThread());
    double most = 0;
    for (int frame = 0; frame <= 72; ++frame) {
        const Vec3 at{0.5f, -0.6f, 1.2f - 0.06f * float(frame)};
        scene.colliders[0].pose.position = at;
        simulator.advanceTo(scene, frame / 24.0);
        // 0.202: half of its thickness off the ball.
        for (const Vec3& x : simulator.state().cloth.x) EXPECT_GT(length(x - at), 0.2f) << frame;
        if (frame > 55) most = std::max(most, simulator.frame().stats.maxStretch);
    }
    EXPECT_LT(most, 0.1);  // 0.028
}

}  // namespace
}  // namespace purl

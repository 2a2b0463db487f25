// Primitives, stored meshes, animation curves and matrices against values computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "host/shapes/animCurve.h"
#include "host/shapes/polyMesh.h"
#include "host/shapes/storedMesh.h"
#include "host/shapes/transform.h"

using namespace purl::host;

namespace {

constexpr double kPi = 3.14159265358979323846;

using Ints = std::vector<int>;

// Every edge belongs to two faces, once in each direction, and V − E + F = 2 − 2·genus.
void expectClosed(const PolyMesh& m, int eulerNumber) {
    std::map<std::pair<int, int>, int> uses;
    std::size_t at = 0;
    for (const int n : m.counts) {
        for (int i = 0; i < n; ++i) ++uses[{m.connects[at + i], m.connects[at + (i + 1) % n]}];
        at += n;
    }
    for (const auto& [edge, count] : uses) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(uses.count({edge.second, edge.first}), 1u);
    }
    EXPECT_EQ(int(m.points.size()) - int(uses.size() / 2) + int(m.counts.size()), eulerNumber);
    // the edges it lists are exactly the edges of its faces
    EXPECT_EQ(m.edges.size(), uses.size() / 2);
    for (const auto& e : m.edges) EXPECT_TRUE(uses.count({e[0], e[1]}) && uses.count({e[1], e[0]}));
    EXPECT_EQ(m.smooth.size(), m.edges.size());
}

// Signed volume by the divergence theorem: positive when the normals point outwards.
double volumeOf(const PolyMesh& m) {
    double six = 0;
    std::size_t at = 0;
    for (const int n : m.counts) {
        for (int i = 1; i + 1 < n; ++i) {
            const auto &a = m.points[m.connects[at]], &b = m.points[m.connects[at + i]],
                       &c = m.points[m.connects[at + i + 1]];
            six += a[0] * (double(b[1]) * c[2] - double(b[2]) * c[1]) -
                   a[1] * (double(b[0]) * c[2] - double(b[2]) * c[0]) +
                   a[2] * (double(b[0]) * c[1] - double(b[1]) * c[0]);
        }
        at += n;
    }
    return six / 6;
}

void expectUvs(const PolyMesh& m) {
    EXPECT_EQ(m.uvIds.size(), m.connects.size());
    std::set<int> used(m.uvIds.begin(), m.uvIds.end());
    EXPECT_EQ(used.size(), m.uvs.size());  // every UV is used by some face
    EXPECT_EQ(*used.begin(), 0);
    EXPECT_EQ(*used.rbegin(), int(m.uvs.size()) - 1);
    for (const auto& uv : m.uvs)
        for (const float x : uv) EXPECT_TRUE(x >= 0 && x <= 1.00001f) << x;
}

AnimCurve curveOf(std::initializer_list<std::pair<double, double>> keys, Tangent tangent) {
    AnimCurve c;
    c.tangent = tangent;
    for (const auto& [t, v] : keys) {
        Key k;
        k.time = t;
        k.value = v;
        c.keys.push_back(k);
    }
    return c;
}

void expectNear(const Mat4d& a, const Mat4d& b, double tolerance = 1e-12) {
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "entry " << i;
}

}  // namespace

TEST(Shapes, cubeIsMayasCube) {
    const PolyMesh m = polyCube(1, 1, 1, 1, 1, 1);
    ASSERT_EQ(m.points.size(), 8u);
    EXPECT_EQ(m.points[0], (std::array<float, 3>{-0.5f, -0.5f, 0.5f}));
    EXPECT_EQ(m.points[3], (std::array<float, 3>{0.5f, 0.5f, 0.5f}));
    EXPECT_EQ(m.points[4], (std::array<float, 3>{-0.5f, 0.5f, -0.5f}));
    EXPECT_EQ(m.points[7], (std::array<float, 3>{0.5f, -0.5f, -0.5f}));
    EXPECT_EQ(m.connects, (Ints{0, 1, 3, 2, 2, 3, 5, 4, 4, 5, 7, 6, 6, 7, 1, 0, 1, 7, 5, 3, 6, 0, 2, 4}));
    EXPECT_EQ(m.uvIds, (Ints{0, 1, 3, 2, 2, 3, 5, 4, 4, 5, 7, 6, 6, 7, 9, 8, 1, 10, 11, 3, 12, 0, 2, 13}));
    EXPECT_EQ(m.uvs[0], (std::array<float, 2>{0.375f, 0.f}));
    EXPECT_EQ(m.uvs[10], (std::array<float, 2>{0.875f, 0.f}));
    EXPECT_EQ(m.uvs[13], (std::array<float, 2>{0.125f, 0.25f}));
    const std::vector<std::array<int, 2>> edges = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                                   {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 0}, {7, 1}};
    EXPECT_EQ(m.edges, edges);
    EXPECT_EQ(m.smooth, std::vector<char>(12, 0));
    expectClosed(m, 2);
    EXPECT_DOUBLE_EQ(volumeOf(m), 1);
}

TEST(Shapes, primitivesAreClosedAndFaceOutwards) {
    for (const PolyMesh& m : {polyCube(2, 3, 4, 3, 2, 4), polyCube(2, 3, 4, 1, 2, 1), polyCube(2, 3, 4, 2, 1, 3)}) {
        expectClosed(m, 2);
        expectUvs(m);
        EXPECT_NEAR(volumeOf(m), 24, 1e-5);
    }
    const PolyMesh sphere = polySphere(2, 20, 20);
    EXPECT_EQ(sphere.points.size(), 382u);
    EXPECT_EQ(sphere.counts.size(), 400u);
    EXPECT_EQ(sphere.edges.size(), 780u);
    EXPECT_EQ(sphere.uvs.size(), 439u);
    expectClosed(sphere, 2);
    expectUvs(sphere);
    EXPECT_NEAR(volumeOf(sphere), 4.0 / 3 * kPi * 8, 1);  // an inscribed polyhedron: about 2 % less
    EXPECT_LT(volumeOf(sphere), 4.0 / 3 * kPi * 8);
    expectClosed(polySphere(1, 3, 2), 2);

    // area of a regular n-gon of radius r: n/2 r² sin(2π/n)
    const double base = 10 * std::sin(kPi / 10);
    for (const int caps : {0, 1, 3})
        for (const int rows : {1, 4}) {
            const PolyMesh cylinder = polyCylinder(1, 2, 20, rows, caps);
            expectClosed(cylinder, 2);
            expectUvs(cylinder);
            EXPECT_NEAR(volumeOf(cylinder), 2 * base, 1e-5);
            const PolyMesh cone = polyCone(1, 2, 20, rows, caps);
            expectClosed(cone, 2);
            expectUvs(cone);
            EXPECT_NEAR(volumeOf(cone), 2 * base / 3, 1e-5);
        }
    const PolyMesh torus = polyTorus(1, 0.5, 0, 20, 20);
    expectClosed(torus, 0);
    expectUvs(torus);
    // Pappus: 2π² R r², less a little for the facets
    EXPECT_NEAR(volumeOf(torus), 2 * kPi * kPi * 0.25, 0.2);
    EXPECT_NEAR(torus.points[0][0], 0.5 * std::cos(kPi / 10), 1e-6);
    EXPECT_NEAR(torus.points[0][2], -0.5 * std::sin(kPi / 10), 1e-6);
    EXPECT_NEAR(torus.points[200][0], 1.5 * std::cos(kPi / 10), 1e-6);
}

TEST(Shapes, planeRunsFromFrontToBack) {
    const PolyMesh m = polyPlane(4, 2, 4, 2);
    ASSERT_EQ(m.points.size(), 15u);
    EXPECT_EQ(m.points[0], (std::array<float, 3>{-2, 0, 1}));
    EXPECT_EQ(m.points[4], (std::array<float, 3>{2, 0, 1}));
    EXPECT_EQ(m.points[14], (std::array<float, 3>{2, 0, -1}));
    EXPECT_EQ(Ints(m.connects.begin(), m.connects.begin() + 4), (Ints{0, 1, 6, 5}));
    EXPECT_EQ(m.edges[0], (std::array<int, 2>{0, 1}));
    EXPECT_EQ(m.edges[1], (std::array<int, 2>{0, 5}));
    EXPECT_EQ(m.smooth[0], 0);                              // on the border
    EXPECT_EQ(m.smooth[3], 1);                              // 1-6, inside
    EXPECT_EQ(m.uvs[14], (std::array<float, 2>{1, 0.5f}));  // aspect kept
    expectUvs(m);
}

TEST(Shapes, sphereRingsRunFromBottomToTopThenPoles) {
    const PolyMesh m = polySphere(1, 20, 20);
    const double lat = -kPi / 2 + kPi / 20, a = 2 * kPi / 20;
    EXPECT_NEAR(m.points[0][0], std::cos(lat) * std::cos(a), 1e-6);
    EXPECT_NEAR(m.points[0][1], std::sin(lat), 1e-6);
    EXPECT_NEAR(m.points[0][2], -std::cos(lat) * std::sin(a), 1e-6);
    EXPECT_EQ(m.points[380], (std::array<float, 3>{0, -1, 0}));
    EXPECT_EQ(m.points[381], (std::array<float, 3>{0, 1, 0}));
    EXPECT_EQ(m.counts[359], 4);
    EXPECT_EQ(m.counts[360], 3);
}

TEST(Shapes, axisRotatesByTheShortestRotation) {
    PolyMesh m = polyCylinder(1, 2, 8, 1, 1);
    placeOnAxis(m, {1, 0, 0}, 1);  // translated up by half its height first, so the base is at the origin
    EXPECT_NEAR(m.points[16][0], 0, 1e-6);
    EXPECT_NEAR(m.points[17][0], 2, 1e-6);
    EXPECT_NEAR(m.points[17][1], 0, 1e-6);
    EXPECT_GT(volumeOf(m), 0);
    PolyMesh down = polyCone(1, 2, 8, 1, 0);
    placeOnAxis(down, {0, -2, 0}, 0);
    EXPECT_NEAR(down.points[8][1], -1, 1e-6);
    EXPECT_GT(volumeOf(down), 0);
}

TEST(Shapes, storedCubeDecodesToTheGeneratedOne) {
    StoredMesh s;
    const PolyMesh cube = polyCube(1, 1, 1, 1, 1, 1);
    s.points = cube.points;
    for (const auto& e : cube.edges) s.edges.push_back({e[0], e[1], 0});
    s.uvSets[0].uvs = cube.uvs;
    const struct {
        Ints f, mu;
    } faces[] = {{{4, 0, 5, -2, -5}, {0, 4, 0, 1, 3, 2}},       {{4, 1, 7, -3, -7}, {0, 4, 2, 3, 5, 4}},
                 {{4, 2, 9, -4, -9}, {0, 4, 4, 5, 7, 6}},       {{4, 3, 11, -1, -11}, {0, 4, 6, 7, 9, 8}},
                 {{4, -12, -10, -8, -6}, {0, 4, 1, 10, 11, 3}}, {{4, 10, 4, 6, 8}, {0, 4, 12, 0, 2, 13}}};
    for (const auto& face : faces) {
        EXPECT_EQ(addFaceRecord(s, "f", face.f), "");
        EXPECT_EQ(addFaceRecord(s, "mu", face.mu), "");
    }
    PolyMesh m;
    EXPECT_EQ(decode(s, m), "");
    EXPECT_EQ(m.connects, cube.connects);
    EXPECT_EQ(m.uvIds, cube.uvIds);
    EXPECT_EQ(m.counts, cube.counts);
}

TEST(Shapes, invalidStoredMeshesAreReported) {
    StoredMesh s;
    s.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    s.edges = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}};
    PolyMesh m;
    StoredMesh far = s;
    EXPECT_EQ(addFaceRecord(far, "f", {3, 0, 1, 9}), "");
    EXPECT_EQ(decode(far, m), "edge 9 of face 0 does not exist");
    StoredMesh open = s;
    EXPECT_EQ(addFaceRecord(open, "f", {2, 0, 1}), "");
    EXPECT_EQ(decode(open, m), "the edges of face 0 do not form a closed loop");
    StoredMesh crossed = s;
    EXPECT_EQ(addFaceRecord(crossed, "f", {3, 0, 2, 1}), "");
    EXPECT_EQ(decode(crossed, m), "edge 2 of face 0 does not continue its loop");
    StoredMesh missing = s;
    missing.edges[1][1] = 3;
    EXPECT_EQ(decode(missing, m), "edge 1 refers to vertex 3 of 3");
    EXPECT_EQ(addFaceRecord(s, "f", {4, 0, 1, 2}), "a face record has the wrong length");
    EXPECT_EQ(addFaceRecord(s, "zz", {1}), "unknown face record 'zz'");
    EXPECT_EQ(addFaceRecord(s, "mu", {0, 3, 0, 1, 2}), "there is a UV record before the first face");
}

TEST(AnimCurve, linearStepAndStepNext) {
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 0}, {1, 10}, {2, 0}}, Tangent::linear), 0.25), 2.5);
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 0}, {1, 10}, {2, 0}}, Tangent::linear), 1.5), 5);
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 1}, {1, 10}}, Tangent::step), 0.99), 1);
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 1}, {1, 10}}, Tangent::step), 1), 10);
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 1}, {1, 10}}, Tangent::stepNext), 0.01), 10);
}

TEST(AnimCurve, flatEasesAndSplineIsSmooth) {
    // flat: 3s² − 2s³
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 0}, {2, 1}}, Tangent::flat), 0.5), 3.0 / 16 - 2.0 / 64);
    EXPECT_DOUBLE_EQ(evaluate(curveOf({{0, 0}, {2, 1}}, Tangent::automatic), 0.5), 3.0 / 16 - 2.0 / 64);
    // spline through points of a line is the line
    EXPECT_NEAR(evaluate(curveOf({{0, 0}, {1, 2}, {4, 8}}, Tangent::spline), 2.5), 5, 1e-12);
    const AnimCurve c = curveOf({{0, 0}, {1, 2}, {2, 1}}, Tangent::spline);
    EXPECT_DOUBLE_EQ(slopeIn(c, 1), 0.5);
    EXPECT_DOUBLE_EQ(slopeOut(c, 1), 0.5);
}

TEST(AnimCurve, autoNeverOvershoots) {
    const AnimCurve c = curveOf({{0, 0}, {1, 9}, {2, 10}, {3, 2}, {4, 2}}, Tangent::automatic);
    EXPECT_DOUBLE_EQ(slopeIn(c, 2), 0);  // extremum
    for (int i = 0; i < 4; ++i)
        for (double s = 0; s <= 1; s += 0.05) {
            const double v = evaluate(c, i + s), a = c.keys[i].value, b = c.keys[i + 1].value;
            EXPECT_GE(v, std::min(a, b) - 1e-9);
            EXPECT_LE(v, std::max(a, b) + 1e-9);
        }
}

TEST(AnimCurve, storedTangentsAreSlopes) {
    AnimCurve c = curveOf({{0, 0}, {1, 0}}, Tangent::fixed);
    c.keys[0].hasOut = c.keys[1].hasIn = true;
    c.keys[0].outX = 0.6, c.keys[0].outY = 0.8;
    c.keys[1].inX = 1, c.keys[1].inY = 0;
    // Hermite with slope 4/3 at the start: (s³ − 2s² + s)·4/3
    EXPECT_NEAR(evaluate(c, 0.5), (0.125 - 0.5 + 0.5) * 4 / 3, 1e-12);
}

TEST(AnimCurve, weightedHandlesOfAThirdEqualTheHermite) {
    AnimCurve plain = curveOf({{0, 1}, {2, 5}}, Tangent::fixed), weighted = plain;
    weighted.weighted = true;
    plain.keys[0].hasOut = plain.keys[1].hasIn = weighted.keys[0].hasOut = weighted.keys[1].hasIn = true;
    plain.keys[0].outX = 1, plain.keys[0].outY = 3, plain.keys[1].inX = 1, plain.keys[1].inY = -1;
    weighted.keys[0].outX = 2, weighted.keys[0].outY = 6, weighted.keys[1].inX = 2, weighted.keys[1].inY = -2;
    for (double t = 0; t <= 2; t += 0.125) EXPECT_NEAR(evaluate(plain, t), evaluate(weighted, t), 1e-9);
    // a longer handle delays the change: time (s) has x₁ = 2, and at s = ½ x = 2·(3/8 + 3/8·⅔ + 1/8)
    AnimCurve slow = curveOf({{0, 0}, {2, 1}}, Tangent::fixed);
    slow.weighted = true;
    slow.keys[0].hasOut = slow.keys[1].hasIn = true;
    slow.keys[0].outX = 6, slow.keys[0].outY = 0, slow.keys[1].inX = 2, slow.keys[1].inY = 0;
    const double x = 3.0 / 8 * 2 + 3.0 / 8 * (2 - 2.0 / 3) + 1.0 / 8 * 2;
    EXPECT_NEAR(evaluate(slow, x), 0.5, 1e-9);
}

TEST(AnimCurve, infinities) {
    AnimCurve c = curveOf({{0, 0}, {1, 2}, {2, 1}}, Tangent::linear);
    EXPECT_DOUBLE_EQ(evaluate(c, -5), 0);
    EXPECT_DOUBLE_EQ(evaluate(c, 5), 1);
    c.pre = c.post = Infinity::linear;
    EXPECT_DOUBLE_EQ(evaluate(c, -1), -2);
    EXPECT_DOUBLE_EQ(evaluate(c, 4), -1);
    c.pre = c.post = Infinity::cycle;
    EXPECT_DOUBLE_EQ(evaluate(c, 2.5), 1);
    EXPECT_DOUBLE_EQ(evaluate(c, -0.5), 1.5);
    EXPECT_DOUBLE_EQ(evaluate(c, 4), 1);
    c.pre = c.post = Infinity::cycleRelative;
    EXPECT_DOUBLE_EQ(evaluate(c, 2.5), 2);
    EXPECT_DOUBLE_EQ(evaluate(c, -0.5), 0.5);
    c.pre = c.post = Infinity::oscillate;
    EXPECT_DOUBLE_EQ(evaluate(c, 2.5), 1.5);
    EXPECT_DOUBLE_EQ(evaluate(c, 4.5), 1);
    EXPECT_DOUBLE_EQ(evaluate(c, -0.5), 1);
    EXPECT_DOUBLE_EQ(evaluate(AnimCurve{}, 3), 0);
}

TEST(Transform, pivotsKeepTheirPointFixed) {
    TransformParts p;
    p.rotate = {0.3, -0.7, 1.1};
    p.rotatePivot = {1, 2, 3};
    const Vec3d q = transformPoint({1, 2, 3}, compose(p));
    EXPECT_NEAR(q[0], 1, 1e-12);
    EXPECT_NEAR(q[1], 2, 1e-12);
    EXPECT_NEAR(q[2], 3, 1e-12);
    TransformParts s;
    s.scale = {2, 3, 4};
    s.scalePivot = {1, 2, 3};
    s.translate = {10, 0, 0};
    const Vec3d fixed = transformPoint({1, 2, 3}, compose(s)), moved = transformPoint({2, 2, 3}, compose(s));
    EXPECT_NEAR(fixed[0], 11, 1e-12);
    EXPECT_NEAR(moved[0], 13, 1e-12);
}

TEST(Transform, quarterTurnsFollowTheRotateOrder) {
    TransformParts p;
    p.rotate = {kPi / 2, 0, kPi / 2};
    const Vec3d xyz = transformPoint({0, 1, 0}, compose(p));  // about x first: y → z, then about z: z stays
    EXPECT_NEAR(xyz[2], 1, 1e-12);
    p.rotateOrder = RotateOrder::zyx;
    const Vec3d zyx = transformPoint({0, 1, 0}, compose(p));  // about z first: y → −x, then about x: stays
    EXPECT_NEAR(zyx[0], -1, 1e-12);
}

TEST(Transform, shearRowsAreMayas) {
    TransformParts p;
    p.shear = {0.5, 0.25, 0.125};
    const Vec3d y = transformPoint({0, 1, 0}, compose(p)), z = transformPoint({0, 0, 1}, compose(p));
    EXPECT_EQ(y, (Vec3d{0.5, 1, 0}));
    EXPECT_EQ(z, (Vec3d{0.25, 0.125, 1}));
}

TEST(Transform, jointOrientTurnsAfterTheRotation) {
    TransformParts p;
    p.rotate = {0, 0, kPi / 2};
    p.jointOrient = {kPi / 2, 0, 0};
    const Vec3d q = transformPoint({1, 0, 0}, compose(p));  // x → y by the rotation, y → z by the orient
    EXPECT_NEAR(q[2], 1, 1e-12);
    p.segmentScaleCompensate = true;
    p.inverseScale = {1, 1, 0.5};
    EXPECT_NEAR(transformPoint({1, 0, 0}, compose(p))[2], 0.5, 1e-12);
}

TEST(Transform, decomposeUndoesComposeInEveryOrder) {
    for (int order = 0; order < 6; ++order) {
        TransformParts p;
        p.rotateOrder = static_cast<RotateOrder>(order);
        p.translate = {1, -2, 3};
        p.rotate = {0.4, -0.9, 1.3};
        p.scale = {2, 0.5, 3};
        p.shear = {0.2, -0.3, 0.1};
        const Mat4d m = compose(p);
        const Decomposed d = decompose(m, p.rotateOrder);
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(d.translate[i], p.translate[i], 1e-12);
            EXPECT_NEAR(d.rotate[i], p.rotate[i], 1e-12) << order;
            EXPECT_NEAR(d.scale[i], p.scale[i], 1e-12);
            EXPECT_NEAR(d.shear[i], p.shear[i], 1e-12);
        }
        p.scale[1] = -0.5;  // mirrored: other numbers, the same matrix
        const Mat4d mirrored = compose(p);
        const Decomposed e = decompose(mirrored, p.rotateOrder);
        TransformParts back;
        back.rotateOrder = p.rotateOrder;
        back.translate = e.translate, back.rotate = e.rotate, back.scale = e.scale, back.shear = e.shear;
        expectNear(compose(back), mirrored);
        expectNear(multiply(m, inverse(m)), kIdentity);
    }
}

TEST(Transform, decomposeSurvivesGimbalLock) {
    TransformParts p;
    p.rotate = {0.4, kPi / 2, 1.3};
    const Decomposed d = decompose(compose(p), RotateOrder::xyz);
    TransformParts back;
    back.rotate = d.rotate;
    expectNear(compose(back), compose(p), 1e-9);
}

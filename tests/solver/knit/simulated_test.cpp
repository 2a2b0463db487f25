// Simulated knits: three layers of mass points, the springs between them, and their yarn.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "solver/cloth/forces.h"
#include "solver/core/error.h"
#include "solver/knit/knits.h"
#include "solver/simulator.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/knit/fabrics.h"
#include "tests/solver/knit/interlock.h"

namespace purl {
namespace {

using testing::swatch;
using testing::unitSheet;

Cloth wovenOf(const Knit& knit) { return KnitFabric(Device::cpu(2), knit, knit.points).asCloth(knit, kKnitLayers); }

Scene sceneOf(const Knit& knit) {
    Scene scene;
    scene.knits.push_back(knit);
    return scene;
}

const Frame& play(Simulator& simulator, const Scene& scene, double time, double fps = 24) {
    const int first = static_cast<int>(simulator.state().time * fps + 0.5);
    for (int frame = first + 1; frame <= static_cast<int>(time * fps + 0.5); ++frame)
        simulator.advanceTo(scene, frame / fps);
    return simulator.frame();
}

// The mean distance between the front and the back layer.
double meanThickness(const State& state) {
    const int ofLayer = state.cloth.count() / 3;
    double sum = 0;
    for (int i = 0; i < ofLayer; ++i) sum += double(length(state.cloth.x[i] - state.cloth.x[i + 2 * ofLayer]));
    return sum / ofLayer;
}

// G-01
TEST(SimulatedKnit, hasThreeLayersOfMassPoints) {
    EXPECT_EQ(wovenOf(unitSheet(128, 128)).points.size(), 49923u);
    const Cloth cloth = wovenOf(unitSheet(4, 3));
    ASSERT_EQ(cloth.layers.count, 3);
    ASSERT_EQ(cloth.pointsOfLayer(), 5 * 4);
    // Front, middle, back; the front of the mesh is the side its normals point to.
    for (int i = 0; i < cloth.pointsOfLayer(); ++i)
        for (int layer = 0; layer < 3; ++layer)
            EXPECT_FLOAT_EQ(cloth.points[layer * cloth.pointsOfLayer() + i].z, 0.15f * float(1 - layer));
    // First edges of faces run along courses, second edges along wales.
    forEachFace(cloth.facesOfLayer(), [&](const int* corner, int count) {
        ASSERT_EQ(count, 4);
        const auto at = [&](int k) { return cloth.points[corner[k]]; };
        EXPECT_LT(length(at(1) - at(0) - Vec3{1, 0, 0}), 1e-5f);
        EXPECT_LT(length(at(2) - at(1) - Vec3{0, 1, 0}), 1e-5f);
    });
}

// G-02 B-39: each layer has the springs of a sheet, connected by struts and slants.
TEST(SimulatedKnit, layersHaveTheDocumentsSprings) {
    constexpr int nx = 7, ny = 5;
    Knit knit = unitSheet(nx - 1, ny - 1);
    knit.params.bendSpring = 10;
    const Cloth cloth = wovenOf(knit);
    Topology topology = makeTopology(cloth.faces, cloth.points.data(), static_cast<int>(cloth.points.size()));
    joinLayers(topology, cloth.points.data(), 3);
    std::map<std::pair<int, SpringFamily>, int> counts;  // by layer of the first end
    for (const Link& link : topology.links) {
        const int ofA = link.a / (nx * ny), ofB = link.b / (nx * ny);
        const bool between = link.family == SpringFamily::strut || link.family == SpringFamily::slant;
        EXPECT_EQ(ofB - ofA, between ? 1 : 0);
        ++counts[{ofA, link.family}];
    }
    constexpr int structural = nx * (ny - 1) + ny * (nx - 1), shear = 2 * (nx - 1) * (ny - 1);
    for (int layer = 0; layer < 3; ++layer) {
        EXPECT_EQ((counts[{layer, SpringFamily::structural}]), structural);
        EXPECT_EQ((counts[{layer, SpringFamily::shear}]), shear);
        EXPECT_EQ((counts[{layer, SpringFamily::bend}]), nx * (ny - 2) + ny * (nx - 2));
        // Both diagonals of every side face, and the four space diagonals of every cell.
        EXPECT_EQ((counts[{layer, SpringFamily::strut}]), layer < 2 ? nx * ny : 0);
        EXPECT_EQ((counts[{layer, SpringFamily::slant}]), layer < 2 ? 2 * structural + 2 * shear : 0);
    }

    // At rest there are no forces, on a bent mesh neither: 1e-6 N.
    for (Vec3& p : knit.points) p.z = 0.4f * std::sin(p.x);
    const Cloth bent = wovenOf(knit);
    const auto count = static_cast<int>(bent.points.size());
    Fabric fabric(Device::cpu(1));
    fabric.set(bent, {bent.points.data(), count});
    EXPECT_EQ(fabric.springs.size(), static_cast<int>(topology.links.size()));
    Buffer<Vec3> still(Device::cpu(1), count), element(Device::cpu(1)), force(Device::cpu(1), count);
    internalForces(fabric, bent.points.data(), still.data(), element, force.data());
    for (const Vec3 f : force) EXPECT_LT(length(f), 1e-6f);
}

// Mass and stiffness are those of the whole fabric, for any number of layers.
TEST(SimulatedKnit, weighsWhatItsAreaSays) {
    const Knit knit = swatch(20, 15);
    const Cloth cloth = wovenOf(knit);
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    double mass = 0;
    for (const float m : fabric.mass.onHost()) mass += double(m);
    const double area = 20 * 15 * double(knit.params.stitchWidth) * double(knit.params.stitchHeight);
    EXPECT_NEAR(mass, double(knit.params.density) * area, 1e-5 * mass);
}

// G-07 B-33: only gravity acts, with every spring solver.
TEST(SimulatedKnit, fallsFreelyWithoutDeforming) {
    for (const test::SolverChoice solver : std::initializer_list<test::SolverChoice>{
             ClothSolver::xpbd, ClothSolver::implicitEuler, ReferenceClothSolver::precomputedFilter,
             ReferenceClothSolver::neighborEstimate}) {
        Knit knit = swatch(8, 8);
        solver.applyTo(knit.params);
        knit.params.airDrag = knit.params.windDrag = 0;
        Simulator simulator(Device::cpu(2));
        simulator.reset(sceneOf(knit));
        const State start = simulator.state();
        play(simulator, sceneOf(knit), 0.5);
        const double fallen = 0.5 * 9.81 * 0.25;
        const ClothPoints &before = start.cloth, &after = simulator.state().cloth;
        for (int i = 0; i < after.count(); ++i) {
            // First-order steps lag by half a step.
            EXPECT_NEAR(before.x[i].y - after.x[i].y, fallen, 0.01 * fallen) << solver.name();
            EXPECT_NEAR(after.x[i].z - before.x[i].z, 0, 1e-4) << solver.name();
        }
        EXPECT_NEAR(meanThickness(simulator.state()), knit.params.thickness, 1e-3 * knit.params.thickness);
    }
}

// Wind pushes the fabric, and less so the more open it is.
// G-07
TEST(SimulatedKnit, windBlowsThroughHoles) {
    const auto pushed = [](float openness) {
        Knit knit = swatch(8, 8);
        knit.params.wind = {0, 0, 2};
        knit.params.airDrag = 0;
        knit.params.openness = openness;
        Scene scene = sceneOf(knit);
        scene.solver.gravity = 0;
        Simulator simulator(Device::cpu(1));
        simulator.reset(scene);
        play(simulator, scene, 1.0 / 24);
        double sum = 0;
        for (const Vec3 v : simulator.state().cloth.v) sum += double(v.z);
        return sum / simulator.state().cloth.count();
    };
    const double closed = pushed(0), open = pushed(0.5f);
    EXPECT_GT(open, 0);
    // Half the effective area of a light sheet gives slightly more than half of the speed: it lags less behind the
    // wind.
    EXPECT_NEAR(open / closed, 0.5, 0.05);
    EXPECT_NEAR(pushed(1), 0, 1e-7);
}

// G-13: in every frame the yarn's points are eq. 1 of that frame's mass points, exactly.
TEST(SimulatedKnit, yarnIsBoundToTheMassPointsOfEveryFrame) {
    Knit knit = swatch(6, 5);
    knit.params.tighten = 0;
    knit.params.edges = false;
    knit.params.startVelocity = {0.3f, 0, 0};
    knit.pins.assign(knit.points.size(), 0);
    knit.pins.back() = 1;
    Simulator simulator(Device::cpu(2));
    simulator.reset(sceneOf(knit));
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    const Courses& courses = fabric.lattices()[0].courses;
    const std::vector<YarnPath> paths =
        routeYarns(courses, expandPattern(builtInPattern("stockinette", ""), courses), false);
    for (int frame = 1; frame <= 6; ++frame) {
        const Curves& curves = simulator.advanceTo(sceneOf(knit), frame / 24.0).curves.at(0);
        const Buffer<Vec3>& x = simulator.state().cloth.x;
        ASSERT_EQ(paths.at(0).points.size(), curves.count());
        for (size_t i = 0; i < curves.count(); ++i) {
            const YarnPoint& point = paths[0].points[i];
            if (point.row == courses.count()) continue;  // the extrapolated row
            Vec3 place;
            for (int m = 0; m < 4; ++m) {
                const int corner = courses.corner(point.row, point.column, m);
                place += point.bond.m[m] *
                         ((1 - point.bond.depth) * x[corner] + point.bond.depth * x[corner + 2 * fabric.massPoints()]);
            }
            EXPECT_EQ(curves.positions[i], place) << i;
        }
    }
}

// B-37: pins hold, and the fabric hangs without excessive stretch or coming apart.
TEST(SimulatedKnit, hangsFromItsPinsWithEveryLoopHeld) {
    Knit knit = swatch(24, 30);
    testing::pinTop(knit);
    Simulator simulator(Device::cpu(2));
    simulator.reset(sceneOf(knit));
    const State start = simulator.state();
    for (int frame = 1; frame <= 36; ++frame) {
        const Curves& curves = simulator.advanceTo(sceneOf(knit), frame / 24.0).curves.at(0);
        const Interlocking result = checkInterlocking(curves);
        EXPECT_TRUE(result.loose.empty()) << frame;
        EXPECT_GT(result.loops, 24 * 28);
    }
    const ClothPoints &before = start.cloth, &after = simulator.state().cloth;
    const int ofLayer = after.count() / 3;
    float lowestBefore = 0, lowest = 0;
    for (int i = 0; i < after.count(); ++i) {
        EXPECT_TRUE(before.x[i].y < -1e-6f || after.x[i] == before.x[i]) << i;
        lowestBefore = std::min(lowestBefore, before.x[i].y);
        lowest = std::min(lowest, after.x[i].y);
        EXPECT_LT(std::abs(after.x[i].z), 0.02f);
    }
    // The residual stretch of XPBD's few iterations: about 2 %, depending slightly on the order of the springs.
    EXPECT_LT(lowest / lowestBefore, 1.025f);
    for (int i = 0; i < ofLayer; ++i) EXPECT_GT(after.x[i].z, after.x[i + 2 * ofLayer].z) << "layers cross at " << i;
}

// A horizontal swatch of this many stitches around a position, its front upward.
Knit levelSwatch(int wales, int courses, Vec3 center) {
    Knit knit = swatch(wales, courses);
    for (Vec3& p : knit.points)
        p = center + Vec3{p.x - 0.5f * float(wales) * knit.params.stitchWidth, 0,
                          -p.y - 0.5f * float(courses) * knit.params.stitchHeight};
    return knit;
}

Collider boxAt(const std::string& name, Vec3 center, Vec3 halfSize) {
    Collider box;
    box.name = name;
    box.params.shape = ColliderShape::box;
    box.params.halfSize = halfSize;
    box.pose.position = center;
    return box;
}

// G-04 B-40: two plates compress the fabric; after release it has its thickness again within a percent.
TEST(SimulatedKnit, thicknessGivesWayAndComesBack) {
    const Knit knit = levelSwatch(8, 8, {0, 0, 0});
    const float thickness = knit.params.thickness, apart = thickness + 2 * knit.params.yarnRadius;
    const auto sceneAt = [&](float squeezed) {
        Scene scene = sceneOf(knit);
        scene.solver.gravity = 0;
        scene.colliders = {boxAt("lower", {0, -0.5f * apart - 0.1f, 0}, {0.1f, 0.1f, 0.1f}),
                           boxAt("upper", {0, 0.5f * apart + 0.1f - squeezed * thickness, 0}, {0.1f, 0.1f, 0.1f})};
        return scene;
    };
    Simulator simulator(Device::cpu(1));
    simulator.reset(sceneAt(0));
    double time = 0;
    for (const float squeezed : {0.05f, 0.1f, 0.2f}) {
        for (int k = 0; k < 6; ++k) simulator.advanceTo(sceneAt(squeezed), time += 1 / 24.0);
        EXPECT_NEAR(meanThickness(simulator.state()) / thickness, 1 - squeezed, 0.01);
    }
    for (int k = 0; k < 24; ++k) simulator.advanceTo(sceneAt(0), time += 1 / 24.0);
    EXPECT_NEAR(meanThickness(simulator.state()) / thickness, 1, 0.01);
}

// G-04: sheared in its plane by a fifth along its edges, cells keep their volume within two percent: the elongated
// slants pull the layers together by less than that.
TEST(SimulatedKnit, shearKeepsTheVolume) {
    Knit knit = levelSwatch(8, 8, {0, 0, 0});
    knit.params.solver = ClothSolver::implicitEuler;
    knit.params.maxTimeStep = 0.01f;
    knit.params.bendStiffness = 0.01f;  // otherwise it would wrinkle
    knit.pins.assign(knit.points.size(), 0);
    for (size_t i = 0; i < knit.pins.size(); ++i)
        if (i % 9 == 0 || i % 9 == 8 || i < 9 || i >= 72) knit.pins[i] = 1;
    const auto sceneAt = [&](double time) {
        Scene scene = sceneOf(knit);
        scene.solver.gravity = 0;
        for (Vec3& p : scene.knits[0].points) p.x += static_cast<float>(0.2 * std::min(1.0, time)) * p.z;
        return scene;
    };
    Simulator simulator(Device::cpu(1));
    for (int frame = 0; frame <= 36; ++frame) simulator.advanceTo(sceneAt(frame / 24.0), frame / 24.0);
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const Cloth cloth = wovenOf(knit);
    const auto volume = [&](const int* face, const auto& at) {
        // Volume of the cell from this face to the back: mean area times mean height.
        double sum = 0;
        const int back = 2 * cloth.pointsOfLayer();
        const auto area = [&](int layer) {
            return 0.5f * cross(at(face[2] + layer) - at(face[0] + layer), at(face[3] + layer) - at(face[1] + layer));
        };
        const Vec3 mean = 0.5f * (area(0) + area(back));
        for (int k = 0; k < 4; ++k) sum += 0.25 * double(dot(mean, at(face[k]) - at(face[k] + back)));
        return sum;
    };
    forEachFace(cloth.facesOfLayer(), [&](const int* face, int) {
        const double now = volume(face, [&](int i) { return x[i]; });
        const double rest = volume(face, [&](int i) { return cloth.points[i]; });
        EXPECT_NEAR(now / rest, 1, 0.02);
    });
}

// G-05: a strip clamped horizontally at one end sags less with higher bending stiffness.
TEST(SimulatedKnit, sagsTheLessTheStifferItBends) {
    const auto sag = [](float factor) {
        Knit knit = levelSwatch(16, 3, {0, 0, 0});
        knit.params.bendStiffness = 2e-5f * factor;
        knit.params.solver = ClothSolver::implicitEuler;
        knit.params.maxTimeStep = 0.01f;
        knit.params.airDrag = 3;
        knit.pins.assign(knit.points.size(), 0);
        for (size_t i = 0; i < knit.pins.size(); ++i) knit.pins[i] = i % 17 < 2 ? 1.0f : 0.0f;
        Simulator simulator(Device::cpu(2));
        simulator.reset(sceneOf(knit));
        play(simulator, sceneOf(knit), 1.5);
        float lowest = 0;
        for (const Vec3 p : simulator.state().cloth.x) lowest = std::min(lowest, p.y);
        return -lowest;
    };
    const float soft = sag(1), firm = sag(4), stiff = sag(16);
    EXPECT_LT(firm, 0.97f * soft);
    EXPECT_LT(stiff, 0.97f * firm);
}

// G-35 B-123: on a ball it comes to rest with no mass point inside and its layers in order, and every loop is held
// throughout.
TEST(SimulatedKnit, comesToRestOnABall) {
    constexpr float kRadius = 0.05f;
    Knit knit = levelSwatch(28, 36, {0, kRadius + 0.02f, 0});
    knit.params.airDrag = 0.3f;
    Scene scene = sceneOf(knit);
    Collider ball;
    ball.name = "ball";
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = kRadius;
    ball.params.friction = 0.6f;
    scene.colliders.push_back(ball);
    Simulator simulator(Device::cpu(2));
    simulator.reset(scene);
    float peak = 0, speed = 0;
    for (int frame = 1; frame <= 72; ++frame) {
        const Curves& curves = simulator.advanceTo(scene, frame / 24.0).curves.at(0);
        speed = 0;
        for (const Vec3 v : simulator.state().cloth.v) speed = std::max(speed, length(v));
        peak = std::max(peak, speed);
        EXPECT_TRUE(frame % 6 != 0 || checkInterlocking(curves).loose.empty()) << frame;
    }
    EXPECT_LT(speed, 0.02f * peak);
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const int ofLayer = x.size() / 3;
    for (const Vec3 p : x) EXPECT_GE(length(p), kRadius + knit.params.yarnRadius - 1e-5f);
    // What lies on the ball, or hangs directly beside it.
    int lying = 0;
    double thickness = 0;
    for (int i = 0; i < ofLayer; ++i) {
        if (length(x[i + 2 * ofLayer]) > kRadius + 2 * knit.params.yarnRadius) continue;
        ++lying;
        EXPECT_GT(length(x[i]), length(x[i + ofLayer])) << i;
        EXPECT_GT(length(x[i + ofLayer]), length(x[i + 2 * ofLayer])) << i;
        if (x[i].y > 0.98f * kRadius) thickness = double(length(x[i] - x[i + 2 * ofLayer]));
    }
    EXPECT_GT(lying, ofLayer / 10);
    EXPECT_LT(thickness, knit.params.thickness);  // compressed by its weight at the pole
}

// G-34 B-48: points connected by springs do not repel each other, for any collision distance.
TEST(SimulatedKnit, joinedPointsDoNotPushEachOther) {
    Knit knit = levelSwatch(8, 8, {});
    knit.params.selfCollision = SelfCollision::points;
    knit.params.selfDistance = 1.5f * knit.params.stitchWidth;
    knit.params.airDrag = knit.params.windDrag = 0;
    Scene scene = sceneOf(knit);
    scene.solver.gravity = 0;
    Simulator simulator(Device::cpu(1));
    simulator.reset(scene);
    const State start = simulator.state();
    play(simulator, scene, 0.25);
    for (int i = 0; i < start.cloth.count(); ++i) {
        EXPECT_LT(length(simulator.state().cloth.x[i] - start.cloth.x[i]), 1e-6f);
        EXPECT_LT(length(simulator.state().cloth.v[i]), 1e-5f);
    }
}

// G-33: folded over itself it comes to rest with at least 0.8 of the collision distance between unconnected points.
TEST(SimulatedKnit, foldedItKeepsItsDistance) {
    Knit knit = levelSwatch(24, 12, {0, 0.01f, 0});
    knit.params.selfCollision = SelfCollision::points;
    knit.params.airDrag = 0.3f;
    Scene scene = sceneOf(knit);
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.params.friction = 0.5f;
    scene.colliders.push_back(floor);
    Simulator simulator(Device::cpu(2));
    simulator.reset(scene);
    // The half beyond x = 0 is folded over the other, 15 mm above; the fold is a half circle.
    State state = simulator.state();
    constexpr float kHalf = 0.0075f;
    for (Vec3& x : state.cloth.x) {
        if (x.x <= 0) continue;
        const float height = x.y - 0.01f, turn = std::min(x.x / kHalf, 3.14159f), beyond = x.x - turn * kHalf;
        const float radius = kHalf - height;
        x = {radius * std::sin(turn) - (beyond > 0 ? beyond : 0), 0.01f + kHalf - radius * std::cos(turn), x.z};
    }
    simulator.restore(state, scene);
    play(simulator, scene, 2);
    const Cloth cloth = wovenOf(knit);
    Fabric fabric(Device::cpu(1));
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    const float distance = std::max(2 * knit.params.yarnRadius, 0.8f * fabric.meanEdge());
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    for (int i = 0; i < x.size(); ++i)
        for (int j = 0; j < i; ++j) {
            const float rest = length(cloth.points[i] - cloth.points[j]);
            if (rest < 2.5f * knit.params.stitchWidth) continue;  // connected, or next to a connected point
            ASSERT_GE(length(x[i] - x[j]), 0.8f * distance) << i << " " << j;
        }
}

// Two shells in texture space, one below the other.
Knit twoPanels() {
    constexpr int kWide = 12, kHigh = 10;
    Knit knit = swatch(kWide, 2 * kHigh);
    knit.params.shells = KnitShells::all;
    for (int panel = 0; panel < 2; ++panel)
        for (int j = 0; j <= kHigh; ++j)
            for (int i = 0; i <= kWide; ++i) {
                knit.faces.u.edit().push_back(float(i) / kWide);
                knit.faces.v.edit().push_back(float(2 * panel) + float(j) / kHigh);
            }
    for (int j = 0; j < 2 * kHigh; ++j)
        for (int i = 0; i < kWide; ++i) {
            const int a = (j < kHigh ? j : j + 1) * (kWide + 1) + i;
            knit.faces.cornerUvs.edit().insert(knit.faces.cornerUvs.edit().end(),
                                               {a, a + 1, a + kWide + 2, a + kWide + 1});
        }
    return knit;
}

// Every shell has its own courses, and where two shells meet they are sewn together.
TEST(SimulatedKnit, piecesAreSewnTogether) {
    Knit knit = twoPanels();
    testing::pinTop(knit);
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    ASSERT_EQ(fabric.lattices().size(), 2u);
    const int ofPiece = fabric.massPoints() / 2;
    EXPECT_EQ(ofPiece, 13 * 11);
    EXPECT_EQ(fabric.asCloth(knit, 3).layers.seams.size(), 3u * 2 * 13);
    Simulator simulator(Device::cpu(1));
    simulator.reset(sceneOf(knit));
    const Curves curves = play(simulator, sceneOf(knit), 1).curves.at(0);
    EXPECT_EQ(curves.ids, (std::vector<int>{0, kMaxYarnsPerPiece}));
    EXPECT_TRUE(checkInterlocking(curves).loose.empty());
    // Edges that coincided are no farther apart than a stitch.
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const Cloth cloth = fabric.asCloth(knit, 3);
    for (int i = 0; i < ofPiece; ++i)
        for (int j = ofPiece; j < 2 * ofPiece; ++j) {
            const float rest = length(cloth.points[i] - cloth.points[j]);
            EXPECT_TRUE(rest > 1e-6f || length(x[i] - x[j]) < 0.5f * knit.params.stitchHeight) << i;
        }
}

// Elongation ρ g H / 2 Y without slants; in this soft fabric the slants carry almost half of the load.
TEST(SimulatedKnit, stretchesUnderItsWeightAsItsStiffnessSays) {
    Knit knit = swatch(6, 12);
    testing::pinTop(knit);
    knit.params.solver = ClothSolver::implicitEuler;
    knit.params.maxTimeStep = 0.01f;
    knit.params.stretchStiffness = 20;
    Simulator simulator(Device::cpu(2));
    simulator.reset(sceneOf(knit));
    play(simulator, sceneOf(knit), 1);
    const double height = 12 * double(knit.params.stitchHeight);
    const double share = double(knit.params.density) * 9.81 * height / (2 * 20);
    float lowest = 0;
    for (const Vec3 p : simulator.state().cloth.x) lowest = std::min(lowest, p.y);
    EXPECT_LT(-double(lowest) / height - 1, share);
    EXPECT_GT(-double(lowest) / height - 1, 0.5 * share);
}

// The same bits for any thread count, and after resuming from a saved state.
TEST(SimulatedKnit, anyThreadsAndAnyResumeGiveTheSameBits) {
    Knit knit = swatch(16, 12);
    testing::pinTop(knit);
    knit.params.wind = {0.5f, 0, 1};
    knit.params.selfCollision = SelfCollision::points;
    Simulator one(Device::cpu(1)), three(Device::cpu(3));
    one.reset(sceneOf(knit));
    three.reset(sceneOf(knit));
    play(one, sceneOf(knit), 0.25);
    const State kept = one.state();
    const Frame last = play(one, sceneOf(knit), 0.5);
    EXPECT_EQ(last.stateHash, play(three, sceneOf(knit), 0.5).stateHash);
    EXPECT_TRUE(last.meshes.empty());  // only its yarns are shown
    Simulator resumed(Device::cpu(2));
    resumed.restore(kept, sceneOf(knit));
    const Frame& again = play(resumed, sceneOf(knit), 0.5);
    EXPECT_EQ(again.stateHash, last.stateHash);
    EXPECT_EQ(again.curves.at(0).positions, last.curves.at(0).positions);
}

TEST(SimulatedKnit, keepsItsStitchesAndItsMotionAfterTheStart) {
    const Knit knit = swatch(6, 6);
    Simulator simulator(Device::cpu(1));
    simulator.reset(sceneOf(knit));
    const auto complaint = [&](const Knit& edited) -> std::string {
        try {
            simulator.advanceTo(sceneOf(edited), 0.1);
            return "none";
        } catch (const Error& error) { return error.what(); }
    };
    Knit edited = knit;
    edited.params.stitchWidth *= 0.5f;
    EXPECT_EQ(complaint(edited), "swatch: its number of stitches changed after the start; go back to the start frame");
    edited = knit;
    edited.params.motion = KnitMotion::follow;
    EXPECT_EQ(complaint(edited), "swatch: motion changed after the start; go back to the start frame");
    edited = knit;
    edited.params.solver = ClothSolver::directional;
    EXPECT_EQ(complaint(edited), "swatch: the solver directional handles one layer only; choose xpbd for a knit");
    edited.params.solver = ClothSolver::xpbd;
    edited.params.thickness = 0;
    EXPECT_EQ(complaint(edited), "swatch: thickness is 0; a simulated knit needs a distance between its layers");
    edited = knit;
    edited.params.stretchStiffness *= 2;
    edited.params.pattern = "rib";
    EXPECT_EQ(complaint(edited), "none");
}

// Values of the mass points, such as wetness or dye, are interpolated onto the yarn.
TEST(SimulatedKnit, yarnCarriesWhatItsMassPointsHave) {
    const Knit knit = unitSheet(6, 5);
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    std::vector<float> wetness;
    std::vector<Vec3> places;
    const Cloth cloth = fabric.asCloth(knit, 1);
    for (const Vec3 p : cloth.points) {
        wetness.push_back(p.x);
        places.push_back(p);
    }
    const auto count = static_cast<int>(wetness.size());
    ASSERT_EQ(count, fabric.massPoints());
    const std::vector<float> onYarn = fabric.onYarn<float>({wetness.data(), count});
    const std::vector<Vec3> placesOnYarn = fabric.onYarn<Vec3>({places.data(), count});
    const Curves curves = testing::yarnsOn(fabric, knit.points);
    ASSERT_EQ(onYarn.size(), curves.count());
    for (size_t i = 0; i < curves.count(); ++i) {
        EXPECT_NEAR(onYarn[i], curves.positions[i].x, 1e-5f) << i;
        EXPECT_EQ(placesOnYarn[i].x, onYarn[i]);
    }
}

TEST(SimulatedKnit, gaugesAreKnits) {
    for (const std::string& name : gauges().names()) {
        Knit knit = unitSheet(4, 4);
        knit.params = gauges().with(name, knit.params);
        knit.params.motion = KnitMotion::simulated;
        EXPECT_NO_THROW(checkKnit(knit)) << name;
        // Adjacent courses leave space for the yarn (Güdükbay §3), and the layers have a fraction of the cell size
        // between them.
        const float cell = std::sqrt(knit.params.stitchWidth * knit.params.stitchHeight);
        EXPECT_LT(knit.params.yarnRadius, 0.125f * cell) << name;
        EXPECT_NEAR(knit.params.thickness / cell, 0.31, 0.04) << name;
    }
    try {
        gauges().with("angora", KnitParams());
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "there is no gauge \"angora\"; there are: fineMerino, worsted, chunky, cottonJersey, acrylic, "
                     "mohair");
    }
}

}  // namespace
}  // namespace purl

// Every room plays on Device::rehearsal() and gives what the CPU gives. A host that touches device memory in between
// would end this program.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>

#include "tests/solver/cloth/cloths.h"
#include "tests/solver/fluidRuns.h"
#include "tests/solver/meshes.h"
#include "tests/solver/soft/softBodies.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;

Scene tankOf(PressureSolver solver) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    Fluid water = dampedWater("water");
    water.params.particleSpacing = kSpacing;
    water.volumes.push_back(boxMesh({}, {0.12f, 0.2f, 0.1f}));
    scene.fluids.push_back(water);
    scene.colliders.push_back(boxCollider({}, {0.3f, 0.4f, 0.1f}));
    return scene;
}

Collider ball(Vec3 center, float radius) {
    Collider ball = smoothCollider("ball");
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = radius;
    ball.pose.position = center;
    return ball;
}

Emitter disc(Vec3 position, float radius, float speed) {
    Emitter emitter;
    emitter.name = "disc";
    emitter.params.radius = radius;
    emitter.params.speed = speed;
    emitter.params.rate = 5;
    emitter.pose.position = position;
    return emitter;
}

// A square sheet of cloth above a ball, after `change`.
Scene clothOnBall(const std::function<void(Cloth&)>& change) {
    Scene scene = sceneOf(levelCloth(15, 0.3f, {0, 0.09f, 0}));
    change(scene.cloths[0]);
    scene.colliders.push_back(ball({}, 0.08f));
    return scene;
}

struct Sample {
    const char* name;
    std::function<Scene()> make;
    int frames = 3;

    friend void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }
};

Scene with(PressureSolver solver, const std::function<void(Scene&)>& change) {
    Scene scene = tankOf(solver);
    change(scene);
    return scene;
}

const Sample kSamples[] = {
    {"wcsph", [] { return tankOf(PressureSolver::wcsph); }},
    {"pbf", [] { return tankOf(PressureSolver::pbf); }},
    {"dfsph", [] { return tankOf(PressureSolver::dfsph); }},
    {"doubleDensity",
     [] {
         return with(PressureSolver::doubleDensity, [](Scene& scene) {
             scene.fluids[0].params.doubleDensity.springStiffness = 20;
             scene.fluids[0].params.doubleDensity.hardening = 1;
         });
     }},
    {"emittersAndKillVolume",
     [] {
         return with(PressureSolver::dfsph, [](Scene& scene) {
             scene.solver.origins = true;
             scene.fluids[0].emitters.push_back(disc({0.2f, 0.3f, 0.05f}, 0.03f, 1));
             Emitter surface = disc({}, 0, 1);
             surface.name = "surface";
             surface.params.shape = EmitterShape::surface;
             surface.mesh = sheetMesh({0.22f, 0.2f, 0.05f}, 0.03f);
             scene.fluids[0].emitters.push_back(surface);
             Collider drain = ball({0.05f, 0.05f, 0.05f}, 0.05f);
             drain.name = "drain";
             drain.params.effect = ColliderEffect::kill;
             scene.colliders.push_back(drain);
         });
     }},
    {"meshObstacleAndRigidBall",
     [] {
         return with(PressureSolver::dfsph, [](Scene& scene) {
             Collider rock = smoothCollider("rock");
             rock.params.shape = ColliderShape::mesh;
             rock.mesh = sphereMesh({0.16f, 0.03f, 0.05f}, 0.03f, 2);
             scene.colliders.push_back(rock);
             Collider floating = ball({0.05f, 0.22f, 0.05f}, 0.03f);
             floating.name = "floating";
             floating.params.motion = ColliderMotion::dynamic;
             scene.colliders.push_back(floating);
         });
     }},
    {"twoFluidsThatMix",
     [] {
         return with(PressureSolver::wcsph, [](Scene& scene) {
             Fluid oil = dampedWater("oil");
             oil.params.particleSpacing = kSpacing;
             oil.params.restDensity = 800;
             oil.params.color = {1, 0, 0};
             oil.params.dispersion = scene.fluids[0].params.dispersion = 1e-4f;
             oil.volumes.push_back(boxMesh({0.14f, 0, 0}, {0.28f, 0.1f, 0.1f}));
             scene.fluids.push_back(oil);
         });
     }},
    {"implicitViscosityAndCohesion",
     [] {
         return with(PressureSolver::dfsph, [](Scene& scene) {
             FluidParams& params = scene.fluids[0].params;
             params.viscosity = 20;
             params.viscosityModel = ViscosityModel::implicit;
             params.tensionModel = TensionModel::cohesion;
             scene.colliders[0].params.adhesion = 0.05f;
         });
     }},
    {"fractionalViscosity",
     [] {
         return with(PressureSolver::wcsph,
                     [](Scene& scene) { scene.fluids[0].params.viscosityModel = ViscosityModel::fractional; });
     }},
    {"periodicBox",
     [] {
         return with(PressureSolver::wcsph, [](Scene& scene) {
             scene.colliders.clear();
             scene.solver.gravity = 0;
             scene.solver.wcsph.periodicCenter = {0.15f, 0.2f, 0.15f};
             scene.solver.wcsph.periodicSize = {0.3f, 0.4f, 0.3f};
             scene.fluids[0].params.startVelocity = {1, 0, 0};
         });
     }},
    {"clothInWater",
     [] {
         return with(PressureSolver::dfsph, [](Scene& scene) {
             scene.cloths.push_back(gridCloth(9, 9, {0.02f, 0.1f, 0.01f}, {0.08f, 0.03f, 0}, {0, 0, 0.08f}));
         });
     }},
    {"softBallInWater",
     [] {
         return with(PressureSolver::dfsph, [](Scene& scene) {
             scene.softBodies.push_back(bodyOf(sphereMesh({0.06f, 0.1f, 0.05f}, 0.03f, 2), "soft"));
         });
     }},
    {"fastWaterOnASoftBall",
     [] {
         return with(PressureSolver::wcsph, [](Scene& scene) {
             scene.fluids[0].params.startVelocity = {6, 0, 0};
             scene.softBodies.push_back(bodyOf(sphereMesh({0.16f, 0.1f, 0.05f}, 0.04f, 2), "soft"));
         });
     }},
    {"wetKnit",
     [] {
         Scene scene;
         scene.solver.pressureSolver = PressureSolver::dfsph;
         const Cloth plane = gridCloth(9, 9, {0, -0.064f, 0}, {0.08f, 0, 0}, {0, 0.064f, 0});
         Knit knit;
         knit.name = "knit";
         knit.points = plane.points;
         knit.faces = plane.faces;
         knit.params.motion = KnitMotion::simulated;
         for (const Vec3 p : knit.points) knit.pins.push_back(p.y > -1e-6f ? 1.0f : 0.0f);
         scene.knits.push_back(knit);
         scene.fluids.push_back(dampedWater("water"));
         scene.fluids[0].params.particleSpacing = 0.005f;
         scene.fluids[0].params.startVelocity = {0, 0, -1.5f};
         scene.fluids[0].volumes.push_back(boxMesh({0.02f, -0.05f, 0.01f}, {0.06f, -0.01f, 0.05f}));
         return scene;
     }},
    {"clothAlone", [] { return clothOnBall([](Cloth&) {}); }},
    {"clothOfImplicitEuler",
     [] { return clothOnBall([](Cloth& cloth) { cloth.params.solver = ClothSolver::implicitEuler; }); }},
    {"clothOfVelocityVerlet",
     [] { return clothOnBall([](Cloth& cloth) { cloth.params.solver = ClothSolver::velocityVerlet; }); }},
    {"clothOfDirectional",
     [] {
         return clothOnBall([](Cloth& cloth) {
             cloth.params.solver = ClothSolver::directional;
             pin(cloth, [](Vec3 p) { return p.x < -0.14f; });
         });
     }},
    {"clothOfPrecomputedFilter",
     [] {
         return clothOnBall(
             [](Cloth& cloth) { cloth.params.reference.solver = ReferenceClothSolver::precomputedFilter; });
     }},
    {"stickyClothWithPointCollision",
     [] {
         return clothOnBall([](Cloth& cloth) {
             cloth.params.selfCollision = SelfCollision::points;
             cloth.params.stickiness = 100;
             cloth.params.coreStiffness = 100;
             cloth.params.strainLimit = 0.02f;
         });
     }},
    {"clothUnderWaterOnAMovingBall",
     [] {
         Scene scene = clothOnBall([](Cloth& cloth) {
             cloth.params.immersion = 1;
             cloth.params.follow = 5;
             cloth.attachTo = "ball";
             cloth.attachDistance = 0.03f;
         });
         scene.colliders[0].params.motion = ColliderMotion::dynamic;
         scene.colliders[0].params.startVelocity = {1, 0, 0};
         return scene;
     }},
    {"tearingCloth",
     [] {
         Scene scene = sceneOf(levelCloth(9, 0.3f));
         Cloth& cloth = scene.cloths[0];
         pin(cloth, [](Vec3 p) { return p.x < -0.14f; });
         for (Vec3& v : cloth.points) v.y += v.x > 0.1f ? 0.1f : 0;
         cloth.params.tearStrain = 0.01f;
         cloth.params.startVelocity = {20, 0, 0};
         return scene;
     }},
    {"clothOnSoftBall",
     [] {
         Scene scene = clothOnBall([](Cloth&) {});
         scene.colliders.clear();
         scene.softBodies.push_back(bodyOf(sphereMesh({0, 0.05f, 0}, 0.04f, 2), "soft"));
         return scene;
     }},
    {"softBodiesThatTouch",
     [] {
         Scene scene = softScene(block(4, 0.02f, {}, "low"), 9.81f);
         scene.softBodies.push_back(block(4, 0.02f, {0.01f, 0.081f, 0}, "high"));
         scene.softBodies[1].params.startVelocity = {0, -2, 0};
         scene.softBodies[0].params.yieldStrain = 0.01f;
         scene.softBodies[1].params.matching = SoftMatching::velocity;
         scene.softBodies[1].params.goal = SoftGoal::quadratic;
         scene.softBodies[1].params.beta = 0.5f;
         scene.softBodies[0].params.drag = true;
         scene.softBodies[0].dragTo = {0.1f, 0.1f, 0};
         scene.colliders.push_back(floorAt(-0.01f));
         return scene;
     }},
};

class RehearsalScene : public testing::TestWithParam<Sample> {};

std::vector<Frame> play(const Device& device, const Scene& scene, int frames) {
    Simulator simulator(device);
    std::vector<Frame> played = {simulator.reset(scene)};
    for (int i = 1; i <= frames; ++i) played.push_back(simulator.advanceTo(scene, 0.005 * i));
    return played;
}

// B-103 B-106 B-109
TEST_P(RehearsalScene, playsAsOnTheCpu) {
    const Scene scene = GetParam().make();
    const std::vector<Frame> cpu = play(Device::cpu(1), scene, GetParam().frames),
                             rehearsal = play(Device::rehearsal(2), scene, GetParam().frames);
    for (size_t f = 0; f < cpu.size(); ++f) EXPECT_EQ(rehearsal[f].stateHash, cpu[f].stateHash) << "frame " << f;
}

// The most that crosses in one of the later steps of a frame, and the particles.
std::pair<DeviceCounts, size_t> mostPerStep(const Scene& scene) {
    const Device device = Device::rehearsal(1);
    Simulator simulator(device);
    std::vector<DeviceCounts> after;
    simulator.onProgress([&](const Progress&) { after.push_back(device.counts()); });
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.02);
    DeviceCounts most;
    for (size_t s = 1; s < after.size(); ++s) {
        DeviceCounts step = after[s];
        step -= after[s - 1];
        most.launches = std::max(most.launches, step.launches);
        most.uploadedBytes = std::max(most.uploadedBytes, step.uploadedBytes);
        most.downloadedBytes = std::max(most.downloadedBytes, step.downloadedBytes);
        most.synchronizations = std::max(most.synchronizations, step.synchronizations);
        most.allocations = std::max(most.allocations, step.allocations);
    }
    return {most, simulator.frame().points.count()};
}

// B-106. Solvers that iterate read their progress, and once more where they take longer than in the last steps.
TEST(RehearsalSteps, ofADamBreakMoveNoArrayBetweenHostAndDevice) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene = tankOf(solver);
        scene.solver.subSteps = 4;
        const auto [coarse, few] = mostPerStep(scene);
        scene.fluids[0].params.particleSpacing = 0.6f * kSpacing;
        const auto [fine, many] = mostPerStep(scene);
        const std::string name = choicesOf(solver)[static_cast<size_t>(solver)];
        ASSERT_GT(many, 4 * few) << name;
        for (const DeviceCounts& counts : {coarse, fine}) {
            EXPECT_GT(counts.launches, 10) << name;
            EXPECT_LT(counts.uploadedBytes + counts.downloadedBytes, 4096) << name;
        }
        EXPECT_EQ(fine.uploadedBytes, coarse.uploadedBytes) << name;
        EXPECT_LE(fine.synchronizations, 8) << name;
        if (solver == PressureSolver::wcsph) { EXPECT_EQ(fine.downloadedBytes, coarse.downloadedBytes); }
        RecordProperty(name, std::to_string(fine.launches) + " launches, " + std::to_string(fine.uploadedBytes) +
                                 " bytes up, " + std::to_string(fine.downloadedBytes) + " bytes down, " +
                                 std::to_string(fine.synchronizations) + " waits, " + std::to_string(fine.allocations) +
                                 " allocations");
    }
}

// B-106. A sheet on a ball, and soft bodies on a floor: between two frames the host reads scalars only, and no more of
// them with four times the points. Robust self-collision runs on the host, and is off here.
TEST(RehearsalSteps, ofClothsAndSoftBodiesMoveNoArrayBetweenHostAndDevice) {
    const auto cloth = [](int points) {
        Scene scene = sceneOf(levelCloth(points, 0.3f, {0, 0.081f, 0}));
        scene.cloths[0].params.selfCollision = SelfCollision::none;
        scene.colliders.push_back(ball({}, 0.08f));
        return scene;
    };
    const auto softBodies = [](int points) {
        Scene scene = softScene(block(points, 0.02f, {}, "low"), 9.81f);
        scene.softBodies.push_back(block(points, 0.02f, {1, 0, 0}, "high"));
        scene.colliders.push_back(floorAt(-0.01f));
        return scene;
    };
    for (const auto& [name, few, many] :
         {std::make_tuple("cloth", cloth(10), cloth(20)), std::make_tuple("soft", softBodies(4), softBodies(7))}) {
        Scene coarse = few, fine = many;
        coarse.solver.subSteps = fine.solver.subSteps = 4;
        const DeviceCounts ofFew = mostPerStep(coarse).first, ofMany = mostPerStep(fine).first;
        EXPECT_GT(ofMany.launches, 10) << name;
        EXPECT_LT(ofMany.uploadedBytes + ofMany.downloadedBytes, 16384) << name;
        EXPECT_EQ(ofMany.uploadedBytes, ofFew.uploadedBytes) << name;
        EXPECT_EQ(ofMany.downloadedBytes, ofFew.downloadedBytes) << name;
        EXPECT_LE(ofMany.synchronizations, 8) << name;
        RecordProperty(name, std::to_string(ofMany.launches) + " launches, " + std::to_string(ofMany.uploadedBytes) +
                                 " bytes up, " + std::to_string(ofMany.downloadedBytes) + " bytes down, " +
                                 std::to_string(ofMany.synchronizations) + " waits");
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RehearsalScene, testing::ValuesIn(kSamples),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace purl

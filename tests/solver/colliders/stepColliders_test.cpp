#include "solver/colliders/stepColliders.h"

#include <gtest/gtest.h>

#include "solver/cloth/cloth.h"
#include "solver/colliders/colliders.h"
#include "solver/coupling/deformingColliders.h"
#include "solver/soft/soft.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/soft/softBodies.h"

namespace purl {
namespace {

using namespace test;

Collider meshCollider(Vec3 low, ColliderMotion motion) {
    Collider collider;
    collider.params.shape = ColliderShape::mesh;
    collider.params.motion = motion;
    collider.mesh = boxMesh(low, low + Vec3{1, 1, 1});
    return collider;
}

TEST(StepColliders, whatStandsStillSharesOneMesh) {
    Scene scene;
    scene.colliders.push_back(meshCollider({}, ColliderMotion::keyed));
    const std::vector<ColliderPlace> places = placesOf(scene);
    const StepColliders list(scene, places, places);
    const Channel<Vec3>& vertices = scene.colliders[0].mesh.vertices;
    EXPECT_TRUE(list[0].before.vertices.sharesWith(vertices));
    EXPECT_TRUE(list[0].after.vertices.sharesWith(vertices));
    EXPECT_TRUE(list[0].start.vertices.sharesWith(vertices));
    EXPECT_TRUE(verticesBetween(list[0].before.vertices, list[0].after.vertices, 0.5f).sharesWith(vertices));
}

TEST(StepColliders, aMeshWithOtherVerticesStandsWhereItIs) {
    Scene scene;
    scene.colliders.push_back(meshCollider({2, 0, 0}, ColliderMotion::keyed));
    std::vector<ColliderPlace> from = placesOf(scene);
    from[0].vertices.edit().pop_back();
    EXPECT_EQ(StepColliders(scene, from)[0].before.vertices.size(), scene.colliders[0].mesh.vertices.size());
}

// Keyed colliders move over the frame, of which a step is a part; all others over the step.
TEST(StepColliders, aStepBeginsWhereTheLastOneEndedForAllButKeyedOnes) {
    Scene scene;
    scene.colliders = {meshCollider({}, ColliderMotion::keyed), meshCollider({}, ColliderMotion::dynamic)};
    std::vector<ColliderPlace> from = placesOf(scene);
    for (ColliderPlace& place : from)
        for (Vec3& vertex : place.vertices.edit()) vertex.x -= 1;
    StepColliders list(scene, from);
    list.beginStep();
    EXPECT_EQ(list[0].before.vertices[0].x, -1);
    EXPECT_TRUE(list[1].before.vertices.sharesWith(list[1].after.vertices));
}

// A soft body in water with a cloth on it is met by both as the same collider.
TEST(StepColliders, fluidsAndClothsMeetTheSameSurfaceOfASoftBody) {
    Scene scene;
    scene.fluids.push_back(fluidOf("water"));
    scene.colliders.push_back(meshCollider({}, ColliderMotion::keyed));
    scene.cloths.push_back(levelCloth(3, 1));
    scene.softBodies.push_back(bodyOf(boxMesh({}, {1, 1, 1})));
    scene.cloths[0].params.fluidContact = scene.softBodies[0].params.fluidContact = FluidContact::surface;
    State state;
    startCloths(state, scene);
    beginSoftFrame(state, scene);
    StepColliders list(scene, placesOf(scene));
    addDeformingColliders(scene, state, list);
    ASSERT_EQ(list.count(), 3);
    EXPECT_EQ(list.forFluids, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(list.forCloths, (std::vector<int>{0, 2}));
    EXPECT_EQ(list.deforming[1].collider, list.softBodies[0].collider);

    scene.softBodies[0].params.fluidContact = FluidContact::points;
    StepColliders apart(scene, placesOf(scene));
    addDeformingColliders(scene, state, apart);
    EXPECT_EQ(apart.count(), 4) << "points for fluids, a surface for cloths";
    EXPECT_EQ(apart.forFluids, (std::vector<int>{0, 1}));
    EXPECT_EQ(apart.forCloths, (std::vector<int>{0, 3}));
}

}  // namespace
}  // namespace purl

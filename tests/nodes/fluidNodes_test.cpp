// Fluids, emitters and colliders: what they take from meshes, curves, matrices and ramps.
#include <gtest/gtest.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MPoint.h>


#include "host/builtin/builtin.h"
#include "nodes/nodes.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

TEST_F(Nodes, fluidTakesMeshesInWorldSpace) {
    const NodePtr node = graph.create("purlFluid", "water");
    graph.connect(cube("block", 4, 10, 0, -3)->plug("worldMesh[0]"), node->plug("inMesh[0]"));
    const auto body = value<BodyData>(node->plug("outBody"));
    ASSERT_EQ(body->fluids.size(), 1u);
    EXPECT_EQ(body->fluids[0].name, "water");
    ASSERT_EQ(body->fluids[0].volumes.size(), 1u);
    const TriangleMesh& mesh = body->fluids[0].volumes[0];
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 36u);
    Bounds bounds;
    for (const Vec3& vertex : mesh.vertices) bounds.include(vertex);
    EXPECT_EQ(bounds.low, (Vec3{8, -2, -5}));
    EXPECT_EQ(bounds.high, (Vec3{12, 2, -1}));
}

TEST_F(Nodes, primitiveTakesItsSizeFromTheMatrix) {
    const NodePtr place = graph.create("transform", "place");
    place->plug("translate").set(1, 2, 3);
    place->plug("rotate").setFromText("0 90 0");
    place->plug("scale").set(2, 3, 4);
    const NodePtr node = graph.create("purlCollider");
    node->plug("shape").setFromText("box");
    node->plug("halfSize").set(1, 1, 1);
    graph.connect(place->plug("worldMatrix[0]"), node->plug("inMatrix"));
    const Collider collider = value<BodyData>(node->plug("outBody"))->colliders[0];
    EXPECT_EQ(collider.params.halfSize, (Vec3{2, 3, 4}));
    EXPECT_EQ(collider.pose.position, (Vec3{1, 2, 3}));
    const Vec3 along = collider.pose.axes * Vec3{1, 0, 0};  // turned by 90° about y: x goes to −z
    EXPECT_NEAR(along.z, -1, 1e-6);
}

TEST_F(Nodes, emitterTakesMeshesAndCurvesWhereTheyStandInTheWorld) {
    const NodePtr emitter = graph.create("purlEmitter", "hose");
    emitter->plug("shape").setFromText("curve");
    const NodePtr transform = graph.create("transform", "hosePlace");
    transform->plug("translate").set(0, 10, 0);
    const MPoint cvs[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}};
    const double knots[] = {0, 0, 0, 1, 2, 2, 2};
    MFnNurbsCurve(host::Api::make(std::static_pointer_cast<host::Object>(transform)))
        .create(MPointArray(cvs, 5), MDoubleArray(knots, 7), 3, MFnNurbsCurve::kOpen, false, false,
                host::Api::make(std::static_pointer_cast<host::Object>(transform)));
    const auto shape = transform->children.at(0);
    graph.connect(shape->plug("worldSpace[0]"), emitter->plug("inCurve"));
    const auto hose = value<EmitterData>(emitter->plug("outEmitter"));
    ASSERT_EQ(hose->curve.size(), 2u * 16 + 1) << "as its spans ask for";
    EXPECT_EQ(hose->curve.front(), (Vec3{0, 10, 0}));
    EXPECT_EQ(hose->curve.back(), (Vec3{4, 10, 0}));
    transform->plug("translateY").set(20);
    const auto moved = value<EmitterData>(emitter->plug("outEmitter"));
    ASSERT_EQ(moved->curve.size(), hose->curve.size());
    EXPECT_EQ(moved->curve.back(), (Vec3{4, 20, 0}));

    emitter->plug("shape").setFromText("surface");
    graph.connect(cube("ball", 2, 5, 0, 0)->plug("worldMesh[0]"), emitter->plug("inMesh"));
    const auto ball = value<EmitterData>(emitter->plug("outEmitter"));
    EXPECT_EQ(ball->mesh.triangles.size(), 36u);
    EXPECT_TRUE(ball->curve.empty());
}

TEST_F(Nodes, rampsSizeAndColourPoints) {
    smallTank();
    fluid->plug("startVelocity").set(0, 2, 0);
    const NodePtr points = graph.create("purlPoints", "points");
    graph.connect(solver->plug("outFrame"), points->plug("inFrame"));
    graph.setFrame(1);
    const auto radius = [&] {
        EXPECT_EQ(points->plug("outRadii").evaluate(), host::Result::Done) << (errors.empty() ? "" : errors.back());
        return (*points->plug("outRadii").data<host::DoubleArrayData>()->values)[0];
    };
    const double plain = radius();
    const auto entry = [&](const char* ramp, int index, std::vector<double> numbers) {
        points->plug(ramp).element(index).setNumbers(numbers.data(), int(numbers.size()));
    };
    // Straight from 1 to 3, then held; made in another order.
    entry("radiusScale", 0, {1, 3, 1});
    entry("radiusScale", 3, {0, 1, 1});
    EXPECT_EQ(radius(), plain) << "nothing goes by it yet";
    points->plug("radiusScaleInput").setFromText("speed");
    points->plug("radiusScaleInputMax").set(4);
    EXPECT_NEAR(radius(), 2 * plain, 1e-6) << "2 m/s are half of 4";
    points->plug("radiusScale[3].radiusScale_Interp").set(0);
    EXPECT_NEAR(radius(), plain, 1e-6) << "no interpolation: what was before";
    points->plug("radiusScale[3].radiusScale_Interp").set(2);
    points->plug("radiusScaleInputMax").set(8);
    EXPECT_NEAR(radius(), (1 + 2 * 0.15625) * plain, 1e-6) << "smooth: 3t² - 2t³ at a quarter";
    points->plug("radiusScale[3].radiusScale_Interp").set(3);
    EXPECT_GT(radius(), plain);
    points->plug("radiusScaleInputMax").set(1);
    EXPECT_NEAR(radius(), 3 * plain, 1e-6) << "beyond its end it holds";
    entry("color", 0, {0, 1, 0, 0, 1});
    entry("color", 1, {1, 0, 0, 1, 1});
    points->plug("colorInput").setFromText("speed");
    points->plug("colorInputMax").set(4);
    points->plug("outColors").evaluate();
    const auto colors = points->plug("outColors").data<host::VectorArrayData>();
    EXPECT_NEAR((*colors->values)[0].x, 0.5, 1e-6);
    EXPECT_NEAR((*colors->values)[0].z, 0.5, 1e-6);
}

}  // namespace
}  // namespace purl

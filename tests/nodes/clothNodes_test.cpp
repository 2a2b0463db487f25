// Cloths, knits and soft bodies: from their meshes through the solver and back to meshes.
#include <gtest/gtest.h>
#include <maya/MFnMesh.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MPoint.h>

#include <algorithm>

#include "host/builtin/builtin.h"
#include "nodes/nodes.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

TEST_F(Nodes, paintedMapsCountWhileTheirMapTypeSaysSo) {
    const NodePtr cloth = graph.create("purlCloth", "flag");
    graph.connect(cube("sheet", 10, 0, 0, 0)->plug("worldMesh[0]"), cloth->plug("inMesh"));
    auto painted = std::make_shared<host::DoubleArrayData>();
    painted->values->assign(8, 0.5);
    cloth->plug("massPerVertex").set(host::DataPtr(painted));
    EXPECT_EQ(value<BodyData>(cloth->plug("outBody"))->cloths[0].massMap, std::vector<float>(8, 0.5f));
    cloth->plug("massMapType").setFromText("none");
    EXPECT_TRUE(value<BodyData>(cloth->plug("outBody"))->cloths[0].massMap.empty());
}

// A cloth goes through solver and purlClothMesh with the faces and texture coordinates of its mesh.
TEST_F(Nodes, clothKeepsItsTopologyAndTextureCoordinates) {
    const NodePtr transform = graph.create("transform", "sheet");
    transform->plug("translate").set(0, 50, 0);
    const NodePtr shape = graph.create("mesh", "sheetShape", transform);
    const NodePtr maker = graph.create("polyPlane", "sheetPlane");
    maker->plug("width").set(20);
    maker->plug("height").set(30);
    maker->plug("subdivisionsWidth").set(4);
    maker->plug("subdivisionsHeight").set(6);
    graph.connect(maker->plug("output"), shape->plug("inMesh"));
    const NodePtr cloth = graph.create("purlCloth", "curtain");
    graph.connect(shape->plug("worldMesh[0]"), cloth->plug("inMesh"));
    cloth->plug("pinnedVertices").set(std::string("0 vtx[2:3]"));
    const auto body = value<BodyData>(cloth->plug("outBody"));
    ASSERT_EQ(body->cloths.size(), 1u);
    EXPECT_EQ(body->cloths[0].points.size(), 35u);
    EXPECT_EQ(body->cloths[0].faces.counts, std::vector<int>(24, 4));
    EXPECT_EQ(body->cloths[0].faces.cornerUvs.size(), 96u);
    EXPECT_EQ(std::count(body->cloths[0].pins.begin(), body->cloths[0].pins.end(), 1.0f), 3);

    solver = graph.create("purlSolver", "solver");
    graph.connect(cloth->plug("outBody"), solver->plug("bodies[0]"));
    graph.connect(graph.time1()->plug("outTime"), solver->plug("currentTime"));
    const NodePtr shown = graph.create("purlClothMesh", "shown");
    graph.connect(solver->plug("outFrame"), shown->plug("inFrame"));
    const auto frame = frameAt(3);
    ASSERT_EQ(frame->meshes.size(), 1u);
    // To metres and back.
    EXPECT_NEAR(length(frame->meshes[0].positions[0] - body->cloths[0].points[0]), 0, 1e-5);
    EXPECT_LT(frame->meshes[0].positions[34].y, 49.5f);
    EXPECT_EQ(shown->plug("outMesh").evaluate(), host::Result::Done);
    const MFnMesh mesh(host::Api::make(shown->plug("outMesh")).asMObject());
    EXPECT_EQ(mesh.numVertices(), 35);
    EXPECT_EQ(mesh.numPolygons(), 24);
    EXPECT_EQ(mesh.numUVs(), 35);
    MPoint last;
    mesh.getPoint(34, last);
    EXPECT_FLOAT_EQ(static_cast<float>(last.y), frame->meshes[0].positions[34].y);
    shown->plug("cloth").set(std::string("nobody"));
    EXPECT_EQ(shown->plug("outMesh").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("cloth \"nobody\" is not in the frame"), std::string::npos);
}

TEST_F(Nodes, clothSaysWhichPinItDoesNotUnderstand) {
    const NodePtr cloth = graph.create("purlCloth", "curtain");
    EXPECT_EQ(cloth->plug("outBody").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("curtain: mesh has no faces"), std::string::npos);
    graph.connect(cube("block", 4, 0, 0, 0)->plug("worldMesh[0]"), cloth->plug("inMesh"));
    for (const char* wrong : {"one", "1:x", "3:2", "8", "1-3"}) {
        cloth->plug("pinnedVertices").set(std::string(wrong));
        EXPECT_EQ(cloth->plug("outBody").evaluate(), host::Result::Failed) << wrong;
        EXPECT_NE(errors.back().find(wrong), std::string::npos) << wrong;
    }
}

// A soft body goes through solver and purlClothMesh with the faces of its mesh, pinned, dragged and named.
TEST_F(Nodes, softBodyFallsAndKeepsItsFaces) {
    const NodePtr soft = graph.create("purlSoftBody", "jelly");
    EXPECT_EQ(soft->plug("outBody").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("jelly: has no points"), std::string::npos);
    graph.connect(cube("block", 20, 0, 50, 0)->plug("worldMesh[0]"), soft->plug("inMesh"));
    soft->plug("preset").set(1);
    soft->plug("pinnedVertices").set(std::string("0:1"));
    const auto body = value<BodyData>(soft->plug("outBody"));
    ASSERT_EQ(body->softBodies.size(), 1u);
    EXPECT_EQ(body->softBodies[0].points.size(), 8u);
    EXPECT_EQ(body->softBodies[0].faces.counts, std::vector<int>(6, 4));
    EXPECT_EQ(body->softBodies[0].params.stiffness, softMaterials().with("jelly", {}).stiffness);
    EXPECT_EQ(std::count(body->softBodies[0].pins.begin(), body->softBodies[0].pins.end(), 1.0f), 2);

    solver = graph.create("purlSolver", "solver");
    graph.connect(soft->plug("outBody"), solver->plug("bodies[0]"));
    graph.connect(graph.time1()->plug("outTime"), solver->plug("currentTime"));
    const NodePtr shown = graph.create("purlClothMesh", "shown");
    graph.connect(solver->plug("outFrame"), shown->plug("inFrame"));
    const auto frame = frameAt(6);
    ASSERT_EQ(frame->meshes.size(), 1u);
    EXPECT_EQ(frame->meshes[0].kind, MeshKind::softBody);
    // Metres and back.
    EXPECT_LT(length(frame->meshes[0].positions[0] - body->softBodies[0].points[0]), 1e-4f);
    EXPECT_LT(frame->meshes[0].positions[7].y, body->softBodies[0].points[7].y - 1);
    EXPECT_EQ(shown->plug("outMesh").evaluate(), host::Result::Done);
    const MFnMesh mesh(host::Api::make(shown->plug("outMesh")).asMObject());
    EXPECT_EQ(mesh.numVertices(), 8);
    EXPECT_EQ(mesh.numPolygons(), 6);
}

TEST_F(Nodes, yarnFollowsAMeshThatMoves) {
    const NodePtr transform = graph.create("transform", "sheet"), shape = graph.create("mesh", "sheetShape", transform);
    const NodePtr plane = graph.create("polyPlane", "sheetPlane");
    plane->plug("width").set(10);
    plane->plug("height").set(8);
    graph.connect(plane->plug("output"), shape->plug("inMesh"));
    const NodePtr knit = graph.create("purlKnit", "swatch"), yarn = graph.create("purlYarn", "shown");
    knit->plug("stitchWidth").set(0.5);
    knit->plug("stitchHeight").set(0.4);
    solver = graph.create("purlSolver", "solver");
    graph.connect(shape->plug("worldMesh[0]"), knit->plug("inMesh"));
    graph.connect(knit->plug("outBody"), solver->plug("bodies[0]"));
    graph.connect(graph.time1()->plug("outTime"), solver->plug("currentTime"));
    graph.connect(solver->plug("outFrame"), yarn->plug("inFrame"));

    const auto first = frameAt(1);
    ASSERT_TRUE(first);
    ASSERT_EQ(first->curves.size(), 1u);
    const Curves& at1 = first->curves[0];
    EXPECT_EQ(at1.name, "swatch");
    EXPECT_EQ(*std::max_element(at1.wales.begin(), at1.wales.end()), 19);
    EXPECT_EQ(*std::max_element(at1.courses.begin(), at1.courses.end()), 20);  // of 20, and what binds off
    EXPECT_NEAR(at1.widths[0], 0.12f, 1e-6f);                                  // cm, twice the default radius

    transform->plug("translate").set(0, 3, 0);
    const auto second = frameAt(2);
    ASSERT_TRUE(second);
    for (size_t i = 0; i < at1.count(); ++i) {
        // Rounding of metres and back at a length of 10 cm.
        EXPECT_LT(length(second->curves[0].positions[i] - at1.positions[i] - Vec3{0, 3, 0}), 1e-5f);
        EXPECT_LT(length(second->curves[0].velocities[i] - Vec3{0, 72, 0}), 1e-3f);  // 3 cm in 1/24 s
    }
    ASSERT_EQ(yarn->plug("outCurve").evaluate(), host::Result::Done);
    const MFnNurbsCurve curve(host::Api::make(yarn->plug("outCurve")).asMObject());
    MPoint point;
    ASSERT_EQ(curve.numCVs(), 3 * (at1.counts[0] - 1) + 1);  // a Bézier piece a span
    for (const unsigned i : {0u, 7u, 100u}) {
        curve.getPointAtParam(i, point);
        EXPECT_NEAR(point.y, double(second->curves[0].positions[i].y), 1e-5);
    }
    EXPECT_TRUE(errors.empty()) << errors[0];
    knit->plug("pattern").setFromText("argyle");
    graph.setFrame(1);
    EXPECT_NE(solver->plug("outFrame").evaluate(), host::Result::Done);
    ASSERT_FALSE(errors.empty());
    EXPECT_EQ(errors[0].find("solver: swatch: pattern \"argyle\" is not known; use stockinette"), 0u) << errors[0];
}

TEST_F(Nodes, aSimulatedKnitHangsFromItsPinnedVertices) {
    const NodePtr transform = graph.create("transform", "sheet"), shape = graph.create("mesh", "sheetShape", transform);
    const NodePtr plane = graph.create("polyPlane", "sheetPlane");
    plane->plug("width").set(10);
    plane->plug("height").set(10);
    plane->plug("subdivisionsWidth").set(4);
    plane->plug("subdivisionsHeight").set(4);
    graph.connect(plane->plug("output"), shape->plug("inMesh"));
    const NodePtr knit = graph.create("purlKnit", "swatch");
    knit->plug("motion").setFromText("1");
    knit->plug("preset").setFromText("3");
    knit->plug("pinnedVertices").setFromText("0:4");
    solver = graph.create("purlSolver", "solver");
    graph.connect(shape->plug("worldMesh[0]"), knit->plug("inMesh"));
    graph.connect(knit->plug("outBody"), solver->plug("bodies[0]"));
    graph.connect(graph.time1()->plug("outTime"), solver->plug("currentTime"));
    const auto first = frameAt(1);
    ASSERT_TRUE(first);
    EXPECT_NEAR(first->curves.at(0).widths[0], 0.16f, 1e-6f);  // cm, of chunky
    const auto last = frameAt(13);
    ASSERT_TRUE(last);
    EXPECT_TRUE(errors.empty()) << errors[0];
    // The level sheet has swung down about its pinned edge.
    const auto lowest = [](const Frame& frame) {
        float low = 0;
        for (const Vec3 p : frame.curves[0].positions) low = std::min(low, p.y);
        return low;
    };
    EXPECT_GT(lowest(*first), -0.5f);
    EXPECT_LT(lowest(*last), -5);
    EXPECT_TRUE(last->meshes.empty());
}

}  // namespace
}  // namespace purl

// The Maya API on top of the graph: handles, plugs, data, meshes, curves, modifiers, commands, values.
#include <gtest/gtest.h>
#include <maya/MAnimControl.h>
#include <maya/MColorArray.h>
#include <maya/MComputation.h>
#include <maya/MDGModifier.h>
#include <maya/MDagModifier.h>
#include <maya/MDagPath.h>
#include <maya/MFloatArray.h>
#include <maya/MFnArrayAttrsData.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMatrixData.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnTransform.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MGlobal.h>
#include <maya/MIntArray.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MObjectHandle.h>
#include <maya/MPlugArray.h>
#include <maya/MSelectionList.h>
#include <maya/MStringArray.h>
#include <maya/MThreadUtils.h>
#include <maya/MTransformationMatrix.h>

#include <cmath>

#include "host/api/access.h"
#include "tests/host/testPlugin.h"

namespace purl::host {
namespace {

const double kPi = std::acos(-1.0);

struct ApiTest : testing::Test {
    Graph graph;
    Said said{graph};
    Graph::Scope scope{graph};
    static void SetUpTestSuite() { loadTestPlugin(); }
    void SetUp() override { sumComputes = 0; }
    static MObject object(const NodePtr& n) { return Api::make(std::static_pointer_cast<Object>(n)); }
};

TEST_F(ApiTest, nodesAreMadeNamedAndFound) {
    MFnDependencyNode fn;
    MStatus status;
    const MObject node = fn.create("testSum", "water", &status);
    ASSERT_EQ(status, MS::kSuccess);
    EXPECT_EQ(fn.typeId(), MTypeId(0x7ff81));
    EXPECT_EQ(fn.pluginName(), "hostTests");
    EXPECT_EQ(MFnDependencyNode::classification("testSum"), "utility/general");
    EXPECT_EQ(fn.setName("river"), "river");
    EXPECT_TRUE(fn.hasAttribute("first"));
    EXPECT_NE(fn.userNode(), nullptr);
    EXPECT_EQ(fn.userNode()->thisMObject(), node);
    EXPECT_TRUE(fn.create("noSuchType", &status).isNull());
    EXPECT_EQ(status, MS::kInvalidParameter);
    EXPECT_EQ(MFnDependencyNode().create(MTypeId(0x7ff82)).apiType(), MFn::kPluginDependNode);
    int count = 0;
    for (MItDependencyNodes it(MFn::kPluginDependNode); !it.isDone(); it.next()) ++count;
    EXPECT_EQ(count, 2);
}

TEST_F(ApiTest, plugsReadEvaluateAndSet) {
    const MObject node = MFnDependencyNode().create("testSum", "n");
    MFnDependencyNode fn(node);
    MPlug sum = fn.findPlug("sum", false), first = fn.findPlug("a", false);
    EXPECT_EQ(sum.asDouble(), 3);
    EXPECT_EQ(first.setDouble(10), MS::kSuccess);
    EXPECT_EQ(sum.asInt(), 12);
    EXPECT_EQ(first.setDouble(1000), MS::kFailure);
    EXPECT_EQ(said.errors, std::vector<std::string>{"n.first: value 1000 is above the maximum 100"});
    EXPECT_EQ(first.asDouble(), 10);
    EXPECT_EQ(first.name(), "n.first");
    EXPECT_EQ(first.partialName(), "a");
    EXPECT_EQ(first.partialName(true, false, false, false, false, true), "n.first");
    MPlug offset = fn.findPlug("offset", false);
    EXPECT_TRUE(offset.isCompound());
    EXPECT_EQ(offset.numChildren(), 3u);
    EXPECT_EQ(offset.child(1).name(), "n.offset.offsetY");
    EXPECT_EQ(offset.child(1).parent(), offset);
    MStatus status;
    fn.findPlug("nothing", false, &status);
    EXPECT_EQ(status, MS::kInvalidParameter);
}

TEST_F(ApiTest, arrayPlugsCountByLogicalAndPhysicalIndex) {
    MFnDependencyNode fn(MFnDependencyNode().create("testSum"));
    MPlug terms = fn.findPlug("terms", false);
    terms.elementByLogicalIndex(5).setDouble(50);
    terms.elementByLogicalIndex(2).setDouble(20);
    EXPECT_EQ(terms.numElements(), 2u);
    EXPECT_EQ(terms.elementByPhysicalIndex(0).logicalIndex(), 2u);
    EXPECT_EQ(terms.elementByPhysicalIndex(1).asDouble(), 50);
    MIntArray indices;
    EXPECT_EQ(terms.getExistingArrayAttributeIndices(indices), 2u);
    EXPECT_EQ(indices[1], 5);
    EXPECT_TRUE(terms.elementByPhysicalIndex(2).isNull());
    EXPECT_EQ(terms.elementByLogicalIndex(5).array(), terms);
    MPlug weight = fn.findPlug("weight", false);  // below an array, without an index yet
    EXPECT_EQ(weight.selectAncestorLogicalIndex(3), MS::kSuccess);
    EXPECT_EQ(weight.setFloat(0.5f), MS::kSuccess);
    EXPECT_EQ(fn.findPlug("pair[3].weight", false).asFloat(), 0.5f);
}

TEST_F(ApiTest, unitsPassThroughANodeUnchanged) {
    MFnDependencyNode fn(MFnDependencyNode().create("testUnit"));
    EXPECT_EQ(fn.findPlug("outWhen", false).asMTime(), MTime(10, MTime::kFilm));
    EXPECT_DOUBLE_EQ(fn.findPlug("outLength", false).asMDistance().asMeters(), 2);
    EXPECT_DOUBLE_EQ(fn.findPlug("outTurn", false).asMAngle().asDegrees(), 90);
    EXPECT_DOUBLE_EQ(fn.findPlug("outTurn", false).asDouble(), kPi / 2);
    fn.findPlug("when", false).setMTime(MTime(2, MTime::kSeconds));
    EXPECT_EQ(fn.findPlug("outWhen", false).asMTime().as(MTime::kPALFrame), 50);
    MStatus status;
    fn.findPlug("when", false).asDouble(&status);
    EXPECT_EQ(status, MS::kFailure);  // a time is not a number
    MMatrix m;
    m(3, 0) = 4;
    fn.findPlug("inMatrix", false).setMObject(MFnMatrixData().create(m));
    EXPECT_EQ(MFnMatrixData(fn.findPlug("outInverse", false).asMObject()).matrix()(3, 0), -4);
}

TEST_F(ApiTest, readingTheWrongTypeReportsAnError) {
    const NodePtr n = graph.create("testSum");
    MDataBlock block = Api::block(n);
    MStatus status;
    const MObject gain = MFnDependencyNode(object(n)).attribute("gain");
    EXPECT_EQ(block.inputValue(gain, &status).asFloat(), 2.0f);
    EXPECT_EQ(status, MS::kSuccess);
    EXPECT_EQ(block.inputValue(gain).asDouble(), 0);
    ASSERT_EQ(said.errors.size(), 1u);
    EXPECT_EQ(said.errors[0], "gain holds float, but asDouble was requested");
    const MObject other = MFnDependencyNode(MFnDependencyNode().create("testUnit")).attribute("turn");
    block.inputValue(other, &status);
    EXPECT_EQ(status, MS::kInvalidParameter);
}

TEST_F(ApiTest, outputValueDoesNotEvaluate) {
    const NodePtr n = graph.create("testSum");
    MDataBlock block = Api::block(n);
    const MObject sum = MFnDependencyNode(object(n)).attribute("sum");
    EXPECT_EQ(block.outputValue(sum).asDouble(), 0);
    EXPECT_EQ(sumComputes, 0);
    EXPECT_FALSE(block.isClean(sum));
    EXPECT_EQ(block.inputValue(sum).asDouble(), 3);
    EXPECT_EQ(sumComputes, 1);
    EXPECT_TRUE(block.isClean(sum));
}

TEST_F(ApiTest, pluginDataIsSharedAndDeletedWithItsLastUser) {
    ASSERT_EQ(testDataAlive, 0);
    {
        Graph own;
        Graph::Scope inside(own);
        const NodePtr a = own.create("testCarry", "a"), b = own.create("testCarry", "b"),
                      c = own.create("testCarry", "c");
        own.connect(a->plug("outData"), b->plug("inData"));
        own.connect(a->plug("outData"), c->plug("inData"));
        a->plug("value").set(1);
        b->plug("value").set(10);
        const DataPtr held = b->plug("outData").data();
        c->plug("outData").data();
        EXPECT_EQ(testDataAlive, 3);  // one per node; the inputs share a's data
        a->plug("value").set(2);
        b->plug("outData").data();
        EXPECT_EQ(testDataAlive, 5);  // a and b have new data; `held` owns b's old data, c still shares a's old data
        c->plug("outData").data();
        EXPECT_EQ(testDataAlive, 4);
    }
    EXPECT_EQ(testDataAlive, 0);
}

TEST_F(ApiTest, writingToAnOutputNeverChangesWhatAReaderHolds) {
    const NodePtr n = graph.create("testCarry");
    n->plug("value").set(5);
    const DataPtr held = n->plug("outData").data();
    MDataBlock block = Api::block(n);
    const MObject out = MFnDependencyNode(object(n)).attribute("outData");
    MPxData* writable = block.outputValue(out).asPluginData();
    EXPECT_NE(writable, std::static_pointer_cast<PluginData>(held)->user);
    EXPECT_EQ(block.inputValue(out).asPluginData(), writable);
}

TEST_F(ApiTest, arrayDataIsAliasedAndCopiesAreDeep) {
    MFnArrayAttrsData fn;
    const MObject data = fn.create();
    MVectorArray position = fn.vectorArray("position");
    position.append(MVector(1, 2, 3));
    EXPECT_EQ(fn.vectorArray("position").length(), 1u);  // the same array
    MVectorArray copy = position;
    copy[0].x = 9;
    EXPECT_EQ(fn.vectorArray("position")[0].x, 1);
    fn.doubleArray("mass").setLength(3);
    EXPECT_EQ(fn.list().length(), 2u);
    EXPECT_EQ(fn.list()[0], "position");
    MFnArrayAttrsData::Type type;
    EXPECT_TRUE(fn.checkArrayExist("mass", type));
    EXPECT_EQ(type, MFnArrayAttrsData::kDoubleArray);
    MFnVectorArrayData vectors;
    const MObject v = vectors.create(position);
    EXPECT_EQ(MFnVectorArrayData(v)[0], MVector(1, 2, 3));
    EXPECT_TRUE(data.hasFn(MFn::kDynArrayAttrsData));
}

// --- meshes and curves

// A unit square in the xz plane and a triangle on its right.
MObject squareAndTriangle(MFnMesh& fn, MStatus* status = nullptr, MObject owner = MFnMeshData().create()) {
    const MPoint corners[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}, {2, 0, 0.5}};
    const int counts[] = {4, 3}, connects[] = {0, 1, 2, 3, 3, 2, 4};
    return fn.create(5, 2, MPointArray(corners, 5), MIntArray(counts, 2), MIntArray(connects, 7), owner, status);
}

TEST_F(ApiTest, meshesRoundTrip) {
    MFnMesh fn;
    MStatus status;
    const MObject mesh = squareAndTriangle(fn, &status);
    ASSERT_EQ(status, MS::kSuccess);
    EXPECT_TRUE(mesh.hasFn(MFn::kMesh));
    EXPECT_EQ(fn.numVertices(), 5);
    EXPECT_EQ(fn.numPolygons(), 2);
    EXPECT_EQ(fn.numFaceVertices(), 7);
    EXPECT_EQ(fn.numEdges(), 6);
    MIntArray counts, list, triangles;
    fn.getVertices(counts, list);
    EXPECT_EQ(counts[1], 3);
    EXPECT_EQ(list[6], 4);
    fn.getPolygonVertices(1, list);
    EXPECT_EQ(list[0], 3);
    fn.getTriangles(counts, triangles);
    EXPECT_EQ(counts[0], 2);
    EXPECT_EQ(triangles.length(), 9u);
    MFloatVectorArray normals;
    fn.getVertexNormals(false, normals);
    EXPECT_TRUE(normals[4].isEquivalent(MFloatVector(0, 1, 0)));
    MFloatPointArray points;
    fn.getPoints(points);
    points[0].y = 7;
    EXPECT_EQ(fn.setPoints(points), MS::kSuccess);
    EXPECT_EQ(fn.getRawPoints()[1], 7.0f);
    points.append(MFloatPoint());
    EXPECT_EQ(fn.setPoints(points), MS::kInvalidParameter);
}

TEST_F(ApiTest, meshesCarryUvsAndColours) {
    MFnMesh fn;
    squareAndTriangle(fn);
    const float us[] = {0, 0, 1, 1}, vs[] = {0, 1, 1, 0};
    const int counts[] = {4, 0}, ids[] = {0, 1, 2, 3};
    EXPECT_EQ(fn.setUVs(MFloatArray(us, 4), MFloatArray(vs, 4)), MS::kSuccess);
    EXPECT_EQ(fn.assignUVs(MIntArray(counts, 2), MIntArray(ids, 4)), MS::kSuccess);
    MIntArray gotCounts, gotIds;
    fn.getAssignedUVs(gotCounts, gotIds);
    EXPECT_EQ(gotCounts[1], 0);
    EXPECT_EQ(gotIds[3], 3);
    EXPECT_EQ(fn.assignUVs(MIntArray(counts, 1), MIntArray(ids, 4)), MS::kInvalidParameter);

    EXPECT_EQ(fn.createColorSetWithName("wet"), "wet");
    EXPECT_EQ(fn.setCurrentColorSetName("wet"), MS::kSuccess);
    const int two[] = {0, 3};
    const MColor blue(0, 0, 1);
    EXPECT_EQ(fn.setVertexColors(MColorArray(2, blue), MIntArray(two, 2)), MS::kSuccess);
    MColorArray colors;
    const MColor none(0.5f, 0.5f, 0.5f);
    fn.getVertexColors(colors, nullptr, &none);
    EXPECT_EQ(colors[3], blue);
    EXPECT_EQ(colors[4], none);
}

TEST_F(ApiTest, badMeshesAreRefusedWithAReason) {
    MFnMesh fn;
    MStatus status;
    const int counts[] = {3}, connects[] = {0, 1, 5};
    const MObject owner = MFnMeshData().create();
    EXPECT_TRUE(fn.create(3, 1, MPointArray(3), MIntArray(counts, 1), MIntArray(connects, 3), owner, &status).isNull());
    EXPECT_EQ(status, MS::kInvalidParameter);
    EXPECT_EQ(said.errors,
              std::vector<std::string>{"MFnMesh::create: a polygon refers to a vertex that does not exist"});
}

TEST_F(ApiTest, concavePolygonsTriangulateInside) {
    // an L-shaped polygon of area 3: the areas sum to 3 only if every triangle is inside
    const MPoint corners[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    const int counts[] = {6}, connects[] = {0, 1, 2, 3, 4, 5};
    MFnMesh fn;
    fn.create(6, 1, MPointArray(corners, 6), MIntArray(counts, 1), MIntArray(connects, 6), MFnMeshData().create());
    MIntArray n, t;
    fn.getTriangles(n, t);
    ASSERT_EQ(t.length(), 12u);
    double area = 0;
    for (unsigned int k = 0; k < 12; k += 3) {
        const double a = ((corners[t[k + 1]] - corners[t[k]]) ^ (corners[t[k + 2]] - corners[t[k]])).z / 2;
        EXPECT_GT(a, 0);
        area += a;
    }
    EXPECT_DOUBLE_EQ(area, 3);
}

TEST_F(ApiTest, meshNodesReturnWorldSpacePoints) {
    MFnMesh fn;
    const MObject transform = squareAndTriangle(fn, nullptr, MObject::kNullObj);
    ASSERT_TRUE(transform.hasFn(MFn::kTransform));
    MFnTransform(transform).setTranslation(MVector(0, 3, 0), MSpace::kTransform);
    MDagPath path;
    MDagPath::getAPathTo(transform, path);
    MStatus status;
    MFnMesh(path, &status);
    EXPECT_EQ(status, MS::kInvalidParameter);  // a transform is not a mesh
    path.extendToShape();
    MFnMesh world(path, &status);
    ASSERT_EQ(status, MS::kSuccess);
    MPoint p;
    world.getPoint(4, p, MSpace::kWorld);
    EXPECT_EQ(p, MPoint(2, 3, 0.5));
    world.getPoint(4, p);
    EXPECT_EQ(p, MPoint(2, 0, 0.5));

    // worldMesh data carries the matrix; asMeshTransformed applies it
    const NodePtr lift = graph.create("testLift", "lift1");
    graph.connect(Api::node(path.node())->plug("worldMesh[0]"), lift->plug("inputMesh"));
    auto lifted = lift->plug("outputMesh").data<MeshData>();
    ASSERT_TRUE(lifted);
    EXPECT_EQ(lifted->points[1], 4.0f);
    MFnTransform(transform).setTranslation(MVector(0, 10, 0), MSpace::kTransform);
    EXPECT_EQ(lift->plug("outputMesh").data<MeshData>()->points[1], 11.0f);
}

TEST_F(ApiTest, aNodeWithoutItsMeshFailsWithoutCrashing) {
    const NodePtr lift = graph.create("testLift");
    EXPECT_EQ(lift->plug("outputMesh").evaluate(), Result::Failed);
}

TEST_F(ApiTest, aQuarterCircleHasItsLength) {
    // the rational quadratic quarter circle of radius 2
    const double w = std::sqrt(0.5);
    const MPoint cvs[] = {{2, 0, 0, 1}, {2, 2, 0, w}, {0, 2, 0, 1}};
    const double knots[] = {0, 0, 1, 1};
    MFnNurbsCurve fn;
    MStatus status;
    fn.create(MPointArray(cvs, 3), MDoubleArray(knots, 4), 2, MFnNurbsCurve::kOpen, false, true,
              MFnNurbsCurveData().create(), &status);
    ASSERT_EQ(status, MS::kSuccess);
    EXPECT_NEAR(fn.length(1e-9), kPi, 1e-8);
    MPoint p;
    fn.getPointAtParam(fn.findParamFromLength(kPi / 2), p);
    EXPECT_TRUE(p.isEquivalent(MPoint(std::sqrt(2.0), std::sqrt(2.0)), 1e-7)) << p;
    EXPECT_TRUE(fn.tangent(0).isEquivalent(MVector::yAxis, 1e-12));
    EXPECT_EQ(fn.numSpans(), 1);
    fn.create(MPointArray(cvs, 3), MDoubleArray(knots, 3), 2, MFnNurbsCurve::kOpen, false, true,
              MFnNurbsCurveData().create(), &status);
    EXPECT_EQ(status, MS::kInvalidParameter);
}

TEST_F(ApiTest, aUniformCubicGoesThroughItsEnds) {
    const MPoint cvs[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}};
    const double knots[] = {0, 0, 0, 1, 2, 2, 2};
    MFnNurbsCurve fn;
    fn.create(MPointArray(cvs, 5), MDoubleArray(knots, 7), 3, MFnNurbsCurve::kOpen, false, false,
              MFnNurbsCurveData().create());
    MPoint p;
    fn.getPointAtParam(0, p);
    EXPECT_EQ(p, MPoint(0, 0));
    fn.getPointAtParam(2, p);
    EXPECT_EQ(p, MPoint(4, 0));
    fn.getPointAtParam(1, p);
    EXPECT_DOUBLE_EQ(p.x, 2);
    EXPECT_EQ(fn.getPointAtParam(2.5, p), MS::kInvalidParameter);
    EXPECT_NEAR(fn.length(), 4, 1e-9);
}

// --- the DAG, selections, edits

TEST_F(ApiTest, dagPathsKnowTheirMatricesAndNames) {
    MDagModifier modifier;
    const MObject group = modifier.createNode("transform"), ball = modifier.createNode("transform", group);
    modifier.renameNode(group, "group");
    modifier.renameNode(ball, "ball");
    ASSERT_EQ(modifier.doIt(), MS::kSuccess);
    MFnTransform(group).setTranslation(MVector(1, 0, 0), MSpace::kTransform);
    const double twice[] = {2, 2, 2};
    MFnTransform(ball).setScale(twice);
    MFnTransform(ball).setRotation(MEulerRotation(0, 0, kPi / 2));
    MSelectionList list;
    EXPECT_EQ(list.add("group|ball"), MS::kSuccess);
    EXPECT_EQ(list.add("nobody"), MS::kInvalidParameter);
    MDagPath path;
    list.getDagPath(0, path);
    EXPECT_EQ(path.fullPathName(), "|group|ball");
    EXPECT_TRUE((MPoint(1, 0, 0) * path.inclusiveMatrix()).isEquivalent(MPoint(1, 2, 0), 1e-12));
    EXPECT_EQ(path.exclusiveMatrix()(3, 0), 1);
    modifier.undoIt();
    EXPECT_EQ(graph.find("ball"), nullptr);
    modifier.doIt();
    EXPECT_EQ(graph.fullName(graph.dagPaths(*graph.find("ball"))[0]), "|group|ball");
}

TEST_F(ApiTest, modifiersUndoAndRedoEverything) {
    MDGModifier modifier;
    const MObject a = modifier.createNode("testSum"), b = modifier.createNode("testSum");
    MFnDependencyNode fa(a), fb(b);
    modifier.connect(fa.findPlug("sum", false), fb.findPlug("first", false));
    modifier.newPlugValueDouble(fa.findPlug("second", false), 20);
    EXPECT_FALSE(fb.findPlug("first", false).isConnected());  // not before doIt
    ASSERT_EQ(modifier.doIt(), MS::kSuccess);
    EXPECT_EQ(fb.findPlug("sum", false).asDouble(), 23);
    MObjectHandle handle(a);
    ASSERT_EQ(modifier.undoIt(), MS::kSuccess);
    EXPECT_TRUE(handle.isAlive());
    EXPECT_FALSE(handle.isValid());
    ASSERT_EQ(modifier.doIt(), MS::kSuccess);
    EXPECT_TRUE(handle.isValid());
    EXPECT_EQ(fb.findPlug("sum", false).asDouble(), 23);

    MDGModifier remove;
    remove.deleteNode(a);
    remove.doIt();
    EXPECT_FALSE(fb.findPlug("first", false).isConnected());
    remove.undoIt();
    EXPECT_TRUE(fb.findPlug("first", false).isConnected());
}

TEST(Commands, parseTheirFlagsAndUndo) {
    loadTestPlugin();
    Session session;
    Said said(session.graph());
    const CommandResult made = session.command("makeSums", {"-count", "2", "-name", "left", "-n", "right", "-f", "-5"});
    EXPECT_EQ(std::get<std::vector<std::string>>(made), (std::vector<std::string>{"left", "right"}));
    EXPECT_EQ(session.get("left.first"), "-5");
    EXPECT_EQ(std::get<int>(session.command("makeSums", {"-q", "left", "right"})), 2);
    session.undo();  // the query
    session.undo();
    EXPECT_EQ(session.graph().find("left"), nullptr);
    session.redo();
    EXPECT_EQ(session.get("right.sum"), "-3");
    session.graph().selection = {"left"};
    EXPECT_EQ(std::get<int>(session.command("makeSums", {"-query"})), 1);
}

TEST(Commands, reportInvalidArguments) {
    loadTestPlugin();
    Session session;
    auto run = [&](const std::string& name, const std::vector<std::string>& args) {
        return errorOf([&] { session.command(name, args); });
    };
    EXPECT_EQ(run("makeSuns", {}), "unknown command makeSuns; did you mean makeSums?");
    EXPECT_EQ(run("makeSums", {"-cuont", "2"}), "makeSums: unknown flag -cuont; did you mean -count?");
    EXPECT_EQ(run("makeSums", {"-count", "many"}), "makeSums: -count: 'many' is not an integer");
    EXPECT_EQ(run("makeSums", {"-count"}), "makeSums: flag -count needs 1 argument");
    EXPECT_EQ(run("makeSums", {"-c", "1", "-count", "2"}), "makeSums: flag -count is used twice");
    EXPECT_EQ(run("makeSums", {"-c", "-1"}), "makeSums: count is negative");
    EXPECT_EQ(run("makeSums", {"nobody"}), "makeSums: no object named nobody");
    EXPECT_EQ(errorOf([&] { session.undo(); }), "nothing to undo");
}

TEST(Sessions, newSceneResetsTheSession) {
    loadTestPlugin();
    Session session;
    Said said(session.graph());
    session.graph().create("testSum", "n");
    session.newScene();
    EXPECT_EQ(session.graph().find("n"), nullptr);
    ASSERT_NE(session.graph().find("time1"), nullptr);
    session.graph().report(Severity::Info, "still heard");
    EXPECT_EQ(said.infos.size(), 1u);
}

TEST(Plugins, cannotUnloadWhileTheirNodesLive) {
    loadTestPlugin();
    Graph graph;
    graph.create("testSum");
    static int unloads = 0;
    const PluginEntry unload = [](MObject object) -> MStatus {
        ++unloads;
        return MFnPlugin(object).deregisterNode(0x7ff81);
    };
    EXPECT_EQ(errorOf([&] { unloadPlugin("hostTests", unload); }),
              "hostTests: the scene still has nodes of type testSum; delete them before unloading");
    EXPECT_TRUE(pluginLoaded("hostTests"));
}

// --- values

TEST(Values, timesConvertExactly) {
    EXPECT_EQ(MTime::ticksPerSecond(), 141120000);
    EXPECT_EQ(MTime(24, MTime::kFilm).as(MTime::kSeconds), 1);
    EXPECT_EQ(MTime(1, MTime::kSeconds), MTime(30, MTime::kNTSCFrame));
    EXPECT_EQ((MTime(12, MTime::kFilm) + MTime(0.5, MTime::kSeconds)).value(), 24);
    EXPECT_LT(MTime(9, MTime::kFilm), MTime(10, MTime::kFilm));
    Graph graph;
    Graph::Scope scope(graph);
    graph.units.setTime("pal");
    EXPECT_EQ(MTime::uiUnit(), MTime::kPALFrame);
    MAnimControl::setCurrentTime(MTime(2, MTime::kSeconds));
    EXPECT_EQ(MAnimControl::currentTime().value(), 50);
    EXPECT_EQ(graph.frame(), 50);
}

TEST(Values, matricesInvertAndDecompose) {
    const MEulerRotation r(0.3, -0.5, 1.1);
    MMatrix m = r.asMatrix();
    for (unsigned c = 0; c < 3; ++c) m(0, c) *= 2, m(1, c) *= 3, m(3, c) = c + 1.0;
    EXPECT_TRUE((m * m.inverse()).isEquivalent(MMatrix::identity, 1e-12));
    EXPECT_NEAR(m.det3x3(), 6, 1e-12);
    const MTransformationMatrix parts(m);
    EXPECT_TRUE(parts.asMatrix().isEquivalent(m, 1e-12));
    EXPECT_NEAR(parts.eulerRotation().y, -0.5, 1e-12);
    EXPECT_TRUE(parts.rotation().asMatrix().isEquivalent(r.asMatrix(), 1e-12));
    MMatrix sheared = m;
    for (unsigned c = 0; c < 3; ++c) sheared(1, c) += 0.5 * m(0, c), sheared(2, c) -= 0.25 * m(1, c);
    EXPECT_TRUE(MTransformationMatrix(sheared).asMatrix().isEquivalent(sheared, 1e-12));
}

TEST(Values, everyRotationOrderRoundTrips) {
    for (int order = MEulerRotation::kXYZ; order <= MEulerRotation::kZYX; ++order) {
        const MEulerRotation r(0.4, 0.7, -0.9, MEulerRotation::RotationOrder(order));
        const MEulerRotation back = MEulerRotation::decompose(r.asMatrix(), r.order);
        EXPECT_TRUE(back.asVector().isEquivalent(r.asVector(), 1e-12)) << order;
        EXPECT_TRUE(r.asQuaternion().asMatrix().isEquivalent(r.asMatrix(), 1e-12)) << order;
        const MEulerRotation locked(0.4, kPi / 2, -0.9, r.order);
        EXPECT_TRUE(
            MEulerRotation::decompose(locked.asMatrix(), r.order).asMatrix().isEquivalent(locked.asMatrix(), 1e-9));
    }
    const MQuaternion a(0.5, MVector::xAxis), b(0.8, MVector::zAxis);
    EXPECT_TRUE((a * b).asMatrix().isEquivalent(a.asMatrix() * b.asMatrix(), 1e-12));
}

TEST(Values, stringsSplitCountAndConvert) {
    const MString s("purl|knit||drip");
    MStringArray parts;
    s.split('|', parts);
    ASSERT_EQ(parts.length(), 3u);
    EXPECT_EQ(parts[2], "drip");
    EXPECT_EQ(s.substring(5, 8), "knit");
    EXPECT_EQ(s.rindex('|'), 10);
    EXPECT_EQ(MString("ä").numChars(), 1u);
    EXPECT_TRUE(MString("12").isInt());
    EXPECT_FALSE(MString("12x").isDouble());
    EXPECT_EQ(MString("a") + 3 + "b" + 0.5, "a3b0.5");
    MString f;
    f.format("^2s and ^1s", "knit", "purl");
    EXPECT_EQ(f, "purl and knit");
}

TEST(Values, interruptsReachTheComputation) {
    MComputation computation;
    computation.beginComputation();
    EXPECT_FALSE(computation.isInterruptRequested());
    requestInterrupt();
    EXPECT_TRUE(computation.isInterruptRequested());
    clearInterrupt();
    EXPECT_FALSE(computation.isInterruptRequested());
    setThreadCount(3);
    EXPECT_EQ(MThreadUtils::getNumThreads(), 3);
    setThreadCount(0);
    EXPECT_GE(MThreadUtils::getNumThreads(), 1);
}

}  // namespace
}  // namespace purl::host

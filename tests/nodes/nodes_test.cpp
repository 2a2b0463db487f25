// The nodes in a small graph of the host's, as Maya would hold them.
#include "nodes/nodes.h"

#include <gtest/gtest.h>
#include <maya/MFnArrayAttrsData.h>
#include <maya/MFnMesh.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MPlug.h>
#include <maya/MPoint.h>
#include <maya/MVectorArray.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "host/api/access.h"
#include "host/builtin/builtin.h"
#include "nodes/clothNode.h"
#include "nodes/data.h"
#include "nodes/fluidNode.h"
#include "nodes/knitNode.h"
#include "nodes/softBodyNode.h"
#include "nodes/solverNode.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

TEST_F(Nodes, attributesAreWhatDescribeSays) {
    const NodePtr node = graph.create("purlFluid");
    FluidParams params;
    describe(
        [&](auto& field, const About& about) {
            const Plug plug = node->plug(about.name);
            EXPECT_EQ(plug.attr, node->plug(about.shortName).attr) << about.name;
            if constexpr (std::is_same_v<std::decay_t<decltype(field)>, float>) {
                const double scale = std::string(about.unit) == "m" ? 100 : 1;
                EXPECT_FLOAT_EQ(static_cast<float>(plug.number()), static_cast<float>(scale * field)) << about.name;
            }
        },
        params);
    EXPECT_THROW(node->plug("restDensity").set(-5), host::Error);
    EXPECT_THROW(node->plug("kind").setFromText("plasma"), host::Error);
}

// The names, long and short, that artists know from nucleus and its objects, wherever the meaning is the same.
TEST_F(Nodes, stockNamesAreKept) {
    const struct {
        const char *type, *name, *shortName;
    } kNames[] = {
        {"purlSolver", "currentTime", "cti"},      {"purlSolver", "startFrame", "stf"},
        {"purlSolver", "enable", "ena"},           {"purlSolver", "subSteps", "sstp"},
        {"purlSolver", "gravity", "grty"},         {"purlSolver", "gravityDirection", "grdi"},
        {"purlSolver", "windSpeed", "wisp"},       {"purlSolver", "windDirection", "widi"},
        {"purlSolver", "windNoise", "wnoi"},       {"purlSolver", "usePlane", "nupl"},
        {"purlSolver", "planeOrigin", "npor"},     {"purlSolver", "planeNormal", "npun"},
        {"purlSolver", "planeFriction", "npfr"},   {"purlSolver", "timeScale", "tisc"},
        {"purlSolver", "spaceScale", "spsc"},      {"purlSolver", "playFromCache", "pfc"},
        {"purlCloth", "isDynamic", "isd"},         {"purlCloth", "thickness", "thss"},
        {"purlCloth", "friction", "fron"},         {"purlCloth", "stickiness", "stck"},
        {"purlKnit", "friction", "fron"},          {"purlCollider", "friction", "fron"},
        {"purlCollider", "thickness", "thss"},     {"purlFluid", "restDensity", "rdns"},
        {"purlFluid", "viscosity", "visc"},        {"purlFluid", "surfaceTension", "suft"},
        {"purlCloth", "stiffnessMapType", "stmt"}, {"purlCloth", "stiffnessPerVertex", "stpv"},
        {"purlPoints", "radiusScale", "rdc"},
    };
    for (const auto& row : kNames) {
        const host::AttrPtr attr = host::findType(row.type)->find(row.name);
        ASSERT_TRUE(attr) << row.type << "." << row.name;
        EXPECT_EQ(attr->shortName, row.shortName) << row.type << "." << row.name;
    }
}

TEST_F(Nodes, attributesSayHowTheyAreShownAndKeyed) {
    const auto attr = [](const char* type, const char* name) { return host::findType(type)->find(name); };
    EXPECT_TRUE(attr("purlFluid", "viscosity")->keyable);
    EXPECT_FALSE(attr("purlFluid", "particleSpacing")->keyable) << "what counts at the start only is not keyed";
    EXPECT_TRUE(attr("purlFluid", "particleSpacing")->channelBox);
    EXPECT_FALSE(attr("purlFluid", "startVelocityY")->keyable);
    EXPECT_FALSE(attr("purlCloth", "pinnedVertices")->keyable);
    EXPECT_EQ(attr("purlSolver", "pbfIterations")->niceName, "PBF Iterations");
    EXPECT_EQ(attr("purlSolver", "gravity")->niceName, "") << "Maya makes this one itself";
    EXPECT_EQ(attr("purlSolver", "subSteps")->softMax, 20);
    EXPECT_EQ(attr("purlFluid", "particleSpacing")->kind, host::Kind::Distance);
    EXPECT_EQ(attr("purlFluid", "kind")->fields.size(), 2u);
}

TEST_F(Nodes, solverFurnishesTheWorldWithWindAndGround) {
    graph.connect(cube("sheet", 10, 0, 50, 0)->plug("worldMesh[0]"), graph.create("purlCloth", "flag")->plug("inMesh"));
    solver = graph.create("purlSolver", "solver");
    graph.connect(graph.get("flag")->plug("outBody"), solver->plug("bodies[0]"));
    solver->plug("windSpeed").set(3);
    solver->plug("windDirection").set(0, 0, 5);
    solver->plug("windNoise").set(0.25);
    graph.get("flag")->plug("wind").set(1, 0, 0);
    solver->plug("usePlane").set(1);
    solver->plug("planeOrigin").set(0, -20, 0);
    solver->plug("planeNormal").set(0, 3, 3);
    frameAt(1);
    const Scene& scene = static_cast<SolverNode*>(solver->user)->scene();
    EXPECT_EQ(scene.cloths[0].params.wind, (Vec3{1, 0, 3}));
    EXPECT_FLOAT_EQ(scene.cloths[0].params.gusts, 0.25f);
    ASSERT_EQ(scene.colliders.size(), 1u);
    EXPECT_EQ(scene.colliders[0].name, "solverPlane");
    EXPECT_FLOAT_EQ(scene.colliders[0].pose.position.y, -0.2f);
    const Vec3 up = scene.colliders[0].pose.toWorld({0, 1, 0}) - scene.colliders[0].pose.position;
    EXPECT_NEAR(up.y, std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(up.z, std::sqrt(0.5), 1e-6);
    solver->plug("planeNormal").set(0, 0, 0);
    graph.setFrame(1);
    EXPECT_EQ(solver->plug("outFrame").evaluate(), host::Result::Failed);
    EXPECT_EQ(errors.back(), "solver: planeNormal is 0 0 0 and has no direction; set one of its components");
}

// In Maya's parallel evaluation all nodes that time reaches compute, whether anyone asks for what they give or not.
TEST_F(Nodes, aSolverThatPlaysFromACacheSimulatesNothing) {
    smallTank();
    solver->plug("playFromCache").set(1);
    EXPECT_EQ(frameAt(5)->points.count(), 0u);
    EXPECT_EQ(static_cast<SolverNode*>(solver->user)->simulator(), nullptr);
    solver->plug("playFromCache").set(0);
    EXPECT_EQ(frameAt(5)->points.count(), 216u);
}

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

TEST_F(Nodes, presetGivesItsOwnMaterialAtTheNodesSpacing) {
    const NodePtr node = graph.create("purlFluid");
    node->plug("particleSpacing").set(5);
    node->plug("viscosity").set(7);
    node->plug("preset").setFromText("mucus");
    const FluidParams params = value<BodyData>(node->plug("outBody"))->fluids[0].params;
    EXPECT_FLOAT_EQ(params.viscosity, fluidPreset("mucus").viscosity);
    EXPECT_FLOAT_EQ(params.particleSpacing, 5);
    node->plug("preset").setFromText("custom");
    EXPECT_FLOAT_EQ(value<BodyData>(node->plug("outBody"))->fluids[0].params.viscosity, 7);
}

// Colour and opacity are the preset's where they have their defaults, and the artist's where not.
TEST_F(Nodes, presetBringsItsColorUnlessItWasChosen) {
    const NodePtr node = graph.create("purlFluid");
    const auto params = [&] { return value<BodyData>(node->plug("outBody"))->fluids[0].params; };
    for (const FluidPreset& preset : fluidPresets()) {
        node->plug("preset").setFromText(preset.name);
        EXPECT_EQ(params().color, preset.params.color) << preset.name;
        EXPECT_EQ(params().opacity, preset.params.opacity) << preset.name;
    }
    node->plug("preset").setFromText("honey");
    node->plug("color").set(0.1, 0.8, 0.1);
    EXPECT_EQ(params().color, (Vec3{0.1f, 0.8f, 0.1f}));
    EXPECT_EQ(params().opacity, fluidPreset("honey").opacity);
    node->plug("opacity").set(0.75);
    EXPECT_FLOAT_EQ(params().opacity, 0.75f);
    EXPECT_FLOAT_EQ(params().viscosity, fluidPreset("honey").viscosity);
}

TEST_F(Nodes, lavaGlows) {
    const Choices names = choicesOf(FluidPresetChoice{});
    const auto glow = [&](const std::string& name) {
        return glowOf(static_cast<FluidPresetChoice>(std::find(names.begin(), names.end(), name) - names.begin()));
    };
    EXPECT_GT(glow("lava").x, 1);
    EXPECT_EQ(glow("honey"), Vec3{});
    EXPECT_EQ(glow("custom"), Vec3{});
}

// Saved scenes hold the index: custom, then the rows of the table in their order.
TEST_F(Nodes, presetNamesAreThoseOfTheTables) {
    const auto withoutCustom = [](const Choices& all) { return std::vector<std::string>(all.begin() + 1, all.end()); };
    EXPECT_EQ(withoutCustom(choicesOf(ClothPresetChoice{})), fabrics().names());
    EXPECT_EQ(withoutCustom(choicesOf(KnitPresetChoice{})), gauges().names());
    EXPECT_EQ(withoutCustom(choicesOf(SoftPresetChoice{})), softMaterials().names());
    EXPECT_STREQ(choicesOf(FluidPresetChoice{})[0], "custom");
    EXPECT_STREQ(choicesOf(FluidPresetChoice{})[6], "honey");
    EXPECT_THROW(presetRow(static_cast<FluidPresetChoice>(fluidPresets().size() + 1), fluidPresets()), Error);
}

TEST_F(Nodes, frameFiltersAreThoseThatTakeAndGiveFrames) {
    EXPECT_TRUE(isFrameFilter("purlCache"));
    EXPECT_TRUE(isFrameFilter("purlFoam"));
    EXPECT_TRUE(isFrameFilter("purlSurface"));
    for (const char* other : {"purlSolver", "purlPoints", "purlFluid", "mesh"}) EXPECT_FALSE(isFrameFilter(other));
}

// Attributes read at the start only are shown in the channel box but take no keys.
TEST_F(Nodes, initialOnlyAttributesCannotBeKeyed) {
    const NodePtr node = graph.create("purlFluid");
    EXPECT_FALSE(node->plug("particleSpacing").attr->keyable);
    EXPECT_FALSE(node->plug("startVelocityX").attr->keyable) << "the components of a vector too";
    EXPECT_TRUE(node->plug("viscosity").attr->keyable);
    EXPECT_TRUE(graph.create("purlEmitter")->plug("jitter").attr->keyable) << "an emitter's is read every step";
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

TEST_F(Nodes, fillsTheVolumeAndPublishesInSceneUnits) {
    smallTank();
    solver->plug("gravity").set(0);  // with gravity the fill settles before the first frame
    const auto frame = frameAt(1);
    EXPECT_EQ(frame->points.count(), 216u);
    EXPECT_DOUBLE_EQ(frame->time, 0);
    EXPECT_EQ(frame->metersPerUnit, 0.01) << "the number typed, not its float";
    Bounds bounds;
    for (const Vec3& p : frame->points.positions) bounds.include(p);
    EXPECT_NEAR(bounds.low.y, 1, 1e-4);  // cm: half a spacing above the floor
    EXPECT_NEAR(bounds.high.x, 5, 1e-4);
}

TEST_F(Nodes, scrubbingJumpingAndRewindingGiveThePlayedBits) {
    smallTank();
    std::vector<uint64_t> played;
    for (int f = 1; f <= 24; ++f) played.push_back(frameAt(f)->stateHash);
    for (const int f : {24, 13, 5, 12, 1, 24, 2})
        EXPECT_EQ(frameAt(f)->stateHash, played[size_t(f) - 1]) << "frame " << f;
    EXPECT_EQ(frameAt(-10)->stateHash, played[0]) << "before the start stands the start";
}

TEST_F(Nodes, twoSolversDoNotDisturbEachOther) {
    smallTank();
    const NodePtr other = graph.create("purlSolver", "other");
    graph.connect(fluid->plug("outBody"), other->plug("bodies[0]"));
    graph.connect(graph.time1()->plug("outTime"), other->plug("currentTime"));
    std::vector<uint64_t> alone;
    for (int f = 1; f <= 5; ++f) alone.push_back(frameAt(f)->stateHash);
    for (int f = 1; f <= 5; ++f) {
        EXPECT_EQ(frameAt(f)->stateHash, alone[size_t(f) - 1]);
        EXPECT_EQ(value<FrameData>(other->plug("outFrame"))->points.count(), 216u);
    }
}

TEST_F(Nodes, disabledSolverHoldsItsFrame) {
    smallTank();
    const uint64_t at4 = frameAt(4)->stateHash;
    solver->plug("enable").set(0);
    EXPECT_EQ(frameAt(9)->stateHash, at4);
    solver->plug("enable").set(1);
    EXPECT_NE(frameAt(9)->stateHash, at4);
}

TEST_F(Nodes, anEditTakesEffectFromItsFrameOn) {
    smallTank();
    for (int f = 1; f <= 4; ++f) frameAt(f);
    const uint64_t unchanged = frameAt(5)->stateHash;
    frameAt(1);
    for (int f = 2; f <= 4; ++f) frameAt(f);
    fluid->plug("viscosity").set(9);
    EXPECT_NE(frameAt(5)->stateHash, unchanged);
}

// K-80: four times the model at a quarter of the scale is the same scene. Powers of two are exact, so the bits must be.
TEST_F(Nodes, sceneUnitsDoNotChangeTheMotion) {
    smallTank();
    const auto small = frameAt(8);
    for (const char* edge : {"width", "height", "depth"}) graph.find("blockCube")->plug(edge).set(48);
    graph.find("block")->plug("translate").set(0, 24, 0);
    graph.find("wallsPlace")->plug("translate").set(0, 80, 0);
    walls->plug("halfSize").set(40, 80, 40);
    fluid->plug("particleSpacing").set(8);
    solver->plug("spaceScale").set(0.0025);
    frameAt(1);
    const auto large = frameAt(8);
    EXPECT_EQ(large->stateHash, small->stateHash);
    for (size_t i = 0; i < large->points.count(); ++i)
        EXPECT_NEAR(large->points.positions[i].y, 4 * small->points.positions[i].y, 1e-4);
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

TEST_F(Nodes, aBodyThatFailsIsNamedAndTheProcessSurvives) {
    smallTank();
    const NodePtr bad = graph.create("purlCollider", "emptyBowl");
    graph.connect(bad->plug("outBody"), solver->plug("bodies[2]"));
    graph.setFrame(1);
    EXPECT_EQ(solver->plug("outFrame").evaluate(), host::Result::Failed);
    ASSERT_FALSE(errors.empty());
    EXPECT_EQ(errors[0].rfind("emptyBowl: mesh has no faces", 0), 0u) << errors[0];
    graph.disconnect(bad->plug("outBody"), solver->plug("bodies[2]"));
    EXPECT_EQ(frameAt(1)->points.count(), 216u);
}

TEST_F(Nodes, aBlowUpStopsTheFrameAndNamesTheFluid) {
    smallTank();
    solver->plug("pressureSolver").set(0);  // wcsph: the others bear any stiffness
    fluid->plug("stiffness").set(100000);
    solver->plug("maxTimeStep").set(0.04);
    graph.setFrame(1);
    solver->plug("outFrame").evaluate();
    host::Result last = host::Result::Done;
    for (int f = 2; f <= 30 && last == host::Result::Done; ++f) {
        graph.setFrame(f);
        last = solver->plug("outFrame").evaluate();
    }
    EXPECT_EQ(last, host::Result::Failed);
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors.back().find("water: blew up"), std::string::npos) << errors.back();
}

TEST_F(Nodes, pointsNodePublishesTheFramesArrays) {
    smallTank();
    const NodePtr points = graph.create("purlPoints", "points");
    graph.connect(solver->plug("outFrame"), points->plug("inFrame"));
    const auto frame = frameAt(3);
    const MObject data = host::Api::make(points->plug("outPositions")).asMObject();
    const MVectorArray positions = MFnVectorArrayData(data).array();
    ASSERT_EQ(positions.length(), frame->points.count());
    for (unsigned i = 0; i < positions.length(); ++i)
        EXPECT_FLOAT_EQ(static_cast<float>(positions[i].y), frame->points.positions[i].y);
    EXPECT_EQ(points->plug("outCount").number(), 216);
    points->plug("body").set("oil");
    EXPECT_EQ(points->plug("outCount").evaluate(), host::Result::Failed);
    points->plug("body").set("water");
    EXPECT_EQ(points->plug("outCount").number(), 216);
}

TEST_F(Nodes, surfaceNodeGivesAMeshAndPassesTheFrameOn) {
    smallTank();
    const NodePtr surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    frameAt(1);
    const auto frame = value<FrameData>(surface->plug("outFrame"));
    ASSERT_EQ(frame->meshes.size(), 1u);
    EXPECT_EQ(frame->meshes[0].name, "water");
    EXPECT_EQ(frame->points.count(), 216u);
    MFnMesh mesh(host::Api::make(surface->plug("outMesh")).asMObject());
    EXPECT_EQ(static_cast<size_t>(mesh.numPolygons()), frame->meshes[0].triangles.size() / 3);
    EXPECT_GT(mesh.numPolygons(), 100);
    for (const char* plug : {"outVelocities", "outNormals", "outColors"}) {
        const MVectorArray values = MFnVectorArrayData(host::Api::make(surface->plug(plug)).asMObject()).array();
        EXPECT_EQ(values.length(), frame->meshes[0].positions.size()) << plug;
    }
    EXPECT_GT(frame->stats.surfaceMemory, 0);
}

TEST_F(Nodes, framesPassThroughNodesWithoutCopies) {
    smallTank();
    const NodePtr foam = graph.create("purlFoam", "foam"), surface = graph.create("purlSurface", "surface"),
                  cache = graph.create("purlCache", "cache");
    graph.connect(solver->plug("outFrame"), foam->plug("inFrame"));
    graph.connect(foam->plug("outFrame"), surface->plug("inFrame"));
    graph.connect(surface->plug("outFrame"), cache->plug("inFrame"));
    graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
    const auto made = frameAt(2);
    // In the scene's units, not in metres beside them.
    const Frame& simulated = static_cast<SolverNode*>(solver->user)->simulator()->frame();
    EXPECT_EQ(simulated.metersPerUnit, made->metersPerUnit);
    const auto expectShared = [&](const Frame& frame, const char* where) {
        for (const auto channel : {&Points::positions, &Points::velocities, &Points::normals})
            EXPECT_TRUE((frame.points.*channel).sharesWith(made->points.*channel)) << where;
        EXPECT_TRUE(frame.points.ids.sharesWith(made->points.ids)) << where;
    };
    expectShared(simulated, "simulator");
    expectShared(*value<FrameData>(foam->plug("outFrame")), "purlFoam");
    const auto shown = value<FrameData>(surface->plug("outFrame")), passed = value<FrameData>(cache->plug("outFrame"));
    expectShared(*shown, "purlSurface");
    expectShared(*passed, "purlCache");
    ASSERT_EQ(passed->meshes.size(), 1u);
    EXPECT_TRUE(passed->meshes[0].positions.sharesWith(shown->meshes[0].positions));
}

// From a cache with surfaces, say: purlSurface has nothing to do then, unless it is told to.
TEST_F(Nodes, aSurfaceThatCameAlongIsKept) {
    smallTank();
    const NodePtr surface = graph.create("purlSurface", "surface"), again = graph.create("purlSurface", "again");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    graph.connect(surface->plug("outFrame"), again->plug("inFrame"));
    again->plug("resolution").set(0.5 * again->plug("resolution").number());
    frameAt(2);
    const auto made = value<FrameData>(surface->plug("outFrame")), kept = value<FrameData>(again->plug("outFrame"));
    ASSERT_EQ(kept->meshes.size(), 1u);
    EXPECT_EQ(kept->meshes[0].positions, made->meshes[0].positions);
    const MFnMesh mesh(host::Api::make(again->plug("outMesh")).asMObject());
    EXPECT_EQ(size_t(mesh.numPolygons()), made->meshes[0].triangles.size() / 3);
    again->plug("useCached").set(0);
    const auto anew = value<FrameData>(again->plug("outFrame"));
    ASSERT_EQ(anew->meshes.size(), 2u);
    EXPECT_LT(anew->meshes[1].triangles.size(), made->meshes[0].triangles.size());
}

TEST_F(Nodes, foamNodePutsABodyInThatIsNeverMeshed) {
    smallTank();
    fluid->plug("startVelocity").set(0, -6, 0);
    const NodePtr foam = graph.create("purlFoam", "foam"), surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), foam->plug("inFrame"));
    graph.connect(foam->plug("outFrame"), surface->plug("inFrame"));
    foam->plug("minTurbulence").set(0.05);
    foam->plug("airRate").set(100000.0);
    for (int f = 1; f <= 4; ++f) {
        graph.setFrame(f);
        value<FrameData>(surface->plug("outFrame"));
    }
    const auto frame = value<FrameData>(surface->plug("outFrame"));
    const int body = findBody(*frame, "waterFoam");
    ASSERT_GE(body, 0);
    EXPECT_EQ(frame->bodies[static_cast<size_t>(body)].kind, BodyKind::foam);
    EXPECT_GT(pointsOf(*frame, body).count(), 0u);
    ASSERT_EQ(frame->meshes.size(), 1u);
    EXPECT_EQ(frame->meshes[0].name, "water");
    // Asked for again it is the same, and at the start there is none.
    foam->plug("color").set(1, 0, 0);
    EXPECT_EQ(pointsOf(*value<FrameData>(surface->plug("outFrame")), body).positions, pointsOf(*frame, body).positions);
    graph.setFrame(1);
    EXPECT_EQ(pointsOf(*value<FrameData>(surface->plug("outFrame")), body).count(), 0u);
}

TEST_F(Nodes, cacheNodeWritesFramesAndReadsThemBack) {
    smallTank();
    const std::string directory = testing::TempDir() + "purl_cacheNode";
    std::filesystem::remove_all(directory);
    const NodePtr cache = graph.create("purlCache", "cache");
    graph.connect(solver->plug("outFrame"), cache->plug("inFrame"));
    graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
    cache->plug("directory").set(directory);
    cache->plug("mode").setFromText("write");
    std::vector<std::shared_ptr<const Frame>> written;
    for (int f = 1; f <= 4; ++f) {
        graph.setFrame(f);
        written.push_back(value<FrameData>(cache->plug("outFrame")));
    }
    cache->plug("mode").setFromText("read");
    const auto computed = graph.computeCount;
    for (const int f : {4, 2, 1, 3}) {
        graph.setFrame(f);
        const auto read = value<FrameData>(cache->plug("outFrame"));
        EXPECT_EQ(read->points.positions, written[size_t(f) - 1]->points.positions);
        EXPECT_EQ(read->points.ids, written[size_t(f) - 1]->points.ids);
        EXPECT_EQ(read->stateHash, written[size_t(f) - 1]->stateHash);
    }
    EXPECT_LE(graph.computeCount - computed, 8) << "the solver is not asked while the cache answers";
    graph.setFrame(9);
    EXPECT_EQ(cache->plug("outFrame").evaluate(), host::Result::Failed)
        << "a missing frame is an error, never a stale one";
}

// As nParticles name it; one colour a particle whether fluids mix or not.
TEST_F(Nodes, pointsNodeGivesColorsAsRgbPP) {
    smallTank();
    fluid->plug("color").set(0.25, 0.5, 0.75);
    const NodePtr points = graph.create("purlPoints", "points");
    graph.connect(solver->plug("outFrame"), points->plug("inFrame"));
    const auto colors = [&] {
        const MVectorArray separate =
            MFnVectorArrayData(host::Api::make(points->plug("outColors")).asMObject()).array();
        MObject together = host::Api::make(points->plug("outParticles")).asMObject();
        const MVectorArray rgbPP = MFnArrayAttrsData(together).vectorArray("rgbPP");
        EXPECT_EQ(separate.length(), 216u);
        EXPECT_EQ(rgbPP.length(), 216u);
        for (unsigned i = 0; i < rgbPP.length(); ++i) EXPECT_EQ(rgbPP[i], separate[i]);
        return separate;
    };
    frameAt(1);
    EXPECT_EQ(colors()[100], MVector(0.25, 0.5, 0.75)) << "of its fluid";
    fluid->plug("dispersion").set(1e-4);
    const auto mixed = frameAt(2);
    ASSERT_EQ(mixed->points.colors.size(), 216u);
    const Vec3 own = mixed->points.colors[100];
    EXPECT_EQ(colors()[100], MVector(own.x, own.y, own.z)) << "of its own";
}

// A transform driven by purlRigid stands where the solver has the body, in any rotate order, live and from a cache.
TEST_F(Nodes, rigidNodeDrivesATransformAsTheBodyMoves) {
    smallTank();
    walls->plug("halfSize").set(20, 40, 20);
    const NodePtr start = graph.create("transform", "crateStart"), crate = graph.create("purlCollider", "crate");
    start->plug("translate").set(0, 30, 0);
    start->plug("rotate").setFromText("20 30 40");
    crate->plug("shape").setFromText("box");
    crate->plug("motion").setFromText("dynamic");
    crate->plug("halfSize").set(2, 3, 4);
    crate->plug("startSpin").set(1, 2, 3);
    graph.connect(start->plug("worldMatrix[0]"), crate->plug("inMatrix"));
    graph.connect(crate->plug("outBody"), solver->plug("bodies[2]"));
    const NodePtr stone = graph.create("purlCollider", "stone");
    stone->plug("motion").setFromText("dynamic");
    graph.connect(cube("stoneMesh", 4, 12, 20, 5)->plug("worldMesh[0]"), stone->plug("inMesh"));
    graph.connect(stone->plug("outBody"), solver->plug("bodies[3]"));

    const std::string directory = testing::TempDir() + "purl_rigidNode";
    std::filesystem::remove_all(directory);
    const NodePtr cache = graph.create("purlCache", "cache");
    graph.connect(solver->plug("outFrame"), cache->plug("inFrame"));
    graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
    cache->plug("directory").set(directory);
    cache->plug("mode").setFromText("write");

    const NodePtr rigid = graph.create("purlRigid", "rigid"), seen = graph.create("transform", "seen"),
                  held = graph.create("transform", "held");
    graph.connect(cache->plug("outFrame"), rigid->plug("inFrame"));
    graph.connect(rigid->plug("outTranslate"), seen->plug("translate"));
    graph.connect(rigid->plug("outRotate"), seen->plug("rotate"));
    graph.connect(seen->plug("rotateOrder"), rigid->plug("rotateOrder"));
    graph.connect(rigid->plug("outMatrix"), held->plug("offsetParentMatrix"));

    // The crate's corner, seen through the transforms and in the outline the frame holds.
    const auto check = [&](const char* collider, const MPoint& corner, double tolerance) {
        rigid->plug("collider").set(collider);
        const auto frame = value<FrameData>(cache->plug("outFrame"));
        const Mesh* outline = nullptr;
        for (const Mesh& mesh : frame->meshes)
            if (mesh.name == collider) outline = &mesh;
        ASSERT_TRUE(outline) << collider;
        const Vec3 there = outline->positions.front();
        for (const char* order : {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}) {
            seen->plug("rotateOrder").setFromText(order);
            for (const NodePtr& transform : {seen, held}) {
                const MPoint p = corner * transform->plug("worldMatrix[0]").matrix();
                EXPECT_NEAR(p.x, there.x, tolerance) << order;
                EXPECT_NEAR(p.y, there.y, tolerance) << order;
                EXPECT_NEAR(p.z, there.z, tolerance) << order;
            }
        }
    };
    // A few roundings of coordinates of tens of centimetres.
    constexpr double kTolerance = 2e-5;
    for (int f = 1; f <= 6; ++f) {
        graph.setFrame(f);
        check("crate", MPoint(-2, -3, -4), kTolerance);
        check("stone", MPoint(12 - 2, 20 - 2, 5 + 2), kTolerance);  // as it was connected
    }
    const double fallen = seen->plug("translateY").number();
    rigid->plug("collider").set("crate");
    EXPECT_LT(seen->plug("translateY").number(), 29.5) << "0.2 s of falling";
    cache->plug("mode").setFromText("read");
    rigid->plug("collider").set("stone");
    EXPECT_EQ(seen->plug("translateY").number(), fallen) << "the cache keeps it";
    rigid->plug("collider").set("");
    rigid->plug("index").set(1);
    EXPECT_EQ(seen->plug("translateY").number(), fallen) << "by its index";
    rigid->plug("index").set(2);
    EXPECT_EQ(rigid->plug("outMatrix").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("index 2"), std::string::npos) << errors.back();
    rigid->plug("collider").set("walls");
    EXPECT_EQ(rigid->plug("outMatrix").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("walls"), std::string::npos) << errors.back();
}

// K-74
TEST_F(Nodes, gasIsShownAsPointsAndNeverAsAMesh) {
    smallTank();
    fluid->plug("preset").setFromText("steam");
    const NodePtr surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    frameAt(1);
    const auto frame = value<FrameData>(surface->plug("outFrame"));
    EXPECT_TRUE(frame->meshes.empty());
    EXPECT_EQ(frame->points.radii.size(), 216u);
    surface->plug("body").set("water");
    EXPECT_EQ(surface->plug("outFrame").evaluate(), host::Result::Failed) << "asked for by name it is refused";
}

TEST(Reference, everyAttributeHasASentence) {
    for (const NodeReference& node : nodeReferences()) {
        EXPECT_FALSE(node.attributes.empty());
        for (const AttributeReference& row : node.attributes) {
            EXPECT_FALSE(row.sentence.empty()) << node.name << "." << row.name;
            EXPECT_EQ(row.sentence.back(), '.') << node.name << "." << row.name;
        }
    }
}

TEST(Commands, describeAnswersWithTheReference) {
    if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
    host::Session session;
    const std::string one = std::get<std::string>(session.command("purlDescribe", {"-nodeType", "purlField"}));
    EXPECT_NE(one.find("## purlField"), std::string::npos);
    EXPECT_EQ(one.find("## purlFluid"), std::string::npos);
    EXPECT_EQ(std::get<std::string>(session.command("purlDescribe", {"-json"})).front(), '[');
    EXPECT_THROW(session.command("purlDescribe", {"-nt", "purlTeapot"}), host::Error);
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

TEST_F(Nodes, meshSequencePlaysItsFiles) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "purlMeshSequence";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const auto write = [&](const char* name, double y, const char* face) {
        std::ofstream(folder / name) << "v 0 " << y << " 0\nv 1 " << y << " 0\nv 0 " << y << " 1\nv 1 " << y << " 1\n"
                                     << face << "\n";
    };
    write("tri.0002.obj", 2, "f 1 2 4 3");
    write("tri.0003.obj", 4, "f 1 2 4 3");
    write("tri.0007.obj", 8, "f 1 2 4 3");
    write("tri.0009.obj", 8, "f 1 2 4");
    write("other.0003.obj", 50, "f 1 2 4 3");
    write("tri.three.obj", 60, "f 1 2 4 3");
    const NodePtr files = graph.create("purlMeshSequence", "files"), shape = graph.createWithParent("mesh", "shape");
    graph.connect(graph.time1()->plug("outTime"), files->plug("currentTime"));
    graph.connect(files->plug("outMesh"), shape->plug("inMesh"));
    files->plug("file").setFromText((folder / "tri.####.obj").string());
    const auto heightAt = [&](double frame) {
        graph.setFrame(frame);
        const auto mesh = shape->plug("outMesh").data<host::MeshData>();
        EXPECT_TRUE(mesh) << (errors.empty() ? "" : errors.back());
        return mesh ? double(mesh->points[1]) : NAN;
    };
    EXPECT_EQ(heightAt(1), 2) << "stands still before its first file";
    EXPECT_EQ(heightAt(2), 2);
    EXPECT_EQ(heightAt(2.5), 3) << "moves straight in between";
    EXPECT_EQ(heightAt(5), 6) << "and where files are missing";
    EXPECT_EQ(heightAt(20), 8);
    files->plug("frameOffset").set(1);
    EXPECT_EQ(heightAt(1.5), 3);
    EXPECT_TRUE(errors.empty()) << errors[0];

    const auto errorAt = [&](double frame) {
        errors.clear();
        graph.setFrame(frame);
        files->plug("outMesh").evaluate();
        return errors.empty() ? "" : errors[0];
    };
    EXPECT_NE(errorAt(7).find("tri.0009.obj: has a different topology than"), std::string::npos) << errorAt(7);
    files->plug("file").setFromText((folder / "gone.####.obj").string());
    EXPECT_NE(errorAt(3).find("gone.####.obj: not found in the scene's folder"), std::string::npos);
    files->plug("file").setFromText("tri.####.obj");
    graph.scenePath = (folder / "scene.ma").string();
    EXPECT_EQ(errorAt(2), "") << "relative to the scene";
    EXPECT_EQ(heightAt(2), 4);
    files->plug("file").setFromText("tri.0007.obj");
    EXPECT_EQ(heightAt(2), 8) << "one file for all frames";
    files->plug("file").setFromText("");
    EXPECT_EQ(errorAt(3), "files: file is empty; enter the files of the mesh, such as dancer.####.obj");
    fs::remove_all(folder);
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

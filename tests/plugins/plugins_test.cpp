// The example plug-ins of this folder, loaded from shared libraries, and their results.
#include <gtest/gtest.h>
#include <maya/MBoundingBox.h>
#include <maya/MPxLocatorNode.h>

#include <cmath>
#include <fstream>

#include "host/api/access.h"
#include "host/commands/command.h"
#include "host/host.h"
#include "host/playback.h"

namespace purl::host {
namespace {

using Words = std::vector<std::string>;

class Examples : public testing::Test {
  protected:
    Examples() {
        session.newScene();
        session.graph().sink = [this](Severity severity, const std::string& text) {
            if (severity == Severity::Error) errors.push_back(text);
        };
    }
    void load(const std::string& name) {
        loadPluginFile(std::string(PURL_EXAMPLE_PLUGINS) + "/" + name + ".so");
        loadLinkedPlugin(name);
        name_ = name;
    }
    void TearDown() override {
        EXPECT_TRUE(errors.empty()) << errors.front();
        session.newScene();
        if (name_.empty()) return;
        EXPECT_NO_THROW(unloadLinkedPlugin(name_)) << "everything is deregistered";
    }
    Graph& graph() { return session.graph(); }
    // A NURBS square of 2 x 2 at z = 3, below a transform that is moved by 5 in x.
    NodePtr createSquare() {
        const auto square = std::make_shared<SurfaceData>();
        square->degreeU = square->degreeV = 1;
        square->knotsU = square->knotsV = {0, 1};
        square->cvs = {{-1, -1, 3}, {-1, 1, 3}, {1, -1, 3}, {1, 1, 3}};
        const NodePtr transform = graph().create("transform", "square");
        transform->plug("translate").set(5, 0, 0);
        const NodePtr shape = graph().create("nurbsSurface", "squareShape", transform);
        shape->plug("cached").set(square);
        return shape;
    }
    double number(const std::string& plug) { return graph().plug(plug).number(); }
    int count(const std::string& command, const Words& words = {}) {
        return std::get<int>(session.command(command, words));
    }
    Session session;
    std::vector<std::string> errors;

  private:
    std::string name_;
};

TEST_F(Examples, aDeformerMovesPointsWithinItsWeights) {
    load("wave");
    const NodePtr cube = graph().create("polyCube"), wave = graph().create("exampleWave"),
                  transform = graph().create("transform", "box"), shape = graph().create("mesh", "boxShape", transform);
    graph().connect(cube->plug("output"), wave->plug("input[0].inputGeometry"));
    graph().connect(wave->plug("outputGeometry[0]"), shape->plug("inMesh"));
    const auto y = [&](int vertex) {
        return double(shape->plug("outMesh").data<MeshData>()->points[size_t(3 * vertex + 1)]);
    };
    // Vertex 1 of a unit cube is at (0.5, -0.5, 0.5).
    EXPECT_NEAR(y(1), -0.5 + std::sin(0.5), 1e-6);
    wave->plug("envelope").set(0.5);
    EXPECT_NEAR(y(1), -0.5 + 0.5 * std::sin(0.5), 1e-6);
    wave->plug("weightList[0].weights[1]").set(0);
    EXPECT_NEAR(y(1), -0.5, 1e-6);
    EXPECT_NEAR(y(0), -0.5 - 0.5 * std::sin(0.5), 1e-6) << "other points keep theirs";
    EXPECT_NEAR(double(cube->plug("output").data<MeshData>()->points[1]), -0.5, 1e-6) << "the source is not touched";
}

TEST_F(Examples, aNodeWithMemoryIsSimulatedUnlessAnOptionForbidsIt) {
    load("trail");
    const NodePtr trail = graph().create("exampleTrail", "trail");
    graph().connect(graph().time1()->plug("outTime"), trail->plug("time"));
    const Plug total = trail->plug("total"), managed = trail->plug("managed");
    graph().setFrame(1);
    EXPECT_EQ(total.number(), 1);
    EXPECT_FALSE(managed.flag()) << "computed on demand";
    graph().setFrame(2);
    evaluateManaged(graph(), {total});
    EXPECT_TRUE(managed.flag());
    EXPECT_EQ(total.number(), 3);

    total.set(0);
    CachedPlayback cached(graph(), {total});
    ASSERT_TRUE(cached.fill(1, 4));
    ASSERT_TRUE(cached.show(4));
    EXPECT_EQ(total.number(), 1 + 2 + 3 + 4) << "each frame goes on from the one before";
    trail->plug("strict").set(1);
    try {
        CachedPlayback refused(graph(), {total});
        ADD_FAILURE() << "cached in spite of its option";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("strict is on; cached playback needs off"), std::string::npos)
            << error.what();
    }
}

TEST_F(Examples, aLocatorHasBounds) {
    load("marker");
    const NodePtr shape = graph().createWithParent("exampleMarker");
    shape->plug("size").set(4);
    EXPECT_TRUE(shape->type->isA("locator"));
    const auto& locator = *static_cast<MPxLocatorNode*>(shape->user);
    EXPECT_EQ(locator.boundingBox().width(), 4);
}

TEST_F(Examples, aCommandIsUndoneAndRedone) {
    load("lift");
    graph().create("transform", "a");
    graph().create("transform", "b");
    EXPECT_EQ(count("exampleLift", {"-amount", "2.5", "a", "b"}), 2);
    EXPECT_EQ(number("b.translateY"), 2.5);
    session.undo();
    EXPECT_EQ(number("b.translateY"), 0);
    session.redo();
    EXPECT_EQ(number("a.translateY"), 2.5);
    EXPECT_THROW(session.command("exampleLift", {"time1"}), Error);
    errors.clear();
}

TEST_F(Examples, theDagIsCounted) {
    load("countShapes");
    const int before = count("exampleCountShapes");  // the cameras of a new scene
    const NodePtr a = graph().create("transform", "a"), b = graph().create("transform", "b"),
                  shape = graph().create("locator", "l", a);
    graph().addInstance(shape, b);
    EXPECT_EQ(count("exampleCountShapes") - before, 2) << "an instance is a path of its own";
}

TEST_F(Examples, aNodeFollowsTime) {
    load("pulse");
    const NodePtr pulse = graph().create("examplePulse");
    graph().connect(graph().time1()->plug("outTime"), pulse->plug("time"));
    std::string beats;
    for (int f = 1; f <= 9; ++f) {
        graph().setFrame(f);
        beats += std::to_string(int(pulse->plug("beat").number()));
    }
    EXPECT_EQ(beats, "000100010");
}

TEST_F(Examples, addedAttributesAreAveraged) {
    load("mean");
    const NodePtr mean = graph().create("exampleMean");
    EXPECT_EQ(mean->plug("mean").number(), 0);
    for (const char* name : {"inA", "inB"}) mean->addDynamic(purl::host::number(name, name, 0, Kind::Double));
    mean->plug("inA").set(3);
    EXPECT_EQ(mean->plug("mean").number(), 1.5);
    mean->plug("inB").set(5);
    EXPECT_EQ(mean->plug("mean").number(), 4);
}

TEST_F(Examples, anArrayIsBuilt) {
    load("ladder");
    const NodePtr ladder = graph().create("exampleLadder"), ball = graph().create("transform", "ball");
    graph().connect(ladder->plug("heights[4]"), ball->plug("translateY"));
    ladder->plug("rungs").set(6);
    EXPECT_EQ(number("ball.translateY"), 2);
    ladder->plug("heights").evaluate();
    EXPECT_EQ(ladder->plug("heights").elements().size(), 6u);
}

TEST_F(Examples, dataOfAPluginFlowsBetweenNodes) {
    load("palette");
    const NodePtr maker = graph().create("examplePaletteMaker"), mix = graph().create("examplePaletteMix");
    EXPECT_EQ(mix->plug("mean").number(), 0) << "nothing is connected";
    graph().connect(maker->plug("palette"), mix->plug("palette"));
    EXPECT_EQ(mix->plug("mean").number(), 2);
    maker->plug("count").set(11);
    EXPECT_EQ(mix->plug("mean").number(), 5);
}

TEST_F(Examples, callbacksHearOfTheScene) {
    load("recorder");
    graph().create("transform", "ball");
    graph().create("polyCube");
    graph().setFrame(7);
    const auto heard = std::get<Words>(session.command("exampleRecorder"));
    ASSERT_GE(heard.size(), 2u);
    EXPECT_EQ(heard[heard.size() - 2], "added ball");
    EXPECT_EQ(heard.back(), "frame 7");
}

TEST_F(Examples, aMeshIsMadeAndMeasured) {
    load("grid");
    const NodePtr grid = graph().create("exampleGrid"), transform = graph().create("transform", "floor"),
                  shape = graph().create("mesh", "floorShape", transform);
    graph().connect(grid->plug("outMesh"), shape->plug("inMesh"));
    grid->plug("cells").set(3);
    EXPECT_EQ(count("exampleFaces", {"floor"}), 9);
}

TEST_F(Examples, aPlugIsReadAtAnotherTime) {
    load("orbit");
    const NodePtr orbit = graph().create("exampleOrbit", "orbit1"), ball = graph().create("transform", "ball");
    graph().connect(graph().time1()->plug("outTime"), orbit->plug("time"));
    graph().connect(orbit->plug("place"), ball->plug("translate"));
    graph().setFrame(0);
    EXPECT_NEAR(number("ball.translateX"), 1, 1e-6);
    session.command("select", {"orbit1"});
    EXPECT_NEAR(std::get<double>(session.command("exampleAt")), std::cos(2), 1e-6);
    EXPECT_NEAR(number("ball.translateX"), 1, 1e-6) << "the scene stays at its time";
    graph().setFrame(48);
    EXPECT_NEAR(number("ball.translateZ"), std::sin(2), 1e-6);
}

TEST_F(Examples, camerasLightsAndSurfacesAreSurveyed) {
    load("survey");
    const NodePtr camera = graph().create("transform", "shot"), lamp = graph().create("transform", "lamp"),
                  shape = graph().create("camera", "shotShape", camera),
                  light = graph().create("spotLight", "lampShape", lamp);
    camera->plug("translate").set(0, 4, 8);
    shape->plug("horizontalFilmAperture").set(36 / 25.4);
    shape->plug("focalLength").set(18);  // 90 degrees across
    light->plug("intensity").set(0.5);
    light->plug("coneAngle").set(std::acos(0.0));
    createSquare();
    const auto lines = std::get<Words>(session.command("exampleSurvey"));
    const auto lineOf = [&](const std::string& name) {
        for (const std::string& line : lines)
            if (line.rfind(name + " ", 0) == 0) return line.substr(name.size() + 1);
        return std::string("missing");
    };
    EXPECT_EQ(lineOf("shotShape"), "perspective, fov 90, at 0 4 8, looks along 0 0 -1");
    EXPECT_EQ(lineOf("sideShape").substr(0, 46), "orthographic, width 30, at 1000.1 0 0, looks a");
    EXPECT_EQ(lineOf("squareShape"), "surface of 1 x 1 spans, middle 5 0 3, normal 0 0 1");
    EXPECT_EQ(lineOf("lampShape"), "light 0.5 x 1 1 1, along 0 0 -1, cone 90");
}

TEST_F(Examples, aSurfaceIsOffset) {
    load("shell");
    const NodePtr square = createSquare(), shell = graph().create("exampleShell"),
                  shape = graph().createWithParent("nurbsSurface", "moved");
    graph().connect(square->plug("worldSpace[0]"), shell->plug("inputSurface"));
    graph().connect(shell->plug("outputSurface"), shape->plug("create"));
    shell->plug("distance").set(0.5);
    const auto moved = shape->plug("local").data<SurfaceData>();
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->cv(0, 1), MPoint(4, 1, 3.5));  // x: -1 + 5
    EXPECT_EQ(square->plug("local").data<SurfaceData>()->cv(0, 1), MPoint(-1, 1, 3)) << "the source is not touched";
}

TEST_F(Examples, aMemoryIsRestoredByCachedPlayback) {
    load("smooth");
    const NodePtr smooth = graph().create("exampleSmooth");
    graph().connect(graph().time1()->plug("outTime"), smooth->plug("time"));
    graph().connect(graph().time1()->plug("outTime"), smooth->plug("in"));
    const Plug out = smooth->plug("out");
    std::vector<double> played;
    for (int f = 1; f <= 6; ++f) {
        graph().setFrame(f);
        played.push_back(out.number());
    }
    CachedPlayback cached(graph(), {out});
    EXPECT_TRUE(cached.fillInBackground(1, 6).get());
    for (const int f : {6, 2, 4}) {
        ASSERT_TRUE(cached.show(f));
        EXPECT_EQ(out.number(), played[size_t(f) - 1]) << f;
    }
}

TEST_F(Examples, whatIsNotAPluginIsRefused) {
    const std::string path = testing::TempDir() + "notes.so";
    std::ofstream(path) << "no library";
    EXPECT_THROW(loadPluginFile(path), Error);
    EXPECT_THROW(loadPluginFile(path + ".missing"), Error);
}

}  // namespace
}  // namespace purl::host

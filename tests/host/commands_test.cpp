// The commands of maya.cmds on the host's graph: results, errors and undo.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "host/commands/command.h"
#include "tests/host/commandsTest.h"
#include "tests/host/testPlugin.h"

namespace purl::host {
namespace {

TEST_F(CommandsTest, primitivesReturnTransformAndConstructionNode) {
    EXPECT_EQ(list("polyCube", {"-w", "4", "-height", "2", "-name", "box"}), (Strings{"box", "polyCube1"}));
    EXPECT_EQ(number("polyCube1.width"), 4);
    EXPECT_EQ(list("listRelatives", {"box", "-shapes"}), (Strings{"boxShape"}));
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"box", "-v"})), 8);
    EXPECT_EQ(list("polySphere", {}), (Strings{"pSphere1", "polySphere1"}));
    EXPECT_EQ(list("polySphere", {"-ch", "off"}), (Strings{"pSphere2"}));
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"pSphere2", "-face"})), 400);
    EXPECT_EQ(std::get<double>(run("polyCube", {"box", "-q", "-w"})), 4);
    run("polyCube", {"-e", "-w", "6", "polyCube1"});
    EXPECT_EQ(std::get<Doubles>(run("exactWorldBoundingBox", {"box"})), (Doubles{-3, -1, -0.5, 3, 1, 0.5}));
    EXPECT_EQ(list("sets", {"-q", "initialShadingGroup"}), (Strings{"boxShape", "pSphereShape1", "pSphereShape2"}));
    for (const char* name : {"polyPlane", "polyCylinder", "polyTorus", "polyCone"})
        EXPECT_EQ(list(name, {}).size(), 2u) << name;
}

TEST_F(CommandsTest, flagsWorkOrAreRefused) {
    run("polyCube", {});
    EXPECT_EQ(list("listAttr", {"pCube1", "-string", "translate?"}),
              (Strings{"translateX", "translateY", "translateZ"}));
    EXPECT_EQ(list("listAttr", {"pCube1", "-st", "ty", "-st", "visibility"}), (Strings{"visibility", "translateY"}));
    run("addAttr", {"pCube1", "-ln", "mood", "-at", "double", "-min", "0", "-max", "1"});
    EXPECT_NE(error("setAttr", {"pCube1.mood", "7"}), "");
    run("setAttr", {"-clamp", "pCube1.mood", "7"});
    EXPECT_EQ(number("pCube1.mood"), 1);
    EXPECT_EQ(error("nodeType", {"-apiType", "pCube1"}), "nodeType: -apiType is not supported; leave it out");
    EXPECT_EQ(error("setKeyframe", {"-shape", "pCube1.tx"}), "setKeyframe: -shape is not supported; leave it out");
    EXPECT_EQ(list("ls", {"-objectsOnly", "pCube1.tx"}), (Strings{"pCube1"}));
}

// Found by fuzzing: in query mode, a flag has fewer values than when it is set.
TEST_F(CommandsTest, queriesWithoutArgumentsSayWhatTheyExpect) {
    Call call;
    call.name = "curve";
    call.flags = {{"query", Argument("1")}, {"point", Argument("1")}, {"knot", Argument("2")}};
    EXPECT_THROW(session.run(call), Error);
    EXPECT_EQ(error("aliasAttr", {"-q"}), "aliasAttr: expected one attribute");
    run("createNode", {"time", "-n", "clock"});
    EXPECT_NE(error("pointPosition", {"clock"}).find("clock is not in the DAG"), std::string::npos);
}

TEST_F(CommandsTest, attributeValuesHaveMayasTypes) {
    run("polyCube", {});
    EXPECT_EQ(std::get<Rows>(run("getAttr", {"pCube1.translate"})), (Rows{{0, 0, 0}}));
    run("setAttr", {"pCube1.t", "1", "2.5", "3", "-type", "double3"});
    EXPECT_EQ(number("pCube1.ty"), 2.5);
    EXPECT_TRUE(std::get<bool>(run("getAttr", {"pCube1.v"})));
    EXPECT_EQ(std::get<int>(run("getAttr", {"pCube1.rotateOrder"})), 0);
    EXPECT_EQ(text("getAttr", {"pCube1.rotateOrder", "-asString"}), "xyz");
    EXPECT_EQ(text("getAttr", {"pCube1.translate", "-type"}), "double3");
    EXPECT_EQ(text("getAttr", {"pCube1.tx", "-type"}), "doubleLinear");
    EXPECT_EQ(std::get<Doubles>(run("getAttr", {"pCube1.worldMatrix[0]"}))[13], 2.5);
    run("addAttr", {"pCube1", "-ln", "mood", "-at", "double", "-min", "0", "-max", "1", "-dv", "0.5", "-k", "on"});
    EXPECT_EQ(number("pCube1.mood"), 0.5);
    EXPECT_EQ(std::get<Doubles>(run("attributeQuery", {"mood", "-node", "pCube1", "-range"})), (Doubles{0, 1}));
    EXPECT_TRUE(std::get<bool>(run("attributeQuery", {"mood", "-n", "pCube1", "-exists"})));
    EXPECT_FALSE(std::get<bool>(run("attributeQuery", {"moood", "-n", "pCube1", "-exists"})));
    EXPECT_EQ(text("attributeQuery", {"translateX", "-n", "pCube1", "-niceName"}), "Translate X");
    run("addAttr", {"pCube1", "-ln", "label", "-dt", "string"});
    EXPECT_TRUE(std::holds_alternative<std::monostate>(run("getAttr", {"pCube1.label"})));
    run("setAttr", {"pCube1.label", "a b", "-type", "string"});
    EXPECT_EQ(text("getAttr", {"pCube1.label"}), "a b");
    EXPECT_EQ(list("listAttr", {"pCube1", "-ud"}), (Strings{"mood", "label"}));
    run("addAttr", {"pCube1", "-ln", "weights", "-dt", "doubleArray"});
    Call call{
        "setAttr", {Argument("pCube1.weights"), Argument(Strings{"0.5", "2"})}, {{"type", Argument("doubleArray")}}};
    session.run(call);
    EXPECT_EQ(std::get<Doubles>(run("getAttr", {"pCube1.weights"})), (Doubles{0.5, 2}));
}

TEST_F(CommandsTest, compoundsAreAddedPartByPart) {
    run("createNode", {"transform", "-n", "a"});
    run("addAttr", {"a", "-ln", "wind", "-at", "double3"});
    run("addAttr", {"a", "-ln", "windX", "-at", "double", "-p", "wind"});
    run("addAttr", {"a", "-ln", "windY", "-at", "double", "-p", "wind"});
    run("addAttr", {"a", "-ln", "windZ", "-at", "double", "-p", "wind"});
    run("setAttr", {"a.wind", "1", "2", "3"});
    EXPECT_EQ(number("a.windY"), 2);
}

TEST_F(CommandsTest, connectionsAreListedAsInMaya) {
    run("polyPlane", {"-n", "sheet"});
    run("createNode", {"mesh", "-n", "copyShape"});
    EXPECT_EQ(text("connectAttr", {"sheetShape.outMesh", "copyShape.inMesh"}),
              "Connected sheetShape.outMesh to copyShape.inMesh.");
    EXPECT_EQ(list("listConnections", {"copyShape.inMesh"}), (Strings{"sheet"}));
    EXPECT_EQ(list("listConnections", {"copyShape.inMesh", "-shapes", "1"}), (Strings{"sheetShape"}));
    EXPECT_EQ(list("listConnections", {"sheetShape", "-d", "0", "-p", "1", "-c", "1"}),
              (Strings{"sheetShape.inMesh", "polyPlane1.output"}));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(run("listConnections", {"persp"})));
    EXPECT_TRUE(std::get<bool>(run("isConnected", {"sheetShape.outMesh", "copyShape.inMesh"})));
    EXPECT_EQ(text("connectionInfo", {"copyShape.inMesh", "-sfd"}), "sheetShape.outMesh");
    EXPECT_EQ(error("connectAttr", {"polyPlane1.output", "copyShape.inMesh"}),
              "connectAttr: copyShape.inMesh is already connected to sheetShape.outMesh; disconnect it or use -force");
    run("connectAttr", {"polyPlane1.output", "copyShape.inMesh", "-force"});
    run("disconnectAttr", {"polyPlane1.output", "copyShape.inMesh"});
    EXPECT_TRUE(std::holds_alternative<std::monostate>(run("listConnections", {"copyShape.inMesh"})));
}

TEST_F(CommandsTest, everythingIsUndoneAndRedone) {
    const std::string before = scene();
    const std::vector<std::pair<std::string, Strings>> steps = {
        {"polyCube", {"-n", "box", "-w", "3"}},
        {"move", {"1", "2", "3", "box"}},
        {"group", {"box", "-n", "all"}},
        {"rotate", {"0", "45", "0", "all"}},
        {"polySphere", {"-n", "ball"}},
        {"parent", {"ball", "all"}},
        {"setAttr", {"ball.sx", "2", "-lock", "on"}},
        {"addAttr", {"ball", "-ln", "heat", "-at", "double", "-dv", "3"}},
        {"connectAttr", {"box.ty", "ball.heat"}},
        {"setKeyframe", {"box.tx", "-t", "1", "-v", "0"}},
        {"setKeyframe", {"box.tx", "-t", "24", "-v", "10"}},
        {"instance", {"ball", "-n", "twin"}},
        {"rename", {"box", "crate"}},
        {"disconnectAttr", {"crate.ty", "ball.heat"}},
        {"deleteAttr", {"ball.heat"}},
        {"parent", {"crate", "-world"}},
        {"currentUnit", {"-t", "pal"}},
        {"delete", {"all"}},
        {"delete", {"crate"}},
    };
    Strings states = {before};
    for (const auto& [name, words] : steps) {
        run(name, words);
        states.push_back(scene());
        EXPECT_NE(states[states.size() - 2], states.back()) << name;
    }
    EXPECT_FALSE(std::get<bool>(run("objExists", {"polyCube1"}))) << "history is deleted with its shape";
    for (size_t k = steps.size(); k-- > 0;) {
        run("undo");
        EXPECT_EQ(scene(), states[k]) << "undo of " << steps[k].first;
    }
    EXPECT_EQ(error("undo", {}), "undo: nothing to undo");
    for (size_t k = 0; k < steps.size(); ++k) {
        run("redo");
        EXPECT_EQ(scene(), states[k + 1]) << "redo of " << steps[k].first;
    }
}

TEST_F(CommandsTest, undoRestoresTheValueThatAConnectionReplaced) {
    run("createNode", {"transform", "-n", "a"});
    run("createNode", {"transform", "-n", "b"});
    run("setAttr", {"b.tx", "7"});
    run("setAttr", {"a.tx", "1"});
    run("connectAttr", {"a.tx", "b.tx"});
    EXPECT_EQ(number("b.tx"), 1);
    run("undo");
    EXPECT_EQ(number("b.tx"), 7);
}

TEST_F(CommandsTest, chunksAreUndoneAsOneStep) {
    run("undoInfo", {"-openChunk"});
    run("polyCube", {});
    run("polySphere", {});
    run("undoInfo", {"-closeChunk"});
    run("undo");
    EXPECT_FALSE(std::get<bool>(run("objExists", {"pCube1"})));
    run("redo");
    EXPECT_TRUE(std::get<bool>(run("objExists", {"pSphere1"})));
}

TEST_F(CommandsTest, aFailedCommandLeavesTheSceneUnchanged) {
    const std::string before = scene();
    EXPECT_EQ(error("polyCube", {"-w", "-1"}), "polyCube: polyCube1.width: value -1 is below the minimum 0");
    EXPECT_EQ(scene(), before);
    EXPECT_EQ(error("polyCube", {"-wdith", "2"}), "polyCube: unknown flag -wdith; did you mean -width?");
    EXPECT_EQ(error("polyCube", {"-width"}), "polyCube: flag -width needs 1 value");
    EXPECT_EQ(error("polyCube", {"-sx", "1.5"}), "polyCube: -subdivisionsX: '1.5' is not an integer");
    EXPECT_EQ(error("createNode", {"transfrom"}), "createNode: unknown node type transfrom; did you mean transform?");
    EXPECT_EQ(error("setAttr", {"persp.tx", "much"}), "setAttr: persp.translate.translateX: 'much' is not a number");
    EXPECT_EQ(error("setAttr", {"perps.tx", "1"}), "setAttr: no node named perps; did you mean persp?");
    EXPECT_EQ(error("delete", {"persp"}), "delete: persp is a default node and cannot be deleted");
    EXPECT_EQ(error("getAttr", {"persp.tz", "-q", "-e"}), "getAttr: -query and -edit cannot be combined");
    EXPECT_EQ(error("polyCub", {}), "unknown command polyCub; did you mean polyCube?");
    EXPECT_EQ(error("undo", {}), "undo: nothing to undo");
}

TEST_F(CommandsTest, selectionIsTheDefaultAndFollowsNames) {
    run("polyCube", {"-n", "a"});
    run("polyCube", {"-n", "b"});
    EXPECT_EQ(list("ls", {"-sl"}), (Strings{"b"}));
    run("select", {"a", "-add"});
    EXPECT_EQ(list("ls", {"-sl"}), (Strings{"b", "a"}));
    run("move", {"0", "5", "0"});
    EXPECT_EQ(number("a.ty"), 5);
    EXPECT_EQ(number("b.ty"), 5);
    run("rename", {"a", "c"});
    EXPECT_EQ(list("ls", {"-sl"}), (Strings{"b", "c"}));
    run("delete", {"b"});
    EXPECT_EQ(list("ls", {"-sl"}), (Strings{"c"}));
    run("undo");
    EXPECT_EQ(list("ls", {"-sl"}), (Strings{"b", "c"}));
    run("select", {"-clear"});
    EXPECT_EQ(list("ls", {"-sl"}), Strings());
    EXPECT_EQ(error("delete", {}), "delete: nothing is specified or selected");
}

TEST_F(CommandsTest, listsByTypeAndByName) {
    run("polyCube", {"-n", "crate"});
    run("group", {"crate", "-n", "yard"});
    EXPECT_EQ(list("ls", {"-type", "mesh"}), (Strings{"crateShape"}));
    EXPECT_EQ(list("ls", {"cr*"}), (Strings{"crate", "crateShape"}));
    run("createNode", {"nurbsSurface", "-name", "sheet"});
    EXPECT_EQ(list("ls", {"-geometry"}), (Strings{"crateShape", "sheetShape"}));
    EXPECT_EQ(list("ls", {"crate", "-long"}), (Strings{"|yard|crate"}));
    EXPECT_EQ(list("ls", {"-type", "camera"}), (Strings{"perspShape", "topShape", "frontShape", "sideShape"}));
    EXPECT_EQ(list("ls", {"yard", "-dag"}), (Strings{"yard", "crate", "crateShape"}));
    EXPECT_EQ(list("ls", {"nothing"}), Strings());
    EXPECT_EQ(list("listRelatives", {"crate", "-parent"}), (Strings{"yard"}));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(run("listRelatives", {"yard", "-parent"})));
    EXPECT_EQ(list("listRelatives", {"yard", "-ad"}), (Strings{"crateShape", "crate"}));
    EXPECT_EQ(text("nodeType", {"crateShape"}), "mesh");
    EXPECT_TRUE(std::get<bool>(run("objExists", {"crate.tx"})));
    EXPECT_TRUE(std::get<bool>(run("objExists", {"crate.vtx[7]"})));
    EXPECT_FALSE(std::get<bool>(run("objExists", {"crate.vtx[8]"})));
    EXPECT_EQ(list("listHistory", {"crate"}), (Strings{"crateShape", "polyCube1"}));
}

// Grouping and parenting preserve world-space positions.
TEST_F(CommandsTest, parentingPreservesWorldPositions) {
    run("polyCube", {"-n", "box"});
    run("move", {"1", "2", "3", "box"});
    run("group", {"-em", "-n", "turned"});
    run("xform", {"turned", "-t", "10", "0", "0", "-ro", "0", "90", "0", "-s", "2", "2", "2"});
    run("parent", {"box", "turned"});
    const auto at = std::get<Doubles>(run("xform", {"box", "-q", "-ws", "-t"}));
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(at[k], double(k + 1), 1e-12);
    EXPECT_NEAR(number("box.sx"), 0.5, 1e-12);
    run("xform", {"box", "-ws", "-t", "0", "0", "0"});
    EXPECT_NEAR(std::get<Doubles>(run("xform", {"box.vtx[1]", "-q", "-ws", "-t"}))[0], 0.5, 1e-6);
    run("parent", {"box", "-w", "-r"});
    EXPECT_NEAR(number("box.sx"), 0.5, 1e-12);
}

TEST_F(CommandsTest, keysMoveThings) {
    run("polyCube", {"-n", "box"});
    EXPECT_EQ(std::get<int>(
                  run("setKeyframe", {"box", "-at", "tx", "-t", "1", "-v", "0", "-itt", "linear", "-ott", "linear"})),
              1);
    run("setKeyframe", {"box", "-at", "tx", "-t", "11", "-v", "10", "-itt", "linear", "-ott", "linear"});
    EXPECT_NEAR(std::get<double>(run("getAttr", {"box.tx", "-time", "6"})), 5, 1e-9);
    EXPECT_EQ(std::get<double>(run("currentTime", {"-q"})), 1) << "getAttr -time does not change the current time";
    EXPECT_EQ(std::get<double>(run("currentTime", {"11"})), 11);
    EXPECT_NEAR(number("box.tx"), 10, 1e-9);
    EXPECT_EQ(std::get<Doubles>(run("keyframe", {"box.tx", "-q"})), (Doubles{1, 11}));
    run("playbackOptions", {"-min", "5", "-max", "250"});
    EXPECT_EQ(std::get<double>(run("playbackOptions", {"-q", "-max"})), 250);
    EXPECT_EQ(std::get<double>(run("playbackOptions", {"-q", "-aet"})), 250);
    EXPECT_EQ(std::get<std::string>(run("playbackOptions", {"-q", "-loop"})), "continuous");
    run("playbackOptions", {"-loop", "once", "-by", "2"});
    EXPECT_EQ(std::get<std::string>(run("playbackOptions", {"-q", "-loop"})), "once");
    EXPECT_EQ(std::get<double>(run("playbackOptions", {"-q", "-by"})), 2);
    session.undo();
    EXPECT_EQ(std::get<std::string>(run("playbackOptions", {"-q", "-loop"})), "continuous");
    EXPECT_THROW(run("playbackOptions", {"-loop", "forever"}), Error);
}

TEST_F(CommandsTest, filesAreOpenedAndSavedAndClearUndo) {
    const std::string path = testing::TempDir() + "commands_test.ma";
    run("polyCube", {"-n", "box"});
    run("setAttr", {"box.ty", "3"});
    EXPECT_EQ(error("file", {"-s"}), "file: the scene has no file name; set one with file -rename");
    EXPECT_EQ(text("file", {"-rename", path}), path);
    EXPECT_TRUE(std::get<bool>(run("file", {"-q", "-mf"})));
    EXPECT_EQ(error("file", {"-new"}), "file: the scene has unsaved changes; save it or use -force");
    run("file", {"-s", "-type", "mayaAscii"});
    EXPECT_FALSE(std::get<bool>(run("file", {"-q", "-modified"})));
    run("file", {"-new"});
    EXPECT_FALSE(std::get<bool>(run("objExists", {"box"})));
    EXPECT_EQ(text("file", {"-q", "-sn"}), "");
    run("file", {path, "-open"});
    EXPECT_EQ(number("box.ty"), 3);
    EXPECT_EQ(text("file", {"-q", "-sceneName"}), path);
    run("file", {path, "-i", "-ns", "other"});
    EXPECT_EQ(number("other:box.ty"), 3);
    EXPECT_EQ(error("file", {"nowhere.ma", "-o", "-f"}), "file: nowhere.ma: no such file");
    EXPECT_EQ(number("box.ty"), 3) << "the scene stays open if the file cannot be read";
    std::filesystem::remove(path);
}

TEST_F(CommandsTest, optionVariablesAreKept) {
    run("optionVar", {"-iv", "purlDetail", "3", "-sv", "purlName", "wool", "-fv", "purlSize", "0.5"});
    session.newScene();
    EXPECT_EQ(std::get<int>(run("optionVar", {"-q", "purlDetail"})), 3);
    EXPECT_EQ(text("optionVar", {"-q", "purlName"}), "wool");
    EXPECT_TRUE(std::get<bool>(run("optionVar", {"-exists", "purlSize"})));
    run("optionVar", {"-remove", "purlSize"});
    EXPECT_EQ(std::get<int>(run("optionVar", {"-q", "purlSize"})), 0);
}

TEST_F(CommandsTest, pluginCommandsTakePythonsFlags) {
    loadTestPlugin();
    const CommandResult made =
        session.run({"makeSums", {}, {{"count", Argument("2")}, {"name", Argument(Strings{"left", "right"})}}});
    EXPECT_EQ(std::get<Strings>(made), (Strings{"left", "right"}));
    EXPECT_EQ(std::get<int>(session.run({"makeSums", {Argument("left")}, {{"query", Argument("1")}}})), 1);
    EXPECT_EQ(list("pluginInfo", {"-q", "hostTests", "-command"}), (Strings{"makeSums"}));
    EXPECT_EQ(error("loadPlugin", {"wool"}).substr(0, 45), "loadPlugin: plugin wool is not part of this p");
}

}  // namespace
}  // namespace purl::host

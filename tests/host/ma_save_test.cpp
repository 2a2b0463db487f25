// Saving scenes: everything that was loaded is written, and loads again as the same scene.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "host/ma/load.h"
#include "host/ma/save.h"

using namespace purl::host;
namespace fs = std::filesystem;

namespace {

std::string savedAgain(const std::string& text) {
    Graph graph;
    loadSceneText(graph, text, "scene.ma");
    return sceneText(graph, "scene.ma");
}

struct Saved {
    Graph before, after;
    std::string text;

    explicit Saved(const std::string& body, const std::string& units = "") {
        loadSceneText(before, "//Maya ASCII 2024 scene\nrequires maya \"2024\";\n" + units + body, "scene.ma");
        text = sceneText(before, "scene.ma");
        loadSceneText(after, text, "scene.ma");
    }
    // Saving is idempotent: loading and saving again gives the same text.
    void expectStill() { EXPECT_EQ(savedAgain(text), text); }
    bool has(const std::string& line) const { return text.find(line) != std::string::npos; }
};

}  // namespace

TEST(SaveScene, numbersRoundTripExactly) {
    Saved scene(
        "createNode transform -n \"ball\";\n"
        "setAttr \".t\" -type \"double3\" 0.1 2.0000000000000004 -1e-30;\n"
        "setAttr \".r\" -type \"double3\" 30 -33.333333333333336 1e-5;\nsetAttr \".v\" no;\nsetAttr \".ro\" 3;\n",
        "currentUnit -l inch -a degree -t ntsc;\n");
    for (const char* plug : {"ball.tx", "ball.ty", "ball.tz", "ball.rx", "ball.ry", "ball.rz", "ball.v", "ball.ro"})
        EXPECT_EQ(scene.after.plug(plug).number(), scene.before.plug(plug).number()) << plug;
    EXPECT_TRUE(scene.has("setAttr \".r\" -type \"double3\" 30 -33.333333333333336 1e-05;")) << scene.text;
    EXPECT_TRUE(scene.has("currentUnit -l in -a deg -t ntsc;"));
    scene.expectStill();
}

TEST(SaveScene, onlyNonDefaultValuesAreWritten) {
    Saved scene("createNode transform -n \"plain\";\n");
    EXPECT_TRUE(scene.has("createNode transform -n \"plain\";\n"));
    const std::size_t at = scene.text.find("\"plain\";\n") + 9;
    EXPECT_NE(scene.text.substr(at, 8), "\tsetAttr");
    EXPECT_FALSE(scene.has("createNode time")) << "default nodes are not written";
    EXPECT_TRUE(scene.has("createNode transform -s -n \"persp\""));
}

TEST(SaveScene, parentsInstancesNamesAndConnections) {
    Saved scene(
        "createNode transform -n \"a\";\ncreateNode transform -n \"b\";\n"
        "createNode transform -n \"ball\" -p \"a\";\ncreateNode mesh -n \"shape\" -p \"|a|ball\";\n"
        "createNode transform -n \"ball\" -p \"b\";\n\tsetAttr \".ty\" 4;\n"
        "createNode polySphere -n \"maker\";\n\tsetAttr \".r\" 2;\n"
        "createNode animCurveTL -n \"rise\";\n\tsetAttr -s 2 \".ktv[0:1]\"  1 0 24 10;\n"
        "connectAttr \"maker.out\" \"shape.i\";\nconnectAttr \"rise.o\" \"|a|ball.tx\";\n"
        "parent -s -nc -r -add \"|a|ball|shape\" \"|b|ball\";\n");
    EXPECT_EQ(scene.after.dagPaths(*scene.after.get("shape")).size(), 2u);
    EXPECT_EQ(scene.after.plug("|b|ball.ty").number(), 4);
    scene.after.setFrame(24);
    EXPECT_NEAR(scene.after.plug("|a|ball.tx").number(), 10, 1e-9);
    EXPECT_EQ(scene.after.plug("shape.i").source().name(), "maker.output");
    EXPECT_FALSE(scene.has(".vt[")) << "computed points are not stored";
    scene.expectStill();
}

TEST(SaveScene, meshColoursRoundTrip) {
    Saved scene(
        "createNode mesh -n \"triShape\";\n"
        "setAttr -s 2 \".clst[0].clsp[0:1]\" 1 0 0 1 0 0.5 1 0.25;\nsetAttr \".clst[0].clsn\" -type \"string\" "
        "\"wet\";\n"
        "setAttr -s 4 \".vt[0:3]\" 0 0 0 1 0 0 0 1 0 1 1 0;\n"
        "setAttr -s 5 \".ed[0:4]\" 0 1 0 1 2 0 2 0 0 1 3 0 3 2 0;\n"
        "setAttr -s 2 -ch 6 \".fc[0:1]\" -type \"polyFaces\" f 3 0 1 2 f 3 3 4 -2 mc 0 3 1 -1 0;\n");
    const auto mesh = scene.after.plug("triShape.outMesh").data<MeshData>();
    ASSERT_EQ(mesh->colorSets.size(), 1u);
    EXPECT_EQ(mesh->colorSets[0].name, "wet");
    EXPECT_EQ(mesh->colorSets[0].ids, (std::vector<int>{-1, -1, -1, 1, -1, 0})) << "faces without colours stay without";
    EXPECT_EQ(mesh->colorSets[0].colors[1], MColor(0, 0.5, 1, 0.25));
    EXPECT_TRUE(scene.has("mc 0 3 1 -1 0"));
    scene.expectStill();
}

TEST(SaveScene, storedMeshWithTextureCoordinates) {
    Saved scene(
        "createNode transform -n \"sheet\";\ncreateNode mesh -n \"sheetShape\" -p \"sheet\";\n"
        "setAttr \".uvst[0].uvsn\" -type \"string\" \"map1\";\n"
        "setAttr -s 4 \".uvst[0].uvsp[0:3]\" -type \"float2\" 0 0 1 0 1 1 0 0.30000001;\n"
        "setAttr -s 4 \".vt[0:3]\"  0 0 0 1 0 0 1 0 1 0 0 1.1;\n"
        "setAttr -s 5 \".ed[0:4]\"  0 1 0 1 2 1 2 3 1 3 0 1 0 2 0;\n"
        "setAttr -s 2 -ch 6 \".fc[0:1]\" -type \"polyFaces\" f 3 0 1 -5 mu 0 3 0 1 2 f 3 4 2 3 mu 0 3 0 2 3;\n",
        "currentUnit -l meter -a degree -t film;\n");
    const auto before = scene.before.plug("sheetShape.outMesh").data<MeshData>();
    const auto after = scene.after.plug("sheetShape.outMesh").data<MeshData>();
    ASSERT_TRUE(before && after);
    EXPECT_EQ(after->points, before->points);
    EXPECT_EQ(after->faceVertices, before->faceVertices);
    EXPECT_EQ(after->faceCounts, before->faceCounts);
    ASSERT_EQ(after->uvSets.size(), 1u);
    EXPECT_EQ(after->uvSets[0].v, before->uvSets[0].v);
    EXPECT_EQ(after->uvSets[0].ids, before->uvSets[0].ids);
    ASSERT_EQ(after->edges().size(), 5u);
    EXPECT_FALSE(after->edges()[4].smooth);
    EXPECT_TRUE(after->edges()[1].smooth);
    scene.expectStill();
}

TEST(SaveScene, dynamicAttributesLocksAliasesAndText) {
    Saved scene(
        "createNode transform -n \"n\";\n"
        "addAttr -ci true -sn \"ht\" -ln \"heat\" -dv 0.5 -min 0 -max 2 -smx 1 -at \"double\";\n"
        "addAttr -ci true -sn \"md\" -ln \"mode\" -en \"off:on=4:auto\" -at \"enum\";\n"
        "addAttr -ci true -sn \"wh\" -ln \"where\" -at \"double3\" -nc 3;\n"
        "addAttr -ci true -sn \"whX\" -ln \"whereX\" -at \"doubleLinear\" -p \"where\";\n"
        "addAttr -ci true -sn \"whY\" -ln \"whereY\" -at \"doubleLinear\" -p \"where\";\n"
        "addAttr -ci true -sn \"whZ\" -ln \"whereZ\" -at \"doubleLinear\" -p \"where\";\n"
        "addAttr -ci true -sn \"nts\" -ln \"notes\" -dt \"string\";\n"
        "addAttr -ci true -sn \"lst\" -ln \"list\" -m -at \"double\";\n"
        "setAttr -k on \".ht\" 1.25;\nsetAttr \".md\" 4;\nsetAttr \".wh\" -type \"double3\" 1 2 3;\n"
        "setAttr \".nts\" -type \"string\" \"a \\\"b\\\"\\n\\tc\\\\d\";\nsetAttr \".lst[2:4]\" 7 0 9;\n"
        "setAttr -l on -k off \".tx\";\nsetAttr \".aal\" -type \"attributeAlias\" {\"warmth\",\"heat\"};\n");
    Node& node = *scene.after.get("n");
    EXPECT_EQ(node.plug("heat").number(), 1.25);
    EXPECT_EQ(node.find("heat")->max, 2);
    EXPECT_EQ(node.find("heat")->initial[0], 0.5);
    EXPECT_EQ(node.plug("mode").asText(), "on");
    EXPECT_EQ(node.plug("where").vec3()[2], 3);
    EXPECT_EQ(node.plug("notes").text(), "a \"b\"\n\tc\\d");
    EXPECT_EQ(node.plug("list").elements(), (std::vector<int>{2, 3, 4}));
    EXPECT_EQ(node.plug("warmth").number(), 1.25);
    EXPECT_TRUE(node.plug("tx").locked());
    EXPECT_FALSE(node.plug("ty").locked());
    EXPECT_TRUE(scene.has("setAttr -k off \".tx\";")) << "display flags are preserved";
    scene.expectStill();
}

// Statements of unknown node types are written back verbatim.
TEST(SaveScene, unknownNodesAreKeptVerbatim) {
    Saved scene(
        "requires -nodeType \"fancy\" \"fancyPlugin\" \"3.1\";\n"
        "createNode fancy -n \"thing\";\n\trename -uid \"1111-22\";\n"
        "setAttr \".power\" 3;\nsetAttr -s 2 \".names[0:1]\" -type \"stringArray\" 2 \"a b\" \"3\";\n"
        "setAttr \".m\" 7;\n"
        "createNode transform -n \"t\";\ncreateNode mesh -n \"tShape\" -p \"t\";\n"
        "setAttr -s 3 \".vt[0:2]\"  0 0 0 1 0 0 0 0 1;\nsetAttr -s 3 \".ed[0:2]\"  0 1 0 1 2 0 2 0 0;\n"
        "setAttr -s 1 -ch 3 \".fc[0]\" -type \"polyFaces\" f 3 0 1 2;\n"
        "createNode fancy -n \"other\";\n"
        "connectAttr \"thing.result\" \"tShape.i\";\nconnectAttr \"thing.a[0]\" \"other.b.c\";\n");
    EXPECT_TRUE(scene.has("requires -nodeType \"fancy\" \"fancyPlugin\" \"3.1\";"));
    EXPECT_TRUE(scene.has("setAttr \".power\" 3;"));
    EXPECT_TRUE(scene.has("setAttr \".m\" 7;"));
    EXPECT_TRUE(scene.has("setAttr -s 2 \".names[0:1]\" -type \"stringArray\" 2 \"a b\" \"3\";")) << scene.text;
    EXPECT_TRUE(scene.has("rename -uid \"1111-22\";"));
    EXPECT_TRUE(scene.has("connectAttr \"thing.result\" \"tShape.i\";"));
    EXPECT_TRUE(scene.has("connectAttr \"thing.a[0]\" \"other.b.c\";"));
    EXPECT_FALSE(scene.has("-ln \"result\"")) << "attributes of a plugin type are not written as dynamic attributes";
    const auto mesh = scene.after.plug("tShape.outMesh").data<MeshData>();
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->vertexCount(), 3) << "points stored on a shape driven by an unknown node";
    scene.expectStill();
}

// The shader and partition lists of Maya's default nodes, and settings that the host does not use, are preserved.
TEST(SaveScene, entriesOfDefaultListsAreKept) {
    Saved scene(
        "createNode lambert -n \"red\";\ncreateNode lambert -n \"blue\";\n"
        "createNode shadingEngine -n \"redSG\";\ncreateNode shadingEngine -n \"blueSG\";\n"
        "select -ne :hardwareRenderingGlobals;\n\tsetAttr \".fprt\" yes;\n\tsetAttr \".ssaa\" 1;\n"
        "connectAttr \"redSG.pa\" \":renderPartition.st\" -na;\nconnectAttr \"blueSG.pa\" \":renderPartition.st\" "
        "-na;\n"
        "connectAttr \"red.msg\" \":defaultShaderList1.s\" -na;\nconnectAttr \"blue.msg\" \":defaultShaderList1.s\" "
        "-na;\n");
    EXPECT_TRUE(scene.has("connectAttr \"redSG.pa\" \":renderPartition.st\" -na;")) << scene.text;
    EXPECT_TRUE(scene.has("connectAttr \"blueSG.pa\" \":renderPartition.st\" -na;"));
    EXPECT_TRUE(scene.has("connectAttr \"blue.msg\" \":defaultShaderList1.s\" -na;"));
    EXPECT_TRUE(scene.has("select -ne :hardwareRenderingGlobals;\n\tsetAttr \".fprt\" yes;\n\tsetAttr \".ssaa\" 1;\n"));
    EXPECT_EQ(scene.after.plug("defaultShaderList1.s[1]").source().node->name, "blue");
    scene.expectStill();
}

// A scene with a reference is saved with the reference and its edits.
TEST(SaveScene, referencesStayReferences) {
    const fs::path folder = fs::temp_directory_path() / ("purl_saved_reference_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "prop.ma")
        << "//Maya ASCII 2024 scene\ncurrentUnit -l meter;\n"
           "createNode transform -n \"prop\";\n\tsetAttr \".tx\" 2;\n\tsetAttr \".ty\" 1;\n"
           "createNode transform -n \"part\" -p \"prop\";\n"
           "connectAttr \"prop.tx\" \"part.ty\";\nconnectAttr \"prop.tx\" \"part.tz\";\n";
    const std::string path = (folder / "shot.ma").string();
    std::ofstream(path) << "//Maya ASCII 2024 scene\n"
                           "file -rdi 1 -ns \"p\" -rfn \"pRN\" -typ \"mayaAscii\" \"prop.ma\";\n"
                           "file -r -ns \"p\" -dr 1 -rfn \"pRN\" -typ \"mayaAscii\" \"prop.ma\";\n"
                           "file -r -ns \"q\" -dr 1 -rfn \"qRN\" -typ \"mayaAscii\" \"lost.ma\";\n"
                           "createNode reference -n \"pRN\";\n\tsetAttr \".ed\" -type \"dataReferenceEdits\" "
                           "\n\t\t\"pRN\"\n\t\t\"pRN\" 1\n"
                           "\t\t2 \"|p:prop\" \"rotateY\" \" 30\";\n"
                           "createNode transform -n \"mine\" -p \"p:prop\";\n";
    Graph graph;
    loadScene(graph, path);
    graph.plug("p:prop.ty").set(0);
    graph.plug("p:part.sx").set(3);
    graph.disconnect(graph.plug("p:prop.tx"), graph.plug("p:part.tz"));
    graph.connect(graph.plug("mine.tx"), graph.plug("p:part.tx"));
    const std::string text = sceneText(graph, "shot.ma", folder.string());
    EXPECT_EQ(text.find("createNode transform -n \"p:prop\""), std::string::npos) << text;
    EXPECT_NE(sceneText(graph, "shot.ma", "/elsewhere").find((folder / "prop.ma").string()), std::string::npos)
        << "the reference is found from the new folder";
    for (const char* line :
         {"file -rdi 1 -ns \"p\" -rfn \"pRN\" -typ \"mayaAscii\" \"prop.ma\";\n",
          "file -r -ns \"p\" -dr 1 -rfn \"pRN\" -typ \"mayaAscii\" \"prop.ma\";\n",
          "file -r -ns \"q\" -dr 1 -rfn \"qRN\" -typ \"mayaAscii\" \"lost.ma\";\n",
          "createNode transform -n \"mine\" -p \"p:prop\";\n", "connectAttr \"mine.t.tx\" \"p:part.t.tx\";\n",
          "disconnectAttr \"p:prop.t.tx\" \"p:part.t.tz\";\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    EXPECT_EQ(text.find("\"p:part.t.ty\""), std::string::npos) << "unchanged values of the reference are not written\n"
                                                               << text;
    saveScene(graph, path);
    Graph again;
    loadScene(again, path);
    for (const char* plug : {"p:prop.tx", "p:prop.ty", "p:prop.ry", "p:part.sx", "p:part.ty", "p:part.tz"})
        EXPECT_DOUBLE_EQ(again.plug(plug).number(), graph.plug(plug).number()) << plug;
    EXPECT_EQ(again.plug("p:part.tx").source().node->name, "mine");
    EXPECT_FALSE(again.plug("p:part.tz").isConnected());
    EXPECT_EQ(sceneText(again, "shot.ma", folder.string()), text) << "saving is idempotent";
    fs::remove_all(folder);
}

TEST(SaveScene, timeRangeCurvesAndArrays) {
    Saved scene(
        "createNode transform -n \"c\";\ncreateNode nurbsCurve -n \"cShape\" -p \"c\";\n"
        "setAttr \".cc\" -type \"nurbsCurve\" 3 1 0 no 3 6 0 0 0 1 1 1 4 0 0 0 1 0 0 2 0 1 3 0 0;\n"
        "createNode script -n \"sceneConfigurationScriptNode\";\n"
        "setAttr \".b\" -type \"string\" \"playbackOptions -min 3 -max 77 -ast 1 -aet 100 \";\n"
        "select -ne :time1;\n\tsetAttr \".o\" 12;\n",
        "currentUnit -l cm -a deg -t pal;\n");
    EXPECT_EQ(scene.after.frame(), 12);
    EXPECT_EQ(scene.after.maxTicks, 77 * scene.after.units.ticksPerFrame);
    EXPECT_EQ(scene.after.startTicks, scene.after.units.ticksPerFrame);
    const auto curve = scene.after.plug("cShape.local").data<CurveData>();
    ASSERT_TRUE(curve);
    EXPECT_EQ(curve->cvs.size(), 4u);
    EXPECT_EQ(curve->cvs[2].z, 1);
    scene.expectStill();
}

TEST(SaveScene, nurbsSurfacesStayAsTheyAre) {
    const std::string surface =
        "\tsetAttr \".cc\" -type \"nurbsSurface\"\n\t\t1 2 0 0 yes\n\t\t2 0 1\n\t\t4 0 0 0.1 0.1\n\t\t6\n"
        "\t\t0 0 0 1\n\t\t0 1 -3.061515884555943e-17 0.5\n\t\t0 2 0 1\n"
        "\t\t3 0 0 1\n\t\t3 1 0 0.5\n\t\t3 2 0 1;\n";
    // Trim curves follow the control points.
    const std::string trimmed =
        "\tsetAttr \".cc\" -type \"nurbsSurface\" 1 1 0 0 no 2 0 1 2 0 1 4 0 0 0 0 1 0 3 0 0 3 1 0 1 1 2 3;\n";
    Saved scene(
        "createNode transform -n \"s\";\ncreateNode nurbsSurface -n \"sShape\" -p \"s\";\n"
        "\tsetAttr \".vir\" yes;\n\tsetAttr \".dvu\" 3;\n" +
        surface + "createNode nurbsSurface -n \"trimmed\" -p \"s\";\n" + trimmed);
    EXPECT_TRUE(scene.has(surface)) << scene.text;
    EXPECT_TRUE(scene.has("setAttr \".vir\" yes;"));
    EXPECT_TRUE(scene.has("setAttr \".dvu\" 3;"));
    EXPECT_TRUE(scene.has("-type \"nurbsSurface\" 1 1 0 0 no 2 0 1 2 0 1 4 0 0 0 0 1 0 3 0 0 3 1 0 1 1 2 3;"))
        << scene.text;
    const auto loaded = scene.after.plug("sShape.local").data<SurfaceData>();
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->countU(), 2);
    EXPECT_EQ(loaded->cv(0, 1).y, 1);  // the index in V varies fastest
    EXPECT_EQ(loaded->cv(1, 1).w, 0.5);
    EXPECT_EQ(scene.after.plug("trimmed.local").evaluate(), Result::Failed) << "not without its holes";
    scene.expectStill();
}

// Every scene shipped with Purl survives saving and loading.
TEST(SaveScene, shippedScenes) {
    int scenes = 0;
    for (const auto& entry : fs::directory_iterator(PURL_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() != ".ma") continue;
        ++scenes;
        Graph graph;
        loadScene(graph, entry.path().string());
        const std::string once = sceneText(graph, "scene.ma");
        EXPECT_EQ(savedAgain(once), once) << entry.path();
    }
    EXPECT_GT(scenes, 20);
}

// So do scenes written by several versions of Maya; skipped if the folder does not exist.
TEST(SaveScene, realScenes) {
    const fs::path folder = fs::path(PURL_SOURCE_DIR) / "../shared/fixtures/ma";
    if (!fs::is_directory(folder)) GTEST_SKIP() << "the folder of real scenes does not exist";
    for (const auto& entry : fs::directory_iterator(folder)) {
        Graph graph, again;
        const LoadReport report = loadScene(graph, entry.path().string());
        const std::string once = sceneText(graph, "scene.ma");
        const LoadReport after = loadSceneText(again, once, "scene.ma");
        EXPECT_EQ(sceneText(again, "scene.ma"), once) << entry.path();
        EXPECT_EQ(again.nodes().size(), graph.nodes().size()) << entry.path();
        EXPECT_EQ(after.unknownTypes, report.unknownTypes) << entry.path();
        for (const NodePtr& node : graph.nodesOfType("mesh")) {
            const auto mesh = node->plug("outMesh").data<MeshData>();
            const NodePtr same = again.find(graph.dagName(node));
            ASSERT_TRUE(same) << node->name;
            const auto read = same->plug("outMesh").data<MeshData>();
            ASSERT_EQ(bool(read), bool(mesh)) << node->name;
            if (mesh) { EXPECT_EQ(read->points, mesh->points) << entry.path() << " " << node->name; }
        }
    }
}

TEST(SaveScene, missingFolderIsReported) {
    Graph graph;
    try {
        saveScene(graph, "/no/such/folder/scene.ma");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("/no/such/folder/scene.ma: cannot be written"), std::string::npos)
            << error.what();
    }
}

TEST(SaveScene, doesNotFollowASymlinkAtItsTemporaryFile) {
    const fs::path folder = fs::temp_directory_path() / ("purl_save_" + std::to_string(getpid()));
    fs::create_directory(folder);
    std::ofstream(folder / "mine") << "mine";
    fs::create_symlink(folder / "mine", folder / "scene.ma.part");
    Graph graph;
    graph.create("transform", "first");
    saveScene(graph, (folder / "scene.ma").string());
    std::string kept;
    std::ifstream(folder / "mine") >> kept;
    EXPECT_EQ(kept, "mine");
    EXPECT_FALSE(fs::is_symlink(folder / "scene.ma"));
    Graph read;
    loadScene(read, (folder / "scene.ma").string());
    EXPECT_TRUE(read.find("first"));
    fs::remove_all(folder);
}

TEST(SaveScene, filesAreReplacedAtomically) {
    const std::string path = (fs::temp_directory_path() / "purl_save_test.ma").string();
    Graph graph;
    graph.create("transform", "first");
    saveScene(graph, path);
    graph.create("transform", "second");
    saveScene(graph, path);
    Graph read;
    loadScene(read, path);
    EXPECT_TRUE(read.find("first") && read.find("second"));
    EXPECT_FALSE(fs::exists(path + ".part"));
    fs::remove(path);
}

// --- what the host does not evaluate is somebody's work all the same

TEST(SaveScene, lightLinksAndMetadataAreKept) {
    Saved scene(R"(createNode lightLinker -s -n "lightLinker1";
createNode transform -n "ball";
createNode mesh -n "ballShape" -p "ball";
select -ne :initialShadingGroup;
relationship "link" ":lightLinker1" ":initialShadingGroup.message" ":defaultLightSet.message";
relationship "shadowLink" ":lightLinker1" "ballShape.message" ":defaultLightSet.message";
dataStructure -fmt "raw" -as "name=idStructure:int32=ID";
applyMetadata -fmt "raw" -v "channel\nname face\n" -scn "ballShape.outMesh";
)");
    EXPECT_TRUE(scene.has("relationship \"link\" \":lightLinker1\" \":initialShadingGroup.message\" "
                          "\":defaultLightSet.message\";\n") ||
                scene.has("relationship \"link\" \"lightLinker1\" \":initialShadingGroup.message\" "
                          "\":defaultLightSet.message\";\n"))
        << scene.text;
    EXPECT_TRUE(scene.has("dataStructure -fmt \"raw\" -as \"name=idStructure:int32=ID\";\n")) << scene.text;
    EXPECT_TRUE(scene.has("applyMetadata -fmt \"raw\" -v \"channel\\nname face\\n\" -scn \"ballShape.outMesh\";\n"))
        << scene.text;
    scene.expectStill();
    scene.before.rename(scene.before.get("ballShape"), "sphereShape");
    EXPECT_NE(sceneText(scene.before, "scene.ma").find("\"sphereShape.message\""), std::string::npos);
}

TEST(SaveScene, connectionsToUnknownListsKeepNextAvailable) {
    Saved scene(R"(createNode transform -n "a";
createNode transform -n "b";
createNode materialInfo -n "info1";
createNode magicNode -n "magic1";
createNode magicNode -n "magic2";
connectAttr "a.msg" "info1.t" -na;
connectAttr "b.msg" "info1.t" -na;
connectAttr "magic1.out" "magic2.list" -na;
connectAttr "magic1.other" "magic2.list" -na;
connectAttr "magic1.out" "magic2.one";
)");
    EXPECT_TRUE(scene.has("connectAttr \"a.msg\" \"info1.t\" -na;")) << scene.text;
    EXPECT_TRUE(scene.has("connectAttr \"b.msg\" \"info1.t\" -na;")) << scene.text;
    EXPECT_TRUE(scene.has("connectAttr \"magic1.out\" \"magic2.list\" -na;")) << scene.text;
    EXPECT_TRUE(scene.has("connectAttr \"magic1.other\" \"magic2.list\" -na;")) << scene.text;
    EXPECT_TRUE(scene.has("connectAttr \"magic1.out\" \"magic2.one\";")) << scene.text;
    scene.expectStill();
}

TEST(SaveScene, tagsCreasesPinnedUvsAndHistoryColoursAreKept) {
    Saved scene(R"(createNode transform -n "t";
createNode mesh -n "s" -p "t";
	setAttr ".gtag[0].gtagnm" -type "string" "top";
	setAttr ".gtag[0].gtagcmp" -type "componentList" 2 "f[0:5]" "f[9]";
	setAttr ".cd" -type "dataPolyComponent" Index_Data Edge 2
		3 1.5
		7 2 ;
	setAttr ".cvd" -type "dataPolyComponent" Index_Data Vertex 1 4 0.5 ;
	setAttr ".pd[0]" -type "dataPolyComponent" Index_Data UV 1 0 1 ;
createNode polyColorPerVertex -n "paint";
	setAttr -s 2 ".vclr";
	setAttr ".vclr[0].vxal" 1;
	setAttr -s 2 ".vclr[0].vfcl";
	setAttr ".vclr[0].vfcl[0].frgb" -type "float3" 1 0.5 0.25 ;
	setAttr ".vclr[0].vfcl[3].frgb" -type "float3" 0 0.5 0.75 ;
)");
    for (const char* line :
         {".gtag[0].gtagnm\" -type \"string\" \"top\"",
          ".gtag[0].gtagcmp\" -type \"componentList\" 2 \"f[0:5]\" \"f[9]\"",
          ".cd\" -type \"dataPolyComponent\" Index_Data Edge 2 3 1.5 7 2",
          ".cvd\" -type \"dataPolyComponent\" Index_Data Vertex 1 4 0.5",
          ".pd[0]\" -type \"dataPolyComponent\" Index_Data UV 1 0 1",
          ".vclr[0].vfcl[0].frgb\" -type \"float3\" 1 0.5 0.25", ".vclr[0].vfcl[3].frgb\" -type \"float3\" 0 0.5 0.75"})
        EXPECT_TRUE(scene.has(line)) << line << "\n" << scene.text;
    scene.expectStill();
}

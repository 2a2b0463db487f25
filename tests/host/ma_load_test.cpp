// Loading scenes: nodes, units, sharing, references, and files that are not scenes.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/host/maScene.h"

using namespace purl::host;
using namespace purl::host::test;

TEST(MaLoad, meterScenesAreStoredInCentimeters) {
    Scene scene("currentUnit -l meter -a radian -t pal;\n" + std::string(kStoredCube) + R"(
createNode transform -n "a";
	setAttr ".t" -type "double3" 1 2 3 ;
	setAttr ".r" -type "double3" 0 1.5 0 ;
createNode animCurveTL -n "curve";
	setAttr ".tan" 2;
	setAttr -s 2 ".ktv[0:1]"  0 0 25 2;
connectAttr "curve.o" "box.ty";
select -ne :time1;
	setAttr ".o" 12.5;
)");
    EXPECT_EQ(scene.report.linearUnit, "m");
    EXPECT_DOUBLE_EQ(scene.report.framesPerSecond, 25);
    EXPECT_DOUBLE_EQ(scene.number("a.ty"), 200);
    EXPECT_DOUBLE_EQ(scene.number("a.ry"), 1.5);
    EXPECT_DOUBLE_EQ(scene.graph.frame(), 12.5);
    EXPECT_NEAR(scene.number("box.ty"), 100, 1e-9);
    const auto p = scene.points("boxShape.worldMesh[0]");
    ASSERT_EQ(p.size(), 24u);
    EXPECT_FLOAT_EQ(p[0], -50);
    EXPECT_FLOAT_EQ(p[1], -50 + 100);
}

TEST(MaLoad, zUpScenesAreRecognised) {
    Scene z("createNode transform -s -n \"top\";\n\tsetAttr \".t\" -type \"double3\" 0 0 100.1 ;\n"), y("");
    EXPECT_EQ(z.report.upAxis, "z");
    EXPECT_EQ(y.report.upAxis, "y");
}

TEST(MaLoad, sharedNodesAreReused) {
    Scene scene(R"(createNode transform -s -n "persp";
	rename -uid "ABC";
	setAttr ".t" -type "double3" 1 2 3 ;
createNode camera -s -n "perspShape" -p "persp";
	setAttr ".fl" 50;
createNode lightLinker -s -n "lightLinker1";
createNode lightLinker -s -n "lightLinker1";
)");
    EXPECT_EQ(scene.graph.findAll("persp").size(), 1u);
    EXPECT_EQ(scene.graph.findAll("lightLinker1").size(), 1u);
    EXPECT_EQ(scene.number("persp.tz"), 3);
    EXPECT_EQ(scene.number("perspShape.focalLength"), 50);
    EXPECT_EQ(scene.graph.get("persp")->uuid, "ABC");
    EXPECT_EQ(scene.number("top.translateY"), 1000.1);
    EXPECT_TRUE(scene.graph.find("initialShadingGroup"));
}

TEST(MaLoad, nodesRenamedOnLoadAreResolved) {
    Graph graph;
    graph.create("polyCube", "polyCube1");
    loadSceneText(graph,
                  "//Maya ASCII 2024 scene\ncreateNode polyCube -n \"polyCube1\";\n\tsetAttr \".w\" 4;\n"
                  "createNode transform -n \"t\";\ncreateNode mesh -n \"s\" -p \"t\";\n"
                  "connectAttr \"polyCube1.out\" \"s.i\";\n",
                  "scene.ma");
    EXPECT_FLOAT_EQ(graph.plug("s.outMesh").data<MeshData>()->points[0], -2);
}

TEST(MaLoad, unknownNodesAreKeptWithAttributesAndConnections) {
    Scene scene(std::string(R"(requires -nodeType "magicNode" "magic" "1.0";
relationship "link" ":lightLinker1" ":initialShadingGroup.message";
createNode magicNode -n "magic1";
	setAttr ".power" 3;
	setAttr ".list[2].deep" -type "double3" 1 2 3 ;
createNode transform -n "t";
createNode polyBevel -n "polyBevel1";
createNode polyCube -n "polyCube1";
createNode transform -n "pCube1";
createNode mesh -n "pCubeShape1" -p "pCube1";
createNode groupParts -n "groupParts1";
)") + kStoredCube +
                R"(
connectAttr "t.tx" "magic1.amount";
connectAttr "magic1.out" "t.ty";
connectAttr "polyCube1.out" "polyBevel1.ip";
connectAttr "polyBevel1.out" "groupParts1.ig";
connectAttr "groupParts1.og" "pCubeShape1.i";
connectAttr "polyBevel1.out2" "boxShape.i";
)");
    EXPECT_EQ(scene.report.unknownTypes.at("magicNode"), 1);
    EXPECT_EQ(scene.report.skipped.at("relationship"), 1);
    EXPECT_NE(scene.report.summary().find("unknown nodes kept (magicNode 1, polyBevel 1)"), std::string::npos)
        << scene.report.summary();
    EXPECT_EQ(scene.report.missingPlugins, std::vector<std::string>{"magic"});
    ASSERT_EQ(scene.report.warnings.size(), 1u);
    EXPECT_NE(scene.report.warnings[0].find("unknown node type magicNode (plug-in magic is not loaded)"),
              std::string::npos);
    const NodePtr magic = scene.graph.get("magic1");
    ASSERT_EQ(magic->kept.size(), 2u);
    EXPECT_EQ(magic->kept[0].path, "power");
    EXPECT_EQ(magic->kept[0].values, std::vector<std::string>{"3"});
    EXPECT_EQ(magic->kept[1].path, "list[2].deep");
    EXPECT_EQ(magic->kept[1].flags, (std::vector<std::string>{"-type", "\"double3\""}));
    EXPECT_EQ(magic->kept[1].values, (std::vector<std::string>{"1", "2", "3"}));
    EXPECT_EQ(scene.graph.plug("t.ty").source().node, magic);
    EXPECT_EQ(scene.graph.plug("t.tx").destinations().at(0).node, magic);

    // a shape driven by an unknown node reports it; one with stored points uses them
    EXPECT_TRUE(scene.points("pCubeShape1.worldMesh[0]").empty());
    ASSERT_FALSE(scene.errors.empty());
    EXPECT_EQ(scene.errors[0], "pCubeShape1: geometry not available: driven by polyBevel1 (polyBevel)");
    EXPECT_EQ(scene.errors.size(), 1u);
    EXPECT_EQ(scene.points("boxShape.worldMesh[0]").size(), 24u);
}

TEST(MaLoad, scriptsAreKeptButNeverRun) {
    const fs::path witness = fs::temp_directory_path() / "purl_script_ran";
    fs::remove(witness);
    Scene scene("createNode script -n \"evil\";\n\tsetAttr \".b\" -type \"string\" \"system(\\\"touch " +
                witness.string() +
                "\\\");\";\n\tsetAttr \".st\" 1;\n"
                "system(\"touch " +
                witness.string() +
                "\");\n"
                "createNode script -n \"sceneConfigurationScriptNode\";\n\tsetAttr \".b\" -type \"string\" "
                "\"playbackOptions -min 3 -max 48 -ast 1 -aet 99 \";\n\tsetAttr \".st\" 6;\n");
    EXPECT_FALSE(fs::exists(witness));
    EXPECT_NE(scene.graph.plug("evil.before").text().find("touch"), std::string::npos);
    EXPECT_EQ(scene.report.skipped.at("system"), 1);
    EXPECT_TRUE(scene.report.hasFrameRange);
    EXPECT_EQ(scene.report.firstFrame, 3);
    EXPECT_EQ(scene.report.lastFrame, 48);
    EXPECT_EQ(scene.report.animationEnd, 99);
    EXPECT_EQ(scene.graph.maxTicks, 48 * scene.graph.units.ticksPerFrame);
}

TEST(MaLoad, unitConversionNodesConvertOnce) {
    Scene scene(R"(currentUnit -l centimeter -a degree -t film;
createNode transform -n "a";
	setAttr ".tx" 30;
createNode transform -n "b";
createNode unitConversion -n "uc";
	setAttr ".cf" 0.017453292519943295;
createNode multiplyDivide -n "md";
	setAttr ".i2" -type "float3" 2 1 1 ;
createNode unitConversion -n "uc2";
	setAttr ".cf" 57.295779513082323;
connectAttr "a.tx" "md.i1x";
connectAttr "md.ox" "uc.i";
connectAttr "uc.o" "b.rx";
connectAttr "b.rx" "uc2.i";
connectAttr "uc2.o" "b.sx";
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    EXPECT_NEAR(scene.number("b.rx"), 60 * kDegree, 1e-6);
    EXPECT_NEAR(scene.number("b.sx"), 60, 1e-4);
}

TEST(MaLoad, referencesLoadIntoTheirNamespace) {
    const fs::path folder = fs::temp_directory_path() / ("purl_reference_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "prop.ma") << "//Maya ASCII 2024 scene\ncurrentUnit -l meter -t pal;\n"
                                         "createNode transform -s -n \"persp\";\n\tsetAttr \".tx\" 9;\n"
                                         "createNode transform -n \"prop\";\n\tsetAttr \".tx\" 2;\n"
                                         "createNode transform -n \"part\" -p \"prop\";\n"
                                         "connectAttr \"prop.tx\" \"|prop|part.ty\";\n";
    std::ofstream(folder / "main.ma") << "//Maya ASCII 2024 scene\n"
                                         "file -rdi 1 -ns \"p\" -rfn \"pRN\" -typ \"mayaAscii\" \"/gone/prop.ma\";\n"
                                         "file -r -ns \"p\" -dr 1 -rfn \"pRN\" -typ \"mayaAscii\" \"/gone/prop.ma\";\n"
                                         "file -r -ns \"q\" -dr 1 -rfn \"qRN\" -typ \"mayaAscii\" \"nowhere.ma\";\n"
                                         "file -r -ns \"m\" -dr 1 -rfn \"mRN\" -typ \"mayaAscii\" \"main.ma\";\n"
                                         "createNode transform -n \"mine\" -p \"p:prop\";\n";
    Scene scene(Scene::File{folder / "main.ma"});
    EXPECT_EQ(scene.number("p:prop.tx"), 200);
    EXPECT_EQ(scene.number("p:part.ty"), 200);
    EXPECT_EQ(scene.number("persp.tx"), 28);  // the outer scene's camera stays
    EXPECT_EQ(scene.report.linearUnit, "cm");
    EXPECT_EQ(scene.graph.get("mine")->parents.at(0)->name, "p:prop");
    bool missing = false, cycle = false;
    for (const std::string& w : scene.report.warnings) {
        missing = missing || w.find("nowhere.ma does not exist") != std::string::npos;
        cycle = cycle || w.find("references itself") != std::string::npos;
    }
    EXPECT_TRUE(missing);
    EXPECT_TRUE(cycle);
    fs::remove_all(folder);
}

// A shot that animates a referenced rig: values, attributes and connections in the reference node's edits.
TEST(MaLoad, editsOfAReferenceAreApplied) {
    const fs::path folder = fs::temp_directory_path() / ("purl_edits_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "rig.ma") << "//Maya ASCII 2024 scene\n"
                                        "createNode transform -n \"rig\";\n\tsetAttr \".tx\" 2;\n"
                                        "createNode transform -n \"arm\" -p \"rig\";\n"
                                        "createNode transform -n \"hand\" -p \"rig\";\n"
                                        "createNode transform -n \"foot\" -p \"rig\";\n"
                                        "connectAttr \"rig.tx\" \"arm.tx\";\n";
    std::ofstream(folder / "shot.ma")
        << "//Maya ASCII 2024 scene\n"
           "file -r -ns \"a\" -dr 1 -rfn \"aRN\" -typ \"mayaAscii\" \"rig.ma{1}\";\n"
           "createNode transform -n \"follower\";\n"
           "createNode addDoubleLinear -n \"driver\";\n\tsetAttr \".i1\" 7;\n"
           "createNode reference -n \"aRN\";\n"
           "\tsetAttr -s 2 \".phl\";\n\tsetAttr \".phl[1]\" 0;\n\tsetAttr \".phl[2]\" 0;\n"
           "\tsetAttr \".ed\" -type \"dataReferenceEdits\" \n\t\t\"aRN\"\n\t\t\"aRN\" 0\n\t\t\"aRN\" 8\n"
           "\t\t1 |a:rig \"wave\" \"wv\" \" -ci 1 -k 1 -at \\\"double\\\"\"\n"
           "\t\t2 \"|a:rig\" \"translate\" \" -type \\\"double3\\\" 3 4 5\"\n\t\t\n"
           "\t\t2 \"|a:rig\" \"translateX\" \" -av\"\n"
           "\t\t2 \"|a:rig\" \"wave\" \" -k 1 6\"\n"
           "\t\t3 \"a:rig.tx\" \"a:arm.tx\" \"\"\n"
           "\t\t5 0 \"aRN\" \"|a:rig.wave\" \"|a:rig|a:arm.ty\" \"aRN.placeHolderList[3]\" \"\" \"\"\n"
           "\t\t5 3 \"aRN\" \"|a:rig.ty\" \"aRN.placeHolderList[1]\" \"\"\n"
           "\t\t5 4 \"aRN\" \"|a:rig|a:hand.translateZ\" \"aRN.placeHolderList[2]\" \"\"\n"
           "\t\t\"aRN\" 2\n\t\t0 \"|a:rig|a:foot\" \"|follower\" \"-s -r \"\n\t\t9 \"a\" \"b\";\n"
           "lockNode -l 1 ;\n"
           "connectAttr \"aRN.phl[1]\" \"follower.tx\";\n"
           "connectAttr \"driver.o\" \"aRN.phl[2]\";\n";
    Scene scene(Scene::File{folder / "shot.ma"});
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    EXPECT_EQ(scene.number("a:rig.tx"), 3);
    EXPECT_EQ(scene.number("a:rig.tz"), 5);
    EXPECT_EQ(scene.number("a:arm.ty"), 6);  // through the attribute that the shot added
    EXPECT_FALSE(scene.graph.plug("a:arm.tx").source());
    EXPECT_EQ(scene.number("follower.tx"), 4);
    EXPECT_EQ(scene.number("a:hand.tz"), 7);
    EXPECT_EQ(scene.graph.get("a:foot")->parents.at(0)->name, "follower");
    EXPECT_EQ(scene.report.skipped.at("edits of references"), 1);  // and reported
    fs::remove_all(folder);
}

TEST(MaLoad, filesThatAreNotScenesAreRefusedInOneLine) {
    EXPECT_EQ(errorOf(""), "scene.ma: the file is empty");
    EXPECT_EQ(errorOf("FOR8\0\0"), "scene.ma: is a Maya binary file; save it as Maya ASCII (.ma)");
    EXPECT_NE(errorOf("#usda 1.0\n").find("is not a Maya ASCII file"), std::string::npos);
    Graph graph;
    EXPECT_THROW(loadScene(graph, "/no/such/scene.ma"), Error);
    EXPECT_THROW(loadScene(graph, fs::temp_directory_path().string()), Error);
}

TEST(MaLoad, truncatedFilesNameTheLine) {
    const std::string whole = std::string("//Maya ASCII 2024 scene\n") + kStoredCube;
    const std::size_t cut = whole.find("0.625 0.75");
    EXPECT_EQ(errorOf(whole.substr(0, cut)),
              "scene.ma:7: 'setAttr' has no ';' before the end of the file; is the file truncated?");
    // truncated anywhere, it either loads or gives a one-line error
    for (std::size_t n = 0; n < whole.size(); n += 7) {
        const std::string error = errorOf(whole.substr(0, n));
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
    Scene scene("//Maya ASCII 2024 scene\n//Last modified: today\ncreateNode transform -n \"a\";\n", "");
    ASSERT_EQ(scene.report.warnings.size(), 1u);
    EXPECT_NE(scene.report.warnings[0].find("may be truncated"), std::string::npos);
}

// Scenes written by several versions of Maya; skipped if the folder does not exist.
TEST(MaLoad, realScenesLoad) {
    const fs::path folder = fs::path(PURL_SOURCE_DIR) / "../shared/fixtures/ma";
    if (!fs::is_directory(folder)) GTEST_SKIP() << "the folder of real scenes does not exist";
    for (const auto& entry : fs::directory_iterator(folder)) {
        Scene scene(Scene::File{entry.path()});
        EXPECT_GT(scene.report.executed.at("createNode"), 20) << entry.path();
        for (const std::string& w : scene.report.warnings)
            EXPECT_NE(w.find("unknown node type"), std::string::npos) << w;
        // every mesh has geometry or reports an error
        for (const NodePtr& node : scene.graph.nodesOfType("mesh")) {
            const std::size_t before = scene.errors.size();
            const auto mesh = node->plug("worldMesh[0]").data<MeshData>();
            if (!mesh)
                EXPECT_EQ(scene.errors.size(), before + 1) << node->name;
            else
                EXPECT_GT(mesh->faceCount(), 0) << node->name;
        }
    }
    {
        Scene scene(Scene::File{folder / "AlembicChaser.ma"});  // contains a sphere saved by Maya
        auto stored = scene.graph.plug("sphere_polyShape.outMesh").data<MeshData>();
        ASSERT_TRUE(stored);
        PolyMesh made = polySphere(1, 20, 20);
        placeOnAxis(made, {0, 0, 1}, 0);  // created in a z-up scene
        EXPECT_EQ(stored->faceVertices, made.connects);
        EXPECT_EQ(stored->uvSets[0].ids, made.uvIds);
        ASSERT_EQ(stored->storedEdges.size(), made.edges.size());
        for (std::size_t e = 0; e < made.edges.size(); ++e) {
            EXPECT_EQ(stored->storedEdges[e].a, made.edges[e][0]);
            EXPECT_EQ(stored->storedEdges[e].b, made.edges[e][1]);
        }
        double scale = 0;
        for (const float x : stored->points) scale = std::max(scale, double(std::abs(x)));
        for (std::size_t i = 0; i < made.points.size(); ++i)
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(stored->points[3 * i + k], made.points[i][k] * scale, 2e-6 * scale);
    }
    {
        Scene scene(Scene::File{folder / "deformMb.ma"});
        scene.graph.setFrame(5);
        EXPECT_NEAR(scene.points("pCubeShape1.outMesh")[0], -0.5 + 1.8269318342208862, 1e-5);
    }
    {
        Scene scene(Scene::File{folder / "InstancedShading.ma"});
        EXPECT_EQ(scene.points("blueSphereMultiAssignShape.worldMesh[3]").size(), 3u * 382);
    }
}

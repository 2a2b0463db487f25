// Loading scenes: every form of statement, and the treatment of unknown ones.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "host/ma/load.h"
#include "host/shapes/polyMesh.h"

using namespace purl::host;
namespace fs = std::filesystem;

namespace {

constexpr double kDegree = 0.017453292519943295;

// A loaded graph and its messages.
struct Scene {
    Graph graph;
    LoadReport report;
    std::vector<std::string> errors;

    explicit Scene(const std::string& body,
                   const std::string& header = "//Maya ASCII 2024 scene\nrequires maya \"2024\";\n") {
        listen();
        report = loadSceneText(graph, header + body, "scene.ma");
    }
    struct File {
        fs::path path;
    };
    explicit Scene(const File& file) {
        listen();
        report = loadScene(graph, file.path.string());
    }
    void listen() {
        graph.sink = [this](Severity severity, const std::string& text) {
            if (severity == Severity::Error) errors.push_back(text);
        };
    }
    double number(const char* plug) { return graph.plug(plug).number(); }
    // x y z of each vertex, with the matrix of worldMesh data applied
    std::vector<float> points(const char* plug) {
        auto mesh = graph.plug(plug).data<MeshData>();
        if (!mesh) return {};
        std::vector<float> all;
        for (std::size_t i = 0; i < mesh->points.size(); i += 3)
            for (unsigned k = 0; k < 3; ++k) {
                double x = mesh->matrix(3, k);
                for (unsigned j = 0; j < 3; ++j) x += mesh->points[i + j] * mesh->matrix(j, k);
                all.push_back(static_cast<float>(x));
            }
        return all;
    }
};

std::string errorOf(const std::string& text) {
    Graph graph;
    try {
        loadSceneText(graph, text, "scene.ma");
    } catch (const Error& e) { return e.what(); }
    return "";
}

const char* const kStoredCube = R"(
createNode transform -n "box";
createNode mesh -n "boxShape" -p "box";
	setAttr -k off ".v";
	setAttr ".uvst[0].uvsn" -type "string" "map1";
	setAttr -s 14 ".uvst[0].uvsp[0:13]" -type "float2" 0.375 0 0.625 0 0.375
		 0.25 0.625 0.25 0.375 0.5 0.625 0.5 0.375 0.75 0.625 0.75 0.375 1 0.625 1 0.875 0
		 0.875 0.25 0.125 0 0.125 0.25;
	setAttr ".cuvs" -type "string" "map1";
	setAttr -s 8 ".vt[0:7]"  -0.5 -0.5 0.5 0.5 -0.5 0.5 -0.5 0.5 0.5 0.5 0.5 0.5;
	setAttr ".vt[4:7]" -0.5 0.5 -0.5 0.5 0.5 -0.5 -0.5 -0.5 -0.5 0.5 -0.5 -0.5;
	setAttr -s 12 ".ed[0:11]"  0 1 0 2 3 0 4 5 0 6 7 0 0 2 0 1 3 0 2 4 0
		 3 5 0 4 6 0 5 7 0 6 0 0 7 1 0;
	setAttr -s 6 -ch 24 ".fc[0:5]" -type "polyFaces" 
		f 4 0 5 -2 -5
		mu 0 4 0 1 3 2
		f 4 1 7 -3 -7
		mu 0 4 2 3 5 4;
	setAttr ".fc[2:5]" 
		f 4 2 9 -4 -9
		mu 0 4 4 5 7 6
		f 4 3 11 -1 -11
		mu 0 4 6 7 9 8
		f 4 -12 -10 -8 -6
		mu 0 4 1 10 11 3
		f 4 10 4 6 8
		mu 0 4 12 0 2 13;
	setAttr ".cd" -type "dataPolyComponent" Index_Data Edge 0 ;
)";

}  // namespace

TEST(MaLoad, storedCubeEqualsTheGeneratedOne) {
    Scene scene(std::string(kStoredCube) + R"(
createNode transform -n "made";
createNode mesh -n "madeShape" -p "made";
createNode polyCube -n "polyCube1";
	setAttr ".cuv" 4;
connectAttr "polyCube1.out" "madeShape.i";
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    auto stored = scene.graph.plug("boxShape.outMesh").data<MeshData>();
    auto made = scene.graph.plug("madeShape.outMesh").data<MeshData>();
    ASSERT_TRUE(stored && made);
    EXPECT_EQ(stored->points, made->points);
    EXPECT_EQ(stored->faceVertices, made->faceVertices);
    EXPECT_EQ(stored->faceCounts, made->faceCounts);
    ASSERT_EQ(stored->uvSets.size(), 1u);
    EXPECT_EQ(stored->uvSets[0].u, made->uvSets[0].u);
    EXPECT_EQ(stored->uvSets[0].ids, made->uvSets[0].ids);
    ASSERT_EQ(stored->storedEdges.size(), 12u);
    EXPECT_FALSE(stored->storedEdges[3].smooth);
}

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

TEST(MaLoad, keyedCubeMoves) {
    Scene scene(R"(currentUnit -l centimeter -a degree -t film;
createNode transform -n "pCube1";
	setAttr ".rp" -type "double3" 1 0 0 ;
createNode mesh -n "pCubeShape1" -p "pCube1";
createNode polyCube -n "polyCube1";
createNode animCurveTL -n "tx";
	setAttr ".tan" 2;
	setAttr ".wgt" no;
	setAttr -s 2 ".ktv[0:1]"  1 0 23 22;
createNode animCurveTA -n "rz";
	setAttr ".tan" 3;
	setAttr ".wgt" no;
	setAttr -s 2 ".ktv[0:1]"  0 0 24 180;
connectAttr "polyCube1.out" "pCubeShape1.i";
connectAttr "tx.o" "pCube1.tx";
connectAttr "rz.o" "pCube1.rz";
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    // linear: 11 cm at frame 12; flat tangents: half of 180° in the middle, about the pivot (1, 0, 0)
    scene.graph.setFrame(12);
    auto p = scene.points("pCubeShape1.worldMesh[0]");
    ASSERT_EQ(p.size(), 24u);
    // vertex 0 at (−½, −½, ½): relative to the pivot (−1.5, −0.5) → turned by 90° (0.5, −1.5) → plus pivot plus 11
    EXPECT_NEAR(p[0], 0.5 + 1 + 11, 1e-5);
    EXPECT_NEAR(p[1], -1.5, 1e-5);
    EXPECT_NEAR(p[2], 0.5, 1e-6);
    // a quarter of the time: 3/16 − 2/64 of the rotation
    scene.graph.setFrame(6);
    const double a = 180 * kDegree * (3.0 / 16 - 2.0 / 64);
    p = scene.points("pCubeShape1.worldMesh[0]");
    EXPECT_NEAR(p[0], -1.5 * std::cos(a) + 0.5 * std::sin(a) + 1 + 5, 1e-5);
    EXPECT_NEAR(p[1], -1.5 * std::sin(a) - 0.5 * std::cos(a), 1e-5);
    // and back
    scene.graph.setFrame(1);
    EXPECT_NEAR(scene.number("pCube1.tx"), 0, 1e-12);
}

TEST(MaLoad, tangentsOfTheFileAreUsed) {
    Scene scene(R"(currentUnit -l centimeter -a degree -t film;
createNode transform -n "a";
createNode animCurveTL -n "c";
	setAttr ".tan" 18;
	setAttr ".wgt" no;
	setAttr -s 3 ".ktv[0:2]"  0 0 24 0 48 4;
	setAttr -s 3 ".kit[2]"  2;
	setAttr -s 3 ".kot[0:2]"  1 5 18;
	setAttr -s 3 ".kox[0:2]"  0.6 1 1;
	setAttr -s 3 ".koy[0:2]"  0.8 0 0;
	setAttr ".pst" 4;
connectAttr "c.o" "a.tx";
)");
    scene.graph.setFrame(12);
    EXPECT_NEAR(scene.number("a.tx"), 0.125 * 4 / 3, 1e-6);  // Hermite, slope 4/3 cm per second at the start
    scene.graph.setFrame(47);
    EXPECT_NEAR(scene.number("a.tx"), 0, 1e-9);  // stepped
    scene.graph.setFrame(48);
    EXPECT_NEAR(scene.number("a.tx"), 4, 1e-9);
    scene.graph.setFrame(96);
    EXPECT_NEAR(scene.number("a.tx"), 8, 1e-9);  // cycle with offset
}

TEST(MaLoad, everyTypeOfValueIsRead) {
    Scene scene(R"(createNode transform -n "a";
	addAttr -ci true -sn "st" -ln "str" -dt "string";
	addAttr -ci true -sn "sa" -ln "strs" -dt "stringArray";
	addAttr -ci true -sn "da" -ln "doubles" -dt "doubleArray";
	addAttr -ci true -sn "fa" -ln "floats" -dt "floatArray";
	addAttr -ci true -sn "ia" -ln "ints" -dt "Int32Array";
	addAttr -ci true -sn "va" -ln "vectors" -dt "vectorArray";
	addAttr -ci true -sn "pa" -ln "pointsPP" -dt "pointArray";
	addAttr -ci true -sn "mx" -ln "mat" -dt "matrix";
	addAttr -ci true -sn "cl" -ln "comps" -dt "componentList";
	addAttr -ci true -uac -sn "fc" -ln "tint" -at "float3" -nc 3;
	addAttr -ci true -sn "tr" -ln "tintR" -at "float" -p "tint";
	addAttr -ci true -sn "tg" -ln "tintG" -at "float" -p "tint";
	addAttr -ci true -sn "tb" -ln "tintB" -at "float" -p "tint";
	addAttr -ci true -k true -sn "en" -ln "choice" -min 0 -max 5 -en "off:on=4:auto" -at "enum";
	addAttr -ci true -k true -sn "dv" -ln "amount" -dv 0.25 -min -1 -max 1 -at "double";
	addAttr -ci true -sn "an" -ln "turn" -dv 90 -at "doubleAngle";
	addAttr -ci true -m -sn "ramp" -ln "ramp" -at "compound" -nc 3;
	addAttr -ci true -sn "rp_" -ln "ramp_Position" -at "float" -p "ramp";
	addAttr -ci true -sn "rv_" -ln "ramp_FloatValue" -at "float" -p "ramp";
	addAttr -ci true -sn "ri_" -ln "ramp_Interp" -at "enum" -en "None:Linear" -p "ramp";
	addAttr -ci true -sn "l2" -ln "pair" -at "long2" -nc 2;
	addAttr -ci true -sn "l20" -ln "pair0" -at "long" -p "pair";
	addAttr -ci true -sn "l21" -ln "pair1" -at "long" -p "pair";
	setAttr ".str" -type "string" "a \"b\"\n";
	setAttr ".strs" -type "stringArray" 2 "x" "y z" ;
	setAttr ".da" -type "doubleArray" 3 1.5 -2 3e-2 ;
	setAttr ".fa" -type "floatArray" 1 0.5 ;
	setAttr ".ia" -type "Int32Array" 3 7 -8 9 ;
	setAttr ".va" -type "vectorArray" 2 1 2 3 4 5 6 ;
	setAttr ".pa" -type "pointArray" 1 1 2 3 1 ;
	setAttr ".mx" -type "matrix" 1 0 0 0 0 2 0 0 0 0 3 0 4 5 6 1;
	setAttr ".cl" -type "componentList" 2 "vtx[0:7]" "f[2]";
	setAttr ".tint" -type "float3" 0.1 0.2 0.3 ;
	setAttr -k on ".choice" 4;
	setAttr ".amount" -0.5;
	setAttr -s 2 ".ramp[0:1]"  0 1 1 1 0 0;
	setAttr ".pair" -type "long2" 3 4 ;
	setAttr ".v" no;
	setAttr ".ro" 2;
	setAttr -l on ".tx" 5;
createNode nurbsCurve -n "curveShape";
	setAttr ".cc" -type "nurbsCurve" 
		3 1 0 no 3
		6 0 0 0 1 1 1
		4
		0 0 0
		0 1 0
		1 1 0
		1 0 0
		;
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    Graph& g = scene.graph;
    EXPECT_EQ(g.plug("a.str").text(), "a \"b\"\n");
    EXPECT_STREQ((*g.plug("a.strs").data<StringArrayData>()->values)[1].asChar(), "y z");
    EXPECT_EQ(*g.plug("a.da").data<DoubleArrayData>()->values, (std::vector<double>{1.5, -2, 3e-2}));
    EXPECT_EQ(*g.plug("a.fa").data<FloatArrayData>()->values, (std::vector<float>{0.5f}));
    EXPECT_EQ(*g.plug("a.ia").data<IntArrayData>()->values, (std::vector<int>{7, -8, 9}));
    EXPECT_EQ((*g.plug("a.va").data<VectorArrayData>()->values)[1].z, 6);
    EXPECT_EQ((*g.plug("a.pa").data<PointArrayData>()->values)[0].y, 2);
    EXPECT_EQ(g.plug("a.mx").matrix()(3, 1), 5);
    EXPECT_STREQ((*g.plug("a.cl").data<ComponentListData>()->values)[1].asChar(), "f[2]");
    EXPECT_FLOAT_EQ(static_cast<float>(scene.number("a.tintG")), 0.2f);
    EXPECT_EQ(scene.number("a.choice"), 4);
    EXPECT_EQ(g.plug("a.choice").asText(), "on");
    EXPECT_EQ(scene.number("a.amount"), -0.5);
    EXPECT_NEAR(scene.number("a.turn"), 90 * kDegree, 1e-12);
    EXPECT_EQ(scene.number("a.ramp[1].ramp_Position"), 1);
    EXPECT_EQ(scene.number("a.ramp[0].ramp_Interp"), 1);
    EXPECT_EQ(scene.number("a.pair1"), 4);
    EXPECT_EQ(scene.number("a.v"), 0);
    EXPECT_EQ(scene.number("a.ro"), 2);
    EXPECT_EQ(scene.number("a.tx"), 5);
    EXPECT_TRUE(g.plug("a.tx").locked());
    // the middle of the Bézier curve: (0 + 0 + 3 + 1)/8, (0 + 3 + 3 + 0)/8
    auto curve = g.plug("curveShape.local").data<CurveData>();
    ASSERT_TRUE(curve);
    EXPECT_NEAR(curve->pointAt(0.5).x, 0.5, 1e-12);
    EXPECT_NEAR(curve->pointAt(0.5).y, 0.75, 1e-12);
}

TEST(MaLoad, matrixMayBeGivenByItsComponents) {
    Scene scene(R"(createNode transform -n "a";
	addAttr -ci true -sn "mx" -ln "mat" -at "matrix";
	setAttr ".mx" -type "matrix" "xform" 1 2 1 0 0 1.5707963267948966 0 5 6 7 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		 0 0 0 1 0 0 0 1 1 1 1 yes;
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    const MMatrix m = scene.graph.plug("a.mx").matrix();
    EXPECT_NEAR(m(0, 1), 1, 1e-12);   // x → y
    EXPECT_NEAR(m(1, 0), -2, 1e-12);  // y, twice as long, → −x
    EXPECT_NEAR(m(3, 2), 7, 1e-12);
}

TEST(MaLoad, invalidValuesAreReportedAndKeepTheDefault) {
    Scene scene(R"(createNode transform -n "a";
	setAttr ".ro" 9;
	setAttr ".t" -type "double3" 1 2 ;
	setAttr ".tx" abc;
	setAttr ".v" -type "string" "yes please";
createNode polyCube -n "c";
	setAttr ".sw" 0;
	setAttr ".w" -2;
createNode nurbsCurve -n "cs";
	setAttr ".cc" -type "nurbsCurve" 3 1 0 no 3 5 0 0 0 1 1 4 0 0 0 1 0 0 2 0 0 3 0 0;
)");
    ASSERT_EQ(scene.report.warnings.size(), 7u);
    const auto& w = scene.report.warnings;
    EXPECT_EQ(w[0].substr(0, 14), "scene.ma:4: a.");  // the header is two lines
    EXPECT_NE(w[0].find("rotateOrder"), std::string::npos);
    EXPECT_NE(w[0].find("9"), std::string::npos);
    EXPECT_NE(w[1].find("needs 3 numbers, got 2"), std::string::npos);
    EXPECT_NE(w[2].find("'abc' is not a number"), std::string::npos);
    EXPECT_NE(w[3].find("'yes please'"), std::string::npos);
    EXPECT_NE(w[4].find("scene.ma:9: c.subdivisionsWidth: value 0 is below the minimum 1"), std::string::npos);
    EXPECT_NE(w[5].find("c.width: value -2"), std::string::npos);
    EXPECT_NE(w[6].find("5 knots do not match 4 points of degree 3"), std::string::npos);
    EXPECT_EQ(scene.number("a.ro"), 0);
    EXPECT_EQ(scene.number("a.tx"), 0);
    EXPECT_EQ(scene.number("a.v"), 1);
    EXPECT_EQ(scene.number("c.sw"), 1);
}

TEST(MaLoad, invalidMeshIsReportedAndLeftEmpty) {
    Scene scene(R"(createNode transform -n "a";
createNode mesh -n "aShape" -p "a";
	setAttr -s 3 ".vt[0:2]"  0 0 0 1 0 0 0 0 1;
	setAttr -s 3 ".ed[0:2]"  0 1 0 1 2 0 2 0 0;
	setAttr -s 1 ".fc[0]" -type "polyFaces" f 3 0 1 7;
)");
    ASSERT_EQ(scene.report.warnings.size(), 1u);
    EXPECT_NE(scene.report.warnings[0].find("aShape: edge 7 of face 0 does not exist"), std::string::npos);
    EXPECT_TRUE(scene.points("aShape.outMesh").empty());
    ASSERT_FALSE(scene.errors.empty());
    EXPECT_EQ(scene.errors[0], "aShape: geometry not available: it has no points and no history");
}

TEST(MaLoad, hugeIndicesAllocateNoMemory) {
    Scene scene(R"(createNode transform -n "a";
createNode mesh -n "aShape" -p "a";
	setAttr ".vt[2000000000]" 0 0 0;
	setAttr ".pt[0:999999999]" 1 2 3;
	setAttr ".n[1900000000]" 1 0 0;
createNode animCurveTL -n "c";
	setAttr ".ktv[0:99999999]" 1 0;
)");
    ASSERT_EQ(scene.report.warnings.size(), 3u);
    EXPECT_NE(scene.report.warnings[0].find("index 2000000000 is out of order"), std::string::npos);
    EXPECT_NE(scene.report.warnings[1].find("3 values for 1000000000 elements"), std::string::npos);
    EXPECT_NE(scene.report.warnings[2].find("2 values for 100000000 elements"), std::string::npos);
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

TEST(MaLoad, instancesHaveAWorldMeshEach) {
    Scene scene(std::string(kStoredCube) + R"(
createNode transform -n "second";
	setAttr ".t" -type "double3" 10 0 0 ;
parent -s -nc -r -add "|box|boxShape" "second" ;
createNode transform -n "moved";
createNode transform -n "group";
	setAttr ".s" -type "double3" 2 2 2 ;
parent "moved" "group";
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    EXPECT_FLOAT_EQ(scene.points("boxShape.worldMesh[0]")[0], -0.5f);
    EXPECT_FLOAT_EQ(scene.points("boxShape.worldMesh[1]")[0], 9.5f);
    EXPECT_EQ(scene.graph.plug("moved.worldMatrix[0]").matrix()(0, 0), 2);
}

TEST(MaLoad, tweaksAreAddedAndMayBeKeyed) {
    Scene scene(std::string(kStoredCube) + R"(
	setAttr -s 8 ".pt[6:7]" -type "float3"  1 0 0 0 2 0;
createNode animCurveTL -n "px";
	setAttr ".tan" 2;
	setAttr -s 2 ".ktv[0:1]"  0 0 10 5;
connectAttr "px.o" "boxShape.pt[0].px";
)");
    scene.graph.setFrame(4);
    const auto p = scene.points("boxShape.outMesh");
    ASSERT_EQ(p.size(), 24u);
    EXPECT_FLOAT_EQ(p[0], -0.5f + 2);
    EXPECT_FLOAT_EQ(p[18], 0.5f);
    EXPECT_FLOAT_EQ(p[22], 1.5f);
}

TEST(MaLoad, transformGeometryAndPassThroughNodesCarryTheMesh) {
    Scene scene(R"(createNode polyPlane -n "p";
	setAttr ".sw" 1;
	setAttr ".sh" 1;
createNode transformGeometry -n "tg";
	setAttr ".txf" -type "matrix" 2 0 0 0 0 1 0 0 0 0 1 0 0 7 0 1;
createNode polyTweakUV -n "uv";
createNode transform -n "t";
	setAttr ".it" no;
createNode mesh -n "tShape" -p "t";
connectAttr "p.out" "uv.ip";
connectAttr "uv.out" "tg.ig";
connectAttr "tg.og" "tShape.i";
)");
    const auto p = scene.points("tShape.outMesh");
    ASSERT_EQ(p.size(), 12u);
    EXPECT_FLOAT_EQ(p[0], -1);
    EXPECT_FLOAT_EQ(p[1], 7);
}

TEST(MaLoad, offsetParentMatrixAndInheritsTransform) {
    Scene scene(R"(createNode transform -n "up";
	setAttr ".t" -type "double3" 100 0 0 ;
createNode transform -n "a" -p "up";
	setAttr ".t" -type "double3" 1 0 0 ;
	setAttr ".opm" -type "matrix" 0 1 0 0 -1 0 0 0 0 0 1 0 0 0 5 1;
createNode transform -n "free" -p "up";
	setAttr ".t" -type "double3" 3 0 0 ;
	setAttr ".it" no;
createNode transform -n "follower";
connectAttr "a.wm" "follower.opm";
)");
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    const MMatrix a = scene.graph.plug("a.wm[0]").matrix();
    EXPECT_NEAR(a(3, 0), 100, 1e-12);  // x = 1 is turned to y = 1, then moved
    EXPECT_NEAR(a(3, 1), 1, 1e-12);
    EXPECT_NEAR(a(3, 2), 5, 1e-12);
    EXPECT_NEAR(scene.graph.plug("free.wm[0]").matrix()(3, 0), 3, 1e-12);
    EXPECT_TRUE(scene.graph.plug("follower.wm[0]").matrix().isEquivalent(a));
    scene.graph.plug("up.tx").set(50.0);
    EXPECT_NEAR(scene.graph.plug("follower.wm[0]").matrix()(3, 0), 50, 1e-12);
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

TEST(MaLoad, zUpScenesAreRecognised) {
    Scene z("createNode transform -s -n \"top\";\n\tsetAttr \".t\" -type \"double3\" 0 0 100.1 ;\n"), y("");
    EXPECT_EQ(z.report.upAxis, "z");
    EXPECT_EQ(y.report.upAxis, "y");
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

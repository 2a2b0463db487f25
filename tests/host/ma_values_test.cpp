// Loading scenes: values of every type, keys, meshes, and what reads them downstream.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/host/maScene.h"

using namespace purl::host;
using namespace purl::host::test;

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
createNode nurbsSurface -n "ss";
	setAttr ".cc" -type "nurbsSurface" 1 1 0 0 no 2 0 1 2 0 1 3 0 0 0 1 0 0 2 0 0;
	setAttr ".cc" -type "nurbsSurface" -2147483647 1 0 0 no 2 0 1 2 0 1 0;
)");
    ASSERT_EQ(scene.report.warnings.size(), 9u);
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
    EXPECT_NE(w[7].find("3 control vertices; the knots are those of 2 x 2"), std::string::npos);
    EXPECT_NE(w[8].find("the degree is below 1"), std::string::npos);
    EXPECT_EQ(scene.number("a.ro"), 0);
    EXPECT_EQ(scene.number("a.tx"), 0);
    EXPECT_EQ(scene.number("a.v"), 1);
    EXPECT_EQ(scene.number("c.sw"), 1);
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

// Maya's built-in nodes: what they compute, and that evaluation is lazy.
#include <gtest/gtest.h>

#include <cmath>

#include "host/builtin/builtin.h"
#include "host/graph/graph.h"

using namespace purl::host;

namespace {

constexpr double kDegree = 0.017453292519943295;

std::shared_ptr<const MeshData> meshOf(const Plug& plug) { return plug.data<MeshData>(); }

}  // namespace

TEST(Builtin, primitivesFollowTheirAttributes) {
    Graph graph;
    const NodePtr cube = graph.create("polyCube", "c");
    EXPECT_EQ(meshOf(cube->plug("output"))->vertexCount(), 8);
    cube->plug("width").set(4.0);
    cube->plug("sw").set(3.0);
    const auto mesh = meshOf(cube->plug("out"));
    EXPECT_EQ(mesh->vertexCount(), 16);
    EXPECT_FLOAT_EQ(mesh->points[0], -2);
    const int expected[][3] = {{0, 121, 100}, {1, 382, 400}, {2, 40, 22}, {3, 21, 21}, {4, 400, 400}};
    const char* const types[] = {"polyPlane", "polySphere", "polyCylinder", "polyCone", "polyTorus"};
    for (const auto& e : expected) {
        const auto made = meshOf(graph.create(types[e[0]])->plug("output"));
        EXPECT_EQ(made->vertexCount(), e[1]) << types[e[0]];
        EXPECT_EQ(made->faceCount(), e[2]) << types[e[0]];
        EXPECT_EQ(made->uvSets.at(0).ids.size(), made->faceVertices.size());
    }
    const NodePtr cylinder = graph.create("polyCylinder");
    cylinder->plug("heightBaseline").set(-1.0);  // base on the ground
    EXPECT_FLOAT_EQ(meshOf(cylinder->plug("output"))->points[1], 0);
    cylinder->plug("createUVs").set(0.0);
    EXPECT_TRUE(meshOf(cylinder->plug("output"))->uvSets.at(0).ids.empty());
}

TEST(Builtin, shapesAreComputedOnlyWhenSomethingChanged) {
    Graph graph;
    const NodePtr cube = graph.create("polyCube"), transform = graph.create("transform", "t");
    const NodePtr shape = graph.create("mesh", "s", transform);
    graph.connect(cube->plug("output"), shape->plug("inMesh"));
    EXPECT_FLOAT_EQ(meshOf(shape->plug("worldMesh[0]"))->points[0], -0.5f);
    long long count = graph.computeCount;
    shape->plug("worldMesh[0]").data();
    EXPECT_EQ(graph.computeCount, count);
    transform->plug("tx").set(3.0);
    EXPECT_EQ(meshOf(shape->plug("worldMesh[0]"))->matrix(3, 0), 3);  // points in object space, with the world matrix
    EXPECT_FLOAT_EQ(meshOf(shape->plug("worldMesh[0]"))->points[0], -0.5f);
    // the primitive is not recomputed: only matrices and worldMesh
    EXPECT_LE(graph.computeCount - count, 4);

    // another shape receives it in world space
    const NodePtr copy = graph.createWithParent("mesh", "copyShape");
    graph.connect(shape->plug("worldMesh[0]"), copy->plug("inMesh"));
    EXPECT_FLOAT_EQ(meshOf(copy->plug("outMesh"))->points[0], 2.5f);
    EXPECT_EQ(meshOf(copy->plug("outMesh"))->matrix(3, 0), 0);
    transform->plug("tx").set(4.0);
    EXPECT_FLOAT_EQ(meshOf(copy->plug("outMesh"))->points[0], 3.5f);
}

TEST(Builtin, parentsMoveTheirChildren) {
    Graph graph;
    const NodePtr a = graph.create("transform", "a"), b = graph.create("transform", "b", a);
    const NodePtr locator = graph.create("locator", "l", b);
    b->plug("translate").set(1, 0, 0);
    a->plug("rotate").set(0, 0, 90 * kDegree);
    EXPECT_NEAR(locator->plug("worldPosition[0]").vec3()[1], 1, 1e-12);
    a->plug("scale").set(2, 2, 2);
    EXPECT_NEAR(locator->plug("worldPosition[0]").vec3()[1], 2, 1e-12);
    EXPECT_NEAR(b->plug("parentMatrix[0]").matrix()(0, 1), 2, 1e-12);
    EXPECT_NEAR(b->plug("worldInverseMatrix[0]").matrix()(1, 0), 0.5, 1e-12);
}

TEST(Builtin, jointsOrientAndCompensate) {
    Graph graph;
    const NodePtr a = graph.create("joint", "a"), b = graph.create("joint", "b", a);
    a->plug("scale").set(2, 1, 1);
    graph.connect(a->plug("scale"), b->plug("inverseScale"));
    b->plug("jointOrient").set(0, 0, 90 * kDegree);
    b->plug("translate").set(3, 0, 0);
    // 1/2 by compensation undoes the parent's 2 on b's own axes, not on its translation
    const MMatrix m = b->plug("worldMatrix[0]").matrix();
    EXPECT_NEAR(m(3, 0), 6, 1e-12);
    EXPECT_NEAR(m(0, 1), 1, 1e-12);
    b->plug("segmentScaleCompensate").set(0.0);
    EXPECT_NEAR(b->plug("worldMatrix[0]").matrix()(1, 0), -2, 1e-12);
}

TEST(Builtin, arithmeticNodes) {
    Graph graph;
    const NodePtr md = graph.create("multiplyDivide");
    md->plug("input1").set(6, 8, 2);
    md->plug("input2").set(3, 0, 3);
    EXPECT_EQ(md->plug("outputX").number(), 18);
    md->plug("operation").set(2.0);
    EXPECT_EQ(md->plug("outputX").number(), 2);
    EXPECT_EQ(md->plug("outputY").number(), 0);  // division by zero gives 0, not infinity
    md->plug("operation").set(3.0);
    EXPECT_EQ(md->plug("outputZ").number(), 8);

    const NodePtr pma = graph.create("plusMinusAverage");
    for (int i = 0; i < 3; ++i) {
        pma->plug("input1D").element(i).set(i + 1.0);
        pma->plug("input3D").element(i).set(i, 2.0 * i, 1);
    }
    EXPECT_EQ(pma->plug("output1D").number(), 6);
    EXPECT_EQ(pma->plug("output3Dy").number(), 6);
    pma->plug("operation").set(2.0);
    EXPECT_EQ(pma->plug("output1D").number(), 1 - 2 - 3);
    pma->plug("operation").set(3.0);
    EXPECT_EQ(pma->plug("output3Dx").number(), 1);

    const NodePtr add = graph.create("addDoubleLinear"), mult = graph.create("multDoubleLinear");
    add->plug("input1").set(2.0);
    add->plug("input2").set(3.0);
    graph.connect(add->plug("output"), mult->plug("input1"));
    mult->plug("input2").set(4.0);
    EXPECT_EQ(mult->plug("output").number(), 20);
}

TEST(Builtin, matrixNodesComposeAndDecompose) {
    Graph graph;
    const NodePtr compose = graph.create("composeMatrix"), decompose = graph.create("decomposeMatrix");
    const NodePtr product = graph.create("multMatrix");
    compose->plug("inputTranslate").set(1, 2, 3);
    compose->plug("inputRotate").set(0.1, 0.2, 0.3);
    compose->plug("inputScale").set(2, 3, 4);
    graph.connect(compose->plug("outputMatrix"), product->plug("matrixIn[0]"));
    product->plug("matrixIn[1]").set(MMatrix());
    graph.connect(product->plug("matrixSum"), decompose->plug("inputMatrix"));
    EXPECT_NEAR(decompose->plug("outputRotateZ").number(), 0.3, 1e-12);
    EXPECT_NEAR(decompose->plug("outputTranslateY").number(), 2, 1e-12);
    EXPECT_NEAR(decompose->plug("outputScaleX").number(), 2, 1e-12);
    compose->plug("useEulerRotation").set(0.0);
    compose->plug("inputQuatZ").set(std::sqrt(0.5));
    compose->plug("inputQuatW").set(std::sqrt(0.5));
    EXPECT_NEAR(decompose->plug("outputRotateZ").number(), 90 * kDegree, 1e-12);
    EXPECT_NEAR(decompose->plug("outputQuatW").number(), std::sqrt(0.5), 1e-12);
}

TEST(Builtin, curvesFollowTimeUnlessConnected) {
    Graph graph;
    const NodePtr curve = graph.create("animCurveTU");
    curve->plug("tangentType").set(2.0);
    const double keys[][2] = {{0, 0}, {24, 48}};
    for (int i = 0; i < 2; ++i) curve->plug("keyTimeValue").element(i).setNumbers(keys[i], 2);
    graph.setFrame(6);
    EXPECT_NEAR(curve->plug("output").number(), 12, 1e-9);
    graph.setFrame(12);
    EXPECT_NEAR(curve->plug("output").number(), 24, 1e-9);
    curve->plug("keyTimeValue[1].keyValue").set(24.0);  // an edited key takes effect immediately
    EXPECT_NEAR(curve->plug("output").number(), 12, 1e-9);

    const NodePtr driven = graph.create("animCurveUL"), transform = graph.create("transform");
    driven->plug("tangentType").set(2.0);
    const double table[][2] = {{0, 0}, {10, 5}};
    for (int i = 0; i < 2; ++i) driven->plug("keyTimeValue").element(i).setNumbers(table[i], 2);
    graph.connect(transform->plug("sx"), driven->plug("input"));
    transform->plug("sx").set(4.0);
    EXPECT_NEAR(driven->plug("output").number(), 2, 1e-12);
}

TEST(Builtin, newScenesHaveMayasDefaults) {
    Graph graph;
    addDefaultNodes(graph);
    addDefaultNodes(graph);  // a second call adds nothing
    for (const char* name : {"persp", "perspShape", "top", "front", "side", "lambert1", "initialShadingGroup",
                             "defaultRenderGlobals", "defaultResolution"})
        EXPECT_EQ(graph.findAll(name).size(), 1u) << name;
    EXPECT_TRUE(graph.plug("topShape.orthographic").flag());
    EXPECT_EQ(graph.plug("perspShape.fl").number(), 35);
    EXPECT_NEAR(graph.plug("perspShape.cap").child(0).number(), 1.41732, 1e-9);
    EXPECT_EQ(graph.plug("defaultResolution.w").number(), 640);
    EXPECT_EQ(graph.plug("initialShadingGroup.ss").source().name(), "lambert1.outColor");
}

TEST(Builtin, filesAndScriptsUseTheseShortNames) {
    // type → "short=long …": the names scene files are written with
    const struct {
        const char *type, *names;
    } table[] = {
        {"transform",
         "t=translate tx=translateX r=rotate ro=rotateOrder s=scale sh=shear rp=rotatePivot rpt=rotatePivotTranslate "
         "sp=scalePivot spt=scalePivotTranslate ra=rotateAxis it=inheritsTransform opm=offsetParentMatrix v=visibility "
         "m=matrix wm=worldMatrix pim=parentInverseMatrix"},
        {"joint", "jo=jointOrient is=inverseScale ssc=segmentScaleCompensate"},
        {"mesh", "i=inMesh o=outMesh w=worldMesh pt=pnts io=intermediateObject"},
        {"nurbsCurve", "cc=cached cr=create l=local ws=worldSpace cp=controlPoints"},
        {"nurbsSurface", "cc=cached cr=create l=local ws=worldSpace cp=controlPoints"},
        {"camera",
         "fl=focalLength cap=cameraAperture hfa=horizontalFilmAperture ncp=nearClipPlane fcp=farClipPlane "
         "coi=centerOfInterest o=orthographic ow=orthographicWidth"},
        {"directionalLight",
         "cl=color in=intensity urs=useRayTraceShadows sc=shadowColor shr=shadowRays edi=emitDiffuse esp=emitSpecular "
         "de=decayRate lang=lightAngle"},
        {"spotLight", "ca=coneAngle pa=penumbraAngle dro=dropoff lr=lightRadius cw=castSoftShadows"},
        {"ambientLight", "as=ambientShade sr=shadowRadius cw=castSoftShadows"},
        {"blinn", "c=color it=transparency ec=eccentricity sc=specularColor oc=outColor"},
        {"standardSurface", "bc=baseColor sr=specularRoughness"},
        {"polyCube",
         "w=width h=height d=depth sw=subdivisionsWidth sh=subdivisionsHeight sd=subdivisionsDepth cuv=createUVs "
         "out=output"},
        {"polySphere", "r=radius sa=subdivisionsAxis sh=subdivisionsHeight ax=axis"},
        {"animCurveTL",
         "tan=tangentType wgt=weightedTangents ktv=keyTimeValue kit=keyTanInType kox=keyTanOutX pre=preInfinity "
         "pst=postInfinity i=input o=output"},
        {"unitConversion", "i=input o=output cf=conversionFactor"},
        {"shadingEngine", "dsm=dagSetMembers ss=surfaceShader"},
        {"transformGeometry", "ig=inputGeometry og=outputGeometry txf=transform"},
        {"script", "b=before a=after st=scriptType"},
    };
    for (const auto& row : table) {
        const Type* type = findType(row.type);
        ASSERT_TRUE(type) << row.type;
        for (const std::string& pair : splitWords(row.names, " ")) {
            const std::size_t equals = pair.find('=');
            const AttrPtr attr = type->find(pair.substr(0, equals));
            ASSERT_TRUE(attr) << row.type << "." << pair;
            EXPECT_EQ(attr->name, pair.substr(equals + 1)) << row.type;
        }
    }
}

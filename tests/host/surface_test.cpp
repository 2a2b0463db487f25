// NURBS surfaces through the Maya API: a plane, a rational cylinder, and derivatives by finite differences.
#include <gtest/gtest.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsSurface.h>
#include <maya/MFnNurbsSurfaceData.h>
#include <maya/MFnTransform.h>

#include <cmath>

#include "host/api/access.h"
#include "tests/host/testPlugin.h"

namespace purl::host {
namespace {

constexpr double kRounding = 1e-12;  // of a few operations in double precision on numbers of size 1
using Form = MFnNurbsSurface::Form;

struct SurfaceTest : testing::Test {
    Graph graph;
    Said said{graph};
    Graph::Scope scope{graph};
    MFnNurbsSurface fn;

    MStatus create(const std::vector<MPoint>& cvs, const std::vector<double>& knotsU, const std::vector<double>& knotsV,
                   unsigned int degreeU, unsigned int degreeV, bool rational = false,
                   Form formU = MFnNurbsSurface::kOpen, MObject owner = MFnNurbsSurfaceData().create()) {
        MStatus status;
        fn.create(MPointArray(cvs.data(), unsigned(cvs.size())), MDoubleArray(knotsU.data(), unsigned(knotsU.size())),
                  MDoubleArray(knotsV.data(), unsigned(knotsV.size())), degreeU, degreeV, formU, MFnNurbsSurface::kOpen,
                  rational, owner, &status);
        return status;
    }
    // The point (u - 1/2, 0, 1/2 - v), like Maya's NURBS plane.
    MStatus createPlane(MObject owner = MFnNurbsSurfaceData().create()) {
        std::vector<MPoint> cvs;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) cvs.emplace_back(i / 3.0 - 0.5, 0, 0.5 - j / 3.0);
        const std::vector<double> knots{0, 0, 0, 1, 1, 1};
        return create(cvs, knots, knots, 3, 3, false, MFnNurbsSurface::kOpen, owner);
    }
    // A quarter of a cylinder around z with radius 2 and length 5. It needs weights.
    MStatus createCylinder() {
        const double w = std::sqrt(0.5);
        return create({{2, 0, 0, 1}, {2, 0, 5, 1}, {2, 2, 0, w}, {2, 2, 5, w}, {0, 2, 0, 1}, {0, 2, 5, 1}},
                      {0, 0, 1, 1}, {0, 1}, 2, 1, true);
    }
    // Waves with two spans in U and three in V, knots at uneven distances, and weights.
    MStatus createWaves() {
        std::vector<MPoint> cvs;
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 5; ++j) cvs.emplace_back(i, std::sin(2.0 * i + j), j, 1 + 0.25 * ((i + 2 * j) % 3));
        return create(cvs, {0, 0, 0, 0.7, 2, 2, 2}, {1, 1, 1.5, 2.5, 3, 3}, 3, 2, true);
    }
};

TEST_F(SurfaceTest, aPlaneIsFlat) {
    ASSERT_EQ(createPlane(), MS::kSuccess);
    EXPECT_EQ(fn.numCVsInU(), 4);
    EXPECT_EQ(fn.numSpansInV(), 1);
    EXPECT_EQ(fn.numKnotsInU(), 6);
    EXPECT_EQ(fn.degreeV(), 3);
    EXPECT_EQ(fn.formInU(), MFnNurbsSurface::kOpen);
    MPoint p;
    MVector dU, dV;
    for (const double u : {0.0, 0.3, 1.0})
        for (const double v : {0.0, 0.8, 1.0}) {
            ASSERT_EQ(fn.getDerivativesAtParm(u, v, p, dU, dV), MS::kSuccess);
            EXPECT_TRUE(p.isEquivalent(MPoint(u - 0.5, 0, 0.5 - v), kRounding)) << p;
            EXPECT_TRUE(dU.isEquivalent(MVector(1, 0, 0), kRounding));
            EXPECT_TRUE(dV.isEquivalent(MVector(0, 0, -1), kRounding));
            EXPECT_TRUE(fn.normal(u, v).isEquivalent(MVector(0, 1, 0), kRounding));
        }
    EXPECT_FALSE(fn.isParamOnSurface(0.5, 1.1));
    EXPECT_EQ(fn.getPointAtParam(0.5, 1.1, p), MS::kInvalidParameter);
}

TEST_F(SurfaceTest, aRationalCylinderIsRound) {
    ASSERT_EQ(createCylinder(), MS::kSuccess);
    EXPECT_EQ(fn.numCVsInU(), 3);
    EXPECT_EQ(fn.numCVsInV(), 2);
    for (int k = 0; k <= 8; ++k) {
        const double u = k / 8.0, v = 1 - u;
        MPoint p;
        MVector dU, dV;
        fn.getPointAtParam(u, v, p);
        EXPECT_NEAR(std::hypot(p.x, p.y), 2, kRounding);
        EXPECT_NEAR(p.z, 5 * v, kRounding);
        fn.getTangents(u, v, dU, dV);
        EXPECT_TRUE(dU.isEquivalent(MVector(-p.y / 2, p.x / 2, 0), kRounding)) << "around";
        EXPECT_TRUE(dV.isEquivalent(MVector(0, 0, 1), kRounding)) << "along";
        EXPECT_TRUE(fn.normal(u, v).isEquivalent(MVector(p.x / 2, p.y / 2, 0), kRounding)) << "outward";
    }
    // At half the angle, the middle by symmetry.
    MPoint middle;
    fn.getPointAtParam(0.5, 0, middle);
    EXPECT_TRUE(middle.isEquivalent(MPoint(std::sqrt(2.0), std::sqrt(2.0), 0), kRounding));
}

TEST_F(SurfaceTest, derivativesAreThoseOfFiniteDifferences) {
    ASSERT_EQ(createWaves(), MS::kSuccess);
    double startU, endU, startV, endV;
    ASSERT_EQ(fn.getKnotDomain(startU, endU, startV, endV), MS::kSuccess);
    EXPECT_EQ(std::vector<double>({startU, endU, startV, endV}), std::vector<double>({0, 2, 1, 3}));
    // Central differences are wrong by h² times the third derivative, and by rounding (1e-16) divided by h.
    const double h = 1e-5, allowed = 1e-8;
    for (const double u : {0.1, 0.69, 0.71, 1.3, 1.9})
        for (const double v : {1.1, 1.6, 2.4, 2.6, 2.9}) {
            MPoint p, before, after;
            MVector dU, dV;
            fn.getDerivativesAtParm(u, v, p, dU, dV);
            fn.getPointAtParam(u - h, v, before);
            fn.getPointAtParam(u + h, v, after);
            EXPECT_TRUE(dU.isEquivalent((after - before) / (2 * h), allowed)) << u << " " << v;
            fn.getPointAtParam(u, v - h, before);
            fn.getPointAtParam(u, v + h, after);
            EXPECT_TRUE(dV.isEquivalent((after - before) / (2 * h), allowed)) << u << " " << v;
        }
}

TEST_F(SurfaceTest, theNormalOfAPoleIsTheLimit) {
    // A triangle: the side at v = 1 has collapsed to a point.
    ASSERT_EQ(create({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1}, {0, 1}, 1, 1), MS::kSuccess);
    EXPECT_TRUE(fn.normal(0.5, 1).isEquivalent(MVector(0, 0, 1), kRounding));
}

TEST_F(SurfaceTest, theClosestPointIsFound) {
    ASSERT_EQ(createCylinder(), MS::kSuccess);
    double u, v;
    const double root = std::sqrt(2.0), error = 1e-6;
    EXPECT_TRUE(fn.closestPoint(MPoint(3, 3, 1), &u, &v, false, error).isEquivalent(MPoint(root, root, 1), error));
    EXPECT_NEAR(u, 0.5, error);
    EXPECT_NEAR(v, 0.2, error);
    EXPECT_TRUE(
        fn.closestPoint(MPoint(1, 1, 9), nullptr, nullptr, false, error).isEquivalent(MPoint(root, root, 5), error))
        << "at the border";
    EXPECT_TRUE(fn.closestPoint(MPoint(7, -3, -1)).isEquivalent(MPoint(2, 0, 0), 1e-3)) << "at a corner";

    ASSERT_EQ(createWaves(), MS::kSuccess);
    for (const MPoint target : {MPoint(1, 2, 1), MPoint(3.2, -1, 2.5), MPoint(2, 0, 2)}) {
        double nearest = INFINITY;  // of a dense grid
        for (int i = 0; i <= 200; ++i)
            for (int j = 0; j <= 200; ++j) {
                MPoint p;
                fn.getPointAtParam(i / 100.0, 1 + j / 100.0, p);
                nearest = std::min(nearest, p.distanceTo(target));
            }
        const MPoint found = fn.closestPoint(target, &u, &v, false, error);
        EXPECT_LE(found.distanceTo(target), nearest) << target;
        MPoint p;
        fn.getPointAtParam(u, v, p);
        EXPECT_EQ(p, found);
    }
}

TEST_F(SurfaceTest, wrongKnotsAreRefused) {
    const std::vector<MPoint> four(4);
    EXPECT_EQ(create(four, {0, 1}, {0, 1}, 1, 1), MS::kSuccess);
    const size_t before = said.errors.size();
    EXPECT_EQ(create(four, {0, 1, 2}, {0, 1}, 1, 1), MS::kInvalidParameter) << "knots of 3 x 2";
    EXPECT_EQ(create(four, {1, 0}, {0, 1}, 1, 1), MS::kInvalidParameter) << "descending";
    EXPECT_EQ(create(four, {0, 1}, {0, 1}, 0, 1), MS::kInvalidParameter);
    EXPECT_EQ(create(four, {}, {0, 1}, 1, 1), MS::kInvalidParameter);
    EXPECT_EQ(create(four, {0, 1}, {0, 1}, 1, 1, false, MFnNurbsSurface::kLast), MS::kInvalidParameter);
    ASSERT_EQ(said.errors.size(), before + 5);
    EXPECT_EQ(said.errors[before], "MFnNurbsSurface::create: 4 control vertices; the knots are those of 3 x 2");
    MStatus status;
    MFnNurbsSurface empty(MFnNurbsSurfaceData().create());
    EXPECT_EQ(empty.numCVsInU(&status), 0);
    EXPECT_EQ(status, MS::kFailure) << "nothing in it yet";
}

TEST_F(SurfaceTest, controlVerticesAreSetByRowAndColumn) {
    ASSERT_EQ(createCylinder(), MS::kSuccess);
    MPoint p;
    ASSERT_EQ(fn.getCV(1, 1, p), MS::kSuccess);
    EXPECT_EQ(p, MPoint(2, 2, 5, std::sqrt(0.5)));
    EXPECT_EQ(fn.setCV(2, 1, MPoint(0, 3, 5)), MS::kSuccess);
    EXPECT_EQ(fn.getCV(3, 0, p), MS::kInvalidParameter);
    EXPECT_EQ(fn.setCV(0, 2, p), MS::kInvalidParameter);
    fn.getPointAtParam(1, 1, p);
    EXPECT_TRUE(p.isEquivalent(MPoint(0, 3, 5), kRounding));
    MPointArray all;
    fn.getCVs(all);
    ASSERT_EQ(all.length(), 6u);
    EXPECT_EQ(all[5], MPoint(0, 3, 5));
    all[0].z = -1;
    EXPECT_EQ(fn.setCVs(all), MS::kSuccess);
    fn.getPointAtParam(0, 0, p);
    EXPECT_TRUE(p.isEquivalent(MPoint(2, 0, -1), kRounding));
    all.append(p);
    EXPECT_EQ(fn.setCVs(all), MS::kInvalidParameter);
}

TEST_F(SurfaceTest, aLoadedShapeIsEdited) {
    const auto edit = [](auto& set) {
        MPointArray all;
        EXPECT_EQ(set.getCVs(all), MS::kSuccess);
        all[0] = MPoint(0, 7, 0);
        EXPECT_EQ(set.setCVs(all), MS::kSuccess);
    };
    const auto sheet = std::make_shared<SurfaceData>();
    sheet->degreeU = sheet->degreeV = 1;
    sheet->knotsU = sheet->knotsV = {0, 1};
    sheet->cvs = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
    const NodePtr surface = graph.createWithParent("nurbsSurface", "loaded");
    surface->plug("cached").set(sheet);
    fn.setObject(Api::make(std::static_pointer_cast<Object>(surface)));
    edit(fn);
    EXPECT_EQ(surface->plug("local").data<SurfaceData>()->cvs[0], MPoint(0, 7, 0));
    EXPECT_EQ(sheet->cvs[0], MPoint(0, 0, 0)) << "others that hold the data keep theirs";

    const auto line = std::make_shared<CurveData>();
    line->degree = 1;
    line->knots = {0, 1};
    line->cvs = {{0, 0, 0}, {1, 0, 0}};
    const NodePtr curve = graph.createWithParent("nurbsCurve", "loadedCurve");
    curve->plug("cached").set(line);
    MFnNurbsCurve curveFn(Api::make(std::static_pointer_cast<Object>(curve)));
    edit(curveFn);
    EXPECT_EQ(curve->plug("local").data<CurveData>()->cvs[0], MPoint(0, 7, 0));
}

TEST_F(SurfaceTest, aPeriodicSurfaceStaysClosed) {
    std::vector<MPoint> cvs;  // a tube of four sides; the first three rows again
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 2; ++j) cvs.emplace_back(i % 4 == 0 ? 1 : i % 4 == 2 ? -1 : 0, j, i % 4 - 1.5);
    ASSERT_EQ(create(cvs, {-2, -1, 0, 1, 2, 3, 4, 5, 6}, {0, 1}, 3, 1, false, MFnNurbsSurface::kPeriodic),
              MS::kSuccess);
    EXPECT_EQ(fn.formInU(), MFnNurbsSurface::kPeriodic);
    EXPECT_EQ(fn.setCV(5, 0, MPoint()), MS::kInvalidParameter) << "it is bound to row 1";
    ASSERT_EQ(fn.setCV(1, 0, MPoint(0, -5, 0)), MS::kSuccess);
    MPoint bound, start, end;
    fn.getCV(5, 0, bound);
    EXPECT_EQ(bound, MPoint(0, -5, 0));
    fn.getPointAtParam(0, 0, start);
    fn.getPointAtParam(4, 0, end);
    EXPECT_TRUE(start.isEquivalent(end, kRounding));
}

TEST_F(SurfaceTest, shapesEvaluateInWorldSpace) {
    const NodePtr transform = graph.create("transform", "t");
    ASSERT_EQ(createPlane(Api::make(std::static_pointer_cast<Object>(transform))), MS::kSuccess);
    EXPECT_EQ(fn.object().apiType(), MFn::kNurbsSurface);
    transform->plug("translate").set(0, 0, 10);
    transform->plug("rotate").set(std::acos(0.0), 0, 0);
    transform->plug("scale").set(1, 1, 2);
    MDagPath path;
    MDagPath::getAPathTo(fn.object(), path);
    MFnNurbsSurface world(path);
    MPoint p;
    // (0.5, 0, 0.25), twice as long in z, turned to -y
    ASSERT_EQ(world.getPointAtParam(1, 0.25, p, MSpace::kWorld), MS::kSuccess);
    EXPECT_TRUE(p.isEquivalent(MPoint(0.5, -0.5, 10), kRounding)) << p;
    EXPECT_TRUE(world.normal(0.5, 0.5, MSpace::kWorld).isEquivalent(MVector(0, 0, 1), kRounding));
    EXPECT_TRUE(world.closestPoint(MPoint(0, 0.6, 7), nullptr, nullptr, false, 1e-6, MSpace::kWorld)
                    .isEquivalent(MPoint(0, 0.6, 10), 1e-6));
    ASSERT_EQ(world.setCV(0, 0, MPoint(0, 0, 0), MSpace::kWorld), MS::kSuccess);
    world.getCV(0, 0, p);
    EXPECT_TRUE(p.isEquivalent(MPoint(0, -10, 0), kRounding)) << p;
    // A second shape receives it in world space.
    const NodePtr copy = graph.createWithParent("nurbsSurface", "copyShape");
    graph.connect(graph.plug("tShape.worldSpace[0]"), copy->plug("create"));
    MFnNurbsSurface(Api::make(std::static_pointer_cast<Object>(copy))).getCV(0, 0, p);
    EXPECT_TRUE(p.isEquivalent(MPoint(0, 0, 0), kRounding)) << p;
    EXPECT_EQ(MFnNurbsSurface(Api::make(std::static_pointer_cast<Object>(copy))).setCV(0, 0, p), MS::kFailure)
        << "it is driven";
}

}  // namespace
}  // namespace purl::host

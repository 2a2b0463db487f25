// Cameras and lights through the Maya API. The expected numbers are computed by hand from the lens equation
// tan(fov / 2) = aperture / (2 focal length): film of 36 x 24 mm at a focal length of 18 mm sees 90 degrees across.
#include <gtest/gtest.h>
#include <maya/MFnAmbientLight.h>
#include <maya/MFnAreaLight.h>
#include <maya/MFnCamera.h>
#include <maya/MFnDirectionalLight.h>
#include <maya/MFnPointLight.h>
#include <maya/MFnSpotLight.h>
#include <maya/MFnTransform.h>

#include <cmath>

#include "host/api/access.h"
#include "tests/host/testPlugin.h"

namespace purl::host {
namespace {

const double kPi = std::acos(-1.0);
constexpr double kInch = 25.4;       // mm
constexpr double kRounding = 1e-12;  // of a few operations in double precision on numbers of size 1

struct CameraTest : testing::Test {
    Graph graph;
    Said said{graph};
    Graph::Scope scope{graph};
    MFnCamera camera;
    MObject transform;
    void SetUp() override {
        transform = camera.create();
        camera.setHorizontalFilmAperture(36 / kInch);
        camera.setVerticalFilmAperture(24 / kInch);
        camera.setFocalLength(18);
        camera.setNearFarClippingPlanes(1, 3);
    }
    MDagPath path() const {
        MDagPath found;
        MDagPath::getAPathTo(camera.object(), found);
        return found;
    }
    void expectFrustum(double window, double halfWidth, double halfHeight, bool overscan = false) {
        double left, right, bottom, top;
        ASSERT_EQ(camera.getViewingFrustum(window, left, right, bottom, top, overscan), MS::kSuccess);
        EXPECT_NEAR(right, halfWidth, kRounding) << "window " << window;
        EXPECT_NEAR(left, -halfWidth, kRounding);
        EXPECT_NEAR(top, halfHeight, kRounding) << "window " << window;
        EXPECT_NEAR(bottom, -halfHeight, kRounding);
    }
};

TEST_F(CameraTest, aCameraIsCreatedWithATransformOrBelowOne) {
    EXPECT_EQ(transform.apiType(), MFn::kTransform);
    EXPECT_EQ(camera.object().apiType(), MFn::kCamera);
    EXPECT_STREQ(camera.object().apiTypeStr(), "kCamera");
    EXPECT_EQ(camera.parent(0), transform);
    MFnCamera second;
    const MObject made = second.create(transform);
    EXPECT_EQ(made, second.object());
    EXPECT_EQ(second.parent(0), transform);
    EXPECT_EQ(second.focalLength(), 35);
    MStatus status;
    MFnCamera none(transform, &status);
    EXPECT_EQ(status, MS::kInvalidParameter) << "a transform is no camera";
    none.focalLength(&status);
    EXPECT_EQ(status, MS::kFailure);
}

TEST_F(CameraTest, fieldsOfViewFollowFromLensAndFilm) {
    EXPECT_NEAR(camera.horizontalFieldOfView(), kPi / 2, kRounding);
    EXPECT_NEAR(camera.verticalFieldOfView(), 2 * std::atan(2.0 / 3), kRounding);
    EXPECT_NEAR(camera.aspectRatio(), 1.5, kRounding);
    EXPECT_EQ(camera.setHorizontalFieldOfView(kPi / 3), MS::kSuccess);
    EXPECT_NEAR(camera.focalLength(), 18 * std::sqrt(3.0), 1e-11);  // 18 / tan 30°
    EXPECT_EQ(camera.setVerticalFieldOfView(kPi / 2), MS::kSuccess);
    EXPECT_NEAR(camera.focalLength(), 12, 1e-11);
    EXPECT_EQ(camera.setAspectRatio(2), MS::kSuccess);
    EXPECT_NEAR(camera.verticalFilmAperture(), 18 / kInch, kRounding);
    EXPECT_EQ(camera.setHorizontalFieldOfView(0), MS::kInvalidParameter);
    EXPECT_EQ(camera.setVerticalFieldOfView(kPi), MS::kInvalidParameter);
    EXPECT_EQ(camera.setAspectRatio(0), MS::kInvalidParameter);
}

TEST_F(CameraTest, filmFitDecidesWhatAnImageShows) {
    const double wide = 3, square = 1, tall = 2.0 / 3;  // the film shows 2 x 4/3 on the near plane
    camera.setFilmFit(MFnCamera::kHorizontalFilmFit);
    expectFrustum(wide, 1, 1.0 / 3);
    expectFrustum(square, 1, 1);
    camera.setFilmFit(MFnCamera::kVerticalFilmFit);
    expectFrustum(wide, 2, tall);
    expectFrustum(square, tall, tall);
    camera.setFilmFit(MFnCamera::kFillFilmFit);  // no more than the film
    expectFrustum(wide, 1, 1.0 / 3);
    expectFrustum(square, tall, tall);
    camera.setFilmFit(MFnCamera::kOverscanFilmFit);  // all of the film
    EXPECT_EQ(camera.filmFit(), MFnCamera::kOverscanFilmFit);
    expectFrustum(wide, 2, tall);
    expectFrustum(square, 1, 1);
    EXPECT_EQ(camera.setFilmFit(MFnCamera::kInvalid), MS::kInvalidParameter);

    double horizontal, vertical;
    ASSERT_EQ(camera.getPortFieldOfView(640, 640, horizontal, vertical), MS::kSuccess);
    EXPECT_NEAR(horizontal, kPi / 2, kRounding);
    EXPECT_NEAR(vertical, kPi / 2, kRounding);
    EXPECT_EQ(camera.getPortFieldOfView(0, 640, horizontal, vertical), MS::kInvalidParameter);
}

TEST_F(CameraTest, scaleOverscanOffsetAndSqueezeChangeTheFrustum) {
    camera.setOverscan(1.5);
    expectFrustum(1.5, 1, 2.0 / 3);
    expectFrustum(1.5, 1.5, 1, true);
    camera.setCameraScale(2);
    expectFrustum(1.5, 2, 4.0 / 3);
    camera.setCameraScale(1);
    double left, right, bottom, top;
    camera.setLensSqueezeRatio(2);  // the film sees 4 x 4/3
    ASSERT_EQ(camera.getRenderingFrustum(3, left, right, bottom, top), MS::kSuccess);
    EXPECT_NEAR(right, 2, kRounding);
    EXPECT_NEAR(top, 2.0 / 3, kRounding);
    camera.setHorizontalFilmOffset(18 / kInch);
    camera.setVerticalFilmOffset(-9 / kInch);
    ASSERT_EQ(camera.getViewingFrustum(1.5, left, right, bottom, top), MS::kSuccess);
    EXPECT_NEAR(left, 0, kRounding);
    EXPECT_NEAR(right, 2, kRounding);
    EXPECT_NEAR(bottom, -2.0 / 3 - 0.5, kRounding);
    EXPECT_NEAR(top, 2.0 / 3 - 0.5, kRounding);
    EXPECT_EQ(camera.getViewingFrustum(0, left, right, bottom, top), MS::kInvalidParameter);
}

TEST_F(CameraTest, projectionTakesTheFrustumToTheUnitCube) {
    const auto project = [&](double x, double y, double z) {
        const MFloatMatrix m = camera.projectionMatrix();
        const double p[4] = {x, y, z, 1};
        double q[4] = {};
        for (unsigned int k = 0; k < 4; ++k)
            for (unsigned int i = 0; i < 4; ++i) q[k] += p[i] * double(m(i, k));
        return MPoint(q[0] / q[3], q[1] / q[3], q[2] / q[3]);
    };
    constexpr double kSingle = 1e-6;  // the matrix is in single precision
    // Left-handed: depth falls from 1 at the near plane to -1 at the far plane.
    EXPECT_TRUE(project(1, 2.0 / 3, -1).isEquivalent(MPoint(1, 1, 1), kSingle));
    EXPECT_TRUE(project(-3, 2, -3).isEquivalent(MPoint(-1, 1, -1), kSingle));
    EXPECT_TRUE(project(0, 0, -2).isEquivalent(MPoint(0, 0, -0.5), kSingle));  // (2 * -2 + 3) / 2
    EXPECT_EQ(camera.projectionMatrix()(2, 3), -1);
    camera.setIsOrtho(true);
    camera.setOrthoWidth(4);
    EXPECT_TRUE(camera.isOrtho());
    EXPECT_TRUE(project(2, -4.0 / 3, -1).isEquivalent(MPoint(1, -1, 1), kSingle));
    EXPECT_TRUE(project(-1, 0, -3).isEquivalent(MPoint(-0.5, 0, -1), kSingle));
}

TEST_F(CameraTest, aCameraLooksAlongItsNegativeZ) {
    MFnTransform place(transform);
    place.setTranslation(MVector(1, 2, 3), MSpace::kTransform);
    place.setRotation(MEulerRotation(0, kPi / 2, 0));
    const double twice[] = {2, 2, 2};
    place.setScale(twice);  // directions stay unit vectors
    camera.setCenterOfInterest(5);
    const MFnCamera world(path());
    EXPECT_TRUE(world.eyePoint(MSpace::kWorld).isEquivalent(MPoint(1, 2, 3), kRounding));
    EXPECT_TRUE(world.viewDirection(MSpace::kWorld).isEquivalent(MVector(-1, 0, 0), kRounding));
    EXPECT_TRUE(world.upDirection(MSpace::kWorld).isEquivalent(MVector(0, 1, 0), kRounding));
    EXPECT_TRUE(world.rightDirection(MSpace::kWorld).isEquivalent(MVector(0, 0, -1), kRounding));
    EXPECT_TRUE(world.centerOfInterestPoint(MSpace::kWorld).isEquivalent(MPoint(-4, 2, 3), kRounding));
    EXPECT_EQ(world.viewDirection(), MVector(0, 0, -1));
    EXPECT_EQ(world.centerOfInterestPoint(), MPoint(0, 0, -5));
    MStatus status;
    camera.eyePoint(MSpace::kWorld, &status);
    EXPECT_EQ(status, MS::kInvalidParameter) << "world space needs a path";
}

TEST_F(CameraTest, aViewIsSetInWorldSpace) {
    const NodePtr group = graph.create("transform", "group");
    group->plug("translate").set(10, 0, 0);
    group->plug("rotate").set(0, 0, kPi / 2);
    graph.setParent(Api::node(transform), group);
    MFnCamera world(path());
    const MPoint eye(1, 2, 3);
    ASSERT_EQ(world.set(eye, MVector(7, 0, 0), MVector(1, 1, 1), kPi / 2, 2), MS::kSuccess);
    EXPECT_TRUE(world.eyePoint(MSpace::kWorld).isEquivalent(eye, kRounding));
    EXPECT_TRUE(world.viewDirection(MSpace::kWorld).isEquivalent(MVector(1, 0, 0), kRounding));
    const double half = std::sqrt(0.5);  // up, perpendicular to the view
    EXPECT_TRUE(world.upDirection(MSpace::kWorld).isEquivalent(MVector(0, half, half), kRounding));
    EXPECT_NEAR(world.focalLength(), 18, 1e-11);
    EXPECT_NEAR(world.verticalFilmAperture(), 18 / kInch, kRounding);
    EXPECT_EQ(world.set(eye, MVector(0, 1, 0), MVector(0, 2, 0), 1, 1), MS::kInvalidParameter);
    EXPECT_TRUE(world.viewDirection(MSpace::kWorld).isEquivalent(MVector(1, 0, 0), kRounding));
}

TEST_F(CameraTest, aLockedAttributeRefusesItsCall) {
    Api::node(camera.object())->plug("focalLength").setLocked(true);
    EXPECT_EQ(camera.setFocalLength(50), MS::kFailure);
    EXPECT_EQ(camera.focalLength(), 18);
    ASSERT_EQ(said.errors.size(), 1u);
    EXPECT_NE(said.errors[0].find("focalLength"), std::string::npos) << said.errors[0];
}

// --- lights

TEST_F(CameraTest, lightsFormMayasHierarchy) {
    MFnSpotLight spot;
    EXPECT_EQ(spot.create().apiType(), MFn::kTransform);
    const MObject light = spot.object();
    EXPECT_EQ(light.apiType(), MFn::kSpotLight);
    for (const MFn::Type fn : {MFn::kLight, MFn::kNonAmbientLight, MFn::kNonExtendedLight, MFn::kSpotLight})
        EXPECT_TRUE(light.hasFn(fn)) << fn;
    for (const MFn::Type fn : {MFn::kAmbientLight, MFn::kAreaLight, MFn::kPointLight}) EXPECT_FALSE(light.hasFn(fn));
    MFnAmbientLight ambient;
    ambient.create();
    EXPECT_TRUE(ambient.object().hasFn(MFn::kLight));
    MStatus status;
    MFnNonAmbientLight wrong(ambient.object(), &status);
    EXPECT_EQ(status, MS::kInvalidParameter);
    MFnAreaLight area;
    area.create();
    MFnNonExtendedLight extended(area.object(), &status);
    EXPECT_EQ(status, MS::kInvalidParameter);
    MFnPointLight point;
    const MObject made = point.create(transform);
    EXPECT_EQ(made, point.object()) << "without a transform of its own";
    const MObject holder = point.create(transform, true, true);
    EXPECT_EQ(holder.apiType(), MFn::kTransform);
    EXPECT_EQ(MFnDagNode(holder).parent(0), transform);
    EXPECT_EQ(point.parent(0), holder);
}

TEST_F(CameraTest, lightsKeepWhatIsSet) {
    MFnSpotLight spot;
    spot.create();
    EXPECT_EQ(spot.intensity(), 1);
    EXPECT_EQ(spot.decayRate(), 0);
    EXPECT_NEAR(spot.coneAngle(), 40 * kPi / 180, kRounding);
    EXPECT_EQ(spot.setColor(MColor(1, 0.5f, 0.25f)), MS::kSuccess);
    spot.setIntensity(2.5f);
    spot.setDecayRate(2);
    spot.setUseRayTraceShadows(true);
    spot.setShadowColor(MColor(0, 0, 0.5f));
    spot.setShadowRadius(0.5f);
    spot.setNumShadowSamples(8);
    spot.setConeAngle(1);
    spot.setPenumbraAngle(-0.25);
    spot.setDropOff(3);
    const MFnLight light(spot.object());
    EXPECT_EQ(light.color(), MColor(1, 0.5f, 0.25f));
    EXPECT_EQ(light.intensity(), 2.5f);
    EXPECT_TRUE(light.useRayTraceShadows());
    EXPECT_EQ(light.shadowColor(), MColor(0, 0, 0.5f));
    EXPECT_EQ(light.numShadowSamples(), 8);
    EXPECT_EQ(spot.decayRate(), 2);
    EXPECT_EQ(graph.plug("spotLightShape1.lightRadius").number(), 0.5);
    EXPECT_EQ(spot.coneAngle(), 1);
    EXPECT_EQ(spot.penumbraAngle(), -0.25);
    EXPECT_EQ(spot.dropOff(), 3);
    EXPECT_EQ(spot.setDecayRate(4), MS::kInvalidParameter);
    MFnAmbientLight ambient;
    ambient.create();
    EXPECT_EQ(ambient.ambientShade(), 0.45f);
}

TEST_F(CameraTest, eachInstanceOfALightHasItsDirection) {
    MFnDirectionalLight light;
    const MObject first = light.create();
    const NodePtr second = graph.create("transform", "second");
    graph.addInstance(Api::node(light.object()), second);
    MFnTransform(first).setRotation(MEulerRotation(-kPi / 2, 0, 0));
    second->plug("rotate").set(0, kPi / 2, 0);
    constexpr float kSingle = 1e-6f;
    EXPECT_TRUE(light.lightDirection(0).isEquivalent(MFloatVector(0, -1, 0), kSingle));
    EXPECT_TRUE(light.lightDirection(1).isEquivalent(MFloatVector(-1, 0, 0), kSingle));
    EXPECT_TRUE(light.lightDirection(1, MSpace::kObject).isEquivalent(MFloatVector(0, 0, -1), kSingle));
    MStatus status;
    light.lightDirection(2, MSpace::kWorld, &status);
    EXPECT_EQ(status, MS::kInvalidParameter);
}

}  // namespace
}  // namespace purl::host

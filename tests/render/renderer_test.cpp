#include "render/renderer.h"

#include <gtest/gtest.h>

#include <limits>

#include "solver/core/error.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 160, kHeight = 120;
constexpr Vec3 kRed{0.8f, 0.02f, 0.02f}, kGreen{0.02f, 0.8f, 0.02f}, kWhite{0.8f, 0.8f, 0.8f};

// Front view: the plane z = 0 is 4 units high in the image, so a unit is 30 pixels and the origin in the centre.
View frontView() {
    View view;
    view.camera = lookAt({0, 0, 10}, {0, 0, 0});
    view.camera.verticalFov = 2 * std::atan(0.2f);
    view.ground.visible = false;
    view.lights[0].direction = {0, 0, -1};
    view.background = {0, 0, 0};
    return view;
}

int pixelX(float x) { return int(std::floor(kWidth / 2 + 30 * x)); }
int pixelY(float y) { return int(std::floor(kHeight / 2 - 30 * y)); }

struct RendererTest : testing::Test {
    static void SetUpTestSuite() { renderer = std::make_unique<Renderer>(kWidth, kHeight); }
    static void TearDownTestSuite() { renderer.reset(); }
    static std::unique_ptr<Renderer> renderer;
};

std::unique_ptr<Renderer> RendererTest::renderer;

TEST_F(RendererTest, upIsUpAndRightIsRight) {
    const Mesh mesh = triangle({0.2f, 0.2f, 0}, {1.8f, 0.2f, 0}, {1, 1.8f, 0});  // in the upper right quarter, tip up
    View view = frontView();
    view.meshes = {matte(mesh, kRed)};
    const Picture picture = renderer->draw(view);
    ASSERT_EQ(picture.width, kWidth);
    ASSERT_EQ(picture.height, kHeight);
    EXPECT_TRUE(isRed(picture.pixel(pixelX(1), pixelY(0.6f))));
    EXPECT_TRUE(isRed(picture.pixel(pixelX(1), pixelY(1.7f))));
    EXPECT_TRUE(isRed(picture.pixel(pixelX(0.35f), pixelY(0.25f))));
    EXPECT_FALSE(isRed(picture.pixel(pixelX(0.35f), pixelY(1.7f))));
    EXPECT_FALSE(isRed(picture.pixel(pixelX(-1), pixelY(0.6f))));
    EXPECT_FALSE(isRed(picture.pixel(pixelX(1), pixelY(-0.6f))));
}

TEST_F(RendererTest, ballsCoverThePixelsOfTheirSpheres) {
    Points points;
    points.positions = {{-1, 0.5f, 0}, {1.2f, -0.8f, 0}};
    points.radii = {0.5f, 0.25f};
    PointsLook look;
    look.points = &points;
    look.color = kRed;
    View view = frontView();
    view.points = {look};
    const Picture picture = renderer->draw(view);
    int red = 0;
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const float worldX = (float(x) + 0.5f - kWidth / 2) / 30, worldY = (kHeight / 2 - float(y) - 0.5f) / 30;
            const bool is = isRed(picture.pixel(x, y));
            red += is;
            for (size_t i = 0; i < 2; ++i) {
                const float gap = std::hypot(worldX - points.positions[i].x, worldY - points.positions[i].y);
                // a pixel is 0.033 wide; off the axis a sphere projects to a slightly elongated ellipse
                EXPECT_TRUE(is || gap > points.radii[i] - 0.06f) << x << ", " << y;
            }
        }
    }
    const float area = 3.14159f * 900 * (0.25f + 0.0625f);
    EXPECT_NEAR(float(red), area, 0.05f * area);
    EXPECT_FALSE(isRed(picture.pixel(kWidth / 2, kHeight / 2)));
}

TEST_F(RendererTest, theNearerThingIsSeenWhateverTheOrder) {
    const Mesh back = card(-1, -1, 1, 1, 0), front = card(-0.5f, -1.5f, 0.5f, 1.5f, 1);
    Points points;  // its front at z = 0.5 intersects the back card, its centre does not
    points.positions = {{0.8f, 0, -0.2f}};
    points.radii = {0.7f};
    PointsLook look;
    look.points = &points;
    look.color = {0.02f, 0.02f, 0.8f};
    View view = frontView();
    view.points = {look};
    view.meshes = {matte(back, kRed), matte(front, kGreen)};
    const Picture once = renderer->draw(view);
    std::swap(view.meshes[0], view.meshes[1]);
    EXPECT_EQ(renderer->draw(view), once);
    EXPECT_TRUE(isGreen(once.pixel(pixelX(0), pixelY(0))));
    EXPECT_TRUE(isRed(once.pixel(pixelX(-0.8f), pixelY(0))));
    const uint8_t* ball = once.pixel(pixelX(0.85f), pixelY(0));
    EXPECT_GT(ball[2], 2 * ball[0]);
    EXPECT_TRUE(isRed(once.pixel(pixelX(0.9f), pixelY(0.85f))));
}

TEST_F(RendererTest, theLitSideIsBrighter) {
    const Mesh mesh = ball({0, 0, 0}, 1, 24);
    Points points;
    points.positions = {{0, 0, 0}};
    PointsLook look;
    look.points = &points;
    look.color = kWhite;
    look.radius = 1;
    View asMesh = frontView(), asPoint = frontView();
    asMesh.meshes = {matte(mesh, kWhite)};
    asPoint.points = {look};
    for (View* view : {&asMesh, &asPoint}) {
        for (const float side : {-1.0f, 1.0f}) {
            view->lights[0].direction = {-side, 0, -0.3f};  // light from the right for side 1
            const Picture picture = renderer->draw(*view);
            const int lit = brightness(picture, pixelX(0.7f * side), pixelY(0));
            const int dark = brightness(picture, pixelX(-0.7f * side), pixelY(0));
            EXPECT_GT(lit, dark + 150);
            EXPECT_GT(dark, 30) << "the sky fills shadows";
        }
    }
}

TEST_F(RendererTest, aPointLightAndAnAmbientLightShine) {
    const Mesh mesh = card(-1.5f, -1.5f, 1.5f, 1.5f, 0);
    View view = frontView();
    view.sky.intensity = 0;
    view.meshes = {matte(mesh, {0.5f, 0.5f, 0.5f})};
    view.lights.clear();
    EXPECT_EQ(brightness(renderer->draw(view), pixelX(0), pixelY(0)), 0);
    Light ambient;
    ambient.kind = LightKind::ambient;
    ambient.intensity = 0.4f;
    view.lights = {ambient};
    const Picture even = renderer->draw(view);
    EXPECT_NEAR(even.pixel(pixelX(0), pixelY(0))[0], 124, 1);  // 0.2 in sRGB
    Light lamp;
    lamp.kind = LightKind::point;
    lamp.position = {1, 0, 0.5f};
    lamp.decay = 2;
    lamp.intensity = 0.2f;
    view.lights = {lamp};
    const Picture spot = renderer->draw(view);
    EXPECT_GT(brightness(spot, pixelX(1), pixelY(0)), 3 * brightness(spot, pixelX(-1), pixelY(0)));
}

// A spot light one unit in front of a wall: full intensity inside the cone, fading over the penumbra, dark outside.
TEST_F(RendererTest, aSpotLightHasAConeWithAPenumbra) {
    const Mesh wall = card(-1.5f, -1.5f, 1.5f, 1.5f, 0);
    View view = frontView();
    view.sky.intensity = 0;
    view.meshes = {matte(wall, {0.5f, 0.5f, 0.5f})};
    Light lamp;
    lamp.kind = LightKind::spot;
    lamp.position = {0, 0, 1};
    lamp.direction = {0, 0, -1};
    lamp.cone = 2 * std::atan(0.5f);
    view.lights = {lamp};
    const auto at = [&](const Picture& picture, float x) { return brightness(picture, pixelX(x), pixelY(0)); };
    const Picture sharp = renderer->draw(view);
    EXPECT_GT(at(sharp, 0.4f), 100);
    EXPECT_EQ(at(sharp, 0.6f), 0);
    EXPECT_EQ(at(sharp, -0.6f), 0);
    view.lights[0].penumbra = std::atan(0.9f) - std::atan(0.5f);
    const Picture outward = renderer->draw(view);
    EXPECT_EQ(at(outward, 0.4f), at(sharp, 0.4f));
    EXPECT_GT(at(outward, 0.6f), at(outward, 0.8f));
    EXPECT_GT(at(outward, 0.8f), 0);
    EXPECT_EQ(at(outward, 1.0f), 0);
    view.lights[0].penumbra = std::atan(0.1f) - std::atan(0.5f);
    const Picture inward = renderer->draw(view);
    EXPECT_LT(at(inward, 0.4f), at(sharp, 0.4f));
    EXPECT_EQ(at(inward, 0.6f), 0);
    view.lights[0].penumbra = 0;
    view.lights[0].dropoff = 20;
    EXPECT_LT(at(renderer->draw(view), 0.4f), at(sharp, 0.4f));
}

// A long area light lights a wall more evenly along its length than across; nothing behind it; half the light where
// half of it is too far away.
TEST_F(RendererTest, anAreaLightIsSoftAndShinesForward) {
    const Mesh wall = card(-1.5f, -1.5f, 1.5f, 1.5f, 0);
    View view = frontView();
    view.sky.intensity = 0;
    view.meshes = {matte(wall, {0.5f, 0.5f, 0.5f})};
    Light lamp;
    lamp.kind = LightKind::area;
    lamp.position = {0, 0, 0.5f};
    lamp.direction = {0, 0, -1};
    lamp.across = {1.2f, 0, 0};
    lamp.up = {0, 0.1f, 0};
    lamp.decay = 2;
    lamp.intensity = 0.2f;
    view.lights = {lamp};
    const Picture lit = renderer->draw(view);
    EXPECT_GT(brightness(lit, pixelX(0.8f), pixelY(0)), 2 * brightness(lit, pixelX(0), pixelY(0.8f)));
    view.lights[0].direction = {0, 0, 1};
    EXPECT_EQ(brightness(renderer->draw(view), pixelX(0), pixelY(0)), 0);
    // a small one acts as a point light of its intensity, straight ahead
    view.lights[0].direction = {0, 0, -1};
    view.lights[0].across = view.lights[0].up = {};
    const int small = brightness(renderer->draw(view), pixelX(0), pixelY(0));
    view.lights[0].kind = LightKind::point;
    EXPECT_NEAR(small, brightness(renderer->draw(view), pixelX(0), pixelY(0)), 3);
}

TEST_F(RendererTest, thingsCastASoftShadowOnTheGround) {
    const Mesh cube = box({{-0.5f, 1, -0.5f}, {0.5f, 1.4f, 0.5f}});
    Points points;
    points.positions = {{0, 1.2f, 0}};
    points.radii = {0.5f};
    PointsLook look;
    look.points = &points;
    View withMesh, withBall, without;
    withMesh.meshes = {matte(cube)};
    withBall.points = {look};
    for (View* view : {&withMesh, &withBall, &without}) {
        view->camera = lookAt({0, 3, 6}, {0, 0.5f, 0});
        view->lights[0].direction = {1, -1, 0};  // the shadow falls at x = 1.2, beside the caster
        view->ground.grid = -1;
        view->focus = {{-1, 0, -1}, {1, 1, 1}};
    }
    const Camera& camera = without.camera;
    const Mat4 clip = perspective(camera.verticalFov, float(kWidth) / kHeight, 0.1f, 100) * viewMatrix(camera);
    const auto at = [&](const Picture& picture, Vec3 p) {
        const Vec3 q = project(clip, p);
        return brightness(picture, int((0.5f + 0.5f * q.x) * kWidth), int((0.5f - 0.5f * q.y) * kHeight));
    };
    const Picture bare = renderer->draw(without);
    for (const View* view : {&withMesh, &withBall}) {
        const Picture picture = renderer->draw(*view);
        EXPECT_LT(at(picture, {1.2f, 0, 0}), 0.8 * at(bare, {1.2f, 0, 0}));
        EXPECT_NEAR(at(picture, {-1.2f, 0, 0.3f}), at(bare, {-1.2f, 0, 0.3f}), 3);
        int between = 0;  // penumbra
        for (float x = 1.2f; x < 2.2f; x += 0.01f) {
            const int here = at(picture, {x, 0, 0});
            between += here > at(picture, {1.2f, 0, 0}) + 6 && here < at(bare, {x, 0, 0}) - 6;
        }
        EXPECT_GT(between, 1);
    }
}

TEST_F(RendererTest, aSurfaceDoesNotShadowItself) {
    const Mesh mesh = ball({0, 1, 0}, 1, 48);
    View view;
    view.meshes = {matte(mesh, kWhite)};
    view.ground.visible = false;
    view.camera = fitCamera(boundsOf(mesh), float(kWidth) / kHeight, {0, 0.2f, 1});
    view.lights[0].direction = {-1, -0.4f, -0.5f};
    const Picture picture = renderer->draw(view);
    // along a row the light decreases monotonically within rounding: shadow acne would ripple
    const int row = kHeight / 2;
    int ripples = 0;
    for (int x = kWidth / 2; x > kWidth / 2 - 35; --x) {
        ripples += brightness(picture, x, row) > brightness(picture, x + 1, row) + 3;
    }
    EXPECT_EQ(ripples, 0);
}

TEST_F(RendererTest, slantedEdgesAreSmooth) {
    const Mesh mesh = triangle({-1.5f, -1.5f, 0}, {1.5f, -1.5f, 0}, {-1.5f, 1.1f, 0});
    Points points;
    points.positions = {{0, 0, 0}};
    PointsLook look;
    look.points = &points;
    look.radius = 1;
    look.color = kWhite;
    View withMesh = frontView(), withBall = frontView();
    withMesh.meshes = {matte(mesh, kWhite)};
    withBall.points = {look};
    for (const View* view : {&withMesh, &withBall}) {
        const Picture picture = renderer->draw(*view);
        int between = 0;
        for (int y = 0; y < kHeight; ++y) {
            for (int x = 0; x < kWidth; ++x) {
                const int here = brightness(picture, x, y);
                between += here > 60 && here < 600;
            }
        }
        EXPECT_GT(between, 40);
        EXPECT_LT(between, 500);
    }
}

TEST_F(RendererTest, waterShowsWhatIsBehindItTintedByDepth) {
    const Mesh back = card(-2, -2, 2, 2, -2);
    const Mesh thin = box({{-1.2f, -0.5f, -0.1f}, {-0.2f, 0.5f, 0}}),
               thick = box({{0.2f, -0.5f, -1.5f}, {1.2f, 0.5f, 0}});
    View view = frontView();
    view.lights[0].direction = {0.6f, -0.6f, -1};  // no specular reflection into the eye
    view.meshes = {matte(back, kWhite), water(thin), water(thick)};
    for (size_t i = 1; i < 3; ++i) {
        view.meshes[i].clarity = 1;
        view.meshes[i].creaseAngle = 0.5f;  // flat shading
    }
    const Picture picture = renderer->draw(view);
    const auto blueness = [&](float x, float y) {
        const uint8_t* p = picture.pixel(pixelX(x), pixelY(y));
        return double(p[2]) / p[0];
    };
    EXPECT_LT(blueness(0, 0.8f), 1.1);
    EXPECT_GT(blueness(-0.7f, 0), blueness(0, 0.8f) + 0.03);
    EXPECT_GT(blueness(0.7f, 0), blueness(-0.7f, 0) + 0.5);

    // through the thin sheet a red card stays red; in front of the water it is unchanged
    const Mesh hidden = card(-1, -0.3f, -0.4f, 0.3f, -0.5f), before = card(0.5f, -0.3f, 0.9f, 0.3f, 0.5f);
    view.meshes.push_back(matte(hidden, kRed));
    view.meshes.push_back(matte(before, kGreen));
    const Picture more = renderer->draw(view);
    EXPECT_TRUE(isRed(more.pixel(pixelX(-0.7f), pixelY(0))));
    EXPECT_TRUE(isGreen(more.pixel(pixelX(0.7f), pixelY(0))));
}

TEST_F(RendererTest, openWaterIsAsDeepAsWhatLiesBehind) {
    const Mesh surface = card(-1, -1, 1, 1, 0), wall = card(-2, -2, 2, 2, -1);
    const Mesh closed = box({{-1, -1, -1}, {1, 1, 0}});
    View open = frontView(), shut = frontView();
    open.meshes = {matte(wall, kWhite), water(surface)};
    shut.meshes = {matte(wall, kWhite), water(closed)};
    shut.meshes[1].creaseAngle = 0.5f;
    const Picture a = renderer->draw(open), b = renderer->draw(shut);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(a.pixel(pixelX(0.3f), pixelY(0.3f))[k], b.pixel(pixelX(0.3f), pixelY(0.3f))[k], 6);
    }
}

TEST_F(RendererTest, glassIsBlendedInTheOrderOfDepth) {
    const Mesh wall = card(-2, -2, 2, 2, -1), sheet = card(-1, -1, 1, 1, 0);
    View view = frontView();
    view.meshes = {matte(sheet, kRed), matte(wall, kGreen)};
    view.meshes[0].opacity = 0.5f;
    const Picture picture = renderer->draw(view);
    const uint8_t* p = picture.pixel(pixelX(0), pixelY(0));
    EXPECT_GT(p[0], 100);
    EXPECT_GT(p[1], 100);
    EXPECT_TRUE(isGreen(picture.pixel(pixelX(1.5f), pixelY(0))));
}

TEST_F(RendererTest, linesHaveTheirWidthInPixels) {
    LinesLook look;
    look.ends = {{-2, 0.01f, 0}, {2, 0.01f, 0}, {1, -1, 30}, {1, -1, -5}};  // the second one starts behind the camera
    look.color = {1, 1, 1};
    look.width = 4;
    View view = frontView();
    view.lines = {look};
    const Picture picture = renderer->draw(view);
    int lit = 0;
    for (int y = 0; y < kHeight; ++y) lit += brightness(picture, pixelX(-1), y) > 380;
    EXPECT_NEAR(lit, 4, 1);
    EXPECT_GT(brightness(picture, pixelX(1), pixelY(-1)), 380);
}

TEST_F(RendererTest, theSameViewGivesTheSamePicture) {
    const Mesh cube = box({{-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f}}), drop = ball({0, 1.5f, 0}, 0.3f, 16);
    View view;
    view.meshes = {matte(cube), water(drop)};
    view.camera = fitCamera(boundsOf(view), float(kWidth) / kHeight);
    const Picture first = renderer->draw(view);
    View other;  // has no side effects
    other.background = {1, 0, 0};
    EXPECT_FALSE(renderer->draw(other) == first);
    EXPECT_EQ(renderer->draw(view), first);
}

TEST_F(RendererTest, twoRenderersLiveSideBySide) {
    const Mesh mesh = ball({0, 0, 0}, 1, 16);
    View view = frontView();
    view.meshes = {matte(mesh, kRed)};
    const Picture first = renderer->draw(view);
    {
        Renderer second(kWidth, kHeight), small(40, 30);
        EXPECT_EQ(second.draw(view), first);
        EXPECT_EQ(small.draw(view).width, 40);
        EXPECT_EQ(renderer->draw(view), first);
        EXPECT_TRUE(isRed(small.draw(view).pixel(20, 15)));
    }
    EXPECT_EQ(renderer->draw(view), first);
}

TEST(Renderer, drawsThroughOsMesaTheSame) {
#ifdef PURL_SANITIZED
    GTEST_SKIP() << "libOSMesa itself leaks a few bytes";
#endif
    std::unique_ptr<Renderer> other;
    try {
        other = std::make_unique<Renderer>(kWidth, kHeight, ContextKind::osmesa);
    } catch (const Error& error) { GTEST_SKIP() << error.what(); }
    const Mesh mesh = ball({0, 0, 0}, 1, 16);
    View view = frontView();
    view.meshes = {matte(mesh, kRed)};
    const Picture theirs = other->draw(view), ours = Renderer(kWidth, kHeight, ContextKind::egl).draw(view);
    int different = 0;
    for (size_t i = 0; i < ours.rgba.size(); ++i) different += std::abs(ours.rgba[i] - theirs.rgba[i]) > 2;
    EXPECT_LT(different, 50);
    EXPECT_TRUE(isRed(theirs.pixel(pixelX(0), pixelY(0))));
}

TEST_F(RendererTest, badInputIsAnErrorNotACrash) {
    Mesh mesh = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    View view = frontView();
    view.meshes = {matte(mesh)};
    mesh.triangles.edit()[2] = 7;
    try {
        renderer->draw(view);
        FAIL() << "no error";
    } catch (const Error& error) { EXPECT_STREQ(error.what(), "triangle: a triangle refers to vertex 7 of 3"); }
    mesh.triangles = {0, 1};
    EXPECT_THROW(renderer->draw(view), Error);
    EXPECT_THROW(Renderer(0, 10), Error);
    EXPECT_THROW(Renderer(1 << 20, 10), Error);

    // non-finite values are skipped
    const float nan = std::numeric_limits<float>::quiet_NaN();
    mesh = triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
    mesh.positions.edit().push_back({nan, 0, 0});
    mesh.triangles.edit().insert(mesh.triangles.edit().end(), {0, 1, 3});
    Points points;
    points.positions = {{nan, nan, nan}, {1.5f, 1, 0}};
    points.radii = {0.1f, 0.3f};
    PointsLook look;
    look.points = &points;
    look.color = kGreen;
    view.points = {look};
    view.meshes = {matte(mesh, kRed)};
    const Picture picture = renderer->draw(view);
    EXPECT_TRUE(isRed(picture.pixel(pixelX(0), pixelY(0))));
    EXPECT_TRUE(isGreen(picture.pixel(pixelX(1.5f), pixelY(1))));
}

TEST_F(RendererTest, anEmptyViewIsGroundAndBackground) {
    View view;
    view.camera = fitCamera(Bounds(), float(kWidth) / kHeight);
    const Picture picture = renderer->draw(view);
    EXPECT_GT(brightness(picture, kWidth / 2, kHeight - 5), 300);
    EXPECT_EQ(picture.pixel(3, 3)[3], 255);
}

// A straight yarn covers a strip of its width and colour, and ends at its last point.
TEST_F(RendererTest, yarnsAreTubesOfTheirWidth) {
    Curves curves;
    curves.counts = {3};
    curves.ids = {0};
    curves.colors = {kRed};
    curves.positions = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    curves.widths = {0.8f, 0.8f, 0.8f};
    View view = frontView();
    view.yarns = {{&curves}};
    const Picture picture = renderer->draw(view);
    for (const float x : {-0.9f, 0.0f, 0.9f}) {
        EXPECT_TRUE(isRed(picture.pixel(pixelX(x), pixelY(0)))) << x;
        EXPECT_TRUE(isRed(picture.pixel(pixelX(x), pixelY(0.3f)))) << x;
        EXPECT_FALSE(isRed(picture.pixel(pixelX(x), pixelY(0.5f)))) << x;
        EXPECT_FALSE(isRed(picture.pixel(pixelX(x), pixelY(-0.5f)))) << x;
    }
    EXPECT_FALSE(isRed(picture.pixel(pixelX(1.3f), pixelY(0))));
    curves.counts = {4};
    EXPECT_THROW(renderer->draw(view), Error);
}

}  // namespace
}  // namespace purl

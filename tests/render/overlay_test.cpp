// Drawing in another application's context: the same image as in our own, occluded where the application's is nearer,
// and with all state restored.
#include "render/overlay.h"

#include <gtest/gtest.h>

#include "render/glState.h"
#include "render/renderer.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 120, kHeight = 80;

// Another application's window: its context, and a framebuffer with depth, cleared to blue.
struct Window {
    std::unique_ptr<Context> context = openContext();
    std::unique_ptr<Context::Current> current = context->makeCurrent();
    Gl gl{*context};
    Handle color = makeTexture(gl, GL_RGBA8, kWidth + 16, kHeight + 16),
           depth = makeTexture(gl, GL_DEPTH_COMPONENT32F, kWidth + 16, kHeight + 16);
    Handle target = makeTarget(gl, color, depth);

    explicit Window(float depthThere = 1) {
        gl.BindFramebuffer(GL_FRAMEBUFFER, target);
        gl.ClearColor(0, 0, 1, 1);
        gl.ClearDepth(double(depthThere));
        gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl.Enable(GL_DEPTH_TEST);
    }
    Picture picture(int x0, int y0) const {
        std::vector<uint8_t> rows(size_t(4 * kWidth * kHeight));
        gl.ReadPixels(x0, y0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
        Picture picture{kWidth, kHeight, std::vector<uint8_t>(rows.size())};
        for (size_t y = 0; y < kHeight; ++y)
            std::copy_n(&rows[(kHeight - 1 - y) * 4 * kWidth], 4 * kWidth, &picture.rgba[y * 4 * kWidth]);
        return picture;
    }
};

bool isTheirs(const uint8_t* p) { return p[0] == 0 && p[1] == 0 && p[2] == 255; }

struct Things {
    Mesh pool = ball({-0.4f, 0, 0}, 0.5f, 16), post = box({{0.3f, -0.5f, -0.3f}, {0.7f, 0.6f, 0.1f}});
    View view;
    HostView hostView;

    Things() {
        view.meshes = {water(pool), matte(post, {0.7f, 0.3f, 0.1f})};
        view.ground.visible = false;
        view.occlusion = 0;
        view.camera = lookAt({0.6f, 0.8f, 3}, {0, 0, 0});
        hostView.viewFromWorld = viewMatrix(view.camera);
        hostView.clipFromView = perspective(view.camera.verticalFov, float(kWidth) / kHeight, 0.1f, 100);
        hostView.width = kWidth;
        hostView.height = kHeight;
    }
};

}  // namespace

TEST(Overlay, showsWhatThePictureDoes) {
    const Things things;
    const Picture ours = Renderer(kWidth, kHeight).draw(things.view);
    Window window;
    HostView hostView = things.hostView;
    hostView.x = 7;
    hostView.y = 5;
    Overlay overlay;
    overlay.draw(things.view, hostView);
    const Picture over = window.picture(7, 5);
    int same = 0, theirs = 0, edges = 0;
    const Picture backdrop = Renderer(kWidth, kHeight).draw([&] {
        View empty;
        empty.camera = things.view.camera;
        empty.ground.visible = false;
        return empty;
    }());
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const bool shown = !std::equal(ours.pixel(x, y), ours.pixel(x, y) + 3, backdrop.pixel(x, y));
            if (isTheirs(over.pixel(x, y))) {
                EXPECT_FALSE(shown) << x << " " << y;
                ++theirs;
            } else if (std::equal(over.pixel(x, y), over.pixel(x, y) + 3, ours.pixel(x, y))) {
                ++same;
            } else {
                ++edges;  // partly transparent, or rounded
            }
        }
    EXPECT_GT(same, 1500) << "the ball and the post";
    EXPECT_GT(theirs, 3000);
    EXPECT_LT(edges, same / 5);
}

TEST(Overlay, isHiddenWhereTheirPictureIsNearer) {
    const Things things;
    // our items are 2.6 to 3.6 away from the eye
    const Mat4& clip = things.hostView.clipFromView;
    const auto shown = [&](float distance) {
        Window window(0.5f + 0.5f * (clip.m[10] * -distance + clip.m[14]) / distance);
        Overlay().draw(things.view, things.hostView);
        const Picture picture = window.picture(0, 0);
        int count = 0;
        for (int i = 0; i < kWidth * kHeight; ++i) count += !isTheirs(&picture.rgba[size_t(4 * i)]);
        return count;
    };
    const int all = shown(50), half = shown(2.95f);
    EXPECT_GT(half, all / 10);
    EXPECT_LT(half, 9 * all / 10);
    EXPECT_EQ(shown(1), 0);
}

TEST(Overlay, parallelRaysAreThoseOfAnEyeFarAway) {
    Things things;
    const float half = 1.2f;
    things.hostView.clipFromView = orthographic(half, 0.1f, 100);
    things.hostView.clipFromView.m[0] *= float(kHeight) / kWidth;
    float behind = 0;
    const Camera camera = cameraOf(things.hostView, boundsOf(things.view), behind);
    EXPECT_GT(behind, 100);
    const Mat4 clip = perspective(camera.verticalFov, float(kWidth) / kHeight, 1, 10000) * viewMatrix(camera);
    const Mat4 theirs = things.hostView.clipFromView * things.hostView.viewFromWorld;
    // the contents are within one radius, and the eye is a thousand away
    for (const Vec3 p : things.post.positions) {
        EXPECT_NEAR(project(clip, p).x, project(theirs, p).x, 2e-3f);
        EXPECT_NEAR(project(clip, p).y, project(theirs, p).y, 2e-3f);
    }
    Window window;
    Overlay().draw(things.view, things.hostView);
    const Picture picture = window.picture(0, 0);
    const Vec3 p = project(theirs, {0.5f, 0, 0.1f});
    EXPECT_FALSE(isTheirs(picture.pixel(int((0.5f + 0.5f * p.x) * kWidth), int((0.5f - 0.5f * p.y) * kHeight))));
}

TEST(Overlay, leavesOpenGlAsItWas) {
    const Things things;
    const Window window;
    const Gl& gl = window.gl;
    const Handle texture = makeTexture(gl, GL_RGBA8, 4, 4), array = makeVertexArray(gl);
    gl.ActiveTexture(GL_TEXTURE0 + 2);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.BindVertexArray(array);
    gl.Enable(GL_SCISSOR_TEST);
    gl.Enable(GL_CULL_FACE);
    gl.DepthFunc(GL_GREATER);
    gl.BlendFunc(GL_ONE, GL_DST_ALPHA);
    gl.ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    gl.Viewport(3, 4, 50, 60);
    Overlay().draw(things.view, things.hostView);
    const auto number = [&](GLenum what) {
        GLint values[4] = {};
        gl.GetIntegerv(what, values);
        return values[0];
    };
    EXPECT_EQ(number(GL_ACTIVE_TEXTURE), GL_TEXTURE2);
    EXPECT_EQ(number(GL_TEXTURE_BINDING_2D), int(GLuint(texture)));
    EXPECT_EQ(number(GL_VERTEX_ARRAY_BINDING), int(GLuint(array)));
    EXPECT_EQ(number(GL_DRAW_FRAMEBUFFER_BINDING), int(GLuint(window.target)));
    EXPECT_EQ(number(GL_DEPTH_FUNC), GL_GREATER);
    EXPECT_EQ(number(GL_BLEND_DST_ALPHA), GL_DST_ALPHA);
    EXPECT_EQ(number(GL_VIEWPORT), 3);
    EXPECT_EQ(number(GL_CURRENT_PROGRAM), 0);
    GLboolean mask[4];
    gl.GetBooleanv(GL_COLOR_WRITEMASK, mask);
    EXPECT_TRUE(mask[0] && !mask[1]);
    EXPECT_TRUE(gl.IsEnabled(GL_SCISSOR_TEST) && gl.IsEnabled(GL_CULL_FACE) && gl.IsEnabled(GL_DEPTH_TEST));
    EXPECT_FALSE(gl.IsEnabled(GL_BLEND));
    EXPECT_EQ(gl.GetError(), GLenum(GL_NO_ERROR));
}

TEST(Overlay, needsAContext) { EXPECT_ANY_THROW(Overlay()); }

}  // namespace purl

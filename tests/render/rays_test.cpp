// Ray-marched liquids: the same surface as a mesh of the colour field.
#include <gtest/gtest.h>

#include <cmath>

#include "render/frameView.h"
#include "render/renderer.h"
#include "solver/core/random.h"
#include "solver/surface/surface.h"

namespace purl {
namespace {

constexpr int kWidth = 120, kHeight = 90;

// Two touching blobs of water, particles jittered by a tenth of a spacing.
Frame blobs() {
    Frame frame;
    constexpr float kSpacing = 0.1f;
    frame.bodies.push_back({"water", BodyKind::liquid, 1000, kSpacing, 2 * kSpacing});
    for (int i = 0; i < 40 * 24 * 24; ++i) {
        const auto at = [&](int n, uint64_t axis) {
            return kSpacing * (float(n) + 0.2f * (randomUnit(3, 3 * uint64_t(i) + axis) - 0.5f));
        };
        const Vec3 p{at(i % 40 - 20, 0), at(i / 40 % 24 - 12, 1), at(i / 960 - 12, 2)};
        if (length(p - Vec3{-0.6f, 0, 0}) > 0.9f && length(p - Vec3{0.8f, 0.2f, 0}) > 0.6f) continue;
        frame.points.ids.edit().push_back(i);
        frame.points.bodies.edit().push_back(0);
        frame.points.positions.edit().push_back(p);
    }
    return frame;
}

// Pixels covered by the liquid, by its id.
std::vector<bool> coveredBy(Renderer& renderer, const View& view) {
    Aovs layers;
    renderer.draw(view, &layers);
    std::vector<bool> covered;
    for (const int id : layers.ids) covered.push_back(id > 0 && layers.names[size_t(id - 1)] == "water");
    return covered;
}

}  // namespace

// B-132: from all sides, rays cover the same pixels as the mesh at the same depth.
TEST(Rays, coverWhatTheMeshCovers) {
    Renderer renderer(kWidth, kHeight);
    Frame frame = blobs();
    SurfaceParams plain;
    plain.smoothing = 0;
    std::list<Points> kept;
    FrameDisplay display;
    display.ground = false;
    display.rays = true;
    View rays = viewOf(frame, display, {}, kept);
    ASSERT_EQ(rays.liquids.size(), 1u);
    EXPECT_TRUE(rays.meshes.empty());
    frame.meshes.push_back(makeSurface(Device::cpu(), frame, 0, plain));
    display.rays = false;
    std::list<Points> others;
    View mesh = viewOf(frame, display, {}, others);
    ASSERT_EQ(mesh.meshes.size(), 1u);
    for (const Vec3 from : {Vec3{0, 0.3f, 1}, Vec3{1, 0.2f, 0.3f}, Vec3{-0.5f, 1, 0.2f}}) {
        rays.camera = mesh.camera = fitCamera(boundsOf(frame.meshes[0]), float(kWidth) / kHeight, from);
        const std::vector<bool> a = coveredBy(renderer, rays), b = coveredBy(renderer, mesh);
        int both = 0, either = 0;
        for (size_t i = 0; i < a.size(); ++i) {
            both += a[i] && b[i];
            either += a[i] || b[i];
        }
        EXPECT_GT(both, kWidth * kHeight / 10);
        EXPECT_GE(double(both), 0.95 * either);

        Aovs one, other;
        renderer.draw(rays, &one);
        renderer.draw(mesh, &other);
        double sum = 0;
        for (size_t i = 0; i < a.size(); ++i)
            if (a[i] && b[i]) sum += std::abs(one.depth[i] - other.depth[i]);
        EXPECT_LT(sum / both, 0.02) << "a fifth of a spacing";
    }
}

// Ray-marched liquids refract, tint and cast shadows, and match the mesh's image except for ripples, which smoothing
// removes from meshes.
TEST(Rays, lookAsTheMeshDoes) {
    Renderer renderer(kWidth, kHeight);
    Frame frame = blobs();
    std::list<Points> kept;
    FrameDisplay display;
    display.rays = true;
    View rays = viewOf(frame, display, {}, kept);
    frame.meshes.push_back(makeSurface(Device::cpu(), frame, 0));
    display.rays = false;
    std::list<Points> others;
    View mesh = viewOf(frame, display, {}, others), none;
    for (View* view : {&rays, &mesh, &none}) {
        view->focus = boundsOf(frame.meshes[0]);
        view->ground.height = -1.2f;
        view->camera = fitCamera(view->focus, float(kWidth) / kHeight);
    }
    const auto apart = [](const Picture& a, const Picture& b) {
        double sum = 0;
        for (size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(a.rgba[i] - b.rgba[i]);
        return sum / double(a.rgba.size());
    };
    const Picture byRays = renderer.draw(rays), byMesh = renderer.draw(mesh), empty = renderer.draw(none);
    EXPECT_LT(apart(byRays, byMesh), 0.5 * apart(byMesh, empty));
    EXPECT_EQ(byRays, renderer.draw(rays)) << "the same bits each time";
}

// Empty liquids are no error, and non-finite positions are skipped.
TEST(Rays, takeAnyParticles) {
    Renderer renderer(kWidth, kHeight);
    Points points;
    View view;
    view.liquids = {{&points, 0.1f, 0.2f}};
    view.camera = lookAt({0, 1, 5}, {0, 0, 0});
    const Picture empty = renderer.draw(view);
    points.positions = {{std::nanf(""), 0, 0}};
    EXPECT_EQ(renderer.draw(view), empty);
}

}  // namespace purl

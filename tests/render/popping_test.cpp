// Temporal coherence: small motions cause small changes from frame to frame, without popping.
#include <gtest/gtest.h>

#include <cmath>

#include "render/renderer.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 160, kHeight = 120;

// A pool with waves advanced by `phase`, a post in it and a yarn above it; new meshes with the same topology in each
// frame, as in a movie.
struct Moment {
    Mesh pool, post = box({{-0.2f, -0.5f, -0.2f}, {0.2f, 0.6f, 0.2f}});
    Curves yarn;
    View view;

    explicit Moment(float phase) {
        constexpr int kSide = 32;
        for (int j = 0; j <= kSide; ++j)
            for (int i = 0; i <= kSide; ++i) {
                const float x = -1.5f + 3.0f * float(i) / kSide, z = -1.5f + 3.0f * float(j) / kSide;
                pool.positions.edit().push_back({x, 0.04f * std::sin(4 * x + phase) * std::cos(3 * z), z});
            }
        for (int j = 0; j < kSide; ++j)
            for (int i = 0; i < kSide; ++i) {
                const int a = j * (kSide + 1) + i, b = a + kSide + 1;
                pool.triangles.edit().insert(pool.triangles.edit().end(), {a, b, a + 1, a + 1, b, b + 1});
            }
        yarn.plies = 3;
        yarn.counts = {6};
        yarn.ids = {0};
        yarn.colors = {{0.7f, 0.4f, 0.2f}};
        for (int i = 0; i < 6; ++i) {
            yarn.positions.edit().push_back(
                {-1.2f + 0.48f * float(i), 0.6f + 0.1f * std::sin(float(i) + 0.1f * phase), 0.6f});
            yarn.widths.edit().push_back(0.2f);
            yarn.twists.edit().push_back(1.5f * float(i));
        }
        view.meshes = {water(pool), matte(post, {0.8f, 0.2f, 0.1f})};
        YarnLook look;
        look.curves = &yarn;
        view.yarns = {look};
        view.ground.height = -0.5f;
        view.camera = lookAt({0.8f, 1.8f, 3.5f}, {0, 0, 0});
        view.focus = {{-1.5f, -0.5f, -1.5f}, {1.5f, 0.8f, 1.5f}};
    }
};

// Mean and maximum change of a pixel, of 255.
struct Change {
    double mean = 0;
    int most = 0;
};

Change changed(const Picture& a, const Picture& b) {
    Change change;
    for (size_t i = 0; i < a.rgba.size(); ++i) {
        const int own = std::abs(a.rgba[i] - b.rgba[i]);
        change.mean += own;
        change.most = std::max(change.most, own);
    }
    change.mean /= double(a.rgba.size());
    return change;
}

}  // namespace

// Equal views give equal images, whatever was drawn in between.
TEST(Films, whatStandsStillStaysTheSame) {
    Renderer renderer(kWidth, kHeight);
    const Moment still(0), other(1);
    const Picture first = renderer.draw(still.view);
    renderer.draw(other.view);
    EXPECT_EQ(changed(first, renderer.draw(Moment(0).view)).most, 0);
}

// For a slow wave, consecutive images differ by about the same amount: no frame jumps, and ten small steps change a
// tenth each of one large step.
TEST(Films, nothingPops) {
    Renderer renderer(kWidth, kHeight);
    constexpr int kFrames = 10;
    constexpr float kStep = 0.02f;
    std::vector<Picture> film;
    for (int i = 0; i <= kFrames; ++i) film.push_back(renderer.draw(Moment(kStep * float(i)).view));
    double sum = 0, most = 0;
    for (size_t i = 1; i < film.size(); ++i) {
        const double own = changed(film[i - 1], film[i]).mean;
        sum += own;
        most = std::max(most, own);
    }
    const double mean = sum / kFrames;
    EXPECT_GT(mean, 0);
    EXPECT_LT(most, 2 * mean) << "one step stands out";
    // Quantisation adds a little to every small step.
    EXPECT_LT(mean, 0.35 * changed(film.front(), film.back()).mean);
}

}  // namespace purl

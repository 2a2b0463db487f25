// Lumislices: the slice texture, the quads that show it, and their order.
#include "render/lumislice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "render/bitonicSort.h"
#include "render/renderer.h"
#include "render/yarnQuads.h"
#include "solver/core/random.h"
#include "solver/core/sort.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

// A winding yarn with sharp bends at its points.
Curves winding() {
    Curves curves;
    curves.plies = 3;
    curves.counts = {40, 12};
    curves.ids = {0, 1};
    curves.colors = {{0.8f, 0.7f, 0.5f}, {0.2f, 0.3f, 0.8f}};
    for (int i = 0; i < 52; ++i) {
        const float t = float(i);
        curves.positions.edit().push_back({0.3f * t, std::sin(1.3f * t), 0.5f * std::cos(0.9f * t)});
        curves.widths.edit().push_back(0.2f);
        curves.twists.edit().push_back(0.8f * t);
    }
    return curves;
}

// A piece of yarn as long as it is wide.
Curves stub(Vec3 along) {
    Curves curves;
    curves.plies = 3;
    curves.counts = {3};
    curves.ids = {0};
    curves.colors = {{0.8f, 0.8f, 0.8f}};
    curves.positions = {-along, {0, 0, 0}, along};
    curves.widths = {2, 2, 2};
    curves.twists = {0, 1, 2};
    return curves;
}

int covered(const Picture& picture) {
    int pixels = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) pixels += picture.pixel(x, y)[0] > 24;
    return pixels;
}

}  // namespace

// G-39, B-49: alpha is fibre coverage, 0 outside the yarn; its sum matches the fibres' area; denser in the core than at
// the edge with its stray fibres; deterministic.
TEST(Lumislice, coversWhatItsFibresDo) {
    for (const int plies : {1, 2, 3, 4}) {
        SliceParams params;
        params.plies = plies;
        const Slice slice = makeSlice(params);
        EXPECT_EQ(makeSlice(params).rgba, slice.rgba);
        double alpha = 0, core = 0, rim = 0;
        for (int y = 0; y < slice.size; ++y)
            for (int x = 0; x < slice.size; ++x) {
                const uint8_t a = slice.rgba[size_t(4) * size_t(y * slice.size + x) + 3];
                const float texel = 2.0f / float(slice.size);
                const float out = std::hypot((float(x) + 0.5f) * texel - 1, (float(y) + 0.5f) * texel - 1);
                if (out > 1 + texel) { EXPECT_EQ(a, 0) << x << " " << y; }
                alpha += a / 255.0 * texel * texel;
                (out < 0.5f ? core : rim) += a / 255.0 * texel * texel;
            }
        const double fibres = slice.fibres * 3.14159265 * params.fibreRadius * params.fibreRadius;
        EXPECT_NEAR(alpha, fibres, 0.05 * fibres) << plies;
        EXPECT_GT(slice.fibres, 150) << plies;
        EXPECT_GT(core / 0.25, rim / 0.75) << plies;  // fractions of the circle's area
    }
}

// G-41: the spline passes through the points with a continuous tangent; the polyline has two tangents there.
TEST(YarnQuads, aSplineHasNoCorners) {
    const Curves curves = winding();
    const auto sharpest = [&](YarnShape shape) {
        const std::vector<YarnSample> samples = sampleYarns(curves, 0.002f, shape);
        float least = 1;
        for (size_t i = 1; i < samples.size(); ++i)
            if (samples[i].run == samples[i - 1].run)
                least = std::min(least, dot(samples[i].along, samples[i - 1].along));
        return least;
    };
    EXPECT_GT(sharpest(YarnShape::spline), 0.995f);  // at most a few degrees per step
    EXPECT_LT(sharpest(YarnShape::straight), 0.9f);
    const std::vector<YarnSample> samples = sampleYarns(curves, 0.002f);
    for (int i = 0; i < 40; ++i) {
        float nearest = 1;
        for (const YarnSample& s : samples) nearest = std::min(nearest, length(s.x - curves.positions[size_t(i)]));
        EXPECT_LT(nearest, 0.0011f) << i;  // half a step: a sample need not coincide with the point
    }
}

// G-42, G-43, G-44, B-53, B-54: even steps, one unbroken run per yarn; quads across face the tangent and rotate with
// the plies.
TEST(YarnQuads, evenGapsAndTwist) {
    const Curves curves = winding();
    YarnQuads quads;
    QuadSettings settings;
    settings.gap = 0.02f;
    settings.lengthwise = false;
    quads.set(curves, settings);
    quads.sortFrom({3, 2, 20});
    ASSERT_EQ(quads.count(), static_cast<int>(quads.samples().size()));
    for (const int yarn : {0, 1}) {
        std::vector<float> gaps;
        const std::vector<YarnSample>& all = quads.samples();
        for (size_t i = 1; i < all.size(); ++i)
            if (all[i].run == yarn && all[i - 1].run == yarn) gaps.push_back(length(all[i].x - all[i - 1].x));
        const float mean = std::accumulate(gaps.begin(), gaps.end(), 0.0f) / float(gaps.size());
        float spread = 0;
        for (const float gap : gaps) spread += (gap - mean) * (gap - mean);
        EXPECT_LT(std::sqrt(spread / float(gaps.size())), 0.02f * mean);
        EXPECT_NEAR(mean, settings.gap, 0.01f * settings.gap);
        const auto first = std::find_if(all.begin(), all.end(), [&](const YarnSample& s) { return s.run == yarn; });
        EXPECT_TRUE(std::all_of(first, first + long(gaps.size()) + 1, [&](const auto& s) { return s.run == yarn; }));
    }
    std::vector<QuadVertex> corners(size_t(4) * size_t(quads.count()));
    quads.expand(0, quads.count(), corners.data());
    for (size_t q = 0; q < corners.size(); q += 4) {
        const Vec3 normal = normalized(
            cross(corners[q + 1].position - corners[q].position, corners[q + 3].position - corners[q].position));
        EXPECT_GT(std::abs(dot(normal, corners[q].along)), 0.999f);
    }
    // Twist between samples: the curve's twist per length times the step.
    const std::vector<YarnSample>& all = quads.samples();
    const float first = all[0].twist, last = 0.8f * 39;
    float sum = 0;
    for (size_t i = 1; i < all.size() && all[i].run == 0; ++i) sum += all[i].twist - all[i - 1].twist;
    EXPECT_NEAR(sum, last - first, 1e-3f);
}

// G-45, G-46, B-52: back to front, each quad once; sorted again only if the eye or the yarn changed.
TEST(YarnQuads, farToNearForEachEye) {
    Curves curves = winding();
    YarnQuads quads;
    QuadSettings settings;
    settings.gap = 0.01f;
    quads.set(curves, settings);
    const Vec3 eye{5, 1, 4};
    quads.sortFrom(eye);
    std::vector<QuadVertex> corners(size_t(4) * size_t(quads.count()));
    quads.expand(0, quads.count(), corners.data());
    const auto middles = [&] {
        std::vector<std::array<float, 3>> list;
        for (size_t q = 0; q < corners.size(); q += 4) {
            const Vec3 m = 0.25f * (corners[q].position + corners[q + 1].position + corners[q + 2].position +
                                    corners[q + 3].position);
            list.push_back({m.x, m.y, m.z});
        }
        return list;
    };
    float before = 1e30f;
    auto all = middles();
    for (const auto& m : all) {
        const float distance = length(Vec3{m[0], m[1], m[2]} - eye);
        EXPECT_LE(distance, before + 1e-5f);
        before = distance;
    }
    EXPECT_EQ(quads.sorts(), 1);
    quads.set(curves, settings);
    quads.sortFrom(eye);
    EXPECT_EQ(quads.sorts(), 1) << "nothing moved";
    quads.sortFrom({-5, 1, -5});
    EXPECT_EQ(quads.sorts(), 2);
    quads.expand(0, quads.count(), corners.data());
    auto others = middles();
    std::sort(all.begin(), all.end());
    std::sort(others.begin(), others.end());
    EXPECT_EQ(all, others) << "the same quads, in another order";
    curves.positions.edit()[3].y += 0.1f;
    quads.set(curves, settings);
    quads.sortFrom({-5, 1, -5});
    EXPECT_EQ(quads.sorts(), 3);
}

// B-50: from every direction one of the three stacks faces the eye at least as much as the sides of a cube seen along
// its diagonal; a single stack is edge-on from some directions.
TEST(YarnQuads, someStackFacesEveryEye) {
    YarnQuads quads;
    QuadSettings settings;
    settings.gap = 0.1f;
    const auto squarest = [&](bool lengthwise) {
        settings.lengthwise = lengthwise;
        quads.set(stub({1, 0, 0}), settings);
        quads.sortFrom({0, 0, 9});
        std::vector<QuadVertex> corners(size_t(4) * size_t(quads.count()));
        quads.expand(0, quads.count(), corners.data());
        std::vector<Vec3> normals;
        for (size_t q = 0; q < corners.size(); q += 4)
            normals.push_back(normalized(
                cross(corners[q + 1].position - corners[q].position, corners[q + 3].position - corners[q].position)));
        float least = 1;
        for (uint64_t n = 0; n < 10000; ++n) {
            const float z = 2 * randomUnit(7, 2 * n) - 1, angle = 6.2831853f * randomUnit(7, 2 * n + 1);
            const float flat = std::sqrt(1 - z * z);
            const Vec3 view{flat * std::cos(angle), flat * std::sin(angle), z};
            float best = 0;
            for (const Vec3 normal : normals) best = std::max(best, std::abs(dot(view, normal)));
            least = std::min(least, best);
        }
        return least;
    };
    EXPECT_GE(squarest(true), 0.577f);
    EXPECT_LT(squarest(false), 0.01f);
}

// Culling changes no pixel: every quad that covers a pixel centre is kept, in the same order; most sub-pixel quads are
// dropped, and all of them if every pixel is occluded.
TEST(YarnQuads, thoseThatChangeNoPixelAreLeftOut) {
    constexpr int kWidth = 90, kHeight = 60;
    YarnQuads quads;
    QuadSettings settings;
    settings.gap = 0.02f;
    quads.set(winding(), settings);
    const Camera camera = lookAt({5, 1, 14}, {6, 0, 0});  // partly outside the image
    const Mat4 clip = perspective(camera.verticalFov, float(kWidth) / kHeight, 1, 40) * viewMatrix(camera);
    quads.sortFrom(camera.position);
    std::vector<QuadVertex> all(size_t(4) * size_t(quads.count()));
    quads.expand(0, quads.count(), all.data());
    std::vector<float> depths(size_t(kWidth * kHeight), 1.0f);
    quads.sortFrom(camera.position, QuadCulling{clip, kWidth, kHeight, depths.data()});
    std::vector<QuadVertex> shown(size_t(4) * size_t(quads.visibleCount()));
    quads.expand(0, quads.visibleCount(), shown.data());

    const auto covers = [&](const QuadVertex* v) {
        std::array<Vec3, 4> p;
        for (size_t k = 0; k < 4; ++k) {
            const Vec3 q = project(clip, v[k].position);
            p[k] = {(0.5f + 0.5f * q.x) * kWidth, (0.5f + 0.5f * q.y) * kHeight, 0};
        }
        const auto inside = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 m) {
            const float ab = cross(b - a, m - a).z, bc = cross(c - b, m - b).z, ca = cross(a - c, m - c).z;
            return (ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0);
        };
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const Vec3 middle{float(x) + 0.5f, float(y) + 0.5f, 0};
                if (inside(p[0], p[1], p[2], middle) || inside(p[0], p[2], p[3], middle)) return true;
            }
        return false;
    };
    size_t next = 0;
    int needed = 0;
    for (size_t q = 0; q < all.size(); q += 4) {
        const bool there = next < shown.size() && shown[next].position == all[q].position &&
                           shown[next + 2].position == all[q + 2].position;
        if (there) next += 4;
        if (!covers(&all[q])) continue;
        ++needed;
        EXPECT_TRUE(there) << "quad " << q / 4;
    }
    EXPECT_EQ(next, shown.size()) << "the same order";
    EXPECT_GT(needed, 1000);
    EXPECT_LT(quads.visibleCount(), needed + needed / 2);  // the margin of 1/32 pixel keeps some more
    EXPECT_LT(quads.visibleCount(), quads.count() / 2);

    std::fill(depths.begin(), depths.end(), 0.0f);
    quads.sortFrom(camera.position, QuadCulling{clip, kWidth, kHeight, depths.data()});
    EXPECT_EQ(quads.visibleCount(), 0);
}

// G-45: the GPU's bitonic sort gives the same order as the CPU's radix sort, including ties, and so the same image.
TEST(YarnQuads, areSortedAlikeByCpuAndGpu) {
    Renderer renderer(120, 80);
    const Curves curves = winding();
    View view;
    YarnLook look;
    look.curves = &curves;
    look.detail = YarnDetail::fibres;
    view.yarns = {look};
    view.camera = fitCamera(boundsOf(view), 1.5f);
    view.quadSort = QuadSort::cpu;
    const Picture byCpu = renderer.draw(view);
    EXPECT_GT(renderer.quads(), 5000);
    Renderer other(120, 80);
    view.quadSort = QuadSort::gpu;
    EXPECT_EQ(other.draw(view), byCpu);

    const std::unique_ptr<Context> context = openContext();
    const auto current = context->makeCurrent();
    const Gl gl(*context);
    const BitonicSort bitonic(gl);
    for (const int count : {1, 2, 1000, 5000}) {
        Buffer<uint64_t> keys, sortedKeys;
        Buffer<int> order, sortedOrder;
        for (Buffer<uint64_t>* list : {&keys, &sortedKeys}) list->resize(count);
        for (Buffer<int>* list : {&order, &sortedOrder}) list->resize(count);
        for (int i = 0; i < count; ++i) {
            keys[i] = sortedKeys[i] = randomBits(5, static_cast<uint64_t>(i)) % 700 * 6000000;  // many ties
            order[i] = sortedOrder[i] = i;
        }
        bitonic.sort(keys, order);
        sortByKey(sortedKeys, sortedOrder, 32);
        for (int i = 0; i < count; ++i) {
            EXPECT_EQ(keys[i], sortedKeys[i]);
            ASSERT_EQ(order[i], sortedOrder[i]) << i << " of " << count;
        }
    }
}

// G-40, B-51: three stacks are visible from everywhere, a single one vanishes edge-on.
TEST(YarnQuads, coverTheYarnFromEverywhere) {
    Renderer renderer(120, 120);
    View view;
    view.ground.visible = false;
    view.background = {0, 0, 0};
    int least = 1 << 30, most = 0, edgeOn = 0, faceOn = 0, fromTheSide = 0;
    const Curves yarn = stub({1, 0, 0});
    for (int i = 0; i < 27; ++i) {
        if (i == 13) continue;  // the centre of the cube
        const Vec3 from = normalized(Vec3{float(i % 3 - 1), float(i / 3 % 3 - 1), float(i / 9 - 1)});
        view.camera = lookAt(12.0f * from, {0, 0, 0}, std::abs(from.y) > 0.9f ? Vec3{0, 0, 1} : Vec3{0, 1, 0});
        view.camera.verticalFov = 0.4f;
        YarnLook look;
        look.curves = &yarn;
        look.detail = YarnDetail::fibres;
        look.core = false;
        view.yarns = {look};
        const int pixels = covered(renderer.draw(view));
        least = std::min(least, pixels);
        most = std::max(most, pixels);
        if (from == Vec3{1, 0, 0}) faceOn = pixels;
        if (from == Vec3{0, 0, 1}) {
            fromTheSide = pixels;
            view.yarns[0].stacks = YarnStacks::one;
            edgeOn = covered(renderer.draw(view));
        }
    }
    EXPECT_GT(least, most / 2);
    EXPECT_LT(edgeOn, most / 10);
    EXPECT_GT(most, 1000);
    EXPECT_GE(fromTheSide, 0.8 * faceOn);
    EXPECT_LT(edgeOn, 0.2 * faceOn);
}

// G-57, G-58: the wet end of a yarn is darker by C' = C (1 - 0.15 sqrt(s)) and thicker, as tubes and as fibres, since
// both are built from these samples.
TEST(YarnQuads, wetEndsAreDarkerAndThicker) {
    Curves curves = stub({3, 0, 0});
    const float wetness[] = {0, 0.25f, 1};
    for (const float s : wetness) curves.pointColors.edit().push_back((1 - 0.15f * std::sqrt(s)) * curves.colors[0]);
    curves.widths = {2, 2.05f, 2.2f};
    curves.twists = {0, 0, 0};  // the same fibres face the eye everywhere
    const float factors[] = {1, 0.925f, 0.85f};
    for (const auto& samples : {sampleYarns(curves, 0.01f), sampleSpans(curves, 4)}) {
        for (size_t i = 0; i < 3; ++i) {
            const auto nearest =
                std::min_element(samples.begin(), samples.end(), [&](const YarnSample& a, const YarnSample& b) {
                    return length(a.x - curves.positions[i]) < length(b.x - curves.positions[i]);
                });
            // a sample may be half a step from the point: 0.005 of 3, over which the colour changes by 0.06
            EXPECT_NEAR(nearest->color.x / curves.colors[0].x, factors[i], 2e-4f);
            EXPECT_NEAR(nearest->radius, curves.widths[i] / 2, 2e-3f);
        }
    }
    Renderer renderer(200, 80);
    View view;
    view.ground.visible = false;
    view.background = {0, 0, 0};
    view.camera = lookAt({0, 0, 12}, {0, 0, 0});
    view.lights[0].direction = {0, 0, -1};
    YarnLook look;
    look.curves = &curves;
    for (const YarnDetail detail : {YarnDetail::tubes, YarnDetail::fibres}) {
        look.detail = detail;
        view.yarns = {look};
        const Picture picture = renderer.draw(view);
        const auto mean = [&](int from, int to) {
            int sum = 0;
            for (int y = 34; y < 46; ++y)
                for (int x = from; x < to; ++x) sum += picture.pixel(x, y)[0];
            return double(sum) / (12 * (to - from));
        };
        const double dry = mean(70, 80), wet = mean(120, 130);
        EXPECT_LT(wet, 0.985 * dry) << int(detail);  // light falls by 0.88; after tone mapping and sRGB by 0.95 to 0.97
        EXPECT_GT(wet, 0.9 * dry) << int(detail);

        // Wet fibres have a highlight where they lie across the light, dry ones do not.
        Curves shiny = curves;
        shiny.wetting.wetness = {0, 0.25f, 1};
        view.yarns[0].curves = &shiny;
        const Picture gloss = renderer.draw(view);
        int brighter = 0, dryChanged = 0;
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width; ++x) {
                const int more = brightness(gloss, x, y) - brightness(picture, x, y);
                brighter += x > 100 && more > 10;
                dryChanged += x < 62 && std::abs(more) > 24;
            }
        EXPECT_GT(brighter, 100) << int(detail);
        EXPECT_EQ(dryChanged, 0) << int(detail);
    }
}

// Sub-pixel fibres would alias: by default thin yarns are tubes and wide ones show fibres.
TEST(Renderer, yarnsOfFewPixelsAreTubes) {
    Renderer renderer(160, 90);
    const Curves curves = winding();
    const auto drawn = [&](float away, YarnDetail detail) {
        View view;
        view.ground.visible = false;
        YarnLook look;
        look.curves = &curves;
        look.detail = detail;
        view.yarns = {look};
        view.camera = lookAt({6, 0, away}, {6, 0, 0});
        return renderer.draw(view).rgba;
    };
    EXPECT_EQ(drawn(30, YarnDetail::automatic), drawn(30, YarnDetail::tubes));
    EXPECT_NE(drawn(30, YarnDetail::automatic), drawn(30, YarnDetail::fibres));
    EXPECT_EQ(drawn(3, YarnDetail::automatic), drawn(3, YarnDetail::fibres));
}

// G-62: building, sorting and drawing of yarn are timed separately, and only on request.
TEST(Renderer, tellsWhatEachPassTook) {
    Renderer renderer(64, 64);
    const Curves curves = winding();
    View view;
    YarnLook look;
    look.curves = &curves;
    look.detail = YarnDetail::fibres;
    view.yarns = {look};
    view.camera = fitCamera(boundsOf(view), 1);
    renderer.draw(view);
    EXPECT_TRUE(renderer.times().empty());
    renderer.measure(true);
    renderer.draw(view);
    for (const char* name : {"upload", "shadow", "environment", "fibres: made", "fibres: sorted", "fibres: drawn"}) {
        const auto& times = renderer.times();
        EXPECT_EQ(std::count_if(times.begin(), times.end(), [&](const PassTime& t) { return t.name == name; }), 1)
            << name;
    }
    EXPECT_GT(renderer.quads(), 100);
    EXPECT_GT(renderer.quadBytes(), 1000u);
}

// G-61: the paper's size, 6.5 million quads, built and sorted.
TEST(YarnQuads, sixAndAHalfMillion_nightly) {
    Curves curves;
    curves.plies = 3;
    for (int yarn = 0; yarn < 130; ++yarn) {
        curves.counts.edit().push_back(1000);
        curves.ids.edit().push_back(yarn);
        curves.colors.edit().push_back({0.5f, 0.5f, 0.5f});
        for (int i = 0; i < 1000; ++i) {
            curves.positions.edit().push_back(
                {0.5f * float(i), float(yarn) + 0.3f * std::sin(float(i)), 0.2f * std::cos(float(i))});
            curves.widths.edit().push_back(0.3f);
            curves.twists.edit().push_back(0.5f * float(i));
        }
    }
    YarnQuads quads;
    QuadSettings settings;
    settings.gap = 0.052f;
    settings.layers = 6;
    settings.stride = 3;
    quads.set(curves, settings);
    quads.sortFrom({250, 60, 300});
    EXPECT_GT(quads.count(), 6500000);
    std::printf("%d quads, %.0f MB\n", quads.count(), double(quads.bytes()) / 1e6);
    EXPECT_LT(quads.bytes(), size_t(600) << 20);
}

}  // namespace purl

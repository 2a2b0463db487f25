// How long a picture of the paper's size takes (Güdükbay, fig. 7): a knit of 129 × 129 × 3 mass points, 64 thousand
// particles of water as a jet and a pool, yarn as some 6.5 million quads, 1280 × 720 pixels. The knit is as it was
// made, dented and wet in the middle by hand. Prints one JSON object: milliseconds a pass, of the fastest picture.
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/shapes.h"
#include "render/renderer.h"
#include "solver/core/random.h"
#include "solver/simulator.h"
#include "solver/surface/surface.h"

namespace {

using namespace purl;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// All threads' time on processors: the same beside other work.
double processorSeconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto of = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
    return of(used.ru_utime) + of(used.ru_stime);
}

// MB this process has ever held, as Linux counts.
double mostMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            double kilobytes = 0;
            status >> kilobytes;
            return 1.024e-3 * kilobytes;
        }
    return 0;
}

// Where the jet meets it the knit is pushed aside, and wet.
Curves wetKnit(int n) {
    Scene scene;
    Knit knit;
    knit.name = "panel";
    KnitParams& params = knit.params;
    params.motion = KnitMotion::simulated;
    params.color = {0.76f, 0.6f, 0.36f};
    hang(knit, n, {-0.5f * float(n) * params.stitchWidth, 0, 0});
    scene.knits.push_back(std::move(knit));
    Simulator simulator(Device::cpu(2));
    simulator.reset(scene);
    Curves curves = simulator.frame().curves.at(0);
    const Bounds bounds = [&] {
        Bounds all;
        for (const Vec3 p : curves.positions) all.include(p);
        return all;
    }();
    const float wide = bounds.size().x;
    size_t point = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn)
        for (int k = 0; k < curves.counts[yarn]; ++k, ++point) {
            Vec3& p = curves.positions.edit()[point];
            const Vec3 gap = (p - bounds.center()) / wide;
            const float near = std::exp(-16 * (gap.x * gap.x + gap.y * gap.y));
            p.z -= 0.25f * wide * near + 0.02f * wide * std::sin(19 * gap.x) * (0.5f - gap.y);
            const float wet = clamp(1.6f * near - 0.3f, 0, 1);
            curves.widths.edit()[point] *= 1 + 0.1f * wet;
            curves.pointColors.edit().push_back((1 - 0.45f * std::sqrt(wet)) * curves.colors[yarn]);
        }
    return curves;
}

// A jet that comes from the front to the middle of the box, and the pool below it.
Frame water(const Bounds& box, int particles) {
    const float wide = box.size().x;
    const float volume = 0.9f * wide * 0.7f * wide * 0.06f * wide + 3.1416f * square(0.03f * wide) * 0.5f * wide;
    const float d = std::cbrt(volume / float(particles));
    Frame frame;
    frame.bodies.push_back({"water", BodyKind::liquid, 1000, d, 2 * d});
    const auto fill = [&](Vec3 low, Vec3 high, auto&& inside) {
        for (float x = low.x; x < high.x; x += d)
            for (float y = low.y; y < high.y; y += d)
                for (float z = low.z; z < high.z; z += d) {
                    const auto id = static_cast<uint64_t>(frame.points.count());
                    const auto jitter = [&](uint64_t axis) { return 0.2f * d * (randomUnit(1, 3 * id + axis) - 0.5f); };
                    const Vec3 p{x + jitter(0), y + jitter(1), z + jitter(2)};
                    if (!inside(p)) continue;
                    frame.points.positions.edit().push_back(p);
                    frame.points.ids.edit().push_back(static_cast<int64_t>(id));
                    frame.points.bodies.edit().push_back(0);
                }
    };
    const Vec3 middle = box.center();
    const float floor = box.low.y - 0.12f * wide;
    const auto wave = [&](Vec3 p) { return 0.06f + 0.008f * std::sin(30 * p.x / wide) * std::cos(23 * p.z / wide); };
    fill({-0.45f * wide, floor, -0.3f * wide}, {0.45f * wide, floor + 0.08f * wide, 0.4f * wide},
         [&](Vec3 p) { return p.y < floor + wide * wave(p); });
    const float thick = 0.03f * wide;
    fill({-thick, middle.y - thick, -0.2f * wide}, {thick, middle.y + 3 * thick, 0.3f * wide}, [&](Vec3 p) {
        const float fall = 0.8f * square(0.3f * wide - p.z) / wide;
        return square(p.x) + square(p.y - middle.y - 2 * thick + fall) < square(thick);
    });
    return frame;
}

}  // namespace

int main(int count, char** words) {
    const auto word = [&](int k, int otherwise) { return count > k ? std::atoi(words[k]) : otherwise; };
    const int n = word(1, 129), particles = word(2, 64000), pictures = word(3, 3);
    if (n < 3 || particles < 100 || pictures < 1) {
        std::fprintf(stderr,
                     "usage: purl_bench_render [mass points along a side] [particles] [pictures] [a PNG to write]\n");
        return 2;
    }
    const Curves yarn = wetKnit(n);
    const Bounds box = boundsOf(yarn);
    const Frame frame = water(box, particles);
    const Mesh surface = makeSurface(Device::cpu(2), frame, 0);

    View view;
    view.meshes = {purl::water(surface)};
    YarnLook look;
    look.curves = &yarn;
    look.detail = YarnDetail::fibres;
    view.yarns = {look};
    view.ground.height = boundsOf(surface).low.y;
    view.focus = boundsOf(view);

    const double start = seconds();
    Renderer renderer(1280, 720);
    const double opened = seconds() - start;
    renderer.measure(true);
    double best = 1e30;
    std::vector<PassTime> times;
    Picture picture;
    for (int k = 0; k < pictures; ++k) {
        // the eye moves, so that quads are sorted anew; the first picture also makes them
        view.camera = fitCamera(box, 1280.0f / 720, {0.55f + 0.01f * float(k), 0.3f, 1}, -0.04f);
        const double begin = seconds(), worked = processorSeconds();
        picture = renderer.draw(view);
        const double took = seconds() - begin;
        std::fprintf(stderr, "picture %d: %.2f s, %.2f s of processors\n", k + 1, took, processorSeconds() - worked);
        for (const PassTime& time : renderer.times())
            std::fprintf(stderr, "  %-16s %8.1f ms\n", time.name.c_str(), 1e3 * time.seconds);
        if (took > best) continue;
        best = took;
        times = renderer.times();
    }
    std::printf(
        "{\"massPoints\": %d, \"particles\": %zu, \"triangles\": %zu, \"quads\": %d, \"open\": %.0f, \"picture\": %.0f",
        3 * n * n, frame.points.count(), surface.triangles.size() / 3, renderer.quads(), 1e3 * opened, 1e3 * best);
    for (const PassTime& time : times) std::printf(", \"%s\": %.1f", time.name.c_str(), 1e3 * time.seconds);
    std::printf(", \"quadMB\": %.0f, \"mostMB\": %.0f}\n", 1e-6 * double(renderer.quadBytes()), mostMemory());
    if (count > 4) writePng(picture, words[4]);
}

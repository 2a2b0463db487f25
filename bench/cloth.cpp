// Time of a cloth step: a square of n × n points in triangles, ten metres wide, hung at two corners, with steps of 1/60
// s; springs along its edges and, with "bend", folds across them. Matches pyPBD's regular triangle models
// (bench/cloth). Prints one JSON object; times in milliseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "solver/simulator.h"

namespace {

using namespace purl;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Cloth square(int n) {
    Cloth cloth;
    cloth.name = "cloth";
    const float spacing = 10 / static_cast<float>(n - 1);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            cloth.points.push_back({spacing * static_cast<float>(i), 0, spacing * static_cast<float>(j)});
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i;
            cloth.faces.counts.edit().insert(cloth.faces.counts.edit().end(), {3, 3});
            cloth.faces.corners.edit().insert(cloth.faces.corners.edit().end(),
                                              {a, a + n, a + n + 1, a, a + n + 1, a + 1});
        }
    cloth.pins.resize(cloth.points.size());
    cloth.pins[0] = cloth.pins[n - 1] = 1;
    return cloth;
}

}  // namespace

int main(int count, char** words) {
    const int n = count > 1 ? std::atoi(words[1]) : 100;
    const int threads = count > 2 ? std::atoi(words[2]) : 2;
    const int steps = count > 3 ? std::atoi(words[3]) : 60;
    const bool bend = count > 4 && std::strcmp(words[4], "bend") == 0;
    if (n < 2 || threads < 1 || steps < 1) {
        std::fprintf(stderr, "usage: purl_bench_cloth [points along a side] [threads] [steps] [bend]\n");
        return 2;
    }
    Scene scene;
    scene.cloths.push_back(square(n));
    ClothParams& params = scene.cloths[0].params;
    params.density = 1;
    params.stretchStiffness = 1e5f;
    params.bendStiffness = bend ? 0.01f : 0;
    params.damping = params.bendDamping = params.airDrag = params.windDrag = 0;
    params.iterations = 10;
    params.maxTimeStep = 1;

    Simulator simulator(Device::cpu(threads));
    simulator.reset(scene);
    std::vector<double> moves, wholes;
    for (int step = 1; step <= steps; ++step) {
        simulator.clearTimings();
        const double start = seconds();
        simulator.advanceTo(scene, step / 60.0);
        wholes.push_back(1e3 * (seconds() - start));
        for (const PhaseTime& phase : simulator.timings())
            if (phase.phase == "moveCloths") moves.push_back(1e3 * phase.seconds);
    }
    const auto median = [](std::vector<double> values) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
        return values[values.size() / 2];
    };
    // Edges of a grid with one diagonal per quad; every inner edge is a fold.
    const double edges = 2.0 * n * (n - 1) + double(n - 1) * (n - 1), folds = bend ? edges - 4.0 * (n - 1) : 0;
    std::printf(
        "{\"points\": %d, \"constraints\": %.0f, \"threads\": %d, \"step\": %.3f, \"best\": %.3f, "
        "\"advance\": %.3f, \"nsPerConstraintIteration\": %.2f}\n",
        n * n, edges + folds, threads, median(moves), *std::min_element(moves.begin(), moves.end()), median(wholes),
        1e6 * median(moves) / (10 * (edges + folds)));
}

// Time of a shape-matching step: a block of n × n × n points held at one side, with steps of 1/60 s of five iterations;
// with clusters of `across` points along a side, or a single one. For comparison with pyPBD's regular tetrahedral
// models of 30 × 30 × 30 points, matched per tetrahedron. Prints one JSON object; times in milliseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "solver/simulator.h"

int main(int count, char** words) {
    using namespace purl;
    const auto word = [&](int k, int otherwise) { return count > k ? std::atoi(words[k]) : otherwise; };
    const int n = word(1, 30), threads = word(2, 2), steps = word(3, 60), across = word(4, 4);
    if (n < 2 || threads < 1 || steps < 1 || across < 0) {
        std::fprintf(stderr,
                     "usage: purl_bench_soft [points along a side] [threads] [steps] [points along a cluster]\n");
        return 2;
    }
    constexpr float kSpacing = 0.1f;
    Scene scene;
    SoftBody body;
    body.name = "block";
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z) {
                body.points.push_back(kSpacing * Vec3{float(x), float(y), float(z)});
                body.pins.push_back(x == 0 ? 1.0f : 0.0f);
            }
    body.params.spacing = kSpacing;
    body.params.clusterSize = kSpacing * float(across);
    body.params.maxTimeStep = 1;
    body.params.iterations = 5;
    scene.softBodies.push_back(body);

    Simulator simulator(Device::cpu(threads));
    simulator.reset(scene);
    std::vector<double> moves;
    for (int step = 1; step <= steps; ++step) {
        simulator.clearTimings();
        simulator.advanceTo(scene, step / 60.0);
        for (const PhaseTime& phase : simulator.timings())
            if (phase.phase == "moveSoftBodies") moves.push_back(1e3 * phase.seconds);
    }
    std::sort(moves.begin(), moves.end());
    std::printf("{\"points\": %d, \"threads\": %d, \"step\": %.3f, \"best\": %.3f}\n", n * n * n, threads,
                moves[moves.size() / 2], moves[0]);
}

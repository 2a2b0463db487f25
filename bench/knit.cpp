// What a mass point of a simulated knit costs a step: a swatch of n × n mass points in each of its three layers, held
// along its upper edge, moved by the knit's own steps, ten at a time. Prints one JSON object; `step` is the median time
// of a step in milliseconds, `point` the same in nanoseconds for each mass point, `best` that of the fastest ten.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/shapes.h"
#include "solver/simulator.h"

int main(int count, char** words) {
    using namespace purl;
    const auto word = [&](int k, int otherwise) { return count > k ? std::atoi(words[k]) : otherwise; };
    const int n = word(1, 129), threads = word(2, 2), steps = word(3, 100), selfCollision = word(4, 0),
              solver = word(5, 0);
    if (n < 3 || threads < 1 || steps < 10 || selfCollision < 0 || selfCollision > 1 || solver < 0 || solver > 4) {
        std::fprintf(stderr,
                     "usage: purl_bench_knit [mass points along a side] [threads] [steps] [self-collision: 0, 1] "
                     "[solver: 0 xpbd … 4 velocityVerlet]\n");
        return 2;
    }
    Scene scene;
    Knit knit;
    knit.name = "swatch";
    KnitParams& params = knit.params;
    params.motion = KnitMotion::simulated;
    params.selfCollision = selfCollision ? SelfCollision::points : SelfCollision::none;
    params.solver = static_cast<ClothSolver>(solver);
    hang(knit, n, {0, 0, 0});
    scene.knits.push_back(std::move(knit));

    Simulator simulator(Device::cpu(threads));
    simulator.reset(scene);
    constexpr int kAtOnce = 10;
    std::vector<double> moves;
    for (int ten = 1; ten * kAtOnce <= steps; ++ten) {
        simulator.clearTimings();
        simulator.advanceTo(scene, 0.999 * ten * kAtOnce * double(scene.knits[0].params.maxTimeStep));
        for (const PhaseTime& phase : simulator.timings())
            if (phase.phase == "moveCloths") moves.push_back(1e3 / kAtOnce * phase.seconds);
    }
    std::sort(moves.begin(), moves.end());
    const int points = simulator.state().cloth.count();
    const double middle = moves[moves.size() / 2];
    std::printf("{\"points\": %d, \"threads\": %d, \"step\": %.3f, \"point\": %.1f, \"best\": %.1f}\n", points, threads,
                middle, 1e6 * middle / points, 1e6 * moves[0] / points);
}

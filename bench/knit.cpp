// Cost of simulated knits. Prints one JSON object; times are wall clock and, as `cpu…`, CPU time of all threads, which
// other load hardly changes.
//     swatch  n × n mass points in each of three layers, pinned along the upper edge, in the knit's own steps, ten at a
//             time: milliseconds per step, nanoseconds per mass point and step; medians, and the best ten.
//     jet     64 thousand water particles thrown at a hanging, absorbing knit of 50 thousand mass points (Güdükbay
//     2012,
//             fig. 7); then the water alone, against a board in place of the knit so that it does the same work; and
//             the knit alone over the same time: milliseconds per phase and step, steps and seconds per frame of 1/24
//             s, and the extra cost of both together. `free` is the water without any obstacle.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/shapes.h"
#include "solver/simulator.h"

namespace purl {
namespace {

// s, wall clock and CPU time of all threads.
struct Clock {
    double wall = 0, cpu = 0;

    static Clock now() {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
        return {wall.count(), seconds(used.ru_utime) + seconds(used.ru_stime)};
    }
    Clock since(const Clock& start) const { return {wall - start.wall, cpu - start.cpu}; }
};

// Vertical, n × n mass points, pinned along its upper edge, which is at the given height.
Knit swatchOf(int n, float top) {
    Knit knit;
    knit.name = "swatch";
    const KnitParams& params = knit.params;
    knit.params.motion = KnitMotion::simulated;
    hang(knit, n, {-0.5f * float(n - 1) * params.stitchWidth, top - float(n - 1) * params.stitchHeight, 0});
    return knit;
}

int runSwatch(int n, int threads, int steps, bool selfCollision, ClothSolver solver) {
    Scene scene;
    scene.knits.push_back(swatchOf(n, 0));
    scene.knits[0].params.selfCollision = selfCollision ? SelfCollision::points : SelfCollision::none;
    scene.knits[0].params.solver = solver;
    Simulator simulator(Device::cpu(threads));
    simulator.reset(scene);
    constexpr int kAtOnce = 10;
    std::vector<double> moves, cpus;
    for (int ten = 1; ten * kAtOnce <= steps; ++ten) {
        simulator.clearTimings();
        const Clock start = Clock::now();
        simulator.advanceTo(scene, 0.999 * ten * kAtOnce * double(scene.knits[0].params.maxTimeStep));
        const Clock all = Clock::now().since(start);
        for (const PhaseTime& phase : simulator.timings())
            if (phase.phase == "moveCloths") {
                moves.push_back(1e3 / kAtOnce * phase.seconds);
                // The frame's own part runs on one thread.
                cpus.push_back(1e3 / kAtOnce * (all.cpu - (all.wall - phase.seconds)));
            }
    }
    std::sort(moves.begin(), moves.end());
    std::sort(cpus.begin(), cpus.end());
    const int points = simulator.state().cloth.count();
    const double middle = moves[moves.size() / 2];
    std::printf(
        "{\"points\": %d, \"threads\": %d, \"step\": %.3f, \"point\": %.1f, \"best\": %.1f, \"cpuPoint\": %.1f}\n",
        points, threads, middle, 1e6 * middle / points, 1e6 * moves[0] / points, 1e6 * cpus[cpus.size() / 2] / points);
    return 0;
}

// The paper's scene scaled to common worsted: a knit 68 cm wide, water with 5 mm spacing.
Scene jetScene(bool water, bool knit, bool board = false) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    scene.solver.cfl = 0.4f;
    if (water) {
        Fluid fluid;
        fluid.name = "water";
        fluid.params.particleSpacing = 0.005f;
        const float half = 0.1f;
        fluid.params.startVelocity = {0, 0, -1.5f};
        fluid.volumes.push_back(boxMesh({-half, 0.45f - half, 0.115f - half}, {half, 0.45f + half, 0.115f + half}));
        scene.fluids.push_back(fluid);
    }
    if (knit) {
        scene.knits.push_back(swatchOf(129, 0.7f));
        scene.knits[0].pores.params.absorption = water ? Absorption::soak : Absorption::none;
        scene.knits[0].pores.params.soakDepth = 0.002f;
    }
    if (board) {
        Collider panel;
        panel.name = "panel";
        panel.params.shape = ColliderShape::box;
        panel.params.halfSize = {0.34f, 0.26f, 0.002f};
        panel.pose.position = {0, 0.44f, 0};
        scene.colliders.push_back(panel);
    }
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    scene.colliders.push_back(floor);
    return scene;
}

struct Run {
    double frames = 0, steps = 0;
    Clock time;
    std::vector<PhaseTime> phases;
};

// Starts a frame before the water reaches the knit.
Run run(const char* name, const Scene& scene, int threads, int frames) {
    constexpr double kWarm = 0.01;  // s
    constexpr int kParts = 4;       // per frame, for progress output
    Simulator simulator(Device::cpu(threads));
    simulator.reset(scene);
    simulator.advanceTo(scene, kWarm);
    std::fprintf(stderr, "%s: begun\n", name);
    Run result;
    result.frames = frames;
    simulator.clearTimings();
    const Clock start = Clock::now();
    for (int part = 1; part <= kParts * frames; ++part) {
        result.steps += simulator.advanceTo(scene, kWarm + part / (24.0 * kParts)).stats.steps;
        result.time = Clock::now().since(start);
        std::fprintf(stderr, "%s: %.2f frames, %.0f steps, %.1f s, %.1f s of processors\n", name, double(part) / kParts,
                     result.steps, result.time.wall, result.time.cpu);
    }
    result.phases = simulator.timings();
    return result;
}

int runJet(int threads, int frames) {
    const Run both = run("both", jetScene(true, true), threads, frames);
    const Run water = run("water", jetScene(true, false, true), threads, frames);
    const Run free = run("free", jetScene(true, false), threads, frames);
    const Run knit = run("knit", jetScene(false, true), threads, frames);
    const auto print = [](const char* name, const Run& run) {
        std::printf("\"%s\": {\"stepsPerFrame\": %.1f, \"secondsPerFrame\": %.3f, \"cpuSecondsPerFrame\": %.3f", name,
                    run.steps / run.frames, run.time.wall / run.frames, run.time.cpu / run.frames);
        for (const PhaseTime& phase : run.phases)
            std::printf(", \"%s\": %.2f", phase.phase.c_str(), 1e3 * phase.seconds / run.steps);
        std::printf("},\n ");
    };
    std::printf("{\"threads\": %d, \"frames\": %d,\n ", threads, frames);
    print("both", both);
    print("water", water);
    print("free", free);
    print("knit", knit);
    std::printf("\"coupling\": %.2f, \"cpuCoupling\": %.2f}\n", both.time.wall / (water.time.wall + knit.time.wall),
                both.time.cpu / (water.time.cpu + knit.time.cpu));
    return 0;
}

}  // namespace
}  // namespace purl

int main(int count, char** words) {
    using namespace purl;
    const auto word = [&](int k, int otherwise) { return count > k ? std::atoi(words[k]) : otherwise; };
    if (count > 1 && std::string(words[1]) == "jet") {
        const int threads = word(2, 2), frames = word(3, 1);
        if (threads > 0 && frames > 0) return runJet(threads, frames);
    } else {
        const int n = word(1, 129), threads = word(2, 2), steps = word(3, 100), selfCollision = word(4, 0),
                  solver = word(5, 0);
        if (n >= 3 && threads > 0 && steps >= 10 && selfCollision >= 0 && selfCollision <= 1 && solver >= 0 &&
            solver <= 4)
            return runSwatch(n, threads, steps, selfCollision != 0, static_cast<ClothSolver>(solver));
    }
    std::fprintf(stderr,
                 "usage: purl_bench_knit [mass points along a side] [threads] [steps] [self-collision: 0, 1] "
                 "[solver: 0 xpbd … 4 velocityVerlet]\n       purl_bench_knit jet [threads] [frames]\n");
    return 2;
}

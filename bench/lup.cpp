// Lup's matrix (2015, §4.3.2) in three dimensions: 900, 2500 and 4900 particles of water fall into a tank together with
// 0 to 20 soft cubes of 27 points (five of 36 in the plane are the original's), each pressure solver at the steps it
// takes by itself. Prints a table: milliseconds a frame of a thirtieth of a second, mean and slowest, which real time
// asks to be 33 at the most.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/shapes.h"
#include "solver/simulator.h"

namespace {

using namespace purl;

constexpr float kSpacing = 0.05f;

Scene pool(int particles, int bodies, PressureSolver solver) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    // 10 × 10 on the ground, as high as there are particles.
    const float width = 10 * kSpacing, height = std::round(static_cast<float>(particles) / 100) * kSpacing;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = kSpacing;
    water.volumes.push_back(boxMesh({0, 0, 0}, {width, height, width}));
    scene.fluids.push_back(water);
    Collider tank;
    tank.name = "tank";
    tank.params.shape = ColliderShape::box;
    tank.params.container = true;
    tank.params.halfSize = {width, 2 * height, 0.5f * width};
    tank.pose.position = {width, 2 * height, 0.5f * width};
    scene.colliders.push_back(tank);
    for (int b = 0; b < bodies; ++b) {
        SoftBody body;
        body.name = "body" + std::to_string(b);
        const Vec3 low = kSpacing * Vec3{float(11 + b % 3 * 3), float(3 * (b / 9)) + 1, float(b / 3 % 3 * 3) + 1};
        for (int k = 0; k < 27; ++k)
            body.points.push_back(low + kSpacing * Vec3{float(k % 3), float(k / 3 % 3), float(k / 9)});
        body.params.spacing = kSpacing;
        body.params.density = 500;
        scene.softBodies.push_back(body);
    }
    return scene;
}

}  // namespace

int main(int count, char** words) {
    const int threads = count > 1 ? std::atoi(words[1]) : 2;
    const int frames = count > 2 ? std::atoi(words[2]) : 60;
    if (threads < 1 || frames < 1) {
        std::fprintf(stderr, "usage: purl_bench_lup [threads] [frames]\n");
        return 2;
    }
    const auto now = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    std::printf("| particles | bodies | solver | ms a frame | slowest |\n|---|---|---|---|---|\n");
    constexpr PressureSolver kSolvers[] = {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph};
    const Choices names = choicesOf(PressureSolver{});
    for (const int particles : {900, 2500, 4900})
        for (const int bodies : {0, 5, 10, 20})
            for (const PressureSolver solver : kSolvers) {
                const Scene scene = pool(particles, bodies, solver);
                Simulator simulator{Device::cpu(threads)};
                simulator.reset(scene);
                double sum = 0, slowest = 0;
                for (int frame = 1; frame <= frames; ++frame) {
                    const double start = now();
                    simulator.advanceTo(scene, frame / 30.0);
                    const double took = 1e3 * (now() - start);
                    sum += took;
                    slowest = std::max(slowest, took);
                }
                std::printf("| %d | %d | %s | %.1f | %.1f |\n", simulator.state().particles.count(), bodies,
                            std::string(names.begin()[static_cast<int>(solver)]).c_str(), sum / frames, slowest);
                std::fflush(stdout);
            }
}

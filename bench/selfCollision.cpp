// Cost of self-collision: n × n points, two metres wide, fall on a ball and hang down in folds, without self-collision,
// with point repulsion and with robust contact. Frames of the three alternate, so that other load affects all alike.
// Prints one JSON object: milliseconds per frame of 1/24 s, wall clock and CPU time; crossings are intersecting
// edge–triangle pairs of the robust mode, summed over all frames.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "solver/simulator.h"
#include "tests/solver/cloth/crossings.h"

namespace {

using namespace purl;

Scene drape(int n, SelfCollision mode) {
    Scene scene;
    Cloth cloth;
    cloth.name = "cloth";
    const float spacing = 2 / static_cast<float>(n - 1);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            cloth.points.push_back({spacing * static_cast<float>(i) - 1, 0, spacing * static_cast<float>(j) - 1});
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i;
            cloth.faces.counts.edit().push_back(4);
            cloth.faces.corners.edit().insert(cloth.faces.corners.edit().end(), {a, a + n, a + n + 1, a + 1});
        }
    cloth.params.selfCollision = mode;
    scene.cloths.push_back(cloth);
    Collider ball;
    ball.name = "ball";
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = 0.4f;
    ball.pose.position = {0, -0.5f, 0};
    scene.colliders.push_back(ball);
    return scene;
}

}  // namespace

int main(int count, char** words) {
    const int n = count > 1 ? std::atoi(words[1]) : 100;
    const int threads = count > 2 ? std::atoi(words[2]) : 2;
    const int frames = count > 3 ? std::atoi(words[3]) : 48;
    if (n < 2 || threads < 1 || frames < 2) {
        std::fprintf(stderr, "usage: purl_bench_selfCollision [points along a side] [threads] [frames]\n");
        return 2;
    }
    constexpr SelfCollision kModes[] = {SelfCollision::none, SelfCollision::points, SelfCollision::robust};
    std::vector<Scene> scenes;
    std::vector<std::unique_ptr<Simulator>> simulators;
    for (const SelfCollision mode : kModes) {
        scenes.push_back(drape(n, mode));
        simulators.push_back(std::make_unique<Simulator>(Device::cpu(threads)));
        simulators.back()->reset(scenes.back());
    }
    // It falls and folds in the first half of the frames and settles in the second.
    double wall[2][3] = {}, cpu[2][3] = {};
    int crossings = 0;
    for (int frame = 1; frame <= frames; ++frame)
        for (size_t m = 0; m < 3; ++m) {
            const int half = 2 * frame > frames;
            simulators[m]->clearTimings();
            const std::clock_t start = std::clock();
            const Frame& moved = simulators[m]->advanceTo(scenes[m], frame / 24.0);
            cpu[half][m] += 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC;
            for (const PhaseTime& phase : simulators[m]->timings())
                if (phase.phase == "moveCloths") wall[half][m] += 1e3 * phase.seconds;
            if (kModes[m] == SelfCollision::robust) crossings += test::crossingsIn(moved);
        }
    std::printf("{\"points\": %d, \"threads\": %d", n * n, threads);
    const auto print = [&](const char* name, const double* t) {
        const double share = 2.0 / frames;
        std::printf(", \"%s\": {\"none\": %.2f, \"points\": %.2f, \"robust\": %.2f, \"ratio\": %.2f}", name,
                    share * t[0], share * t[1], share * t[2], t[2] / t[0]);
    };
    print("falling", wall[0]);
    print("draped", wall[1]);
    print("fallingCpu", cpu[0]);
    print("drapedCpu", cpu[1]);
    std::printf(", \"crossings\": %d}\n", crossings);
}

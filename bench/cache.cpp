// How fast caches are written, as a share of what the disk takes from plain writes of the same size in the same run,
// and what caching adds to a simulation that goes on meanwhile. Prints one line a figure.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>

#include "bench/shapes.h"
#include "solver/cache/cache.h"
#include "solver/cache/file.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/vdb.h"
#include "solver/cache/writeBehind.h"
#include "solver/core/error.h"
#include "solver/core/random.h"
#include "solver/simulator.h"

namespace {

using namespace purl;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double secondsOf(const std::function<void()>& act) {
    const auto begin = Clock::now();
    act();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A cube of liquid with something in every channel.
Frame liquid(int particles, int number) {
    Frame frame;
    frame.metersPerUnit = 0.01;
    frame.time = number / 24.0;
    frame.bodies.push_back({"water", BodyKind::liquid, 1000, 2, 4});
    const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(particles))));
    Points& p = frame.points;
    for (int i = 0; i < particles; ++i) {
        const auto jitter = [&](uint64_t k) {
            return randomUnit(static_cast<uint64_t>(number), 3 * static_cast<uint64_t>(i) + k);
        };
        p.ids.edit().push_back(i);
        p.bodies.edit().push_back(0);
        p.positions.edit().push_back({2 * static_cast<float>(i % side) + jitter(0),
                                      2 * static_cast<float>(i / side % side) + jitter(1),
                                      2 * static_cast<float>(i / side / side) + jitter(2)});
        p.velocities.edit().push_back({jitter(0), jitter(1), jitter(2)});
        p.accelerations.edit().push_back({jitter(2), jitter(1), jitter(0)});
        p.densities.edit().push_back(1000 + jitter(0));
        p.pressures.edit().push_back(jitter(1));
        p.radii.edit().push_back(1.2f);
        p.ages.edit().push_back(jitter(2));
    }
    return frame;
}

uint64_t bytesIn(const std::string& folder) {
    uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
}

// As many files of as many bytes, already in memory, each written, made safe and closed.
double plainSeconds(const std::string& folder, uint64_t bytes, int files) {
    fs::create_directories(folder);
    const std::string block(static_cast<size_t>(bytes / static_cast<uint64_t>(files)), 'x');
    const double seconds = secondsOf([&] {
        for (int i = 0; i < files; ++i) writeFile(folder + "/" + std::to_string(i), block);
    });
    fs::remove_all(folder);
    return seconds;
}

void timeFormat(const std::string& root, const char* format, const std::vector<std::shared_ptr<const Frame>>& frames) {
    const std::string folder = root + "/purlBench";
    CacheSettings settings;
    settings.formats = {format};
    double best = 1e30, plain = 1e30, cpu = 1e30;
    uint64_t bytes = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        fs::remove_all(folder);
        const std::clock_t before = std::clock();
        best = std::min(best, secondsOf([&] {
                            CacheWriter writer(folder, settings);
                            WriteBehind behind;
                            for (size_t i = 0; i < frames.size(); ++i)
                                writer.writeBehind(behind, static_cast<int>(i) + 1, frames[i]);
                            behind.finish();
                        }));
        cpu = std::min(cpu, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        bytes = bytesIn(folder);
        plain = std::min(plain, plainSeconds(root + "/purlPlain", bytes, static_cast<int>(frames.size())));
    }
    fs::remove_all(folder);
    const double megabytes = 1e-6 * static_cast<double>(bytes);
    std::printf("%-5s %7.1f MB  %7.1f MB/s  plain %7.1f MB/s  share %5.1f %%  %7.1f MB a second of one core\n", format,
                megabytes, megabytes / best, megabytes / plain, 100 * plain / best, megabytes / cpu);
}

// The grids are there already: what is timed is the file.
void timeVdb(const std::string& root, const Frame& frame) {
    const std::vector<VdbGrid> grids = fogOf(frame.points, 2);
    double best = 1e30, plain = 1e30;
    uint64_t bytes = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        best = std::min(best,
                        secondsOf([&] { writeFile(root + "/purlBench.vdb", encodeVdb(grids, 0.01), Device::cpu(1)); }));
        bytes = fs::file_size(root + "/purlBench.vdb");
        plain = std::min(plain, plainSeconds(root + "/purlPlain", bytes, 1));
    }
    fs::remove(root + "/purlBench.vdb");
    const double megabytes = 1e-6 * static_cast<double>(bytes);
    std::printf("grids %7.1f MB  %7.1f MB/s  plain %7.1f MB/s  share %5.1f %%\n", megabytes, megabytes / best,
                megabytes / plain, 100 * plain / best);
}

Scene damBreak(int particles) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = static_cast<float>(std::cbrt(0.001 / particles));
    water.volumes.push_back(boxMesh({0, 0, 0}, {0.1f, 0.1f, 0.1f}));
    scene.fluids.push_back(water);
    Collider tank;
    tank.name = "tank";
    tank.params.shape = ColliderShape::box;
    tank.params.container = true;
    tank.params.halfSize = {0.15f, 0.2f, 0.05f};
    tank.pose.position = {0.15f, 0.2f, 0.05f};
    scene.colliders.push_back(tank);
    return scene;
}

// The same simulation with and without a cache, turn by turn, so that what else the machine does meets both.
void timeOverhead(const std::string& root, int particles, int frames) {
    const std::string folder = root + "/purlBench";
    const Scene scene = damBreak(particles);
    double without = 0, with = 0;
    Simulator plain(Device::cpu(2)), cached(Device::cpu(2));
    plain.reset(scene);
    cached.reset(scene);
    fs::remove_all(folder);
    CacheSettings settings;
    settings.formats = {"mcx"};
    CacheWriter writer(folder, settings);
    fs::create_directories(folder + "/state");
    WriteBehind behind;
    for (int n = 1; n <= frames; ++n) {
        without += secondsOf([&] { plain.advanceTo(scene, n / 24.0); });
        with += secondsOf([&] {
            const auto frame = std::make_shared<Frame>(inUnits(cached.advanceTo(scene, n / 24.0), 0.01));
            const auto state = std::make_shared<std::string>(encodeState(cached.state()));
            writer.writeBehind(behind, n, frame);
            behind.add([&, state, n] { writeFile(folder + "/state/" + std::to_string(n) + ".purl", *state); });
        });
    }
    with += secondsOf([&] { behind.finish(); });
    std::printf("caching %d particles, %d frames: %.2f s without, %.2f s with: %+.1f %%\n",
                plain.frame().points.count() ? static_cast<int>(plain.frame().points.count()) : 0, frames, without,
                with, 100 * (with / without - 1));
    fs::remove_all(folder);
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) {
        std::fprintf(stderr, "usage: purl_bench_cache FOLDER [particles] [frames]\n");
        return 2;
    }
    try {
        const std::string root = words[1];
        const int particles = count > 2 ? std::atoi(words[2]) : 1000000, frames = count > 3 ? std::atoi(words[3]) : 10;
        std::vector<std::shared_ptr<const Frame>> written;
        for (int n = 1; n <= frames; ++n) written.push_back(std::make_shared<Frame>(liquid(particles, n)));
        for (const char* format : {"mcx", "abc", "bgeo", "ply", "vdb"}) timeFormat(root, format, written);
        timeVdb(root, *written[0]);
        timeOverhead(root, particles / 10, frames);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

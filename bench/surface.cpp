// How long the surface of n³ particles takes: a tank of jittered particles with waves on it, as bench/surface gives to
// pysplashsurf. Prints one JSON object; times are seconds, memory is what was taken beyond what was held before.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "solver/core/random.h"
#include "solver/surface/surface.h"

namespace {

using namespace purl;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// MB, of a line of Linux's /proc/self/status.
double memory(const std::string& line) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == line + ":") {
            double kilobytes = 0;
            status >> kilobytes;
            return 1.024e-3 * kilobytes;
        }
    return 0;
}

Frame tank(int n) {
    Frame frame;
    const float d = 1 / static_cast<float>(n);
    frame.bodies.push_back({"water", BodyKind::liquid, 1000, d, 2 * d});
    Points& points = frame.points;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z) {
                const auto id = static_cast<uint64_t>(points.count());
                const auto jitter = [&](uint64_t axis) { return 0.5f * d * (randomUnit(1, 3 * id + axis) - 0.5f); };
                Vec3 p{d * float(x) + jitter(0), d * float(y) + jitter(1), d * float(z) + jitter(2)};
                p.y += 0.1f * std::sin(12.56f * p.x) * std::cos(12.56f * p.z) * p.y;
                points.positions.edit().push_back(p);
                points.velocities.edit().push_back({p.y, -p.x, p.z});
                points.colors.edit().push_back({p.x, p.y, 1 - p.z});
                points.ids.edit().push_back(static_cast<int64_t>(id));
                points.bodies.edit().push_back(0);
            }
    return frame;
}

}  // namespace

int main(int count, char** words) {
    const int n = count > 1 ? std::atoi(words[1]) : 50;
    const int threads = count > 2 ? std::atoi(words[2]) : 2;
    const int repeats = count > 3 ? std::atoi(words[3]) : 3;
    const int smoothing = count > 4 ? std::atoi(words[4]) : 0;
    if (n < 2 || threads < 1 || repeats < 1) {
        std::fprintf(stderr,
                     "usage: purl_bench_surface [particles along an edge] [threads] [repeats] [smoothing] "
                     "[file to write the points to]\n");
        return 2;
    }
    const Frame frame = tank(n);
    if (count > 5) {
        std::ofstream file(words[5], std::ios::binary);
        file.write(reinterpret_cast<const char*>(frame.points.positions.data()),
                   static_cast<std::streamsize>(sizeof(Vec3) * frame.points.count()));
        return file ? 0 : 1;
    }
    // splashsurf's smoothing length of two radii is a kernel of two spacings, its cubes of half a radius a quarter.
    SurfaceParams params;
    params.resolution = 4;
    params.kernelScale = 1;
    params.isoValue = 0.6f;
    params.smoothing = smoothing;
    std::vector<double> times;
    Mesh mesh;
    SurfaceReport report;
    const double before = memory("VmRSS");
    for (int k = 0; k < repeats; ++k) {
        mesh = {};
        const double start = seconds();
        mesh = makeSurface(Device::cpu(threads), frame, 0, params, &report);
        times.push_back(seconds() - start);
    }
    const double most = memory("VmHWM") - before;
    std::sort(times.begin(), times.end());
    std::printf(
        "{\"particles\": %zu, \"median\": %.4f, \"best\": %.4f, \"vertices\": %zu, \"triangles\": %zu, "
        "\"megabytes\": %.0f, \"reported\": %.0f}\n",
        frame.points.count(), times[times.size() / 2], times[0], mesh.positions.size(), mesh.triangles.size() / 3, most,
        report.megabytes);
}

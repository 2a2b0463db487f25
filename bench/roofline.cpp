// How near the density and the force sweep of wcsph come to what the machine allows: bytes and floating-point
// operations a particle, beside the measured bandwidth of memory and peak of arithmetic. Prints one JSON object. Bytes
// are those that must cross memory once if caches keep everything else; operations are those of pairs within reach, a
// fused multiply-add counts as two. The roof is the longer of the two times.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "solver/core/random.h"
#include "solver/fluid/density.h"
#include "solver/fluid/forces.h"

namespace {

using namespace purl;

// s of the processors' time for each thread, the best of several: other work on the machine changes it less than the
// clock's.
template <class Run>
double bestOf(const Device& device, int repeats, const Run& run) {
    double best = 1e9;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const std::clock_t start = std::clock();
        run();
        best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC / device.threads());
    }
    return best;
}

// Bytes a second of a = b + s c over 3 × 64 MB. What is written is read first.
double bandwidthOf(const Device& device, int repeats) {
    constexpr int kCount = 1 << 24;
    Buffer<float> a(device, kCount), b(device, kCount), c(device, kCount);
    for (int i = 0; i < kCount; ++i) b[i] = c[i] = static_cast<float>(i & 7);
    const double time = bestOf(device, repeats, [&] {
        forEachChunk(device, "triad", kCount, 1 << 16, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
        });
    });
    return 4 * sizeof(float) * double(kCount) / time;
}

// Operations a second of fused multiply-adds in registers, eight lanes, ten chains that do not wait for each other.
double peakOf(const Device& device, int repeats) {
    constexpr int kChunks = 64, kRounds = 100000, kChains = 10, kWidth = 8;
    std::vector<float> results(kChunks);
    const double time = bestOf(device, repeats, [&] {
        forEachChunk(device, "peak", kChunks, 1, [&](int begin, int end) {
            for (int chunk = begin; chunk < end; ++chunk) {
                float sum = 0;
#ifdef __AVX2__
                const __m256 scale = _mm256_set1_ps(0.999f), add = _mm256_set1_ps(0.001f);
                __m256 chain[kChains];
                for (__m256& each : chain) each = _mm256_set1_ps(static_cast<float>(chunk));
                for (int round = 0; round < kRounds; ++round)
                    for (__m256& each : chain) each = _mm256_fmadd_ps(each, scale, add);
                for (const __m256& each : chain) sum += _mm256_cvtss_f32(each);
#else
                float chain[kChains * kWidth] = {};
                for (int round = 0; round < kRounds; ++round)
                    for (float& each : chain) each = each * 0.999f + 0.001f;
                for (const float each : chain) sum += each;
#endif
                results[static_cast<size_t>(chunk)] = sum;
            }
        });
    });
    return 2.0 * kChunks * kRounds * kChains * kWidth / time;
}

// What a sweep asks of a particle besides its list, and of a pair: solver/fluid/density.cpp and forces.cpp.
struct Sweep {
    const char* name;
    double bytes, flops;
};
// Reads the list's start and count; packs positions (12 read, 16 written and read first, 16 read again); writes three
// numbers, each read first.
constexpr Sweep kDensity{"density", 8 + 12 + 32 + 16 + 24, 13};
// Packs positions, velocities, volumes and pressures (32 read, 32 written and read first, 32 read again); reads
// density, volume, velocity and position; writes acceleration and normal, each read first. Müller's viscosity, the mean
// form of pressure, no surface.
constexpr Sweep kForces{"forces", 8 + 32 + 64 + 32 + 32 + 48, 33};

}  // namespace

int main(int count, char** words) {
    const int side = count > 1 ? std::atoi(words[1]) : 100;
    const int threads = count > 2 ? std::atoi(words[2]) : 2;
    const int repeats = count > 3 ? std::atoi(words[3]) : 7;
    if (side < 2 || threads < 1 || repeats < 1) {
        std::fprintf(stderr, "usage: purl_bench_roofline [particles along a side] [threads] [repeats]\n");
        return 2;
    }
    const Device device = Device::cpu(threads);
    Scene scene;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = 0.01f;
    water.params.surfaceTension = 0;
    water.params.reference.pressureForm = PressureForm::mean;
    scene.solver.pressureSolver = PressureSolver::wcsph;
    scene.fluids.push_back(water);
    Materials materials(device);
    materials.set(scene);

    Particles particles(device);
    particles.resize(side * side * side);
    for (int i = 0; i < particles.count(); ++i) {
        const auto place = [&](int n, uint64_t axis) {
            return 0.01f * (static_cast<float>(n) + 0.2f * (randomUnit(static_cast<uint64_t>(i), axis) - 0.5f));
        };
        particles.x[i] = {place(i % side, 0), place(i / side % side, 1), place(i / side / side, 2)};
    }
    CellGrid cells(device);
    cells.sort(particles.x, Neighbors::cellSize(materials.searchRadius));
    const std::vector<Vec3> unsorted(particles.x.begin(), particles.x.end());
    std::transform(cells.order().begin(), cells.order().end(), particles.x.begin(),
                   [&](int i) { return unsorted[static_cast<size_t>(i)]; });
    Neighbors neighbors(device);
    neighbors.build(particles.x, materials.searchRadius);
    // Lists are filled up to whole lanes.
    double listed = 0;
    for (int i = 0; i < particles.count(); ++i)
        listed += (neighbors.view().count(i) + Neighbors::kLanes - 1) / Neighbors::kLanes * Neighbors::kLanes;
    const double all = particles.count(), pairs = double(neighbors.pairCount()) / all;
    const double listBytes = sizeof(int) * listed / all;

    Buffer<float> volume(device);
    LaneMemory memory(device);
    const double bandwidth = bandwidthOf(device, repeats), peak = peakOf(device, repeats);
    std::printf("{\"particles\": %d, \"threads\": %d, \"neighbors\": %.1f, \"GB/s\": %.1f, \"Gflop/s\": %.1f",
                particles.count(), threads, pairs, 1e-9 * bandwidth, 1e-9 * peak);
    const auto report = [&](const Sweep& sweep, double time) {
        const double bytes = sweep.bytes + listBytes, flops = sweep.flops * pairs;
        const double byMemory = 1e9 * bytes / bandwidth, byArithmetic = 1e9 * flops / peak;
        std::printf(
            ",\n \"%s\": {\"bytes\": %.0f, \"flops\": %.0f, \"ns\": %.1f, \"memoryNs\": %.1f, \"arithmeticNs\": %.1f, "
            "\"ofRoof\": %.2f}",
            sweep.name, bytes, flops, 1e9 * time / all, byMemory, byArithmetic,
            1e9 * time / all / std::max(byMemory, byArithmetic));
    };
    report(kDensity, bestOf(device, repeats, [&] { computeDensity(particles, neighbors, materials, volume, memory); }));
    report(kForces, bestOf(device, repeats, [&] { applyForces(particles, neighbors, materials, volume, memory); }));
    std::printf("}\n");
}

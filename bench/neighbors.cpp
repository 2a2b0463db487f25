// How long a neighbour search with lists takes: a block of points about 30 neighbours dense, as a lattice in rows, in
// the order of its cells, and shuffled. Prints one JSON object; times are nanoseconds per point.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "solver/core/random.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace {

using namespace purl;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<Vec3> block(int side, float spacing, float jitter) {
    std::vector<Vec3> points;
    points.reserve(static_cast<size_t>(side) * static_cast<size_t>(side) * static_cast<size_t>(side));
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const auto seed = static_cast<uint64_t>(points.size());
                const auto place = [&](int n, uint64_t axis) {
                    return spacing * (static_cast<float>(n) + jitter * (randomUnit(seed, axis) - 0.5f));
                };
                points.push_back({place(x, 0), place(y, 1), place(z, 2)});
            }
    return points;
}

struct Times {
    double sort = 1e9, reorder = 1e9, lists = 1e9, all = 1e9;  // s, the best of several
    double neighbors = 0;                                      // of a point
};

// What a step of wcsph does: sort into cells, bring what it reads of the step before into that order where it is not
// its own already, make lists.
Times measure(const Device& device, const std::vector<Vec3>& points, float radius, int repeats) {
    Particles given(device);
    given.resize(static_cast<int>(points.size()));
    std::copy(points.begin(), points.end(), given.x.begin());
    Particles particles(device);
    Buffer<Vec3> vectors(device);
    Buffer<float> numbers(device);
    Buffer<int64_t> ids(device);
    CellGrid cells(device);
    Neighbors neighbors(device);
    Times best;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        particles = static_cast<const Particles&>(given);
        const double start = seconds();
        cells.build(particles.x, Neighbors::cellSize(radius));
        const double sorted = seconds();
        if (!cells.wasSorted()) {
            particles.reorder(cells.order(), {vectors, numbers, cells.scratch(), ids}, kWcsphHalfStep);
            cells.pointsReordered();
        }
        const double reordered = seconds();
        neighbors.build(particles.x, radius, cells);
        const double listed = seconds();
        best.sort = std::min(best.sort, sorted - start);
        best.reorder = std::min(best.reorder, reordered - sorted);
        best.lists = std::min(best.lists, listed - reordered);
        best.all = std::min(best.all, listed - start);
    }
    best.neighbors = double(neighbors.pairCount()) / double(points.size());
    return best;
}

}  // namespace

int main(int count, char** words) {
    const int side = count > 1 ? std::atoi(words[1]) : 100;
    const int threads = count > 2 ? std::atoi(words[2]) : 2;
    const int repeats = count > 3 ? std::atoi(words[3]) : 7;
    if (side < 1 || threads < 1 || repeats < 1) {
        std::fprintf(stderr, "usage: purl_bench_neighbors [points along a side] [threads] [repeats]\n");
        return 2;
    }
    const Device device = Device::cpu(threads);
    const float spacing = 0.01f, radius = 2 * spacing;

    const std::vector<Vec3> lattice = block(side, spacing, 0.2f);
    std::vector<Vec3> shuffled = lattice;
    for (size_t i = shuffled.size() - 1; i > 0; --i)
        std::swap(shuffled[i], shuffled[static_cast<size_t>(randomUnit(1, i) * static_cast<float>(i + 1)) % (i + 1)]);
    Buffer<Vec3> x(device, static_cast<int>(lattice.size()));
    std::copy(lattice.begin(), lattice.end(), x.begin());
    CellGrid cells(device);
    cells.sort(x, Neighbors::cellSize(radius));
    std::vector<Vec3> sorted;
    for (const int i : cells.order()) sorted.push_back(x[i]);

    std::printf("{\"points\": %zu, \"threads\": %d", lattice.size(), threads);
    const struct {
        const char* name;
        const std::vector<Vec3>& points;
    } orders[] = {{"sorted", sorted}, {"lattice", lattice}, {"shuffled", shuffled}};
    for (const auto& order : orders) {
        const Times times = measure(device, order.points, radius, repeats);
        const double perPoint = 1e9 / double(order.points.size());
        std::printf(
            ",\n \"%s\": {\"neighbors\": %.1f, \"sort\": %.1f, \"reorder\": %.1f, \"lists\": %.1f, \"all\": %.1f}",
            order.name, times.neighbors, perPoint * times.sort, perPoint * times.reorder, perPoint * times.lists,
            perPoint * times.all);
    }
    std::printf("}\n");
}

#include "solver/surface/blobs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/sort.h"
#include "solver/search/cellGrid.h"

namespace purl {
namespace {

struct SortIntoBlocks {
    Span<const Vec3> x;
    Span<const int> order;
    double cell;
    Span<uint64_t> keys;  // of each particle's block
    Span<Vec3> local;

    PURL_HD void operator()(int i) const {
        const Vec3 at = x[order[i]];
        const Cell block = cellAt(at, cell * kEdge);
        const auto within = [&](float a, int b) {
            return static_cast<float>(static_cast<double>(a) / cell - static_cast<double>(kEdge) * b);
        };
        keys[i] = blockKey({block.x, block.y, block.z});
        local[i] = {within(at.x, block.x), within(at.y, block.y), within(at.z, block.z)};
    }
};

}  // namespace

SortedPoints sortIntoBlocks(const Buffer<Vec3>& points, double cell, const std::string& name) {
    const Device& device = points.device();
    const int count = points.size();
    const double farthest = kFarthestBlock * cell * kEdge;
    for (const Vec3 x : points)
        for (int axis = 0; axis < 3; ++axis)
            if (!(std::abs(static_cast<double>(x[axis])) < farthest))
                throw Error(name +
                            ": a particle is too far away to be meshed; increase the particle spacing or delete it");
    CellGrid grid(device);
    grid.sort(points, cell * kEdge);

    SortedPoints members(device);
    members.particles = grid.order();
    members.x.resizeDiscard(count);
    Buffer<uint64_t> keys(device);
    keys.resizeDiscard(count);
    const auto place = [&] {
        forEach(
            device, "sortIntoBlocks", count,
            SortIntoBlocks{points.span(), std::as_const(members.particles).span(), cell, keys.span(), members.x.span()},
            4096);
    };
    place();
    // CellGrid rounds its division differently: a point on the face between two blocks may have been sorted into the
    // other one.
    if (!std::is_sorted(keys.begin(), keys.end())) {
        sortByKey(keys, members.particles, 3 * kAxisBits);
        place();
    }
    int blocks = 0;
    for (int i = 0; i < count; ++i) blocks += i == 0 || keys[i] != keys[i - 1];
    members.keys.resizeDiscard(blocks);
    members.starts.resizeDiscard(blocks + 1);
    int block = 0;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && keys[i] == keys[i - 1]) continue;
        members.keys[block] = keys[i];
        members.starts[block++] = i;
    }
    members.starts[blocks] = count;
    return members;
}

SortedPoints gather(const Device& device, const Frame& frame, const std::vector<int>& bodies, double cell,
                    const std::string& name, bool mirrored) {
    const Points& points = frame.points;
    std::vector<char> chosen(frame.bodies.size());
    for (const int body : bodies) chosen[body] = 1;
    std::vector<int> particles;
    particles.reserve(points.count());
    for (size_t i = 0; i < points.count(); ++i)
        if (points.bodies.empty() ? chosen[0] : chosen[points.bodies[i]]) particles.push_back(static_cast<int>(i));
    const size_t own = particles.size();
    if (mirrored && !points.wallOffsets.empty())
        for (size_t k = 0; k < own; ++k)
            if (points.wallOffsets[particles[k]] != Vec3{}) particles.push_back(particles[k]);
    Buffer<Vec3> x(device);
    x.resizeDiscard(static_cast<int>(particles.size()));
    for (size_t k = 0; k < particles.size(); ++k) {
        const auto p = static_cast<size_t>(particles[k]);
        x[static_cast<int>(k)] = points.positions[p] + (k < own ? Vec3{} : 2 * points.wallOffsets[p]);
    }
    SortedPoints members = sortIntoBlocks(x, cell, name);
    for (int& particle : members.particles) particle = particles[particle];
    return members;
}

}  // namespace purl

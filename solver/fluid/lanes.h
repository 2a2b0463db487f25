// What sweeps over fluid particles read per neighbour: aligned rows of four floats, packed before the sweep, with a
// padding element behind the last particle.
#pragma once
#include "solver/core/buffer.h"
#include "solver/core/forEach.h"
#include "solver/core/lanes.h"
#include "solver/core/sweep.h"
#include "solver/core/vec.h"

namespace purl {

// Padding element: too far away to interact, and without volume.
constexpr Float4 kNobody4{1e15f, 1e15f, 1e15f, 0};

struct ClearRow {
    Float4* row;
    PURL_HD void operator()(int) const { *row = {0, 0, 0, 0}; }
};

// Scratch memory of the sweeps.
struct LaneMemory {
    explicit LaneMemory(const Device& device = Device::cpu())
        : points(device, "lanes.points"),
          traits(device, "lanes.traits"),
          gradient(device, "lanes.gradient"),
          past(device, "lanes.past"),
          omega(device, "lanes.omega"),
          normals(device, "lanes.normals") {}
    Buffer<Float4> points;    // x and V, followed by as many elements of flow()
    Buffer<Float4> traits;    // numbers of each particle's fluid, where several fluids meet
    Buffer<Float4> gradient;  // of the colour field, 1/m; for cohesion
    Buffer<Float4> past;      // replaces v in fractional viscosity
    Buffer<Float4> omega;     // vorticity, 1/s
    Buffer<Float4> normals;   // unit normals, for solver/reference/curvature.h

    // Resizes points and flow to `count` particles and the padding elements.
    void resizeDiscard(int count) { points.resizeDiscard(2 * (count + 1)); }
    // v, and in w the particle's term of the pressure force.
    Float4* flow() { return points.data() + points.size() / 2; }
    const Float4* flow() const { return points.data() + points.size() / 2; }
};

inline Span<Float4> roomForGradients(LaneMemory& memory, int count) {
    memory.gradient.resizeDiscard(count + 1);
    forEach(memory.gradient.device(), "clearPadding", 1, ClearRow{memory.gradient.data() + count});
    return {memory.gradient.data(), count};
}

// Packs positions with volumes, and velocities, each followed by a padding element.
struct PackFlow {
    Span<const Vec3> x, v;
    Span<const float> volume;
    Float4 *points, *flow;
    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            flow[i] = {};
            return;
        }
        points[i] = {x[i].x, x[i].y, x[i].z, volume[i]};
        flow[i] = {v[i].x, v[i].y, v[i].z, 0};
    }
};
inline void packFlow(const Device& device, Span<const Vec3> x, Span<const Vec3> v, Span<const float> volume,
                     LaneMemory& memory) {
    memory.resizeDiscard(x.count);
    forEach(device, "packFlow", x.count + 1, PackFlow{x, v, volume, memory.points.data(), memory.flow()}, 2048);
}

}  // namespace purl

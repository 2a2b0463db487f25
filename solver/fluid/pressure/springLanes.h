// The loops of springs.cpp for one fluid on a CPU, eight neighbours at a time. The resulting state is bitwise equal to
// that of the plain loops.
#pragma once
#include <cmath>
#include <vector>

#include "solver/core/bits.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/springs.h"

namespace purl {

// Eight neighbours of a particle: offsets, squared distances, and which of them have a spring to it.
struct SpringLanes {
    VecOf<Lanes> d;
    Lanes r2;
    LaneInts id;
    LaneMask joined, held;  // a spring exists; this particle stores it

    // `points`: x, and in w the bits of the id, below 2³¹; −1 for padding.
    SpringLanes(const Float4* points, const int* list, const Float4& own) {
        const Row<Lanes> other = loadRows(points, list);
        d = broadcast<Lanes>(Vec3(own)) - other.xyz();
        // No FMA: rest lengths must be bitwise equal to those of the plain loop.
        r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        id = bitsOf(other.w);
        joined = (id > LaneInts(-1)) & (r2 > Lanes(0.0f));
        held = joined & (id > bitsOf(Lanes(own.w)));
    }
};

// The springs stored by one particle, compacted.
struct HeldSprings {
    std::vector<int> j, id;
    std::vector<float> r2;
    int count = 0;

    void gather(const Neighbors::View& neighbors, const Float4* points, int i) {
        const int* const list = neighbors.begin(i);
        const auto room = static_cast<size_t>(neighbors.paddedCount(i) + Neighbors::kLanes);
        if (j.size() < room) {
            j.resize(2 * room);
            id.resize(2 * room);
            r2.resize(2 * room);
        }
        count = 0;
        for (int n = 0, most = neighbors.count(i); n < most; n += Neighbors::kLanes) {
            const SpringLanes near(points, list + n, points[i]);
            const int held = bitsOf(near.held);
            store(compacted(load(list + n), held), j.data() + count);
            store(compacted(near.id, held), id.data() + count);
            store(compacted(near.r2, held), r2.data() + count);
            count += countBits(held);
        }
    }
};

// pastShear, eight samples at a time.
inline float pastShearLanes(const VelocityHistory& past, const float* row, int i, int j) {
    const int n = past.samples;
    const float *const a = past.of(i), *const b = past.of(j);
    const auto apart = [&](int at) { return load(a + at) - load(b + at); };
    Lanes lanes(0.0f);
    int slot = 0;
    for (; slot + kLanes <= n; slot += kLanes) {
        const VecOf<Lanes> u{apart(slot), apart(n + slot), apart(2 * n + slot)};
        lanes = fma(load(row + slot), sqrt(dot(u, u)), lanes);
    }
    float sum = purl::sum(lanes);
    for (; slot < n; ++slot)
        sum += row[slot] * std::sqrt(square(a[slot] - b[slot]) + square(a[n + slot] - b[n + slot]) +
                                     square(a[2 * n + slot] - b[2 * n + slot]));
    return sum;
}

}  // namespace purl

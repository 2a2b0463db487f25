// The past velocities of particles, a ring for each: what fractional derivatives are made of. Rides with the particles
// as a wide channel, so that sorting, emitting, deleting and saving take it along.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/fractional/operators.h"
#include "solver/particles.h"

namespace purl {

// A ring as kernels see it. Of each particle all x, all y, all z: sums over the past read straight on.
struct PastVelocities {
    const float* values;
    int samples;

    PURL_HD const float* of(int i) const { return values + size_t(3) * size_t(samples) * size_t(i); }
};

// Σ row[slot] v_slot of particle i. Four sums beside each other: a CPU does them at once.
PURL_HD inline float sumOfPast(const float* ring, const float* row, int samples) {
    float lanes[4] = {0, 0, 0, 0};
    int slot = 0;
    for (; slot + 4 <= samples; slot += 4)
        for (int k = 0; k < 4; ++k) lanes[k] += row[slot + k] * ring[slot + k];
    for (int k = 0; slot < samples; ++slot, ++k) lanes[k] += row[slot] * ring[slot];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

// Takes up v as the newest sample, `interval` seconds after the one before. If samples came at another interval, or the
// ring had another length, it is resampled first, so that samples are always evenly spaced.
void remember(WideChannel& history, HistoryClock& clock, int samples, double interval, const Buffer<Vec3>& v);
// Makes room in the ring for the sample to come, and says at which slot: the first half of remember, for those who
// write it there themselves.
int nextSlot(WideChannel& history, HistoryClock& clock, int samples, double interval, int count);
void forget(WideChannel& history, HistoryClock& clock);

// Weights by lag, put in the order of the ring's slots: one row.
std::vector<float> inRing(const PastWeights& weights, const HistoryClock& clock, int samples, double factor);

// Steps since the first sample.
inline int64_t stepsRemembered(const HistoryClock& clock) { return clock.pushed > 0 ? clock.pushed - 1 : 0; }

// Writes v into its slot and sum[i] = Σ row[slot] v_slot of particle i, with the row of its body: rows of `samples`
// numbers each. Tuned or not, to the same bits.
void pushAndSum(WideChannel& history, int samples, int slot, const Buffer<Vec3>& v, const Buffer<float>& rows,
                const Buffer<int>& body, Buffer<Vec3>& sum, bool tuned = true);

}  // namespace purl

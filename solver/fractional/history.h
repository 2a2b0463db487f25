// The velocity history of particles, a ring buffer each, from which fractional derivatives are computed. It is a wide
// channel of the particles, so that sorting, emission, deletion and saving include it.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/fractional/operators.h"
#include "solver/particles.h"

namespace purl {

// The ring buffers for kernels. Per particle all x, all y, all z (SoA), so that sums over the history are contiguous.
struct VelocityHistory {
    const float* values;
    int samples;

    PURL_HD const float* of(int i) const { return values + size_t(3) * size_t(samples) * size_t(i); }
};

// Appends v as the newest sample, `interval` seconds after the previous one. If the interval or the window length
// changed, the history is resampled first, so that samples are always evenly spaced.
void pushSample(WideChannel& history, HistoryClock& clock, int samples, double interval, const Buffer<Vec3>& v);
// Advances the ring and returns the slot of the next sample: the first half of pushSample, for callers that write the
// sample themselves.
int nextSlot(WideChannel& history, HistoryClock& clock, int samples, double interval, int count);
void clearHistory(WideChannel& history, HistoryClock& clock);

// Weights by lag, permuted into the order of the ring's slots: one row.
std::vector<float> weightsBySlot(const HistoryWeights& weights, const HistoryClock& clock, int samples, double factor);

// Steps since the first sample.
inline int64_t historySteps(const HistoryClock& clock) { return clock.sampleCount > 0 ? clock.sampleCount - 1 : 0; }

// Writes v into its slot and computes sum[i] = Σ row[slot] v_slot of particle i, with the row of its body: rows of
// `samples` numbers each.
void pushAndSum(WideChannel& history, int samples, int slot, const Buffer<Vec3>& v, const Buffer<float>& rows,
                const Buffer<int>& body, Buffer<Vec3>& sum);

}  // namespace purl

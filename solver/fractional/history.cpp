#include "solver/fractional/history.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/lanes.h"

namespace purl {
namespace {

PURL_HD inline int slotOf(int64_t pushed, int64_t lag, int samples) {
    const int64_t slot = (pushed - 1 - lag) % samples;
    return static_cast<int>(slot < 0 ? slot + samples : slot);
}

struct Push {
    Span<const Vec3> v;
    Span<float> values;
    int samples, slot;
    PURL_HD void operator()(int i) const {
        float* const ring = values.data + size_t(3) * size_t(samples) * size_t(i);
        for (int axis = 0; axis < 3; ++axis) ring[axis * samples + slot] = v[i][axis];
    }
};

// Resamples by linear interpolation. Before the first sample the particle is at rest; where the old window is too
// short, its oldest sample is repeated.
struct Resample {
    const float* from;
    int fromSamples;
    int64_t fromPushed;
    float* to;
    int toSamples;
    int64_t toPushed;
    double ratio;  // new interval / old interval

    PURL_HD void operator()(int i) const {
        const float* const old = from + size_t(3) * size_t(fromSamples) * size_t(i);
        float* const ring = to + size_t(3) * size_t(toSamples) * size_t(i);
        for (int lag = 0; lag < toSamples; ++lag) {
            const double age = ratio * lag;
            const int slot = slotOf(toPushed, lag, toSamples);
            const bool before = age > double(fromPushed - 1) * (1 + 1e-9);
            const int oldest = fromPushed < fromSamples ? static_cast<int>(fromPushed) - 1 : fromSamples - 1;
            int newer = static_cast<int>(age < double(oldest) ? age : double(oldest));
            if (newer < 0) newer = 0;
            const int older = newer < oldest ? newer + 1 : newer;
            const auto part = static_cast<float>(age - newer);
            for (int axis = 0; axis < 3; ++axis) {
                const float* const samples = old + axis * fromSamples;
                const float a = samples[slotOf(fromPushed, newer, fromSamples)];
                const float b = samples[slotOf(fromPushed, older, fromSamples)];
                ring[axis * toSamples + slot] = before ? 0 : older == newer ? a : lerp(a, b, part);
            }
        }
    }
};

// The newest sample is blended in rather than stored first: loading what was just stored would stall.
struct PushAndSum {
    Push push;
    Span<const float> rows;
    Span<const int> body;
    Span<Vec3> total;

    PURL_HD void operator()(int i) const {
        const int n = push.samples, whole = n - n % kLanes;
        const float* const x = push.values.data + size_t(3) * size_t(n) * size_t(i);
        const float *const y = x + n, *const z = y + n;
        const float* const row = rows.data + size_t(n) * size_t(body[i]);
        const Vec3 v = push.v[i];
        VecOf<Lanes> sums;
        for (int slot = 0; slot < whole; slot += kLanes) add(sums, slot, v, row + slot, x + slot, y + slot, z + slot);
        if (whole < n) {
            float last[4][kLanes] = {};
            for (int k = 0; k < n - whole; ++k) {
                last[0][k] = row[whole + k];
                last[1][k] = x[whole + k];
                last[2][k] = y[whole + k];
                last[3][k] = z[whole + k];
            }
            add(sums, whole, v, last[0], last[1], last[2], last[3]);
        }
        total[i] = sum(sums);
        push(i);
    }
    // Adds slots slot … slot + 7.
    PURL_HD void add(VecOf<Lanes>& sums, int slot, Vec3 v, const float* row, const float* x, const float* y,
                     const float* z) const {
        constexpr int kPlaces[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
        const LaneMask newest = load(kPlaces) == LaneInts(push.slot - slot);
        const Lanes weight = load(row);
        sums.x = fma(weight, select(newest, Lanes(v.x), load(x)), sums.x);
        sums.y = fma(weight, select(newest, Lanes(v.y), load(y)), sums.y);
        sums.z = fma(weight, select(newest, Lanes(v.z), load(z)), sums.z);
    }
};

void resample(WideChannel& history, HistoryClock& clock, int samples, double interval) {
    const int oldSamples = history.width / 3, count = oldSamples ? history.values.size() / history.width : 0;
    WideChannel fresh(history.values.device());
    fresh.widen(3 * samples, count);
    const double ratio = interval / clock.interval;
    HistoryClock next = clock;
    next.interval = interval;
    constexpr double kMaxPushed = 1e15;  // far larger than any ring
    next.sampleCount =
        1 + static_cast<int64_t>(std::min(kMaxPushed, std::floor(double(clock.sampleCount - 1) / ratio * (1 + 1e-9))));
    forEach(history.values.device(), "resampleHistory", count,
            Resample{history.values.data(), oldSamples, clock.sampleCount, fresh.values.data(), samples,
                     next.sampleCount, ratio});
    std::swap(history.values, fresh.values);
    history.width = fresh.width;
    clock = next;
}

}  // namespace

int nextSlot(WideChannel& history, HistoryClock& clock, int samples, double interval, int count) {
    PURL_ASSERT(samples > 0 && interval > 0);
    if (clock.sampleCount == 0 || history.width == 0) {
        clock = {};
        history.widen(3 * samples, count);
    } else if (history.width != 3 * samples || std::fabs(interval / clock.interval - 1) > 1e-5) {
        resample(history, clock, samples, interval);
    }
    clock.interval = interval;
    ++clock.sampleCount;
    return slotOf(clock.sampleCount, 0, samples);
}

void pushSample(WideChannel& history, HistoryClock& clock, int samples, double interval, const Buffer<Vec3>& v) {
    const int slot = nextSlot(history, clock, samples, interval, v.size());
    forEach(v.device(), "remember", v.size(), Push{v.span(), history.values.span(), samples, slot});
}

void clearHistory(WideChannel& history, HistoryClock& clock) {
    history.widen(0, 0);
    clock = {};
}

std::vector<float> weightsBySlot(const HistoryWeights& weights, const HistoryClock& clock, int samples, double factor) {
    std::vector<float> row(static_cast<size_t>(samples), 0.0f);
    for (size_t lag = 0; lag < weights.perLag.size() && lag < row.size(); ++lag)
        row[slotOf(clock.sampleCount, static_cast<int64_t>(lag), samples)] =
            static_cast<float>(factor * weights.perLag[lag]);
    return row;
}

void pushAndSum(WideChannel& history, int samples, int slot, const Buffer<Vec3>& v, const Buffer<float>& rows,
                const Buffer<int>& body, Buffer<Vec3>& sum) {
    PURL_ASSERT(history.width == 3 * samples);
    sum.resize(body.size());
    forEach(sum.device(), "pushAndSum", body.size(),
            PushAndSum{{v.span(), history.values.span(), samples, slot}, rows.span(), body.span(), sum.span()});
}

}  // namespace purl

#include "solver/fractional/history.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"

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

// Samples at other times, by straight lines between those there are. Before the first there was rest; where the old
// ring is too short its oldest sample holds.
struct Resample {
    const float* from;
    int fromSamples;
    int64_t fromPushed;
    float* to;
    int toSamples;
    int64_t toPushed;
    double ratio;  // of the intervals, new to old

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

struct PushAndSum {
    Push push;
    Span<const float> rows;
    Span<const int> body;
    Span<Vec3> sum;

    PURL_HD void operator()(int i) const {
        push(i);
        const int n = push.samples;
        const float* const ring = push.values.data + size_t(3) * size_t(n) * size_t(i);
        const float* const row = rows.data + size_t(n) * size_t(body[i]);
        sum[i] = {sumOfPast(ring, row, n), sumOfPast(ring + n, row, n), sumOfPast(ring + 2 * n, row, n)};
    }
};

void resample(WideChannel& history, HistoryClock& clock, int samples, double interval) {
    const int oldSamples = history.width / 3, count = oldSamples ? history.values.size() / history.width : 0;
    WideChannel fresh(history.values.device());
    fresh.widen(3 * samples, count);
    const double ratio = interval / clock.interval;
    HistoryClock next = clock;
    next.interval = interval;
    next.pushed = 1 + static_cast<int64_t>(std::floor(double(clock.pushed - 1) / ratio * (1 + 1e-9)));
    forEach(
        history.values.device(), "resampleHistory", count,
        Resample{history.values.data(), oldSamples, clock.pushed, fresh.values.data(), samples, next.pushed, ratio});
    history.values.device().synchronize();
    std::swap(history.values, fresh.values);
    history.width = fresh.width;
    clock = next;
}

}  // namespace

int nextSlot(WideChannel& history, HistoryClock& clock, int samples, double interval, int count) {
    PURL_ASSERT(samples > 0 && interval > 0);
    if (clock.pushed == 0 || history.width == 0) {
        clock = {};
        history.widen(3 * samples, count);
    } else if (history.width != 3 * samples || std::fabs(interval / clock.interval - 1) > 1e-5) {
        resample(history, clock, samples, interval);
    }
    clock.interval = interval;
    ++clock.pushed;
    return slotOf(clock.pushed, 0, samples);
}

void remember(WideChannel& history, HistoryClock& clock, int samples, double interval, const Buffer<Vec3>& v) {
    const int slot = nextSlot(history, clock, samples, interval, v.size());
    forEach(v.device(), "remember", v.size(), Push{v.span(), history.values.span(), samples, slot});
}

void forget(WideChannel& history, HistoryClock& clock) {
    history.widen(0, 0);
    clock = {};
}

std::vector<float> inRing(const PastWeights& weights, const HistoryClock& clock, int samples, double factor) {
    std::vector<float> row(static_cast<size_t>(samples), 0.0f);
    for (size_t lag = 0; lag < weights.perLag.size() && lag < row.size(); ++lag)
        row[static_cast<size_t>(slotOf(clock.pushed, static_cast<int64_t>(lag), samples))] =
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

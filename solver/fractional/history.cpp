#include "solver/fractional/history.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"

#ifdef __AVX2__
    #include <immintrin.h>
#endif

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
        sum[i] = {historySum(ring, row, n), historySum(ring + n, row, n), historySum(ring + 2 * n, row, n)};
    }
};

#ifdef __AVX2__
// PushAndSum of particles begin … end − 1 with the same bits. The newest sample is blended in rather than stored first:
// loading what was just stored would stall.
void pushAndSumVectorized(const PushAndSum& scalar, int begin, int end) {
    const Push& push = scalar.push;
    const int n = push.samples, whole = n & ~3;
    const __m128i lane = _mm_setr_epi32(0, 1, 2, 3), tail = _mm_cmpgt_epi32(_mm_set1_epi32(n - whole), lane);
    for (int i = begin; i < end; ++i) {
        float* const x = push.values.data + size_t(3) * size_t(n) * size_t(i);
        float *const y = x + n, *const z = y + n;
        const float* const row = scalar.rows.data + size_t(n) * size_t(scalar.body[i]);
        const Vec3 v = push.v[i];
        const __m128 vx = _mm_set1_ps(v.x), vy = _mm_set1_ps(v.y), vz = _mm_set1_ps(v.z);
        __m128 sumX = _mm_setzero_ps(), sumY = sumX, sumZ = sumX, none = sumX;
        const auto add = [&](int slot, const auto& load) {
            const __m128 weight = load(row + slot);
            const __m128 newest = _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_set1_epi32(push.slot - slot), lane));
            sumX = _mm_add_ps(sumX, _mm_mul_ps(weight, _mm_blendv_ps(load(x + slot), vx, newest)));
            sumY = _mm_add_ps(sumY, _mm_mul_ps(weight, _mm_blendv_ps(load(y + slot), vy, newest)));
            sumZ = _mm_add_ps(sumZ, _mm_mul_ps(weight, _mm_blendv_ps(load(z + slot), vz, newest)));
        };
        for (int slot = 0; slot < whole; slot += 4) add(slot, [](const float* from) { return _mm_loadu_ps(from); });
        if (whole < n) add(whole, [&](const float* from) { return _mm_maskload_ps(from, tail); });
        // (lane 0 + lane 1) + (lane 2 + lane 3) of each axis
        _MM_TRANSPOSE4_PS(sumX, sumY, sumZ, none);
        alignas(16) float total[4];
        _mm_store_ps(total, _mm_add_ps(_mm_add_ps(sumX, sumY), _mm_add_ps(sumZ, none)));
        scalar.sum[i] = {total[0], total[1], total[2]};
        push(i);
    }
}
#endif

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
                const Buffer<int>& body, Buffer<Vec3>& sum, [[maybe_unused]] bool vectorized) {
    PURL_ASSERT(history.width == 3 * samples);
    sum.resize(body.size());
    const PushAndSum scalar{{v.span(), history.values.span(), samples, slot}, rows.span(), body.span(), sum.span()};
#ifdef __AVX2__
    if (vectorized && sum.device().isCpu()) {
        forEachChunk(sum.device(), "pushAndSum", body.size(), 1024,
                     [&](int begin, int end) { pushAndSumVectorized(scalar, begin, end); });
        return;
    }
#endif
    forEach(sum.device(), "pushAndSum", body.size(), scalar);
}

}  // namespace purl

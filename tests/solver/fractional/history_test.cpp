#include "solver/fractional/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr int kSamples = 6;

Vec3 velocityOf(int64_t id, int step) {
    const auto seed = static_cast<uint64_t>(id), at = static_cast<uint64_t>(3 * step);
    return {randomUnit(seed, at) - 0.5f, randomUnit(seed, at + 1) - 0.5f, randomUnit(seed, at + 2) - 0.5f};
}

// D^½ x of all particles of a state.
Buffer<Vec3> derivatives(const State& state) {
    const HistoryWeights weights = trapezoidWeights(0.5, kSamples, historySteps(state.history));
    const std::vector<float> row =
        weightsBySlot(weights, state.history, kSamples, weights.scale(state.history.interval));
    Buffer<float> rows(oneThread(), kSamples);
    for (int i = 0; i < kSamples; ++i) rows[i] = row[i];
    Buffer<Vec3> sum(oneThread(), state.particles.count());
    const VelocityHistory past{state.particles.history.values.data(), kSamples};
    for (int i = 0; i < sum.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < kSamples; ++k) sum[i][axis] += rows[k] * past.of(i)[axis * kSamples + k];
    return sum;
}

// O-10. However particles are reordered, each keeps its history; a new one has none.
TEST(History, staysWithItsParticle) {
    State state = stateOf(lattice(3, 3, 3, 0.1f));
    std::map<int64_t, std::vector<Vec3>> log;
    const double dt = 0.01;
    for (int step = 0; step < 20; ++step) {
        Particles& particles = state.particles;
        if (step == 7 || step == 13) {  // shuffle, delete some, add some
            Buffer<int> order(oneThread());
            for (int i = particles.count() - 1; i >= 0; --i)
                if ((i * 7 + step) % 5 != 0) {
                    order.resize(order.size() + 1);
                    order[order.size() - 1] = i;
                }
            particles.reorder(order);
            const int before = particles.count();
            particles.resize(before + 4);
            for (int i = before; i < particles.count(); ++i) particles.id[i] = state.nextId++;
        }
        for (int i = 0; i < particles.count(); ++i) {
            particles.v[i] = velocityOf(particles.id[i], step);
            std::vector<Vec3>& past = log[particles.id[i]];
            past.resize(static_cast<size_t>(step));
            past.push_back(particles.v[i]);
        }
        pushSample(particles.history, state.history, kSamples, dt, particles.v);
        const Buffer<Vec3> sums = derivatives(state);
        const HistoryWeights weights = trapezoidWeights(0.5, kSamples, step);
        for (int i = 0; i < particles.count(); ++i) {
            const std::vector<Vec3>& past = log[particles.id[i]];
            double expected = 0;
            for (size_t k = 0; k < weights.perLag.size(); ++k)
                expected += weights.perLag[k] * double(past[past.size() - 1 - k].y);
            EXPECT_NEAR(double(sums[i].y), weights.scale(dt) * expected, 1e-6);
        }
    }
}

// For any ring length and two fluids with different weights: the sum over the ring, and v in its slot afterwards.
TEST(History, sumsTheRingWithTheWeightsOfTheBody) {
    constexpr int kCount = 100;
    for (const int samples : {1, 2, 3, 7, 8, 9, 13, 16, 50}) {
        Buffer<float> rows(oneThread(), 2 * samples);
        for (int k = 0; k < rows.size(); ++k) rows[k] = randomUnit(5, static_cast<uint64_t>(k)) - 0.3f;
        Buffer<int> body(oneThread(), kCount);
        for (int i = 0; i < kCount; ++i) body[i] = i % 2;
        WideChannel history(oneThread());
        history.widen(3 * samples, kCount);
        Buffer<Vec3> v(oneThread(), kCount), sum(oneThread());
        for (int step = 0; step < samples + 2; ++step) {
            for (int i = 0; i < kCount; ++i) v[i] = velocityOf(i, step);
            const int slot = step % samples;
            pushAndSum(history, samples, slot, v, rows, body, sum);
            for (int i = 0; i < kCount; ++i)
                for (int axis = 0; axis < 3; ++axis) {
                    const float* const ring = history.values.data() + samples * (3 * i + axis);
                    double expected = 0, size = 0;
                    for (int k = 0; k < samples; ++k) {
                        const double term = double(rows[samples * body[i] + k]) * double(ring[k]);
                        expected += term;
                        size += std::fabs(term);
                    }
                    ASSERT_EQ(ring[slot], v[i][axis]);
                    // At most ten roundings of up to half a unit in the last place, 6e-8.
                    ASSERT_NEAR(double(sum[i][axis]), expected, 6e-7 * size) << samples;
                }
        }
    }
}

// O-11
TEST(History, takesTwelveBytesASample) {
    State state = stateOf(lattice(4, 5, 5, 0.1f));
    pushSample(state.particles.history, state.history, 10, 0.01, state.particles.v);
    EXPECT_EQ(sizeof(float) * static_cast<size_t>(state.particles.history.values.size()), 100u * 10 * 12);
    WideChannel endless(oneThread());
    endless.width = 3000;
    EXPECT_THROW(endless.resize(1000000), Error);
    clearHistory(state.particles.history, state.history);
    EXPECT_TRUE(state.particles.history.values.empty());
}

// O-15. A ring of another interval or length is resampled; motion at constant acceleration is not affected.
TEST(History, isResampledWhenTheStepChanges) {
    const auto after = [](double second, const std::function<Vec3(double)>& v) {
        State state = stateOf({{0, 0, 0}});
        double time = 0;
        for (int step = 0; step < 30; ++step) {
            const double dt = step < 20 ? 0.01 : second;
            time += dt;
            state.particles.v[0] = v(time);
            pushSample(state.particles.history, state.history, kSamples, dt, state.particles.v);
        }
        return derivatives(state)[0];
    };
    const auto steady = [](double) { return Vec3{1, 2, 3}; };
    for (const double dt : {0.005, 0.013, 0.02})
        EXPECT_NEAR(after(dt, steady).y / (2 * trapezoidWeights(0.5, kSamples).steadyGain(dt)), 1, 0.01);
    // A linearly growing velocity is resampled exactly.
    State state = stateOf({{0, 0, 0}});
    for (int step = 0; step < 20; ++step) {
        state.particles.v[0] = {float(0.01 * step), 0, 0};
        pushSample(state.particles.history, state.history, kSamples, 0.01, state.particles.v);
    }
    state.particles.v[0] = {0.195f, 0, 0};
    pushSample(state.particles.history, state.history, kSamples, 0.005, state.particles.v);
    const HistoryWeights weights = trapezoidWeights(0.5, kSamples);
    double expected = 0;
    for (size_t k = 0; k < weights.perLag.size(); ++k) expected += weights.perLag[k] * (0.195 - 0.005 * double(k));
    EXPECT_NEAR(derivatives(state)[0].x / (weights.scale(0.005) * expected), 1, 1e-5);
}

}  // namespace
}  // namespace purl

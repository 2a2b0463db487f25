#include "solver/core/iterations.h"

#include <gtest/gtest.h>

#include "solver/core/copy.h"

namespace purl {
namespace {

struct Halving : IterationState {
    float value = 1;
};
struct Halve {
    Halving* state;
    float enough;
    PURL_HD void operator()(int) const {
        if (state->done) return;
        state->value *= 0.5f;
        ++state->iterations;
        state->done = state->value <= enough;
    }
};

Halving halve(const Device& device, float enough, int most, int& expected) {
    Buffer<Halving> state(device, 1, "test.state");
    setElements(state, 0, 1, Halving{});
    return iterate(state, most, expected, [&] { forEach(device, "halve", 1, Halve{state.data(), enough}); });
}

// B-106
TEST(Iterations, endAtTheSameStateHoweverManyAreQueuedAtOnce) {
    for (const Device& device : {Device::cpu(1), Device::rehearsal(1)})
        for (const int first : {1, 3, 7, 50}) {
            int expected = first;
            const Halving end = halve(device, 1.0f / 128, 100, expected);
            EXPECT_EQ(end.iterations, 7) << device.name() << ", " << first;
            EXPECT_EQ(end.value, 1.0f / 128) << device.name() << ", " << first;
        }
}

TEST(Iterations, waitOnceWhereAsManyAreNeededAsLastTime) {
    const Device device = Device::rehearsal(1);
    int expected = 1;
    halve(device, 1.0f / 128, 100, expected);
    const DeviceCounts before = device.counts();
    halve(device, 1.0f / 128, 100, expected);
    DeviceCounts counts = device.counts();
    counts -= before;
    EXPECT_EQ(counts.synchronizations, 1);
    EXPECT_LE(counts.launches, 1 + 8) << "one to start, and one more iteration than needed at most";
}

TEST(Iterations, stopAtTheLimit) {
    for (const Device& device : {Device::cpu(1), Device::rehearsal(1)}) {
        int expected = 8;
        EXPECT_EQ(halve(device, 0, 5, expected).iterations, 5) << device.name();
    }
}

}  // namespace
}  // namespace purl

// Iterations that end when a kernel finds the error small enough. The CPU looks after each of them. A host that waited
// for a GPU after each would leave it idle in between: it queues as many as the last time, and looks once. Those past
// the end find *done set and change nothing, so that the result does not depend on how many were queued.
#pragma once
#include <algorithm>

#include "solver/core/hostView.h"
#include "solver/core/sweep.h"

namespace purl {

// What kernels know about the progress of an iteration; the first members of a larger struct, or all.
struct IterationState {
    int done = 0;
    int iterations = 0;  // that changed something
};

// Queues iteration() until kernels have set `done` in *state, or `most` times, and returns the state. `expected`: as
// many are queued before the host looks for the first time; becomes what the next call of this kind should expect.
template <class State, class Iteration>
State iterate(const Buffer<State>& state, int most, int& expected, const Iteration& iteration) {
    const bool looksAtEach = state.device().isCpu();
    State now = {};
    for (int queued = 0; queued < most && !now.done;) {
        const int wanted = looksAtEach ? 1 : queued == 0 ? expected : std::max(expected, queued) / 2;
        const int batch = std::min(std::max(wanted, 1), most - queued);
        for (int k = 0; k < batch; ++k) iteration();
        queued += batch;
        now = readElement(state, 0);
    }
    // Few steps take many more than the one before. After one that took more than usual, expect less again in time.
    expected = std::max(now.iterations + now.iterations / 8 + 1, expected - expected / 8 - 1);
    return now;
}

// A kernel that changes nothing once *done is set.
template <class Kernel>
struct Unless {
    const int* done;
    Kernel kernel;
    PURL_HD void operator()(int i) const {
        if (!*done) kernel(i);
    }
};

// A loop of an iteration.
template <class Kernel>
void forEachUnless(const int* done, const Device& device, const char* name, int count, const Kernel& kernel) {
    if (!device.isCpu()) return forEach(device, name, count, Unless<Kernel>{done, kernel});
    constexpr int kGrain = 256;  // as of forEach
    device.throwIfCancelled();
    if (!*done && count > 0) runOnThreads(device.threads(), kernel, count, kGrain);
}
// A sweep of an iteration.
template <class Lists, class Kernel>
void sweepUnless(const int* done, const Device& device, const char* name, int count, const Lists& lists,
                 const Kernel& kernel) {
    if (device.isCpu() && !ScopedSweepOneByOne::isActive())
        forEachChunk(device, name, count, 256, sweeps::InLanes<Lists, Kernel>{lists, kernel});
    else
        forEach(device, name, count, Unless<sweeps::OneByOne<Lists, Kernel>>{done, {lists, kernel}});
}

}  // namespace purl

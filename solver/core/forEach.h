// The one parallel loop, and the reduction beside it. A kernel is a named struct: its fields are what it reads and
// writes, its `PURL_HD void operator()(int i) const` does the work for one index and touches only its own outputs.
#pragma once
#include <memory>
#include <string>

#include "solver/core/buffer.h"
#include "solver/core/device.h"
#include "solver/core/error.h"
#include "solver/core/platform.h"
#include "solver/core/threadPool.h"

namespace purl {

// What nvcc and g++ make of these templates differs, so their symbols must differ too.
#ifdef __CUDACC__
inline namespace withGpu {

template <class Kernel>
__global__ void runKernel(Kernel kernel, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) kernel(i);
}
#else
inline namespace withoutGpu {
#endif

// What `grain` units of a loop are taken to cost until it has run once, ns.
constexpr float kGrainCost = 12e3f;

// Runs kernel(0) … kernel(count − 1) in no particular order; the results may not depend on that order. `grain`: so many
// are worth some ten microseconds, as a first guess of what they cost.
template <class Kernel>
void forEach(const Device& device, const char* name, int count, const Kernel& kernel, int grain = 256) {
    device.throwIfCancelled();
    if (count <= 0) return;
#ifdef __CUDACC__
    if (device.isCuda()) {
        constexpr int kBlock = 256;
        runKernel<<<(count + kBlock - 1) / kBlock, kBlock>>>(kernel, count);
        const cudaError_t status = cudaGetLastError();
        if (status != cudaSuccess) throw Error(std::string("kernel ") + name + ": " + cudaGetErrorString(status));
        return;
    }
#else
    if (device.isCuda()) throw Error(std::string("kernel ") + name + ": built for the CPU only");
#endif
    static LoopCost cost(kGrainCost / static_cast<float>(grain));
    const auto run = [](void* context, int, int begin, int end, int) {
        // A copy of its own lets the compiler keep the kernel's fields in registers.
        const Kernel own = *static_cast<const Kernel*>(context);
        for (int i = begin; i < end; ++i) own(i);
    };
    runLoop(device.threads(), 1, count, {const_cast<Kernel*>(&kernel), run}, cost);
}

// Blocks of this many are combined from first to last, then the blocks in their order.
constexpr int kReduceBlock = 1024;

template <class T, class Value, class Combine>
PURL_HD T reduceBlock(int block, int count, const Value& value, const Combine& combine) {
    const int begin = block * kReduceBlock;
    const int end = count - begin < kReduceBlock ? count : begin + kReduceBlock;
    T sum = value(begin);
    for (int i = begin + 1; i < end; ++i) sum = combine(sum, value(i));
    return sum;
}

template <class T, class Value, class Combine>
struct ReduceBlocks {
    Value value;
    Combine combine;
    int count;
    T* partial;
    PURL_HD void operator()(int block) const { partial[block] = reduceBlock<T>(block, count, value, combine); }
};

// Runs body(begin, end, scratch) for 0 … count − 1 cut into chunks, in no particular order: for tuned loops of the CPU
// that keep something from one index to the next. Each thread has a Scratch of its own; the cuts do not depend on the
// number of threads.
template <class Scratch, class Body>
void forEachChunkWith(const Device& device, const char* name, int count, int chunk, const Body& body) {
    device.throwIfCancelled();
    if (device.isCuda()) throw Error(std::string("loop ") + name + ": for the CPU only");
    if (count <= 0) return;
    struct Context {
        const Body& body;
        int count, chunk;
        Scratch callers;
        std::unique_ptr<Scratch> workers[kMaxParticipants];
    } context{body, count, chunk, {}, {}};
    static LoopCost cost(kGrainCost);
    const auto run = [](void* from, int, int begin, int end, int participant) {
        auto& own = *static_cast<Context*>(from);
        std::unique_ptr<Scratch>& worker = own.workers[participant];
        if (participant > 0 && !worker) worker = std::make_unique<Scratch>();
        Scratch& scratch = participant > 0 ? *worker : own.callers;
        for (int c = begin; c < end; ++c) {
            const int first = c * own.chunk;
            own.body(first, own.count - first < own.chunk ? own.count : first + own.chunk, scratch);
        }
    };
    runLoop(device.threads(), 1, (count - 1) / chunk + 1, {&context, run}, cost);
}
template <class Body>
void forEachChunk(const Device& device, const char* name, int count, int chunk, const Body& body) {
    struct None {};
    forEachChunkWith<None>(device, name, count, chunk, [&](int begin, int end, None&) { body(begin, end); });
}

// Runs body(phase, part) for part 0 … parts − 1 of phase 0, all of them before those of phase 1 begin, and so on. On
// the CPU only. `grain`: see forEach.
template <class Body>
void forEachInPhases(const Device& device, const char* name, int phases, int parts, const Body& body, int grain = 1) {
    device.throwIfCancelled();
    if (device.isCuda()) throw Error(std::string("loop ") + name + ": for the CPU only");
    static LoopCost cost(kGrainCost / static_cast<float>(grain));
    const auto run = [](void* context, int phase, int begin, int end, int) {
        const Body& own = *static_cast<const Body*>(context);
        for (int part = begin; part < end; ++part) own(phase, part);
    };
    runLoop(device.threads(), phases, parts, {const_cast<Body*>(&body), run}, cost);
}

// Combines value(0) … value(count − 1) in one fixed order, so that any number of threads, and the GPU too, gives the
// same bits. `combine` must be associative up to rounding.
template <class T, class Value, class Combine>
T reduce(const Device& device, const char* name, int count, T start, const Value& value, const Combine& combine) {
    const int blocks = count > 0 ? (count - 1) / kReduceBlock + 1 : 0;
    Buffer<T> partial(device, blocks);
    forEach(device, name, blocks, ReduceBlocks<T, Value, Combine>{value, combine, count, partial.data()}, 4);
    device.synchronize();
    T total = start;
    for (const T& sum : partial) total = combine(total, sum);
    return total;
}

// Combiners for reduce.
struct Sum {
    template <class T>
    PURL_HD T operator()(const T& a, const T& b) const {
        return a + b;
    }
};
struct Largest {
    template <class T>
    PURL_HD T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};

}  // namespace withGpu / withoutGpu
}  // namespace purl

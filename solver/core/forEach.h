// Parallel loops and reductions. A kernel is a named struct: its fields are its inputs and outputs, and `PURL_HD void
// operator()(int i) const` handles one index and writes only the outputs of that index.
#pragma once
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "solver/core/buffer.h"
#include "solver/core/device.h"
#include "solver/core/error.h"
#include "solver/core/platform.h"
#include "solver/core/threadPool.h"

// Padding may hold old addresses, which the check of a kernel's fields would take for its own.
#if defined(__has_builtin) && !defined(__CUDACC__)
    #if __has_builtin(__builtin_clear_padding)
        #define PURL_CLEARS_PADDING
    #endif
#endif

namespace purl {

// nvcc and g++ instantiate these templates differently, so the symbols must differ too.
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

// Initial cost estimate of `grain` loop units, in ns, until the loop has run once.
constexpr float kGrainCost = 12e3f;

// Runs a kernel on threads of the CPU; see forEach.
template <class Kernel>
void runOnThreads(int threads, const Kernel& kernel, int count, int grain) {
    static LoopCost cost(kGrainCost / static_cast<float>(grain));
    const auto run = [](void* context, int, int begin, int end, int) {
        // A local copy lets the compiler keep the kernel's fields in registers.
        const Kernel own = *static_cast<const Kernel*>(context);
        for (int i = begin; i < end; ++i) own(i);
    };
    runLoop(threads, 1, count, {const_cast<Kernel*>(&kernel), run}, cost);
}
template <class Kernel>
void runQueued(int threads, const void* fields, int count, int grain) {
    alignas(Kernel) unsigned char kernel[sizeof(Kernel)];
    std::memcpy(kernel, fields, sizeof(Kernel));
    runOnThreads(threads, *reinterpret_cast<const Kernel*>(kernel), count, grain);
}

// Runs kernel(0) … kernel(count − 1) in unspecified order; the results must not depend on that order. `grain`: number
// of indices that take roughly ten microseconds, the first estimate of their cost.
template <class Kernel>
void forEach(const Device& device, const char* name, int count, const Kernel& kernel, int grain = 256) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel is copied byte by byte");
    device.throwIfCancelled();
    if (count <= 0) return;
    if (device.isCpu()) return runOnThreads(device.threads(), kernel, count, grain);
#ifdef __CUDACC__
    if (device.isCuda()) {
        constexpr int kBlock = 256;
        device.countLaunch();
        runKernel<<<(count + kBlock - 1) / kBlock, kBlock>>>(kernel, count);
        const cudaError_t status = cudaGetLastError();
        if (status != cudaSuccess) throw Error(std::string("kernel ") + name + ": " + cudaGetErrorString(status));
        return;
    }
#else
    if (device.isCuda()) throw Error(std::string("kernel ") + name + ": built for the CPU only");
#endif
#ifdef PURL_CLEARS_PADDING
    Kernel fields = kernel;
    __builtin_clear_padding(&fields);
    device.checkFields(name, &fields, sizeof fields);
#endif
    device.enqueue(name, &kernel, sizeof kernel, count, grain, &runQueued<Kernel>);
}

// Each block of this many values is reduced sequentially, then the block results are combined in order.
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

// Combines the results of the blocks, in their order.
template <class T, class Combine>
struct CombineBlocks {
    Combine combine;
    T start;
    int blocks;
    const T* partial;
    T* total;
    PURL_HD void operator()(int) const {
        T sum = start;
        for (int block = 0; block < blocks; ++block) sum = combine(sum, partial[block]);
        *total = sum;
    }
};

// Runs body(begin, end, scratch) over chunks of 0 … count − 1 in unspecified order: for CPU loops that carry state from
// one index to the next. Each thread has its own Scratch. The chunk boundaries do not depend on the thread count.
template <class Scratch, class Body>
void forEachChunkWith(const Device& device, const char* name, int count, int chunk, const Body& body) {
    device.throwIfCancelled();
    if (!device.isCpu()) throw Error(std::string("loop ") + name + ": for the CPU only");
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

// Runs body(phase, part) for parts 0 … parts − 1 of phase 0, with a barrier before phase 1, and so on. CPU only.
// `grain`: see forEach.
template <class Body>
void forEachInPhases(const Device& device, const char* name, int phases, int parts, const Body& body, int grain = 1) {
    device.throwIfCancelled();
    if (!device.isCpu()) throw Error(std::string("loop ") + name + ": for the CPU only");
    static LoopCost cost(kGrainCost / static_cast<float>(grain));
    const auto run = [](void* context, int phase, int begin, int end, int) {
        const Body& own = *static_cast<const Body*>(context);
        for (int part = begin; part < end; ++part) own(phase, part);
    };
    runLoop(device.threads(), phases, parts, {const_cast<Body*>(&body), run}, cost);
}

// Reduces value(0) … value(count − 1) in one fixed order, so that every thread count and the GPU give the same bits.
// `combine` must be associative up to rounding. reduceTo() leaves the result on the device; reduce() waits for it.
template <class T, class Value, class Combine>
void reduceTo(T* total, const Device& device, const char* name, int count, T start, const Value& value,
              const Combine& combine) {
    const int blocks = count > 0 ? (count - 1) / kReduceBlock + 1 : 0;
    Buffer<T> partial(device, "partial sums of a reduction");
    partial.resizeDiscard(blocks);
    forEach(device, name, blocks, ReduceBlocks<T, Value, Combine>{value, combine, count, partial.data()}, 4);
    const CombineBlocks<T, Combine> last{combine, start, blocks, partial.data(), total};
    device.isCpu() ? last(0) : forEach(device, name, 1, last);
}
template <class T, class Value, class Combine>
T reduce(const Device& device, const char* name, int count, T start, const Value& value, const Combine& combine) {
    T total = start;
    if (device.isCpu()) {
        reduceTo(&total, device, name, count, start, value, combine);
    } else if (count > 0) {
        Buffer<T> result(device, "result of a reduction");
        result.resizeDiscard(1);
        reduceTo(result.data(), device, name, count, start, value, combine);
        device.download(&total, result.data(), sizeof total);
    }
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

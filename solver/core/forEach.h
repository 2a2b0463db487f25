// The one parallel loop, and the reduction beside it. A kernel is a named struct: its fields are what it reads and
// writes, its `PURL_HD void operator()(int i) const` does the work for one index and touches only its own outputs.
#pragma once
#include <string>

#include "solver/core/buffer.h"
#include "solver/core/device.h"
#include "solver/core/error.h"
#include "solver/core/platform.h"

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

// Runs kernel(0) … kernel(count − 1) in no particular order; the results may not depend on that order.
// `grain` indices at a time go to a thread.
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
    // With fewer pieces than this the loop is over sooner than a team of threads is awake.
    [[maybe_unused]] constexpr int kWorthThreads = 8;
#pragma omp parallel for schedule(dynamic, grain) num_threads(device.threads()) if (count / grain >= kWorthThreads)
    for (int i = 0; i < count; ++i) kernel(i);
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
    const int chunks = count / chunk + (count % chunk != 0);
#pragma omp parallel num_threads(device.threads()) if (chunks > 1)
    {
        Scratch scratch;
#pragma omp for schedule(dynamic, 1)
        for (int c = 0; c < chunks; ++c) body(c * chunk, c + 1 == chunks ? count : (c + 1) * chunk, scratch);
    }
}
template <class Body>
void forEachChunk(const Device& device, const char* name, int count, int chunk, const Body& body) {
    struct None {};
    forEachChunkWith<None>(device, name, count, chunk, [&](int begin, int end, None&) { body(begin, end); });
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

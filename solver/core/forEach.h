// The one parallel loop, and the reduction beside it. A kernel is a named struct: its fields are what it reads and
// writes, its `PURL_HD void operator()(int i) const` does the work for one index and touches only its own outputs.
#pragma once
#include <string>
#include <vector>

#include "solver/core/device.h"
#include "solver/core/error.h"
#include "solver/core/platform.h"

#ifdef __CUDACC__
    #include <thrust/execution_policy.h>
    #include <thrust/iterator/counting_iterator.h>
    #include <thrust/transform_reduce.h>
#endif

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
template <class Kernel>
void forEach(const Device& device, const char* name, int count, const Kernel& kernel) {
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
    // Below this a loop is over sooner than a team of threads is awake.
    [[maybe_unused]] constexpr int kWorthThreads = 2048;
#pragma omp parallel for schedule(dynamic, 256) num_threads(device.threads()) if (count >= kWorthThreads)
    for (int i = 0; i < count; ++i) kernel(i);
}

// Combines value(0) … value(count − 1) in one fixed order: blocks of 1024 from first to last, so that any number of
// threads gives the same bits. `combine` must be associative up to rounding.
template <class T, class Value, class Combine>
T reduce(const Device& device, const char* name, int count, T start, const Value& value, const Combine& combine) {
    device.throwIfCancelled();
    if (count <= 0) return start;
#ifdef __CUDACC__
    if (device.isCuda()) {
        const thrust::counting_iterator<int> first(0);
        return thrust::transform_reduce(thrust::device, first, first + count, value, start, combine);
    }
#else
    if (device.isCuda()) throw Error(std::string("reduction ") + name + ": built for the CPU only");
#endif
    (void)name;
    constexpr int kBlock = 1024;
    const int blocks = (count + kBlock - 1) / kBlock;
    std::vector<T> partial(static_cast<size_t>(blocks), start);
#pragma omp parallel for schedule(dynamic, 4) num_threads(device.threads()) if (blocks > 1)
    for (int b = 0; b < blocks; ++b) {
        const int end = count < (b + 1) * kBlock ? count : (b + 1) * kBlock;
        T sum = value(b * kBlock);
        for (int i = b * kBlock + 1; i < end; ++i) sum = combine(sum, value(i));
        partial[static_cast<size_t>(b)] = sum;
    }
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

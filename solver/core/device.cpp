#include "solver/core/device.h"

#include <cstdlib>
#include <new>

#include "solver/core/error.h"
#include "solver/core/threadPool.h"

#ifdef __CUDACC__
    #include <cuda_runtime.h>
#endif

namespace purl {

Device Device::cpu(int threads) {
#if defined(__AVX2__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        throw Error("this build of Purl needs a CPU with AVX2 and FMA; build with -DPURL_ARCH=x86-64 for older ones");
#endif
    if (threads < 0) throw Error("threads: " + std::to_string(threads) + " is negative; 0 uses all cores");
    Device device;
    device.threads_ = threads > 0 ? threads : processorCount();
    return device;
}

Device Device::cuda([[maybe_unused]] int index) {
#ifdef __CUDACC__
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || index < 0 || index >= count)
        throw Error("device cuda:" + std::to_string(index) + ": no such GPU on this machine; use --device cpu");
    Device device = cpu();
    device.cudaIndex_ = index;
    cudaSetDevice(index);
    return device;
#else
    throw Error("device cuda: this build of Purl has no GPU code; build with -DPURL_CUDA=ON or use --device cpu");
#endif
}

Device Device::named(const std::string& name, int threads) {
    if (name == "cpu") return cpu(threads);
    if (name == "cuda") return cuda();
    throw Error("device \"" + name + "\": cpu or cuda expected");
}

std::string Device::name() const { return isCuda() ? "cuda:" + std::to_string(cudaIndex_) : "cpu"; }

void Device::onCancel(std::function<bool()> asked) { *cancelled_ = std::move(asked); }

void Device::throwIfCancelled() const {
    if (*cancelled_ && (*cancelled_)()) throw Cancelled();
}

void* Device::allocate(size_t bytes) const {
    const size_t padded = (bytes + 127) / 64 * 64;
    void* memory = nullptr;
#ifdef __CUDACC__
    if (isCuda()) {
        if (cudaMallocManaged(&memory, padded) != cudaSuccess) throw std::bad_alloc();
        return memory;
    }
#endif
    memory = std::aligned_alloc(64, padded);
    if (!memory) throw std::bad_alloc();
    return memory;
}

void Device::free(void* memory) const {
#ifdef __CUDACC__
    if (isCuda()) {
        cudaFree(memory);
        return;
    }
#endif
    std::free(memory);
}

void Device::synchronize() const {
#ifdef __CUDACC__
    if (isCuda()) {
        const cudaError_t status = cudaDeviceSynchronize();
        if (status != cudaSuccess) throw Error(name() + ": " + cudaGetErrorString(status));
    }
#endif
}

}  // namespace purl

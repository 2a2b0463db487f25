#include "solver/core/device.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solver/core/error.h"
#include "solver/core/rehearsal.h"
#include "solver/core/system.h"
#include "solver/core/threadPool.h"

#ifdef __CUDACC__
    #include <cuda_runtime.h>
#endif

namespace purl {
namespace {

constexpr size_t kAlignment = 64;

// Blocks have few different sizes, a quarter of a power of two apart, so that freed ones are found again.
size_t blockSize(size_t bytes) {
    constexpr size_t kSmallest = 4096;
    size_t power = kSmallest;
    while (2 * power < bytes) power *= 2;
    size_t size = power;
    while (size < bytes) size += power / 4;
    return size;
}

[[maybe_unused]] void throwIfFailed([[maybe_unused]] int status, [[maybe_unused]] const char* what) {
#ifdef __CUDACC__
    if (status == cudaSuccess) return;
    throw Error(std::string("device cuda: ") + what + ": " + cudaGetErrorString(static_cast<cudaError_t>(status)));
#endif
}

// Throws Error if the CPU lacks instructions that PURL_ARCH lets the compiler use.
void requireInstructions() {
#if defined(__x86_64__) && defined(__GNUC__)
    #if defined(__AVX512F__)
    constexpr const char *kNeeded = "AVX-512 (F, BW, DQ and VL)", *kOlder = "x86-64-v3";
    const bool found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    #elif defined(__AVX2__)
    constexpr const char *kNeeded = "AVX2 and FMA", *kOlder = "x86-64";
    const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    #elif defined(__SSE4_2__)
    constexpr const char *kNeeded = "SSE4.2", *kOlder = "x86-64";
    const bool found = __builtin_cpu_supports("sse4.2");
    #endif
    #ifdef __SSE4_2__
    if (!found)
        throw Error(std::string("this build of Purl needs a CPU with ") + kNeeded +
                    "; build with -DPURL_ARCH=" + kOlder + " for older ones");
    #endif
#endif
}

}  // namespace

struct Device::Own {
    DeviceCounts counts;
    const char* phase = nullptr;
    std::unique_ptr<Rehearsal> rehearsal;        // null on a GPU
    std::map<size_t, std::vector<void*>> freed;  // by size
    std::unordered_map<void*, size_t> sizes;     // of all blocks
    ~Own() {
#ifdef __CUDACC__
        if (!rehearsal)
            for (const auto& [block, bytes] : sizes) cudaFree(block);
#endif
    }
};

Device Device::cpu(int threads) {
    requireInstructions();
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
    device.own_ = std::make_shared<Own>();
    cudaSetDevice(index);
    return device;
#else
    throw Error("device cuda: this build of Purl has no GPU code; build with -DPURL_CUDA=ON or use --device cpu");
#endif
}

Device Device::rehearsal(int threads) {
    Device device = cpu(threads);
    device.own_ = std::make_shared<Own>();
    device.own_->rehearsal = std::make_unique<Rehearsal>();
    return device;
}

Device Device::named(const std::string& name, int threads) {
    if (name == "cpu") return cpu(threads);
    if (name == "cuda") return cuda();
    if (name == "rehearsal") return rehearsal(threads);
    throw Error("device \"" + name + "\": cpu, cuda or rehearsal expected");
}

std::string Device::name() const {
    return isCpu() ? "cpu" : isCuda() ? "cuda:" + std::to_string(cudaIndex_) : "rehearsal";
}

Device Device::host() const {
    Device host;
    host.threads_ = threads_;
    host.cancelled_ = cancelled_;
    return host;
}

void Device::onCancel(std::function<bool()> asked) { *cancelled_ = std::move(asked); }

void Device::throwIfCancelled() const {
    if (*cancelled_ && (*cancelled_)()) throw Cancelled();
}

void* Device::allocate(size_t bytes, const char* name) const {
    const size_t padded = (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
    void* memory = nullptr;
    if (isCpu()) {
        memory = os::allocateAligned(kAlignment, padded);
        if (!memory) throw std::bad_alloc();
        return memory;
    }
    const size_t size = blockSize(padded);
    std::vector<void*>& freed = own_->freed[size];
    if (!freed.empty()) {
        memory = freed.back();
        freed.pop_back();
    } else {
        if (own_->rehearsal) memory = own_->rehearsal->allocate(size);
#ifdef __CUDACC__
        if (!own_->rehearsal && cudaMalloc(&memory, size) != cudaSuccess) memory = nullptr;
#endif
        if (!memory) throw std::bad_alloc();
        own_->sizes[memory] = size;
        ++own_->counts.allocations;
    }
    if (own_->rehearsal) {
        own_->rehearsal->setOwner(memory, name);
        // No kernel may rely on what the memory of a GPU happens to hold: not a number, in every type.
        own_->rehearsal->enqueue([=] { std::memset(memory, 0xff, size); });
    }
    return memory;
}

void Device::free(void* memory) const {
    if (isCpu()) return os::freeAligned(memory);
    if (own_->rehearsal) own_->rehearsal->setOwner(memory, nullptr);
    own_->freed[own_->sizes[memory]].push_back(memory);
}

void Device::upload(void* to, const void* from, size_t bytes) const {
    if (bytes == 0) return;
    if (isCpu()) {
        std::memcpy(to, from, bytes);
        return;
    }
    ++own_->counts.uploads;
    own_->counts.uploadedBytes += static_cast<int64_t>(bytes);
    if (own_->rehearsal) {
        const char* const first = static_cast<const char*>(from);
        std::vector<char> staged(first, first + bytes);
        return own_->rehearsal->enqueue(
            [to, staged = std::move(staged)] { std::memcpy(to, staged.data(), staged.size()); });
    }
#ifdef __CUDACC__
    throwIfFailed(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "upload");
#endif
}

void Device::download(void* to, const void* from, size_t bytes) const {
    if (bytes == 0) return;
    if (isCpu()) {
        std::memcpy(to, from, bytes);
        return;
    }
    ++own_->counts.downloads;
    ++own_->counts.synchronizations;
    own_->counts.downloadedBytes += static_cast<int64_t>(bytes);
    if (own_->rehearsal) {
        own_->rehearsal->enqueue([=] { std::memcpy(to, from, bytes); });
        return own_->rehearsal->wait();
    }
#ifdef __CUDACC__
    throwIfFailed(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "download");
#endif
}

void Device::copy(void* to, const void* from, size_t bytes) const {
    if (bytes == 0) return;
    if (isCpu()) {
        std::memcpy(to, from, bytes);
        return;
    }
    if (own_->rehearsal) return own_->rehearsal->enqueue([=] { std::memcpy(to, from, bytes); });
#ifdef __CUDACC__
    throwIfFailed(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy");
#endif
}

void Device::clear(void* to, size_t bytes) const {
    if (bytes == 0) return;
    if (isCpu()) {
        std::memset(to, 0, bytes);
        return;
    }
    if (own_->rehearsal) return own_->rehearsal->enqueue([=] { std::memset(to, 0, bytes); });
#ifdef __CUDACC__
    throwIfFailed(cudaMemsetAsync(to, 0, bytes), "clear");
#endif
}

void Device::synchronize() const {
    if (isCpu()) return;
    if (own_->rehearsal) return own_->rehearsal->wait();
#ifdef __CUDACC__
    throwIfFailed(cudaDeviceSynchronize(), "synchronize");
#endif
}

void Device::checkFields(const char* name, const void* kernel, size_t bytes) const {
    own_->rehearsal->checkFields(name, kernel, bytes);
}

void Device::enqueue(const char*, const void* kernel, size_t bytes, int count, int grain, RunKernel run) const {
    countLaunch();
    // A vector of chars is aligned for any kernel whose fields are not over-aligned; see forEach().
    const char* const first = static_cast<const char*>(kernel);
    own_->rehearsal->enqueue([=, threads = threads_, fields = std::vector<char>(first, first + bytes)] {
        run(threads, fields.data(), count, grain);
    });
}

void Device::enqueue(std::function<void()> work) const {
    countLaunch();
    own_->rehearsal->enqueue(std::move(work));
}

void Device::countLaunch() const { ++own_->counts.launches; }

DeviceCounts Device::counts() const { return own_ ? own_->counts : DeviceCounts(); }

const char* Device::enterPhase(const char* name) const {
    if (isCpu()) return nullptr;
    if (own_->rehearsal) own_->rehearsal->setPhase(name);
    return std::exchange(own_->phase, name);
}

}  // namespace purl

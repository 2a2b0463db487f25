// Where kernels run and where their memory lives. A Device is a cheap handle; copies refer to the same device.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "solver/core/deviceCounts.h"

namespace purl {

class Device {
  public:
    // threads = 0 uses all cores. Throws Error on a CPU that lacks the instruction set the build was made for.
    static Device cpu(int threads = 0);
    // Throws Error if this build has no GPU code or this machine has no such GPU.
    static Device cuda(int index = 0);
    // The code path of a GPU, without one: kernels are queued and run later, on threads of the CPU, and the host cannot
    // touch device memory. A stray access ends the process with one line that names the buffer and the phase.
    static Device rehearsal(int threads = 0);
    // "cpu", "cuda" or "rehearsal", as users write them.
    static Device named(const std::string& name, int threads = 0);

    // Whether the host may read and write this device's memory.
    bool isCpu() const { return !own_; }
    bool isCuda() const { return cudaIndex_ >= 0; }
    int threads() const { return threads_; }
    std::string name() const;
    // The CPU that runs what this device does not, with the same number of threads.
    Device host() const;

    // Polled before every kernel; when it returns true, the caller of the kernel gets Cancelled.
    void onCancel(std::function<bool()> asked);
    void throwIfCancelled() const;

    // Memory of this device, 64-byte aligned, uninitialized. At least 64 bytes of padding follow, so that a vector load
    // may run past the last element. `name` of the buffer, for messages. Freed memory is kept for the next allocation.
    void* allocate(size_t bytes, const char* name) const;
    void free(void* memory) const;

    // Copies, in order with the kernels. `from` may change as soon as upload() returns; download() waits for all
    // kernels before it.
    void upload(void* to, const void* from, size_t bytes) const;
    void download(void* to, const void* from, size_t bytes) const;
    // Within this device.
    void copy(void* to, const void* from, size_t bytes) const;
    void clear(void* to, size_t bytes) const;

    // Waits for all kernels, to measure their time. Not needed before a copy to the host, which waits by itself, and
    // not counted.
    void synchronize() const;

    // Queues a kernel of the rehearsal: run(threads, kernel, count, grain), with a copy of the kernel. Counted as one
    // launch; forEach() calls it.
    using RunKernel = void (*)(int threads, const void* kernel, int count, int grain);
    void enqueue(const char* name, const void* kernel, size_t bytes, int count, int grain, RunKernel run) const;
    // Throws Error if a kernel of the rehearsal holds an address of host memory. Its padding must be zero.
    void checkFields(const char* name, const void* kernel, size_t bytes) const;
    // Queues a library call of the rehearsal: a scan or a sort.
    void enqueue(std::function<void()> work) const;
    // Counts a kernel that was launched on a GPU.
    void countLaunch() const;

    DeviceCounts counts() const;
    // Names the phase the host is in, for messages. Returns the previous name.
    const char* enterPhase(const char* name) const;

    // Whether buffers of both can be used in one kernel.
    bool operator==(const Device& other) const { return own_ == other.own_; }
    bool operator!=(const Device& other) const { return !(*this == other); }

  private:
    struct Own;  // of a device other than the CPU

    int threads_ = 1;
    int cudaIndex_ = -1;
    std::shared_ptr<Own> own_;
    std::shared_ptr<std::function<bool()>> cancelled_ = std::make_shared<std::function<bool()>>();
};

}  // namespace purl

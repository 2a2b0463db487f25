// Where kernels run and where their memory lives. A Device is a cheap handle; copies name the same device.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace purl {

class Device {
  public:
    // Threads 0: as many as the machine has. Throws Error on a CPU older than the build was made for.
    static Device cpu(int threads = 0);
    // Throws Error where this build or this machine has no such GPU.
    static Device cuda(int index = 0);
    // "cpu" or "cuda", as users write it.
    static Device named(const std::string& name, int threads = 0);

    bool isCuda() const { return cudaIndex_ >= 0; }
    int threads() const { return threads_; }
    std::string name() const;

    // Asked before every kernel; when it answers true the kernel's caller gets Cancelled.
    void onCancel(std::function<bool()> asked);
    void throwIfCancelled() const;

    // Memory that both this device and the CPU can read (managed memory on a GPU), 64-byte aligned, not cleared.
    // At least 64 spare bytes follow it, so that a vector load may run past the last element.
    void* allocate(size_t bytes) const;
    void free(void* memory) const;
    // Waits for kernels under way, so that the CPU may read what they wrote.
    void synchronize() const;

    bool operator==(const Device& other) const { return cudaIndex_ == other.cudaIndex_; }
    bool operator!=(const Device& other) const { return !(*this == other); }

  private:
    int threads_ = 1;
    int cudaIndex_ = -1;
    std::shared_ptr<std::function<bool()>> cancelled_ = std::make_shared<std::function<bool()>>();
};

}  // namespace purl

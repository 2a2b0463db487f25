// Where kernels run and where their memory lives. A Device is a cheap handle; copies refer to the same device.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace purl {

class Device {
  public:
    // threads = 0 uses all cores. Throws Error on a CPU that lacks the instruction set the build was made for.
    static Device cpu(int threads = 0);
    // Throws Error if this build has no GPU code or this machine has no such GPU.
    static Device cuda(int index = 0);
    // "cpu" or "cuda", as users write them.
    static Device named(const std::string& name, int threads = 0);

    bool isCuda() const { return cudaIndex_ >= 0; }
    int threads() const { return threads_; }
    std::string name() const;

    // Polled before every kernel; when it returns true, the caller of the kernel gets Cancelled.
    void onCancel(std::function<bool()> asked);
    void throwIfCancelled() const;

    // Memory that this device and the CPU can both read (managed memory on a GPU), 64-byte aligned, uninitialized. At
    // least 64 bytes of padding follow, so that a vector load may run past the last element.
    void* allocate(size_t bytes) const;
    void free(void* memory) const;
    // Waits for running kernels, so that the CPU may read their results.
    void synchronize() const;

    bool operator==(const Device& other) const { return cudaIndex_ == other.cudaIndex_; }
    bool operator!=(const Device& other) const { return !(*this == other); }

  private:
    int threads_ = 1;
    int cudaIndex_ = -1;
    std::shared_ptr<std::function<bool()>> cancelled_ = std::make_shared<std::function<bool()>>();
};

}  // namespace purl

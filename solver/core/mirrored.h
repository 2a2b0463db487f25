// Mirrored: an array that the host writes, rarely, and kernels read. On the CPU there is one copy; another device has
// its own.
#pragma once
#include "solver/core/buffer.h"

namespace purl {

template <class T>
class Mirrored {
  public:
    explicit Mirrored(const Device& device, const char* name = "a mirrored array")
        : host_(device.host(), name), device_(device, name) {}

    int size() const { return host_.size(); }
    bool empty() const { return host_.empty(); }
    // The elements on the host. After changing them call upload(), before the next kernel that reads them.
    Buffer<T>& onHost() { return host_; }
    const Buffer<T>& onHost() const { return host_; }
    const T& operator[](int i) const { return host_[i]; }
    void upload() {
        if (!device_.device().isCpu()) device_ = host_;
    }
    // In place of upload(), for kernels that make the same change there; not on the CPU.
    Buffer<T>& onDevice() { return device_; }

    // For kernels on the device.
    const T* data() const { return device_.device().isCpu() ? host_.data() : device_.data(); }
    Span<const T> span() const { return {data(), size()}; }
    // For kernels on that device, which is this one or the host.
    Span<const T> spanOn(const Device& device) const { return device.isCpu() ? host_.span() : span(); }

  private:
    Buffer<T> host_, device_;
};

}  // namespace purl

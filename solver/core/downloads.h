// Downloads: several arrays of a device to the host with one wait.
#pragma once
#include <cstring>
#include <vector>

#include "solver/core/buffer.h"

namespace purl {

class Downloads {
  public:
    explicit Downloads(const Device& device) : device_(device) {}

    // Both arrays must remain until wait().
    template <class T>
    void add(T* to, Span<const T> from) {
        static_assert(std::is_trivially_copyable_v<T>);
        const size_t bytes = sizeof(T) * static_cast<size_t>(from.count);
        if (device_.isCpu())
            device_.download(to, from.data, bytes);
        else
            parts_.push_back({to, from.data, bytes});
    }

    // Afterwards all elements are on the host.
    void wait() {
        if (parts_.empty()) return;
        size_t all = 0;
        for (const Part& part : parts_) all += part.bytes;
        Buffer<char> packed(device_, "arrays on their way to the host");
        packed.resizeDiscard(static_cast<int>(all));
        char* next = packed.data();
        for (const Part& part : parts_) {
            device_.copy(next, part.from, part.bytes);
            next += part.bytes;
        }
        std::vector<char> arrived(all);
        device_.download(arrived.data(), packed.data(), all);
        const char* from = arrived.data();
        for (const Part& part : parts_) {
            if (part.bytes > 0) std::memcpy(part.to, from, part.bytes);
            from += part.bytes;
        }
        parts_.clear();
    }

  private:
    struct Part {
        void* to;
        const void* from;
        size_t bytes;
    };
    Device device_;
    std::vector<Part> parts_;
};

}  // namespace purl

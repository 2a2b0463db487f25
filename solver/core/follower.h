// Follower: a copy on a device of an array of the host of which few elements change at a time.
#pragma once
#include <cstring>
#include <vector>

#include "solver/core/forEach.h"
#include "solver/core/hostView.h"

namespace purl {

template <class T>
struct StoreChanges {
    struct Change {
        int index;
        T value;
    };
    Span<const Change> changes;
    T* to;
    PURL_HD void operator()(int k) const { to[changes[k].index] = changes[k].value; }
};

template <class T>
class Follower {
  public:
    Follower(const Device& device, const char* name) : copy_(device, name), changes_(device, "changed elements") {}

    // For kernels on the device: the array itself on the CPU, else the copy, to which the elements that changed since
    // the last call are uploaded.
    Span<const T> follow(Span<const T> from) {
        if (copy_.device().isCpu()) return from;
        std::vector<Change> changes;
        const size_t count = known_.size();
        const bool sameSize = static_cast<size_t>(from.count) == count;
        for (size_t i = 0; sameSize && i < count; ++i)
            if (std::memcmp(&known_[i], &from.data[i], sizeof(T)) != 0)
                changes.push_back({static_cast<int>(i), from.data[i]});
        if (!sameSize || sizeof(Change) * changes.size() >= sizeof(T) * count) {
            upload(copy_, from.data, from.count);
        } else if (!changes.empty()) {
            upload(changes_, changes);
            forEach(copy_.device(), "storeChanges", changes_.size(),
                    StoreChanges<T>{std::as_const(changes_).span(), copy_.data()});
        }
        known_.assign(from.begin(), from.end());
        return std::as_const(copy_).span();
    }

  private:
    using Change = typename StoreChanges<T>::Change;

    std::vector<T> known_;  // what the copy holds
    Buffer<T> copy_;
    Buffer<Change> changes_;
};

}  // namespace purl

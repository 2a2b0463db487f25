// OrderedList: what a parallel loop finds, in the order of its indices, for any number of threads.
#pragma once
#include <vector>

#include "solver/core/forEach.h"

namespace purl {

template <class T>
class OrderedList {
  public:
    // Runs find(i, list) for 0 … count − 1, `chunk` of them after each other; it puts what it finds at the list's end.
    template <class Find>
    const std::vector<T>& fill(const Device& device, const char* name, int count, int chunk, const Find& find) {
        all_.clear();
        const int chunks = (count + chunk - 1) / chunk;
        if (static_cast<int>(lists_.size()) < chunks) lists_.resize(static_cast<size_t>(chunks));
        // Lists are of the CPU.
        forEachChunk(Device::cpu(device.threads()), name, count, chunk, [&](int begin, int end) {
            std::vector<T>& list = lists_[static_cast<size_t>(begin / chunk)];
            list.clear();
            for (int i = begin; i < end; ++i) find(i, list);
        });
        for (int c = 0; c < chunks; ++c)
            all_.insert(all_.end(), lists_[static_cast<size_t>(c)].begin(), lists_[static_cast<size_t>(c)].end());
        return all_;
    }
    const std::vector<T>& all() const { return all_; }

  private:
    std::vector<std::vector<T>> lists_;
    std::vector<T> all_;
};

}  // namespace purl

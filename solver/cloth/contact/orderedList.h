// OrderedList: collects the results of a parallel loop in index order, independent of the number of threads.
#pragma once
#include <vector>

#include "solver/core/forEach.h"

namespace purl {

template <class T>
class OrderedList {
  public:
    // Calls find(i, list) for 0 … count − 1 in chunks; find appends its results to the list.
    template <class Find>
    const std::vector<T>& fill(const Device& device, const char* name, int count, int chunk, const Find& find) {
        all_.clear();
        const int chunks = (count + chunk - 1) / chunk;
        if (static_cast<int>(lists_.size()) < chunks) lists_.resize(static_cast<size_t>(chunks));
        // std::vector results: host only.
        forEachChunk(Device::cpu(device.threads()), name, count, chunk, [&](int begin, int end) {
            std::vector<T>& list = lists_[begin / chunk];
            list.clear();
            for (int i = begin; i < end; ++i) find(i, list);
        });
        for (int c = 0; c < chunks; ++c) all_.insert(all_.end(), lists_[c].begin(), lists_[c].end());
        return all_;
    }
    const std::vector<T>& all() const { return all_; }

  private:
    std::vector<std::vector<T>> lists_;
    std::vector<T> all_;
};

}  // namespace purl

// OrderedScatter: a deterministic scatter. Each target receives its contributions in the order of the sources, whatever
// the thread count.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/forEach.h"

namespace purl {

class OrderedScatter {
  public:
    // entriesOf(i, put) calls put(target, what) for each contribution of source i in 0 … sources − 1. Groups of
    // 2^log2Group adjacent targets are handled by one thread; choose it small enough that busy targets do not all fall
    // into one group.
    template <class Entries>
    OrderedScatter(const Device& device, const char* name, int sources, int log2Group, const Entries& entriesOf)
        : device_(Device::cpu(device.threads())),
          name_(name),
          blocks_(static_cast<size_t>((sources + kBlock - 1) / kBlock)) {
        forEachChunkWith<std::vector<Entry>>(
            device_, name, sources, kBlock, [&](int begin, int end, std::vector<Entry>& found) {
                found.clear();
                for (int i = begin; i < end; ++i)
                    entriesOf(i, [&](int target, int what) { found.push_back({i, target, what}); });
                Block& block = blocks_[begin / kBlock];
                const auto partOf = [&](const Entry& entry) { return entry.target >> log2Group & (kParts - 1); };
                for (const Entry& entry : found) ++block.ends[partOf(entry)];
                int sum = 0;
                for (int& end : block.ends) sum += std::exchange(end, sum);
                block.entries.resize(found.size());
                for (const Entry& entry : found) block.entries[block.ends[partOf(entry)]++] = entry;
            });
    }

    // visit(source, target, what) for every entry.
    template <class Visit>
    void forEachEntry(const Visit& visit) const {
        forEachChunk(device_, name_, kParts, 1, [&](int part, int) {
            for (const Block& block : blocks_)
                for (int k = part > 0 ? block.ends[part - 1] : 0; k < block.ends[part]; ++k) {
                    const Entry& entry = block.entries[k];
                    visit(entry.source, entry.target, entry.what);
                }
        });
    }

  private:
    static constexpr int kBlock = 512, kParts = 64;
    struct Entry {
        int source, target, what;
    };
    struct Block {
        std::vector<Entry> entries;  // grouped by target part
        int ends[kParts] = {};       // end offset of each part in `entries`
    };

    Device device_;
    const char* name_;
    std::vector<Block> blocks_;
};

}  // namespace purl

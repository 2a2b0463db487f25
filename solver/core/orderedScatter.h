// OrderedScatter: what many sources give to targets. Each target takes it in the order of the sources, whatever the
// number of threads.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/forEach.h"

namespace purl {

class OrderedScatter {
  public:
    // entriesOf(i, put) calls put(target, what) for all that source i gives, 0 … sources − 1. 2^sideBySide targets side
    // by side are one thread's, but not so many that one has all those that much is given to.
    template <class Entries>
    OrderedScatter(const Device& device, const char* name, int sources, int sideBySide, const Entries& entriesOf)
        : device_(Device::cpu(device.threads())),
          name_(name),
          blocks_(static_cast<size_t>((sources + kBlock - 1) / kBlock)) {
        forEachChunkWith<std::vector<Entry>>(
            device_, name, sources, kBlock, [&](int begin, int end, std::vector<Entry>& found) {
                found.clear();
                for (int i = begin; i < end; ++i)
                    entriesOf(i, [&](int target, int what) { found.push_back({i, target, what}); });
                Block& block = blocks_[static_cast<size_t>(begin / kBlock)];
                const auto partOf = [&](const Entry& entry) { return entry.target >> sideBySide & (kParts - 1); };
                for (const Entry& entry : found) ++block.ends[partOf(entry)];
                int sum = 0;
                for (int& end : block.ends) sum += std::exchange(end, sum);
                block.entries.resize(found.size());
                for (const Entry& entry : found)
                    block.entries[static_cast<size_t>(block.ends[partOf(entry)]++)] = entry;
            });
    }

    // take(source, target, what) for every entry.
    template <class Take>
    void handOut(const Take& take) const {
        forEachChunk(device_, name_, kParts, 1, [&](int part, int) {
            for (const Block& block : blocks_)
                for (int k = part > 0 ? block.ends[part - 1] : 0; k < block.ends[part]; ++k) {
                    const Entry& entry = block.entries[static_cast<size_t>(k)];
                    take(entry.source, entry.target, entry.what);
                }
        });
    }

  private:
    static constexpr int kBlock = 512, kParts = 64;
    struct Entry {
        int source, target, what;
    };
    struct Block {
        std::vector<Entry> entries;  // part by part of the targets
        int ends[kParts] = {};       // of each part's entries
    };

    Device device_;
    const char* name_;
    std::vector<Block> blocks_;
};

}  // namespace purl

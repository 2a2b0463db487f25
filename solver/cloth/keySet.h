// A set of 64-bit keys that only grows: for set-up loops, where a node a key of std::unordered_set costs most.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace purl {

// Open addressing, at most half full. No key may be 2⁶⁴ − 1.
class KeySet {
  public:
    explicit KeySet(size_t expected = 0) {
        size_t slots = 1024;
        while (slots < 2 * expected) slots *= 2;
        slots_.assign(slots, kFree);
    }

    // True if it was not there.
    bool insert(uint64_t key) {
        if (2 * count_ >= slots_.size()) grow();
        uint64_t& slot = slotOf(key);
        if (slot == key) return false;
        slot = key;
        ++count_;
        return true;
    }

  private:
    static constexpr uint64_t kFree = ~uint64_t{0};

    uint64_t& slotOf(uint64_t key) {
        const size_t mask = slots_.size() - 1;
        size_t at = static_cast<size_t>(key * 0x9e3779b97f4a7c15ull >> 24) & mask;
        while (slots_[at] != key && slots_[at] != kFree) at = (at + 1) & mask;
        return slots_[at];
    }
    void grow() {
        std::vector<uint64_t> old(2 * slots_.size(), kFree);
        old.swap(slots_);
        for (const uint64_t key : old)
            if (key != kFree) slotOf(key) = key;
    }

    std::vector<uint64_t> slots_;
    size_t count_ = 0;
};

}  // namespace purl

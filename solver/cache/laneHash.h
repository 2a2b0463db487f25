// The fingerprint of many bytes at the speed of memory.
#pragma once
#include "solver/core/hash.h"

namespace purl {

// Four hashes of every fourth word side by side go into the whole: one alone waits for itself at every word.
inline void addInLanes(Hash& whole, const void* data, size_t size) {
    constexpr size_t kLanes = 4, kStripe = kLanes * sizeof(uint64_t);
    const char* bytes = static_cast<const char*>(data);
    Hash lanes[kLanes];
    size_t at = 0;
    for (; at + kStripe <= size; at += kStripe) {
        uint64_t words[kLanes];
        std::memcpy(words, bytes + at, kStripe);
        for (size_t k = 0; k < kLanes; ++k) lanes[k].add(words[k]);
    }
    for (const Hash& lane : lanes) whole.add(lane.value());
    whole.addBytes(bytes + at, size - at);
}

}  // namespace purl

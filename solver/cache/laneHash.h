// The fingerprint of many bytes at the speed of memory.
#pragma once
#include "solver/core/hash.h"

namespace purl {

// Four hashes of every fourth word side by side go into the whole: one alone waits for itself at every word.
class LaneHash {
  public:
    // Bytes that come one behind the other. Only the last ones may be other than whole stripes.
    void add(const void* data, size_t size) {
        const char* bytes = static_cast<const char*>(data);
        size_t at = 0;
        Hash lanes[kLanes] = {lanes_[0], lanes_[1], lanes_[2], lanes_[3]};  // in registers
        for (; at + kStripe <= size; at += kStripe) {
            uint64_t words[kLanes];
            std::memcpy(words, bytes + at, kStripe);
            for (size_t k = 0; k < kLanes; ++k) lanes[k].add(words[k]);
        }
        for (size_t k = 0; k < kLanes; ++k) lanes_[k] = lanes[k];
        restSize_ = size - at;
        if (restSize_) std::memcpy(rest_, bytes + at, restSize_);
    }
    void addTo(Hash& whole) const {
        for (const Hash& lane : lanes_) whole.add(lane.value());
        whole.addBytes(rest_, restSize_);
    }

    static constexpr size_t kLanes = 4, kStripe = kLanes * sizeof(uint64_t);

  private:
    Hash lanes_[kLanes];
    char rest_[kStripe];
    size_t restSize_ = 0;
};

inline void addInLanes(Hash& whole, const void* data, size_t size) {
    LaneHash lanes;
    lanes.add(data, size);
    lanes.addTo(whole);
}

}  // namespace purl

// The fingerprint of many bytes at the speed of memory.
#pragma once
#include "solver/core/hash.h"

namespace purl {

// Four hashes of every fourth word side by side go into the whole: one alone waits for itself at every word.
class LaneHash {
  public:
    static constexpr size_t kLanes = 4, kStripe = kLanes * sizeof(uint64_t);

    // Bytes that come one behind the other. Only the last ones may be other than whole stripes.
    void add(const void* data, size_t size);
    void addTo(Hash& whole) const;

  private:
    Hash lanes_[kLanes];
    char rest_[kStripe];
    size_t restSize_ = 0;
};

// The fingerprint of a file: of pieces of one size, so that it does not depend on how the file was written.
class FileHash {
  public:
    static constexpr size_t kPiece = 1 << 20;

    // Bytes that come one behind the other. Only the last ones may be other than whole stripes.
    void add(const void* data, size_t size);
    uint64_t value() const;

  private:
    Hash whole_;
    LaneHash piece_;
    size_t pieceSize_ = 0;
};

}  // namespace purl

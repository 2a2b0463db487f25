// Fast hash of large data, limited by memory bandwidth.
#pragma once
#include "solver/core/hash.h"

namespace purl {

// Combines four independent hashes of interleaved words; a single one would be limited by the latency of its
// dependency chain.
class LaneHash {
  public:
    static constexpr size_t kLanes = 4, kStripe = kLanes * sizeof(uint64_t);

    // Appends bytes. Only the last call may pass a partial stripe.
    void add(const void* data, size_t size);
    void addTo(Hash& whole) const;

  private:
    Hash lanes_[kLanes];
    char rest_[kStripe];
    size_t restSize_ = 0;
};

// Hash of a file, over blocks of a fixed size, so that it does not depend on how the file was written.
class FileHash {
  public:
    static constexpr size_t kPiece = 1 << 20;

    // Appends bytes. Only the last call may pass a partial stripe.
    void add(const void* data, size_t size);
    uint64_t value() const;

  private:
    Hash whole_;
    LaneHash piece_;
    size_t pieceSize_ = 0;
};

}  // namespace purl

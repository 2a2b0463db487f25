#include "solver/cache/laneHash.h"

#include <algorithm>

namespace purl {
namespace {

// Keeps the compiler from vectorizing the hash: AVX2 has no 64-bit multiplication, and its emulation takes three times
// as long as four interleaved scalar ones.
uint64_t scalar(uint64_t word) {
#ifdef __GNUC__
    asm("" : "+r"(word));
#endif
    return word;
}

}  // namespace

void LaneHash::add(const void* data, size_t size) {
    const char* bytes = static_cast<const char*>(data);
    size_t at = 0;
    Hash a = lanes_[0], b = lanes_[1], c = lanes_[2], d = lanes_[3];  // in registers
    for (; at + kStripe <= size; at += kStripe) {
        uint64_t words[kLanes];
        std::memcpy(words, bytes + at, kStripe);
        a.add(scalar(words[0]));
        b.add(scalar(words[1]));
        c.add(scalar(words[2]));
        d.add(scalar(words[3]));
    }
    lanes_[0] = a, lanes_[1] = b, lanes_[2] = c, lanes_[3] = d;
    restSize_ = size - at;
    if (restSize_) std::memcpy(rest_, bytes + at, restSize_);
}

void LaneHash::addTo(Hash& whole) const {
    for (const Hash& lane : lanes_) whole.add(lane.value());
    whole.addBytes(rest_, restSize_);
}

void FileHash::add(const void* data, size_t size) {
    for (const char* bytes = static_cast<const char*>(data); size > 0;) {
        const size_t count = std::min(size, kPiece - pieceSize_);
        piece_.add(bytes, count);
        pieceSize_ += count;
        bytes += count;
        size -= count;
        if (pieceSize_ < kPiece) continue;
        piece_.addTo(whole_);
        piece_ = {};
        pieceSize_ = 0;
    }
}

uint64_t FileHash::value() const {
    Hash whole = whole_;
    if (pieceSize_ > 0) piece_.addTo(whole);
    return whole.value();
}

}  // namespace purl

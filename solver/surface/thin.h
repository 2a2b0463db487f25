// Thin liquid: drops, threads and films narrower than the kernel of the surface's field. The kernel spreads their
// volume over more room than they have, so that the field stays below the iso value and the surface would lose them.
// All lengths are in cells.
#pragma once
#include "solver/search/neighbors.h"

namespace purl {

// The level of the field that lies at a flat surface, and so encloses the volume of what is not thin.
constexpr float kVolumeLevel = 0.5f;

struct ThinBlobs {
    Buffer<float> factor;  // by which each particle's peak grows
    Buffer<float> radius;  // of its kernel

    explicit ThinBlobs(const Device& device) : factor(device), radius(device) {}
};
// Kernels for particles in thin liquid, with which the level kVolumeLevel of Σ peakⱼ (1 − (r/radius)²)³ encloses the
// particles' volume. Around a drop, a thread or a film the field has the profile of the kernel, summed along the
// directions in which the liquid extends, and its value at a particle tells the volume there. So the half thickness a
// is known, and with it the value in the middle that puts the level at a:
//     drop    V = (4/3) π a³    ½ / (1 − (a/radius)²)³
//     thread  A = π a²          ½ / (1 − (a/radius)²)^3.5
//     film    t = 2 a           ½ / (1 − (a/radius)²)⁴
// Which of them it is, the extents of the neighbourhood along its principal axes tell; between them, their mean.
// Particles that come apart get narrower kernels, down to loneRadius. Those with wanted[i] == 0, and those in thicker
// liquid, keep theirs.
ThinBlobs shapeThin(const Neighbors& neighbors, const Buffer<uint8_t>& wanted, const Buffer<float>& peak, float radius,
                    float loneRadius);

}  // namespace purl

// Thin liquid: drops, threads and films narrower than the kernel of the surface field. The kernel spreads their volume
// beyond their extent, so that the field stays below the iso value and the surface would lose them. All lengths are in
// cells.
#pragma once
#include "solver/search/neighbors.h"

namespace purl {

// The field value at a flat surface; this level encloses the volume of liquid that is not thin.
constexpr float kVolumeLevel = 0.5f;

struct ThinBlobs {
    Buffer<float> factor;  // factor for the peak of each particle
    Buffer<float> radius;  // of its kernel

    explicit ThinBlobs(const Device& device) : factor(device), radius(device) {}
};
// Kernels for particles in thin liquid, such that the level kVolumeLevel of Σ peakⱼ (1 − (r/radius)²)³ encloses the
// particles' volume. Around a drop, a thread or a film the field has the profile of the kernel, integrated along the
// directions in which the liquid extends, and its value at a particle gives the local volume. That determines the half
// thickness a, and with it the central value that puts the level at a:
//     drop    V = (4/3) π a³    ½ / (1 − (a/radius)²)³
//     thread  A = π a²          ½ / (1 − (a/radius)²)^3.5
//     film    t = 2 a           ½ / (1 − (a/radius)²)⁴
// The case follows from the variances of the neighbourhood along its principal axes, with interpolation in between.
// Particles that separate get narrower kernels, down to loneRadius. Particles with wanted[i] == 0, and those in thicker
// liquid, keep theirs.
ThinBlobs shapeThin(const Neighbors& neighbors, const Buffer<uint8_t>& wanted, const Buffer<float>& peak, float radius,
                    float loneRadius);

}  // namespace purl

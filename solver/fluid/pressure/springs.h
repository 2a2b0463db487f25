// The springs of double-density fluids: between all particles that are near, flowing where they are strained beyond
// their yield, and stiffer where their ends have moved against each other of late (Özgen 2013, chapter 5).
#pragma once
#include <vector>

#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/doubleDensityConstants.h"
#include "solver/fractional/history.h"
#include "solver/search/neighbors.h"
#include "solver/state.h"

namespace purl {

// Σ row[slot] |vᵢ − vⱼ| over the ring: of magnitudes, so that shaking adds up   Özgen 5.13
PURL_HD inline float pastShear(const VelocityHistory& past, const float* row, int i, int j) {
    const float *const a = past.of(i), *const b = past.of(j);
    const int n = past.samples;
    float sum = 0;
    for (int slot = 0; slot < n; ++slot)
        sum += row[slot] * std::sqrt(square(a[slot] - b[slot]) + square(a[n + slot] - b[n + slot]) +
                                     square(a[2 * n + slot] - b[2 * n + slot]));
    return sum;
}

class ViscoelasticSprings {
  public:
    // On a CPU tuned loops do it for one fluid, unless not wanted.
    ViscoelasticSprings(const Device& device, bool tuned);

    // `radius`: H, m.
    void set(const Buffer<DoubleDensityConstants>& fluids, std::vector<double> orders, float radius);
    // Springs for all that are near, none for the others; those strained beyond their yield flow, all harden.
    void adjust(State& state, const Neighbors& neighbors, float dt);
    // moved, m: where the springs between the neighbours of `adjust` take particles. Those that were in one place then,
    // and so have no spring, still are.
    void pull(const State& state, const Neighbors& neighbors, float dt, Buffer<Vec3>& moved);

    // Of each spring, in their order: stiffness, 1/s²; of each particle: mean share of the most hardening, and how much
    // walls grip it for that, 0 … 1.
    const Buffer<float>& stiffness() const { return stiffness_; }
    const Buffer<float>& hardness() const { return hardness_; }
    const Buffer<float>& grip() const { return grip_; }

  private:
    void setRows(const State& state);
    const Float4* packIds(const Particles& particles);
    bool inLanes() const { return kHasLanes && tuned_ && fluids_.size() == 1 && fluids_[0].spring > 0; }

    Device device_;
    [[maybe_unused]] bool tuned_;
    float radius_ = 1;  // m
    Buffer<DoubleDensityConstants> fluids_;
    std::vector<double> orders_;   // of the fractional derivative, one a fluid
    Buffer<Run> oldOf_;            // by id: which springs were a particle's
    Buffer<int> counts_, starts_;  // of each particle: springs that it holds
    Buffer<int> endA_, endB_;      // of each spring: its particles; tuned loops need the second alone
    Buffer<int> springOf_;         // of each entry of the neighbours' lists: the spring, or kNoSpring; for plain loops
    Buffer<Float4> points_;        // x, and the bits of the id; for tuned ones
    Springs next_;
    Buffer<float> rows_, stiffness_, hardness_, grip_;
};

}  // namespace purl

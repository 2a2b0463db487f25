// Viscoelastic springs of double-density fluids: between all neighbours, with plastic flow beyond the yield strain, and
// stiffer where their end points recently moved relative to each other (Özgen 2013, chapter 5).
#pragma once
#include <cmath>
#include <vector>

#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/doubleDensityConstants.h"
#include "solver/fractional/history.h"
#include "solver/search/neighbors.h"
#include "solver/state.h"

namespace purl {

// Σ row[slot] |vᵢ − vⱼ| over the ring buffer; of magnitudes, so that oscillation accumulates   Özgen 5.13. In the order
// of pastShearLanes: eight sums, one per lane, and then what is left.
PURL_HD inline float pastShear(const VelocityHistory& past, const float* row, int i, int j) {
    const float *const a = past.of(i), *const b = past.of(j);
    const int n = past.samples, inLanes = n / kLanes * kLanes;
    float sums[kLanes] = {};
    for (int slot = 0; slot < inLanes; ++slot) {
        const VecOf<float> u{a[slot] - b[slot], a[n + slot] - b[n + slot], a[2 * n + slot] - b[2 * n + slot]};
        float& own = sums[slot % kLanes];
        own = fma(row[slot], std::sqrt(dot(u, u)), own);
    }
    float sum = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    for (int slot = inLanes; slot < n; ++slot)
        sum += row[slot] * std::sqrt(square(a[slot] - b[slot]) + square(a[n + slot] - b[n + slot]) +
                                     square(a[2 * n + slot] - b[2 * n + slot]));
    return sum;
}

class ViscoelasticSprings {
  public:
    // `tuned`: on a CPU, use loops of eight lanes if there is one fluid.
    ViscoelasticSprings(const Device& device, bool tuned);

    // `radius`: H, m.
    void set(const Buffer<DoubleDensityConstants>& fluids, std::vector<double> orders, float radius);
    // Creates springs between all neighbours and deletes all others; applies plastic flow, and updates the hardening.
    void adjust(State& state, const Neighbors& neighbors, float dt);
    // Writes the positions after the spring displacements into `moved`, m. `neighbors` as in `adjust`; particles that
    // coincided there, and so have no spring, must still coincide.
    void pull(const State& state, const Neighbors& neighbors, float dt, Buffer<Vec3>& moved);

    // Per spring: stiffness, 1/s². Per particle: mean hardening of its springs as a fraction of the maximum, and the
    // resulting grip of colliders, 0 … 1.
    const Buffer<float>& stiffness() const { return stiffness_; }
    const Buffer<float>& hardness() const { return hardness_; }
    const Buffer<float>& grip() const { return grip_; }

  private:
    void setRows(const State& state);
    const Float4* packIds(const Particles& particles);
    bool inLanes() const { return tuned_ && fluids_.size() == 1 && fluids_[0].spring > 0; }

    Device device_;
    bool tuned_;
    float radius_ = 1;  // m
    Buffer<DoubleDensityConstants> fluids_;
    std::vector<double> orders_;   // of the fractional derivative, per fluid
    Buffer<Run> oldOf_;            // by particle id: range of its previous springs
    Buffer<int> counts_, starts_;  // per particle: the springs it stores
    Buffer<int> endA_, endB_;      // per spring: its end points; loops in lanes use only the second
    Buffer<int> springOf_;         // per neighbour list entry: the spring, or kNoSpring; for plain loops
    Buffer<Float4> points_;        // x, and the bits of the id; for loops in lanes
    Springs next_;
    Buffer<float> rows_, stiffness_, hardness_, grip_;
};

}  // namespace purl

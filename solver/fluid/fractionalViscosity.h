// Fractional viscosity (Özgen 2013, chapter 4): the force between neighbours is proportional to the difference of their
// fractional derivatives, weighted sums of the last few velocities. Colliding streams keep more of their motion; steady
// flow is unchanged.
#pragma once
#include "solver/fractional/history.h"
#include "solver/state.h"

namespace purl {

// The weights of a fluid's fractional derivative. `steps`: steps since the first sample; by default that sample has
// left the history window.
HistoryWeights fractionalWeights(const FluidParams& params, int64_t steps = kUnboundedSteps);

class FractionalViscosity {
  public:
    explicit FractionalViscosity(const Device& device = Device::cpu()) : rows_(device), past_(device) {}

    // Appends v to the history, `interval` seconds after the previous sample, and evaluates the fractional derivative.
    void remember(State& state, const Scene& scene, double interval, const Buffer<Vec3>& v);
    // Per particle, replaces v in the viscosity of fractional fluids, m/s: a mean of past velocities if the scale is
    // calibrated, D^q x if it is literal.
    const Buffer<Vec3>& past() const { return past_; }

  private:
    Buffer<float> rows_;
    Buffer<Vec3> past_;
};

}  // namespace purl

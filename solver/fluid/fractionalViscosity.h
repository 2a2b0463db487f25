// Fractional viscosity (Özgen 2013, chapter 4): the force between neighbours is proportional to the difference of their
// velocities' half-order derivatives, a weighted sum of the last few velocities. Colliding streams keep more of their
// motion; a steady flow is unchanged.
#pragma once
#include "solver/fractional/history.h"
#include "solver/state.h"

namespace purl {

// The weights of a fluid's fractional derivative, from the first step on or after `steps` of them.
HistoryWeights fractionalWeights(const FluidParams& params, int64_t steps = kUnboundedSteps);

class FractionalViscosity {
  public:
    explicit FractionalViscosity(const Device& device = Device::cpu()) : rows_(device), past_(device) {}

    // Remembers v, `interval` seconds after what was remembered before, and sums up what is remembered.
    void remember(State& state, const Scene& scene, double interval, const Buffer<Vec3>& v);
    // Of each particle, in place of v in the viscosity of fractional fluids, m/s. Calibrated it is a mean of past
    // velocities, literal it is D^q x.
    const Buffer<Vec3>& past() const { return past_; }

  private:
    Buffer<float> rows_;
    Buffer<Vec3> past_;
};

}  // namespace purl

#include "solver/fluid/fractionalViscosity.h"

#include <algorithm>

#include "solver/core/hostView.h"

namespace purl {

HistoryWeights fractionalWeights(const FluidParams& params, int64_t steps) {
    return params.reference.fractionalOperator == FractionalOperator::simpson
               ? simpsonWeights(params.fractional.memory, steps)
               : trapezoidWeights(params.fractional.order, params.fractional.memory, steps);
}

void FractionalViscosity::remember(State& state, const Scene& scene, double interval, const Buffer<Vec3>& v) {
    int samples = 1;
    for (const Fluid& fluid : scene.fluids)
        if (fluid.params.viscosityModel == ViscosityModel::fractional)
            samples = std::max(samples, fluid.params.fractional.memory);
    const int slot = nextSlot(state.particles.history, state.history, samples, interval, v.size());

    std::vector<float> rows;
    for (const Fluid& fluid : scene.fluids) {
        const HistoryWeights weights = fractionalWeights(fluid.params, historySteps(state.history));
        // The calibrated scale gives steady shear the nominal viscosity: D^q x / G = v.
        const double factor = fluid.params.reference.fractionalScale == FractionalScale::literal
                                  ? weights.scale(interval)
                                  : weights.scale(interval) / fractionalWeights(fluid.params).steadyGain(interval);
        const std::vector<float> ring = weightsBySlot(weights, state.history, samples, factor);
        rows.insert(rows.end(), ring.begin(), ring.end());
    }
    upload(rows_, rows);
    pushAndSum(state.particles.history, samples, slot, v, rows_, state.particles.body, past_);
}

}  // namespace purl

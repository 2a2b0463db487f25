#include "solver/cloth/immersion.h"

#include <algorithm>
#include <cmath>

#include "solver/core/math.h"

namespace purl {

float FractionalDamping::dampingTime(float of, double order) const {
    return static_cast<float>(pow(double(of), order) * currentWeight);
}

FractionalDamping makeFractionalDamping(double order, int samples, int64_t steps, double dt) {
    FractionalDamping memory;
    memory.past.order = order;
    if (!(order < 1)) return memory;
    // The velocity of the new step is one more sample, the newest.
    const HistoryWeights weights = trapezoidWeights(order, samples + 1, steps + 1);
    memory.currentWeight = weights.scale(dt) * weights.perLag[0];
    memory.steadyGain = weights.steadyGain(dt);
    for (size_t k = 1; k < weights.perLag.size(); ++k)
        memory.past.perLag.push_back(weights.perLag[k] / weights.perLag[0]);
    return memory;
}

int historySamples(const ClothParams& params, double dt) {
    if (!isImmersed(params)) return 0;
    constexpr double kMaxSamples = 255;
    return static_cast<int>(std::clamp(std::round(double(params.memory) / dt), 1.0, kMaxSamples));
}

FluidDrag makeFluidDrag(const Fabric& fabric, const FractionalDamping& memory, float dt, const Vec3* pastVelocity,
                        const Vec3* x, Vec3* v) {
    const ClothParams& p = fabric.params();
    const double k = 2 * double(p.immersion) * double(p.fluidViscosity) / double(p.boundaryLayer);
    const double diffusionTime =
        double(p.fluidDensity) * double(p.boundaryLayer) * double(p.boundaryLayer) / double(p.fluidViscosity);
    const double history =
        k > 0 && diffusionTime > 0 ? double(p.historyDrag) * k * pow(diffusionTime, memory.past.order - 1) : 0;
    return {fabric.fanStarts.span(),
            fabric.fans.span(),
            fabric.inverseMass.span(),
            fabric.area.span(),
            p.current,
            0.5f * p.immersion * p.fluidDensity * p.normalDrag,
            static_cast<float>(k),
            static_cast<float>(history),
            static_cast<float>(memory.currentWeight),
            static_cast<float>(memory.steadyGain),
            dt,
            pastVelocity,
            x,
            v};
}

}  // namespace purl

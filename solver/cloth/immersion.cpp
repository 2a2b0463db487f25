#include "solver/cloth/immersion.h"

#include <algorithm>
#include <cmath>

namespace purl {

float Memory::lag(float of, double order) const { return static_cast<float>(std::pow(double(of), order) * now); }

Memory memoryOf(double order, int samples, int64_t steps, double dt) {
    Memory memory;
    memory.past.order = order;
    if (!(order < 1)) return memory;
    // The coming step's velocity is one sample more, the newest.
    const HistoryWeights weights = trapezoidWeights(order, samples + 1, steps + 1);
    memory.now = weights.scale(dt) * weights.perLag[0];
    memory.steady = weights.steadyGain(dt);
    for (size_t k = 1; k < weights.perLag.size(); ++k)
        memory.past.perLag.push_back(weights.perLag[k] / weights.perLag[0]);
    return memory;
}

int samplesOf(const ClothParams& params, double dt) {
    if (!isImmersed(params)) return 0;
    constexpr double kMost = 255;
    return static_cast<int>(std::clamp(std::round(double(params.memory) / dt), 1.0, kMost));
}

DragInFluid dragOn(const Fabric& fabric, const Memory& memory, float dt, const Vec3* remembered, const Vec3* x,
                   Vec3* v) {
    const ClothParams& p = fabric.params();
    const double k = 2 * double(p.immersion) * double(p.fluidViscosity) / double(p.boundaryLayer);
    const double settles =
        double(p.fluidDensity) * double(p.boundaryLayer) * double(p.boundaryLayer) / double(p.fluidViscosity);
    const double history =
        k > 0 && settles > 0 ? double(p.historyDrag) * k * std::pow(settles, memory.past.order - 1) : 0;
    return {fabric.fanStarts.span(),
            fabric.fans.span(),
            fabric.inverseMass.span(),
            fabric.area.span(),
            p.current,
            0.5f * p.immersion * p.fluidDensity * p.normalDrag,
            static_cast<float>(k),
            static_cast<float>(history),
            static_cast<float>(memory.now),
            static_cast<float>(memory.steady),
            dt,
            remembered,
            x,
            v};
}

}  // namespace purl

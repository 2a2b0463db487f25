#include "solver/fluid/cohesion.h"

namespace purl {

// σ = π/8 ∫ r⁴ F(r) dr is the work to split a fluid along a plane, per area, if evenly distributed particles attract
// each other by F in units of their density (Fowler 1937): 0.002983 A h² for the spline A C(r). The two constants are
// measured: kEvening is the largest value at which drops of 6 to 10 spacings' radius shed no particles, and at
// kMeasured they oscillate at Rayleigh's frequency and have Laplace's pressure; see the nightly test.
CohesionStrength cohesionStrength(double surfaceTension, double h) {
    constexpr double kMeasured = 0.5, kEvening = 0.1;
    const double strength = kMeasured * surfaceTension / (0.002983 * h * h), h3 = h * h * h;
    return {0.5 * h * h * 32 / (kPi * h3 * h3 * h3) * strength, kEvening / (h3 * h3) * strength};
}

void applyCohesion(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                   const LaneMemory& memory) {
    const auto run = [&](auto cohesion) {
        cohesion.fluids = materials.fluids.span();
        cohesion.body = std::as_const(particles.body).data();
        cohesion.points = memory.points.data();
        cohesion.gradient = memory.gradient.data();
        cohesion.a = particles.a.span();
        sweep(particles.x.device(), "cohesion", particles.count(), neighbors.view(), cohesion);
    };
    if (materials.fluids.size() > 1)
        run(CohesionSweep<true>());
    else
        run(CohesionSweep<false>());
}

}  // namespace purl

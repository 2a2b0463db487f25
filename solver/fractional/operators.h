// Fractional time derivatives of order q, 0 < q < 1, between position (q = 0) and velocity (q = 1), which depend on the
// history of the motion. Expressed as weights of past velocities, newest first (Özgen 2013; Caputo's derivative, which
// needs only velocities, not positions).
#pragma once
#include <cstdint>
#include <vector>

namespace purl {

// D^q x(t) ≈ Δt^(1−q) Σ_k perLag[k] v(t − k Δt), for samples Δt apart.
struct HistoryWeights {
    double order = 0.5;
    std::vector<double> perLag;

    // Δt^(1−q): the factor of the sum.
    double scale(double dt) const;
    // G: D^q x = G v for a velocity v that is constant throughout the history window. So the window length sets the
    // strength of an effect based on D^q x, not only its cost.
    double steadyGain(double dt) const;
};

constexpr int64_t kUnboundedSteps = int64_t(1) << 40;

// Product trapezoidal rule, second order; exact for linearly changing velocities (Soon, Coimbra and Kobayashi 2005).
// Weights of the newest `samples`; `steps`: steps since the very first sample, which has a special weight.
HistoryWeights trapezoidWeights(double order, int samples, int64_t steps = kUnboundedSteps);
// Simpson panels, for q = ½ only (Coimbra 2003, reconstructed from Özgen's eq. 3.5). Overshoots by 0.0374 √Δt v.
HistoryWeights simpsonWeights(int samples, int64_t steps = kUnboundedSteps);

// The largest λΔt for which v' = −λ D^q x / G, integrated with explicit Euler, does not grow. 2 without history.
double relaxationLimit(const HistoryWeights& weights);

// Grünwald–Letnikov derivative of positions x(0), x(Δt), …, x(n Δt): an independent reference for tests and tables.
double grunwaldLetnikov(double order, double dt, const std::vector<double>& x);

}  // namespace purl

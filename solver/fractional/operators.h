// Time derivatives of a broken order q between 0 and 1: between where a thing is (q = 0) and how fast it moves (q = 1),
// and made of how it moved before. As weights of past velocities, newest first (Özgen 2013; Caputo's derivative, so
// that only velocities are asked for, never places).
#pragma once
#include <cstdint>
#include <vector>

namespace purl {

// D^q x(t) ≈ Δt^(1−q) Σ_k perLag[k] v(t − k Δt), with samples Δt apart.
struct PastWeights {
    double order = 0.5;
    std::vector<double> perLag;

    // Δt^(1−q): what the sum is to be multiplied by.
    double scale(double dt) const;
    // G: D^q x is G v for a velocity v that has not changed throughout the window. The window's length sets the
    // strength of what is made of D^q x, not only its cost.
    double steadyGain(double dt) const;
};

constexpr int64_t kLongAgo = int64_t(1) << 40;

// Product trapezoid, of second order; exact for velocities that change evenly (Soon, Coimbra and Kobayashi 2005). The
// newest `samples` of all that there are; of `steps` steps since the first of all, which has a weight of its own.
PastWeights trapezoidWeights(double order, int samples, int64_t steps = kLongAgo);
// Simpson panels, for q = ½ only (Coimbra 2003, as restored from Özgen's eq. 3.5). Overshoots by 0.0374 √Δt v.
PastWeights simpsonWeights(int samples, int64_t steps = kLongAgo);

// The largest λΔt for which v' = −λ D^q x / G, stepped forward by Euler, does not grow. 2 without memory.
double relaxationLimit(const PastWeights& weights);

// Grünwald and Letnikov's derivative of places x(0), x(Δt), …, x(n Δt): an oracle of other make, for tests and tables.
double grunwaldLetnikov(double order, double dt, const std::vector<double>& x);

}  // namespace purl

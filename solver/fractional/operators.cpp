#include "solver/fractional/operators.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "solver/core/math.h"
#include "solver/core/platform.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

// base^exponent; a base that is negative by rounding gives 0.
double power(double base, double exponent) { return base > 0 ? pow(base, exponent) : 0; }

}  // namespace

double HistoryWeights::scale(double dt) const { return pow(dt, 1 - order); }

double HistoryWeights::steadyGain(double dt) const {
    return scale(dt) * std::accumulate(perLag.begin(), perLag.end(), 0.0);
}

HistoryWeights trapezoidWeights(double q, int samples, int64_t steps) {
    PURL_ASSERT(q > 0 && q < 1 && samples > 0);
    const int kept = static_cast<int>(std::min<int64_t>(samples, steps + 1));
    HistoryWeights weights;
    weights.order = q;
    weights.perLag.push_back(1);
    // a_k = (k − 1)^(2−q) − 2 k^(2−q) + (k + 1)^(2−q)   Özgen 4.7
    for (int k = 1; k < kept; ++k)
        weights.perLag.push_back(power(k - 1, 2 - q) - 2 * power(k, 2 - q) + power(k + 1, 2 - q));
    // The very first sample: (n − 1)^(2−q) − n^(1−q) (n + q − 2)
    if (kept > 1 && steps < samples) {
        const auto n = static_cast<double>(steps);
        weights.perLag.back() = power(n - 1, 2 - q) - power(n, 1 - q) * (n + q - 2);
    }
    for (double& weight : weights.perLag) weight /= tgamma(3 - q);
    return weights;
}

HistoryWeights simpsonWeights(int samples, int64_t steps) {
    PURL_ASSERT(samples > 0);
    const int intervals = static_cast<int>(std::min<int64_t>(samples - 1, steps));
    HistoryWeights weights;
    weights.order = 0.5;
    weights.perLag.assign(static_cast<size_t>(intervals) + 1, 0.0);
    const double root = std::sqrt(kPi);
    // The newest tenth of the newest interval: an open rule, exact for a constant over √s.
    weights.perLag[0] = 0.05 * (8 * std::sqrt(2.0) / 3 / std::sqrt(0.05) - 4.0 / 3 / std::sqrt(0.1)) / root;
    if (intervals == 0) return weights;
    // The remaining nine tenths: one panel.
    weights.perLag[0] += 0.15 * (2 / std::sqrt(0.55) + 1 / std::sqrt(0.1)) / root;
    weights.perLag[1] += 0.15 * (1 + 2 / std::sqrt(0.55)) / root;
    // Then one panel per interval: v over √lag at its two ends, and four times at the middle, where v is their mean.
    for (int k = 1; k < intervals; ++k) {
        const auto newer = static_cast<size_t>(k);
        const double lag = k, middle = 2 / std::sqrt(lag + 0.5);
        weights.perLag[newer] += (1 / std::sqrt(lag) + middle) / (6 * root);
        weights.perLag[newer + 1] += (1 / std::sqrt(lag + 1) + middle) / (6 * root);
    }
    return weights;
}

// A root of z^(n+1) = z^n − λΔt Σ b_k z^(n−k) on the unit circle, z = e^iθ:   λΔt = (1 − e^iθ) / Σ b_k e^(−ikθ), where
// that is real. The smallest such value is the limit.
double relaxationLimit(const HistoryWeights& weights) {
    const double sum = std::accumulate(weights.perLag.begin(), weights.perLag.end(), 0.0);
    const auto at = [&](double angle) {
        const std::complex<double> back{cos(angle), -sin(angle)};
        std::complex<double> history = 0;
        for (size_t k = weights.perLag.size(); k-- > 0;) history = history * back + weights.perLag[k] / sum;
        return (1.0 - std::conj(back)) * std::conj(history) / std::norm(history);
    };
    double limit = at(kPi).real();
    if (!(limit > 0)) limit = 1e30;
    const int steps = 16 * static_cast<int>(weights.perLag.size());
    double last = at(kPi / steps).imag();
    for (int s = 1; s < steps; ++s) {
        double low = kPi * s / steps, high = kPi * (s + 1) / steps;
        const double before = last;
        last = at(high).imag();
        if (before * last > 0) continue;
        for (int k = 0; k < 50; ++k) {
            const double middle = 0.5 * (low + high);
            (before * at(middle).imag() > 0 ? low : high) = middle;
        }
        // A change of sign may also be a pole.
        const std::complex<double> found = at(low);
        if (found.real() > 1e-9 && std::fabs(found.imag()) < 1e-6 * std::sqrt(std::norm(found)))
            limit = std::min(limit, found.real());
    }
    return limit;
}

double grunwaldLetnikov(double q, double dt, const std::vector<double>& x) {
    double weight = 1, sum = 0;
    for (size_t k = 0; k < x.size(); ++k) {
        if (k > 0) weight *= 1 - (q + 1) / static_cast<double>(k);
        sum += weight * x[x.size() - 1 - k];
    }
    return sum / pow(dt, q);
}

}  // namespace purl

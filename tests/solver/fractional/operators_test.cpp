#include "solver/fractional/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>

#include "solver/core/random.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

// D^q x at t = 1 for the velocity v(t), in n steps with the full history, or with the newest `samples` only.
double derivative(double q, int n, const std::function<double(double)>& v, int samples = 1 << 20) {
    const HistoryWeights weights = trapezoidWeights(q, samples, n);
    double sum = 0;
    for (size_t k = 0; k < weights.perLag.size(); ++k) sum += weights.perLag[k] * v(1 - double(k) / n);
    return weights.scale(1.0 / n) * sum;
}

// D^q t^p = Γ(p + 1)/Γ(p + 1 − q) t^(p−q)
double powerLaw(double p, double q) { return std::tgamma(p + 1) / std::tgamma(p + 1 - q); }

// O-01
TEST(Trapezoid, weightsAreThoseOfTheTable) {
    struct Row {
        double q, weights[11], ends[3];
    };
    const Row rows[] = {
        {0.2,
         {1, 1.482202, 1.260270, 1.158587, 1.092701, 1.044526, 1.006874, 0.976160, 0.950344, 0.928157, 0.908761},
         {0.8, 0.651780, 0.457413}},
        {0.5,
         {1, 0.828427, 0.539298, 0.436122, 0.376492, 0.336259, 0.306722, 0.283837, 0.265425, 0.250194, 0.237319},
         {0.5, 0.292893, 0.120640}},
        {0.8,
         {1, 0.297397, 0.142399, 0.101043, 0.079778, 0.066550, 0.057431, 0.050723, 0.045557, 0.041444, 0.038083},
         {0.2, 0.081041, 0.019550}}};
    for (const Row& row : rows) {
        const double gamma = std::tgamma(3 - row.q);
        const HistoryWeights weights = trapezoidWeights(row.q, 11);
        for (size_t k = 0; k < 11; ++k) EXPECT_NEAR(gamma * weights.perLag[k], row.weights[k], 1e-6);
        int at = 0;
        for (const int n : {1, 2, 10})
            EXPECT_NEAR(gamma * trapezoidWeights(row.q, 100, n).perLag.back(), row.ends[at++], 1e-6);
    }
}

// O-02
TEST(Trapezoid, isExactForVelocitiesThatChangeEvenly) {
    for (int n = 10; n <= 320; n *= 2) {
        EXPECT_NEAR(derivative(0.5, n, [](double) { return 1; }) / powerLaw(1, 0.5), 1, 1e-12);
        EXPECT_NEAR(derivative(0.5, n, [](double t) { return 2 * t; }) / powerLaw(2, 0.5), 1, 1e-12);
    }
}

// O-03
TEST(Trapezoid, isOfSecondOrder) {
    const auto error = [](int n) {
        return std::fabs(derivative(0.5, n, [](double t) { return 3 * t * t; }) / powerLaw(3, 0.5) - 1);
    };
    for (const int n : {20, 40, 80}) {
        EXPECT_GT(error(n / 2) / error(n), 3.8);
        EXPECT_LT(error(n / 2) / error(n), 4.1);
    }
    EXPECT_NEAR(error(80), 4.77e-5, 0.05 * 4.77e-5);
}

// O-04. A half derivative leads by an eighth of a period.
TEST(Trapezoid, turnsASineByAnEighth) {
    const int perTurn = 100, n = 9 * perTurn;
    const double dt = 2 * kPi / perTurn;
    const HistoryWeights weights = trapezoidWeights(0.5, n + 1, n);
    double worst = 0;
    for (int last = n - perTurn; last <= n; last += 10) {
        const HistoryWeights all = trapezoidWeights(0.5, n + 1, last);
        double sum = 0;
        for (size_t k = 0; k < all.perLag.size(); ++k) sum += all.perLag[k] * std::cos(dt * (last - double(k)));
        worst = std::max(worst, std::fabs(all.scale(dt) * sum - std::sin(dt * last + kPi / 4)));
    }
    EXPECT_LT(worst, 1.5e-3);
}

// O-05
TEST(Simpson, hasThePanelsWeightsAndOvershoots) {
    const double expected[] = {0.852669, 0.560439, 0.405475, 0.173231};
    const HistoryWeights weights = simpsonWeights(4);
    for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(weights.perLag[k], expected[k], 1e-6);
    const auto excess = [](int n) {
        const double dt = 1.0 / n;
        return simpsonWeights(1 << 20, n).steadyGain(dt) - powerLaw(1, 0.5);
    };
    for (const int n : {40, 160, 640}) EXPECT_NEAR(excess(n) / std::sqrt(1.0 / n), 0.0374, 1e-4 + 0.02 / n);
    EXPECT_NEAR(excess(640) / excess(160), 0.5, 0.02);
}

// O-06
TEST(Trapezoid, goesFromPlaceToVelocityWithItsOrder) {
    const auto v = [](double t) { return std::cos(t); };
    EXPECT_NEAR(derivative(0.999, 200, v) / std::cos(1.0), 1, 0.01);
    EXPECT_NEAR(derivative(0.001, 200, v) / std::sin(1.0), 1, 0.01);
}

// O-07. Σ a = N^(2−q) − (N − 1)^(2−q)
TEST(Trapezoid, ofASteadyVelocityIsTheWindowsGain) {
    for (const int samples : {4, 10, 31, 101})
        for (const double q : {0.2, 0.5, 0.8}) {
            const double dt = 1e-3;
            const double gain =
                std::pow(dt, 1 - q) / std::tgamma(3 - q) * (std::pow(samples, 2 - q) - std::pow(samples - 1, 2 - q));
            EXPECT_NEAR(trapezoidWeights(q, samples).steadyGain(dt) / gain, 1, 1e-12);
        }
    EXPECT_NEAR(trapezoidWeights(0.5, 10).steadyGain(1), 3.477497, 1e-6);
    EXPECT_NEAR(simpsonWeights(4).steadyGain(1), 1.991814, 1e-6);
}

// O-08
TEST(Trapezoid, fromRestNeedsNoWeightOfItsOwnForTheFirstSample) {
    const auto v = [](double t) { return t * t; };
    const int samples = 10;
    for (int n = 0; n <= samples; ++n) {
        const double dt = 0.1;
        const auto sum = [&](const HistoryWeights& weights) {
            double total = 0;
            for (size_t k = 0; k < weights.perLag.size(); ++k)
                total += weights.perLag[k] * v(std::max(0.0, dt * (n - double(k))));
            return total;
        };
        const double all = sum(trapezoidWeights(0.5, 1 << 20, n));
        EXPECT_NEAR(sum(trapezoidWeights(0.5, samples, n)), all, 1e-12);
        EXPECT_NEAR(sum(trapezoidWeights(0.5, samples)), all, 1e-12);
    }
}

// O-09
TEST(Trapezoid, takesAnyOrder) {
    for (double q = 0.1; q < 0.95; q += 0.1)
        EXPECT_NEAR(derivative(q, 200, [](double t) { return 1.5 * std::sqrt(std::max(t, 0.0)); }) / powerLaw(1.5, q),
                    1, 0.005);
}

// O-13
TEST(Trapezoid, agreesWithGrunwaldAndLetnikov) {
    const int n = 1000;
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(std::pow(double(i) / n, 2) * (1 - double(i) / n));
    const double other = grunwaldLetnikov(0.5, 1.0 / n, x);
    EXPECT_NEAR(derivative(0.5, n, [](double t) { return 2 * t - 3 * t * t; }) / other, 1, 0.005);
}

// O-14. A small sphere in an oscillating fluid: added mass, Stokes drag and Basset history force (Coimbra and Rangel
// 1998), integrated with the full history; the newest slip rate implicitly.
TEST(Trapezoid, movesASphereAsTheHistoryForceDoes) {
    struct Row {
        double beta, s, amplitude, phase, amplitudeWithout, phaseWithout;
    };
    const Row rows[] = {{1.5, 1, 0.97086, -0.0461, 0.96324, -0.0965},   {1.5, 10, 0.86775, -0.0753, 0.76392, -0.0701},
                        {1.5, 100, 0.79017, -0.0418, 0.75015, -0.0075}, {7.8, 1, 0.65121, -0.4338, 0.50241, -0.7522},
                        {7.8, 10, 0.30772, -0.3711, 0.18840, -0.2373},  {7.8, 100, 0.21495, -0.1550, 0.18080, -0.0246}};
    const int perTurn = 200, turns = 8, n = perTurn * turns;
    const double dt = 2 * kPi / perTurn;
    const HistoryWeights weights = trapezoidWeights(0.5, n + 2);
    for (const Row& row : rows)
        for (const bool history : {true, false}) {
            // Time in 1/ω, speed in U₀:   (β + ½) V' = 1.5 U' + c (U − V) + c √S D^½(U − V), c = 4.5/S; D^½ of the slip
            // w is ∫ w'/√(t − s): the operator is applied to w' instead of a velocity.
            const double c = 4.5 / row.s, memory = history ? c * std::sqrt(row.s) : 0, scale = weights.scale(dt);
            // Starts close to the steady oscillation; without history it would take hundreds of periods to settle.
            const double amplitude = history ? row.amplitude : row.amplitudeWithout,
                         phase = history ? row.phase : row.phaseWithout;
            double w = -amplitude * std::sin(phase);
            std::vector<double> rate{1 - amplitude * std::cos(phase)};  // w'
            std::complex<double> fit = 0;
            for (int i = 0; i < n; ++i) {
                const double t = dt * (i + 1);
                double past = 0;
                for (size_t k = 1; k <= rate.size(); ++k) past += weights.perLag[k] * rate[rate.size() - k];
                // V' = U' − w', w by the trapezoid:   (β + ½)(U' − w') = 1.5 U' + c w + memory scale (a₀ w' + past)
                const double known = w + 0.5 * dt * rate.back();
                const double wRate = ((row.beta - 1) * std::cos(t) - c * known - memory * scale * past) /
                                     (row.beta + 0.5 + 0.5 * c * dt + memory * scale * weights.perLag[0]);
                rate.push_back(wRate);
                w = known + 0.5 * dt * wRate;
                if (i >= n - perTurn) fit += (std::sin(t) - w) * std::polar(1.0, -t) * (2.0 / perTurn);
            }
            fit *= std::complex<double>(0, 1);  // of a sine
            EXPECT_NEAR(std::abs(fit) / amplitude, 1, 0.01) << row.beta << " " << row.s;
            EXPECT_NEAR(std::arg(fit), phase, 0.02) << row.beta << " " << row.s;
        }
}

// O-57. The current velocity has a fifth of the weight, so three times the step is stable.
TEST(Relaxation, bearsThreeTimesTheStepWithMemory) {
    EXPECT_NEAR(relaxationLimit(trapezoidWeights(0.5, 1)), 2, 1e-9);
    EXPECT_NEAR(relaxationLimit(trapezoidWeights(0.5, 10)), 6.487, 0.065);
    const HistoryWeights weights = trapezoidWeights(0.5, 10);
    const auto grows = [&](double z) {
        std::vector<double> v(10, 0.0);
        v.back() = 1;
        for (int n = 0; n < 3000; ++n) {
            double sum = 0;
            for (size_t k = 0; k < 10; ++k) sum += weights.perLag[k] * v[v.size() - 1 - k];
            v.push_back(v.back() - z * sum / weights.steadyGain(1));
        }
        return std::fabs(v.back()) > 1;
    };
    EXPECT_FALSE(grows(0.98 * relaxationLimit(weights)));
    EXPECT_TRUE(grows(1.02 * relaxationLimit(weights)));
}

// O-38. The shape of the weights does not depend on the step.
TEST(Trapezoid, weightsFadeAsAPowerOfTheirAge) {
    for (const double q : {0.2, 0.5, 0.8}) {
        const HistoryWeights weights = trapezoidWeights(q, 101);
        for (const size_t k : {50u, 100u})
            EXPECT_NEAR(std::tgamma(3 - q) * weights.perLag[k] / ((2 - q) * (1 - q) * std::pow(double(k), -q)), 1,
                        1e-3);
        EXPECT_NEAR(weights.steadyGain(1e-3) / weights.steadyGain(1e-2), std::pow(0.1, 1 - q), 1e-12);
    }
}

// O-73 O-74. Özgen's response curves of one particle, to a pulse and a plateau of unit speed; they end d steps after
// the motion. Between samples the velocity is linear, and the fractional integral of order 1 − q of a ramp of slope
// 1/Δt is t^(2−q) / (Δt Γ(3−q)): ones from lag `newest` to lag `oldest` are a ramp up and a ramp down.
TEST(Hardening, respondsToPulseAndPlateauAsTheirIntegral) {
    constexpr double kStep = 0.01;  // s
    const auto integral = [](double q, int newest, int oldest) {
        const auto ramp = [&](int lag) { return lag > 0 ? std::pow(lag * kStep, 2 - q) / kStep : 0.0; };
        const double up = ramp(oldest + 1) - ramp(oldest), down = ramp(newest) - ramp(newest - 1);
        return (up - down) / std::tgamma(3 - q);
    };
    for (const int moving : {10, 150})  // steps
        for (const double q : {0.2, 0.5, 0.8})
            for (const int memory : {10, 50, 100}) {  // steps
                const HistoryWeights weights = trapezoidWeights(q, memory + 1);
                double peak = 0;
                for (int at = 0; at < moving + 120; ++at) {
                    double sum = 0;
                    for (int k = 0; k <= memory; ++k)
                        sum += at - k >= 0 && at - k < moving ? weights.perLag[size_t(k)] : 0;
                    const double response = weights.scale(kStep) * sum;
                    const int newest = std::max(0, at - moving + 1), oldest = std::min(at, memory);
                    // Rounding: differences of powers up to 1, divided by the step.
                    EXPECT_NEAR(response, newest <= oldest ? integral(q, newest, oldest) : 0, 1e-10)
                        << q << " " << memory << " " << at;
                    EXPECT_EQ(response > 0, at < moving + memory) << q << " " << memory << " " << at;
                    peak = std::max(peak, response);
                }
                // Highest when all that is remembered moves, or where the motion ends.
                EXPECT_NEAR(peak, integral(q, 0, std::min(moving - 1, memory)), 1e-10) << q << " " << memory;
            }
}

// O-70. Magnitudes accumulate under vibration; the vector sum hardly does.
TEST(Hardening, sumsMagnitudes) {
    const double dt = 0.002;
    const HistoryWeights weights = trapezoidWeights(0.5, 501);
    double magnitudes = 0, mostOfSum = 0;
    for (int phase = 0; phase < 25; ++phase) {
        double sum = 0, vector = 0;
        for (int k = 0; k <= 500; ++k) {
            const double v = std::sin(2 * kPi * 20 * dt * (phase - k));
            sum += weights.perLag[k] * std::fabs(v);
            vector += weights.perLag[k] * v;
        }
        magnitudes += weights.scale(dt) * sum / 25;
        mostOfSum = std::max(mostOfSum, weights.scale(dt) * std::fabs(vector));
    }
    EXPECT_NEAR(magnitudes, 0.72, 0.03);
    EXPECT_LT(mostOfSum, 0.1);
}

// O-75
TEST(Hardening, isBoundedByItsGain) {
    const HistoryWeights weights = trapezoidWeights(0.5, 101);
    for (uint64_t trial = 0; trial < 1000; ++trial) {
        double sum = 0, fastest = 0;
        for (size_t k = 0; k < weights.perLag.size(); ++k) {
            const double v = double(randomUnit(trial, k));
            sum += weights.perLag[k] * v;
            fastest = std::max(fastest, v);
        }
        ASSERT_LE(sum, weights.steadyGain(1) * fastest);
    }
}

// O-28: explicit Euler on an oscillator of ω² = 100 1/s², damped by a dashpot, by a half derivative over three past
// intervals, or both: the largest stable steps.
TEST(FractionalOscillator, halfDerivativeSteadiesForwardEuler) {
    const auto settles = [](double viscous, double fractional, double dt) {
        const HistoryWeights weights = simpsonWeights(4, 1000);
        double x = 1, past[4] = {};
        for (int step = 0; step < 20000; ++step) {
            double half = 0;
            for (size_t k = 0; k < 4; ++k) half += weights.scale(dt) * weights.perLag[k] * past[k];
            const double a = -100 * x - viscous * past[0] - fractional * half;
            x += dt * past[0];
            const double next = past[0] + dt * a;
            for (size_t k = 3; k > 0; --k) past[k] = past[k - 1];
            past[0] = next;
            if (std::fabs(x) > 1e3) return false;
        }
        return std::fabs(x) < 1;
    };
    const auto limit = [&](double viscous, double fractional) {
        double low = 1e-4, high = 0.1;
        for (int k = 0; k < 20; ++k) {
            const double middle = 0.5 * (low + high);
            (settles(viscous, fractional, middle) ? low : high) = middle;
        }
        return low;
    };
    EXPECT_NEAR(limit(1, 0), 0.010, 0.001);
    EXPECT_NEAR(limit(0, 5), 0.0098, 0.00098);
    EXPECT_NEAR(limit(1, 5), 0.0245, 0.00245);
}

}  // namespace
}  // namespace purl

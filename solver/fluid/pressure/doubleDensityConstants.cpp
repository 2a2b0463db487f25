#include "solver/fluid/pressure/doubleDensityConstants.h"

#include <algorithm>
#include <cmath>

#include "solver/core/math.h"
#include "solver/fluid/material.h"

namespace purl {
namespace {

// Sums over a cubic lattice within H: Σ (1−q)², Σ (1−q)³, and Σ (1−q) r, Σ (1−q)² r.
struct LatticeSums {
    double density = 0, near = 0, arm = 0, armNear = 0;
    LatticeSums(double spacing, double radius) {
        forEachSite(spacing, radius, 3, [&](double r) {
            const double u = 1 - r / radius;
            if (!(r > 0) || u <= 0) return;
            density += u * u, near += u * u * u, arm += u * r, armNear += u * u * r;
        });
    }
};

}  // namespace

double historyStiffness(const FluidParams& params) {
    // A constant velocity over T seconds has D^q x = v T^(1−q)/Γ(2 − q).
    const double q = params.fractional.order;
    const double gain = pow(double(params.doubleDensity.hardeningMemory), 1 - q) / tgamma(2 - q);
    return double(params.doubleDensity.hardening) * params.doubleDensity.springStiffness /
           (gain * params.doubleDensity.hardeningSpeed);
}

int hardeningStride(const FluidParams& params, double dt) {
    constexpr double kSamples = 100;
    if (params.doubleDensity.hardeningStride > 0) return params.doubleDensity.hardeningStride;
    return std::max(
        1, static_cast<int>(std::min(1e9, params.doubleDensity.hardeningMemory / (kSamples * dt) * (1 + 1e-6))));
}

int hardeningSamples(const FluidParams& params, double dt, int stride) {
    // Limit of the ring buffer: three floats per sample, and the width of a channel is an int.
    constexpr double kMaxSamples = 5e8;
    return 1 + std::max(1, static_cast<int>(std::lround(
                               std::min(kMaxSamples, params.doubleDensity.hardeningMemory / (stride * dt)))));
}

double doubleDensityStepLimit(const FluidParams& params, double radius) {
    // Alone, relaxation allows 0.3 H/√(k + k_near) and springs 0.35/√K; together, the squares of their rates add up.
    const double relaxation = (double(params.stiffness) + params.doubleDensity.nearStiffness) / pow(0.3 * radius, 2);
    const double springs =
        double(params.doubleDensity.springStiffness) * (1 + double(params.doubleDensity.hardening)) / pow(0.35, 2);
    return relaxation + springs > 0 ? 1 / std::sqrt(relaxation + springs) : kUnbounded;
}

DoubleDensityConstants doubleDensityConstants(const FluidParams& params, double radius) {
    const LatticeSums lattice(params.particleSpacing, radius);
    DoubleDensityConstants constants;
    constants.mass = static_cast<float>(particleMass(params));
    constants.k = static_cast<float>(params.stiffness / radius);
    constants.kNear = static_cast<float>(params.doubleDensity.nearStiffness / radius);
    // A lattice is in equilibrium if p Σ (1−q) r + p_near Σ (1−q)² r = 0.
    const double ratio = params.stiffness > 0 ? double(params.doubleDensity.nearStiffness) / params.stiffness : 0;
    constants.restDensity = static_cast<float>(lattice.density + ratio * lattice.near * lattice.armNear / lattice.arm);
    constants.latticeDensity = static_cast<float>(lattice.density);
    constants.damping = params.doubleDensity.approachDamping;
    constants.impact = params.doubleDensity.impactDamping;
    constants.spring = params.doubleDensity.springStiffness;
    constants.hardening = params.doubleDensity.hardening * params.doubleDensity.springStiffness;
    constants.historyStiffness = static_cast<float>(historyStiffness(params));
    constants.yield = params.doubleDensity.yieldRatio;
    constants.flow = params.doubleDensity.plasticity;
    constants.grip = params.doubleDensity.wallGrip;
    constants.springRest = params.doubleDensity.springRest;
    constants.stiffness = params.stiffness;
    constants.density = params.restDensity;
    return constants;
}

}  // namespace purl

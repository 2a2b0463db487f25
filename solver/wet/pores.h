// Capillary pressure and permeability of pores.
#pragma once
#include <cmath>

#include "solver/core/platform.h"

namespace purl {

// J(s) = 1.417 (1 − s) − 2.120 (1 − s)² + 1.263 (1 − s)³   Leverett J-function (1941) of wetting fluids; Bayraktar
// 3.32, Güdükbay 11. Negative for s > 1: overfull pores push water out.
PURL_HD inline double leverett(double s) {
    const double dry = 1 - s;
    return dry * (1.417 + dry * (-2.120 + dry * 1.263));
}
constexpr double kSteepestLeverett = 1.417;  // |dJ/ds| at s = 1; smaller for all s from 0 to 1

// Pa, scale of the capillary pressure: σ / √(κ/φ). σ, N/m: surface tension times the cosine of the contact angle; κ,
// m²: permeability; φ: porosity.   Bayraktar 3.31, Güdükbay 10
PURL_HD inline double capillaryScale(double sigma, double permeability, double porosity) {
    return sigma / std::sqrt(permeability / porosity);
}
PURL_HD inline double capillaryPressure(double sigma, double permeability, double porosity, double s) {
    return capillaryScale(sigma, permeability, porosity) * leverett(s);
}

// Relative permeability of pores at saturation s: s³, as in sands and felts.
PURL_HD inline double relativePermeability(double s) { return s * s * s; }

// Mean relative permeability between a cell at saturation s and a drier one: ∫ k dJ / ∫ dJ between the two, which gives
// the steady flow between them. Upstream weighting with k(s) of the wetter cell would let water into dry pores and move
// fronts by a cell per step: the uptake of a strip then grew as t^0.47 instead of √t.
PURL_HD inline double meanRelativePermeability(double s, double ahead) {
    constexpr double kMinDifference = 1e-3;  // for closer values the quotient would be rounding error
    if (!(s - ahead > kMinDifference)) return relativePermeability(s < ahead ? s : 0.5 * (s + ahead));
    // ∫ s³ |dJ/ds| ds, |dJ/ds| = 0.966 − 3.338 s + 3.789 s²
    const auto integral = [](double t) { return t * t * t * t * (0.966 / 4 + t * (-3.338 / 5 + t * (3.789 / 6))); };
    return (integral(s) - integral(ahead)) / (leverett(ahead) - leverett(s));
}

// s = m / (φ V ρ)   Bayraktar 3.30, Güdükbay 9; V, m³: volume of the fabric, pores and fibres
PURL_HD inline double saturationOf(double mass, double porosity, double volume, double density) {
    return mass / (porosity * volume * density);
}

// C' = C (1 − α √s)   Güdükbay §6.3, α = 0.15
PURL_HD inline float wetShade(float darkening, float s) {
    return 1 - darkening * std::sqrt(s < 0 ? 0.0f : s > 1 ? 1.0f : s);
}

}  // namespace purl

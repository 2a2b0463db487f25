// What pores do to the water in them: how hard they draw it, and how easily it moves.
#pragma once
#include <cmath>

#include "solver/core/platform.h"

namespace purl {

// J(s) = 1.417 (1 − s) − 2.120 (1 − s)² + 1.263 (1 − s)³   Leverett 1941, of what water wets; Bayraktar 3.32,
// Güdükbay 11. Negative beyond s = 1: what is too full pushes out.
PURL_HD inline double leverett(double s) {
    const double dry = 1 - s;
    return dry * (1.417 + dry * (-2.120 + dry * 1.263));
}
constexpr double kSteepestLeverett = 1.417;  // |dJ/ds| at s = 1; less for all s from 0 to 1

// Pa, what J is multiplied by: σ / √(κ/φ). σ, N/m: surface tension times the cosine of the contact angle; κ, m²:
// permeability; φ: porosity.   Bayraktar 3.31, Güdükbay 10
PURL_HD inline double capillaryPull(double sigma, double permeability, double porosity) {
    return sigma / std::sqrt(permeability / porosity);
}
PURL_HD inline double capillaryPressure(double sigma, double permeability, double porosity, double s) {
    return capillaryPull(sigma, permeability, porosity) * leverett(s);
}

// Of the permeability, what pores filled to s leave to the water: s³, as in sands and felts.
PURL_HD inline double openShare(double s) { return s * s * s; }

// The same on the way from a cell filled to s to a drier one: ∫ k dJ / ∫ dJ between the two. With it, what passes is
// what steady flow between them would be. The wetter cell's own share would let water through where pores ahead are
// dry, which spreads fronts by a cell at any step: what a strip took up then grew as t^0.47 instead of √t.
PURL_HD inline double openShareOnTheWay(double s, double ahead) {
    constexpr double kAlike = 1e-3;  // nearer than this the quotient would be rounding
    if (!(s - ahead > kAlike)) return openShare(s < ahead ? s : 0.5 * (s + ahead));
    // ∫ s³ |dJ/ds| ds, |dJ/ds| = 0.966 − 3.338 s + 3.789 s²
    const auto integral = [](double t) { return t * t * t * t * (0.966 / 4 + t * (-3.338 / 5 + t * (3.789 / 6))); };
    return (integral(s) - integral(ahead)) / (leverett(ahead) - leverett(s));
}

// s = m / (φ V ρ)   Bayraktar 3.30, Güdükbay 9; V, m³: of the fabric, pores and fibres
PURL_HD inline double saturationOf(double mass, double porosity, double volume, double density) {
    return mass / (porosity * volume * density);
}

// C' = C (1 − α √s)   Güdükbay §6.3, α = 0.15
PURL_HD inline float wetShade(float darkening, float s) {
    return 1 - darkening * std::sqrt(s < 0 ? 0.0f : s > 1 ? 1.0f : s);
}

}  // namespace purl

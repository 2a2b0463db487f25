#include "solver/boundary/boundaryKernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;

// 2 ∫ W(√(d² + t²)) dt along a line at distance d.
double lineSum(const std::function<double(double)>& W, double support, double d) {
    constexpr int kSlices = 64;
    const double end = std::sqrt(std::max(0.0, support * support - d * d)), slice = end / kSlices;
    double sum = 0;
    for (int k = 0; k < kSlices; ++k) {
        const double t = (k + 0.5) * slice;
        sum += 2 * slice * W(std::sqrt(d * d + t * t));
    }
    return sum;
}
}  // namespace

BoundaryKernel::BoundaryKernel(float support, const std::function<double(double)>& W, int dimensions)
    : dimensions(dimensions), radius(support) {
    constexpr int kFine = 16;  // integration steps per table entry
    const double step = double(support) / kSteps, fine = step / kFine;
    const double least = 1e-9 * W(0);
    double behind = 0, plane = 0;
    for (int k = kSteps; k >= 0; --k) {
        const double r = k * step;
        // Trapezoidal rule, from the support radius inwards.
        for (int f = kFine; k < kSteps && f > 0; --f) {
            const double outer = r + f * fine, inner = outer - fine;
            const double next = dimensions == 2 ? lineSum(W, support, inner)
                                                : plane + kPi * (W(outer) * outer + W(inner) * inner) * fine;
            behind += 0.5 * (plane + next) * fine;
            plane = next;
        }
        value[k] = static_cast<float>(W(r));
        layer[k] = static_cast<float>(plane);
        share[k] = static_cast<float>(behind);
        const double outer = std::min(r + fine, double(support)), inner = std::max(r - fine, 0.0);
        steep[k] = static_cast<float>((W(inner) - W(outer)) / (outer - inner) / std::max(W(r), least));
    }
    for (int k = 1; k <= kSteps; ++k) steep[k] = std::max(steep[k], steep[k - 1]);
    for (int hint = 0, low = 0; hint < kHints; ++hint) {
        while (low < kSteps - 2 && hintOf(steep[low + 1]) < hint) ++low;
        hints[hint] = static_cast<unsigned char>(low);
    }
}

BoundaryKernel BoundaryKernel::cubicSpline(float radius, int dimensions) {
    // W = 8/(π h³) (6q³ − 6q² + 1 for q ≤ ½, 2(1 − q)³ to 1), q = r/h; 40/(7π h²) in two dimensions
    const double h = radius, factor = dimensions == 3 ? 8 / (kPi * h * h * h) : 40 / (7 * kPi * h * h);
    return BoundaryKernel(
        radius,
        [=](double r) {
            const double q = r / h;
            return factor * (q <= 0.5 ? 6 * q * q * (q - 1) + 1 : q < 1 ? 2 * (1 - q) * (1 - q) * (1 - q) : 0);
        },
        dimensions);
}

bool BoundaryKernel::operator==(const BoundaryKernel& other) const {
    return radius == other.radius && dimensions == other.dimensions &&
           std::equal(std::begin(value), std::end(value), std::begin(other.value));
}

}  // namespace purl

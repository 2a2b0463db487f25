// De Boor's algorithm on Maya's knot layout.
#include "host/shapes/nurbsCurve.h"

#include <algorithm>

namespace purl::host {

std::string check(const NurbsCurve& c) {
    if (c.degree < 1) return "degree " + std::to_string(c.degree) + ", expected 1 or more";
    if (c.spans() < 1)
        return std::to_string(c.cvs.size()) + " points for degree " + std::to_string(c.degree) + ", expected more";
    const std::size_t knots = c.cvs.size() + c.degree - 1;
    if (c.knots.size() != knots)
        return std::to_string(c.knots.size()) + " knots for " + std::to_string(c.cvs.size()) + " points of degree " +
               std::to_string(c.degree) + ", expected " + std::to_string(knots);
    if (!std::is_sorted(c.knots.begin(), c.knots.end())) return "knots do not ascend";
    if (c.rational && c.weights.size() != c.cvs.size()) return "weights are missing";
    return "";
}

double firstParameter(const NurbsCurve& c) { return c.knots[c.degree - 1]; }
double lastParameter(const NurbsCurve& c) { return c.knots[c.cvs.size() - 1]; }

Vec3d pointAt(const NurbsCurve& c, double u) {
    const int p = c.degree, n = static_cast<int>(c.cvs.size());
    u = std::clamp(u, firstParameter(c), lastParameter(c));
    // The span s with knots[s] ≤ u < knots[s + 1]; knot i here is knot i + 1 of the textbook.
    int s = p - 1;
    while (s < n - 2 && u >= c.knots[s + 1]) ++s;

    std::vector<std::array<double, 4>> d(p + 1);   // homogeneous points that carry this span
    for (int j = 0; j <= p; ++j) {
        const int i = s - p + 1 + j;
        const double w = c.rational ? c.weights[i] : 1;
        d[j] = {c.cvs[i][0] * w, c.cvs[i][1] * w, c.cvs[i][2] * w, w};
    }
    for (int r = 1; r <= p; ++r)
        for (int j = p; j >= r; --j) {
            const int i = s - p + 1 + j;
            const double from = c.knots[i - 1], to = c.knots[i + p - r];
            const double a = to > from ? (u - from) / (to - from) : 0;
            for (int m = 0; m < 4; ++m) d[j][m] = (1 - a) * d[j - 1][m] + a * d[j][m];
        }
    const double w = d[p][3] != 0 ? d[p][3] : 1;
    return {d[p][0] / w, d[p][1] / w, d[p][2] / w};
}

}  // namespace purl::host

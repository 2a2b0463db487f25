#include <algorithm>
#include <cmath>

#include "host/graph/data.h"

namespace purl::host {

namespace {

struct Homogeneous {
    double x, y, z, w;
    Homogeneous operator+(const Homogeneous& o) const { return {x + o.x, y + o.y, z + o.z, w + o.w}; }
    Homogeneous operator-(const Homogeneous& o) const { return {x - o.x, y - o.y, z - o.z, w - o.w}; }
    Homogeneous operator*(double s) const { return {x * s, y * s, z * s, w * s}; }
};

// Control points of rational geometry store their weight in w.
Homogeneous weighted(const MPoint& p, bool rational) {
    const double w = rational ? p.w : 1;
    return {p.x * w, p.y * w, p.z * w, w};
}

// De Boor's algorithm for n control points point(i) of degree p. Maya omits the first and last knot of the textbook
// sequence, which do not affect the curve; they are restored by repeating the end knots.
template <class Points>
Homogeneous deBoor(int p, int n, const std::vector<double>& knots, double u, Points point, Homogeneous* slope) {
    auto knot = [&](int i) { return knots[std::clamp(i - 1, 0, int(knots.size()) - 1)]; };
    u = std::clamp(u, startOf(knots, p), endOf(knots, p));
    int span = p;  // textbook knots t[span] ≤ u < t[span+1]
    while (span < n - 1 && knot(span + 1) <= u) ++span;
    std::vector<Homogeneous> d;
    for (int j = 0; j <= p; ++j) d.push_back(point(span - p + j));
    if (slope) *slope = {0, 0, 0, 0};
    for (int r = 1; r <= p; ++r) {
        if (r == p && slope) {
            const double width = knot(span + 1) - knot(span);
            if (width > 0) *slope = (d[p] - d[p - 1]) * (p / width);
        }
        for (int j = p; j >= r; --j) {
            const double lo = knot(span - p + j), hi = knot(span + 1 + j - r);
            const double a = hi > lo ? (u - lo) / (hi - lo) : 0;
            d[j] = d[j - 1] * (1 - a) + d[j] * a;
        }
    }
    return d[p];
}

MPoint projected(const Homogeneous& c) {
    const double w = c.w != 0 ? c.w : 1;
    return {c.x / w, c.y / w, c.z / w};
}
// (A/w)' = (A' − (A/w) w') / w
MVector projectedSlope(const Homogeneous& c, const Homogeneous& slope) {
    const double w = c.w != 0 ? c.w : 1;
    return MVector(slope.x - c.x / w * slope.w, slope.y - c.y / w * slope.w, slope.z - c.z / w * slope.w) / w;
}

}  // namespace

double startOf(const std::vector<double>& knots, int degree) { return knots[size_t(degree - 1)]; }
double endOf(const std::vector<double>& knots, int degree) { return knots[knots.size() - size_t(degree)]; }

std::string knotsWrong(const std::vector<double>& knots, size_t points, int degree) {
    if (degree < 1) return "the degree is below 1";
    if (points < size_t(degree) + 1) return "too few control vertices for the degree";
    if (knots.size() != points + size_t(degree) - 1)
        return std::to_string(knots.size()) + " knots do not match " + std::to_string(points) + " points of degree " +
               std::to_string(degree);
    if (!std::is_sorted(knots.begin(), knots.end())) return "the knots are not in ascending order";
    return "";
}

MPoint CurveData::pointAt(double u, MVector* tangent) const {
    const int n = int(cvs.size());
    if (n == 0 || int(knots.size()) != n + degree - 1) return {};
    Homogeneous slope{};
    const auto point = [&](int i) { return weighted(cvs[size_t(i)], rational); };
    const Homogeneous c = deBoor(degree, n, knots, u, point, tangent ? &slope : nullptr);
    if (tangent) *tangent = projectedSlope(c, slope);
    return projected(c);
}

std::string SurfaceData::wrong() const {
    if (degreeU < 1 || degreeV < 1) return "the degree is below 1";
    for (const int form : {formU, formV})
        if (form < 0 || form > 2) return "unknown form";
    const int u = countU(), v = countV();
    std::string why = knotsWrong(knotsU, size_t(std::max(0, u)), degreeU);
    if (why.empty()) why = knotsWrong(knotsV, size_t(std::max(0, v)), degreeV);
    if (why.empty() && size_t(u) * size_t(v) != cvs.size())
        why = std::to_string(cvs.size()) + " control vertices; the knots are those of " + std::to_string(u) + " x " +
              std::to_string(v);
    return why;
}

MPoint SurfaceData::pointAt(double u, double v, MVector* alongU, MVector* alongV) const {
    if (cvs.empty()) return {};
    // The row of points at u, one for each index in V, and its derivatives.
    const auto row = [&](int j, Homogeneous* slope) {
        const auto point = [&](int i) { return weighted(cv(i, j), rational); };
        return deBoor(degreeU, countU(), knotsU, u, point, slope);
    };
    Homogeneous slopeV{};
    const auto points = [&](int j) { return row(j, nullptr); };
    const Homogeneous c = deBoor(degreeV, countV(), knotsV, v, points, alongV ? &slopeV : nullptr);
    if (alongV) *alongV = projectedSlope(c, slopeV);
    if (alongU) {
        const auto slopes = [&](int j) {
            Homogeneous slope{};
            row(j, &slope);
            return slope;
        };
        *alongU = projectedSlope(c, deBoor(degreeV, countV(), knotsV, v, slopes, nullptr));
    }
    return projected(c);
}

}  // namespace purl::host

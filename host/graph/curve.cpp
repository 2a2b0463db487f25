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
}  // namespace

// De Boor's algorithm. Maya omits the first and last knot of the textbook sequence, which do not affect the curve; they
// are restored by repeating the end knots. Control points of rational curves store their weight in w.
MPoint CurveData::pointAt(double u, MVector* tangent) const {
    const int p = degree, n = int(cvs.size());
    if (n == 0 || int(knots.size()) != n + p - 1) return {};
    auto knot = [&](int i) { return knots[std::clamp(i - 1, 0, int(knots.size()) - 1)]; };
    u = std::clamp(u, start(), end());
    int span = p;  // textbook knots t[span] ≤ u < t[span+1]
    while (span < n - 1 && knot(span + 1) <= u) ++span;
    std::vector<Homogeneous> d;
    for (int j = 0; j <= p; ++j) {
        const MPoint& c = cvs[span - p + j];
        const double w = rational ? c.w : 1;
        d.push_back({c.x * w, c.y * w, c.z * w, w});
    }
    Homogeneous slope{0, 0, 0, 0};
    for (int r = 1; r <= p; ++r) {
        if (r == p && tangent) {
            const double width = knot(span + 1) - knot(span);
            if (width > 0) slope = (d[p] - d[p - 1]) * (p / width);
        }
        for (int j = p; j >= r; --j) {
            const double lo = knot(span - p + j), hi = knot(span + 1 + j - r);
            const double a = hi > lo ? (u - lo) / (hi - lo) : 0;
            d[j] = d[j - 1] * (1 - a) + d[j] * a;
        }
    }
    const Homogeneous& c = d[p];
    const double w = c.w != 0 ? c.w : 1;
    // (A/w)' = (A' − (A/w) w') / w
    if (tangent)
        *tangent = MVector(slope.x - c.x / w * slope.w, slope.y - c.y / w * slope.w, slope.z - c.z / w * slope.w) / w;
    return {c.x / w, c.y / w, c.z / w};
}

}  // namespace purl::host

// Evaluation of animation curves: a cubic per pair of keys, repeated or extrapolated outside.
#include "host/shapes/animCurve.h"

#include <algorithm>
#include <cmath>

namespace purl::host {
namespace {

constexpr double kMaxSlope = 5729577.9485111479;  // Maya's steepest tangent

double secant(const Key& a, const Key& b) { return b.time > a.time ? (b.value - a.value) / (b.time - a.time) : 0; }

double slopeOf(double x, double y) {
    if (y == 0) return 0;
    if (std::abs(x) * kMaxSlope <= std::abs(y)) return y > 0 ? kMaxSlope : -kMaxSlope;
    return y / x;
}

// Limits a slope so that the cubic stays between the values of its two keys: at most three times either secant, zero at
// an extremum (Fritsch and Carlson 1980). The factor is three because Bézier handles are a third of the span long.
double limited(double slope, double before, double after) {
    if (before * after <= 0) return 0;
    const double limit = 3 * std::min(std::abs(before), std::abs(after));
    return std::clamp(slope, -limit, limit);
}

double computedSlope(const AnimCurve& curve, int i, Tangent type, bool incoming) {
    const std::vector<Key>& k = curve.keys;
    const int last = static_cast<int>(k.size()) - 1;
    if (last == 0) return 0;
    const bool first = i == 0, final = i == last;
    const double before = first ? secant(k[0], k[1]) : secant(k[i - 1], k[i]);
    const double after = final ? before : secant(k[i], k[i + 1]);
    // Catmull–Rom: parallel to the line between the neighbours
    const double smooth = first || final ? (first ? after : before) : secant(k[i - 1], k[i + 1]);

    switch (type) {
        case Tangent::linear: return incoming ? before : after;
        case Tangent::spline: return smooth;
        case Tangent::clamped: {  // spline, but linear towards a neighbour with almost the same value
            const double kClose = 0.05;
            const Key& neighbor = incoming ? k[first ? 0 : i - 1] : k[final ? last : i + 1];
            if (std::abs(neighbor.value - k[i].value) < kClose) return incoming ? before : after;
            return smooth;
        }
        case Tangent::plateau:
        case Tangent::automatic:
        case Tangent::autoMix:
        case Tangent::autoEase:
        case Tangent::autoCustom: return first || final ? 0 : limited(smooth, before, after);
        default: return 0;  // flat, step, slow, fast, fixed without a stored tangent
    }
}

Tangent typeOf(const AnimCurve& curve, Tangent type) { return type == Tangent::global ? curve.tangent : type; }

// Linear and flat are computed exactly; others use the stored tangent, if any.
double slope(const AnimCurve& curve, int i, bool incoming) {
    const Key& k = curve.keys[i];
    const Tangent type = typeOf(curve, incoming ? k.in : k.out);
    const bool stored = incoming ? k.hasIn : k.hasOut;
    if (stored && type != Tangent::linear && type != Tangent::flat)
        return incoming ? slopeOf(k.inX, k.inY) : slopeOf(k.outX, k.outY);
    return computedSlope(curve, i, type, incoming);
}

struct Handle {
    double x, y;
};

// The Bézier handle of a weighted key, as a vector towards the other key of the span.
Handle weightedHandle(const AnimCurve& curve, int i, bool incoming, double span) {
    const Key& k = curve.keys[i];
    const bool stored = incoming ? k.hasIn : k.hasOut;
    const Tangent type = typeOf(curve, incoming ? k.in : k.out);
    if (stored && type != Tangent::linear && type != Tangent::flat)
        return incoming ? Handle{k.inX / 3, k.inY / 3} : Handle{k.outX / 3, k.outY / 3};
    return {span / 3, slope(curve, i, incoming) * span / 3};
}

double bezier(double p0, double p1, double p2, double p3, double s) {
    const double r = 1 - s;
    return r * r * r * p0 + 3 * r * r * s * p1 + 3 * r * s * s * p2 + s * s * s * p3;
}

double evaluateSpan(const AnimCurve& curve, int i, double time) {
    const Key &a = curve.keys[i], &b = curve.keys[i + 1];
    const Tangent out = typeOf(curve, a.out);
    if (out == Tangent::step) return a.value;
    if (out == Tangent::stepNext) return b.value;
    const double span = b.time - a.time;
    if (span <= 0) return b.value;

    if (!curve.weighted) {
        // Hermite:  v = h₀₀ a + h₁₀ Δt mₐ + h₀₁ b + h₁₁ Δt m_b
        const double s = (time - a.time) / span, s2 = s * s, s3 = s2 * s;
        return (2 * s3 - 3 * s2 + 1) * a.value + (s3 - 2 * s2 + s) * span * slope(curve, i, false) +
               (3 * s2 - 2 * s3) * b.value + (s3 - s2) * span * slope(curve, i + 1, true);
    }

    Handle from = weightedHandle(curve, i, false, span), to = weightedHandle(curve, i + 1, true, span);
    // Shortens the handles so that time is monotone.
    const auto shorten = [span](Handle& h) {
        if (h.x > span) h.y *= span / h.x, h.x = span;
        if (h.x < 0) h.x = 0;
    };
    shorten(from);
    shorten(to);
    const double x1 = from.x, x2 = span - to.x;
    // x(s) is monotone: solve x(s) = t by bisection; 60 iterations reach the last bit of s.
    double lo = 0, hi = 1;
    for (int n = 0; n < 60; ++n) {
        const double mid = (lo + hi) / 2;
        (bezier(0, x1, x2, span, mid) < time - a.time ? lo : hi) = mid;
    }
    return bezier(a.value, a.value + from.y, b.value - to.y, b.value, (lo + hi) / 2);
}

double evaluateInside(const AnimCurve& curve, double time) {
    const std::vector<Key>& k = curve.keys;
    if (time <= k.front().time) return k.front().value;
    if (time >= k.back().time) return k.back().value;
    const auto after =
        std::upper_bound(k.begin(), k.end(), time, [](double t, const Key& key) { return t < key.time; });
    const int i = static_cast<int>(after - k.begin()) - 1;
    if (time == k[i].time) return k[i].value;
    return evaluateSpan(curve, i, time);
}

}  // namespace

double slopeIn(const AnimCurve& curve, int i) { return slope(curve, i, true); }
double slopeOut(const AnimCurve& curve, int i) { return slope(curve, i, false); }

double evaluate(const AnimCurve& curve, double time) {
    const std::vector<Key>& k = curve.keys;
    if (k.empty()) return 0;
    if (std::isnan(time)) return time;  // NaN is not between any keys
    const double start = k.front().time, end = k.back().time, span = end - start;
    const bool before = time<start, beyond = time> end;
    if (!before && !beyond) return evaluateInside(curve, time);

    switch (before ? curve.pre : curve.post) {
        case Infinity::linear:
            return before ? k.front().value + slope(curve, 0, true) * (time - start)
                          : k.back().value + slope(curve, static_cast<int>(k.size()) - 1, false) * (time - end);
        case Infinity::cycle:
        case Infinity::cycleRelative:
        case Infinity::oscillate: {
            if (span <= 0) return k.front().value;
            double turns = std::floor((time - start) / span);
            double t = (time - start) - turns * span;
            if (beyond && t == 0) turns -= 1, t = span;  // a cycle ends on its last key
            const Infinity kind = before ? curve.pre : curve.post;
            if (kind == Infinity::oscillate && std::fmod(std::abs(turns), 2) == 1) t = span - t;
            const double value = evaluateInside(curve, start + t);
            return kind == Infinity::cycleRelative ? value + turns * (k.back().value - k.front().value) : value;
        }
        default: return before ? k.front().value : k.back().value;
    }
}

}  // namespace purl::host

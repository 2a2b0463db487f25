// Checks on the curves of a frame that the loops of a knit interlock: that no yarn was pulled through another.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/geometry/curves.h"

namespace purl {

// A crossing of two yarns in the projection along the fabric's normal.
struct YarnCrossing {
    float lower, upper;  // curve parameters on the lower and the upper loop, in points from their starts
    bool lowerInFront;
    float gap;  // distance between the centre lines
};

// A loop of a course, as points of its curve; course and wale as in Curves.
struct YarnLoop {
    int piece = 0, course = 0, wale = 0;
    std::vector<Vec3> points;
};

struct Interlocking {
    int loops = 0;                // that should be held
    std::vector<YarnLoop> loose;  // those that no later loop holds
};

namespace interlock {

using Place = std::tuple<int, int, int>;  // piece, course, wale

constexpr int kPerSpan = 8;  // line segments per span; more change the position of a crossing by less than a percent

inline std::vector<Vec3> sampled(const std::vector<Vec3>& points) {
    std::vector<Vec3> samples;
    const auto count = static_cast<int>(points.size());
    for (int i = 0; i + 1 < count; ++i) {
        const CurveSpan span(points.data(), count, i);
        for (int k = 0; k < kPerSpan; ++k) samples.push_back(span.at(float(k) / kPerSpan));
    }
    if (count > 0) samples.push_back(points.back());
    return samples;
}

// Distance between the line segments ab and cd.
inline float segmentDistance(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 u = b - a, v = d - c, w = a - c;
    const float uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const float det = uu * vv - uv * uv;
    float s = det > 1e-12f * uu * vv ? clamp((uv * vw - vv * uw) / det, 0, 1) : 0;
    float t = vv > 0 ? clamp((uv * s + vw) / vv, 0, 1) : 0;
    s = uu > 0 ? clamp((uv * t - uw) / uu, 0, 1) : 0;
    return length(w + s * u - t * v);
}

inline Vec3 centroid(const std::vector<Vec3>& points) {
    Vec3 sum;
    for (const Vec3 point : points) sum += point;
    return sum / static_cast<float>(points.size());
}

}  // namespace interlock

// All loops of the curves, by piece, course and wale.
inline std::vector<YarnLoop> loopsOf(const Curves& curves) {
    std::map<interlock::Place, YarnLoop> loops;
    size_t first = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn) {
        const auto end = first + static_cast<size_t>(curves.counts[yarn]);
        const int piece = curves.ids[yarn] / kMaxYarnsPerPiece;
        for (size_t i = first; i < end;) {
            size_t next = i;
            while (next < end && curves.courses[next] == curves.courses[i] && curves.wales[next] == curves.wales[i])
                ++next;
            // Include the first point of both neighbours. If a stitch has several sections (floats behind it), the
            // longest is its loop.
            const size_t from = i > first ? i - 1 : i, to = std::min(next + 1, end);
            YarnLoop& loop = loops[{piece, curves.courses[i], curves.wales[i]}];
            if (to - from > loop.points.size()) {
                loop.piece = piece;
                loop.course = curves.courses[i];
                loop.wale = curves.wales[i];
                loop.points.assign(curves.positions.begin() + static_cast<std::ptrdiff_t>(from),
                                   curves.positions.begin() + static_cast<std::ptrdiff_t>(to));
                // Every other course of flat knitting runs to the left; orient all loops to the right.
                const bool before = i > first && curves.courses[i - 1] == loop.course;
                const bool after = next < end && curves.courses[next] == loop.course;
                if ((before && curves.wales[i - 1] > loop.wale) || (after && curves.wales[next] < loop.wale))
                    std::reverse(loop.points.begin(), loop.points.end());
            }
            i = next;
        }
        first = end;
    }
    std::vector<YarnLoop> all;
    for (auto& [place, loop] : loops) all.push_back(std::move(loop));
    return all;
}

// Crossings of a loop with one of a later course, in the order of the lower one, projected along the fabric's normal
// tilted by leanAlong (along the course) and leanUp (up the wale).
inline std::vector<YarnCrossing> crossingsOf(const YarnLoop& lower, const YarnLoop& upper, float leanAlong = 0,
                                             float leanUp = 0) {
    std::vector<YarnCrossing> crossings;
    if (lower.points.size() < 4 || upper.points.size() < 4) return crossings;
    // Projection plane: spanned by the line between the upper loop's feet and the direction from the lower to the upper
    // loop.
    const Vec3 along = normalized(upper.points[upper.points.size() - 2] - upper.points[1]);
    const Vec3 up = interlock::centroid(upper.points) - interlock::centroid(lower.points);
    const Vec3 across = normalized(cross(along, up));
    const Vec3 normal = normalized(across + leanAlong * along + leanUp * cross(across, along));
    const Vec3 x = normalized(along - dot(along, normal) * normal), y = cross(normal, x);
    const auto flat = [&](const YarnLoop& loop) {
        std::vector<Vec3> points = interlock::sampled(loop.points);
        for (Vec3& p : points) p = {dot(p, x), dot(p, y), dot(p, normal)};
        return points;
    };
    const std::vector<Vec3> a = flat(lower), b = flat(upper);
    for (size_t i = 0; i + 1 < a.size(); ++i) {
        const Vec3 p = a[i], u = a[i + 1] - p;
        // Most segments are far apart: reject them without a division.
        const float low = std::min(p.x, a[i + 1].x), high = std::max(p.x, a[i + 1].x);
        for (size_t j = 0; j + 1 < b.size(); ++j) {
            if (std::max(b[j].x, b[j + 1].x) < low || std::min(b[j].x, b[j + 1].x) > high) continue;
            const Vec3 q = b[j], v = b[j + 1] - q, w = q - p;
            const float det = u.x * v.y - u.y * v.x;
            if (det == 0) continue;
            const float s = (w.x * v.y - w.y * v.x) / det, t = (w.x * u.y - w.y * u.x) / det;
            if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
            const float gap = (p.z + s * u.z) - (q.z + t * v.z);
            crossings.push_back(
                {(float(i) + s) / interlock::kPerSpan, (float(j) + t) / interlock::kPerSpan, gap > 0, std::abs(gap)});
        }
    }
    std::stable_sort(crossings.begin(), crossings.end(),
                     [](const YarnCrossing& l, const YarnCrossing& r) { return l.lower < r.lower; });
    return crossings;
}

// Four crossings, with the lower loop on one side, twice on the other, and on the first again (G-12).
inline bool isHeld(const std::vector<YarnCrossing>& crossings) {
    if (crossings.size() < 4) return false;
    // A carried or stacked loop may cross the feet of the other more often; it is held if the sides change twice.
    int changes = 0;
    for (size_t i = 1; i < crossings.size(); ++i) changes += crossings[i].lowerInFront != crossings[i - 1].lowerInFront;
    return changes >= 2;
}

// Whether the upper loop passes through the lower one and back, as drawn by a needle: its two legs pass in opposite
// directions. Independent of the viewing direction, so that it also works in folds.
inline bool passesThrough(const YarnLoop& lower, const YarnLoop& upper) {
    if (lower.points.size() < 4 || upper.points.size() < 4) return false;
    // A triangle fan that spans the lower loop, from its centroid to every segment and across its feet.
    const std::vector<Vec3> a = interlock::sampled(lower.points), b = interlock::sampled(upper.points);
    const Vec3 center = interlock::centroid(a);
    // +1 or −1 if the segment from p to q passes through the fan.
    const auto passes = [&](Vec3 p, Vec3 q) {
        int net = 0;
        for (size_t i = 0; i < a.size(); ++i) {
            const Vec3 u = a[i] - center, v = a[(i + 1) % a.size()] - center, d = q - p;
            const Vec3 h = cross(d, v), from = p - center, c = cross(from, u);
            const float det = dot(u, h);
            if (det == 0) continue;
            // Möller and Trumbore 1997; half-open bounds, so that a hit on an edge of the fan counts once.
            const float s = dot(from, h) / det, t = dot(d, c) / det, along = dot(v, c) / det;
            if (s < 0 || t < 0 || s + t >= 1 || along < 0 || along >= 1) continue;
            net += det > 0 ? 1 : -1;
        }
        return net;
    };
    // Each leg is extended as the yarn continues, sideways from its foot and upwards from its head, to beyond the fan.
    // Closed far away it is a ring; its passes through the fan are then their linking number, whatever the shape of the
    // fan.
    float size = 0;
    for (const Vec3 p : a) size = std::max(size, length(p - center));
    for (const Vec3 p : b) size = std::max(size, length(p - center));
    const size_t top = b.size() / 2;
    const auto away = [&](Vec3 from, Vec3 to) { return to + 4 * size * normalized(to - from); };
    const Vec3 above = away(center, b[top]);
    int through[2] = {passes(away(b.back(), b.front()), b.front()) + passes(b[top], above),
                      passes(above, b[top]) + passes(b.back(), away(b.front(), b.back()))};
    for (size_t j = 0; j + 1 < b.size(); ++j) through[j < top ? 0 : 1] += passes(b[j], b[j + 1]);
    return through[0] * through[1] < 0;
}

// Whether it is held, in the best of several projections. In a sharp fold loops hide each other's crossings; there the
// linking decides.
inline bool isHeldBy(const YarnLoop& lower, const YarnLoop& upper) {
    for (const float leanAlong : {0.0f, 0.6f, -0.6f})
        for (const float leanUp : {0.0f, 0.6f, -0.6f})
            if (isHeld(crossingsOf(lower, upper, leanAlong, leanUp))) return true;
    return passesThrough(lower, upper);
}

// `reach`: distance in courses and wales within which the holder of a loop is searched; slipped loops are held later,
// carried ones beside. Loops of a piece's last course need no holder. Approximate where cells are inverted: in a crease
// along a wale with the thickness direction normal to one side, loops count as loose from 94° to 115°, and as held
// beyond; by the Gauss integral, they pass through each other once, between 112° and 115°.
inline Interlocking checkInterlocking(const Curves& curves, int reach = 6) {
    std::map<interlock::Place, YarnLoop> loops;
    std::map<int, int> lasts;  // last course of each piece
    for (YarnLoop& loop : loopsOf(curves)) {
        int& last = lasts.emplace(loop.piece, -1).first->second;
        last = std::max(last, loop.course);
        loops[{loop.piece, loop.course, loop.wale}] = std::move(loop);
    }
    Interlocking result;
    const auto holds = [&](const YarnLoop& lower, int course, int wale) {
        const auto upper = loops.find({lower.piece, course, wale});
        return upper != loops.end() && isHeldBy(lower, upper->second);
    };
    // The nearest loops of a course, as many as there are within reach.
    const auto nearest = [&](const YarnLoop& lower, int course) {
        std::vector<std::pair<float, const YarnLoop*>> all;
        const Vec3 center = interlock::centroid(lower.points);
        const auto end = loops.upper_bound({lower.piece, course, std::numeric_limits<int>::max()});
        for (auto upper = loops.lower_bound({lower.piece, course, 0}); upper != end; ++upper)
            all.emplace_back(length(interlock::centroid(upper->second.points) - center), &upper->second);
        const auto kept = std::min(all.size(), static_cast<size_t>(2 * reach + 1));
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                          [](const auto& one, const auto& other) { return one.first < other.first; });
        std::vector<const YarnLoop*> some;
        for (size_t k = 0; k < kept; ++k) some.push_back(all[k].second);
        return some;
    };
    for (const auto& [place, loop] : loops) {
        const int last = lasts[loop.piece];
        // Floats have no head to be held: only feet, which are three points plus the neighbours'.
        if (loop.course == last || loop.points.size() < 6) continue;
        ++result.loops;
        bool held = false;
        for (int course = loop.course + 1; !held && course <= std::min(last, loop.course + reach); ++course)
            for (int away = 0; !held && away <= reach; ++away)
                held = holds(loop, course, loop.wale + away) || holds(loop, course, loop.wale - away);
        // In fabrics that narrow or widen, wales of the same number may be far apart.
        for (int course = loop.course + 1; !held && course <= std::min(last, loop.course + reach); ++course)
            for (const YarnLoop* near : nearest(loop, course))
                if ((held = isHeldBy(loop, *near))) break;
        if (!held) result.loose.push_back(loop);
    }
    return result;
}

// The least distance between the curves through two sets of points.
inline float clearance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    const std::vector<Vec3> p = interlock::sampled(a), q = interlock::sampled(b);
    float least = std::numeric_limits<float>::max();
    for (size_t i = 0; i + 1 < p.size(); ++i)
        for (size_t j = 0; j + 1 < q.size(); ++j)
            least = std::min(least, interlock::segmentDistance(p[i], p[i + 1], q[j], q[j + 1]));
    return least;
}

}  // namespace purl

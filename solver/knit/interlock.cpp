#include "solver/knit/interlock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace purl {
namespace {

using Place = std::tuple<int, int, int>;  // piece, course, wale

constexpr int kPerSpan = 8;  // straight pieces of a span; more change a crossing's place by less than a percent

std::vector<Vec3> sampled(const std::vector<Vec3>& points) {
    std::vector<Vec3> samples;
    const auto count = static_cast<int>(points.size());
    for (int i = 0; i + 1 < count; ++i) {
        const CurveSpan span(points.data(), count, i);
        for (int k = 0; k < kPerSpan; ++k) samples.push_back(span.at(float(k) / kPerSpan));
    }
    if (count > 0) samples.push_back(points.back());
    return samples;
}

// The least distance between two straight pieces.
float between(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 u = b - a, v = d - c, w = a - c;
    const float uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const float det = uu * vv - uv * uv;
    float s = det > 1e-12f * uu * vv ? clamp((uv * vw - vv * uw) / det, 0, 1) : 0;
    float t = vv > 0 ? clamp((uv * s + vw) / vv, 0, 1) : 0;
    s = uu > 0 ? clamp((uv * t - uw) / uu, 0, 1) : 0;
    return length(w + s * u - t * v);
}

Vec3 middleOf(const std::vector<Vec3>& points) {
    Vec3 sum;
    for (const Vec3 point : points) sum += point;
    return sum / static_cast<float>(points.size());
}

}  // namespace

std::vector<LoopOfYarn> loopsOf(const Curves& curves) {
    std::map<Place, LoopOfYarn> loops;
    size_t first = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn) {
        const auto end = first + static_cast<size_t>(curves.counts[yarn]);
        const int piece = curves.ids[yarn] / kMaxYarnsPerPiece;
        for (size_t i = first; i < end;) {
            size_t next = i;
            while (next < end && curves.courses[next] == curves.courses[i] && curves.wales[next] == curves.wales[i])
                ++next;
            // A piece goes on to where its neighbours begin; of several pieces in one stitch (floats behind it) the
            // longest is its loop.
            const size_t from = i > first ? i - 1 : i, to = std::min(next + 1, end);
            LoopOfYarn& loop = loops[{piece, curves.courses[i], curves.wales[i]}];
            if (to - from > loop.points.size()) {
                loop.piece = piece;
                loop.course = curves.courses[i];
                loop.wale = curves.wales[i];
                loop.points.assign(curves.positions.begin() + static_cast<std::ptrdiff_t>(from),
                                   curves.positions.begin() + static_cast<std::ptrdiff_t>(to));
                // Every other course of flat knitting goes to the left; all loops are to be seen from one side.
                const bool before = i > first && curves.courses[i - 1] == loop.course;
                const bool after = next < end && curves.courses[next] == loop.course;
                if ((before && curves.wales[i - 1] > loop.wale) || (after && curves.wales[next] < loop.wale))
                    std::reverse(loop.points.begin(), loop.points.end());
            }
            i = next;
        }
        first = end;
    }
    std::vector<LoopOfYarn> all;
    for (auto& [place, loop] : loops) all.push_back(std::move(loop));
    return all;
}

std::vector<Crossing> crossingsOf(const LoopOfYarn& lower, const LoopOfYarn& upper, float leanAlong, float leanUp) {
    std::vector<Crossing> crossings;
    if (lower.points.size() < 4 || upper.points.size() < 4) return crossings;
    // The plane: along the upper loop's feet, without its neighbours', and from the lower loop to the upper one.
    const Vec3 along = normalized(upper.points[upper.points.size() - 2] - upper.points[1]);
    const Vec3 up = middleOf(upper.points) - middleOf(lower.points);
    const Vec3 across = normalized(cross(along, up));
    const Vec3 normal = normalized(across + leanAlong * along + leanUp * cross(across, along));
    const Vec3 x = normalized(along - dot(along, normal) * normal), y = cross(normal, x);
    const auto flat = [&](const LoopOfYarn& loop) {
        std::vector<Vec3> points = sampled(loop.points);
        for (Vec3& p : points) p = {dot(p, x), dot(p, y), dot(p, normal)};
        return points;
    };
    const std::vector<Vec3> a = flat(lower), b = flat(upper);
    for (size_t i = 0; i + 1 < a.size(); ++i) {
        const Vec3 p = a[i], u = a[i + 1] - p;
        // Most pieces are far from each other, and that is seen without dividing.
        const float low = std::min(p.x, a[i + 1].x), high = std::max(p.x, a[i + 1].x);
        for (size_t j = 0; j + 1 < b.size(); ++j) {
            if (std::max(b[j].x, b[j + 1].x) < low || std::min(b[j].x, b[j + 1].x) > high) continue;
            const Vec3 q = b[j], v = b[j + 1] - q, w = q - p;
            const float det = u.x * v.y - u.y * v.x;
            if (det == 0) continue;
            const float s = (w.x * v.y - w.y * v.x) / det, t = (w.x * u.y - w.y * u.x) / det;
            if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
            const float gap = (p.z + s * u.z) - (q.z + t * v.z);
            crossings.push_back({(float(i) + s) / kPerSpan, (float(j) + t) / kPerSpan, gap > 0, std::abs(gap)});
        }
    }
    std::stable_sort(crossings.begin(), crossings.end(),
                     [](const Crossing& l, const Crossing& r) { return l.lower < r.lower; });
    return crossings;
}

bool isHeld(const std::vector<Crossing>& crossings) {
    if (crossings.size() < 4) return false;
    // A loop that is carried or stacked may cross the feet of the other more often; it is held where sides change
    // twice.
    int changes = 0;
    for (size_t i = 1; i < crossings.size(); ++i) changes += crossings[i].lowerInFront != crossings[i - 1].lowerInFront;
    return changes >= 2;
}

bool passesThrough(const LoopOfYarn& lower, const LoopOfYarn& upper) {
    if (lower.points.size() < 4 || upper.points.size() < 4) return false;
    // A skin over the lower loop, from its middle to every piece of it and across its feet.
    const std::vector<Vec3> a = sampled(lower.points), b = sampled(upper.points);
    const Vec3 middle = middleOf(a);
    // +1 or −1 where the way from p to q goes through it.
    const auto passes = [&](Vec3 p, Vec3 q) {
        int net = 0;
        for (size_t i = 0; i < a.size(); ++i) {
            const Vec3 u = a[i] - middle, v = a[(i + 1) % a.size()] - middle, way = q - p;
            const Vec3 h = cross(way, v), from = p - middle, c = cross(from, u);
            const float det = dot(u, h);
            if (det == 0) continue;
            // Möller and Trumbore 1997; the bounds are half open so that what hits an edge of the skin counts once.
            const float s = dot(from, h) / det, t = dot(way, c) / det, along = dot(v, c) / det;
            if (s < 0 || t < 0 || s + t >= 1 || along < 0 || along >= 1) continue;
            net += det > 0 ? 1 : -1;
        }
        return net;
    };
    // Each leg goes on as the yarn does, sideways from its foot and up from its head, to where the skin ends for sure.
    // Closed out there it is a ring, and how often that goes through is no matter of the skin, which may be bent and
    // folded as it likes: it is their linking number.
    float size = 0;
    for (const Vec3 p : a) size = std::max(size, length(p - middle));
    for (const Vec3 p : b) size = std::max(size, length(p - middle));
    const size_t top = b.size() / 2;
    const auto away = [&](Vec3 from, Vec3 to) { return to + 4 * size * normalized(to - from); };
    const Vec3 above = away(middle, b[top]);
    int through[2] = {passes(away(b.back(), b.front()), b.front()) + passes(b[top], above),
                      passes(above, b[top]) + passes(b.back(), away(b.front(), b.back()))};
    for (size_t j = 0; j + 1 < b.size(); ++j) through[j < top ? 0 : 1] += passes(b[j], b[j + 1]);
    return through[0] * through[1] < 0;
}

bool isHeldBy(const LoopOfYarn& lower, const LoopOfYarn& upper) {
    for (const float leanAlong : {0.0f, 0.6f, -0.6f})
        for (const float leanUp : {0.0f, 0.6f, -0.6f})
            if (isHeld(crossingsOf(lower, upper, leanAlong, leanUp))) return true;
    return passesThrough(lower, upper);
}

Interlocking checkInterlocking(const Curves& curves, int reach) {
    std::map<Place, LoopOfYarn> loops;
    std::map<int, int> lasts;  // courses of each piece
    for (LoopOfYarn& loop : loopsOf(curves)) {
        int& last = lasts.emplace(loop.piece, -1).first->second;
        last = std::max(last, loop.course);
        loops[{loop.piece, loop.course, loop.wale}] = std::move(loop);
    }
    Interlocking result;
    const auto holds = [&](const LoopOfYarn& lower, int course, int wale) {
        const auto upper = loops.find({lower.piece, course, wale});
        return upper != loops.end() && isHeldBy(lower, upper->second);
    };
    // The loops of a course that are nearest, as many as there are within reach.
    const auto nearest = [&](const LoopOfYarn& lower, int course) {
        std::vector<std::pair<float, const LoopOfYarn*>> all;
        const Vec3 middle = middleOf(lower.points);
        const auto end = loops.upper_bound({lower.piece, course, std::numeric_limits<int>::max()});
        for (auto upper = loops.lower_bound({lower.piece, course, 0}); upper != end; ++upper)
            all.emplace_back(length(middleOf(upper->second.points) - middle), &upper->second);
        const auto kept = std::min(all.size(), static_cast<size_t>(2 * reach + 1));
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                          [](const auto& one, const auto& other) { return one.first < other.first; });
        std::vector<const LoopOfYarn*> some;
        for (size_t k = 0; k < kept; ++k) some.push_back(all[k].second);
        return some;
    };
    for (const auto& [place, loop] : loops) {
        const int last = lasts[loop.piece];
        // Floats have no head to be held: only feet, which are three points and the neighbours'.
        if (loop.course == last || loop.points.size() < 6) continue;
        ++result.loops;
        bool held = false;
        for (int course = loop.course + 1; !held && course <= std::min(last, loop.course + reach); ++course)
            for (int away = 0; !held && away <= reach; ++away)
                held = holds(loop, course, loop.wale + away) || holds(loop, course, loop.wale - away);
        // In fabrics that narrow or widen, wales of the same number may be far from each other.
        for (int course = loop.course + 1; !held && course <= std::min(last, loop.course + reach); ++course)
            for (const LoopOfYarn* near : nearest(loop, course))
                if ((held = isHeldBy(loop, *near))) break;
        if (!held) result.loose.push_back(loop);
    }
    return result;
}

float clearance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    const std::vector<Vec3> p = sampled(a), q = sampled(b);
    float least = std::numeric_limits<float>::max();
    for (size_t i = 0; i + 1 < p.size(); ++i)
        for (size_t j = 0; j + 1 < q.size(); ++j) least = std::min(least, between(p[i], p[i + 1], q[j], q[j + 1]));
    return least;
}

}  // namespace purl

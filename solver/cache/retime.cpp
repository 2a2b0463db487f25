#include "solver/cache/retime.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "solver/cache/points.h"

namespace purl {
namespace {

// x(s) = (2s³−3s²+1) a + (s³−2s²+s) T va + (−2s³+3s²) b + (s³−s²) T vb, and its time derivative.
struct Hermite {
    float s, span;  // s: 0 … 1; span: time between the frames, s

    Vec3 position(Vec3 a, Vec3 va, Vec3 b, Vec3 vb) const {
        const float s2 = s * s, s3 = s2 * s;
        return (2 * s3 - 3 * s2 + 1) * a + ((s3 - 2 * s2 + s) * span) * va + (3 * s2 - 2 * s3) * b +
               ((s3 - s2) * span) * vb;
    }
    Vec3 velocity(Vec3 a, Vec3 va, Vec3 b, Vec3 vb) const {
        const float s2 = s * s;
        return ((6 * s2 - 6 * s) / span) * a + (3 * s2 - 4 * s + 1) * va + ((6 * s - 6 * s2) / span) * b +
               (3 * s2 - 2 * s) * vb;
    }
};

// Indices of the same point in both frames; -1 if a frame does not have it.
struct Match {
    int a, b;
};

template <class T>
T mixed(const T& a, const T& b, float share) {
    if constexpr (std::is_integral_v<T>)
        return share < 0.5f ? a : b;
    else
        return a + share * (b - a);
}

// Positions and velocities of matched points. Points of only one frame move in a straight line.
void move(const std::vector<Match>& matches, Hermite hermite, const std::vector<Vec3>& xa, const std::vector<Vec3>& va,
          const std::vector<Vec3>& xb, const std::vector<Vec3>& vb, std::vector<Vec3>& x, std::vector<Vec3>& v) {
    const bool moving = va.size() == xa.size() && vb.size() == xb.size();
    x.resize(matches.size());
    v.resize(moving ? matches.size() : 0);
    for (size_t i = 0; i < matches.size(); ++i) {
        const auto a = static_cast<size_t>(matches[i].a), b = static_cast<size_t>(matches[i].b);
        if (matches[i].a >= 0 && matches[i].b >= 0) {
            x[i] = moving ? hermite.position(xa[a], va[a], xb[b], vb[b]) : mixed(xa[a], xb[b], hermite.s);
            if (moving) v[i] = hermite.velocity(xa[a], va[a], xb[b], vb[b]);
        } else if (matches[i].a >= 0) {
            x[i] = moving ? xa[a] + (hermite.s * hermite.span) * va[a] : xa[a];
            if (moving) v[i] = va[a];
        } else {
            x[i] = moving ? xb[b] - ((1 - hermite.s) * hermite.span) * vb[b] : xb[b];
            if (moving) v[i] = vb[b];
        }
    }
}

// Interpolates all other channels.
template <class Item>
void mixChannels(const std::vector<Match>& matches, float share, const Item& a, const Item& b, Item& to) {
    std::vector<const void*> fromA, fromB;
    Item::channels(a, [&](const char*, const auto& values, bool) { fromA.push_back(&values); });
    Item::channels(b, [&](const char*, const auto& values, bool) { fromB.push_back(&values); });
    size_t next = 0;
    Item::channels(to, [&](const char* name, auto& values, bool) {
        using Channel = std::remove_reference_t<decltype(values)>;
        const auto &va = *static_cast<const Channel*>(fromA[next]), &vb = *static_cast<const Channel*>(fromB[next]);
        ++next;
        const std::string channel = name;
        if (channel == "position" || channel == "velocity" || (va.empty() && vb.empty())) return;
        values.resize(matches.size());
        for (size_t i = 0; i < matches.size(); ++i) {
            const bool hasA = matches[i].a >= 0 && !va.empty(), hasB = matches[i].b >= 0 && !vb.empty();
            const auto ia = static_cast<size_t>(matches[i].a), ib = static_cast<size_t>(matches[i].b);
            if (hasA && hasB)
                values[i] = mixed(va[ia], vb[ib], share);
            else if (hasA || hasB)
                values[i] = hasA ? va[ia] : vb[ib];
        }
    });
}

Points pointsBetween(const Points& a, const Points& b, Hermite hermite) {
    if (a.ids.size() != a.count() || b.ids.size() != b.count()) return hermite.s < 0.5f ? a : b;  // cannot be matched
    std::vector<Match> matches;
    matches.reserve(std::max(a.count(), b.count()));
    for (size_t i = 0, j = 0; i < a.count() || j < b.count();) {
        const bool takeA = j == b.count() || (i < a.count() && a.ids[i] <= b.ids[j]);
        const bool takeB = i == a.count() || (j < b.count() && b.ids[j] <= a.ids[i]);
        const Match match{takeA ? static_cast<int>(i) : -1, takeB ? static_cast<int>(j) : -1};
        bool shown = takeA && takeB;
        if (takeA && !takeB) shown = hermite.s < 0.5f;
        if (takeB && !takeA) shown = b.ages.empty() ? hermite.s >= 0.5f : b.ages[j] >= (1 - hermite.s) * hermite.span;
        if (shown) matches.push_back(match);
        i += takeA;
        j += takeB;
    }
    Points points;
    mixChannels(matches, hermite.s, a, b, points);
    move(matches, hermite, a.positions, a.velocities, b.positions, b.velocities, points.positions, points.velocities);
    // Ages of particles that only one frame has are extrapolated to the current time.
    for (size_t i = 0; i < points.ages.size(); ++i) {
        if (matches[i].a < 0) points.ages[i] -= (1 - hermite.s) * hermite.span;
        if (matches[i].b < 0) points.ages[i] += hermite.s * hermite.span;
    }
    return points;
}

std::vector<Match> sameNumbers(size_t count) {
    std::vector<Match> matches(count);
    for (size_t i = 0; i < count; ++i) matches[i] = {static_cast<int>(i), static_cast<int>(i)};
    return matches;
}

Mesh meshBetween(const Mesh& a, const Mesh& b, Hermite hermite) {
    const bool same = a.positions.size() == b.positions.size() && a.triangles == b.triangles && a.faces == b.faces;
    Mesh mesh = hermite.s < 0.5f ? a : b;
    if (!same) {
        const float seconds = (hermite.s < 0.5f ? hermite.s : hermite.s - 1) * hermite.span;
        for (size_t i = 0; i < mesh.velocities.size(); ++i)
            mesh.positions[i] = mesh.positions[i] + seconds * mesh.velocities[i];
        return mesh;
    }
    const std::vector<Match> matches = sameNumbers(a.positions.size());
    mixChannels(matches, hermite.s, a, b, mesh);
    move(matches, hermite, a.positions, a.velocities, b.positions, b.velocities, mesh.positions, mesh.velocities);
    for (Vec3& normal : mesh.normals)
        if (const float size = length(normal); size > 0) normal = normal / size;
    return mesh;
}

Curves curvesBetween(const Curves& a, const Curves& b, Hermite hermite) {
    if (a.counts != b.counts) return hermite.s < 0.5f ? a : b;
    Curves curves = hermite.s < 0.5f ? a : b;
    const std::vector<Match> matches = sameNumbers(a.count());
    mixChannels(matches, hermite.s, a, b, curves);
    move(matches, hermite, a.positions, a.velocities, b.positions, b.velocities, curves.positions, curves.velocities);
    return curves;
}

// Interpolates the axes linearly and re-orthonormalizes them (Gram–Schmidt); rotations between frames are small.
Rigid rigidBetween(const Rigid& a, const Rigid& b, float share) {
    Rigid rigid = a;
    rigid.position = mixed(a.position, b.position, share);
    const auto unit = [](Vec3 v) { return v / length(v); };
    rigid.axes.x = unit(mixed(a.axes.x, b.axes.x, share));
    const Vec3 y = mixed(a.axes.y, b.axes.y, share);
    rigid.axes.y = unit(y - dot(y, rigid.axes.x) * rigid.axes.x);
    rigid.axes.z = cross(rigid.axes.x, rigid.axes.y);
    return rigid;
}

// Interpolates the items that have the same name in both frames.
template <class Item, class Between>
std::vector<Item> eachBetween(const std::vector<Item>& a, const std::vector<Item>& b, float share, Between&& make) {
    std::vector<Item> items;
    for (const Item& item : share < 0.5f ? a : b) {
        const auto named = [&](const Item& other) { return other.name == item.name; };
        const auto fromA = std::find_if(a.begin(), a.end(), named), fromB = std::find_if(b.begin(), b.end(), named);
        items.push_back(fromA == a.end() || fromB == b.end() ? item : make(*fromA, *fromB));
    }
    return items;
}

}  // namespace

Frame between(const Frame& a, const Frame& b, double share) {
    if (share <= 0) return a;
    if (share >= 1) return b;
    const Hermite hermite{static_cast<float>(share), static_cast<float>(b.time - a.time)};
    if (!(hermite.span > 0)) return share < 0.5 ? a : b;
    Frame frame;
    frame.time = a.time + share * (b.time - a.time);
    frame.metersPerUnit = a.metersPerUnit;
    frame.bodies = b.bodies;
    frame.points = pointsBetween(a.points, b.points, hermite);
    frame.meshes = eachBetween(a.meshes, b.meshes, hermite.s,
                               [&](const Mesh& from, const Mesh& to) { return meshBetween(from, to, hermite); });
    frame.curves = eachBetween(a.curves, b.curves, hermite.s,
                               [&](const Curves& from, const Curves& to) { return curvesBetween(from, to, hermite); });
    frame.rigids = eachBetween(a.rigids, b.rigids, hermite.s,
                               [&](const Rigid& from, const Rigid& to) { return rigidBetween(from, to, hermite.s); });
    frame.stats = (share < 0.5 ? a : b).stats;
    return frame;
}

}  // namespace purl

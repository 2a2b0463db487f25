#include "solver/cloth/neighborhoods.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "solver/core/forEach.h"

namespace purl {
namespace {

// How much further a patch may strain before all is looked at anew.
constexpr float kSpare = 0.12f;
// Of ε/c: things then keep the side that they are on, and most of their distance, whatever the step does.
constexpr float kMost = 0.68f;
// With this no distance is less than its 0.7 of that at rest, which layers ask at the most.
constexpr float kMuch = 0.3f;
constexpr float kLeastTilt = 0.5f;  // cosine

// ---- while it moves -------------------------------------------------------------------------------------------

// |F − R|²
PURL_HD inline float strain2(const TangentFrame& turned, Vec3 p, Vec3 q, Vec3 r) {
    const Vec3 e1 = q - p, e2 = r - p;
    const Vec3 c1 = turned.a * e1 - turned.t1, c2 = turned.b * e1 + turned.d * e2 - turned.t2;
    const float g11 = dot(c1, c1), g22 = dot(c2, c2), g12 = dot(c1, c2);
    // The larger eigenvalue of the columns' products.
    return 0.5f * (g11 + g22) + std::sqrt(0.25f * square(g11 - g22) + g12 * g12);
}

PURL_HD inline float strain2(const TangentFrame& turned, const Item& item, const Vec3* x) {
    return strain2(turned, x[item.v[0]], x[item.v[1]], x[item.v[2]]);
}

PURL_HD inline void setTurn(const Mat3& m, float (&q)[4]) {
    // The largest of its numbers first, the others by it (Shepperd 1978).
    const float w = m.x.x + m.y.y + m.z.z, x = m.x.x - m.y.y - m.z.z, y = m.y.y - m.x.x - m.z.z,
                z = m.z.z - m.x.x - m.y.y;
    const float a = m.y.z - m.z.y, b = m.z.x - m.x.z, c = m.x.y - m.y.x;
    const float d = m.x.y + m.y.x, e = m.z.x + m.x.z, f = m.y.z + m.z.y;
    if (w >= x && w >= y && w >= z) {
        q[0] = 1 + w, q[1] = a, q[2] = b, q[3] = c;
    } else if (x >= y && x >= z) {
        q[0] = a, q[1] = 1 + x, q[2] = d, q[3] = e;
    } else if (y >= z) {
        q[0] = b, q[1] = d, q[2] = 1 + y, q[3] = f;
    } else {
        q[0] = c, q[1] = e, q[2] = f, q[3] = 1 + z;
    }
    const float l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (float& each : q) each /= l;
}

// Finds each patch's turn at `to`, and how far it is from moving by that.
struct TurnPatches {
    const int* patchStarts;
    const Item* items;
    const TangentFrame* frames;
    const Vec3 *from, *to;
    TangentFrame* turned;
    PatchTurn* turns;

    PURL_HD void operator()(int p) const {
        const int begin = patchStarts[p], end = patchStarts[p + 1];
        const Vec3 one = frames[begin].t1, two = frames[begin].t2, three = cross(one, two);
        // Where those two go on the mean.
        Vec3 u, v;
        for (int i = begin; i < end; ++i) {
            const TangentFrame& f = frames[i];
            const Vec3 e1 = to[items[i].v[1]] - to[items[i].v[0]], e2 = to[items[i].v[2]] - to[items[i].v[0]];
            const Vec3 c1 = f.a * e1, c2 = f.b * e1 + f.d * e2;
            u += dot(f.t1, one) * c1 + dot(f.t2, one) * c2;
            v += dot(f.t1, two) * c1 + dot(f.t2, two) * c2;
        }
        const Vec3 n = normalized(cross(u, v)), s = normalized(normalized(u) + normalized(v)), t = cross(n, s);
        constexpr float kHalf = 0.70710678f;
        const Mat3 to3{kHalf * (s - t), kHalf * (s + t), n};
        const Mat3 turn = to3 * transposed(Mat3{one, two, three});
        setTurn(turn, turns[p].q);
        float most = 0;
        for (int i = begin; i < end; ++i) {
            turned[i] = frames[i];
            turned[i].t1 = turn * frames[i].t1;
            turned[i].t2 = turn * frames[i].t2;
            const float a = strain2(turned[i], items[i], from), b = strain2(turned[i], items[i], to);
            const float both = a > b ? a : b;
            most = both > most || both != both ? both : most;
        }
        turns[p].strain = std::sqrt(most);
    }
};

// Whether a neighbourhood moves as one: all it leads over about as the mean of its two patches.
struct MoveAsOne {
    Span<const Neighborhood> all;
    Span<const PatchTurn> turns;
    const int *patchStarts, *sheetOf;
    const Item* items;
    Span<const Sheet> sheets;
    int* asOne;

    PURL_HD void operator()(int i) const {
        const Neighborhood& own = all[i];
        asOne[i] = 0;
        if (!(own.tilt > 0)) return;
        const Sheet& sheet = sheets[sheetOf[items[patchStarts[own.other]].v[0]]];
        const float room = 1 - 2 * sheet.half / own.height;
        const float bound = own.tilt * clamp(room, kMuch, kMost);
        const float *a = turns[own.members[0]].q, *b = turns[own.members[1]].q;
        const float same = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
        float mean[4], l2 = 0;
        for (int k = 0; k < 4; ++k) {
            mean[k] = a[k] + same * b[k];
            l2 += mean[k] * mean[k];
        }
        for (int m = 0; m < own.memberCount; ++m) {
            const PatchTurn& turn = turns[own.members[m]];
            float along = 0;
            for (int k = 0; k < 4; ++k) along += mean[k] * turn.q[k];
            // |R − R'| = 2 sin ½θ, and q · q' = cos ½θ
            const float sine2 = 1 - along * along / l2;
            const float beside = 2 * std::sqrt(sine2 > 0 ? sine2 : 0);
            if (!(turn.strain + beside + kSpare <= bound)) return;
        }
        asOne[i] = 1;
    }
};

struct BoundPatches {
    const int *memberStarts, *memberOf, *asOne;
    const PatchTurn* turns;
    float* bounds;
    PURL_HD void operator()(int p) const {
        bounds[p] = 1e30f;
        for (int m = memberStarts[p]; m < memberStarts[p + 1]; ++m)
            if (asOne[memberOf[m]]) bounds[p] = turns[p].strain + kSpare;
    }
};

struct CheckStrain {
    const int* patchStarts;
    const Item* items;
    const TangentFrame* turned;
    const float* bounds;
    const Vec3 *from, *to;
    int* strained;

    PURL_HD void operator()(int p) const {
        strained[p] = 0;
        const float most2 = bounds[p] * bounds[p];
        if (!(most2 < 1e30f)) return;
        int any = 0;
        for (int i = patchStarts[p]; i < patchStarts[p + 1]; ++i)
            any |= !(strain2(turned[i], items[i], from) <= most2) | !(strain2(turned[i], items[i], to) <= most2);
        strained[p] = any;
    }
};

// ---- before ---------------------------------------------------------------------------------------------------

struct Flat {
    double x, y;
};
double crossOf(Flat o, Flat a, Flat b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

// The corners of the convex hull, against the clock (Andrew 1979).
std::vector<Flat> hullOf(std::vector<Flat> points) {
    std::sort(points.begin(), points.end(), [](Flat a, Flat b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::vector<Flat> hull;
    for (int side = 0; side < 2; ++side) {
        const size_t first = hull.size();
        for (const Flat& p : points) {
            while (hull.size() >= first + 2 && crossOf(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

// Whether a stretch between two places comes further into the hull than `depth`.
bool entersHull(const std::vector<Flat>& hull, Flat a, Flat b, double depth) {
    double from = 0, to = 1;
    for (size_t k = 0; k < hull.size(); ++k) {
        const Flat p = hull[k], q = hull[(k + 1) % hull.size()];
        const double l = std::hypot(q.x - p.x, q.y - p.y);
        const double atA = crossOf(p, q, a) / l - depth, atB = crossOf(p, q, b) / l - depth;
        if (atA <= 0 && atB <= 0) return false;
        const double cut = atA / (atA - atB);
        if (atA < 0) from = std::max(from, cut);
        if (atB < 0) to = std::min(to, cut);
    }
    return from < to;
}

// What lies where in the mesh.
struct Mesh {
    const LayerParts& parts;
    std::vector<int> patchOf;               // of each triangle
    std::vector<int> twins;                 // of each triangle's edges: the other triangle; −1: none, or several
    std::vector<std::vector<int>> corners;  // of each patch

    explicit Mesh(const LayerParts& all) : parts(all) {
        const auto count = static_cast<size_t>(parts.clothItems);
        patchOf.resize(count);
        twins.assign(3 * count, -1);
        corners.resize(parts.patchStarts.size() - 1);
        for (size_t p = 0; p < corners.size(); ++p) {
            for (int i = parts.patchStarts[p]; i < parts.patchStarts[p + 1]; ++i) {
                patchOf[static_cast<size_t>(i)] = static_cast<int>(p);
                corners[p].insert(corners[p].end(), parts.items[i].v, parts.items[i].v + 3);
            }
            std::sort(corners[p].begin(), corners[p].end());
            corners[p].erase(std::unique(corners[p].begin(), corners[p].end()), corners[p].end());
        }
        struct Sides {
            int first, count = 0;
        };
        std::unordered_map<uint64_t, Sides> sides;
        sides.reserve(2 * count);
        for (int e = 0; e < 3 * parts.clothItems; ++e) {
            const int* v = parts.items[e / 3].v;
            Sides& side = sides[edgeKey(v[e % 3], v[(e % 3 + 1) % 3])];
            if (side.count++ == 0) side.first = e;
            if (side.count > 2) continue;
            twins[static_cast<size_t>(e)] = side.count == 2 ? side.first / 3 : -1;
            if (side.count == 2) twins[static_cast<size_t>(side.first)] = e / 3;
        }
        // Where three meet, all are rims.
        for (int e = 0; e < 3 * parts.clothItems; ++e) {
            const int* v = parts.items[e / 3].v;
            if (sides[edgeKey(v[e % 3], v[(e % 3 + 1) % 3])].count > 2) twins[static_cast<size_t>(e)] = -1;
        }
    }

    // Twice its area, along its normal.
    Vec3 areaOf(int i) const {
        const Item& item = parts.items[i];
        const Vec3 p = parts.rest[item.v[0]];
        return cross(parts.rest[item.v[1]] - p, parts.rest[item.v[2]] - p);
    }

    // Whether the triangles of its two patches hang together by edges of its members.
    bool isOnePiece(const Neighborhood& all) const {
        const auto begin = [&](int m) { return parts.patchStarts[static_cast<size_t>(all.members[m])]; };
        const auto end = [&](int m) { return parts.patchStarts[static_cast<size_t>(all.members[m]) + 1]; };
        const auto memberOf = [&](int i) {
            const int* const last = all.members + all.memberCount;
            return std::find(all.members, last, patchOf[static_cast<size_t>(i)]) != last;
        };
        std::vector<int> met{begin(0)};
        for (size_t next = 0; next < met.size(); ++next)
            for (int k = 0; k < 3; ++k) {
                const int twin = twins[static_cast<size_t>(3 * met[next] + k)];
                if (twin >= 0 && memberOf(twin) && std::find(met.begin(), met.end(), twin) == met.end())
                    met.push_back(twin);
            }
        for (const int m : {0, 1})
            for (int i = begin(m); i < end(m); ++i)
                if (std::find(met.begin(), met.end(), i) == met.end()) return false;
        return true;
    }

    // The neighbourhood of these two; nothing is known where it is too crooked at rest, has a rim within or falls into
    // pieces.
    Neighborhood around(int one, int other) const {
        Neighborhood result{other, 0, 0, {one, other}, 2};
        Vec3 sum;
        for (const int p : {one, other})
            for (int i = parts.patchStarts[static_cast<size_t>(p)]; i < parts.patchStarts[static_cast<size_t>(p) + 1];
                 ++i)
                sum += areaOf(i);
        if (!(length(sum) > 0)) return result;
        const Vec3 n = normalized(sum), aside = std::fabs(n.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const Vec3 u = normalized(cross(aside, n)), v = cross(n, u);
        const Vec3 origin = parts.rest[corners[static_cast<size_t>(one)][0]];
        const auto seen = [&](int point) {
            const Vec3 at = parts.rest[point] - origin;
            return Flat{double(dot(at, u)), double(dot(at, v))};
        };
        std::vector<Flat> flat;
        for (const int p : {one, other})
            for (const int corner : corners[static_cast<size_t>(p)]) flat.push_back(seen(corner));
        const std::vector<Flat> hull = hullOf(flat);
        // From the two patches on over all edges that lead on within the hull. A rim there would have to be gone
        // around.
        float tilt = 1, height = 1e30f;
        for (int m = one == other ? 1 : 0; m < result.memberCount; ++m) {
            const auto p = static_cast<size_t>(result.members[m]);
            for (int i = parts.patchStarts[p]; i < parts.patchStarts[p + 1]; ++i) {
                const Vec3 area = areaOf(i);
                const int* corner = parts.items[i].v;
                float longest = 0;
                for (int k = 0; k < 3; ++k)
                    longest = std::max(longest, length(parts.rest[corner[(k + 1) % 3]] - parts.rest[corner[k]]));
                const float least = length(area) / longest;
                if (!(least > 1e-3f * longest)) return result;
                tilt = std::min(tilt, dot(area, n) / length(area));
                height = std::min(height, least);
                if (!(tilt > kLeastTilt)) return result;
                for (int k = 0; k < 3; ++k) {
                    const int twin = twins[static_cast<size_t>(3 * i + k)];
                    const int next = twin < 0 ? -1 : patchOf[static_cast<size_t>(twin)];
                    if (std::find(result.members, result.members + result.memberCount, next) !=
                        result.members + result.memberCount)
                        continue;
                    if (!entersHull(hull, seen(corner[k]), seen(corner[(k + 1) % 3]), 1e-3 * double(least))) continue;
                    if (next < 0 || result.memberCount == 8) return result;
                    result.members[result.memberCount++] = next;
                }
            }
        }
        if (!isOnePiece(result)) return result;
        result.tilt = tilt;
        // In a plane nothing is nearer to a point that is not of its own than the least height of a triangle.
        result.height = height * tilt;
        return result;
    }
};

TangentFrame frameOf(Vec3 p, Vec3 q, Vec3 r) {
    const Vec3 e1 = q - p, e2 = r - p, t1 = normalized(e1), n = normalized(cross(e1, e2)), t2 = cross(n, t1);
    const float l = length(e1), along = dot(e2, t1), across = dot(e2, t2);
    return {t1, t2, 1 / l, -along / (l * across), 1 / across};
}

}  // namespace

Neighborhoods::Neighborhoods(const Device& device)
    : device_(device),
      patchStarts_(device),
      frames_(device),
      turned_(device),
      turns_(device),
      starts_(device),
      all_(device),
      asOne_(device),
      memberStarts_(device),
      memberOf_(device),
      bounds_(device),
      strained_(device) {}

void Neighborhoods::set(const LayerParts& parts) {
    device_.synchronize();
    const auto patches = static_cast<int>(parts.patchStarts.size()) - 1;
    patchStarts_.renew(patches + 1);
    std::copy(parts.patchStarts.begin(), parts.patchStarts.end(), patchStarts_.begin());
    frames_.renew(parts.clothItems);
    for (int i = 0; i < parts.clothItems; ++i) {
        const int* v = parts.items[i].v;
        frames_[i] = frameOf(parts.rest[v[0]], parts.rest[v[1]], parts.rest[v[2]]);
    }
    turned_.renew(parts.clothItems);
    turns_.renew(patches);
    bounds_.renew(patches);

    const Mesh mesh(parts);
    std::vector<std::vector<int>> patchesOf(static_cast<size_t>(parts.clothPoints));
    for (int p = 0; p < patches; ++p)
        for (const int corner : mesh.corners[static_cast<size_t>(p)])
            patchesOf[static_cast<size_t>(corner)].push_back(p);
    std::vector<Neighborhood> all;
    std::vector<std::vector<int>> memberOf(static_cast<size_t>(patches));
    starts_.renew(patches + 1);
    for (int p = 0; p < patches; ++p) {
        starts_[p] = static_cast<int>(all.size());
        std::vector<int> neighbors;
        for (const int corner : mesh.corners[static_cast<size_t>(p)])
            for (const int q : patchesOf[static_cast<size_t>(corner)])
                if (q >= p) neighbors.push_back(q);
        std::sort(neighbors.begin(), neighbors.end());
        neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
        for (const int q : neighbors) {
            all.push_back(mesh.around(p, q));
            for (int m = 0; m < all.back().memberCount; ++m)
                memberOf[static_cast<size_t>(all.back().members[m])].push_back(static_cast<int>(all.size()) - 1);
        }
    }
    const auto count = static_cast<int>(all.size());
    starts_[patches] = count;
    all_.renew(count);
    std::copy(all.begin(), all.end(), all_.begin());
    asOne_.renew(count);
    std::fill(asOne_.begin(), asOne_.end(), 0);
    memberStarts_.renew(patches + 1);
    memberOf_.resize(0);
    for (int p = 0; p < patches; ++p) {
        memberStarts_[p] = memberOf_.size();
        const std::vector<int>& own = memberOf[static_cast<size_t>(p)];
        memberOf_.resize(memberOf_.size() + static_cast<int>(own.size()));
        std::copy(own.begin(), own.end(), memberOf_.begin() + memberStarts_[p]);
    }
    memberStarts_[patches] = memberOf_.size();
}

void Neighborhoods::look(const LayerParts& parts, const Vec3* from, const Vec3* to) {
    forEach(
        device_, "turnPatches", turns_.size(),
        TurnPatches{patchStarts_.data(), parts.items.data(), frames_.data(), from, to, turned_.data(), turns_.data()},
        32);
    forEach(device_, "moveAsOne", all_.size(),
            MoveAsOne{all_.span(), turns_.span(), patchStarts_.data(), parts.sheetOf.data(), parts.items.data(),
                      parts.sheets.span(), asOne_.data()});
    forEach(device_, "boundPatches", turns_.size(),
            BoundPatches{memberStarts_.data(), memberOf_.data(), asOne_.data(), turns_.data(), bounds_.data()}, 64);
    device_.synchronize();
}

bool Neighborhoods::hold(const LayerParts& parts, const Vec3* from, const Vec3* to) {
    strained_.renew(turns_.size());
    forEach(device_, "checkStrain", turns_.size(),
            CheckStrain{patchStarts_.data(), parts.items.data(), turned_.data(), bounds_.data(), from, to,
                        strained_.data()},
            64);
    device_.synchronize();
    return std::find(strained_.begin(), strained_.end(), 1) == strained_.end();
}

}  // namespace purl

#include "solver/cloth/neighborhoods.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "solver/core/forEach.h"

namespace purl {
namespace {

// How much further a patch may strain before all is looked at again.
constexpr PatchStrain kSpare{0.1f, 0.15f};
// Of ε/c: things then keep the side that they are on, and most of their distance, whatever the step does.
constexpr float kMost = 0.68f;
// With this no distance is less than its 0.7 of that at rest, which layers ask at the most.
constexpr float kMuch = 0.3f;
constexpr float kLeastTilt = 0.5f;  // cosine

// ---- while it moves -------------------------------------------------------------------------------------------

// |F − R|² of each triangle: within its turned plane the larger eigenvalue of the products of its columns.
struct Strain2 {
    Eight within, across;
};
Strain2 strain2(const TangentFrames& turned, const FeatureBlock& triangles, const MassPoint* x) {
    const Vec3Eight p = loadPoints(x, triangles.v[0]);
    const Vec3Eight e1 = loadPoints(x, triangles.v[1]) - p, e2 = loadPoints(x, triangles.v[2]) - p;
    const Vec3Eight c1 = loadEight(turned.a) * e1 - loadEight(turned.t1),
                    c2 = loadEight(turned.b) * e1 + loadEight(turned.d) * e2 - loadEight(turned.t2);
    const Vec3Eight normal = loadEight(turned.normal);
    const Eight n1 = dot(c1, normal), n2 = dot(c2, normal);
    const Eight g11 = dot(c1, c1) - n1 * n1, g22 = dot(c2, c2) - n2 * n2, g12 = dot(c1, c2) - n1 * n2;
    const Eight half = eightOf(0.5f) * (g11 - g22);
    return {eightOf(0.5f) * (g11 + g22) + sqrt(half * half + g12 * g12), n1 * n1 + n2 * n2};
}

void setTurn(const Mat3& m, float (&q)[4]) {
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

// The first `count`, from first to last.
Vec3 sumOf(const Vec3Eight& all, int count) {
    alignas(32) float each[3][8];
    store(all, each);
    Vec3 sum;
    for (int l = 0; l < count; ++l) sum += {each[0][l], each[1][l], each[2][l]};
    return sum;
}

// Finds a patch's turn at `to`, and how far it is from moving by that.
struct TurnPatch {
    const FeatureBlock* triangles;
    const TangentFrames* frames;
    const MassPoint *from, *to;
    TangentFrames* turned;
    PatchTurn* turns;

    void operator()(int p) const {
        const FeatureBlock& own = triangles[p];
        const TangentFrames& f = frames[p];
        const Vec3 one{f.t1[0][0], f.t1[1][0], f.t1[2][0]}, two{f.t2[0][0], f.t2[1][0], f.t2[2][0]},
            three = cross(one, two);
        const Vec3Eight t1 = loadEight(f.t1), t2 = loadEight(f.t2);
        const Vec3Eight start = loadPoints(to, own.v[0]);
        const Vec3Eight e1 = loadPoints(to, own.v[1]) - start, e2 = loadPoints(to, own.v[2]) - start;
        const Vec3Eight c1 = loadEight(f.a) * e1, c2 = loadEight(f.b) * e1 + loadEight(f.d) * e2;
        // Where those two go on the mean.
        const Vec3 u = sumOf(dot(t1, eightOf(one)) * c1 + dot(t2, eightOf(one)) * c2, own.count);
        const Vec3 v = sumOf(dot(t1, eightOf(two)) * c1 + dot(t2, eightOf(two)) * c2, own.count);
        const Vec3 n = normalized(cross(u, v)), s = normalized(normalized(u) + normalized(v)), t = cross(n, s);
        constexpr float kHalf = 0.70710678f;
        const Mat3 to3{kHalf * (s - t), kHalf * (s + t), n};
        const Mat3 turn = to3 * transposed(Mat3{one, two, three});
        setTurn(turn, turns[p].q);
        turned[p] = f;
        const auto turnAll = [&](const Vec3Eight& of) {
            return of.x * eightOf(turn.x) + of.y * eightOf(turn.y) + of.z * eightOf(turn.z);
        };
        store(turnAll(t1), turned[p].t1);
        store(turnAll(t2), turned[p].t2);
        store(turnAll(loadEight(f.normal)), turned[p].normal);
        const Strain2 first = strain2(turned[p], own, from), last = strain2(turned[p], own, to);
        const auto largest = [](Eight one, Eight other) {
            alignas(32) float each[2][8];
            store(one, each[0]);
            store(other, each[1]);
            float most = 0;
            for (const auto& ofEnd : each)
                for (const float e : ofEnd) most = e > most || e != e ? e : most;
            return std::sqrt(most);
        };
        turns[p].strain = {largest(first.within, last.within), largest(first.across, last.across)};
    }
};

// What a patch may strain by that nothing is known by.
constexpr float kAnyStrain = 1e15f;

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

    Mesh(const Device& cpu, const LayerParts& all) : parts(all) {
        const auto count = static_cast<size_t>(parts.clothItems);
        patchOf.resize(count);
        twins.assign(3 * count, -1);
        corners.resize(parts.patchStarts.size() - 1);
        const auto takePatch = [&](size_t p) {
            for (int i = parts.patchStarts[p]; i < parts.patchStarts[p + 1]; ++i) {
                patchOf[static_cast<size_t>(i)] = static_cast<int>(p);
                corners[p].insert(corners[p].end(), parts.items[i].v, parts.items[i].v + 3);
            }
            std::sort(corners[p].begin(), corners[p].end());
            corners[p].erase(std::unique(corners[p].begin(), corners[p].end()), corners[p].end());
        };
        forEachChunk(cpu, "takePatches", static_cast<int>(corners.size()), 64, [&](int begin, int end) {
            for (int p = begin; p < end; ++p) takePatch(static_cast<size_t>(p));
        });
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

void setFrame(Vec3 p, Vec3 q, Vec3 r, int lane, TangentFrames& frames) {
    const Vec3 e1 = q - p, e2 = r - p, t1 = normalized(e1), n = normalized(cross(e1, e2)), t2 = cross(n, t1);
    const float l = length(e1), along = dot(e2, t1), across = dot(e2, t2);
    for (int k = 0; k < 3; ++k) {
        frames.t1[k][lane] = t1[k];
        frames.t2[k][lane] = t2[k];
        frames.normal[k][lane] = n[k];
    }
    frames.a[lane] = 1 / l;
    frames.b[lane] = -along / (l * across);
    frames.d[lane] = 1 / across;
}

}  // namespace

Neighborhoods::Neighborhoods(const Device& device)
    : device_(device),
      frames_(device),
      turned_(device),
      turns_(device),
      starts_(device),
      all_(device),
      asOne_(device),
      memberStarts_(device),
      memberOf_(device),
      bounds_(device) {}

void Neighborhoods::set(const LayerParts& parts) {
    device_.synchronize();
    const auto patches = static_cast<int>(parts.patchStarts.size()) - 1;
    const Device cpu = Device::cpu(device_.threads());
    frames_.renew(patches);
    forEachChunk(cpu, "setFrames", patches, 64, [&](int begin, int end) {
        for (int p = begin; p < end; ++p)
            for (int l = 0; l < 8; ++l) {
                const FeatureBlock& own = parts.triangles[p];
                setFrame(parts.rest[own.v[0][l]], parts.rest[own.v[1][l]], parts.rest[own.v[2][l]], l, frames_[p]);
            }
    });
    turned_.renew(patches);
    turns_.renew(patches);
    bounds_.renew(patches);

    const Mesh mesh(cpu, parts);
    std::vector<std::vector<int>> patchesOf(static_cast<size_t>(parts.clothPoints));
    for (int p = 0; p < patches; ++p)
        for (const int corner : mesh.corners[static_cast<size_t>(p)])
            patchesOf[static_cast<size_t>(corner)].push_back(p);
    std::vector<std::vector<Neighborhood>> around(static_cast<size_t>(patches));
    forEachChunk(cpu, "lookAround", patches, 8, [&](int begin, int end) {
        std::vector<int> neighbors;
        for (int p = begin; p < end; ++p) {
            neighbors.clear();
            for (const int corner : mesh.corners[static_cast<size_t>(p)])
                for (const int q : patchesOf[static_cast<size_t>(corner)])
                    if (q >= p) neighbors.push_back(q);
            std::sort(neighbors.begin(), neighbors.end());
            neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
            for (const int q : neighbors) around[static_cast<size_t>(p)].push_back(mesh.around(p, q));
        }
    });
    starts_.renew(patches + 1);
    int count = 0;
    for (int p = 0; p < patches; ++p) {
        starts_[p] = count;
        count += static_cast<int>(around[static_cast<size_t>(p)].size());
    }
    starts_[patches] = count;
    all_.renew(count);
    std::vector<std::vector<int>> memberOf(static_cast<size_t>(patches));
    for (int p = 0; p < patches; ++p) {
        const std::vector<Neighborhood>& own = around[static_cast<size_t>(p)];
        std::copy(own.begin(), own.end(), all_.begin() + starts_[p]);
        for (int i = starts_[p]; i < starts_[p + 1]; ++i)
            for (int m = 0; m < all_[i].memberCount; ++m)
                memberOf[static_cast<size_t>(all_[i].members[m])].push_back(i);
    }
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

void Neighborhoods::look(const LayerParts& parts, const MassPoint* from, const MassPoint* to) {
    device_.synchronize();
    const Device cpu = Device::cpu(device_.threads());
    const TurnPatch turn{parts.triangles.data(), frames_.data(), from, to, turned_.data(), turns_.data()};
    forEachChunk(cpu, "turnPatches", turns_.size(), 64, [&](int begin, int end) {
        for (int p = begin; p < end; ++p) turn(p);
    });
    forEachChunk(cpu, "moveAsOne", all_.size(), 512, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) asOne_[i] = moves(parts, i);
    });
    forEachChunk(cpu, "boundPatches", turns_.size(), 256, [&](int begin, int end) {
        for (int p = begin; p < end; ++p) bound(p);
    });
}

// All it leads over moves about as the mean of its two patches. With u the way's direction, t a tangent on it, a
// patch's turn R' by φ from the mean R, and σ the most that a tangent or u can stand out of another triangle's plane,
// what a length loses is
//     u · (1 − Rᵀ R') t ≤ min(2 sin ½φ, 1 − cos φ + σ sin φ),   u · Rᵀ (F − R') t ≤ within + (sin φ + σ) across
bool Neighborhoods::moves(const LayerParts& parts, int i) const {
    const Neighborhood& own = all_[i];
    if (!(own.tilt > 0)) return false;
    const Sheet& sheet = parts.sheets[parts.sheetOf[parts.triangles[own.other].v[0][0]]];
    const float room = 1 - 2 * sheet.half / own.height;
    const float bound = own.tilt * clamp(room, kMuch, kMost);
    // Twice the steepest tilt apart at the most: sin 2α
    const float c = own.tilt, sigma = c > 0.70710678f ? 2 * c * std::sqrt(std::max(1 - c * c, 0.0f)) : 1;
    const float *a = turns_[own.members[0]].q, *b = turns_[own.members[1]].q;
    const float same = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    float mean[4], l2 = 0;
    for (int k = 0; k < 4; ++k) {
        mean[k] = a[k] + same * b[k];
        l2 += mean[k] * mean[k];
    }
    for (int m = 0; m < own.memberCount; ++m) {
        const PatchTurn& turn = turns_[own.members[m]];
        float along = 0;
        for (int k = 0; k < 4; ++k) along += mean[k] * turn.q[k];
        // q · q' = cos ½φ
        const float sine2 = std::max(1 - along * along / l2, 0.0f);
        // More than a right angle is too much in any case.
        if (!(sine2 < 0.5f)) return false;
        const float sine = 2 * std::sqrt(sine2 * (1 - sine2));
        const float turned = std::min(2 * std::sqrt(sine2), 2 * sine2 + sigma * sine);
        const float within = turn.strain.within + kSpare.within, across = turn.strain.across + kSpare.across;
        const float strained = std::min(within + (sine + sigma) * across, std::sqrt(square(within) + square(across)));
        if (!(turned + strained <= bound)) return false;
    }
    return true;
}

void Neighborhoods::bound(int p) {
    const int *first = memberOf_.data() + memberStarts_[p], *last = memberOf_.data() + memberStarts_[p + 1];
    const bool any = std::any_of(first, last, [&](int i) { return asOne_[i] != 0; });
    const PatchStrain& strain = turns_[p].strain;
    bounds_[p] = any ? PatchStrain{strain.within + kSpare.within, strain.across + kSpare.across}
                     : PatchStrain{kAnyStrain, kAnyStrain};
}

const std::vector<int>& Neighborhoods::lookAgain(const LayerParts& parts, const MassPoint* from, const MassPoint* to,
                                                 const std::vector<int>* patches) {
    device_.synchronize();
    lost_.clear();
    const int count = patches ? static_cast<int>(patches->size()) : turns_.size();
    const FeatureBlock* const triangles = parts.triangles.data();
    const std::vector<int>& strained =
        strained_.fill(device_, "checkStrain", count, 256, [&](int k, std::vector<int>& list) {
            const int p = patches ? (*patches)[static_cast<size_t>(k)] : k;
            const PatchStrain most = bounds_[p];
            if (!(most.within < kAnyStrain)) return;
            const Strain2 now = strain2(turned_[p], triangles[p], to);
            const EightMask holds =
                (now.within <= eightOf(square(most.within))) & (now.across <= eightOf(square(most.across)));
            if (bitsOf(holds) != 255) list.push_back(p);
        });
    if (strained.empty()) return lost_;
    const TurnPatch turn{triangles, frames_.data(), from, to, turned_.data(), turns_.data()};
    forEachChunk(Device::cpu(device_.threads()), "turnStrained", static_cast<int>(strained.size()), 32,
                 [&](int begin, int end) {
                     for (int k = begin; k < end; ++k) turn(strained[static_cast<size_t>(k)]);
                 });
    // Whatever leads over a patch that has another turn now is looked at again.
    affected_.clear();
    for (const int p : strained)
        affected_.insert(affected_.end(), memberOf_.data() + memberStarts_[p], memberOf_.data() + memberStarts_[p + 1]);
    std::sort(affected_.begin(), affected_.end());
    affected_.erase(std::unique(affected_.begin(), affected_.end()), affected_.end());
    for (const int i : affected_) {
        const bool now = moves(parts, i);
        if (asOne_[i] && !now) lost_.push_back(all_[i].members[0]);
        asOne_[i] = now;
    }
    for (const int i : affected_)
        for (int m = 0; m < all_[i].memberCount; ++m) bound(all_[i].members[m]);
    return lost_;
}

}  // namespace purl

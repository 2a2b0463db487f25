#include "solver/cloth/contact/neighborhoods.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cloth/pointLists.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// How much more a patch may strain before its neighbourhoods are tested again.
constexpr PatchStrain kStrainMargin{0.1f, 0.15f};
// Upper bound of ε/c: features then stay on their side and keep a third of their distance throughout the step.
constexpr float kMaxShrink = 0.68f;
// Allowed in any case: distances stay above 0.7 of the rest distance, which is all that pairs of one cloth have to
// keep.
constexpr float kMinShrink = 0.3f;
constexpr float kMinTiltCosine = 0.5f;

// ---- Per step --------------------------------------------------------------------------------------------------

// |F − R|² per triangle. In the rotated plane: the larger eigenvalue of the Gram matrix of its columns.
struct Strain2 {
    Lanes inPlane, outOfPlane;
};
Strain2 strain2(const TangentFrames& rotated, const FeatureBlock& triangles, const MassPoint* x) {
    const PointLanes p = loadPoints(x, triangles.v[0]);
    const PointLanes e1 = loadPoints(x, triangles.v[1]) - p, e2 = loadPoints(x, triangles.v[2]) - p;
    const PointLanes c1 = load(rotated.a) * e1 - load(rotated.t1),
                     c2 = load(rotated.b) * e1 + load(rotated.d) * e2 - load(rotated.t2);
    const PointLanes normal = load(rotated.normal);
    const Lanes n1 = dot(c1, normal), n2 = dot(c2, normal);
    const Lanes g11 = dot(c1, c1) - n1 * n1, g22 = dot(c2, c2) - n2 * n2, g12 = dot(c1, c2) - n1 * n2;
    const Lanes half = Lanes(0.5f) * (g11 - g22);
    return {Lanes(0.5f) * (g11 + g22) + sqrt(half * half + g12 * g12), n1 * n1 + n2 * n2};
}

void setQuaternion(const Mat3& m, float (&q)[4]) {
    // Computes the largest component first and the others from it (Shepperd 1978).
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

// Sum of the first `count` lanes, in order.
Vec3 sumOf(const PointLanes& all, int count) {
    alignas(32) float each[3][8];
    store(all, each);
    Vec3 sum;
    for (int l = 0; l < count; ++l) sum += {each[0][l], each[1][l], each[2][l]};
    return sum;
}

// Fits the rotation of a patch at `to`, and measures the strain relative to it at both ends of the step.
struct FitPatchRotation {
    const FeatureBlock* triangles;
    const TangentFrames* frames;
    const MassPoint *from, *to;
    TangentFrames* rotated;
    PatchRotation* rotations;

    void operator()(int p) const {
        const FeatureBlock& own = triangles[p];
        const TangentFrames& f = frames[p];
        const Vec3 one{f.t1[0][0], f.t1[1][0], f.t1[2][0]}, two{f.t2[0][0], f.t2[1][0], f.t2[2][0]},
            three = cross(one, two);
        const PointLanes t1 = load(f.t1), t2 = load(f.t2);
        const PointLanes start = loadPoints(to, own.v[0]);
        const PointLanes e1 = loadPoints(to, own.v[1]) - start, e2 = loadPoints(to, own.v[2]) - start;
        const PointLanes c1 = load(f.a) * e1, c2 = load(f.b) * e1 + load(f.d) * e2;
        // Mean images of the first triangle's two tangents.
        const Vec3 u = sumOf(dot(t1, broadcast<Lanes>(one)) * c1 + dot(t2, broadcast<Lanes>(one)) * c2, own.count);
        const Vec3 v = sumOf(dot(t1, broadcast<Lanes>(two)) * c1 + dot(t2, broadcast<Lanes>(two)) * c2, own.count);
        const Vec3 n = normalized(cross(u, v)), s = normalized(normalized(u) + normalized(v)), t = cross(n, s);
        constexpr float kHalf = 0.70710678f;
        const Mat3 to3{kHalf * (s - t), kHalf * (s + t), n};
        const Mat3 rotation = to3 * transposed(Mat3{one, two, three});
        setQuaternion(rotation, rotations[p].q);
        rotated[p] = f;
        const auto rotateAll = [&](const PointLanes& of) {
            return of.x * broadcast<Lanes>(rotation.x) + of.y * broadcast<Lanes>(rotation.y) +
                   of.z * broadcast<Lanes>(rotation.z);
        };
        store(rotateAll(t1), rotated[p].t1);
        store(rotateAll(t2), rotated[p].t2);
        store(rotateAll(load(f.normal)), rotated[p].normal);
        const Strain2 first = strain2(rotated[p], own, from), last = strain2(rotated[p], own, to);
        const auto largest = [](Lanes one, Lanes other) {
            alignas(32) float each[2][8];
            store(one, each[0]);
            store(other, each[1]);
            float squared = 0;
            for (const auto& ofEnd : each)
                for (const float e : ofEnd) squared = e > squared || e != e ? e : squared;
            return std::sqrt(squared);
        };
        rotations[p].strain = {largest(first.inPlane, last.inPlane), largest(first.outOfPlane, last.outOfPlane)};
    }
};

// For patches that no near-rigid neighbourhood relies on.
constexpr float kUnlimitedStrain = 1e15f;

// ---- Precomputation --------------------------------------------------------------------------------------------

struct Point2 {
    double x, y;
};
double orientation(Point2 o, Point2 a, Point2 b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

// Convex hull, counterclockwise (Andrew 1979).
std::vector<Point2> convexHull(std::vector<Point2> points) {
    std::sort(points.begin(), points.end(), [](Point2 a, Point2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::vector<Point2> hull;
    for (int side = 0; side < 2; ++side) {
        const size_t first = hull.size();
        for (const Point2& p : points) {
            while (hull.size() >= first + 2 && orientation(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

// Whether the segment ab comes deeper into the hull than `depth`.
bool entersHull(const std::vector<Point2>& hull, Point2 a, Point2 b, double depth) {
    double from = 0, to = 1;
    for (size_t k = 0; k < hull.size(); ++k) {
        const Point2 p = hull[k], q = hull[(k + 1) % hull.size()];
        const double l = std::sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
        const double atA = orientation(p, q, a) / l - depth, atB = orientation(p, q, b) / l - depth;
        if (atA <= 0 && atB <= 0) return false;
        const double cut = atA / (atA - atB);
        if (atA < 0) from = std::max(from, cut);
        if (atB < 0) to = std::min(to, cut);
    }
    return from < to;
}

// Adjacency of the cloth triangles and their patches.
struct PatchMesh {
    const ContactGeometry& geometry;
    std::vector<int> patchOf;               // per triangle
    std::vector<int> twins;                 // per triangle edge: adjacent triangle; −1: none or several
    std::vector<std::vector<int>> corners;  // per patch, sorted

    PatchMesh(const Device& cpu, const ContactGeometry& all) : geometry(all) {
        const auto count = static_cast<size_t>(geometry.clothPrimitives);
        patchOf.resize(count);
        twins.assign(3 * count, -1);
        corners.resize(geometry.patchStarts.size() - 1);
        const auto setPatch = [&](size_t p) {
            for (int i = geometry.patchStarts[p]; i < geometry.patchStarts[p + 1]; ++i) {
                patchOf[i] = static_cast<int>(p);
                corners[p].insert(corners[p].end(), geometry.primitives[i].v, geometry.primitives[i].v + 3);
            }
            std::sort(corners[p].begin(), corners[p].end());
            corners[p].erase(std::unique(corners[p].begin(), corners[p].end()), corners[p].end());
        };
        forEachChunk(cpu, "setPatches", static_cast<int>(corners.size()), 64, [&](int begin, int end) {
            for (int p = begin; p < end; ++p) setPatch(static_cast<size_t>(p));
        });
        // Half-edges by their lower point: the other point, and the half-edge 3 i + k of primitive i.
        using HalfEdge = std::pair<int, int>;
        PointLists<HalfEdge> edges = listByPoint<HalfEdge>(geometry.clothPoints, [&](const auto& add) {
            for (int e = 0; e < 3 * geometry.clothPrimitives; ++e) {
                const int* v = geometry.primitives[e / 3].v;
                const auto [low, high] = std::minmax(v[e % 3], v[(e % 3 + 1) % 3]);
                add(low, {high, e});
            }
        });
        const auto at = [&](int k) { return edges.values.begin() + k; };
        for (int point = 0; point < geometry.clothPoints; ++point) {
            std::sort(at(edges.starts[point]), at(edges.starts[point + 1]));
            for (int begin = edges.starts[point], end; begin < edges.starts[point + 1]; begin = end) {
                end = begin + 1;
                while (end < edges.starts[point + 1] && at(end)->first == at(begin)->first) ++end;
                // Non-manifold edges count as rims.
                for (int k = begin; k < end; ++k)
                    twins[at(k)->second] = end - begin == 2 ? at(begin + end - 1 - k)->second / 3 : -1;
            }
        }
    }

    // Twice the area, along the normal.
    Vec3 areaOf(int i) const {
        const ContactPrimitive& primitive = geometry.primitives[i];
        const Vec3 p = geometry.rest[primitive.v[0]];
        return cross(geometry.rest[primitive.v[1]] - p, geometry.rest[primitive.v[2]] - p);
    }

    // Whether the triangles of the two patches are connected across edges within the neighbourhood.
    bool isConnected(const Neighborhood& all) const {
        const auto begin = [&](int m) { return geometry.patchStarts[all.members[m]]; };
        const auto end = [&](int m) { return geometry.patchStarts[static_cast<size_t>(all.members[m]) + 1]; };
        const auto memberOf = [&](int i) {
            const int* const last = all.members + all.memberCount;
            return std::find(all.members, last, patchOf[i]) != last;
        };
        std::vector<int> visited{begin(0)};
        for (size_t next = 0; next < visited.size(); ++next)
            for (int k = 0; k < 3; ++k) {
                const int twin = twins[3 * visited[next] + k];
                if (twin >= 0 && memberOf(twin) && std::find(visited.begin(), visited.end(), twin) == visited.end())
                    visited.push_back(twin);
            }
        for (const int m : {0, 1})
            for (int i = begin(m); i < end(m); ++i)
                if (std::find(visited.begin(), visited.end(), i) == visited.end()) return false;
        return true;
    }

    // Neighbourhood of two patches; without a bound if it is too curved at rest, has a rim inside the hull or is not
    // connected.
    Neighborhood makeNeighborhood(int one, int other) const {
        Neighborhood result{other, 0, 0, {one, other}, 2};
        Vec3 sum;
        for (const int p : {one, other})
            for (int i = geometry.patchStarts[p]; i < geometry.patchStarts[static_cast<size_t>(p) + 1]; ++i)
                sum += areaOf(i);
        if (!(length(sum) > 0)) return result;
        const Vec3 n = normalized(sum), aside = std::fabs(n.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const Vec3 u = normalized(cross(aside, n)), v = cross(n, u);
        const Vec3 origin = geometry.rest[corners[one][0]];
        const auto project = [&](int point) {
            const Vec3 at = geometry.rest[point] - origin;
            return Point2{double(dot(at, u)), double(dot(at, v))};
        };
        std::vector<Point2> points2;
        for (const int p : {one, other})
            for (const int corner : corners[p]) points2.push_back(project(corner));
        const std::vector<Point2> hull = convexHull(points2);
        // Flood fill from the two patches across all edges inside the hull. Paths would have to go around a rim.
        float tilt = 1, height = 1e30f;
        for (int m = one == other ? 1 : 0; m < result.memberCount; ++m) {
            const auto p = static_cast<size_t>(result.members[m]);
            for (int i = geometry.patchStarts[p]; i < geometry.patchStarts[p + 1]; ++i) {
                const Vec3 area = areaOf(i);
                const int* corner = geometry.primitives[i].v;
                float longest = 0;
                for (int k = 0; k < 3; ++k)
                    longest = std::max(longest, length(geometry.rest[corner[(k + 1) % 3]] - geometry.rest[corner[k]]));
                const float triangleHeight = length(area) / longest;
                if (!(triangleHeight > 1e-3f * longest)) return result;
                tilt = std::min(tilt, dot(area, n) / length(area));
                height = std::min(height, triangleHeight);
                if (!(tilt > kMinTiltCosine)) return result;
                for (int k = 0; k < 3; ++k) {
                    const int twin = twins[3 * i + k];
                    const int next = twin < 0 ? -1 : patchOf[twin];
                    if (std::find(result.members, result.members + result.memberCount, next) !=
                        result.members + result.memberCount)
                        continue;
                    if (!entersHull(hull, project(corner[k]), project(corner[(k + 1) % 3]),
                                    1e-3 * double(triangleHeight)))
                        continue;
                    if (next < 0 || result.memberCount == 8) return result;
                    result.members[result.memberCount++] = next;
                }
            }
        }
        if (!isConnected(result)) return result;
        result.tilt = tilt;
        // In the plane, no feature is closer to a vertex it does not contain than the smallest triangle height.
        result.height = height * tilt;
        return result;
    }
};

void setFrame(Vec3 p, Vec3 q, Vec3 r, int lane, TangentFrames& frames) {
    const Vec3 e1 = q - p, e2 = r - p, t1 = normalized(e1), n = normalized(cross(e1, e2)), t2 = cross(n, t1);
    const float l = length(e1), along = dot(e2, t1), outOfPlane = dot(e2, t2);
    for (int k = 0; k < 3; ++k) {
        frames.t1[k][lane] = t1[k];
        frames.t2[k][lane] = t2[k];
        frames.normal[k][lane] = n[k];
    }
    frames.a[lane] = 1 / l;
    frames.b[lane] = -along / (l * outOfPlane);
    frames.d[lane] = 1 / outOfPlane;
}

}  // namespace

Neighborhoods::Neighborhoods(const Device& device)
    : device_(device),
      frames_(device),
      rotatedFrames_(device),
      rotations_(device),
      starts_(device),
      neighborhoods_(device),
      nearRigid_(device),
      memberStarts_(device),
      memberOf_(device),
      bounds_(device) {}

void Neighborhoods::set(const ContactGeometry& geometry) {
    const auto patches = static_cast<int>(geometry.patchStarts.size()) - 1;
    const Device cpu = Device::cpu(device_.threads());
    frames_.resizeDiscard(patches);
    forEachChunk(cpu, "setFrames", patches, 64, [&](int begin, int end) {
        for (int p = begin; p < end; ++p)
            for (int l = 0; l < 8; ++l) {
                const FeatureBlock& own = geometry.triangles[p];
                setFrame(geometry.rest[own.v[0][l]], geometry.rest[own.v[1][l]], geometry.rest[own.v[2][l]], l,
                         frames_[p]);
            }
    });
    rotatedFrames_.resizeDiscard(patches);
    rotations_.resizeDiscard(patches);
    bounds_.resizeDiscard(patches);

    const PatchMesh mesh(cpu, geometry);
    std::vector<std::vector<int>> patchesOf(static_cast<size_t>(geometry.clothPoints));
    for (int p = 0; p < patches; ++p)
        for (const int corner : mesh.corners[p]) patchesOf[corner].push_back(p);
    std::vector<std::vector<Neighborhood>> makeNeighborhood(static_cast<size_t>(patches));
    forEachChunk(cpu, "makeNeighborhoods", patches, 8, [&](int begin, int end) {
        std::vector<int> neighbors;
        for (int p = begin; p < end; ++p) {
            neighbors.clear();
            for (const int corner : mesh.corners[p])
                for (const int q : patchesOf[corner])
                    if (q >= p) neighbors.push_back(q);
            std::sort(neighbors.begin(), neighbors.end());
            neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
            for (const int q : neighbors) makeNeighborhood[p].push_back(mesh.makeNeighborhood(p, q));
        }
    });
    starts_.resizeDiscard(patches + 1);
    int count = 0;
    for (int p = 0; p < patches; ++p) {
        starts_[p] = count;
        count += static_cast<int>(makeNeighborhood[p].size());
    }
    starts_[patches] = count;
    neighborhoods_.resizeDiscard(count);
    std::vector<std::vector<int>> memberOf(static_cast<size_t>(patches));
    for (int p = 0; p < patches; ++p) {
        const std::vector<Neighborhood>& own = makeNeighborhood[p];
        std::copy(own.begin(), own.end(), neighborhoods_.begin() + starts_[p]);
        for (int i = starts_[p]; i < starts_[p + 1]; ++i)
            for (int m = 0; m < neighborhoods_[i].memberCount; ++m) memberOf[neighborhoods_[i].members[m]].push_back(i);
    }
    nearRigid_.resizeDiscard(count);
    std::fill(nearRigid_.begin(), nearRigid_.end(), 0);
    memberStarts_.resizeDiscard(patches + 1);
    memberOf_.resize(0);
    for (int p = 0; p < patches; ++p) {
        memberStarts_[p] = memberOf_.size();
        const std::vector<int>& own = memberOf[p];
        memberOf_.resize(memberOf_.size() + static_cast<int>(own.size()));
        std::copy(own.begin(), own.end(), memberOf_.begin() + memberStarts_[p]);
    }
    memberStarts_[patches] = memberOf_.size();
}

void Neighborhoods::update(const ContactGeometry& geometry, const MassPoint* from, const MassPoint* to) {
    const Device cpu = Device::cpu(device_.threads());
    const FitPatchRotation rotation{geometry.triangles.data(), frames_.data(),   from, to,
                                    rotatedFrames_.data(),     rotations_.data()};
    forEachChunk(cpu, "fitRotations", rotations_.size(), 64, [&](int begin, int end) {
        for (int p = begin; p < end; ++p) rotation(p);
    });
    forEachChunk(cpu, "testNearRigid", neighborhoods_.size(), 512, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) nearRigid_[i] = testNearRigid(geometry, i);
    });
    forEachChunk(cpu, "boundPatches", rotations_.size(), 256, [&](int begin, int end) {
        for (int p = begin; p < end; ++p) setStrainBound(p);
    });
}

// Compares the motion of all members with the mean rotation of the two patches. u: direction of the path, t: a tangent
// along it; the rotation R' of a patch differs from the mean R by the angle φ; σ: the largest sine between a tangent or
// u and another triangle's plane. The relative loss of distance is
//     u · (1 − Rᵀ R') t ≤ min(2 sin ½φ, 1 − cos φ + σ sin φ),   u · Rᵀ (F − R') t ≤ inPlane + (sin φ + σ) outOfPlane
bool Neighborhoods::testNearRigid(const ContactGeometry& geometry, int i) const {
    const Neighborhood& own = neighborhoods_[i];
    if (!(own.tilt > 0)) return false;
    const ContactBody& body = geometry.bodies[geometry.bodyOf[geometry.triangles[own.other].v[0][0]]];
    const float room = 1 - 2 * body.halfThickness / own.height;
    const float maxLoss = own.tilt * clamp(room, kMinShrink, kMaxShrink);
    // Planes differ by at most twice the steepest tilt: sin 2α
    const float c = own.tilt, sigma = c > 0.70710678f ? 2 * c * std::sqrt(std::max(1 - c * c, 0.0f)) : 1;
    const float *a = rotations_[own.members[0]].q, *b = rotations_[own.members[1]].q;
    const float same = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    float mean[4], l2 = 0;
    for (int k = 0; k < 4; ++k) {
        mean[k] = a[k] + same * b[k];
        l2 += mean[k] * mean[k];
    }
    for (int m = 0; m < own.memberCount; ++m) {
        const PatchRotation& rotation = rotations_[own.members[m]];
        float along = 0;
        for (int k = 0; k < 4; ++k) along += mean[k] * rotation.q[k];
        // q · q' = cos ½φ
        const float sine2 = std::max(1 - along * along / l2, 0.0f);
        // Beyond a right angle no bound holds.
        if (!(sine2 < 0.5f)) return false;
        const float sine = 2 * std::sqrt(sine2 * (1 - sine2));
        const float rotated = std::min(2 * std::sqrt(sine2), 2 * sine2 + sigma * sine);
        const float inPlane = rotation.strain.inPlane + kStrainMargin.inPlane,
                    outOfPlane = rotation.strain.outOfPlane + kStrainMargin.outOfPlane;
        const float strained =
            std::min(inPlane + (sine + sigma) * outOfPlane, std::sqrt(square(inPlane) + square(outOfPlane)));
        if (!(rotated + strained <= maxLoss)) return false;
    }
    return true;
}

void Neighborhoods::setStrainBound(int p) {
    const int *first = memberOf_.data() + memberStarts_[p], *last = memberOf_.data() + memberStarts_[p + 1];
    const bool any = std::any_of(first, last, [&](int i) { return nearRigid_[i] != 0; });
    const PatchStrain& strain = rotations_[p].strain;
    bounds_[p] = any ? PatchStrain{strain.inPlane + kStrainMargin.inPlane, strain.outOfPlane + kStrainMargin.outOfPlane}
                     : PatchStrain{kUnlimitedStrain, kUnlimitedStrain};
}

const std::vector<int>& Neighborhoods::recheck(const ContactGeometry& geometry, const MassPoint* from,
                                               const MassPoint* to, const std::vector<int>* patches) {
    lost_.clear();
    const int count = patches ? static_cast<int>(patches->size()) : rotations_.size();
    const FeatureBlock* const triangles = geometry.triangles.data();
    const std::vector<int>& strained =
        strained_.fill(device_, "checkStrain", count, 256, [&](int k, std::vector<int>& list) {
            const int p = patches ? (*patches)[k] : k;
            const PatchStrain limit = bounds_[p];
            if (!(limit.inPlane < kUnlimitedStrain)) return;
            const Strain2 now = strain2(rotatedFrames_[p], triangles[p], to);
            const LaneMask holds =
                (now.inPlane <= Lanes(square(limit.inPlane))) & (now.outOfPlane <= Lanes(square(limit.outOfPlane)));
            if (bitsOf(holds) != 255) list.push_back(p);
        });
    if (strained.empty()) return lost_;
    const FitPatchRotation rotation{triangles, frames_.data(), from, to, rotatedFrames_.data(), rotations_.data()};
    forEachChunk(Device::cpu(device_.threads()), "refitStrained", static_cast<int>(strained.size()), 32,
                 [&](int begin, int end) {
                     for (int k = begin; k < end; ++k) rotation(strained[k]);
                 });
    // Test the neighbourhoods of all patches with new rotations again.
    affected_.clear();
    for (const int p : strained)
        affected_.insert(affected_.end(), memberOf_.data() + memberStarts_[p], memberOf_.data() + memberStarts_[p + 1]);
    std::sort(affected_.begin(), affected_.end());
    affected_.erase(std::unique(affected_.begin(), affected_.end()), affected_.end());
    for (const int i : affected_) {
        const bool now = testNearRigid(geometry, i);
        if (nearRigid_[i] && !now) lost_.push_back(neighborhoods_[i].members[0]);
        nearRigid_[i] = now;
    }
    for (const int i : affected_)
        for (int m = 0; m < neighborhoods_[i].memberCount; ++m) setStrainBound(neighborhoods_[i].members[m]);
    return lost_;
}

}  // namespace purl

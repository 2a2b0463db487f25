#include "solver/cloth/layerParts.h"

#include <algorithm>
#include <unordered_set>

namespace purl {
namespace {

// Small, so that cloth in folds hardly bends within; but not so small that there are too many.
constexpr int kPatchSize = 8;

// Puts triangles of a mesh, called by their numbers in `which` from `begin` to `end`, into patches: the longest side is
// cut along a coordinate that points have, so that grids are cut along their lines, near the middle.
struct CutIntoPatches {
    const std::vector<int>& triangles;  // three points each
    const Vec3* rest;
    std::vector<int>& which;
    std::vector<int>& starts;  // where each patch begins in `which`

    Vec3 centerOf(int t) const {
        Vec3 sum;
        for (size_t k = 0; k < 3; ++k) sum += rest[triangles[static_cast<size_t>(3 * t) + k]];
        return sum / 3.0f;
    }
    void operator()(int begin, int end) const {
        if (end - begin <= kPatchSize) {
            if (end > begin) starts.push_back(begin);
            return;
        }
        Bounds box;
        for (int i = begin; i < end; ++i) box.include(centerOf(which[static_cast<size_t>(i)]));
        const Vec3 size = box.size();
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const float middle = box.center()[axis];
        float cut = middle, nearest = 0.25f * size[axis];
        for (int i = begin; i < end; ++i)
            for (size_t k = 0; k < 3; ++k) {
                const float at = rest[triangles[static_cast<size_t>(3 * which[static_cast<size_t>(i)]) + k]][axis];
                if (!(std::fabs(at - middle) < nearest)) continue;
                nearest = std::fabs(at - middle);
                cut = at;
            }
        const auto from = which.begin() + begin, to = which.begin() + end;
        auto half = std::stable_partition(from, to, [&](int t) { return centerOf(t)[axis] < cut; });
        // All in one place, or nearly: in halves as they come.
        if (half == from || half == to) half = from + (end - begin) / 2;
        const int between = static_cast<int>(half - which.begin());
        (*this)(begin, between);
        (*this)(between, end);
    }
};

// Edges and corners that something soft is held up by: those that stand out by more than this, and rims.
constexpr float kFlat = 0.985f;  // cosine of 10°

// Edges of a collider, two points each; a box' points are its corners, one bit an axis.
std::vector<int> sharpEdges(const PlacedCollider& collider) {
    std::vector<int> edges;
    if (collider.container || collider.kills) return edges;
    if (collider.shape == ColliderShape::box) {
        for (int corner = 0; corner < 8; ++corner)
            for (const int axis : {1, 2, 4})
                if (!(corner & axis)) edges.insert(edges.end(), {corner, corner | axis});
        return edges;
    }
    if (collider.shape != ColliderShape::mesh) return edges;
    const TriangleTreeView& mesh = collider.mesh;
    for (int t = 0; 3 * t < mesh.corners.count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int twin = mesh.twins[3 * t + k], a = mesh.corners[3 * t + k], b = mesh.corners[3 * t + (k + 1) % 3];
            if (twin >= 0) {
                if (twin < t || dot(mesh.faceNormals[t], mesh.faceNormals[twin]) > kFlat) continue;
                // Of a closed mesh only what is convex: the other's middle lies behind this face.
                const Vec3 middle =
                    (mesh.corner(twin, 0) + mesh.corner(twin, 1) + mesh.corner(twin, 2)) / 3.0f - mesh.vertices[a];
                if (mesh.closed && dot(middle, mesh.faceNormals[t]) > 0) continue;
            }
            edges.insert(edges.end(), {a, b});
        }
    return edges;
}

}  // namespace

LayerParts::LayerParts(const Device& device)
    : items(device), triangles(device), sheetOf(device), sheets(device), inverseMass(device), rest(device) {}

bool LayerParts::setCloths(const std::vector<Fabric>& fabrics, Span<const Vec3> atRest) {
    std::vector<unsigned> versions;
    for (const Fabric& fabric : fabrics) versions.push_back(fabric.meshVersion());
    solidKinds_.clear();  // they are looked at anew with the next step
    solids_.clear();
    robust = false;
    clothPoints = atRest.count;
    sheets.resize(static_cast<int>(fabrics.size()));
    sheetOf.resize(clothPoints);
    inverseMass.resize(clothPoints);
    meanEdge = 1e30f;
    int first = 0, index = 0;
    for (const Fabric& fabric : fabrics) {
        const ClothParams& params = fabric.params();
        // Layers cannot be kept further apart than the mesh can bend between them.
        const float own = params.selfDistance > 0
                              ? params.selfDistance
                              : clamp(params.thickness, 0.02f * fabric.meanEdge(), 0.5f * fabric.meanEdge());
        const bool minds = params.selfCollision == SelfCollision::robust;
        robust = robust || minds;
        sheets[index] = {0.5f * own, 0.5f * params.thickness, params.friction, minds, 0};
        std::fill(sheetOf.begin() + first, sheetOf.begin() + first + fabric.count(), index);
        std::copy(fabric.inverseMass.begin(), fabric.inverseMass.end(), inverseMass.begin() + first);
        meanEdge = std::min(meanEdge, fabric.meanEdge());
        first += fabric.count();
        ++index;
    }
    rest.resize(clothPoints);
    const bool newRest = !std::equal(atRest.begin(), atRest.end(), rest.begin());
    std::copy(atRest.begin(), atRest.end(), rest.begin());
    items.resize(clothItems);
    if (versions == versions_ && !newRest) return false;
    versions_ = versions;
    setItems(fabrics);
    return true;
}

void LayerParts::setItems(const std::vector<Fabric>& fabrics) {
    std::vector<Item> all;
    patchStarts.clear();
    int first = 0;
    for (const Fabric& fabric : fabrics) {
        const std::vector<int>& triangles = fabric.triangles;
        const auto count = static_cast<int>(triangles.size() / 3);
        std::vector<int> which(static_cast<size_t>(count)), starts;
        for (int t = 0; t < count; ++t) which[static_cast<size_t>(t)] = t;
        CutIntoPatches{triangles, rest.data() + first, which, starts}(0, count);
        for (const int start : starts) patchStarts.push_back(static_cast<int>(all.size()) + start);
        std::vector<char> met(static_cast<size_t>(fabric.count()));
        std::unordered_set<uint64_t> edges;
        for (const int t : which) {
            Item item{};
            for (int k = 0; k < 3; ++k) item.v[k] = first + triangles[static_cast<size_t>(3 * t + k)];
            for (int k = 0; k < 3; ++k) {
                char& known = met[static_cast<size_t>(item.v[k] - first)];
                if (!known) item.points |= 1 << k;
                known = 1;
                if (edges.insert(edgeKey(item.v[k], item.v[(k + 1) % 3])).second) item.edges |= 1 << k;
            }
            all.push_back(item);
        }
        first += fabric.count();
    }
    clothItems = static_cast<int>(all.size());
    patchStarts.push_back(clothItems);
    items.resize(clothItems);
    std::copy(all.begin(), all.end(), items.begin());
    triangles.resize(0);
    triangles.resize(static_cast<int>(patchStarts.size()) - 1);
    for (int p = 0; p < triangles.size(); ++p)
        for (int i = patchStarts[static_cast<size_t>(p)]; i < patchStarts[static_cast<size_t>(p) + 1]; ++i)
            triangles[p].add(items[i].v[0], items[i].v[1], items[i].v[2]);
}

bool LayerParts::setSolids(Span<const PlacedCollider> placed) {
    std::vector<int> kinds;
    for (const PlacedCollider& collider : placed)
        kinds.insert(kinds.end(), {static_cast<int>(collider.shape), collider.mesh.corners.count});
    if (kinds == solidKinds_) return false;
    solidKinds_ = kinds;
    solids_.clear();
    items.resize(clothItems);
    int next = clothPoints, sheet = static_cast<int>(versions_.size());
    sheetOf.resize(clothPoints);
    inverseMass.resize(clothPoints);
    sheets.resize(sheet);
    for (int c = 0; c < placed.count; ++c) {
        const std::vector<int> edges = sharpEdges(placed[c]);
        if (edges.empty()) continue;
        Solid solid{c, next, edges};
        std::sort(solid.corners.begin(), solid.corners.end());
        solid.corners.erase(std::unique(solid.corners.begin(), solid.corners.end()), solid.corners.end());
        const auto pointOf = [&](int corner) {
            return next + static_cast<int>(std::lower_bound(solid.corners.begin(), solid.corners.end(), corner) -
                                           solid.corners.begin());
        };
        std::vector<char> met(solid.corners.size());
        for (size_t e = 0; e < edges.size(); e += 2) {
            const int a = pointOf(edges[e]), b = pointOf(edges[e + 1]);
            Item item{{a, b, b}, 0, 1, 0};
            for (int k = 0; k < 2; ++k) {
                char& known = met[static_cast<size_t>(item.v[k] - next)];
                if (!known) item.points |= 1 << k;
                known = 1;
            }
            items.resize(items.size() + 1);
            items[items.size() - 1] = item;
        }
        next += static_cast<int>(solid.corners.size());
        sheetOf.resize(next);
        inverseMass.resize(next);
        std::fill(sheetOf.begin() + solid.first, sheetOf.end(), sheet++);
        sheets.resize(sheet);
        solids_.push_back(std::move(solid));
    }
    return true;
}

void LayerParts::moveSolids(Span<const PlacedCollider> placed, MassPoint* from, MassPoint* to, Vec3* outward) {
    int sheet = static_cast<int>(versions_.size());
    for (const Solid& solid : solids_) {
        const PlacedCollider& collider = placed[solid.collider];
        sheets[sheet++] = {collider.gap, 0, collider.friction, 0, 1};
        int i = solid.first;
        for (const int corner : solid.corners) {
            if (collider.shape == ColliderShape::box) {
                const Vec3 sign{corner & 1 ? 1.0f : -1.0f, corner & 2 ? 1.0f : -1.0f, corner & 4 ? 1.0f : -1.0f};
                const Vec3 h = collider.halfSize, at{sign.x * h.x, sign.y * h.y, sign.z * h.z};
                from[i].x = collider.before.toWorld(at);
                to[i].x = collider.after.toWorld(at);
                outward[i] = collider.after.axes * sign;
            } else {
                from[i].x = collider.mesh.verticesBefore[corner];
                to[i].x = collider.mesh.vertices[corner];
                outward[i] = collider.mesh.closed ? collider.mesh.cornerNormals[corner] : Vec3{};
            }
            ++i;
        }
    }
}

}  // namespace purl

#include "solver/cloth/contact/contactGeometry.h"

#include <algorithm>

#include "solver/cloth/keySet.h"

namespace purl {
namespace {

// Triangles per patch: small enough that a patch hardly bends in a fold.
constexpr int kPatchSize = 8;

// Splits the triangles order[begin … end) into patches. Cuts the longest axis near its centre, at a vertex coordinate,
// so that grids are cut along their lines.
struct SplitIntoPatches {
    const std::vector<int>& triangles;  // three vertices each
    const Vec3* rest;
    std::vector<int>& order;
    std::vector<int>& starts;  // first index of each patch in `order`

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
        for (int i = begin; i < end; ++i) box.include(centerOf(order[i]));
        const Vec3 size = box.size();
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const float center = box.center()[axis];
        float cut = center, nearest = 0.25f * size[axis];
        for (int i = begin; i < end; ++i)
            for (size_t k = 0; k < 3; ++k) {
                const float at = rest[triangles[static_cast<size_t>(3 * order[i]) + k]][axis];
                if (!(std::fabs(at - center) < nearest)) continue;
                nearest = std::fabs(at - center);
                cut = at;
            }
        const auto from = order.begin() + begin, to = order.begin() + end;
        auto half = std::stable_partition(from, to, [&](int t) { return centerOf(t)[axis] < cut; });
        // All triangles are in one place: split by index.
        if (half == from || half == to) half = from + (end - begin) / 2;
        const int between = static_cast<int>(half - order.begin());
        (*this)(begin, between);
        (*this)(between, end);
    }
};

// Edges flatter than this do not catch cloth; rims always count.
constexpr float kMaxFlatCosine = 0.985f;  // cosine of 10°

// Sharp edges of a collider, two vertices each. Vertices of a box are its corners, one bit per axis.
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
                if (twin < t || dot(mesh.faceNormals[t], mesh.faceNormals[twin]) > kMaxFlatCosine) continue;
                // For closed meshes only convex edges: the centre of the adjacent face is behind this one.
                const Vec3 center =
                    (mesh.corner(twin, 0) + mesh.corner(twin, 1) + mesh.corner(twin, 2)) / 3.0f - mesh.vertices[a];
                if (mesh.closed && dot(center, mesh.faceNormals[t]) > 0) continue;
            }
            edges.insert(edges.end(), {a, b});
        }
    return edges;
}

}  // namespace

ContactGeometry::ContactGeometry(const Device& device)
    : primitives(device), triangles(device), bodyOf(device), bodies(device), inverseMass(device), rest(device) {}

bool ContactGeometry::setCloths(const std::vector<Fabric>& fabrics, Span<const Vec3> atRest) {
    std::vector<unsigned> versions;
    for (const Fabric& fabric : fabrics) versions.push_back(fabric.meshVersion());
    colliderKinds_.clear();  // rebuilt in the next substep
    colliders_.clear();
    anySelfCollision = false;
    clothPoints = atRest.count;
    bodies.resize(static_cast<int>(fabrics.size()));
    bodyOf.resize(clothPoints);
    inverseMass.resize(clothPoints);
    meanEdge = 1e30f;
    int first = 0, index = 0;
    for (const Fabric& fabric : fabrics) {
        const ClothParams& params = fabric.params();
        // Layers cannot be kept farther apart than the mesh can bend in between.
        const float own = params.selfDistance > 0
                              ? params.selfDistance
                              : clamp(params.thickness, 0.02f * fabric.meanEdge(), 0.5f * fabric.meanEdge());
        const bool selfCollides = params.selfCollision == SelfCollision::robust;
        anySelfCollision = anySelfCollision || selfCollides;
        bodies[index] = {0.5f * own, 0.5f * params.thickness, params.friction, selfCollides, 0};
        std::fill(bodyOf.begin() + first, bodyOf.begin() + first + fabric.count(), index);
        for (int i = 0; i < fabric.count(); ++i) inverseMass[first + i] = fabric.isFree(i) ? 1 / fabric.mass[i] : 0;
        meanEdge = std::min(meanEdge, fabric.meanEdge());
        first += fabric.count();
        ++index;
    }
    rest.resize(clothPoints);
    const bool newRest = !std::equal(atRest.begin(), atRest.end(), rest.begin());
    std::copy(atRest.begin(), atRest.end(), rest.begin());
    primitives.resize(clothPrimitives);
    if (versions == versions_ && !newRest) return false;
    versions_ = versions;
    setPrimitives(fabrics);
    return true;
}

void ContactGeometry::setPrimitives(const std::vector<Fabric>& fabrics) {
    std::vector<ContactPrimitive> all;
    patchStarts.clear();
    int first = 0;
    for (const Fabric& fabric : fabrics) {
        const std::vector<int>& triangles = fabric.triangles;
        const auto count = static_cast<int>(triangles.size() / 3);
        std::vector<int> order(static_cast<size_t>(count)), starts;
        for (int t = 0; t < count; ++t) order[t] = t;
        SplitIntoPatches{triangles, rest.data() + first, order, starts}(0, count);
        for (const int start : starts) patchStarts.push_back(static_cast<int>(all.size()) + start);
        std::vector<char> visited(static_cast<size_t>(fabric.count()));
        KeySet edges(triangles.size() / 2);
        for (const int t : order) {
            ContactPrimitive primitive{};
            for (int k = 0; k < 3; ++k) primitive.v[k] = first + triangles[3 * t + k];
            for (int k = 0; k < 3; ++k) {
                char& isVisited = visited[primitive.v[k] - first];
                if (!isVisited) primitive.points |= 1 << k;
                isVisited = 1;
                if (edges.insert(edgeKey(primitive.v[k], primitive.v[(k + 1) % 3]))) primitive.edges |= 1 << k;
            }
            all.push_back(primitive);
        }
        first += fabric.count();
    }
    clothPrimitives = static_cast<int>(all.size());
    patchStarts.push_back(clothPrimitives);
    primitives.resize(clothPrimitives);
    std::copy(all.begin(), all.end(), primitives.begin());
    triangles.resize(0);
    triangles.resize(static_cast<int>(patchStarts.size()) - 1);
    for (int p = 0; p < triangles.size(); ++p)
        for (int i = patchStarts[p]; i < patchStarts[static_cast<size_t>(p) + 1]; ++i)
            triangles[p].add(primitives[i].v[0], primitives[i].v[1], primitives[i].v[2]);
}

bool ContactGeometry::setColliders(Span<const PlacedCollider> placed) {
    std::vector<int> kinds;
    for (const PlacedCollider& collider : placed)
        kinds.insert(kinds.end(), {static_cast<int>(collider.shape), collider.mesh.corners.count});
    if (kinds == colliderKinds_) return false;
    colliderKinds_ = kinds;
    colliders_.clear();
    primitives.resize(clothPrimitives);
    int next = clothPoints, body = static_cast<int>(versions_.size());
    bodyOf.resize(clothPoints);
    inverseMass.resize(clothPoints);
    bodies.resize(body);
    for (int c = 0; c < placed.count; ++c) {
        const std::vector<int> edges = sharpEdges(placed[c]);
        if (edges.empty()) continue;
        ColliderFeatures features{c, next, edges};
        std::sort(features.corners.begin(), features.corners.end());
        features.corners.erase(std::unique(features.corners.begin(), features.corners.end()), features.corners.end());
        const auto pointOf = [&](int corner) {
            return next + static_cast<int>(std::lower_bound(features.corners.begin(), features.corners.end(), corner) -
                                           features.corners.begin());
        };
        std::vector<char> visited(features.corners.size());
        for (size_t e = 0; e < edges.size(); e += 2) {
            const int a = pointOf(edges[e]), b = pointOf(edges[e + 1]);
            ContactPrimitive primitive{{a, b, b}, 0, 1, 0};
            for (int k = 0; k < 2; ++k) {
                char& isVisited = visited[primitive.v[k] - next];
                if (!isVisited) primitive.points |= 1 << k;
                isVisited = 1;
            }
            primitives.resize(primitives.size() + 1);
            primitives[primitives.size() - 1] = primitive;
        }
        next += static_cast<int>(features.corners.size());
        bodyOf.resize(next);
        inverseMass.resize(next);
        std::fill(bodyOf.begin() + features.first, bodyOf.end(), body++);
        bodies.resize(body);
        colliders_.push_back(std::move(features));
    }
    return true;
}

void ContactGeometry::moveColliders(Span<const PlacedCollider> placed, MassPoint* from, MassPoint* to, Vec3* outward) {
    int body = static_cast<int>(versions_.size());
    for (const ColliderFeatures& features : colliders_) {
        const PlacedCollider& collider = placed[features.collider];
        bodies[body++] = {collider.gap, 0, collider.friction, 0, 1};
        int i = features.first;
        for (const int corner : features.corners) {
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

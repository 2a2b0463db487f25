// Geometry for cloth contact: the triangles of cloths and the sharp edges of colliders. All points are in one array,
// cloths first.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/cloth/contact/contactLanes.h"
#include "solver/cloth/fabric.h"
#include "solver/colliders/colliders.h"

namespace purl {

// A cloth or a collider.
struct ContactBody {
    float halfThickness = 0;  // m: half the distance between cloth layers; for a collider, its gap to cloth
    float colliderGap = 0;    // m, added distance of a cloth from colliders
    float friction = 0;
    int selfCollides = 0;  // self-collision enabled: with itself and with other such cloths
    int isCollider = 0;
};

// A cloth triangle or a collider edge, with the vertices and edges it represents, so that each feature is tested only
// once (representative triangles: Curtis et al. 2008).
struct ContactPrimitive {
    int v[3];
    int points = 0, edges = 0;  // bit masks; edge k runs from corner k to the next
    int triangle = 1;
};

// Up to eight faces, edges or vertices. Edges and vertices repeat their last point, unused lanes repeat the first
// feature.
struct alignas(32) FeatureBlock {
    int v[3][8];
    int count;

    void add(int a, int b, int c) {
        const int end = count ? count + 1 : 8;
        for (int l = count; l < end; ++l) v[0][l] = a, v[1][l] = b, v[2][l] = c;
        ++count;
    }
};

struct ContactGeometry {
    explicit ContactGeometry(const Device& device);

    // Sets the cloths and removes all colliders. `rest`: rest positions of all points. Returns true if the triangles
    // changed.
    bool setCloths(const std::vector<Fabric>& fabrics, Span<const Vec3> rest);
    // Appends the features of colliders. Returns true if they changed.
    bool setColliders(Span<const PlacedCollider> placed);
    // Writes the collider points at the start and the end of a substep, their outward normals and contact parameters.
    void moveColliders(Span<const PlacedCollider> placed, MassPoint* from, MassPoint* to, Vec3* outward);

    // Collider index of a body; −1: it is a cloth.
    int colliderOf(int body) const {
        const int features = body - static_cast<int>(versions_.size());
        return features < 0 ? -1 : colliders_[features].collider;
    }
    int points() const { return bodyOf.size(); }
    bool hasColliders() const { return !colliders_.empty(); }

    bool anySelfCollision = false;  // for any cloth
    float meanEdge = 0;             // m, mean edge length of the cloth with the shortest
    int clothPoints = 0, clothPrimitives = 0;
    // Cloth patch by patch, then colliders. A patch is up to eight triangles that are close together at rest.
    Buffer<ContactPrimitive> primitives;
    std::vector<int> patchStarts;
    Buffer<FeatureBlock> triangles;  // per patch
    Buffer<int> bodyOf;
    Buffer<ContactBody> bodies;
    Buffer<float> inverseMass;
    Buffer<Vec3> rest;

  private:
    void setPrimitives(const std::vector<Fabric>& fabrics);

    struct ColliderFeatures {
        int collider, first;  // first: its first point
        std::vector<int> corners;
    };
    std::vector<unsigned> versions_;
    std::vector<int> colliderKinds_;  // shape and triangle count of each collider, to detect changes
    std::vector<ColliderFeatures> colliders_;
};

// Key of an undirected edge.
inline uint64_t edgeKey(int a, int b) { return uint64_t(a < b ? a : b) << 32 | uint64_t(a < b ? b : a); }

}  // namespace purl

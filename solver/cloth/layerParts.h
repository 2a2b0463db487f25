// What layers are made of: the triangles of cloths and the sharp edges of solids, all points in a row, cloths' first.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/cloth/eights.h"
#include "solver/cloth/fabric.h"
#include "solver/colliders/colliders.h"

namespace purl {

// What a point is of: a cloth, or a solid.
struct Sheet {
    float half = 0;     // m, half of what its layers keep between them; of a solid what it keeps from cloth
    float toSolid = 0;  // m, what a cloth keeps from solids besides
    float friction = 0;
    int robust = 0;  // whether the cloth minds itself and others that do
    int solid = 0;
};

// A triangle of cloth, or an edge of a solid, and which of its points and edges it speaks for, so that each is looked
// at once.
struct Item {
    int v[3];
    int points = 0, edges = 0;  // a bit each: edge k is from corner k to the next
    int triangle = 1;
};

// Up to eight faces, edges or vertices; what has fewer points than three has its last again, and what is missing to
// eight is the first again.
struct alignas(32) FeatureBlock {
    int v[3][8];
    int count;

    void add(int a, int b, int c) {
        const int end = count ? count + 1 : 8;
        for (int l = count; l < end; ++l) v[0][l] = a, v[1][l] = b, v[2][l] = c;
        ++count;
    }
};

struct LayerParts {
    explicit LayerParts(const Device& device);

    // Takes up the cloths without any solids; `rest`: all their points without strain. Whether their triangles are
    // others than before.
    bool setCloths(const std::vector<Fabric>& fabrics, Span<const Vec3> rest);
    // Takes up the solids behind the cloths. Whether there are others than before.
    bool setSolids(Span<const PlacedCollider> placed);
    // Where the solids' points go in a small step, and what they ask of cloth.
    void moveSolids(Span<const PlacedCollider> placed, MassPoint* from, MassPoint* to, Vec3* outward);

    // Which collider a sheet is of; −1: it is a cloth.
    int colliderOf(int sheet) const {
        const int solid = sheet - static_cast<int>(versions_.size());
        return solid < 0 ? -1 : solids_[static_cast<size_t>(solid)].collider;
    }
    int points() const { return sheetOf.size(); }
    bool anySolids() const { return !solids_.empty(); }

    bool robust = false;  // any cloth minds itself
    float meanEdge = 0;   // m, of the cloth that has the shortest
    int clothPoints = 0, clothItems = 0;
    // Of cloth patch by patch, cloth after cloth, then of solids. Patches are few triangles that lie together at rest.
    Buffer<Item> items;
    std::vector<int> patchStarts;
    Buffer<FeatureBlock> triangles;  // of each patch
    Buffer<int> sheetOf;
    Buffer<Sheet> sheets;
    Buffer<float> inverseMass;
    Buffer<Vec3> rest;

  private:
    void setItems(const std::vector<Fabric>& fabrics);

    struct Solid {
        int collider, first;  // its first point
        std::vector<int> corners;
    };
    std::vector<unsigned> versions_;
    std::vector<int> solidKinds_;  // what the solids were made from: shape and number of triangles, one a collider
    std::vector<Solid> solids_;
};

// Of the edge between two points, either way round.
inline uint64_t edgeKey(int a, int b) { return uint64_t(a < b ? a : b) << 32 | uint64_t(a < b ? b : a); }

}  // namespace purl

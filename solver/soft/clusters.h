// Shape-matching model of a soft body: sample points, masses and overlapping clusters. Depends only on the rest shape
// and the pins; constant over time.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/params/softBody.h"

namespace purl {

// A point of a cluster, and a cluster of a point. Indices refer to the body's own arrays, or to those of all bodies.
struct Member {
    int point;
    float weight;  // kg
    Vec3 q;        // m, rest position relative to the cluster's centre of mass
};
struct Membership {
    int cluster;
    float share;  // of the point's goal; shares of a point add up to 1
    Vec3 q;
};

struct Cluster {
    int body = 0;
    int firstMember = 0, members = 0, centerMember = 0;  // centerMember: member nearest to the centre
    int firstChunk = 0, chunks = 0;
    float mass = 0;     // kg, total weight of its members
    Vec3 centerOffset;  // m, weighted mean of q: 0 up to rounding
    // Pseudo-inverse of Σ w q qᵀ, and the projector onto its null space (flat and straight clusters).
    Mat3 inverse, nullSpace;
    int rank = 3;
    // m; quadratic terms of q are divided by it and have their means subtracted.
    float scale = 1;
    Vec3 meanSquare, meanProduct;
    int quadratic = -1;  // index into the 9 × 9 matrices; −1: none
};

// (x², y², z²)/scale and (xy, yz, zx)/scale, minus their means.
PURL_HD inline Vec3 squaresOf(const Cluster& c, Vec3 q) {
    return Vec3{q.x * q.x, q.y * q.y, q.z * q.z} / c.scale - c.meanSquare;
}
PURL_HD inline Vec3 productsOf(const Cluster& c, Vec3 q) {
    return Vec3{q.x * q.y, q.y * q.z, q.z * q.x} / c.scale - c.meanProduct;
}

struct Quadratic {
    float inverse[9][9];  // pseudo-inverse of Σ w q̂ q̂ᵀ, q̂ = (q, squares, products)
};

struct SoftBodyModel {
    std::vector<float> masses;  // kg, per point
    std::vector<float> radii;   // m, per point: contact sphere that touches the surface from inside
    std::vector<Cluster> clusters;
    std::vector<Member> members;        // cluster by cluster
    std::vector<int> membershipStarts;  // CSR offsets of memberships per point
    std::vector<Membership> memberships;
    std::vector<Quadratic> quadratics;
};

// m, from the parameters, or a tenth of the longest side.
float spacingOf(const SoftBodyParams& params, Span<const Vec3> vertices);

// Lattice points inside a closed mesh, at least half a spacing below its surface; none for open meshes, point clouds
// and in two dimensions.
std::vector<Vec3> innerPointsOf(const SoftBody& body, int dimensions);

// `rest`: the body's vertices, then its inner points. `pinned`: per point, whether its motion is prescribed. Throws
// Error with the body's name if its clusters are not connected.
SoftBodyModel makeSoftBodyModel(const SoftBody& body, Span<const Vec3> rest, const std::vector<char>& pinned);

}  // namespace purl

// A soft body prepared apart: the points that fill it, their masses, and the overlapping clusters whose shapes are
// matched. Of the shape at rest and what is pinned only; nothing in it changes with time.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/params/softBody.h"

namespace purl {

// A point of a cluster, as the cluster sees it, and the cluster, as the point does. Indices are of whatever list they
// are in: a body's own, or that of all bodies.
struct Member {
    int point;
    float weight;  // kg
    Vec3 q;        // m, at rest, from the cluster's centre
};
struct Membership {
    int cluster;
    float share;  // of the point's goal; those of a point add up to 1
    Vec3 q;
};

struct Cluster {
    int body = 0;
    int firstMember = 0, members = 0, centerMember = 0;  // centerMember: the one nearest to the centre
    int firstChunk = 0, chunks = 0;
    float mass = 0;     // kg, weight of its members
    Vec3 centerOffset;  // m, mean of their q: what rounding left of 0
    // Σ w q qᵀ inverted; of a flat or straight cluster within the directions it has, and the others.
    Mat3 inverse, nullSpace;
    int rank = 3;
    // m; squares and products of q are divided by it, and have a mean that is prepared off them.
    float scale = 1;
    Vec3 meanSquare, meanProduct;
    int quadratic = -1;  // which of the 9 × 9 matrices is its own, or none
};

// (x², y², z²)/scale and (xy, yz, zx)/scale, without their means.
PURL_HD inline Vec3 squaresOf(const Cluster& c, Vec3 q) {
    return Vec3{q.x * q.x, q.y * q.y, q.z * q.z} / c.scale - c.meanSquare;
}
PURL_HD inline Vec3 productsOf(const Cluster& c, Vec3 q) {
    return Vec3{q.x * q.y, q.y * q.z, q.z * q.x} / c.scale - c.meanProduct;
}

struct Quadratic {
    float inverse[9][9];  // of Σ w q̂ q̂ᵀ, q̂ = (q, squares, products)
};

struct SoftBodyModel {
    std::vector<float> masses;  // kg, one a point
    std::vector<float> radii;   // m, one a point: as a ball it reaches to the surface, no further
    std::vector<Cluster> clusters;
    std::vector<Member> members;        // cluster by cluster
    std::vector<int> membershipStarts;  // one a point, and the end
    std::vector<Membership> memberships;
    std::vector<Quadratic> quadratics;
};

// m, as the parameters say or these vertices ask for.
float spacingOf(const SoftBodyParams& params, Span<const Vec3> vertices);

// The points inside a closed mesh, at least half a spacing below its surface; of open meshes, clouds and in two
// dimensions none.
std::vector<Vec3> innerPointsOf(const SoftBody& body, int dimensions);

// `rest`: the body's vertices, then its inner points. `pinned`: whether each does not move by itself. Throws Error
// naming a body that would gravityVelocity into pieces.
SoftBodyModel makeSoftBodyModel(const SoftBody& body, Span<const Vec3> rest, const std::vector<char>& pinned);

}  // namespace purl

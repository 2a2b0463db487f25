// TriangleTree: a bounding volume hierarchy over triangles, for closest-point, segment-intersection and inside queries.
// It is built on the CPU; kernels query its view. If only the vertices move, it is refitted instead of rebuilt.
#pragma once
#include <string>
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/math.h"
#include "solver/core/vec.h"

namespace purl {

struct ClosestPoint {
    int triangle = -1;  // -1: none within reach
    float distance = 0;
    Vec3 point;
    Vec3 normal;         // unit pseudo-normal: x is outside a closed mesh where (x − point)·normal > 0
    bool onRim = false;  // the closest point lies on the border of an open mesh, where inside and outside are undefined

    PURL_HD explicit operator bool() const { return triangle >= 0; }
};

// The intersection of a segment with a triangle.
struct Crossing {
    int triangle = -1;  // -1: none
    float share = 1;    // parameter along the segment, 0 … 1
    Vec3 point;
    Vec3 normal;           // unit face normal
    Vec3 start;            // start of the segment, carried along with the moving triangle
    bool outward = false;  // the segment leaves through the back of the face instead of entering

    PURL_HD explicit operator bool() const { return triangle >= 0; }
};

// Which crossing directions count.
enum class Crossings { all, inward, outward };

struct TreeNode {
    Bounds box;     // of the triangles below, over their whole motion
    int first = 0;  // leaf: first entry of the order; else the right child (the left child is the next node)
    int count = 0;  // triangles of a leaf, 0 for an inner node

    // Dipole approximation for distant queries (Barill et al. 2018, Fast Winding Numbers).
    Vec3 center;       // area-weighted
    Vec3 areaNormal;   // m²
    float radius = 0;  // around the center; encloses all corners
};

// The view for kernels. All triangle indices refer to the input mesh.
struct TriangleTreeView {
    Span<const TreeNode> nodes;
    Span<const int> order;    // triangles in leaf order
    Span<const int> corners;  // three vertices per triangle, counter-clockwise seen from outside
    Span<const int> twins;    // for each triangle edge the triangle on its other side, or -1
    Span<const Vec3> vertices;
    Span<const Vec3> verticesBefore;  // at the start of the motion
    Span<const Vec3> faceNormals;     // unit; zero for degenerate triangles
    Span<const Vec3> cornerNormals;   // unit, per vertex
    Span<const Vec3> faceNormalsBefore, cornerNormalsBefore;
    Span<const int> rim;        // per vertex: 1 on the border of an open mesh
    float maxDisplacement = 0;  // m, the largest displacement of any vertex
    bool closed = false;
    bool moves = false;

    PURL_HD Vec3 corner(int triangle, int k) const { return vertices[corners[3 * triangle + k]]; }
    PURL_HD Vec3 cornerBefore(int triangle, int k) const { return verticesBefore[corners[3 * triangle + k]]; }
    PURL_HD Bounds bounds() const { return nodes.count ? nodes[0].box : Bounds{}; }

    // The same triangles at the start of the motion.
    PURL_HD TriangleTreeView before() const;
    // The closest point within `reach`.
    PURL_HD ClosestPoint closest(Vec3 x, float reach = 1e30f) const;
    // The first triangle hit by the segment from a to b.
    PURL_HD Crossing crosses(Vec3 a, Vec3 b, Crossings which = Crossings::all) const;
    // The same for a point that moves from a to b while the triangles move from `before` to now.
    PURL_HD Crossing crossesInMotion(Vec3 a, Vec3 b, Crossings which = Crossings::all) const;
    // Generalized winding number: 1 inside, 0 outside, fractional near the holes of an open mesh.
    PURL_HD float winding(Vec3 x) const;
    PURL_HD bool isInside(Vec3 x) const { return std::fabs(winding(x)) > 0.5f; }
    // Inside test for a closed mesh by a single axis-aligned ray to the nearest side of the bounding box: faster, but
    // wrong if the ray grazes an edge.
    PURL_HD bool isInsideByRay(Vec3 x) const;
    // Displacement, over the motion, of the point of the triangle closest to x.
    PURL_HD Vec3 displacement(int triangle, Vec3 x) const;

  private:
    PURL_HD Vec3 pseudoNormal(int triangle, int feature) const;
    PURL_HD bool isOnRim(int triangle, int feature) const;
    // Not lambdas: nvcc and g++ lay out their captures differently, and both compile this header.
    struct SegmentQuery;
    struct MovingSegmentQuery;
    template <class Query>
    PURL_HD void forEachNear(const Bounds& box, Query& query) const;
    PURL_HD void crossTriangle(int triangle, Vec3 a, Vec3 b, float slack, Crossings which, Crossing& first) const;
};

class TriangleTree {
  public:
    explicit TriangleTree(const Device& device = Device::cpu());

    // The mesh must be valid (see meshFault). A closed mesh with inward normals is flipped.
    void build(const std::vector<Vec3>& vertices, const std::vector<int>& triangles);
    // The same triangles with new vertex positions.
    void refit(const std::vector<Vec3>& vertices) { refit(vertices, vertices); }
    void refit(const std::vector<Vec3>& vertices, const std::vector<Vec3>& before);
    // On another device: becomes a copy of a tree of the host. If only its vertices moved since the last call, these
    // are copied, and the rest is fitted on the device, with the same bits.
    void follow(const TriangleTree& host);

    // Every edge has a triangle on both sides. Coincident vertices count as one.
    bool isClosed() const { return openEdges_ == 0 && nodes_.size() > 0; }
    int openEdges() const { return openEdges_; }
    double volume() const;  // m³ within a closed mesh
    Bounds bounds() const { return view().bounds(); }
    TriangleTreeView view() const;

    ClosestPoint closest(Vec3 x, float reach = 1e30f) const { return view().closest(x, reach); }
    Crossing crosses(Vec3 a, Vec3 b) const { return view().crosses(a, b); }
    bool isInside(Vec3 x) const { return view().isInside(x); }

  private:
    void weld(const std::vector<Vec3>& vertices);
    void pairEdges();
    void split(std::vector<Vec3>& centers, int begin, int end);
    void fitNormals(const Buffer<Vec3>& vertices, Buffer<Vec3>& faceNormals, Buffer<Vec3>& cornerNormals) const;
    void listIncidentCorners();
    void fitNodes();
    void listLevels(const TriangleTree& host);

    Buffer<TreeNode> nodes_;
    Buffer<int> order_, corners_, twins_, rim_;
    Buffer<int> welded_;  // for each vertex the first one at the same position
    // CSR lists per welded vertex: incident corners as 3 · triangle + corner.
    Buffer<int> incidentStarts_, incidentCorners_;
    Buffer<Vec3> vertices_, faceNormals_, cornerNormals_;
    Buffer<Vec3> verticesBefore_, faceNormalsBefore_, cornerNormalsBefore_;  // only while the mesh moves
    Buffer<float> areas_;                                                    // of the nodes, m²
    int openEdges_ = 0;
    float maxDisplacement_ = 0;
    bool moves_ = false;
    bool continues_ = false;           // the motion begins where the last one ended
    unsigned built_ = 0, fitted_ = 0;  // times that it was built, and fitted
    // On another device: the inner nodes, the deepest level first, and where each level ends.
    Buffer<int> inner_;
    std::vector<int> levelEnds_;
};

// What is wrong with a mesh, as the end of an error message ("mesh has no faces"); empty if it is valid.
std::string meshFault(const std::vector<Vec3>& vertices, const std::vector<int>& triangles);

// ---- queries --------------------------------------------------------------------------------------------------

namespace triangle {

// The feature of a triangle that a point is closest to: a corner, an edge (from corner k to the next) or the face.
enum Feature { corner0, corner1, corner2, edge0, edge1, edge2, face };

PURL_HD inline float safeRatio(float part, float whole) { return whole > 0 ? part / whole : 0; }

// Closest point of triangle abc by its Voronoi regions (Ericson 2005, §5.1.5).
PURL_HD inline Vec3 closest(Vec3 p, Vec3 a, Vec3 b, Vec3 c, int& feature) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return feature = corner0, a;
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return feature = corner1, b;
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return feature = edge0, a + safeRatio(d1, d1 - d3) * ab;
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return feature = corner2, c;
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return feature = edge2, a + safeRatio(d2, d2 - d6) * ac;
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return feature = edge1, b + safeRatio(d4 - d3, (d4 - d3) + (d5 - d6)) * (c - b);
    const float sum = va + vb + vc;
    return feature = face, a + safeRatio(vb, sum) * ab + safeRatio(vc, sum) * ac;
}

// p = a + u (b − a) + v (c − a) + height · normal
struct Coordinates {
    float u = 0, v = 0, height = 0;
};

PURL_HD inline Coordinates coordinates(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 e1 = b - a, e2 = c - a, d = p - a, n = cross(e1, e2);
    const float area2 = lengthSquared(n);
    if (!(area2 > 0)) return {};
    return {dot(cross(d, e2), n) / area2, dot(cross(e1, d), n) / area2, dot(d, n) / std::sqrt(area2)};
}

PURL_HD inline Vec3 pointAt(Coordinates p, Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 e1 = b - a, e2 = c - a;
    return a + p.u * e1 + p.v * e2 + p.height * normalized(cross(e1, e2), {0, 0, 0});
}

// Solid angle of abc seen from the origin: tan(Ω/2) = a·(b×c) / (|a||b||c| + a·b|c| + b·c|a| + c·a|b|)
// (van Oosterom, Strackee 1983).
PURL_HD inline float solidAngle(Vec3 a, Vec3 b, Vec3 c) {
    const float la = length(a), lb = length(b), lc = length(c);
    return 2 * atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace triangle

// Traversal stack. A tree that halves its triangles is never deeper.
template <class T>
struct TreeStack {
    static constexpr int kMaxDepth = 48;
    T entries[kMaxDepth];
    int count = 0;

    PURL_HD void push(T entry) {
        PURL_ASSERT(count < kMaxDepth);
        entries[count++] = entry;
    }
    PURL_HD T pop() { return entries[--count]; }
};

PURL_HD inline float distanceSquared(const Bounds& box, Vec3 x) {
    return lengthSquared(x - min(box.high, max(box.low, x)));
}
PURL_HD inline bool overlap(const Bounds& a, const Bounds& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}
PURL_HD inline Bounds grown(const Bounds& box, float by) {
    return {box.low - Vec3{by, by, by}, box.high + Vec3{by, by, by}};
}

// Slab test: whether the segment a + s d, 0 ≤ s ≤ end, intersects the box.
PURL_HD inline bool intersectsSegment(const Bounds& box, Vec3 a, Vec3 d, float end) {
    float enter = 0, leave = end;
    for (int axis = 0; axis < 3; ++axis) {
        const float slack = 1e-6f * (std::fabs(box.low[axis]) + std::fabs(box.high[axis]));
        const float low = box.low[axis] - slack - a[axis], high = box.high[axis] + slack - a[axis];
        if (d[axis] == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        const float s = low / d[axis], e = high / d[axis];
        const float near = s < e ? s : e, far = s < e ? e : s;
        enter = near > enter ? near : enter;
        leave = far < leave ? far : leave;
    }
    return enter <= leave;
}

// Pseudo-normal of a feature, which separates inside from outside (Bærentzen, Aanæs 2005): for an edge the sum of its
// two face normals, for a corner the angle-weighted sum.
PURL_HD inline Vec3 TriangleTreeView::pseudoNormal(int t, int feature) const {
    const Vec3 n = faceNormals[t];
    if (feature == triangle::face) return n;
    if (feature <= triangle::corner2) return normalized(cornerNormals[corners[3 * t + feature]], n);
    const int twin = twins[3 * t + feature - triangle::edge0];
    return twin < 0 ? n : normalized(n + faceNormals[twin], n);
}

PURL_HD inline bool TriangleTreeView::isOnRim(int t, int feature) const {
    if (feature == triangle::face) return false;
    return feature <= triangle::corner2 ? rim[corners[3 * t + feature]] != 0
                                        : twins[3 * t + feature - triangle::edge0] < 0;
}

PURL_HD inline TriangleTreeView TriangleTreeView::before() const {
    TriangleTreeView view = *this;
    view.vertices = verticesBefore;
    view.faceNormals = faceNormalsBefore;
    view.cornerNormals = cornerNormalsBefore;
    view.moves = false;
    return view;
}

PURL_HD inline ClosestPoint TriangleTreeView::closest(Vec3 x, float reach) const {
    struct Entry {
        int node;
        float distance2;
    };
    ClosestPoint best;
    int feature = triangle::face;
    float best2 = reach * reach;
    TreeStack<Entry> stack;
    if (nodes.count) stack.push({0, distanceSquared(nodes[0].box, x)});
    while (stack.count) {
        const Entry entry = stack.pop();
        if (entry.distance2 >= best2) continue;
        const TreeNode& node = nodes[entry.node];
        if (node.count == 0) {  // push the nearer child last: it is popped next
            const Entry left{entry.node + 1, distanceSquared(nodes[entry.node + 1].box, x)};
            const Entry right{node.first, distanceSquared(nodes[node.first].box, x)};
            const bool leftFirst = left.distance2 <= right.distance2;
            stack.push(leftFirst ? right : left);
            stack.push(leftFirst ? left : right);
            continue;
        }
        for (int k = node.first; k < node.first + node.count; ++k) {
            const int t = order[k];
            const Vec3 n = faceNormals[t];
            // No point of a triangle is closer than its plane.
            if (n == Vec3{} || square(dot(x - corner(t, 0), n)) > best2) continue;
            int part = 0;
            const Vec3 point = triangle::closest(x, corner(t, 0), corner(t, 1), corner(t, 2), part);
            const float distance2 = lengthSquared(x - point);
            if (distance2 >= best2) continue;
            best2 = distance2;
            best.triangle = t;
            best.point = point;
            feature = part;
        }
    }
    if (best) {
        best.distance = std::sqrt(best2);
        best.normal = pseudoNormal(best.triangle, feature);
        best.onRim = isOnRim(best.triangle, feature);
    }
    return best;
}

// A crossing if the ends have heights of different sign above the triangle's plane and the point between lies in the
// triangle. Edges have a tolerance, so that nothing slips between two neighbours: a fraction of their length plus
// `slack` (m).
PURL_HD inline void TriangleTreeView::crossTriangle(int t, Vec3 a, Vec3 b, float slack, Crossings which,
                                                    Crossing& first) const {
    constexpr float kEdgeTolerance = 1e-4f;
    const Vec3 n = faceNormals[t];
    if (n == Vec3{}) return;
    const Vec3 p0 = corner(t, 0);
    const float heightA = dot(a - p0, n), heightB = dot(b - p0, n);
    const bool outward = heightA < 0;
    if (outward == (heightB < 0)) return;
    if (which != Crossings::all && outward != (which == Crossings::outward)) return;
    const float share = heightA / (heightA - heightB);
    if (share > first.share || (share == first.share && first && t > first.triangle)) return;
    const Vec3 p = lerp(a, b, share);
    for (int k = 0; k < 3; ++k) {
        const Vec3 from = corner(t, k), edge = corner(t, (k + 1) % 3) - from;
        const float l = length(edge);
        if (dot(cross(edge, p - from), n) < -l * (kEdgeTolerance * l + slack)) return;
    }
    first.triangle = t;
    first.share = share;
    first.point = p;
    first.normal = n;
    first.start = a;
    first.outward = outward;
}

// query.visit() gets the triangles of all leaves whose boxes overlap `box`, without those below nodes that
// query.descends() refuses.
template <class Query>
PURL_HD void TriangleTreeView::forEachNear(const Bounds& box, Query& query) const {
    TreeStack<int> stack;
    if (nodes.count) stack.push(0);
    while (stack.count) {
        const int index = stack.pop();
        const TreeNode& node = nodes[index];
        if (!overlap(node.box, box)) continue;
        if (node.count == 0) {
            if (!query.descends(node)) continue;
            stack.push(node.first);
            stack.push(index + 1);
            continue;
        }
        for (int k = node.first; k < node.first + node.count; ++k) query.visit(order[k]);
    }
}

struct TriangleTreeView::SegmentQuery {
    const TriangleTreeView& tree;
    Vec3 a, b;
    Crossings which;
    Crossing first{};

    PURL_HD bool descends(const TreeNode& node) const { return intersectsSegment(node.box, a, b - a, first.share); }
    PURL_HD void visit(int t) { tree.crossTriangle(t, a, b, 0, which, first); }
};

PURL_HD inline Crossing TriangleTreeView::crosses(Vec3 a, Vec3 b, Crossings which) const {
    SegmentQuery query{*this, a, b, which};
    forEachNear({min(a, b), max(a, b)}, query);
    return query.first;
}

// Continuous test in the rest frame of each triangle: the start point is carried along with the triangle. Neighbouring
// triangles that stretch or bend carry it to slightly different positions, more so over longer paths: hence the slack.
struct TriangleTreeView::MovingSegmentQuery {
    const TriangleTreeView& tree;
    Vec3 a, b;
    Crossings which;
    Crossing first{};

    PURL_HD bool descends(const TreeNode&) const { return true; }
    PURL_HD void visit(int t) {
        const auto local =
            triangle::coordinates(a, tree.cornerBefore(t, 0), tree.cornerBefore(t, 1), tree.cornerBefore(t, 2));
        const Vec3 carried = triangle::pointAt(local, tree.corner(t, 0), tree.corner(t, 1), tree.corner(t, 2));
        tree.crossTriangle(t, carried, b, 0.01f * length(b - carried), which, first);
    }
};

PURL_HD inline Crossing TriangleTreeView::crossesInMotion(Vec3 a, Vec3 b, Crossings which) const {
    if (!moves) return crosses(a, b, which);
    MovingSegmentQuery query{*this, a, b, which};
    forEachNear({min(a, b), max(a, b)}, query);
    return query.first;
}

// w(x) = Σ Ω / 4π, with far nodes as dipoles: Ω ≈ A n·(c − x) / |c − x|³   Barill et al. 2018, eq. 3
PURL_HD inline float TriangleTreeView::winding(Vec3 x) const {
    constexpr float kDipoleDistance = 2.5f;  // distance, in node radii, beyond which the dipole is accurate enough
    float angle = 0;
    TreeStack<int> stack;
    if (nodes.count) stack.push(0);
    while (stack.count) {
        const int index = stack.pop();
        const TreeNode& node = nodes[index];
        const Vec3 d = node.center - x;
        const float r2 = lengthSquared(d);
        if (r2 > square(kDipoleDistance * node.radius)) {
            angle += dot(node.areaNormal, d) / (r2 * std::sqrt(r2));
        } else if (node.count == 0) {
            stack.push(node.first);
            stack.push(index + 1);
        } else {
            for (int k = node.first; k < node.first + node.count; ++k) {
                const int t = order[k];
                angle += triangle::solidAngle(corner(t, 0) - x, corner(t, 1) - x, corner(t, 2) - x);
            }
        }
    }
    return angle * 0.07957747f;  // 1/4π
}

PURL_HD inline bool TriangleTreeView::isInsideByRay(Vec3 x) const {
    const Bounds box = bounds();
    const Vec3 toLow = x - box.low, toHigh = box.high - x;
    int axis = 0;
    float shortest = 1e30f, out = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(toLow[k] >= 0) || !(toHigh[k] >= 0)) return false;
        const bool high = toHigh[k] < toLow[k];
        const float distance = high ? toHigh[k] : toLow[k];
        if (distance >= shortest) continue;
        shortest = distance;
        axis = k;
        out = (high ? 1.0f : -1.0f) * (distance + 0.01f * (toLow[k] + toHigh[k]));
    }
    Vec3 outside = x;
    outside[axis] += out;
    const Crossing hit = crosses(x, outside);
    return hit && hit.outward;
}

PURL_HD inline Vec3 TriangleTreeView::displacement(int t, Vec3 x) const {
    if (!moves) return {};
    int feature = 0;
    const Vec3 nearest = triangle::closest(x, corner(t, 0), corner(t, 1), corner(t, 2), feature);
    const auto local = triangle::coordinates(nearest, corner(t, 0), corner(t, 1), corner(t, 2));
    const Vec3 d0 = corner(t, 0) - cornerBefore(t, 0), d1 = corner(t, 1) - cornerBefore(t, 1),
               d2 = corner(t, 2) - cornerBefore(t, 2);
    return d0 + local.u * (d1 - d0) + local.v * (d2 - d0);
}

}  // namespace purl

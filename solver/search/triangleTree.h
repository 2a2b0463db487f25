// TriangleTree: a tree of boxes over triangles that answers where the nearest point is, whether a segment crosses, and
// what is inside. It is built on the CPU; kernels query its view. When only vertices move it is refitted, not rebuilt.
#pragma once
#include <string>
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

struct ClosestPoint {
    int triangle = -1;  // -1: none within reach
    float distance = 0;
    Vec3 point;
    Vec3 normal;         // unit pseudo-normal: x is outside a closed mesh where (x − point)·normal > 0
    bool onRim = false;  // of an open mesh: beyond it there are no sides

    PURL_HD explicit operator bool() const { return triangle >= 0; }
};

struct Crossing {
    int triangle = -1;  // -1: none
    float share = 1;    // of the way along the segment
    Vec3 point;
    Vec3 normal;           // unit, of the face, towards its outside
    Vec3 start;            // where the segment begins, carried along with the triangle
    bool outward = false;  // the segment leaves through the triangle instead of coming in

    PURL_HD explicit operator bool() const { return triangle >= 0; }
};

// Which crossings count.
enum class Crossings { all, inward, outward };

struct TreeNode {
    Bounds box;     // of the triangles below, over their whole motion
    int first = 0;  // leaf: first entry of the order; else the right child (the left one is the next node)
    int count = 0;  // triangles of a leaf, 0 otherwise

    // The same triangles seen from afar (Barill et al. 2018, Fast Winding Numbers): one dipole.
    Vec3 center;       // area-weighted
    Vec3 areaNormal;   // m²
    float radius = 0;  // around the center, holds every corner
};

// What kernels see. All triangle indices are those of the mesh that was given.
struct TriangleTreeView {
    Span<const TreeNode> nodes;
    Span<const int> order;    // triangles as the leaves hold them
    Span<const int> corners;  // three vertices a triangle, counter-clockwise seen from outside
    Span<const int> twins;    // for each triangle's edge the triangle across it, or -1
    Span<const Vec3> vertices;
    Span<const Vec3> verticesBefore;  // where the vertices were when the motion began
    Span<const Vec3> faceNormals;     // unit; zero where a triangle has no area
    Span<const Vec3> cornerNormals;   // unit, one a vertex
    Span<const Vec3> faceNormalsBefore, cornerNormalsBefore;
    Span<const int> rim;  // for each vertex whether it is on the rim of an open mesh
    float travel = 0;     // m, no vertex has gone further
    bool closed = false;
    bool moves = false;

    PURL_HD Vec3 corner(int triangle, int k) const { return vertices[corners[3 * triangle + k]]; }
    PURL_HD Vec3 cornerBefore(int triangle, int k) const { return verticesBefore[corners[3 * triangle + k]]; }
    PURL_HD Bounds bounds() const { return nodes.count ? nodes[0].box : Bounds{}; }

    // The same triangles, standing where they were when the motion began.
    PURL_HD TriangleTreeView before() const;
    // The nearest point that is nearer than `reach`.
    PURL_HD ClosestPoint closest(Vec3 x, float reach = 1e30f) const;
    // The first triangle on the way from a to b.
    PURL_HD Crossing crosses(Vec3 a, Vec3 b, Crossings which = Crossings::all) const;
    // The same for a point that went from a to b while the triangles went from before to now.
    PURL_HD Crossing crossesInMotion(Vec3 a, Vec3 b, Crossings which = Crossings::all) const;
    // How often the surface winds around x: 1 inside, 0 outside, fractions near the holes of an open mesh.
    PURL_HD float winding(Vec3 x) const;
    PURL_HD bool isInside(Vec3 x) const { return std::fabs(winding(x)) > 0.5f; }
    // The same for a closed mesh by the first wall on the straight way out: faster, but a ray that grazes an edge may
    // err.
    PURL_HD bool seemsInside(Vec3 x) const;
    // How far the point of the triangle next to x has moved, from before to now.
    PURL_HD Vec3 displacement(int triangle, Vec3 x) const;

  private:
    PURL_HD Vec3 pseudoNormal(int triangle, int feature) const;
    PURL_HD bool isOnRim(int triangle, int feature) const;
    PURL_HD void crossTriangle(int triangle, Vec3 a, Vec3 b, float slack, Crossings which, Crossing& first) const;
};

class TriangleTree {
  public:
    explicit TriangleTree(const Device& device = Device::cpu());

    // The mesh must be without fault (see faultOf). A closed mesh that is inside out is turned.
    void build(const std::vector<Vec3>& vertices, const std::vector<int>& triangles);
    // The same triangles with their vertices elsewhere.
    void refit(const std::vector<Vec3>& vertices) { refit(vertices, vertices); }
    void refit(const std::vector<Vec3>& vertices, const std::vector<Vec3>& before);

    // Every edge has a triangle on either side. Vertices at the same place count as one.
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
    void listSides();
    void fitNodes();

    Buffer<TreeNode> nodes_;
    Buffer<int> order_, corners_, twins_, rim_;
    Buffer<int> welded_;              // for each vertex the first one at the same place
    Buffer<int> sideStarts_, sides_;  // of each first vertex: 3 · triangle + corner of those that meet there
    Buffer<Vec3> vertices_, faceNormals_, cornerNormals_;
    Buffer<Vec3> verticesBefore_, faceNormalsBefore_, cornerNormalsBefore_;  // only while they move
    Buffer<float> areas_;                                                    // of the nodes, m²
    int openEdges_ = 0;
    float travel_ = 0;
    bool moves_ = false;
};

// What is wrong with a mesh, as the end of an error message ("mesh has no faces"), or nothing.
std::string faultOf(const std::vector<Vec3>& vertices, const std::vector<int>& triangles);

// ---- queries --------------------------------------------------------------------------------------------------

namespace triangle {

// Which part of a triangle a point belongs to: a corner, an edge (from corner k to the next) or the face.
enum Feature { corner0, corner1, corner2, edge0, edge1, edge2, face };

PURL_HD inline float shareOf(float part, float whole) { return whole > 0 ? part / whole : 0; }

// Nearest point of triangle abc by its Voronoi regions (Ericson 2005, §5.1.5).
PURL_HD inline Vec3 closest(Vec3 p, Vec3 a, Vec3 b, Vec3 c, int& feature) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return feature = corner0, a;
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return feature = corner1, b;
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return feature = edge0, a + shareOf(d1, d1 - d3) * ab;
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return feature = corner2, c;
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return feature = edge2, a + shareOf(d2, d2 - d6) * ac;
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) return feature = edge1, b + shareOf(d4 - d3, (d4 - d3) + (d5 - d6)) * (c - b);
    const float sum = va + vb + vc;
    return feature = face, a + shareOf(vb, sum) * ab + shareOf(vc, sum) * ac;
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
    return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace triangle

// The nodes still to be looked at; a tree that halves its triangles is never this deep.
template <class T>
struct TreeStack {
    T entries[48];
    int count = 0;

    PURL_HD void push(T entry) {
        PURL_ASSERT(count < 48);
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

// Whether some of the way from a, up to `share` of it, lies between all three pairs of the box's planes.
PURL_HD inline bool meets(const Bounds& box, Vec3 a, Vec3 way, float share) {
    float enter = 0, leave = share;
    for (int axis = 0; axis < 3; ++axis) {
        const float slack = 1e-6f * (std::fabs(box.low[axis]) + std::fabs(box.high[axis]));
        const float low = box.low[axis] - slack - a[axis], high = box.high[axis] + slack - a[axis];
        if (way[axis] == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        const float s = low / way[axis], e = high / way[axis];
        const float near = s < e ? s : e, far = s < e ? e : s;
        enter = near > enter ? near : enter;
        leave = far < leave ? far : leave;
    }
    return enter <= leave;
}

// Normal of a triangle's part that tells inside from outside (Bærentzen, Aanæs 2005): of an edge the sum of its two
// faces', of a corner the sum weighted by angle.
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
        if (node.count == 0) {  // the nearer child first: it is popped next
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
            // No point of a triangle is nearer than its plane.
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

// Crosses when the ends have heights of different sign above the triangle's plane and the point between is on it.
// Edges are a little generous, so that nothing slips between two neighbours: by a share of their length, and by
// `slack`.
PURL_HD inline void TriangleTreeView::crossTriangle(int t, Vec3 a, Vec3 b, float slack, Crossings which,
                                                    Crossing& first) const {
    constexpr float kGenerous = 1e-4f;
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
        if (dot(cross(edge, p - from), n) < -l * (kGenerous * l + slack)) return;
    }
    first.triangle = t;
    first.share = share;
    first.point = p;
    first.normal = n;
    first.start = a;
    first.outward = outward;
}

PURL_HD inline Crossing TriangleTreeView::crosses(Vec3 a, Vec3 b, Crossings which) const {
    Crossing first;
    const Vec3 way = b - a;
    const Bounds ends{min(a, b), max(a, b)};
    TreeStack<int> stack;
    if (nodes.count) stack.push(0);
    while (stack.count) {
        const int index = stack.pop();
        const TreeNode& node = nodes[index];
        if (!overlap(node.box, ends)) continue;
        if (node.count == 0) {
            if (!meets(node.box, a, way, first.share)) continue;
            stack.push(node.first);
            stack.push(index + 1);
            continue;
        }
        for (int k = node.first; k < node.first + node.count; ++k) crossTriangle(order[k], a, b, 0, which, first);
    }
    return first;
}

// In the triangle's own frame it stands still: there the point starts where the triangle would have carried it. Two
// neighbours that stretch or bend carry it to slightly different places, the more the longer the way: hence the slack.
PURL_HD inline Crossing TriangleTreeView::crossesInMotion(Vec3 a, Vec3 b, Crossings which) const {
    if (!moves) return crosses(a, b, which);
    Crossing first;
    const Bounds ends{min(a, b), max(a, b)};
    TreeStack<int> stack;
    if (nodes.count) stack.push(0);
    while (stack.count) {
        const int index = stack.pop();
        const TreeNode& node = nodes[index];
        if (!overlap(node.box, ends)) continue;
        if (node.count == 0) {
            stack.push(node.first);
            stack.push(index + 1);
            continue;
        }
        for (int k = node.first; k < node.first + node.count; ++k) {
            const int t = order[k];
            const auto local = triangle::coordinates(a, cornerBefore(t, 0), cornerBefore(t, 1), cornerBefore(t, 2));
            const Vec3 carried = triangle::pointAt(local, corner(t, 0), corner(t, 1), corner(t, 2));
            crossTriangle(t, carried, b, 0.01f * length(b - carried), which, first);
        }
    }
    return first;
}

// w(x) = Σ Ω / 4π, with far nodes as dipoles: Ω ≈ A n·(c − x) / |c − x|³   Barill et al. 2018, eq. 3
PURL_HD inline float TriangleTreeView::winding(Vec3 x) const {
    constexpr float kFar = 2.5f;  // node radii from which a dipole is good enough
    float angle = 0;
    TreeStack<int> stack;
    if (nodes.count) stack.push(0);
    while (stack.count) {
        const int index = stack.pop();
        const TreeNode& node = nodes[index];
        const Vec3 d = node.center - x;
        const float r2 = lengthSquared(d);
        if (r2 > square(kFar * node.radius)) {
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

PURL_HD inline bool TriangleTreeView::seemsInside(Vec3 x) const {
    const Bounds box = bounds();
    const Vec3 toLow = x - box.low, toHigh = box.high - x;
    int axis = 0;
    float shortest = 1e30f, out = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(toLow[k] >= 0) || !(toHigh[k] >= 0)) return false;
        const bool high = toHigh[k] < toLow[k];
        const float way = high ? toHigh[k] : toLow[k];
        if (way >= shortest) continue;
        shortest = way;
        axis = k;
        out = (high ? 1.0f : -1.0f) * (way + 0.01f * (toLow[k] + toHigh[k]));
    }
    Vec3 outside = x;
    outside[axis] += out;
    const Crossing wall = crosses(x, outside);
    return wall && wall.outward;
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

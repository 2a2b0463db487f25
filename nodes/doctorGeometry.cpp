#include "nodes/doctorGeometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Point {
    double x, y, z;
};
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double length(const Point& a) { return std::sqrt(dot(a, a)); }

Point cornerOf(const TriangleMesh& mesh, size_t triangle, size_t k) {
    const Vec3 p = mesh.vertices[mesh.triangles[3 * triangle + k]];
    return {double(p.x), double(p.y), double(p.z)};
}

using Edge = std::pair<int, int>;
// Boundary edges: those with one face.
std::vector<Edge> boundaryEdges(const TriangleMesh& mesh) {
    std::vector<Edge> sides;
    sides.reserve(mesh.triangles.size());
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t + k], b = mesh.triangles[t + (k + 1) % 3];
            sides.emplace_back(std::min(a, b), std::max(a, b));
        }
    std::sort(sides.begin(), sides.end());
    std::vector<Edge> rim;
    for (size_t i = 0, end = 0; i < sides.size(); i = end) {
        while (end < sides.size() && sides[end] == sides[i]) ++end;
        if (end - i == 1) rim.push_back(sides[i]);
    }
    return rim;
}

// Union-find over vertices.
class Islands {
  public:
    explicit Islands(size_t vertices) : parent_(vertices) { std::iota(parent_.begin(), parent_.end(), 0); }
    void join(int a, int b) { parent_[root(a)] = root(b); }
    int root(int a) {
        while (parent_[a] != a) {
            parent_[a] = parent_[parent_[a]];
            a = parent_[a];
        }
        return a;
    }

  private:
    std::vector<int> parent_;
};

int islandsOf(const std::vector<Edge>& edges, size_t vertices) {
    Islands islands(vertices);
    for (const Edge& edge : edges) islands.join(edge.first, edge.second);
    std::vector<int> roots;
    for (const Edge& edge : edges) roots.push_back(islands.root(edge.first));
    std::sort(roots.begin(), roots.end());
    return static_cast<int>(std::unique(roots.begin(), roots.end()) - roots.begin());
}

// Whether a segment intersects the interior of a triangle (Möller and Trumbore 1997).
bool intersects(const Point& from, const Point& to, const Point& a, const Point& b, const Point& c) {
    constexpr double kTolerance = 1e-6;  // touching does not count
    const Point along = to - from, ab = b - a, ac = c - a;
    const Point p = cross(along, ac);
    const double det = dot(ab, p);
    if (std::abs(det) < 1e-9 * length(along) * length(ab) * length(ac)) return false;
    const Point s = from - a;
    const double u = dot(s, p) / det;
    const Point q = cross(s, ab);
    const double v = dot(along, q) / det, share = dot(ac, q) / det;
    return u > kTolerance && v > kTolerance && u + v < 1 - kTolerance && share > kTolerance && share < 1 - kTolerance;
}

bool trianglesCross(const TriangleMesh& mesh, size_t s, size_t t) {
    Point a[3], b[3];
    for (size_t k = 0; k < 3; ++k) {
        a[k] = cornerOf(mesh, s, k);
        b[k] = cornerOf(mesh, t, k);
    }
    for (const Point& p : a)
        for (const Point& q : b)
            if (p.x == q.x && p.y == q.y && p.z == q.z)
                return false;  // adjacent, even if their vertices are not merged
    for (size_t k = 0; k < 3; ++k)
        if (intersects(a[k], a[(k + 1) % 3], b[0], b[1], b[2]) || intersects(b[k], b[(k + 1) % 3], a[0], a[1], a[2]))
            return true;
    return false;
}

}  // namespace

Bounds boundsOf(const std::vector<Vec3>& points) {
    Bounds bounds;
    for (const Vec3 p : points) bounds.include(p);
    return bounds;
}

double largestSide(const Bounds& bounds) {
    if (bounds.empty()) return 0;
    const Vec3 size = bounds.size();
    return std::max({size.x, size.y, size.z});
}

TriangleMesh meshOf(const std::vector<Vec3>& points, const Faces& faces) { return {points, triangulate(faces)}; }

int openEdges(const TriangleMesh& mesh) { return static_cast<int>(boundaryEdges(mesh).size()); }

// V = Σ a · (b × c) / 6
double volumeOf(const TriangleMesh& mesh) {
    double sum = 0;
    for (size_t t = 0; 3 * t + 2 < mesh.triangles.size(); ++t)
        sum += dot(cornerOf(mesh, t, 0), cross(cornerOf(mesh, t, 1), cornerOf(mesh, t, 2))) / 6;
    return sum;
}

double areaOf(const TriangleMesh& mesh) {
    double sum = 0;
    for (size_t t = 0; 3 * t + 2 < mesh.triangles.size(); ++t) {
        const Point a = cornerOf(mesh, t, 0);
        sum += length(cross(cornerOf(mesh, t, 1) - a, cornerOf(mesh, t, 2) - a)) / 2;
    }
    return sum;
}

bool isBox(const TriangleMesh& mesh) {
    const Bounds box = boundsOf(mesh.vertices);
    if (mesh.empty() || box.empty()) return false;
    const Vec3 size = box.size();
    const double whole = double(size.x) * double(size.y) * double(size.z);
    return std::abs(std::abs(volumeOf(mesh)) - whole) <= 0.01 * whole;
}

// Winding number: the solid angles of all triangles as seen from the point, divided by 4π (van Oosterom and Strackee
// 1983).
bool isInside(const TriangleMesh& mesh, Vec3 point) {
    const Point x{double(point.x), double(point.y), double(point.z)};
    double solidAngle = 0;
    for (size_t t = 0; 3 * t + 2 < mesh.triangles.size(); ++t) {
        const Point a = cornerOf(mesh, t, 0) - x, b = cornerOf(mesh, t, 1) - x, c = cornerOf(mesh, t, 2) - x;
        const double la = length(a), lb = length(b), lc = length(c);
        solidAngle +=
            2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return std::abs(solidAngle) > 2 * kPi;
}

bool isInside(const Collider& collider, Vec3 point) {
    const ColliderParams& p = collider.params;
    if (p.shape == ColliderShape::mesh) return openEdges(collider.mesh) == 0 && isInside(collider.mesh, point);
    const Vec3 local = collider.pose.toLocal(point);
    switch (p.shape) {
        case ColliderShape::sphere: return dot(local, local) < p.radius * p.radius;
        case ColliderShape::box:
            return std::abs(local.x) < p.halfSize.x && std::abs(local.y) < p.halfSize.y &&
                   std::abs(local.z) < p.halfSize.z;
        case ColliderShape::capsule: {
            const float along = std::clamp(local.y, -p.halfLength, p.halfLength);
            const Vec3 off{local.x, local.y - along, local.z};
            return dot(off, off) < p.radius * p.radius;
        }
        default: return local.y < 0;
    }
}

bool crossesItself(const TriangleMesh& mesh) {
    const size_t count = mesh.triangles.size() / 3;
    if (count > kMaxIntersectionTriangles) return false;
    std::vector<Bounds> boxes(count);
    for (size_t t = 0; t < count; ++t)
        for (size_t k = 0; k < 3; ++k) boxes[t].include(mesh.vertices[mesh.triangles[3 * t + k]]);
    // Sort and sweep along the longest axis, where the fewest boxes overlap.
    const Vec3 size = boundsOf(mesh.vertices).size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return boxes[a].low[axis] < boxes[b].low[axis]; });
    for (size_t i = 0; i < count; ++i)
        for (size_t j = i + 1; j < count && boxes[order[j]].low[axis] <= boxes[order[i]].high[axis]; ++j) {
            const Bounds &a = boxes[order[i]], &b = boxes[order[j]];
            const bool meet = a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
                              b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
            if (meet && trianglesCross(mesh, order[i], order[j])) return true;
        }
    return false;
}

bool foldsOntoItself(const TriangleMesh& mesh) {
    const std::vector<Edge> rim = boundaryEdges(mesh);
    std::vector<Edge> all;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        all.emplace_back(mesh.triangles[t], mesh.triangles[t + 1]);
        all.emplace_back(mesh.triangles[t + 1], mesh.triangles[t + 2]);
    }
    if (all.empty()) return false;
    // A sheet has one boundary loop, a tube has two, and a closed mesh has none.
    if (islandsOf(rim, mesh.vertices.size()) != islandsOf(all, mesh.vertices.size())) return true;
    double perimeter = 0;
    for (const Edge& edge : rim)
        perimeter += double(purl::length(mesh.vertices[edge.first] - mesh.vertices[edge.second]));
    // P²/A is 4π for a disc, 16 for a square and 21 for a strip three times as long as wide. No flat sheet has less
    // than a disc, but a bag does.
    const double ratio = perimeter * perimeter / std::max(1e-12, areaOf(mesh));
    return ratio < 0.9 * 4 * kPi || ratio > 21.5;
}

}  // namespace purl

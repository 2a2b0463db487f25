#include "solver/boundary/samples.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "solver/core/math.h"
#include "solver/search/cellGrid.h"

namespace purl {
namespace {

constexpr float kPi = 3.14159265f;

// Dart throwing: accepts points one by one and rejects those too close to an accepted one. A hash table of cells as
// wide as the minimum distance limits the search to 27 cells.
class MinDistanceFilter {
  public:
    explicit MinDistanceFilter(float distance) : distance_(distance) { heads_.assign(1024, -1); }

    bool accept(Vec3 x) {
        const Cell home = cellAt(x, distance_);
        for (int k = 0; k < 27; ++k)
            for (int i = heads_[slotOf({home.x + k % 3 - 1, home.y + k / 3 % 3 - 1, home.z + k / 9 - 1})]; i >= 0;
                 i = next_[i])
                if (lengthSquared(points_[i] - x) < square(distance_)) return false;
        if (points_.size() > heads_.size() / 2) grow();
        points_.push_back(x);
        next_.push_back(-1);
        enter(static_cast<int>(points_.size()) - 1);
        return true;
    }

  private:
    int slotOf(Cell cell) const { return cellHash(cell, static_cast<int>(heads_.size())); }
    void enter(int i) {
        int& head = heads_[slotOf(cellAt(points_[i], distance_))];
        next_[i] = head;
        head = i;
    }
    void grow() {
        heads_.assign(4 * heads_.size(), -1);
        for (size_t i = 0; i < points_.size(); ++i) enter(static_cast<int>(i));
    }

    float distance_;
    std::vector<Vec3> points_;
    std::vector<int> heads_, next_;
};

// For each edge, from corner k of triangle t at index 3 t + k: 1 if it is open or a crease, 0 if its faces are nearly
// coplanar.
std::vector<char> sharpEdges(const std::vector<Vec3>& vertices, const std::vector<int>& triangles) {
    struct Edge {
        int low, high, side;
    };
    std::vector<Edge> edges;
    for (int side = 0; side < static_cast<int>(triangles.size()); ++side) {
        const int a = triangles[side], b = triangles[side % 3 == 2 ? side - 2 : side + 1];
        edges.push_back({std::min(a, b), std::max(a, b), side});
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::tie(a.low, a.high, a.side) < std::tie(b.low, b.high, b.side);
    });
    const auto normalOf = [&](int side) {
        const int t = side - side % 3;
        const Vec3 a = vertices[triangles[t]];
        return normalized(cross(vertices[triangles[t + 1]] - a, vertices[triangles[t + 2]] - a), {0, 0, 0});
    };
    constexpr float kFlat = 0.94f;  // cosine of 20 degrees
    std::vector<char> sharp(triangles.size(), 1);
    for (size_t i = 0; i + 1 < edges.size(); ++i) {
        const Edge &a = edges[i], &b = edges[i + 1];
        if (a.low != b.low || a.high != b.high) continue;
        if (dot(normalOf(a.side), normalOf(b.side)) > kFlat) sharp[a.side] = sharp[b.side] = 0;
    }
    return sharp;
}

// Number of steps of about `spacing` in a length; 0 if it is shorter than half a spacing.
int stepsIn(float length, float spacing) {
    return length < 0.5f * spacing ? 0 : std::max(1, static_cast<int>(std::ceil(length / spacing - 0.2f)));
}

}  // namespace

// In 3D, one sample per spacing² of surface area and one per spacing of edge length; in 2D, only the latter.
double expectedSamples(const std::vector<Vec3>& vertices, const std::vector<int>& triangles, float spacing,
                       int dimensions) {
    const double s = spacing;
    double area = 0, edges = 0;
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3 a = vertices[triangles[t]], ab = vertices[triangles[t + 1]] - a, ac = vertices[triangles[t + 2]] - a;
        area += 0.5 * double(length(cross(ab, ac)));
        edges += double(length(ab)) + double(length(ac));
    }
    return (dimensions == 3 ? area / (s * s) : 0) + edges / s;
}

double expectedSamplesOfBox(Vec3 halfSize, float spacing, int dimensions) {
    const double x = halfSize.x / spacing, y = halfSize.y / spacing, z = halfSize.z / spacing;
    return 8 * ((dimensions == 3 ? x * y + y * z + z * x : 0) + x + y + z);
}

double expectedSamplesOfCapsule(float halfLength, float radius, float spacing, int dimensions) {
    const double half = halfLength / spacing, r = radius / spacing;
    return 4 * double(kPi) * (dimensions == 3 ? r : 1) * (r + half);
}

std::vector<SurfaceSample> sampleTriangles(const std::vector<Vec3>& vertices, const std::vector<int>& triangles,
                                           float spacing) {
    const int count = static_cast<int>(triangles.size()) / 3;
    const auto corner = [&](int t, int k) { return vertices[triangles[3 * t + k % 3]]; };
    std::vector<SurfaceSample> samples;
    MinDistanceFilter filter(kMinSampleDistance * spacing);
    const auto offer = [&](int t, float u, float v) {
        const Vec3 a = corner(t, 0);
        if (filter.accept(a + u * (corner(t, 1) - a) + v * (corner(t, 2) - a))) samples.push_back({t, u, v});
    };
    // Takes the barycentric coordinates of corner k and the two that follow it.
    const auto offerAt = [&](int t, int k, float first, float second, float third) {
        float weights[3];
        weights[k] = first;
        weights[(k + 1) % 3] = second;
        weights[(k + 2) % 3] = third;
        offer(t, weights[1], weights[2]);
    };

    // First sharp and open edges: their end points, then evenly spaced points. Then the faces where still uncovered.
    const std::vector<char> sharp = sharpEdges(vertices, triangles);
    for (int t = 0; t < count; ++t)
        for (int k = 0; k < 3; ++k)
            if (sharp[3 * t + k] || sharp[3 * t + (k + 2) % 3]) offerAt(t, k, 1, 0, 0);
    for (int t = 0; t < count; ++t)
        for (int k = 0; k < 3; ++k) {
            if (!sharp[3 * t + k]) continue;
            const int steps = std::max(1, static_cast<int>(length(corner(t, k + 1) - corner(t, k)) / spacing + 0.5f));
            for (int s = 1; s < steps; ++s) {
                const float share = static_cast<float>(s) / static_cast<float>(steps);
                offerAt(t, k, 1 - share, share, 0);
            }
        }
    // Candidates are a square lattice three times finer than the spacing, along the longest sharp edge if there is one.
    // On rectangular faces every third point of every third row is accepted.
    const auto stepsOf = [&](float extent) {
        return std::max(1, static_cast<int>(std::ceil(3 * extent / spacing - 0.01f)));
    };
    for (int t = 0; t < count; ++t) {
        int base = 0;
        float best = -1;
        for (int k = 0; k < 3; ++k) {
            const float edge = length(corner(t, k + 1) - corner(t, k)) * (sharp[3 * t + k] ? 1e6f : 1.0f);
            if (edge > best) base = k, best = edge;
        }
        const Vec3 start = corner(t, base), along = corner(t, base + 1) - start, up = corner(t, base + 2) - start;
        const float extent = length(along);
        if (!(extent > 0)) continue;
        const float height = length(cross(along, up)) / extent, foot = dot(up, along) / extent;
        const int rows = stepsOf(height), columns = stepsOf(extent);
        const float step = extent / static_cast<float>(columns);
        for (int row = 0; row <= rows; ++row) {
            const float share = static_cast<float>(row) / static_cast<float>(rows);
            const float left = share * foot, right = left + (1 - share) * extent;
            const auto offerAlong = [&](float x) {
                const float second = clamp((x - left) / extent, 0, 1 - share);
                offerAt(t, base, 1 - share - second, second, share);
            };
            const int last = static_cast<int>(std::floor(right / step + 0.01f));
            for (int k = static_cast<int>(std::ceil(left / step - 0.01f)); k <= last; ++k)
                offerAlong(static_cast<float>(k) * step);
            offerAlong(left);
            offerAlong(right);
        }
    }
    return samples;
}

std::vector<Vec3> sampleBox(Vec3 halfSize, float spacing) {
    std::vector<Vec3> points;
    int steps[3];
    for (int k = 0; k < 3; ++k) steps[k] = stepsIn(2 * halfSize[k], spacing);
    const auto at = [&](int i, int axis) {
        return steps[axis] ? halfSize[axis] * (2 * static_cast<float>(i) / static_cast<float>(steps[axis]) - 1) : 0.0f;
    };
    for (int z = 0; z <= steps[2]; ++z)
        for (int y = 0; y <= steps[1]; ++y) {
            const bool face = z == 0 || z == steps[2] || y == 0 || y == steps[1];
            for (int x = 0; x <= steps[0]; x += face || steps[0] == 0 ? 1 : steps[0])
                points.push_back({at(x, 0), at(y, 1), at(z, 2)});
        }
    return points;
}

std::vector<Vec3> sampleCapsule(float halfLength, float radius, float spacing) {
    std::vector<Vec3> points;
    const bool line = radius < 0.3f * spacing;
    // Heights and radii of the rings from pole to pole.
    std::vector<std::pair<float, float>> rings;
    const int arcs = line ? 0 : std::max(1, static_cast<int>(0.5f * kPi * radius / spacing + 0.5f));
    const int sides = stepsIn(2 * halfLength, spacing);
    const float half = sides ? halfLength : 0;
    const auto ringAt = [&](int k, float side) {
        const float angle = arcs ? 0.5f * kPi * static_cast<float>(k) / static_cast<float>(arcs) : 0;
        rings.push_back({side * (half + (line ? 0 : radius * cos(angle))), line || k == 0 ? 0 : radius * sin(angle)});
    };
    for (int k = 0; k <= arcs; ++k) ringAt(k, 1);
    for (int k = 1; k < sides; ++k)
        rings.push_back({half * (1 - 2 * static_cast<float>(k) / static_cast<float>(sides)), line ? 0 : radius});
    for (int k = sides ? arcs : arcs - 1; k >= 0; --k) ringAt(k, -1);

    for (size_t r = 0; r < rings.size(); ++r) {
        const auto [y, radiusThere] = rings[r];
        const int around = std::max(1, static_cast<int>(2 * kPi * radiusThere / spacing + 0.5f));
        const float start = r % 2 ? 0.5f : 0.0f;  // adjacent rings are staggered
        for (int k = 0; k < around; ++k) {
            const float angle = 2 * kPi * (static_cast<float>(k) + start) / static_cast<float>(around);
            points.push_back({radiusThere * cos(angle), y, radiusThere * sin(angle)});
        }
    }
    return points;
}

std::vector<SurfaceSample> sampleSection(const std::vector<Vec3>& vertices, const std::vector<int>& triangles,
                                         float spacing) {
    std::vector<SurfaceSample> samples;
    MinDistanceFilter filter(kMinSampleDistance * spacing);
    // First steps of one spacing, then of a third to cover the remaining gaps.
    for (const float part : {1.0f, 1.0f / 3})
        for (int t = 0; 3 * t < static_cast<int>(triangles.size()); ++t) {
            Vec3 p[3];
            for (int k = 0; k < 3; ++k) p[k] = vertices[triangles[3 * t + k]];
            // Intersections of edges with the plane z = 0, as barycentric coordinates of corners 1 and 2.
            float u[2], v[2];
            int found = 0;
            for (int k = 0; k < 3 && found < 2; ++k) {
                const int next = (k + 1) % 3;
                if ((p[k].z >= 0) == (p[next].z >= 0)) continue;
                const float share = p[k].z / (p[k].z - p[next].z);
                float weights[3] = {};
                weights[k] = 1 - share;
                weights[next] = share;
                u[found] = weights[1];
                v[found++] = weights[2];
            }
            if (found < 2) continue;
            const auto at = [&](float s, float r) { return p[0] + s * (p[1] - p[0]) + r * (p[2] - p[0]); };
            const float extent = length(at(u[1], v[1]) - at(u[0], v[0]));
            const int steps = std::max(1, static_cast<int>(extent / (part * spacing) + 0.5f));
            for (int s = 0; s <= steps; ++s) {
                const float share = static_cast<float>(s) / static_cast<float>(steps);
                const float a = lerp(u[0], u[1], share), b = lerp(v[0], v[1], share);
                if (filter.accept(at(a, b))) samples.push_back({t, a, b});
            }
        }
    return samples;
}

namespace {

std::vector<Vec3> sectionOf(std::vector<Vec3> local, const std::vector<int>& triangles, const Pose& pose,
                            float spacing) {
    for (Vec3& vertex : local) vertex = pose.toWorld(vertex);
    std::vector<Vec3> points;
    for (const SurfaceSample& s : sampleSection(local, triangles, spacing)) {
        const Vec3 a = local[triangles[3 * s.triangle]], b = local[triangles[3 * s.triangle + 1]],
                   c = local[triangles[3 * s.triangle + 2]];
        points.push_back(pose.toLocal(a + s.u * (b - a) + s.v * (c - a)));
    }
    return points;
}

}  // namespace

std::vector<Vec3> sectionOfBox(Vec3 halfSize, const Pose& pose, float spacing) {
    const Vec3 h = max(halfSize, Vec3{});
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z});
    static const int kFaces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    std::vector<int> triangles;
    for (const auto& f : kFaces) triangles.insert(triangles.end(), {f[0], f[1], f[2], f[0], f[2], f[3]});
    return sectionOf(corners, triangles, pose, spacing);
}

std::vector<Vec3> sectionOfCapsule(float halfLength, float radius, const Pose& pose, float spacing) {
    // Enough sides that the polygon deviates from the circle by about a hundredth of a spacing.
    const int around = 4 * static_cast<int>(clamp(6 * std::sqrt(radius / spacing), 4, 128));
    std::vector<Vec3> vertices;
    std::vector<int> triangles;
    const int rings = around / 2 + 2;  // one ring per pole, two at the equator
    for (int ring = 0; ring < rings; ++ring) {
        const bool upper = ring < rings / 2;
        const float angle = 2 * kPi * static_cast<float>(upper ? ring : ring - 1) / static_cast<float>(around);
        for (int k = 0; k < around; ++k) {
            const float turn = 2 * kPi * static_cast<float>(k) / static_cast<float>(around);
            vertices.push_back({radius * sin(angle) * cos(turn),
                                (upper ? halfLength : -halfLength) + radius * cos(angle),
                                radius * sin(angle) * sin(turn)});
            if (ring == 0) continue;
            const int here = ring * around + k, next = ring * around + (k + 1) % around;
            triangles.insert(triangles.end(), {here - around, here, next, here - around, next, next - around});
        }
    }
    return sectionOf(vertices, triangles, pose, spacing);
}

void OffsetSurface::prepare(const TriangleTree& tree, float distance) {
    const TriangleTreeView view = tree.view();
    triangles_.assign(view.corners.begin(), view.corners.end());
    const std::vector<Vec3> vertices(view.vertices.begin(), view.vertices.end());
    std::vector<int> sorted(vertices.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    const auto place = [&](int i) { return std::make_tuple(vertices[i].x, vertices[i].y, vertices[i].z, i); };
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return place(a) < place(b); });
    welded_.assign(vertices.size(), 0);
    for (size_t k = 0; k < sorted.size(); ++k) {
        const bool same = k > 0 && vertices[sorted[k]] == vertices[sorted[k - 1]];
        welded_[sorted[k]] = same ? welded_[sorted[k - 1]] : sorted[k];
    }

    distance_.assign(vertices.size(), 0);
    if (!tree.isClosed()) return;
    const std::vector<Vec3> mitre = mitres(vertices);
    for (size_t i = 0; i < vertices.size(); ++i) {
        const Vec3 offset = -distance * mitre[i];
        const float far = length(offset);
        distance_[i] = distance;
        if (!(far > 0)) continue;
        const Vec3 start = vertices[i] + 0.02f * offset;
        if (const Crossing wall = view.crosses(start, vertices[i] + 2.0f * offset))
            distance_[i] *= std::min(1.0f, 0.5f * length(wall.point - vertices[i]) / far);
    }
}

// For each vertex, the offset that moves all its faces by 1 along their normals: n Σα / |n|², where n is the sum of the
// face normals weighted by their angles α at the vertex. Exact for edges and for corners of a box.
std::vector<Vec3> OffsetSurface::mitres(const std::vector<Vec3>& vertices) const {
    std::vector<Vec3> sums(vertices.size());
    std::vector<float> angles(vertices.size(), 0.0f);
    for (size_t t = 0; t + 2 < triangles_.size(); t += 3) {
        const Vec3 p[3] = {vertices[triangles_[t]], vertices[triangles_[t + 1]], vertices[triangles_[t + 2]]};
        const Vec3 n = normalized(cross(p[1] - p[0], p[2] - p[0]), {0, 0, 0});
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = p[(k + 1) % 3] - p[k], b = p[(k + 2) % 3] - p[k];
            const float angle = atan2(length(cross(a, b)), dot(a, b));
            const int corner = welded_[triangles_[t + static_cast<size_t>(k)]];
            sums[corner] += angle * n;
            angles[corner] += angle;
        }
    }
    std::vector<Vec3> result(vertices.size());
    for (size_t i = 0; i < vertices.size(); ++i) {
        const Vec3 sum = sums[welded_[i]];
        const float n = length(sum), all = angles[welded_[i]];
        constexpr float kSharpest = 0.5f;  // limits the length of the mitre at a spike
        if (n > 0) result[i] = sum / (n * std::max(n / all, kSharpest));
    }
    return result;
}

void OffsetSurface::apply(const std::vector<Vec3>& vertices, std::vector<Vec3>& result) const {
    PURL_ASSERT(vertices.size() == distance_.size());
    result = vertices;
    if (std::all_of(distance_.begin(), distance_.end(), [](float d) { return d == 0; })) return;
    const std::vector<Vec3> mitre = mitres(vertices);
    for (size_t i = 0; i < vertices.size(); ++i) result[i] -= distance_[i] * mitre[i];
}

}  // namespace purl

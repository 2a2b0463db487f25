#include "solver/cloth/topology.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "solver/cloth/keySet.h"
#include "solver/cloth/pointLists.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// An edge of a triangle or quad, as part of that face.
struct Side {
    int a, b;      // a < b
    int opposite;  // a corner of the face that is not on the edge
    int face;
    float area;  // m², of the face
    bool quad;

    bool sameEdge(const Side& other) const { return a == other.a && b == other.b; }
};

using Pair = std::pair<int, int>;
Pair sorted(int a, int b) { return std::minmax(a, b); }
uint64_t keyOf(int a, int b) { return uint64_t(std::min(a, b)) << 32 | uint64_t(std::max(a, b)); }

class Builder {
  public:
    Builder(const Faces& faces, const Vec3* points, int count) : x_(points) {
        result_.areas.assign(static_cast<size_t>(count), 0);
        forEachFace(faces, [&](const int* corners, int corner) {
            if (corner == 4) {
                addQuad(corners);
                return;
            }
            for (int k = 2; k < corner; ++k) addTriangle(corners[0], corners[k - 1], corners[k]);
        });
        std::stable_sort(sides_.begin(), sides_.end(), [](const Side& one, const Side& other) {
            return std::pair(one.a, one.b) < std::pair(other.a, other.b);
        });
        addEdges();
        for (const Diagonal& diagonal : diagonals_)
            // Shear modulus G: two springs of length √2 h strained by γ/2 each.   k = 2 G A / L²
            addLink(diagonal.a, diagonal.b, SpringFamily::shear, 2 * diagonal.area);
        addFoldsAcrossEdges();
        addFoldsAlongLines(count);
    }
    Topology take() { return std::move(result_); }

  private:
    struct Diagonal {
        int a, b;
        float area;
    };

    Vec3 at(int v) const { return x_[v]; }
    float area(int a, int b, int c) const { return 0.5f * length(cross(at(b) - at(a), at(c) - at(a))); }

    void addTriangle(int a, int b, int c) {
        const float faceArea = area(a, b, c);
        const int v[] = {a, b, c};
        for (int k = 0; k < 3; ++k) addSide(v[k], v[(k + 1) % 3], v[(k + 2) % 3], faceArea, false);
        for (const int corner : v) result_.areas[corner] += faceArea / 3;
        ++faceCount_;
    }
    void addQuad(const int* v) {
        const float faceArea = area(v[0], v[1], v[2]) + area(v[0], v[2], v[3]);
        for (int k = 0; k < 4; ++k) addSide(v[k], v[(k + 1) % 4], v[(k + 2) % 4], faceArea, true);
        for (int k = 0; k < 4; ++k) result_.areas[v[k]] += faceArea / 4;
        diagonals_.push_back({v[0], v[2], faceArea});
        diagonals_.push_back({v[1], v[3], faceArea});
        ++faceCount_;
    }
    void addSide(int a, int b, int opposite, float faceArea, bool quad) {
        const auto [low, high] = sorted(a, b);
        sides_.push_back({low, high, opposite, faceCount_, faceArea, quad});
    }

    // Adds one spring per pair of points at most.   k = modulus · fabric / L²
    void addLink(int a, int b, SpringFamily family, float fabric) {
        if (a == b || !linked_.insert(keyOf(a, b))) return;
        const float rest = length(at(a) - at(b));
        if (!(rest > 0))
            throw Error("mesh points " + std::to_string(a) + " and " + std::to_string(b) + " coincide; merge them");
        result_.links.push_back({a, b, family, rest, fabric / square(rest)});
    }

    // The modulus of a quad is carried by two of its edges, that of a triangle by all three (Van Gelder 1998): k = Y Σ
    // A / L², with half the area of quads.
    void addEdges() {
        for (size_t first = 0, next; first < sides_.size(); first = next) {
            float fabric = 0;
            for (next = first; next < sides_.size() && sides_[next].sameEdge(sides_[first]); ++next)
                fabric += sides_[next].quad ? 0.5f * sides_[next].area : sides_[next].area;
            addLink(sides_[first].a, sides_[first].b, SpringFamily::structural, fabric);
        }
    }

    // Two triangles bend about their common edge. Σ cᵢ xᵢ = θ |e| for small angles (Bergou et al. 2006); with k = B /
    // (A₁ + A₂) a regular sheet of triangles, equilateral or half squares, has the plate energy ½ B κ².
    void addFoldsAcrossEdges() {
        for (size_t s = 0; s + 1 < sides_.size(); ++s) {
            const Side &one = sides_[s], &other = sides_[s + 1];
            const bool more = s + 2 < sides_.size() && sides_[s + 2].sameEdge(one);
            const bool before = s > 0 && sides_[s - 1].sameEdge(one);
            if (!one.sameEdge(other) || more || before || (one.quad && other.quad)) continue;
            const Vec3 x0 = at(one.a), x1 = at(one.b), x2 = at(one.opposite), x3 = at(other.opposite);
            const float area1 = area(one.a, one.b, one.opposite), area2 = area(one.a, one.b, other.opposite);
            if (!(area1 > 0) || !(area2 > 0)) continue;
            const auto cotangent = [](Vec3 p, Vec3 q) { return dot(p, q) / length(cross(p, q)); };
            const float at0Of2 = cotangent(x1 - x0, x2 - x0), at0Of3 = cotangent(x1 - x0, x3 - x0);
            const float at1Of2 = cotangent(x0 - x1, x2 - x1), at1Of3 = cotangent(x0 - x1, x3 - x1);
            Fold fold{{one.a, one.b, one.opposite, other.opposite},
                      {at1Of2 + at1Of3, at0Of2 + at0Of3, -at0Of2 - at1Of2, -at0Of3 - at1Of3},
                      0,
                      1 / (area1 + area2)};
            addFold(fold);
            addLink(one.opposite, other.opposite, SpringFamily::bend, area1 + area2);
        }
    }

    // Through a point surrounded by quads run lines of edges that share no face. The curvature along a line is κ =
    // 2/(l₁ + l₂) ((x₁ − x)/l₁ + (x₂ − x)/l₂), and the energy of the point's area is ½ B κ².
    void addFoldsAlongLines(int count) {
        const PointLists<const Side*> around = listByPoint<const Side*>(count, [&](const auto& add) {
            for (const Side& side : sides_)
                for (const int end : {side.a, side.b}) add(end, &side);
        });
        for (int v = 0; v < count; ++v) {
            const Span<const Side* const> sides = around.of(v);
            if (std::any_of(sides.begin(), sides.end(), [](const Side* side) { return !side->quad; })) continue;
            for (const auto& [a, b] : linesThrough(v, sides)) addLine(a, v, b);
        }
    }

    // Pairs of neighbours of v, straightest first, each in one line only. With more than four neighbours, lines may
    // bend by up to 60°.
    std::vector<Pair> linesThrough(int v, Span<const Side* const> sides) const {
        struct Line {
            float bend;  // cosine between its two edges
            int a, b;
        };
        std::vector<int> ends;
        const auto otherEnd = [v](const Side* side) { return side->a == v ? side->b : side->a; };
        const auto shareFace = [&](int a, int b) {
            for (const Side* one : sides)
                for (const Side* other : sides)
                    if (otherEnd(one) == a && otherEnd(other) == b && one->face == other->face) return true;
            return false;
        };
        for (const Side* side : sides)
            if (std::find(ends.begin(), ends.end(), otherEnd(side)) == ends.end()) ends.push_back(otherEnd(side));
        std::vector<Line> lines;
        for (size_t i = 0; i < ends.size(); ++i)
            for (size_t j = i + 1; j < ends.size(); ++j) {
                if (shareFace(ends[i], ends[j])) continue;
                const float bend = dot(normalized(at(ends[i]) - at(v)), normalized(at(ends[j]) - at(v)));
                // Rejects the two sides of a crack that starts here.
                if (bend < (ends.size() <= 4 ? 0.9f : -0.5f)) lines.push_back({bend, ends[i], ends[j]});
            }
        std::stable_sort(lines.begin(), lines.end(), [](const Line& p, const Line& q) { return p.bend < q.bend; });
        std::vector<Pair> chosen;
        std::vector<int> used;
        for (const Line& line : lines) {
            const auto taken = [&](int end) { return std::find(used.begin(), used.end(), end) != used.end(); };
            if (taken(line.a) || taken(line.b)) continue;
            used.insert(used.end(), {line.a, line.b});
            chosen.emplace_back(line.a, line.b);
        }
        return chosen;
    }

    void addLine(int a, int v, int b) {
        const float l1 = length(at(a) - at(v)), l2 = length(at(b) - at(v)), own = result_.areas[v];
        if (!(l1 > 0) || !(l2 > 0)) return;
        // Scaled by l₁ l₂ so that the weights are about 1 in single precision.
        const float scale = l1 * l2, c1 = 2 * l2 / (l1 + l2), c2 = 2 * l1 / (l1 + l2);
        addFold({{a, v, b, b}, {c1, -c1 - c2, c2, 0}, 0, own / square(scale)});
        addLink(a, b, SpringFamily::bend, 2 * own);
    }

    void addFold(Fold fold) {
        Vec3 sum;
        for (int k = 0; k < 4; ++k) sum += fold.c[k] * at(fold.v[k]);
        // Flat folds are not exactly zero in floats; set their rest value to 0.
        const float size = length(sum), reach = length(at(fold.v[0]) - at(fold.v[1]));
        fold.rest = size > 1e-4f * reach ? size : 0;
        result_.folds.push_back(fold);
    }

    const Vec3* x_;
    std::vector<Side> sides_;
    std::vector<Diagonal> diagonals_;
    KeySet linked_;
    int faceCount_ = 0;
    Topology result_;
};

}  // namespace

Topology makeTopology(const Faces& faces, const Vec3* points, int count) {
    return Builder(faces, points, count).take();
}

void joinLayers(Topology& topology, const Vec3* points, int layers) {
    const int pointsPerLayer = static_cast<int>(topology.areas.size()) / layers, last = (layers - 1) * pointsPerLayer;
    const auto distanceOf = [&](int a, int b) { return length(points[a] - points[b]); };
    const size_t inPlaneLinks = topology.links.size();
    for (int i = 0; i < last; ++i) {
        const float rest = distanceOf(i, i + pointsPerLayer);
        if (!(rest > 0)) throw Error("layers touch at rest; increase the thickness");
        // k = E A / t
        topology.links.push_back({i, i + pointsPerLayer, SpringFamily::strut, rest, topology.areas[i] / rest});
    }
    // Sliding by γ t lengthens a slant of length L by γ t l/L, with l its in-plane length. With
    //     k = G A L² / (4 l² t)
    // slants over edges and over diagonals each have half of the energy ½ G γ² A t.
    for (size_t k = 0; k < inPlaneLinks; ++k) {
        const Link link = topology.links[k];
        if (link.family == SpringFamily::bend || link.a >= last || link.b >= last) continue;
        // The factor of a diagonal counts the area of its face for both diagonals.
        const float factor =
            link.family == SpringFamily::shear ? 0.125f * link.stiffnessPerModulus : 0.25f * link.stiffnessPerModulus;
        for (const auto& [a, b] : {Pair(link.a, link.b), Pair(link.b, link.a)}) {
            const float rest = distanceOf(a, b + pointsPerLayer), distance = distanceOf(a, a + pointsPerLayer);
            topology.links.push_back(
                {a, b + pointsPerLayer, SpringFamily::slant, rest, factor * square(rest) / distance});
        }
    }
}

void sew(Topology& topology, const Vec3* points, const std::vector<std::pair<int, int>>& seams) {
    for (const auto& [a, b] : seams) {
        const float rest = length(points[a] - points[b]);
        if (!(rest > 0))
            throw Error("seam points " + std::to_string(a) + " and " + std::to_string(b) +
                        " coincide; move them apart");
        topology.links.push_back({a, b, SpringFamily::structural, rest, 1});
    }
}

}  // namespace purl

#include "solver/knit/yarn.h"

#include <algorithm>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

template <class T>
Buffer<T> toBuffer(const Device& device, const std::vector<T>& values) {
    Buffer<T> buffer(device, static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
    return buffer;
}

// Normals of the mesh's vertices: triangles around them, weighted by area.
struct VertexNormals {
    Span<const int> first, corners;
    Span<const Vec3> x;
    Span<Vec3> normal;

    PURL_HD void operator()(int i) const {
        Vec3 sum;
        for (int k = first[i]; k < first[i + 1]; k += 3) {
            const Vec3 a = x[corners[k]];
            sum += cross(x[corners[k + 1]] - a, x[corners[k + 2]] - a);
        }
        normal[i] = normalized(sum);
    }
};

// Mass points of the lattice, halfway between the layers: m, m/s, and the way to the front layer.
struct FollowMesh {
    Span<const MeshBond> bonds;
    Span<const Vec3> x, v, normal;
    float offset;  // m, half of the thickness
    int perRow;
    Span<Vec3> front, back, velocity;

    PURL_HD Vec3 blend(Span<const Vec3> values, int point) const {
        const MeshBond& bond = bonds[point];
        return bond.weight[0] * values[bond.vertex[0]] + bond.weight[1] * values[bond.vertex[1]] +
               bond.weight[2] * values[bond.vertex[2]];
    }
    PURL_HD Vec3 out(Span<const Vec3> values, int point, int beyond) const {
        const Vec3 here = blend(values, point);
        return beyond == 0 ? here : here + static_cast<float>(beyond) * (here - blend(values, point - perRow));
    }
    PURL_HD void operator()(int i) const {
        // Beyond the mesh's edge, the last two rows go on straight.
        int point = i, beyond = 0;
        for (; point >= bonds.count; point -= perRow) ++beyond;
        const Vec3 middle = out(x, point, beyond), way = offset * normalized(blend(normal, point));
        front[i] = middle + way;
        back[i] = middle - way;
        velocity[i] = out(v, point, beyond);
    }
};

// m, how long and high each cell is, together.
struct CellSizes {
    LatticeSize size;
    Span<const Vec3> front, back;
    Span<float> total;

    PURL_HD Vec3 middle(int row, int column, int m) const {
        const int point = size.corner(row, column, m - 1);
        return 0.5f * (front[point] + back[point]);
    }
    PURL_HD void operator()(int cell) const {
        const int row = cell / size.wales, column = cell % size.wales;
        const Vec3 m1 = middle(row, column, 1), m2 = middle(row, column, 2), m3 = middle(row, column, 3),
                   m4 = middle(row, column, 4);
        total[cell] = 0.5f * (length(m4 - m3) + length(m2 - m1) + length(m1 - m3) + length(m2 - m4));
    }
};

// How far up loops reach into the next course, as a share of what they do at rest: stretching draws yarn out of their
// heads and legs, squeezing lets it back. Limits keep heads above the feet that they go around.
struct Tighten {
    Span<const float> rest, now;  // of CellSizes
    float amount;
    Span<float> reach;

    static constexpr float kYield = 4, kLeast = 0.55f, kMost = 1.2f;

    PURL_HD void operator()(int cell) const {
        const float strain = rest[cell] > 0 ? now[cell] / rest[cell] - 1 : 0;
        reach[cell] = clamp(1 - amount * kYield * strain, kLeast, kMost);
    }
};

// Bonding points (Güdükbay eq. 1) of the current mass points.
struct Bond {
    LatticeSize size;
    Span<const YarnPoint> points;
    Span<const Vec3> front, back, v;
    Span<const float> reach;
    Vec3* position;
    Vec3* velocity;

    PURL_HD void operator()(int i) const {
        const YarnPoint& point = points[i];
        // P(u, s v) = s P(u, v) + (1 − s) P(u, 0)
        const float s = reach[point.row * size.wales + point.column];
        const auto& m = point.bond.m;
        const float low = 1 - s;
        const float weight[4] = {s * m[0], s * m[1], s * m[2] + low * (m[0] + m[2]), s * m[3] + low * (m[1] + m[3])};
        const float depth = point.bond.depth;
        Vec3 place, speed;
        for (int k = 0; k < 4; ++k) {
            const int corner = size.corner(point.row, point.column, k);
            place += weight[k] * ((1 - depth) * front[corner] + depth * back[corner]);
            speed += weight[k] * v[corner];
        }
        position[i] = place;
        velocity[i] = speed;
    }
};

Pattern patternOf(const Knit& knit) {
    const std::string& name = knit.params.pattern;
    if (!knit.chart.empty()) return parsePattern(knit.chart, name.empty() ? knit.name : name);
    return patternNamed(name.empty() ? "stockinette" : name, knit.name);
}

}  // namespace

KnitFabric::KnitFabric(const Device& device, const Knit& knit, const std::vector<Vec3>& rest)
    : device_(device),
      knit_(knit),
      bonds_(device),
      firstFace_(device),
      faces_(device),
      points_(device),
      cellSizes_(device) {
    knit_.points = rest;
    const Pattern pattern = patternOf(knit);
    notes_ = pattern.notes;
    lattice_ = layLattice(knit, rest, pattern);
    const LatticeSize& size = lattice_.size;
    const std::vector<YarnPath> paths = layYarns(size, fill(pattern, size.courses, size.wales), knit.params.edges);

    curves_.name = knit.name;
    curves_.plies = knit.params.plies;
    std::vector<YarnPoint> points;
    for (const YarnPath& path : paths) {
        const auto yarn = static_cast<size_t>(path.yarn);
        curves_.counts.push_back(static_cast<int>(path.points.size()));
        curves_.ids.push_back(path.yarn);
        const bool said = yarn < pattern.colors.size() && pattern.colors[yarn];
        curves_.colors.push_back(said        ? *pattern.colors[yarn]
                                 : yarn == 0 ? knit.params.color
                                             : knit.params.secondColor);
        for (const YarnPoint& point : path.points) {
            points.push_back(point);
            curves_.courses.push_back(point.course);
            curves_.wales.push_back(point.wale);
        }
    }
    curves_.widths.assign(points.size(), 2 * knit.params.yarnRadius);
    points_ = toBuffer(device, points);
    bonds_ = toBuffer(device, lattice_.bonds);

    std::vector<int> first(rest.size() + 1, 0);
    const std::vector<int> triangles = trianglesOf(knit.faces);
    for (const int vertex : triangles) first[static_cast<size_t>(vertex) + 1] += 3;
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<int> around(3 * triangles.size()), next(first.begin(), first.end() - 1);
    for (size_t t = 0; t < triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            int& at = next[static_cast<size_t>(triangles[t + k])];
            std::copy_n(triangles.begin() + static_cast<std::ptrdiff_t>(t), 3, around.begin() + at);
            at += 3;
        }
    firstFace_ = toBuffer(device, first);
    faces_ = toBuffer(device, around);

    // Twist is a matter of the yarn at rest; it stays on the yarn however the fabric moves.
    Buffer<Vec3> x = toBuffer(device, rest), v(device, static_cast<int>(rest.size()));
    const KnitLayers layers = follow(std::as_const(x).span(), std::as_const(v).span());
    cellSizes_ = cellSizes(layers);
    const Curves atRest = curvesOf(layers);
    constexpr float kTurn = 6.2831853f;
    size_t i = 0;
    for (const int count : curves_.counts)
        for (int k = 0; k < count; ++k, ++i)
            curves_.twists.push_back(k == 0 ? 0
                                            : curves_.twists.back() +
                                                  kTurn * knit.params.twist *
                                                      length(atRest.positions[i] - atRest.positions[i - 1]));
}

bool KnitFabric::fits(const Knit& knit) const {
    return knit.name == knit_.name && knit.chart == knit_.chart && sameParams(knit.params, knit_.params) &&
           knit.faces == knit_.faces;
}

KnitLayers KnitFabric::follow(Span<const Vec3> x, Span<const Vec3> v) const {
    PURL_ASSERT(x.count + 1 == firstFace_.size() && v.count == x.count);
    Buffer<Vec3> normal(device_, x.count);
    forEach(device_, "knitNormals", x.count, VertexNormals{firstFace_.span(), faces_.span(), x, normal.span()});
    KnitLayers layers(device_);
    const int count = lattice_.size.points();
    for (Buffer<Vec3>* buffer : {&layers.front, &layers.back, &layers.v}) buffer->renew(count);
    const Buffer<Vec3>& normals = normal;
    forEach(device_, "followMesh", count,
            FollowMesh{bonds_.span(), x, v, normals.span(), 0.5f * knit_.params.thickness, lattice_.size.perRow(),
                       layers.front.span(), layers.back.span(), layers.v.span()});
    device_.synchronize();
    return layers;
}

Buffer<float> KnitFabric::cellSizes(const KnitLayers& layers) const {
    const LatticeSize& size = lattice_.size;
    Buffer<float> sizes(device_, size.cells());
    forEach(device_, "measureStitches", size.cells(),
            CellSizes{size, layers.front.span(), layers.back.span(), sizes.span()});
    device_.synchronize();
    return sizes;
}

Curves KnitFabric::curvesOf(const KnitLayers& layers) const {
    Curves curves = curves_;
    const LatticeSize& size = lattice_.size;
    const Buffer<float> sizes = cellSizes(layers);
    Buffer<float> reach(device_, size.cells());
    forEach(device_, "tightenLoops", size.cells(),
            Tighten{cellSizes_.span(), sizes.span(), knit_.params.tighten, reach.span()});
    const int count = points_.size();
    curves.positions.resize(static_cast<size_t>(count));
    curves.velocities.resize(static_cast<size_t>(count));
    Buffer<Vec3> position(device_, count), velocity(device_, count);
    const Buffer<float>& reached = reach;
    forEach(device_, "bondYarn", count,
            Bond{size, points_.span(), layers.front.span(), layers.back.span(), layers.v.span(), reached.span(),
                 position.data(), velocity.data()});
    device_.synchronize();
    std::copy(position.begin(), position.end(), curves.positions.begin());
    std::copy(velocity.begin(), velocity.end(), curves.velocities.begin());
    return curves;
}

}  // namespace purl

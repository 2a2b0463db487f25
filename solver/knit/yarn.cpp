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

// Area-weighted vertex normals of the mesh.
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

// Front and back mass points: half the thickness along the normal to either side.
struct FollowMesh {
    Span<const MeshBond> bonds;
    Span<const Vec3> x, v, normal;
    float offset;  // m, half of the thickness
    Span<Vec3> front, back, vFront, vBack;

    PURL_HD Vec3 blend(Span<const Vec3> values, int i) const {
        const MeshBond& bond = bonds[i];
        return bond.weight[0] * values[bond.vertex[0]] + bond.weight[1] * values[bond.vertex[1]] +
               bond.weight[2] * values[bond.vertex[2]];
    }
    PURL_HD void operator()(int i) const {
        const Vec3 middle = blend(x, i), halfThickness = offset * normalized(blend(normal, i));
        front[i] = middle + halfThickness;
        back[i] = middle - halfThickness;
        vFront[i] = vBack[i] = blend(v, i);
    }
};

// Extrapolates one row above the fabric's last row, with the thickness of the last.
struct ExtrapolateRow {
    Span<const ExtrapolatedPoint> points;
    int first;
    Span<Vec3> front, back;

    PURL_HD void operator()(int i) const {
        const auto [a, b] = points[i];
        const Vec3 middle = front[a] + back[a] - 0.5f * (front[b] + back[b]), half = 0.5f * (front[a] - back[a]);
        front[first + i] = middle + half;
        back[first + i] = middle - half;
    }
};

// m, mean width plus mean height of each cell.
struct CellSizes {
    Span<const KnitCell> cells;
    Span<const Vec3> front, back;
    Span<float> total;

    PURL_HD void operator()(int cell) const {
        Vec3 m[4];
        for (int k = 0; k < 4; ++k) {
            const int point = cells[cell].corner[k];
            m[k] = 0.5f * (front[point] + back[point]);
        }
        total[cell] = 0.5f * (length(m[3] - m[2]) + length(m[1] - m[0]) + length(m[0] - m[2]) + length(m[1] - m[3]));
    }
};

// How far loops reach up into the next course, relative to the rest state: stretching draws yarn out of heads and legs,
// compression gives it back. Limits keep heads above the feet that they go around.
struct Tighten {
    Span<const float> rest, now;  // as measured by CellSizes
    float amount;
    Span<float> reach;

    static constexpr float kYield = 4, kMinReach = 0.55f, kMaxReach = 1.2f;

    PURL_HD void operator()(int cell) const {
        const float strain = rest[cell] > 0 ? now[cell] / rest[cell] - 1 : 0;
        reach[cell] = clamp(1 - amount * kYield * strain, kMinReach, kMaxReach);
    }
};

// Positions and velocities of the bonding points (Güdükbay eq. 1).
struct Bond {
    Span<const BoundPoint> points;
    Span<const Vec3> front, back, vFront, vBack;
    Span<const float> reach;
    Vec3* position;
    Vec3* velocity;

    PURL_HD void operator()(int i) const {
        const BoundPoint& point = points[i];
        // P(u, s v) = s P(u, v) + (1 − s) P(u, 0)
        const float s = reach[point.cell];
        const auto& m = point.bond.m;
        const float low = 1 - s;
        const float weight[4] = {s * m[0], s * m[1], s * m[2] + low * (m[0] + m[2]), s * m[3] + low * (m[1] + m[3])};
        const float depth = point.bond.depth;
        Vec3 place, speed;
        for (int k = 0; k < 4; ++k) {
            const int corner = point.corner[k];
            place += weight[k] * ((1 - depth) * front[corner] + depth * back[corner]);
            speed += weight[k] * ((1 - depth) * vFront[corner] + depth * vBack[corner]);
        }
        position[i] = place;
        velocity[i] = speed;
    }
};

// A mass point on the border of its piece, and the next one inside.
struct BorderPoint {
    int piece, point, inner;
};

// The border points of one lattice; a tube has no side borders.
std::vector<BorderPoint> borderOf(const Courses& courses) {
    std::vector<BorderPoint> rim;
    const int last = courses.count(), wales = courses.wales(0);
    for (int c = 0; c < courses.perRow(0); ++c)
        rim.push_back({0, courses.point(0, c), courses.corner(0, std::min(c, wales - 1), c < wales ? 0 : 1)});
    for (int r = 1; r < last && !courses.closed(); ++r) {
        const int left = courses.point(r, 0), right = courses.point(r, courses.wales(r));
        rim.push_back({0, left, left + 1});
        rim.push_back({0, right, right - 1});
    }
    const int perRow = courses.perRow(last), count = courses.massPoints();
    for (int i = count - perRow; i < count; ++i) rim.push_back({0, i, i - perRow});
    return rim;
}

// Where pieces meet edge to edge, each border point is sewn to the inner neighbour of the nearest border point of the
// other piece: border points themselves coincide, and a spring must not have zero length. `reach`, m: more than half a
// stitch, less than one.
std::vector<std::pair<int, int>> findSeams(const std::vector<BorderPoint>& borders, const KnitLayers& layers,
                                           float reach) {
    std::vector<std::pair<int, int>> seams;
    const auto at = [&](int i) { return 0.5f * (layers.front[i] + layers.back[i]); };
    for (const BorderPoint& one : borders) {
        const BorderPoint* nearest = nullptr;
        float least = reach;
        for (const BorderPoint& other : borders) {
            const float apart = other.piece == one.piece ? least : length(at(one.point) - at(other.point));
            if (!(apart < least)) continue;
            least = apart;
            nearest = &other;
        }
        if (nearest && at(one.point) != at(nearest->inner)) seams.emplace_back(one.point, nearest->inner);
    }
    return seams;
}

Pattern readPattern(const Knit& knit) {
    const std::string& name = knit.params.pattern;
    if (!knit.chart.empty()) return parsePattern(knit.chart, name.empty() ? knit.name : name);
    return builtInPattern(name.empty() ? "stockinette" : name, knit.name);
}

}  // namespace

KnitFabric::KnitFabric(const Device& device, const Knit& knit, const std::vector<Vec3>& rest)
    : device_(device),
      knit_(knit),
      bonds_(device),
      extrapolated_(device),
      firstFace_(device),
      faces_(device),
      cells_(device),
      points_(device),
      cellSizes_(device) {
    knit_.points = rest;
    const Pattern pattern = readPattern(knit);
    notes_ = pattern.notes;
    lattices_ = layLattices(knit, rest, pattern);
    curves_.name = knit.name;
    curves_.plies = knit.params.plies;
    int massPoints = 0;
    for (const KnitLattice& lattice : lattices_) massPoints += static_cast<int>(lattice.bonds.size());
    std::vector<MeshBond> bonds;
    std::vector<ExtrapolatedPoint> extrapolated;
    std::vector<KnitCell> cells;
    std::vector<BoundPoint> points;
    std::vector<BorderPoint> borders;
    for (size_t piece = 0; piece < lattices_.size(); ++piece) {
        const KnitLattice& lattice = lattices_[piece];
        const Courses& courses = lattice.courses;
        // Mass points of all pieces come first, then the extrapolated ones.
        const auto own = static_cast<int>(lattice.bonds.size()), first = static_cast<int>(bonds.size()),
                   firstExtrapolated = massPoints + static_cast<int>(extrapolated.size()),
                   firstCell = static_cast<int>(cells.size());
        const auto inAll = [&](int i) { return i < own ? first + i : firstExtrapolated + i - own; };
        bonds.insert(bonds.end(), lattice.bonds.begin(), lattice.bonds.end());
        const int perRow = courses.perRow(courses.count());
        for (int i = own; i < courses.points(); ++i) extrapolated.push_back({inAll(i - perRow), inAll(i - 2 * perRow)});
        for (int row = 0; row < courses.rows(); ++row)
            for (int column = 0; column < courses.wales(row); ++column) {
                cells.emplace_back();
                for (int m = 0; m < 4; ++m) cells.back().corner[m] = inAll(courses.corner(row, column, m));
            }
        for (const auto& gap : courses.gaps()) gaps_.push_back({first + gap[0], first + gap[1], first + gap[2]});
        for (const BorderPoint& rim : borderOf(courses))
            borders.push_back({static_cast<int>(piece), first + rim.point, first + rim.inner});
        for (const YarnPath& path : routeYarns(courses, expandPattern(pattern, courses), knit.params.edges)) {
            const auto yarn = static_cast<size_t>(path.yarn);
            curves_.counts.edit().push_back(static_cast<int>(path.points.size()));
            curves_.ids.edit().push_back(static_cast<int>(piece) * kMaxYarnsPerPiece + path.yarn);
            const bool hasColor = yarn < pattern.colors.size() && pattern.colors[yarn];
            curves_.colors.edit().push_back(hasColor    ? *pattern.colors[yarn]
                                            : yarn == 0 ? knit.params.color
                                                        : knit.params.secondColor);
            for (const YarnPoint& point : path.points) {
                const int cell = firstCell + courses.cell(point.row, point.column);
                points.push_back({{}, point.bond, cell});
                std::copy_n(cells[cell].corner, 4, points.back().corner);
                curves_.courses.edit().push_back(point.course);
                curves_.wales.edit().push_back(point.wale);
            }
        }
    }
    curves_.widths = std::vector<float>(points.size(), 2 * knit.params.yarnRadius);
    bonds_ = toBuffer(device, bonds);
    extrapolated_ = toBuffer(device, extrapolated);
    cells_ = toBuffer(device, cells);
    points_ = toBuffer(device, points);

    std::vector<int> first(rest.size() + 1, 0);
    // Only the knitted triangles: the end cap of a tube would flare its hem.
    std::vector<int> triangles;
    for (const KnitLattice& lattice : lattices_)
        triangles.insert(triangles.end(), lattice.triangles.begin(), lattice.triangles.end());
    for (const int vertex : triangles) first[static_cast<size_t>(vertex) + 1] += 3;
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<int> around(3 * triangles.size()), next(first.begin(), first.end() - 1);
    for (size_t t = 0; t < triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            int& at = next[triangles[t + k]];
            std::copy_n(triangles.begin() + static_cast<std::ptrdiff_t>(t), 3, around.begin() + at);
            at += 3;
        }
    firstFace_ = toBuffer(device, first);
    faces_ = toBuffer(device, around);

    // Twist is fixed to the yarn in its rest shape, however the fabric moves.
    Buffer<Vec3> x = toBuffer(device, rest), v(device, static_cast<int>(rest.size()));
    const KnitLayers layers = follow(std::as_const(x).span(), std::as_const(v).span());
    cellSizes_ = cellSizes(layers);
    if (lattices_.size() > 1)
        seams_ = findSeams(borders, layers, 0.6f * std::max(knit.params.stitchWidth, knit.params.stitchHeight));
    const Curves atRest = makeCurves(layers);
    constexpr float kTurn = 6.2831853f;
    std::vector<float> twists;
    twists.reserve(atRest.count());
    size_t i = 0;
    for (const int count : curves_.counts)
        for (int k = 0; k < count; ++k, ++i)
            twists.push_back(k == 0 ? 0
                                    : twists.back() + kTurn * knit.params.twist *
                                                          length(atRest.positions[i] - atRest.positions[i - 1]));
    curves_.twists = std::move(twists);
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
    for (Buffer<Vec3>* buffer : {&layers.front, &layers.back, &layers.vFront, &layers.vBack})
        buffer->resizeDiscard(massPoints() + extrapolated_.size());
    const Buffer<Vec3>& normals = normal;
    forEach(device_, "followMesh", massPoints(),
            FollowMesh{bonds_.span(), x, v, normals.span(), 0.5f * knit_.params.thickness, layers.front.span(),
                       layers.back.span(), layers.vFront.span(), layers.vBack.span()});
    extrapolate(layers);
    return layers;
}

KnitLayers KnitFabric::layersFromCloth(Span<const Vec3> x, Span<const Vec3> v) const {
    PURL_ASSERT(x.count == kKnitLayers * massPoints() && v.count == x.count);
    KnitLayers layers(device_);
    const auto take = [&](Buffer<Vec3>& buffer, const Vec3* from) {
        buffer.resizeDiscard(massPoints() + extrapolated_.size());
        std::copy_n(from, massPoints(), buffer.begin());
    };
    const int back = (kKnitLayers - 1) * massPoints();
    take(layers.front, x.data);
    take(layers.back, x.data + back);
    take(layers.vFront, v.data);
    take(layers.vBack, v.data + back);
    extrapolate(layers);
    return layers;
}

void KnitFabric::extrapolate(KnitLayers& layers) const {
    const auto extrapolateLayers = [&](Buffer<Vec3>& front, Buffer<Vec3>& back) {
        forEach(device_, "goBeyond", extrapolated_.size(),
                ExtrapolateRow{extrapolated_.span(), massPoints(), front.span(), back.span()});
    };
    extrapolateLayers(layers.front, layers.back);
    extrapolateLayers(layers.vFront, layers.vBack);
}

// The minimum of the surrounding vertices; otherwise a coarse mesh would pin stitches far from its pins.
std::vector<float> KnitFabric::atMassPoints(const std::vector<float>& map) const {
    constexpr float kNegligible = 1e-3f;
    std::vector<float> values;
    for (const MeshBond& bond : bonds_) {
        if (map.empty()) break;
        float least = kUnbounded;
        for (int k = 0; k < 3; ++k)
            if (bond.weight[k] > kNegligible) least = std::min(least, map[bond.vertex[k]]);
        values.push_back(least);
    }
    return values;
}

Cloth KnitFabric::asCloth(const Knit& knit, int layers) const {
    const auto vertices = static_cast<int>(knit.points.size());
    const Buffer<Vec3> still(device_, vertices);
    const KnitLayers led = follow({knit.points.data(), vertices}, still.span());
    Cloth cloth;
    cloth.name = knit.name;
    cloth.params = knit.params;
    cloth.params.thickness = 2 * knit.params.yarnRadius;
    cloth.params.windDrag *= 1 - knit.params.openness;
    cloth.pores = {knit.pores.params, atMassPoints(knit.pores.wetnessMap), atMassPoints(knit.pores.porosityMap),
                   atMassPoints(knit.pores.permeabilityMap)};
    cloth.layers.count = layers;
    cloth.layers.compressStiffness = knit.params.compressStiffness;
    cloth.layers.slideStiffness = knit.params.slideStiffness;
    for (int layer = 0; layer < layers; ++layer)
        for (const auto& [a, b] : seams_)
            cloth.layers.seams.emplace_back(layer * massPoints() + a, layer * massPoints() + b);
    const std::vector<float> pins = atMassPoints(knit.pins), stiffness = atMassPoints(knit.stiffnessMap),
                             mass = atMassPoints(knit.massMap);
    std::vector<int> faceCounts, faceCorners;
    for (int layer = 0; layer < layers; ++layer) {
        // 0 at the front, 1 at the back.
        const float depth = layers == 1 ? 0.5f : static_cast<float>(layer) / static_cast<float>(layers - 1);
        for (int i = 0; i < massPoints(); ++i) cloth.points.push_back(lerp(led.front[i], led.back[i], depth));
        cloth.pins.insert(cloth.pins.end(), pins.begin(), pins.end());
        cloth.stiffnessMap.insert(cloth.stiffnessMap.end(), stiffness.begin(), stiffness.end());
        cloth.massMap.insert(cloth.massMap.end(), mass.begin(), mass.end());
        const auto addFace = [&](const int* corners, int count) {
            faceCounts.push_back(count);
            for (int k = 0; k < count; ++k) faceCorners.push_back(layer * massPoints() + corners[k]);
        };
        for (const KnitCell& cell : cells_) {
            // m3, m4, m2, m1: counter-clockwise seen from the front, first edge along the course.
            const int corners[] = {cell.corner[2], cell.corner[3], cell.corner[1], cell.corner[0]};
            if (std::max({corners[0], corners[1], corners[2], corners[3]}) >= massPoints()) continue;
            // The cell of a decrease has no upper edge.
            addFace(corners, corners[2] == corners[3] ? 3 : 4);
        }
        for (const auto& gap : gaps_) addFace(gap.data(), 3);
    }
    cloth.faces.counts = std::move(faceCounts);
    cloth.faces.corners = std::move(faceCorners);
    return cloth;
}

template <class T>
std::vector<T> KnitFabric::onYarn(Span<const T> ofMassPoints) const {
    PURL_ASSERT(ofMassPoints.count == massPoints());
    std::vector<T> values;
    values.reserve(static_cast<size_t>(points_.size()));
    for (const BoundPoint& point : points_) {
        // Points outside their cell, as on a cast-on edge, get the value at its border: extrapolation would give
        // negative values where a hem is wetter than the fabric above it.
        T sum{};
        float total = 0;
        for (int k = 0; k < 4; ++k) {
            // The extrapolated row has the values of the last row.
            int corner = point.corner[k];
            if (corner >= massPoints()) corner = extrapolated_[corner - massPoints()].a;
            const float weight = std::max(0.0f, point.bond.m[k]);
            sum += weight * ofMassPoints[corner];
            total += weight;
        }
        if (total > 1) sum = sum / total;
        values.push_back(sum);
    }
    return values;
}
template std::vector<float> KnitFabric::onYarn(Span<const float>) const;
template std::vector<Vec3> KnitFabric::onYarn(Span<const Vec3>) const;

std::vector<StitchPlace> KnitFabric::stitches() const {
    std::vector<StitchPlace> nearest(static_cast<size_t>(massPoints()));
    std::vector<float> most(nearest.size(), 0);  // largest weight of any yarn point so far
    int i = 0;
    for (size_t yarn = 0; yarn < curves_.counts.size(); ++yarn)
        for (const int end = i + curves_.counts[yarn]; i < end; ++i)
            for (size_t k = 0; k < 4; ++k) {
                const int corner = points_[i].corner[k];
                const float weight = points_[i].bond.m[k];
                if (corner >= massPoints() || !(weight > most[corner])) continue;
                most[corner] = weight;
                nearest[corner] = {curves_.ids[yarn], curves_.courses[i], curves_.wales[i]};
            }
    return nearest;
}

Buffer<float> KnitFabric::cellSizes(const KnitLayers& layers) const {
    Buffer<float> sizes(device_, cells_.size());
    forEach(device_, "measureStitches", cells_.size(),
            CellSizes{cells_.span(), layers.front.span(), layers.back.span(), sizes.span()});
    return sizes;
}

Curves KnitFabric::makeCurves(const KnitLayers& layers) const {
    Curves curves = curves_;
    const Buffer<float> sizes = cellSizes(layers);
    Buffer<float> reach(device_, cells_.size());
    forEach(device_, "tightenLoops", cells_.size(),
            Tighten{cellSizes_.span(), sizes.span(), knit_.params.tighten, reach.span()});
    const int count = points_.size();
    Buffer<Vec3> position(device_, count), velocity(device_, count);
    const Buffer<float>& reached = reach;
    forEach(device_, "bondYarn", count,
            Bond{points_.span(), layers.front.span(), layers.back.span(), layers.vFront.span(), layers.vBack.span(),
                 reached.span(), position.data(), velocity.data()});
    curves.positions = std::vector<Vec3>(position.begin(), position.end());
    curves.velocities = std::vector<Vec3>(velocity.begin(), velocity.end());
    return curves;
}

}  // namespace purl

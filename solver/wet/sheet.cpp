#include "solver/wet/sheet.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "solver/core/forEach.h"
#include "solver/wet/pores.h"

namespace purl {
namespace {

float at(const std::vector<float>& map, size_t i) { return map.empty() ? 1.0f : map[i]; }

template <class T>
void put(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.resizeDiscard(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

// Unit vector along a triangle's courses: the direction of increasing u of its texture coordinates; without them the
// first edge of its face, as in knits.
Vec3 courseDirection(const Vec3* p, const float* u, const float* v, Vec3 firstEdge, Vec3 normal) {
    Vec3 along;
    if (u) {
        const float u1 = u[1] - u[0], u2 = u[2] - u[0], v1 = v[1] - v[0], v2 = v[2] - v[0];
        const float det = u1 * v2 - u2 * v1;
        if (det != 0) along = (v2 / det) * (p[1] - p[0]) - (v1 / det) * (p[2] - p[0]);
    }
    if (!(lengthSquared(along) > 0)) along = firstEdge - dot(firstEdge, normal) * normal;
    return normalized(along, normalized(p[1] - p[0]));
}

// Fraction of the pores closed by strain in a triangle: the loss of area, plus the stretch, because stretched fabric
// gets thinner. The squared stretches λ² are the eigenvalues of G⁻¹ g, with the metrics G at rest and g now.
struct ClosePores {
    Span<const PoreTriangle> triangles;
    Span<const Vec3> x;
    Span<float> closed;

    PURL_HD void operator()(int t) const {
        const PoreTriangle& own = triangles[t];
        const Vec3 a = x[own.v[1]] - x[own.v[0]], b = x[own.v[2]] - x[own.v[0]];
        const float aa = dot(a, a), ab = dot(a, b), bb = dot(b, b);
        const float trace = own.g11 * aa + 2 * own.g12 * ab + own.g22 * bb;
        const float det = (own.g11 * own.g22 - own.g12 * own.g12) * (aa * bb - ab * ab);
        const float area = std::sqrt(det > 0 ? det : 0);
        const float root = 0.25f * trace * trace - det;
        const float longest = std::sqrt(0.5f * trace + std::sqrt(root > 0 ? root : 0));
        const float lost = (area < 1 ? 1 - area : 0) + (longest > 1 ? longest - 1 : 0);
        closed[t] = own.area * (own.squeeze * lost < 1 ? own.squeeze * lost : 1);
    }
};

constexpr float kMinOpenFraction = 0.05f;  // of the pores: fibres never close them completely

struct GatherRoom {
    Span<const int> starts, incident;
    Span<const PoreTriangle> triangles;
    Span<const float> closed;
    Span<const PoreCell> cells;
    Span<float> room;

    PURL_HD void operator()(int i) const {
        float lost = 0, area = 0;
        for (int k = starts[i]; k < starts[i + 1]; ++k) {
            lost += closed[incident[k]];
            area += triangles[incident[k]].area;
        }
        const float open = area > 0 ? 1 - lost / area : 1;
        room[i] = cells[i].pores() * (open > kMinOpenFraction ? open : kMinOpenFraction);
    }
};

// A loss of thickness is a loss of fabric volume, all of it pore volume; `squeeze` scales it.
struct CompressRoom {
    Span<const PoreCell> cells;
    Span<const PoreFabric> fabrics;
    Span<const float> pressed, room;
    Span<float> left;

    PURL_HD void operator()(int i) const {
        left[i] = room[i];
        if (cells[i].fabric < 0 || !(pressed[i] > 0)) return;
        const float pores = cells[i].pores();
        const float open = room[i] - fabrics[cells[i].fabric].squeeze * pressed[i] * pores;
        left[i] = open > kMinOpenFraction * pores ? open : kMinOpenFraction * pores;
    }
};

struct CellNormals {
    Span<const int> starts, incident;
    Span<const PoreTriangle> triangles;
    Span<const Vec3> x;
    Span<Vec3> normal;

    PURL_HD void operator()(int i) const {
        Vec3 sum;
        for (int k = starts[i]; k < starts[i + 1]; ++k) {
            const PoreTriangle& own = triangles[incident[k]];
            sum += cross(x[own.v[1]] - x[own.v[0]], x[own.v[2]] - x[own.v[0]]);
        }
        normal[i] = normalized(sum);
    }
};

}  // namespace

PoreSheet::PoreSheet(const Device& device)
    : cells(device),
      fabrics(device),
      linkStarts(device),
      links(device),
      device_(device),
      triangles_(device),
      incidentStarts_(device),
      incident_(device),
      closed_(device),
      normals_(device) {}

void PoreSheet::set(const Scene& scene, const Buffer<Vec3>& rest) {
    const bool any =
        std::any_of(scene.cloths.begin(), scene.cloths.end(), [](const Cloth& cloth) { return cloth.pores.absorb(); });
    std::vector<Source> sources;
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const auto count = static_cast<int>(cloth.points.size());
        if (any && cloth.pores.absorb())
            sources.push_back({cloth.faces, cloth.pores, {rest.begin() + first, rest.begin() + first + count}});
        else
            sources.emplace_back();
        sources.back().rest.resize(static_cast<size_t>(count));
        first += count;
    }
    if (sources == sources_) return;
    sources_ = std::move(sources);
    edges_.clear();
    triangleList_.clear();
    cells.resizeDiscard(any ? first : 0);
    std::fill(cells.begin(), cells.end(), PoreCell{});
    fabrics.resizeDiscard(static_cast<int>(scene.cloths.size()));
    std::fill(fabrics.begin(), fabrics.end(), PoreFabric{});
    first = 0;
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        if (any && scene.cloths[c].pores.absorb())
            addFabric(scene.cloths[c], static_cast<int>(c), first + scene.cloths[c].middle(),
                      rest.data() + first + scene.cloths[c].middle());
        first += static_cast<int>(scene.cloths[c].points.size());
    }
    buildLinks();
}

void PoreSheet::addFabric(const Cloth& cloth, int fabric, int first, const Vec3* rest) {
    const WetParams& params = cloth.pores.params;
    PoreFabric& common = fabrics[fabric];
    common.viscosity = params.waterViscosity;
    common.evaporation = params.evaporation;
    common.clingingFilm = params.clingingFilm;
    common.squeeze = params.squeeze;
    common.intake = params.intake;
    common.depth = params.soakDepth;
    common.pushes = params.reference.poresPush;
    common.soaks = params.soaks();
    const auto count = static_cast<size_t>(cloth.pointsOfLayer());
    for (size_t i = 0; i < count; ++i) {
        PoreCell& cell = cells[first + static_cast<int>(i)];
        cell.fabric = fabric;
        cell.porosity = params.porosity * at(cloth.pores.porosityMap, i);
        cell.permeability = params.permeability * at(cloth.pores.permeabilityMap, i);
        cell.capillaryScale = static_cast<float>(capillaryScale(params.capillarity, cell.permeability, cell.porosity));
    }
    const Faces faces = cloth.facesOfLayer();
    const bool uvs = faces.cornerUvs.size() == faces.corners.size();
    size_t corner = 0;
    forEachFace(faces, [&](const int* corners, int sides) {
        const Vec3 firstEdge = rest[corners[1]] - rest[corners[0]];
        for (int k = 2; k < sides; ++k) {
            const int fan[3] = {0, k - 1, k};
            Vec3 p[3];
            float u[3] = {}, v[3] = {};
            int index[3];
            for (int m = 0; m < 3; ++m) {
                index[m] = first + corners[fan[m]];
                p[m] = rest[corners[fan[m]]];
                if (!uvs) continue;
                const auto uv = static_cast<size_t>(faces.cornerUvs[corner + static_cast<size_t>(fan[m])]);
                u[m] = faces.u[uv];
                v[m] = faces.v[uv];
            }
            const Vec3 a = p[1] - p[0], b = p[2] - p[0], twice = cross(a, b);
            const float area = 0.5f * length(twice);
            if (!(area > 0)) continue;
            const Vec3 normal = twice / (2 * area);
            const Vec3 course = courseDirection(p, uvs ? u : nullptr, v, firstEdge, normal),
                       wale = cross(normal, course);
            const float aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), det = aa * bb - ab * ab;
            triangleList_.push_back(
                {{index[0], index[1], index[2]}, area, bb / det, -ab / det, aa / det, params.squeeze});
            // ∇φ of linear shape functions; the conductance from i to j is −A ∇φᵢ·D ∇φⱼ, with the fabric's anisotropy
            // D. Obtuse corners give negative conductances, which would move water uphill: they are left out.
            Vec3 slope[3];
            for (int m = 0; m < 3; ++m) {
                slope[m] = cross(normal, p[(m + 2) % 3] - p[(m + 1) % 3]) / (2 * area);
                PoreCell& cell = cells[index[m]];
                cell.area += area / 3;
                cell.volume += params.soakDepth * area / 3;
            }
            for (int m = 0; m < 3; ++m) {
                const int i = m, j = (m + 1) % 3;
                const double across =
                    -double(area) * (double(params.courseWicking) * dot(slope[i], course) * dot(slope[j], course) +
                                     double(params.waleWicking) * dot(slope[i], wale) * dot(slope[j], wale));
                const double plain = -double(area) * dot(slope[i], slope[j]);
                edges_.push_back({std::min(index[i], index[j]), std::max(index[i], index[j]),
                                  double(params.wickingSpeed) * double(params.soakDepth) * across, plain});
            }
        }
        corner += static_cast<size_t>(sides);
    });
    for (size_t i = 0; i < count; ++i)
        if (PoreCell& cell = cells[first + static_cast<int>(i)]; !(cell.area > 0)) cell.fabric = -1;
}

void PoreSheet::buildLinks() {
    std::map<std::pair<int, int>, Edge> unique;
    for (const Edge& edge : edges_) {
        const auto [entry, isNew] = unique.insert({{edge.a, edge.b}, edge});
        if (isNew) continue;
        entry->second.across += edge.across;
        entry->second.plain += edge.plain;
    }
    std::vector<std::vector<PoreLink>> around(static_cast<size_t>(cells.size()));
    for (const auto& [key, edge] : unique) {
        constexpr double kMinWeight = 1e-4;  // relative to a square: diagonals that are zero but for rounding
        if (!(edge.plain > kMinWeight)) continue;
        // In series: the harmonic mean of the permeabilities.
        const double from = cells[edge.a].permeability, to = cells[edge.b].permeability;
        PoreLink link;
        link.conductance = static_cast<float>(std::max(0.0, edge.across) * 2 * from * to / (from + to));
        link.slope = static_cast<float>(edge.plain);
        const std::vector<Vec3>& rest = sources_[cells[edge.a].fabric].rest;
        int first = 0;
        for (int c = 0; c < cells[edge.a].fabric; ++c) first += static_cast<int>(sources_[c].rest.size());
        link.length = length(rest[edge.a - first] - rest[edge.b - first]);
        link.to = edge.b;
        around[edge.a].push_back(link);
        link.to = edge.a;
        around[edge.b].push_back(link);
    }
    std::vector<int> starts{0};
    std::vector<PoreLink> all;
    for (const auto& own : around) {
        all.insert(all.end(), own.begin(), own.end());
        starts.push_back(static_cast<int>(all.size()));
    }
    put(linkStarts, starts);
    put(links, all);

    put(triangles_, triangleList_);
    std::vector<std::vector<int>> incident(static_cast<size_t>(cells.size()));
    for (size_t t = 0; t < triangleList_.size(); ++t)
        for (const int v : triangleList_[t].v) incident[v].push_back(static_cast<int>(t));
    std::vector<int> incidentStarts{0}, flat;
    for (const auto& fan : incident) {
        flat.insert(flat.end(), fan.begin(), fan.end());
        incidentStarts.push_back(static_cast<int>(flat.size()));
    }
    put(incidentStarts_, incidentStarts);
    put(incident_, flat);
    edges_.clear();
    triangleList_.clear();
}

void PoreSheet::measureRoom(const Buffer<Vec3>& x, Buffer<float>& room) {
    closed_.resizeDiscard(triangles_.size());
    room.resizeDiscard(cells.size());
    const Buffer<PoreTriangle>& triangles = triangles_;
    forEach(device_, "closePores", triangles.size(), ClosePores{triangles.span(), x.span(), closed_.span()});
    forEach(device_, "measureRoom", cells.size(),
            GatherRoom{std::as_const(incidentStarts_).span(), std::as_const(incident_).span(), triangles.span(),
                       std::as_const(closed_).span(), std::as_const(cells).span(), room.span()});
}

void PoreSheet::compressRoom(const Buffer<float>& pressed, const Buffer<float>& room, Buffer<float>& left) const {
    left.resizeDiscard(cells.size());
    forEach(device_, "compressRoom", cells.size(),
            CompressRoom{cells.span(), fabrics.span(), pressed.span(), room.span(), left.span()});
}

const Buffer<Vec3>& PoreSheet::measureNormals(const Buffer<Vec3>& x) {
    normals_.resizeDiscard(cells.size());
    forEach(device_, "cellNormals", cells.size(),
            CellNormals{std::as_const(incidentStarts_).span(), std::as_const(incident_).span(),
                        std::as_const(triangles_).span(), x.span(), normals_.span()});
    return normals_;
}

float PoreSheet::meanLink(int first, int end) const {
    double sum = 0;
    const int begin = linkStarts[first], last = linkStarts[end];
    for (int k = begin; k < last; ++k) sum += double(links[k].length);
    return last > begin ? static_cast<float>(sum / (last - begin)) : 0;
}

}  // namespace purl

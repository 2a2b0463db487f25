#include "solver/knit/surfaceMap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "solver/core/error.h"

namespace purl {
namespace {

// Position of a quad in a regular grid, and which of its corners is the lower left one.
struct GridPlace {
    bool placed = false;
    int column = 0, row = 0, turn = 0;
};

struct QuadMesh {
    std::vector<std::array<int, 4>> corners;
    std::map<std::pair<int, int>, std::pair<int, int>> edges;  // directed edge between vertices → quad and edge index

    explicit QuadMesh(const Faces& faces) {
        forEachFace(faces, [&](const int* at, int count) {
            if (count != 4) return;
            const auto quad = static_cast<int>(corners.size());
            corners.push_back({at[0], at[1], at[2], at[3]});
            for (int k = 0; k < 4; ++k) edges[{at[k], at[(k + 1) % 4]}] = {quad, k};
        });
    }
};

// Steps across edges 0 … 3: below, right, above, left.
constexpr int kColumnStep[] = {0, 1, 0, -1}, kRowStep[] = {-1, 0, 1, 0};

// One connected grid of quads, by flood fill. A quad reached again with another column (a tube) or row gives the
// period.
struct QuadGrid {
    std::vector<int> quads;
    int period[2] = {0, 0};  // period in columns and rows; 0: open
    bool regular = true;

    QuadGrid(const QuadMesh& all, int first, std::vector<GridPlace>& places) {
        std::queue<int> next;
        places[first].placed = true;
        next.push(first);
        while (!next.empty()) {
            const int quad = next.front();
            next.pop();
            quads.push_back(quad);
            const GridPlace place = places[quad];
            const auto& corners = all.corners[quad];
            for (int side = 0; side < 4; ++side) {
                const int k = (side + place.turn) % 4;
                const auto shared = all.edges.find({corners[(k + 1) % 4], corners[k]});
                if (shared == all.edges.end()) continue;
                const auto [other, edge] = shared->second;
                // Our side is the opposite side of the neighbour.
                const GridPlace there{true, place.column + kColumnStep[side], place.row + kRowStep[side],
                                      (edge - (side + 2) + 8) % 4};
                GridPlace& known = places[other];
                if (!known.placed) {
                    known = there;
                    next.push(other);
                    continue;
                }
                const int gap[2] = {there.column - known.column, there.row - known.row};
                regular = regular && there.turn == known.turn && (gap[0] == 0 || gap[1] == 0);
                for (int axis = 0; axis < 2; ++axis) {
                    const int length = std::abs(gap[axis]);
                    regular = regular && (length == 0 || period[axis] == 0 || period[axis] == length);
                    if (length > 0) period[axis] = length;
                }
            }
        }
        regular = regular && (period[0] == 0 || period[1] == 0);
    }
};

// A connected component, before it is normalized to 0 … 1.
struct Shell {
    std::vector<MappedTriangle> triangles;
    bool closed = false;
};

// True for a tube that was cut open in uv space: the vertices of the cut have both the lowest and the highest u.
bool isTube(const std::vector<MappedTriangle>& triangles) {
    std::map<int, std::pair<float, float>> ends;  // of each vertex: lowest and highest u
    float low = triangles[0].u[0], high = low;
    for (const MappedTriangle& triangle : triangles)
        for (size_t k = 0; k < 3; ++k) {
            const float u = triangle.u[k];
            auto& range = ends.emplace(triangle.vertex[k], std::make_pair(u, u)).first->second;
            range = {std::min(range.first, u), std::max(range.second, u)};
            low = std::min(low, u);
            high = std::max(high, u);
        }
    const float slack = 1e-3f * (high - low);
    int onSeam = 0, atEnd = 0;
    for (const auto& [vertex, range] : ends) {
        atEnd += range.first <= low + slack;
        onSeam += range.first <= low + slack && range.second >= high - slack;
    }
    return onSeam > 1 && 2 * onSeam > atEnd;
}

// Connected components in uv space (union-find), the largest area first.
std::vector<Shell> findShells(const Faces& faces, const std::vector<Vec3>& rest, bool turned) {
    const std::vector<float>&us = turned ? faces.v : faces.u, &vs = turned ? faces.u : faces.v;
    std::vector<int> shell(us.size());
    std::iota(shell.begin(), shell.end(), 0);
    const auto root = [&](int uv) {
        while (shell[uv] != uv) {
            shell[uv] = shell[shell[uv]];
            uv = shell[uv];
        }
        return uv;
    };
    std::vector<int> firstUv;  // of each triangle
    std::vector<MappedTriangle> triangles;
    const int* uv = faces.cornerUvs.data();
    forEachFace(faces, [&](const int* vertices, int count) {
        for (int k = 2; k < count; ++k) {
            MappedTriangle triangle{{vertices[0], vertices[k - 1], vertices[k]}, {}, {}};
            const int corner[] = {uv[0], uv[k - 1], uv[k]};
            for (size_t c = 0; c < 3; ++c) {
                triangle.u[c] = us[corner[c]];
                triangle.v[c] = vs[corner[c]];
            }
            triangles.push_back(triangle);
            firstUv.push_back(uv[0]);
        }
        for (int k = 1; k < count; ++k) shell[root(uv[k])] = root(uv[0]);
        uv += count;
    });
    struct Part {
        double area = 0;
        Shell shell;
    };
    std::map<int, Part> parts;
    for (size_t t = 0; t < triangles.size(); ++t) {
        const auto at = [&](size_t k) { return rest[triangles[t].vertex[k]]; };
        Part& part = parts[root(firstUv[t])];
        part.area += double(length(cross(at(1) - at(0), at(2) - at(0))));
        part.shell.triangles.push_back(triangles[t]);
    }
    std::vector<Part*> order;
    for (auto& [first, part] : parts) order.push_back(&part);
    std::stable_sort(order.begin(), order.end(), [](const Part* a, const Part* b) { return a->area > b->area; });
    std::vector<Shell> shells;
    for (Part* part : order) {
        part->shell.closed = isTube(part->shell.triangles);
        shells.push_back(std::move(part->shell));
    }
    return shells;
}

// Rows and columns of a quad grid as coordinates. Courses run around a tube; on a sheet they run such that wales rise.
Shell unfold(const QuadGrid& grid, const QuadMesh& quads, const std::vector<GridPlace>& places,
             const std::vector<Vec3>& rest, bool turned) {
    Vec3 alongColumns, alongRows;
    for (const int q : grid.quads) {
        const auto& c = quads.corners[q];
        const int turn = places[q].turn;
        const auto corner = [&](int k) { return rest[c[(k + turn) % 4]]; };
        alongColumns += corner(1) - corner(0);
        alongRows += corner(3) - corner(0);
    }
    bool swap = grid.period[1] > 0;
    if (grid.period[0] == 0 && grid.period[1] == 0) swap = std::abs(alongColumns.y) > std::abs(alongRows.y) * 1.001f;
    if (turned) swap = !swap;
    const Vec3 up = swap ? alongColumns : alongRows;
    const bool flip = up.y < -1e-6f * length(up);  // upside down: rotate by 180°, so that the front stays in front
    Shell shell;
    shell.closed = grid.period[swap ? 1 : 0] > 0;
    const int period = grid.period[swap ? 1 : 0];
    for (const int q : grid.quads) {
        const auto& c = quads.corners[q];
        const GridPlace& place = places[q];
        int across = swap ? place.row : place.column, along = swap ? place.column : place.row;
        if (period > 0) across = ((across % period) + period) % period;
        const float du[] = {0, 1, 1, 0}, dv[] = {0, 0, 1, 1};
        std::array<int, 4> vertex;
        std::array<float, 4> u, v;
        for (int k = 0; k < 4; ++k) {
            const auto i = static_cast<size_t>(k);
            vertex[i] = c[(k + place.turn) % 4];
            u[i] = static_cast<float>(across) + (swap ? dv[k] : du[k]);
            v[i] = static_cast<float>(along) + (swap ? du[k] : dv[k]);
            if (swap) u[i] = -u[i];  // keeps the orientation
            if (flip) u[i] = -u[i], v[i] = -v[i];
        }
        shell.triangles.push_back({{vertex[0], vertex[1], vertex[2]}, {u[0], u[1], u[2]}, {v[0], v[1], v[2]}});
        shell.triangles.push_back({{vertex[0], vertex[2], vertex[3]}, {u[0], u[2], u[3]}, {v[0], v[2], v[3]}});
    }
    return shell;
}

// Connected quad grids, the largest first; empty if there is none or one is not regular.
std::vector<Shell> findQuadGrids(const Faces& faces, const std::vector<Vec3>& rest, bool turned, bool all) {
    const QuadMesh quads(faces);
    std::vector<GridPlace> places(quads.corners.size());
    std::vector<QuadGrid> grids;
    for (size_t q = 0; q < quads.corners.size(); ++q)
        if (!places[q].placed) grids.emplace_back(quads, static_cast<int>(q), places);
    std::stable_sort(grids.begin(), grids.end(),
                     [](const QuadGrid& a, const QuadGrid& b) { return a.quads.size() > b.quads.size(); });
    if (!all && grids.size() > 1) grids.erase(grids.begin() + 1, grids.end());
    std::vector<Shell> shells;
    for (const QuadGrid& grid : grids) {
        if (!grid.regular) return {};
        shells.push_back(unfold(grid, quads, places, rest, turned));
    }
    return shells;
}

}  // namespace

std::vector<SurfaceMap> SurfaceMap::of(const Knit& knit, const std::vector<Vec3>& rest) {
    const KnitLayout layout = knit.params.layout;
    const bool hasUvs = !knit.faces.cornerUvs.empty(), all = knit.params.shells == KnitShells::all;
    if (layout == KnitLayout::uvs && !hasUvs)
        throw Error(knit.name +
                    ": mesh has no texture coordinates on all of its faces; unfold it, or set layout to edgeLoops");
    std::vector<Shell> shells = layout != KnitLayout::edgeLoops && hasUvs
                                    ? findShells(knit.faces, rest, knit.params.turned)
                                    : findQuadGrids(knit.faces, rest, knit.params.turned, all);
    if (shells.empty())
        throw Error(knit.name + ": mesh has no regular rows of quads" + (hasUvs ? "" : " and no texture coordinates") +
                    " for courses to follow; give it texture coordinates");
    if (!all) shells.erase(shells.begin() + 1, shells.end());
    std::vector<SurfaceMap> maps;
    for (Shell& shell : shells) maps.push_back(SurfaceMap(std::move(shell.triangles), shell.closed));
    return maps;
}

// Normalizes to 0 … 1 and sorts the triangles into bins.
SurfaceMap::SurfaceMap(std::vector<MappedTriangle> triangles, bool closed)
    : triangles_(std::move(triangles)), closed_(closed) {
    float low[2] = {triangles_[0].u[0], triangles_[0].v[0]}, high[2] = {low[0], low[1]};
    const auto forEachCoordinate = [&](auto&& visit) {
        for (MappedTriangle& triangle : triangles_)
            for (size_t k = 0; k < 3; ++k) visit(triangle.u[k], 0), visit(triangle.v[k], 1);
    };
    forEachCoordinate([&](float& x, int axis) {
        low[axis] = std::min(low[axis], x);
        high[axis] = std::max(high[axis], x);
    });
    forEachCoordinate([&](float& x, int axis) {
        const float size = high[axis] - low[axis];
        x = size > 0 ? (x - low[axis]) / size : 0;
    });
    bins_ = std::clamp(static_cast<int>(std::sqrt(0.5 * double(triangles_.size()))), 1, 1024);
    inBin_.resize(static_cast<size_t>(bins_) * static_cast<size_t>(bins_));
    const auto bin = [&](float x) { return std::clamp(static_cast<int>(x * static_cast<float>(bins_)), 0, bins_ - 1); };
    for (size_t t = 0; t < triangles_.size(); ++t) {
        const auto [u0, u1] = std::minmax({triangles_[t].u[0], triangles_[t].u[1], triangles_[t].u[2]});
        const auto [v0, v1] = std::minmax({triangles_[t].v[0], triangles_[t].v[1], triangles_[t].v[2]});
        for (int j = bin(v0 - 1e-5f); j <= bin(v1 + 1e-5f); ++j)
            for (int i = bin(u0 - 1e-5f); i <= bin(u1 + 1e-5f); ++i)
                inBin_[j * bins_ + i].push_back(static_cast<int>(t));
    }
}

MeshBond SurfaceMap::at(double u, double v) const {
    if (closed_) u -= std::floor(u);
    // The triangle that contains (u, v), or the nearby one with the least distance.
    int best = -1;
    double bestOutside = 1e30, bestWeights[3] = {};
    const auto consider = [&](int t) {
        const MappedTriangle& triangle = triangles_[t];
        const double ax = triangle.u[1] - triangle.u[0], ay = triangle.v[1] - triangle.v[0];
        const double bx = triangle.u[2] - triangle.u[0], by = triangle.v[2] - triangle.v[0];
        const double px = u - triangle.u[0], py = v - triangle.v[0], area = ax * by - ay * bx;
        if (area == 0) return;
        double w[3] = {0, (px * by - py * bx) / area, (ax * py - ay * px) / area};
        w[0] = 1 - w[1] - w[2];
        // Distance outside, as a length in uv.
        const double outside = std::max(0.0, -std::min({w[0], w[1], w[2]})) * std::sqrt(std::abs(area));
        if (outside < bestOutside) {
            bestOutside = outside;
            best = t;
            std::copy(w, w + 3, bestWeights);
        }
    };
    const auto bin = [&](double x) { return std::clamp(static_cast<int>(x * bins_), 0, bins_ - 1); };
    const int i0 = bin(u), j0 = bin(v);
    for (int ring = 0; ring < bins_ && (best < 0 || (ring < 2 && bestOutside > 1e-6)); ++ring)
        for (int j = std::max(0, j0 - ring); j <= std::min(bins_ - 1, j0 + ring); ++j)
            for (int i = std::max(0, i0 - ring); i <= std::min(bins_ - 1, i0 + ring); ++i) {
                if (std::max(std::abs(i - i0), std::abs(j - j0)) != ring) continue;
                for (const int t : inBin_[j * bins_ + i]) consider(t);
            }
    MeshBond bond{};
    if (best < 0) return bond;
    // Clamp to the triangle if the point is outside all of them.
    double sum = 0;
    for (double& w : bestWeights) sum += w = std::max(0.0, w);
    for (size_t k = 0; k < 3; ++k) {
        bond.vertex[k] = triangles_[best].vertex[k];
        bond.weight[k] = static_cast<float>(bestWeights[k] / sum);
    }
    return bond;
}

SurfaceMap::Range SurfaceMap::outline(double v) const {
    if (closed_) return {};
    // The outermost intersections of the triangles with this height.
    Range range{1, 0};
    for (const MappedTriangle& triangle : triangles_)
        for (size_t k = 0; k < 3; ++k) {
            const double v0 = triangle.v[k], v1 = triangle.v[(k + 1) % 3];
            const double u0 = triangle.u[k], u1 = triangle.u[(k + 1) % 3];
            if (v < std::min(v0, v1) || v > std::max(v0, v1)) continue;
            const double t = v1 == v0 ? 0 : (v - v0) / (v1 - v0);
            for (const double u : {u0 + t * (u1 - u0), v1 == v0 ? u1 : u0 + t * (u1 - u0)}) {
                range.begin = std::min(range.begin, u);
                range.end = std::max(range.end, u);
            }
        }
    return range.begin < range.end ? range : Range{};
}

}  // namespace purl

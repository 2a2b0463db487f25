#include "solver/soft/clusters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "solver/core/error.h"
#include "solver/fluid/fill.h"
#include "solver/search/triangleTree.h"
#include "solver/soft/polar.h"

namespace purl {
namespace {

// What is pinned outweighs the rest of a cluster this many times: its goals then leave it nearly where it is.
constexpr double kPinWeight = 30;

TriangleMesh meshOf(const SoftBody& body, const Vec3* points) {
    return {{points, points + body.points.size()}, triangulate(body.faces)};
}

// Of each vertex: a third of the triangles around it, m².
std::vector<double> areasOf(const TriangleMesh& mesh) {
    std::vector<double> areas(mesh.vertices.size());
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const auto corner = [&](size_t k) { return static_cast<size_t>(mesh.triangles[t + k]); };
        const Vec3 a = mesh.vertices[corner(0)];
        const double area = 0.5 * double(length(cross(mesh.vertices[corner(1)] - a, mesh.vertices[corner(2)] - a)));
        for (size_t k = 0; k < 3; ++k) areas[corner(k)] += area / 3;
    }
    return areas;
}

// Masses and radii; see density. Inner points stand for a cell each, vertices for half a spacing below their faces, and
// all together for the volume.
void weigh(const SoftBody& body, Span<const Vec3> rest, Anatomy& anatomy) {
    const auto count = static_cast<size_t>(rest.count), vertices = body.points.size();
    const double spacing = spacingOf(body.params, {rest.data, static_cast<int>(vertices)}),
                 density = body.params.density;
    std::vector<double> masses(count, density * spacing * spacing * spacing);
    anatomy.radii.assign(count, static_cast<float>(0.5 * spacing));
    if (!body.faces.empty()) {
        const TriangleMesh mesh = meshOf(body, rest.data);
        const std::vector<double> areas = areasOf(mesh);
        TriangleTree tree;
        tree.build(mesh.vertices, mesh.triangles);
        const bool filled = count > vertices;
        for (size_t i = 0; i < vertices; ++i) masses[i] = density * areas[i] * spacing * (tree.isClosed() ? 0.5 : 1.0);
        double sum = std::accumulate(masses.begin(), masses.end(), 0.0);
        const double whole = tree.isClosed() ? density * std::fabs(tree.volume()) : sum;
        // A vertex without faces would weigh nothing.
        for (double& mass : masses) mass = std::max(mass, 1e-3 * sum / double(count));
        sum = std::accumulate(masses.begin(), masses.end(), 0.0);
        if (whole > 0)
            for (double& mass : masses) mass *= whole / sum;
        // The balls of inner points touch the surface from within, so that vertices need not stand out.
        for (size_t i = 0; filled && i < count; ++i)
            anatomy.radii[i] =
                i < vertices ? static_cast<float>(0.1 * spacing)
                             : std::min(static_cast<float>(spacing), tree.closest(rest[static_cast<int>(i)]).distance);
    }
    const float least = 0.5f * body.params.thickness;
    for (float& radius : anatomy.radii) radius = std::max(radius, least);
    anatomy.masses.assign(masses.begin(), masses.end());
}

// The box around a body in cells of about the size asked for; each that holds a point is a cluster's.
struct Cells {
    Vec3 low, size;
    int count[3] = {1, 1, 1};

    Cells(Span<const Vec3> points, float wanted) {
        Bounds box;
        for (const Vec3 p : points) box.include(p);
        low = box.low;
        size = box.size();
        for (int axis = 0; axis < 3; ++axis) {
            if (wanted > 0)
                count[axis] = std::max(1, static_cast<int>(std::min(1e5f, std::round(size[axis] / wanted))));
            size[axis] /= static_cast<float>(count[axis]);
        }
    }
    int along(Vec3 p, int axis) const {
        if (!(size[axis] > 0)) return 0;
        return std::min(count[axis] - 1, std::max(0, static_cast<int>((p[axis] - low[axis]) / size[axis])));
    }
    int64_t key(int x, int y, int z) const { return x + int64_t(count[0]) * (y + int64_t(count[1]) * z); }
    // 1 at the cell's middle, falling to 0 at its reach.
    double weight(Vec3 p, const int (&cell)[3], float overlap) const {
        double weight = 1;
        for (int axis = 0; axis < 3; ++axis) {
            if (count[axis] == 1) continue;
            const double from = std::fabs(double(p[axis] - low[axis]) / double(size[axis]) - cell[axis] - 0.5);
            weight *= std::max(0.0, 1 - from / (0.5 + double(overlap)));
        }
        return weight;
    }
};

struct Belongs {
    int cluster, point;
    double share;
};

// Who belongs to which cluster, by how much; point by point.
std::vector<Belongs> split(const SoftBody& body, Span<const Vec3> rest, int& clusters) {
    const Cells cells(rest, body.params.clusterSize);
    std::map<int64_t, int> ids;
    for (const Vec3 p : rest) ids[cells.key(cells.along(p, 0), cells.along(p, 1), cells.along(p, 2))] = 0;
    clusters = 0;
    for (auto& [key, id] : ids) id = clusters++;
    const int reach = static_cast<int>(std::ceil(body.params.overlap));
    std::vector<Belongs> all;
    for (int i = 0; i < rest.count; ++i) {
        const size_t first = all.size();
        double sum = 0;
        int low[3], high[3], cell[3];
        for (int axis = 0; axis < 3; ++axis) {
            const int at = cells.along(rest[i], axis);
            low[axis] = std::max(0, at - reach);
            high[axis] = std::min(cells.count[axis] - 1, at + reach);
        }
        for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2])
            for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
                for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
                    const auto found = ids.find(cells.key(cell[0], cell[1], cell[2]));
                    const double weight = cells.weight(rest[i], cell, body.params.overlap);
                    if (found == ids.end() || !(weight > 1e-4)) continue;
                    all.push_back({found->second, i, weight});
                    sum += weight;
                }
        for (size_t k = first; k < all.size(); ++k) all[k].share /= sum;
    }
    return all;
}

void throwIfInPieces(const SoftBody& body, const std::vector<Belongs>& all, int clusters) {
    std::vector<int> root(static_cast<size_t>(clusters));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int c) {
        while (root[static_cast<size_t>(c)] != c)
            c = root[static_cast<size_t>(c)] = root[static_cast<size_t>(root[static_cast<size_t>(c)])];
        return c;
    };
    int pieces = clusters;
    for (size_t k = 1; k < all.size(); ++k) {
        if (all[k].point != all[k - 1].point) continue;
        const int a = find(all[k].cluster), b = find(all[k - 1].cluster);
        if (a == b) continue;
        root[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
        --pieces;
    }
    if (pieces == 1) return;
    char size[32];
    std::snprintf(size, sizeof size, "%.3g", double(body.params.clusterSize));
    throw Error(body.name + ": with a clusterSize of " + size + " m it falls into " + std::to_string(pieces) +
                " pieces; a larger one, more overlap or a smaller spacing helps");
}

// The shape that a cluster has at rest: inverses of its moments.
void measure(const Member* members, bool wantsQuadratic, Cluster& c, Quadratic& quadratic) {
    double moments[3][3] = {}, axes[3][3], largest = 0;
    float scale = 0;
    Vec3 squares, products;
    for (int m = 0; m < c.members; ++m) {
        const Member& member = members[m];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                moments[i][j] += double(member.weight) * double(member.q[i]) * double(member.q[j]);
        scale = std::max(scale, length(member.q));
    }
    symmetricEigen(moments, axes);
    for (int k = 0; k < 3; ++k) largest = std::max(largest, moments[k][k]);
    const auto direction = [&](int k) {
        return Vec3{static_cast<float>(axes[0][k]), static_cast<float>(axes[1][k]), static_cast<float>(axes[2][k])};
    };
    const auto outer = [](float s, Vec3 d) { return Mat3{s * d.x * d, s * d.y * d, s * d.z * d}; };
    c.inverse = c.missing = 0 * Mat3{};
    c.rank = 0;
    for (int k = 0; k < 3; ++k) {
        // A thousandth as thick as wide is flat.
        if (moments[k][k] > 1e-6 * largest) {
            c.inverse = c.inverse + outer(static_cast<float>(1 / moments[k][k]), direction(k));
            ++c.rank;
        } else {
            c.missing = c.missing + outer(1, direction(k));
        }
    }
    c.scale = scale > 0 ? scale : 1;
    if (!wantsQuadratic) return;
    for (int m = 0; m < c.members; ++m) {
        squares += members[m].weight / c.mass * squaresOf(c, members[m].q);
        products += members[m].weight / c.mass * productsOf(c, members[m].q);
    }
    c.meanSquare = squares;
    c.meanProduct = products;
    double all[9][9] = {}, vectors[9][9];
    for (int m = 0; m < c.members; ++m) {
        const Vec3 parts[3] = {members[m].q, squaresOf(c, members[m].q), productsOf(c, members[m].q)};
        for (int i = 0; i < 9; ++i)
            for (int j = 0; j < 9; ++j)
                all[i][j] += double(members[m].weight) * double(parts[i / 3][i % 3]) * double(parts[j / 3][j % 3]);
    }
    symmetricEigen(all, vectors);
    largest = 0;
    for (int k = 0; k < 9; ++k) largest = std::max(largest, all[k][k]);
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j) {
            double sum = 0;
            for (int k = 0; k < 9; ++k)
                if (all[k][k] > 1e-5 * largest) sum += vectors[i][k] * vectors[j][k] / all[k][k];
            quadratic.inverse[i][j] = static_cast<float>(sum);
        }
}

}  // namespace

float spacingOf(const SoftBodyParams& params, Span<const Vec3> vertices) {
    if (params.spacing > 0) return params.spacing;
    Bounds box;
    for (const Vec3 p : vertices) box.include(p);
    const Vec3 size = box.size();
    const float longest = std::max({size.x, size.y, size.z});
    return longest > 0 ? 0.1f * longest : 1;
}

std::vector<Vec3> innerPointsOf(const SoftBody& body, int dimensions) {
    if (body.faces.empty() || dimensions == 2) return {};
    const TriangleMesh mesh = meshOf(body, body.points.data());
    const std::string fault = meshFault(mesh.vertices, mesh.triangles);
    if (!fault.empty()) throw Error(body.name + ": " + fault);
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    if (!tree.isClosed()) return {};
    const float spacing = spacingOf(body.params, {body.points.data(), static_cast<int>(body.points.size())});
    std::vector<Vec3> points;
    try {
        constexpr int kMost = 10000000;
        points = fillVolume(mesh, spacing, 0, 0, kMost);
    } catch (const Error& error) { throw Error(body.name + ": " + error.what() + "; a larger spacing helps"); }
    // A hair less than half: a lattice begins there.
    const auto shallow = [&](Vec3 p) { return tree.closest(p).distance < 0.49f * spacing; };
    points.erase(std::remove_if(points.begin(), points.end(), shallow), points.end());
    return points;
}

Anatomy anatomyOf(const SoftBody& body, Span<const Vec3> rest, const std::vector<char>& pinned) {
    Anatomy anatomy;
    weigh(body, rest, anatomy);
    int clusters = 0;
    const std::vector<Belongs> all = split(body, rest, clusters);
    throwIfInPieces(body, all, clusters);

    anatomy.clusters.resize(static_cast<size_t>(clusters));
    std::vector<double> freeMass(anatomy.clusters.size()), pinnedShare(anatomy.clusters.size());
    for (const Belongs& one : all) {
        const auto c = static_cast<size_t>(one.cluster), p = static_cast<size_t>(one.point);
        ++anatomy.clusters[c].members;
        if (pinned[p])
            pinnedShare[c] += one.share;
        else
            freeMass[c] += one.share * double(anatomy.masses[p]);
    }
    int next = 0;
    for (Cluster& c : anatomy.clusters) {
        c.firstMember = next;
        next += c.members;
        c.members = 0;
    }
    anatomy.members.resize(all.size());
    for (const Belongs& one : all) {
        const auto c = static_cast<size_t>(one.cluster), p = static_cast<size_t>(one.point);
        // Weighed by its share, so that the goals of all clusters together move no centre of mass.
        const double weight = pinned[p] && freeMass[c] > 0 ? kPinWeight * freeMass[c] * one.share / pinnedShare[c]
                                                           : one.share * double(anatomy.masses[p]);
        Cluster& cluster = anatomy.clusters[c];
        anatomy.members[static_cast<size_t>(cluster.firstMember + cluster.members++)] = {
            one.point, static_cast<float>(weight), rest[one.point]};
    }
    std::vector<Vec3> centers;
    for (Cluster& c : anatomy.clusters) {
        Member* members = anatomy.members.data() + c.firstMember;
        double mass = 0, center[3] = {};
        for (int m = 0; m < c.members; ++m) {
            mass += double(members[m].weight);
            for (int axis = 0; axis < 3; ++axis) center[axis] += double(members[m].weight) * double(members[m].q[axis]);
        }
        const auto q = [&](Vec3 p) {
            return Vec3{static_cast<float>(double(p.x) - center[0] / mass),
                        static_cast<float>(double(p.y) - center[1] / mass),
                        static_cast<float>(double(p.z) - center[2] / mass)};
        };
        double off[3] = {};
        int middle = 0;
        for (int m = 0; m < c.members; ++m) {
            members[m].q = q(members[m].q);
            for (int axis = 0; axis < 3; ++axis) off[axis] += double(members[m].weight) * double(members[m].q[axis]);
            if (lengthSquared(members[m].q) < lengthSquared(members[middle].q)) middle = m;
        }
        c.middle = c.firstMember + middle;
        for (int axis = 0; axis < 3; ++axis) c.offCenter[axis] = static_cast<float>(off[axis] / mass);
        c.mass = static_cast<float>(mass);
        const bool quadratic = body.params.goal == SoftGoal::quadratic;
        Quadratic moments{};
        measure(members, quadratic, c, moments);
        if (!quadratic) continue;
        c.quadratic = static_cast<int>(anatomy.quadratics.size());
        anatomy.quadratics.push_back(moments);
    }
    // The same from the points' side; members of a cluster come in the order of its points, as `all` does.
    std::vector<int> taken(anatomy.clusters.size());
    anatomy.partStarts.assign(1, 0);
    for (size_t k = 0; k < all.size(); ++k) {
        const auto c = static_cast<size_t>(all[k].cluster);
        const Member& member = anatomy.members[static_cast<size_t>(anatomy.clusters[c].firstMember + taken[c]++)];
        anatomy.parts.push_back({all[k].cluster, static_cast<float>(all[k].share), member.q});
        if (k + 1 == all.size() || all[k + 1].point != all[k].point)
            anatomy.partStarts.push_back(static_cast<int>(anatomy.parts.size()));
    }
    return anatomy;
}

}  // namespace purl

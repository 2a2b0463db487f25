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

// Weight of the pinned points relative to the rest of a cluster: their goals then hardly move them.
constexpr double kPinWeight = 30;

TriangleMesh meshOf(const SoftBody& body, const Vec3* points) {
    return {std::vector<Vec3>(points, points + body.points.size()), triangulate(body.faces)};
}

// Area of each vertex, a third of its triangles, m².
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

// Sets masses and radii from the density. Inner points represent one lattice cell each, vertices a layer of half a
// spacing below their faces; the total is scaled to the volume.
void setMassesAndRadii(const SoftBody& body, Span<const Vec3> rest, SoftBodyModel& model) {
    const auto count = static_cast<size_t>(rest.count), vertices = body.points.size();
    const double spacing = spacingOf(body.params, {rest.data, static_cast<int>(vertices)}),
                 density = body.params.density;
    std::vector<double> masses(count, density * spacing * spacing * spacing);
    model.radii.assign(count, static_cast<float>(0.5 * spacing));
    if (!body.faces.empty()) {
        const TriangleMesh mesh = meshOf(body, rest.data);
        const std::vector<double> areas = areasOf(mesh);
        TriangleTree tree;
        tree.build(mesh.vertices, mesh.triangles);
        const bool filled = count > vertices;
        for (size_t i = 0; i < vertices; ++i) masses[i] = density * areas[i] * spacing * (tree.isClosed() ? 0.5 : 1.0);
        double sum = std::accumulate(masses.begin(), masses.end(), 0.0);
        const double totalMass = tree.isClosed() ? density * std::fabs(tree.volume()) : sum;
        // A vertex without faces would have no mass.
        for (double& mass : masses) mass = std::max(mass, 1e-3 * sum / double(count));
        sum = std::accumulate(masses.begin(), masses.end(), 0.0);
        if (totalMass > 0)
            for (double& mass : masses) mass *= totalMass / sum;
        // Spheres of inner points touch the surface from inside, so vertices need only small radii.
        for (size_t i = 0; filled && i < count; ++i)
            model.radii[i] =
                i < vertices ? static_cast<float>(0.1 * spacing)
                             : std::min(static_cast<float>(spacing), tree.closest(rest[static_cast<int>(i)]).distance);
    }
    const float minRadius = 0.5f * body.params.thickness;
    for (float& radius : model.radii) radius = std::max(radius, minRadius);
    model.masses.assign(masses.begin(), masses.end());
}

// Regular grid over the body's bounding box; each occupied cell becomes a cluster.
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
    // Weight of a point: 1 at the cell's centre, falling to 0 where the overlap ends.
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

struct ClusterShare {
    int cluster, point;
    double share;
};

// Clusters and normalized weights of all points, point by point.
std::vector<ClusterShare> assignToClusters(const SoftBody& body, Span<const Vec3> rest, int& clusters) {
    const Cells cells(rest, body.params.clusterSize);
    std::map<int64_t, int> ids;
    for (const Vec3 p : rest) ids[cells.key(cells.along(p, 0), cells.along(p, 1), cells.along(p, 2))] = 0;
    clusters = 0;
    for (auto& [key, id] : ids) id = clusters++;
    const int reach = static_cast<int>(std::ceil(body.params.overlap));
    std::vector<ClusterShare> all;
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

void throwIfDisconnected(const SoftBody& body, const std::vector<ClusterShare>& all, int clusters) {
    std::vector<int> root(static_cast<size_t>(clusters));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int c) {
        while (root[c] != c) c = root[c] = root[root[c]];
        return c;
    };
    int pieces = clusters;
    for (size_t k = 1; k < all.size(); ++k) {
        if (all[k].point != all[k - 1].point) continue;
        const int a = find(all[k].cluster), b = find(all[k - 1].cluster);
        if (a == b) continue;
        root[std::max(a, b)] = std::min(a, b);
        --pieces;
    }
    if (pieces == 1) return;
    char size[32];
    std::snprintf(size, sizeof size, "%.3g", double(body.params.clusterSize));
    throw Error(body.name + ": with a clusterSize of " + size + " m the body falls into " + std::to_string(pieces) +
                " pieces; use a larger clusterSize, more overlap or a smaller spacing");
}

// Pseudo-inverses of the rest moments of a cluster.
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
    c.inverse = c.nullSpace = 0 * Mat3{};
    c.rank = 0;
    for (int k = 0; k < 3; ++k) {
        // Flat: thickness below a thousandth of the width.
        if (moments[k][k] > 1e-6 * largest) {
            c.inverse = c.inverse + outer(static_cast<float>(1 / moments[k][k]), direction(k));
            ++c.rank;
        } else {
            c.nullSpace = c.nullSpace + outer(1, direction(k));
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
        const Vec3 memberships[3] = {members[m].q, squaresOf(c, members[m].q), productsOf(c, members[m].q)};
        for (int i = 0; i < 9; ++i)
            for (int j = 0; j < 9; ++j)
                all[i][j] +=
                    double(members[m].weight) * double(memberships[i / 3][i % 3]) * double(memberships[j / 3][j % 3]);
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
        constexpr int kMaxPoints = 10000000;
        points = fillVolume(mesh, spacing, 0, 0, kMaxPoints);
    } catch (const Error& error) { throw Error(body.name + ": " + error.what() + "; use a larger spacing"); }
    // Slightly less than half, because the lattice starts there.
    const auto isTooShallow = [&](Vec3 p) { return tree.closest(p).distance < 0.49f * spacing; };
    points.erase(std::remove_if(points.begin(), points.end(), isTooShallow), points.end());
    return points;
}

SoftBodyModel makeSoftBodyModel(const SoftBody& body, Span<const Vec3> rest, const std::vector<char>& pinned) {
    SoftBodyModel model;
    setMassesAndRadii(body, rest, model);
    int clusters = 0;
    const std::vector<ClusterShare> all = assignToClusters(body, rest, clusters);
    throwIfDisconnected(body, all, clusters);

    model.clusters.resize(static_cast<size_t>(clusters));
    std::vector<double> freeMass(model.clusters.size()), pinnedShare(model.clusters.size());
    for (const ClusterShare& one : all) {
        const auto c = static_cast<size_t>(one.cluster), p = static_cast<size_t>(one.point);
        ++model.clusters[c].members;
        if (pinned[p])
            pinnedShare[c] += one.share;
        else
            freeMass[c] += one.share * double(model.masses[p]);
    }
    int next = 0;
    for (Cluster& c : model.clusters) {
        c.firstMember = next;
        next += c.members;
        c.members = 0;
    }
    model.members.resize(all.size());
    for (const ClusterShare& one : all) {
        const auto c = static_cast<size_t>(one.cluster), p = static_cast<size_t>(one.point);
        // Weighted by share, so that the goals of all clusters together conserve the centre of mass.
        const double weight = pinned[p] && freeMass[c] > 0 ? kPinWeight * freeMass[c] * one.share / pinnedShare[c]
                                                           : one.share * double(model.masses[p]);
        Cluster& cluster = model.clusters[c];
        model.members[cluster.firstMember + cluster.members++] = {one.point, static_cast<float>(weight),
                                                                  rest[one.point]};
    }
    std::vector<Vec3> centers;
    for (Cluster& c : model.clusters) {
        Member* members = model.members.data() + c.firstMember;
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
        int centerMember = 0;
        for (int m = 0; m < c.members; ++m) {
            members[m].q = q(members[m].q);
            for (int axis = 0; axis < 3; ++axis) off[axis] += double(members[m].weight) * double(members[m].q[axis]);
            if (lengthSquared(members[m].q) < lengthSquared(members[centerMember].q)) centerMember = m;
        }
        c.centerMember = c.firstMember + centerMember;
        for (int axis = 0; axis < 3; ++axis) c.centerOffset[axis] = static_cast<float>(off[axis] / mass);
        c.mass = static_cast<float>(mass);
        const bool quadratic = body.params.goal == SoftGoal::quadratic;
        Quadratic moments{};
        measure(members, quadratic, c, moments);
        if (!quadratic) continue;
        c.quadratic = static_cast<int>(model.quadratics.size());
        model.quadratics.push_back(moments);
    }
    // The transposed lists; members of a cluster are in the order of their points, as in `all`.
    std::vector<int> nextMember(model.clusters.size());
    model.membershipStarts.assign(1, 0);
    for (size_t k = 0; k < all.size(); ++k) {
        const auto c = static_cast<size_t>(all[k].cluster);
        const Member& member = model.members[model.clusters[c].firstMember + nextMember[c]++];
        model.memberships.push_back({all[k].cluster, static_cast<float>(all[k].share), member.q});
        if (k + 1 == all.size() || all[k + 1].point != all[k].point)
            model.membershipStarts.push_back(static_cast<int>(model.memberships.size()));
    }
    return model;
}

}  // namespace purl

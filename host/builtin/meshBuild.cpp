#include "host/builtin/meshBuild.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "host/builtin/meshEdits.h"
#include "host/graph/graph.h"
#include "host/shapes/polyMesh.h"
#include "solver/core/math.h"

namespace purl::host {
namespace {

constexpr double kTwoPi = 6.283185307179586477;
constexpr int kQuadsPerSection = 4;  // of a round revolution
constexpr int kSamplesPerSpan = 4;   // of a curved profile
constexpr double kSamePoint = 1e-6;  // relative to the size of the profile

void addPoint(MeshData& mesh, const MVector& p) {
    for (unsigned k = 0; k < 3; ++k) mesh.points.push_back(float(p[k]));
}

// --- Catmull-Clark

struct EdgeUse {
    int index = 0, faces = 0;  // index: of its middle among all edges, in order of first use
    int a = 0, b = 0;
    MVector faceCenters;  // sum
};

// The UVs of divided faces: each UV island is divided in the middle of its edges and faces.
void divideUvs(const MeshData& mesh, MeshData& fine) {
    for (const MeshData::UvSet& from : mesh.uvSets) {
        MeshData::UvSet set;
        set.name = from.name;
        set.u = from.u;
        set.v = from.v;
        std::map<std::pair<int, int>, int> middles;
        const auto add = [&](double u, double v) {
            set.u.push_back(float(u));
            set.v.push_back(float(v));
            return int(set.u.size()) - 1;
        };
        size_t at = 0;
        for (size_t f = 0; f < from.counts.size(); ++f) {
            const int n = from.counts[f];
            if (n == 0) {
                set.counts.insert(set.counts.end(), size_t(mesh.faceCounts[f]), 0);
                continue;
            }
            const int* id = from.ids.data() + at;
            at += size_t(n);
            double u = 0, v = 0;
            for (int k = 0; k < n; ++k) u += double(from.u[id[k]]) / n, v += double(from.v[id[k]]) / n;
            const int center = add(u, v);
            const auto middle = [&](int a, int b) {
                const auto [it, isNew] = middles.emplace(std::minmax(a, b), 0);
                if (isNew)
                    it->second =
                        add((double(from.u[a]) + double(from.u[b])) / 2, (double(from.v[a]) + double(from.v[b])) / 2);
                return it->second;
            };
            for (int k = 0; k < n; ++k) {
                const int before = middle(id[(k + n - 1) % n], id[k]), after = middle(id[k], id[(k + 1) % n]);
                set.counts.push_back(4);
                set.ids.insert(set.ids.end(), {id[k], after, center, before});
            }
        }
        fine.uvSets.push_back(std::move(set));
    }
}

std::shared_ptr<MeshData> divided(const MeshData& mesh, const Smoothing& smoothing) {
    const int vertices = mesh.vertexCount();
    const std::vector<int>& start = mesh.faceStarts();
    std::vector<MVector> faceCenter;
    std::map<std::pair<int, int>, EdgeUse> edges;
    std::vector<MVector> centers(static_cast<size_t>(vertices));  // sum over the faces at a vertex
    std::vector<int> valence(static_cast<size_t>(vertices));      // faces at a vertex
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const int n = mesh.faceCounts[f];
        const int* corner = mesh.faceVertices.data() + start[f];
        MVector center;
        for (int k = 0; k < n; ++k) center += pointOf(mesh, corner[k]) / n;
        faceCenter.push_back(center);
        for (int k = 0; k < n; ++k) {
            const int a = corner[k], b = corner[(k + 1) % n];
            const auto [it, isNew] = edges.emplace(std::minmax(a, b), EdgeUse());
            if (isNew) it->second.index = int(edges.size()) - 1, it->second.a = a, it->second.b = b;
            ++it->second.faces;
            it->second.faceCenters += center;
            centers[a] += center;
            ++valence[a];
        }
    }
    std::vector<const EdgeUse*> inOrder(edges.size());
    for (const auto& e : edges) inOrder[size_t(e.second.index)] = &e.second;

    // Middles of the edges at a vertex, and of its border edges only.
    std::vector<MVector> middles(static_cast<size_t>(vertices)), borderMiddles(static_cast<size_t>(vertices));
    std::vector<int> edgesAt(static_cast<size_t>(vertices)), bordersAt(static_cast<size_t>(vertices));
    for (const EdgeUse* e : inOrder) {
        const MVector middle = (pointOf(mesh, e->a) + pointOf(mesh, e->b)) / 2;
        for (const int v : {e->a, e->b}) {
            middles[v] += middle;
            ++edgesAt[v];
            if (e->faces == 2) continue;
            borderMiddles[v] += middle;
            ++bordersAt[v];
        }
    }

    auto fine = std::make_shared<MeshData>();
    fine->matrix = mesh.matrix;
    const double share = smoothing.continuity;
    for (int v = 0; v < vertices; ++v) {
        const MVector p = pointOf(mesh, v);
        MVector smooth = p;
        if (bordersAt[v] == 0 && valence[v] > 0) {
            // (F + 2 R + (n − 3) P) / n, with the means F of face centres and R of edge middles.
            const double n = valence[v];
            smooth = (centers[v] / n + middles[v] * (2.0 / edgesAt[v]) + p * (n - 3)) / n;
        } else if (bordersAt[v] == 2 && valence[v] > 1 && !smoothing.keepBorder) {
            // The border is smoothed as a curve; corners of a single face stay.
            smooth = p / 2 + borderMiddles[v] / 4;
        }
        addPoint(*fine, p + (smooth - p) * share);
    }
    for (const EdgeUse* e : inOrder) {
        const MVector ends = pointOf(mesh, e->a) + pointOf(mesh, e->b), middle = ends / 2;
        const MVector smooth = e->faces == 2 ? (ends + e->faceCenters) / 4 : middle;
        addPoint(*fine, middle + (smooth - middle) * share);
    }
    for (const MVector& center : faceCenter) addPoint(*fine, center);

    const int firstCenter = vertices + int(edges.size());
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const int n = mesh.faceCounts[f];
        const int* corner = mesh.faceVertices.data() + start[f];
        const auto middle = [&](int a, int b) { return vertices + edges[std::minmax(a, b)].index; };
        for (int k = 0; k < n; ++k) {
            fine->faceCounts.push_back(4);
            fine->faceVertices.insert(fine->faceVertices.end(),
                                      {corner[k], middle(corner[k], corner[(k + 1) % n]), firstCenter + f,
                                       middle(corner[(k + n - 1) % n], corner[k])});
        }
    }
    divideUvs(mesh, *fine);
    return fine;
}

// Appends the UV set of the same name, or a new one in which earlier faces are unmapped.
void uniteUvs(MeshData& all, const MeshData& mesh, bool reversed, size_t facesBefore) {
    for (const MeshData::UvSet& from : mesh.uvSets) {
        if (from.counts.empty()) continue;
        auto to =
            std::find_if(all.uvSets.begin(), all.uvSets.end(), [&](const auto& set) { return set.name == from.name; });
        if (to == all.uvSets.end()) {
            to = all.uvSets.insert(all.uvSets.end(), MeshData::UvSet());
            to->name = from.name;
        }
        to->counts.resize(facesBefore);
        const int first = int(to->u.size());
        to->u.insert(to->u.end(), from.u.begin(), from.u.end());
        to->v.insert(to->v.end(), from.v.begin(), from.v.end());
        to->counts.insert(to->counts.end(), from.counts.begin(), from.counts.end());
        size_t at = 0;
        for (const int n : from.counts) {
            for (int k = 0; k < n; ++k) to->ids.push_back(first + from.ids[at + size_t(reversed ? n - 1 - k : k)]);
            at += size_t(n);
        }
    }
}

}  // namespace

std::shared_ptr<MeshData> smoothed(const MeshData& mesh, const Smoothing& smoothing) {
    double faces = double(mesh.faceVertices.size());
    for (int k = 1; k < smoothing.divisions; ++k) faces *= 4;
    if (faces > kMaxFaces)
        throw Error("smoothing would create " + shortest(faces) + " faces; the limit is " + shortest(kMaxFaces) +
                    "; use fewer divisions");
    auto result = std::static_pointer_cast<MeshData>(mesh.clone());
    for (int k = 0; k < smoothing.divisions; ++k) result = divided(*result, smoothing);
    return result;
}

std::shared_ptr<MeshData> united(const std::vector<std::pair<std::shared_ptr<const MeshData>, Mat4d>>& meshes) {
    auto all = std::make_shared<MeshData>();
    for (const auto& [mesh, matrix] : meshes) {
        const int first = all->vertexCount();
        const size_t facesBefore = all->faceCounts.size();
        const bool reversed = determinant3(matrix) < 0;
        for (int v = 0; v < mesh->vertexCount(); ++v) {
            const MVector p = pointOf(*mesh, v);
            const Vec3d q = transformPoint({p[0], p[1], p[2]}, matrix);
            addPoint(*all, {q[0], q[1], q[2]});
        }
        size_t at = 0;
        for (const int n : mesh->faceCounts) {
            all->faceCounts.push_back(n);
            for (int k = 0; k < n; ++k)
                all->faceVertices.push_back(first + mesh->faceVertices[at + size_t(reversed ? n - 1 - k : k)]);
            at += size_t(n);
        }
        uniteUvs(*all, *mesh, reversed, facesBefore);
    }
    for (MeshData::UvSet& set : all->uvSets) set.counts.resize(all->faceCounts.size());
    return all;
}

std::vector<Vec3d> profileOf(const CurveData& curve) {
    std::vector<Vec3d> points;
    const auto add = [&](const MPoint& p) { points.push_back({p.x, p.y, p.z}); };
    if (curve.degree == 1) {
        for (const MPoint& p : curve.cvs) add(p);
        return points;
    }
    double before = curve.start();
    add(curve.pointAt(before));
    for (const double knot : curve.knots) {
        if (knot <= before || knot > curve.end()) continue;
        for (int k = 1; k <= kSamplesPerSpan; ++k) add(curve.pointAt(before + (knot - before) * k / kSamplesPerSpan));
        before = knot;
    }
    return points;
}

std::shared_ptr<MeshData> revolved(std::vector<Vec3d> profile, const Revolution& revolution) {
    MVector axis(revolution.axis[0], revolution.axis[1], revolution.axis[2]);
    if (axis.length() == 0) throw Error("the axis has no length");
    axis.normalize();
    const MVector pivot(revolution.pivot[0], revolution.pivot[1], revolution.pivot[2]);
    const auto vectorOf = [](const Vec3d& p) { return MVector(p[0], p[1], p[2]); };
    double size = 0;
    for (const Vec3d& p : profile) size = std::max(size, (vectorOf(p) - pivot).length());
    const double tolerance = kSamePoint * size;
    const auto same = [&](const Vec3d& a, const Vec3d& b) { return (vectorOf(a) - vectorOf(b)).length() <= tolerance; };
    profile.erase(std::unique(profile.begin(), profile.end(), same), profile.end());
    const bool loop = profile.size() > 3 && same(profile.front(), profile.back());
    if (loop) profile.pop_back();

    // Height along the axis and distance from it.
    std::vector<MVector> radial;
    std::vector<double> height, radius;
    for (const Vec3d& p : profile) {
        const MVector from = vectorOf(p) - pivot;
        height.push_back(from * axis);
        radial.push_back(from - axis * height.back());
        radius.push_back(radial.back().length());
        if (radius.back() <= tolerance) radius.back() = 0;
    }
    if (profile.size() < 2 || *std::max_element(radius.begin(), radius.end()) == 0)
        throw Error("the curve lies on the axis; move it away from the axis, or choose another -axis");
    const int rows = int(profile.size()), bands = loop ? rows : rows - 1;
    for (int i = 0; i < bands; ++i)
        if (radius[i] == 0 && radius[(i + 1) % rows] == 0)
            throw Error("part of the curve lies on the axis; only its ends may touch it");

    const double sweep = revolution.end - revolution.start;
    const bool full = std::abs(std::abs(sweep) - kTwoPi) < 1e-6;
    const int steps = revolution.sections * (revolution.degree == 1 ? 1 : kQuadsPerSection);
    const int columns = full ? steps : steps + 1;
    if (double(steps) * bands > kMaxFaces)
        throw Error("the revolution has " + shortest(double(steps) * bands) + " faces; the limit is " +
                    shortest(kMaxFaces));

    // ∫ r² dh along the profile: positive if it encloses its volume while rising.
    double enclosed = 0;
    for (int i = 0; i < bands; ++i) {
        const int j = (i + 1) % rows;
        enclosed += (radius[i] * radius[i] + radius[i] * radius[j] + radius[j] * radius[j]) * (height[j] - height[i]);
    }
    const bool reversed = (enclosed < 0) != (sweep < 0);

    auto mesh = std::make_shared<MeshData>();
    std::vector<int> first;  // vertex of each row; a pole has one
    for (int i = 0; i < rows; ++i) {
        first.push_back(mesh->vertexCount());
        for (int j = 0; j < (radius[i] == 0 ? 1 : columns); ++j) {
            const double angle = revolution.start + sweep * j / steps;
            addPoint(*mesh,
                     pivot + axis * height[i] + radial[i] * purl::cos(angle) + (axis ^ radial[i]) * purl::sin(angle));
        }
    }
    MeshData::UvSet uvs;
    for (int i = 0; i < bands + 1; ++i)
        for (int j = 0; j <= steps; ++j) {
            uvs.u.push_back(float(j) / float(steps));
            uvs.v.push_back(float(i) / float(bands));
        }
    const auto vertexAt = [&](int i, int j) { return first[i % rows] + (radius[i % rows] == 0 ? 0 : j % columns); };
    for (int i = 0; i < bands; ++i)
        for (int j = 0; j < steps; ++j) {
            std::vector<std::pair<int, int>> corners = {{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}};
            if (radius[i] == 0) corners.erase(corners.begin() + 1);
            if (radius[(i + 1) % rows] == 0) corners.erase(corners.begin() + 2);
            if (reversed) std::reverse(corners.begin(), corners.end());
            mesh->faceCounts.push_back(int(corners.size()));
            uvs.counts.push_back(int(corners.size()));
            for (const auto& [row, column] : corners) {
                mesh->faceVertices.push_back(vertexAt(row, column));
                uvs.ids.push_back(row * (steps + 1) + column);
            }
        }
    mesh->uvSets.push_back(std::move(uvs));
    return mesh;
}

}  // namespace purl::host

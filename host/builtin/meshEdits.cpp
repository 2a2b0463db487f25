#include "host/builtin/meshEdits.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "host/graph/graph.h"
#include "host/graph/text.h"

namespace purl::host {
namespace {

// Limit for sharp corners, where a constant wall thickness would need a very long offset: the offset is at most
// thickness / kMinCornerCosine.
constexpr double kMinCornerCosine = 0.25;

MVector pointOf(const MeshData& mesh, int vertex) {
    const float* p = &mesh.points[3 * vertex];
    return {double(p[0]), double(p[1]), double(p[2])};
}

// Unit normal of a face by Newell's sum.
MVector faceNormal(const MeshData& mesh, int face) {
    const int n = mesh.faceCounts[face];
    const int* corner = mesh.faceVertices.data() + mesh.faceStarts()[face];
    const MVector origin = pointOf(mesh, corner[0]);  // relative to a corner, to avoid cancellation far from the origin
    MVector normal;
    for (int k = 0; k < n; ++k)
        normal += (pointOf(mesh, corner[k]) - origin) ^ (pointOf(mesh, corner[(k + 1) % n]) - origin);
    normal.normalize();
    return normal;
}

// Offset of each vertex of the copy for a thickness of 1: n / mean(n · nf), with the angle-weighted vertex normal n and
// the normals nf of the adjacent faces, so that the wall has unit thickness where two faces meet.
std::vector<MVector> wallOffsets(const MeshData& mesh) {
    const std::vector<float> normals = mesh.vertexNormals(true);
    std::vector<double> cosines(size_t(mesh.vertexCount())), weights(size_t(mesh.vertexCount()));
    const std::vector<int>& start = mesh.faceStarts();
    const auto normalAt = [&](int v) {
        return MVector(double(normals[3 * v]), double(normals[3 * v + 1]), double(normals[3 * v + 2]));
    };
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const MVector nf = faceNormal(mesh, f);
        const int n = mesh.faceCounts[f];
        const int* corner = mesh.faceVertices.data() + start[f];
        for (int k = 0; k < n; ++k) {
            const MVector here = pointOf(mesh, corner[k]);
            const double angle =
                (pointOf(mesh, corner[(k + 1) % n]) - here).angle(pointOf(mesh, corner[(k + n - 1) % n]) - here);
            cosines[corner[k]] += angle * (normalAt(corner[k]) * nf);
            weights[corner[k]] += angle;
        }
    }
    std::vector<MVector> offsets;
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const double cosine = weights[v] > 0 ? cosines[v] / weights[v] : 1;
        offsets.push_back(normalAt(v) / std::max(cosine, kMinCornerCosine));
    }
    return offsets;
}

// Boundary edges, directed as in their only face, in face order.
std::vector<std::pair<int, int>> openEdges(const MeshData& mesh) {
    std::map<std::pair<int, int>, int> uses;
    std::vector<std::pair<int, int>> all;
    const std::vector<int>& start = mesh.faceStarts();
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const int n = mesh.faceCounts[f];
        for (int k = 0; k < n; ++k) {
            const int a = mesh.faceVertices[start[f] + k];
            const int b = mesh.faceVertices[start[f] + (k + 1) % n];
            all.emplace_back(a, b);
            ++uses[std::minmax(a, b)];
        }
    }
    std::vector<std::pair<int, int>> open;
    for (const auto& edge : all)
        if (uses[std::minmax(edge.first, edge.second)] == 1) open.push_back(edge);
    return open;
}

// Keeps the elements of `list` (stride values each) that are marked; returns the new index of each, or -1.
template <class T>
std::vector<int> keepMarked(std::vector<T>& list, size_t stride, const std::vector<char>& marked) {
    std::vector<int> index(marked.size(), -1);
    std::vector<T> kept;
    for (size_t i = 0; i < marked.size(); ++i) {
        if (!marked[i]) continue;
        index[i] = int(kept.size() / stride);
        kept.insert(kept.end(), list.begin() + long(i * stride), list.begin() + long((i + 1) * stride));
    }
    list = std::move(kept);
    return index;
}

void dropUvs(MeshData::UvSet& set, const std::vector<char>& faceKept) {
    if (set.counts.empty()) return;
    std::vector<int> counts, ids;
    std::vector<char> used(set.u.size());
    size_t at = 0;
    for (size_t f = 0; f < set.counts.size(); ++f) {
        const auto first = set.ids.begin() + long(at);
        at += size_t(set.counts[f]);
        if (!faceKept[f]) continue;
        counts.push_back(set.counts[f]);
        ids.insert(ids.end(), first, set.ids.begin() + long(at));
    }
    for (const int id : ids) used[id] = 1;
    const std::vector<int> index = keepMarked(set.u, 1, used);
    keepMarked(set.v, 1, used);
    for (int& id : ids) id = index[id];
    set.counts = std::move(counts);
    set.ids = std::move(ids);
}

}  // namespace

std::vector<int> facesIn(const ComponentListData& components, int faceCount) {
    std::vector<int> begins(size_t(faceCount) +
                            1);  // difference array: ranges that start at a face minus those that ended before it
    for (const MString& text : *components.values) {
        const std::string word = text.asChar();
        if (word.size() < 4 || word.compare(0, 2, "f[") != 0 || word.back() != ']')
            throw Error("only faces are supported, not " + word);
        const std::string inside = word.substr(2, word.size() - 3);
        const size_t colon = inside.find(':');
        double first = 0, last = faceCount - 1;
        if (inside != "*") {
            if (!parseNumber(inside.substr(0, colon), first)) throw Error("'" + word + "' is not a face");
            last = first;
            if (colon != std::string::npos && !parseNumber(inside.substr(colon + 1), last))
                throw Error("'" + word + "' is not a range of faces");
        }
        if (!(first >= 0 && last < faceCount))
            throw Error(word + ": out of range; the mesh has " + std::to_string(faceCount) + " faces");
        if (last < first) continue;
        ++begins[size_t(first)];
        --begins[size_t(last) + 1];
    }
    std::vector<int> faces;
    for (int f = 0, inside = 0; f < faceCount; ++f)
        if ((inside += begins[f]) > 0) faces.push_back(f);
    return faces;
}

std::shared_ptr<ComponentListData> faceList(const std::vector<int>& faces) {
    auto list = std::make_shared<ComponentListData>();
    for (size_t i = 0; i < faces.size();) {
        size_t end = i + 1;
        while (end < faces.size() && faces[end] == faces[end - 1] + 1) ++end;
        std::string run = "f[" + std::to_string(faces[i]);
        if (end > i + 1) run += ":" + std::to_string(faces[end - 1]);
        list->values->push_back((run + "]").c_str());
        i = end;
    }
    return list;
}

std::shared_ptr<MeshData> withoutFaces(const MeshData& mesh, const std::vector<int>& faces) {
    std::vector<char> faceKept(size_t(mesh.faceCount()), 1), vertexUsed(size_t(mesh.vertexCount()));
    for (const int f : faces) faceKept[f] = 0;
    if (std::find(faceKept.begin(), faceKept.end(), 1) == faceKept.end())
        throw Error("no face would remain; delete the object instead");

    auto rest = std::static_pointer_cast<MeshData>(mesh.clone());
    rest->faceCounts.clear();
    rest->faceVertices.clear();
    rest->faceNormals.clear();
    for (MeshData::ColorSet& set : rest->colorSets) set.ids.clear();
    const std::vector<int>& start = mesh.faceStarts();
    for (size_t f = 0; f < faceKept.size(); ++f) {
        if (!faceKept[f]) continue;
        const long first = start[f], end = start[f + 1];
        rest->faceCounts.push_back(mesh.faceCounts[f]);
        rest->faceVertices.insert(rest->faceVertices.end(), mesh.faceVertices.begin() + first,
                                  mesh.faceVertices.begin() + end);
        if (!mesh.faceNormals.empty())
            rest->faceNormals.insert(rest->faceNormals.end(), mesh.faceNormals.begin() + 3 * first,
                                     mesh.faceNormals.begin() + 3 * end);
        for (size_t s = 0; s < mesh.colorSets.size(); ++s)
            if (!mesh.colorSets[s].ids.empty())
                rest->colorSets[s].ids.insert(rest->colorSets[s].ids.end(), mesh.colorSets[s].ids.begin() + first,
                                              mesh.colorSets[s].ids.begin() + end);
    }
    for (MeshData::UvSet& set : rest->uvSets) dropUvs(set, faceKept);

    for (const int v : rest->faceVertices) vertexUsed[v] = 1;
    const std::vector<int> index = keepMarked(rest->points, 3, vertexUsed);
    for (int& v : rest->faceVertices) v = index[v];
    // Keeps edges that a remaining face uses.
    rest->storedEdges.clear();
    rest->topologyChanged();
    if (!mesh.storedEdges.empty()) {
        std::map<std::pair<int, int>, bool> present;
        for (const MeshData::Edge& e : rest->edges()) present[std::minmax(e.a, e.b)] = true;
        std::vector<MeshData::Edge> kept;
        for (const MeshData::Edge& e : mesh.storedEdges) {
            const int a = index[e.a], b = index[e.b];
            if (a >= 0 && b >= 0 && present.count(std::minmax(a, b))) kept.push_back({a, b, e.smooth});
        }
        rest->storedEdges = std::move(kept);
    }
    return rest;
}

std::shared_ptr<MeshData> thickened(const MeshData& mesh, double thickness) {
    const std::vector<std::pair<int, int>> rim = openEdges(mesh);
    if (rim.empty()) throw Error("the mesh is closed; delete the faces of its opening first");
    const std::vector<MVector> offsets = wallOffsets(mesh);
    const int count = mesh.vertexCount();

    auto solid = std::make_shared<MeshData>();
    solid->matrix = mesh.matrix;
    solid->points = mesh.points;
    for (int v = 0; v < count; ++v) {
        const MVector p = pointOf(mesh, v) + offsets[v] * thickness;
        for (unsigned k = 0; k < 3; ++k) solid->points.push_back(float(p[k]));
    }
    const bool outward = thickness >= 0;
    const auto addFace = [&](const std::vector<int>& corners, bool turned) {
        solid->faceCounts.push_back(int(corners.size()));
        if (turned)
            solid->faceVertices.insert(solid->faceVertices.end(), corners.rbegin(), corners.rend());
        else
            solid->faceVertices.insert(solid->faceVertices.end(), corners.begin(), corners.end());
    };
    const auto cornersOf = [&](int face, int offset) {
        const auto first = mesh.faceVertices.begin() + mesh.faceStarts()[face];
        std::vector<int> corners(first, first + mesh.faceCounts[face]);
        for (int& v : corners) v += offset;
        return corners;
    };
    for (int f = 0; f < mesh.faceCount(); ++f) addFace(cornersOf(f, count), !outward);
    for (const auto& [a, b] : rim) addFace({a, b, b + count, a + count}, !outward);
    for (int f = 0; f < mesh.faceCount(); ++f) addFace(cornersOf(f, 0), outward);

    // The copy and the original have the UVs of the shell; the rim has none.
    for (const MeshData::UvSet& from : mesh.uvSets) {
        MeshData::UvSet set;
        set.name = from.name;
        if (!from.counts.empty()) {
            set.u = from.u;
            set.v = from.v;
            const auto addWall = [&](bool turned) {
                size_t at = 0;
                for (const int n : from.counts) {
                    std::vector<int> ids(from.ids.begin() + long(at), from.ids.begin() + long(at + size_t(n)));
                    if (turned) std::reverse(ids.begin(), ids.end());
                    set.counts.push_back(n);
                    set.ids.insert(set.ids.end(), ids.begin(), ids.end());
                    at += size_t(n);
                }
            };
            addWall(!outward);
            set.counts.insert(set.counts.end(), rim.size(), 0);
            addWall(outward);
        }
        solid->uvSets.push_back(std::move(set));
    }
    return solid;
}

}  // namespace purl::host

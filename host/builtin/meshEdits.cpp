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

// The extruded faces: one copy of a vertex for all faces that stay connected there, and their outline.
struct Patch {
    struct Edge {
        int face, corner;  // from this corner of the face to the next one
    };
    std::vector<int> source;                // vertex of each copy
    std::vector<std::vector<int>> corners;  // copies at the corners of each extruded face
    std::vector<Edge> outline;              // edges of one extruded face only, or all if faces are extruded separately
};

Patch patchOf(const MeshData& mesh, const std::vector<int>& faces, bool together) {
    Patch patch;
    const std::vector<int>& start = mesh.faceStarts();
    std::vector<int> copy(size_t(mesh.vertexCount()), -1);
    if (together) {
        for (const int f : faces)
            for (int k = 0; k < mesh.faceCounts[f]; ++k) copy[mesh.faceVertices[start[f] + k]] = 0;
        for (int v = 0; v < mesh.vertexCount(); ++v) {
            if (copy[v] < 0) continue;
            copy[v] = int(patch.source.size());
            patch.source.push_back(v);
        }
    }
    std::map<std::pair<int, int>, int> uses;
    for (const int f : faces) {
        const int n = mesh.faceCounts[f];
        const int* corner = mesh.faceVertices.data() + start[f];
        std::vector<int> at;
        for (int k = 0; k < n; ++k) {
            if (!together) {
                copy[corner[k]] = int(patch.source.size());
                patch.source.push_back(corner[k]);
            }
            at.push_back(copy[corner[k]]);
            ++uses[std::minmax(corner[k], corner[(k + 1) % n])];
        }
        patch.corners.push_back(std::move(at));
    }
    for (size_t i = 0; i < faces.size(); ++i)
        for (int k = 0; k < mesh.faceCounts[faces[i]]; ++k) {
            const int* corner = mesh.faceVertices.data() + start[faces[i]];
            const std::pair<int, int> edge = std::minmax(corner[k], corner[(k + 1) % mesh.faceCounts[faces[i]]]);
            if (!together || uses[edge] == 1) patch.outline.push_back({int(i), k});
        }
    return patch;
}

// The group of connected faces that each copy belongs to, by its lowest copy.
std::vector<int> groupsOf(const Patch& patch) {
    std::vector<int> group(patch.source.size());
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int c) {
        while (group[c] != c) c = group[c] = group[group[c]];
        return c;
    };
    for (const std::vector<int>& face : patch.corners)
        for (const int c : face) {
            const int a = root(face[0]), b = root(c);
            group[std::max(a, b)] = std::min(a, b);
        }
    for (size_t c = 0; c < group.size(); ++c) group[c] = root(int(c));
    return group;
}

// Positions of the copies after the extrusion.
std::vector<MVector> movedCopies(const MeshData& mesh, const std::vector<int>& faces, const Patch& patch,
                                 const Extrusion& extrusion) {
    const size_t count = patch.source.size();
    std::vector<MVector> place, normal(count), inward(count);
    std::vector<double> angles(count), cosine(count), turn(count);
    std::vector<int> sides(count);
    std::vector<MVector> faceNormals;
    for (const int v : patch.source) place.push_back(pointOf(mesh, v));
    const auto forCorners = [&](const auto& use) {
        for (size_t i = 0; i < faces.size(); ++i) {
            const std::vector<int>& at = patch.corners[i];
            for (size_t k = 0; k < at.size(); ++k) {
                const MVector here = place[at[k]], next = place[at[(k + 1) % at.size()]] - here;
                use(at[k], next.angle(place[at[(k + at.size() - 1) % at.size()]] - here), faceNormals[i]);
            }
        }
    };
    for (const int f : faces) faceNormals.push_back(faceNormal(mesh, f));
    forCorners([&](int c, double angle, const MVector& nf) {
        normal[c] += nf * angle;
        angles[c] += angle;
    });
    // n / mean(n · nf), with the angle-weighted normal n and the normals nf of the faces at the vertex: a wall of unit
    // thickness where faces meet.
    std::vector<MVector> unit = normal;
    for (MVector& n : unit) n.normalize();
    forCorners([&](int c, double angle, const MVector& nf) { cosine[c] += angle * (unit[c] * nf); });

    // The outline moves inwards by the same distance on both sides of a corner: (d₁ + d₂) / (1 + d₁ · d₂).
    const auto inwardOf = [&](const Patch::Edge& edge) {
        const std::vector<int>& at = patch.corners[size_t(edge.face)];
        MVector d =
            faceNormals[size_t(edge.face)] ^ (place[at[size_t(edge.corner + 1) % at.size()]] - place[at[edge.corner]]);
        d.normalize();
        return d;
    };
    const auto forSides = [&](const auto& use) {
        for (const Patch::Edge& edge : patch.outline) {
            const std::vector<int>& at = patch.corners[size_t(edge.face)];
            const MVector d = inwardOf(edge);
            use(at[size_t(edge.corner)], d);
            use(at[size_t(edge.corner + 1) % at.size()], d);
        }
    };
    forSides([&](int c, const MVector& d) {
        inward[c] += d;
        ++sides[c];
    });
    forSides([&](int c, const MVector& d) { turn[c] += inward[c] * d / sides[c]; });

    // The centre and normal of each group of faces.
    const std::vector<int> group = groupsOf(patch);
    std::vector<MVector> center(count), groupNormal(count);
    std::vector<int> members(count);
    for (size_t c = 0; c < count; ++c) {
        center[group[c]] += place[c];
        groupNormal[group[c]] += normal[c];
        ++members[group[c]];
    }

    std::vector<MVector> moved;
    for (size_t c = 0; c < count; ++c) {
        MVector p = place[c];
        if (extrusion.scale != 1) {
            MVector n = groupNormal[group[c]];
            n.normalize();
            const MVector from = p - center[group[c]] / double(members[group[c]]);
            p += (from - n * (from * n)) * (extrusion.scale - 1);
        }
        if (extrusion.offset != 0 && sides[c] > 0)
            p += inward[c] * (extrusion.offset / std::max(turn[c], kMinCornerCosine));
        if (angles[c] > 0) {
            p += unit[c] * (extrusion.thickness / std::max(cosine[c] / angles[c], kMinCornerCosine));
            p += normal[c] * (extrusion.translateZ / angles[c]);
        }
        moved.push_back(p);
    }
    return moved;
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

MVector pointOf(const MeshData& mesh, int vertex) {
    const float* p = &mesh.points[size_t(3 * vertex)];
    return {double(p[0]), double(p[1]), double(p[2])};
}

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

std::shared_ptr<MeshData> extruded(const MeshData& mesh, const std::vector<int>& faces, const Extrusion& extrusion) {
    if (faces.empty()) throw Error("no faces are selected");
    const Patch patch = patchOf(mesh, faces, extrusion.together);
    // All faces of an open mesh become a solid, whose other side is the original mesh.
    const bool solid = extrusion.together && int(faces.size()) == mesh.faceCount();
    if (solid && patch.outline.empty()) throw Error("the mesh is closed; delete the faces of its opening first");
    const bool turned = solid && extrusion.thickness + extrusion.translateZ < 0;  // the original is the outside

    // Vertices within the extruded faces move; those of the outline, and all of a solid, are copied.
    std::vector<char> copied(patch.source.size(), solid || !extrusion.together);
    for (const Patch::Edge& edge : patch.outline) {
        const std::vector<int>& at = patch.corners[size_t(edge.face)];
        copied[at[size_t(edge.corner)]] = copied[at[size_t(edge.corner + 1) % at.size()]] = 1;
    }
    std::vector<char> extrudedFace(size_t(mesh.faceCount()));
    for (const int f : faces) extrudedFace[f] = 1;
    // A vertex that other faces use without an edge in common stays, too.
    std::vector<char> usedByOthers(mesh.points.size() / 3);
    for (int f = 0; f < mesh.faceCount(); ++f)
        for (int k = 0; k < mesh.faceCounts[f] && !extrudedFace[f]; ++k)
            usedByOthers[mesh.faceVertices[mesh.faceStarts()[f] + k]] = 1;

    auto result = std::make_shared<MeshData>();
    result->matrix = mesh.matrix;
    result->points = mesh.points;
    const std::vector<MVector> moved = movedCopies(mesh, faces, patch, extrusion);
    std::vector<int> vertex;  // of each copy
    for (size_t c = 0; c < moved.size(); ++c) {
        const bool copies = copied[c] || usedByOthers[patch.source[c]];
        vertex.push_back(copies ? int(result->points.size() / 3) : patch.source[c]);
        if (copies) result->points.resize(result->points.size() + 3);
        for (unsigned k = 0; k < 3; ++k) result->points[size_t(3 * vertex.back()) + k] = float(moved[c][k]);
    }

    const auto addFace = [&](const std::vector<int>& corners, bool reversed) {
        result->faceCounts.push_back(int(corners.size()));
        if (reversed)
            result->faceVertices.insert(result->faceVertices.end(), corners.rbegin(), corners.rend());
        else
            result->faceVertices.insert(result->faceVertices.end(), corners.begin(), corners.end());
    };
    const auto originalCorners = [&](int face) {
        const auto first = mesh.faceVertices.begin() + mesh.faceStarts()[face];
        return std::vector<int>(first, first + mesh.faceCounts[face]);
    };
    size_t next = 0;
    for (int f = 0; f < mesh.faceCount(); ++f) {
        std::vector<int> corners = originalCorners(f);
        if (extrudedFace[f]) {
            for (size_t k = 0; k < corners.size(); ++k) corners[k] = vertex[patch.corners[next][k]];
            ++next;
        }
        addFace(corners, turned);
    }
    for (const Patch::Edge& edge : patch.outline) {
        const std::vector<int>& at = patch.corners[size_t(edge.face)];
        const int a = at[size_t(edge.corner)], b = at[size_t(edge.corner + 1) % at.size()];
        addFace({patch.source[a], patch.source[b], vertex[b], vertex[a]}, turned);
    }
    for (int f = 0; f < mesh.faceCount() && solid; ++f) addFace(originalCorners(f), !turned);

    // Faces keep their UVs; the quads have none.
    for (const MeshData::UvSet& from : mesh.uvSets) {
        MeshData::UvSet set;
        set.name = from.name;
        if (!from.counts.empty()) {
            set.u = from.u;
            set.v = from.v;
            const auto addFaces = [&](bool reversed) {
                size_t at = 0;
                for (const int n : from.counts) {
                    std::vector<int> ids(from.ids.begin() + long(at), from.ids.begin() + long(at + size_t(n)));
                    if (reversed) std::reverse(ids.begin(), ids.end());
                    set.counts.push_back(n);
                    set.ids.insert(set.ids.end(), ids.begin(), ids.end());
                    at += size_t(n);
                }
            };
            addFaces(turned);
            set.counts.insert(set.counts.end(), patch.outline.size(), 0);
            if (solid) addFaces(!turned);
        }
        result->uvSets.push_back(std::move(set));
    }
    return result;
}

}  // namespace purl::host

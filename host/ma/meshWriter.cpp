#include "host/ma/meshWriter.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "host/ma/values.h"

namespace purl::host {
namespace {

std::string rangeOf(int first, int last) {
    return first == last ? "[" + std::to_string(first) + "]"
                         : "[" + std::to_string(first) + ":" + std::to_string(last) + "]";
}

// Writes setAttr -s 8 ".vt[0:7]" -type "…" …; split into several statements. element(i) returns the numbers of element
// i.
template <class Element>
void writeList(std::string& out, const std::string& path, int count, int numbersEach, const std::string& type,
               Element&& element) {
    const int step = std::max(1, kNumbersPerStatement / numbersEach);
    for (int first = 0; first < count; first += step) {
        const int last = std::min(first + step, count) - 1;
        out += "\tsetAttr ";
        if (first == 0) out += "-s " + std::to_string(count) + " ";
        out += "\"." + path + rangeOf(first, last) + "\" " + type;
        for (int i = first; i <= last; ++i) out += " " + element(i);
        out += ";\n";
    }
}

// The edge that starts at each face corner, in file encoding: ≥ 0 forward, −e − 1 backward.
std::vector<int> cornerEdges(const MeshData& mesh) {
    std::unordered_map<std::uint64_t, int> found;
    const auto key = [](int a, int b) {
        return (std::uint64_t(std::uint32_t(std::min(a, b))) << 32) | std::uint32_t(std::max(a, b));
    };
    const std::vector<MeshData::Edge>& edges = mesh.edges();
    for (std::size_t e = 0; e < edges.size(); ++e) found.emplace(key(edges[e].a, edges[e].b), static_cast<int>(e));
    std::vector<int> corners;
    corners.reserve(mesh.faceVertices.size());
    const std::vector<int>& start = mesh.faceStarts();
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const int n = mesh.faceCounts[f];
        for (int k = 0; k < n; ++k) {
            const int a = mesh.faceVertices[start[f] + k], b = mesh.faceVertices[start[f] + (k + 1) % n];
            const int e = found.at(key(a, b));
            corners.push_back(edges[e].a == a ? e : -e - 1);
        }
    }
    return corners;
}

std::string listOf(const int* values, int count) {
    std::string text = std::to_string(count);
    for (int k = 0; k < count; ++k) text += " " + std::to_string(values[k]);
    return text;
}

std::string pointText(const MeshData& mesh, int i, double cmPerUnit) {
    std::string text;
    for (int k = 0; k < 3; ++k) text += (k ? " " : "") + numberText(mesh.points[3 * i + k], cmPerUnit);
    return text;
}

// CSR offsets of each face's UV ids.
std::vector<int> uvStarts(const MeshData::UvSet& set) {
    std::vector<int> starts(1, 0);
    for (const int n : set.counts) starts.push_back(starts.back() + n);
    return starts;
}

bool isMapped(const MeshData::UvSet& set, int face) {
    return face < static_cast<int>(set.counts.size()) && set.counts[face] > 0;
}

}  // namespace

std::string meshStatements(const MeshData& mesh, const Units& units) {
    std::string out;
    for (std::size_t s = 0; s < mesh.uvSets.size(); ++s) {
        const MeshData::UvSet& set = mesh.uvSets[s];
        const std::string path = "uvst[" + std::to_string(s) + "]";
        out += "\tsetAttr \"." + path + ".uvsn\" -type \"string\" " + inQuotes(set.name) + ";\n";
        writeList(out, path + ".uvsp", static_cast<int>(set.u.size()), 2, "-type \"float2\"",
                  [&](int i) { return shortest(set.u[i]) + " " + shortest(set.v[i]); });
    }
    for (std::size_t s = 0; s < mesh.colorSets.size(); ++s) {
        const MeshData::ColorSet& set = mesh.colorSets[s];
        const std::string path = "clst[" + std::to_string(s) + "]";
        out += "\tsetAttr \"." + path + ".clsn\" -type \"string\" " + inQuotes(set.name) + ";\n";
        writeList(out, path + ".clsp", static_cast<int>(set.colors.size()), 4, "", [&](int i) {
            const MColor& c = set.colors[i];
            return shortest(c.r) + " " + shortest(c.g) + " " + shortest(c.b) + " " + shortest(c.a);
        });
    }
    writeList(out, "vt", mesh.vertexCount(), 3, "", [&](int i) { return pointText(mesh, i, units.cmPerUnit); });
    const std::vector<MeshData::Edge>& edges = mesh.edges();
    writeList(out, "ed", static_cast<int>(edges.size()), 3, "", [&](int e) {
        return std::to_string(edges[e].a) + " " + std::to_string(edges[e].b) + (edges[e].smooth ? " 1" : " 0");
    });
    if (!mesh.faceNormals.empty()) {
        writeList(out, "n", static_cast<int>(mesh.faceNormals.size() / 3), 3, "-type \"float3\"", [&](int i) {
            const float* n = &mesh.faceNormals[3 * i];
            return shortest(n[0]) + " " + shortest(n[1]) + " " + shortest(n[2]);
        });
    }
    const std::vector<int> corners = cornerEdges(mesh);
    std::vector<std::vector<int>> starts;
    for (const MeshData::UvSet& set : mesh.uvSets) starts.push_back(uvStarts(set));
    const int faces = mesh.faceCount();
    for (int first = 0; first < faces; first += kNumbersPerStatement) {
        const int last = std::min(first + kNumbersPerStatement, faces) - 1;
        out += "\tsetAttr ";
        if (first == 0) out += "-s " + std::to_string(faces) + " -ch " + std::to_string(corners.size()) + " ";
        out += "\".fc" + rangeOf(first, last) + "\" -type \"polyFaces\"";
        for (int f = first; f <= last; ++f) {
            out += "\n\t\tf " + listOf(&corners[mesh.faceStarts()[f]], mesh.faceCounts[f]);
            for (std::size_t s = 0; s < mesh.uvSets.size(); ++s) {
                const MeshData::UvSet& set = mesh.uvSets[s];
                if (isMapped(set, f))
                    out += "\n\t\tmu " + std::to_string(s) + " " + listOf(&set.ids[starts[s][f]], set.counts[f]);
            }
            for (std::size_t s = 0; s < mesh.colorSets.size(); ++s) {
                const int* ids = mesh.colorSets[s].ids.data() + mesh.faceStarts()[f];
                const bool any = std::any_of(ids, ids + mesh.faceCounts[f], [](int id) { return id >= 0; });
                if (any) out += "\n\t\tmc " + std::to_string(s) + " " + listOf(ids, mesh.faceCounts[f]);
            }
        }
        out += ";\n";
    }
    return out;
}

std::string labelledMeshText(const MeshData& mesh, const Units& units) {
    std::string out = "\n\t\t\"v\" " + std::to_string(mesh.vertexCount());
    for (int i = 0; i < mesh.vertexCount(); ++i) out += "\n\t\t" + pointText(mesh, i, units.cmPerUnit);
    const MeshData::UvSet none;
    const MeshData::UvSet& set = mesh.uvSets.empty() ? none : mesh.uvSets[0];
    if (!set.u.empty()) {
        out += "\n\t\t\"vt\" " + std::to_string(set.u.size());
        for (std::size_t i = 0; i < set.u.size(); ++i) out += "\n\t\t" + shortest(set.u[i]) + " " + shortest(set.v[i]);
    }
    const std::vector<MeshData::Edge>& edges = mesh.edges();
    out += "\n\t\t\"e\" " + std::to_string(edges.size());
    for (const MeshData::Edge& e : edges)
        out += "\n\t\t" + std::to_string(e.a) + " " + std::to_string(e.b) + (e.smooth ? " \"smooth\"" : " \"hard\"");
    const std::vector<int> corners = cornerEdges(mesh), starts = uvStarts(set);
    for (int f = 0; f < mesh.faceCount(); ++f) {
        out += "\n\t\t\"face\" \"l\" " + listOf(&corners[mesh.faceStarts()[f]], mesh.faceCounts[f]);
        if (isMapped(set, f)) out += " \"lt\" " + listOf(&set.ids[starts[f]], set.counts[f]);
    }
    return out;
}

}  // namespace purl::host

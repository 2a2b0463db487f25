// Converts faces given by edges to faces given by vertices.
#include "host/shapes/storedMesh.h"

namespace purl::host {
namespace {

// Limit of UV sets and of colour sets per mesh: each stores an entry per face, even if few faces use it.
constexpr std::size_t kMaxSets = 64;

}  // namespace

std::string addFaceRecord(StoredMesh& mesh, std::string_view key, const std::vector<int>& numbers) {
    const auto count = [&](std::size_t at) { return static_cast<int>(numbers.size() - at); };
    if (key == "f") {
        if (numbers.empty() || numbers[0] < 1 || numbers[0] != count(1)) return "a face record has the wrong length";
        mesh.faceSizes.push_back(numbers[0]);
        mesh.faceEdges.insert(mesh.faceEdges.end(), numbers.begin() + 1, numbers.end());
    } else if (key == "h") {
        ++mesh.holes;
    } else if (key == "mu") {
        if (numbers.size() < 2 || numbers[0] < 0 || numbers[1] != count(2)) return "a UV record has the wrong length";
        if (mesh.faceSizes.empty()) return "there is a UV record before the first face";
        StoredMesh::UvSet& set = mesh.uvSets[numbers[0]];
        if (mesh.uvSets.size() > kMaxSets) return "there are more than " + std::to_string(kMaxSets) + " UV sets";
        set.faceSizes.resize(mesh.faceSizes.size());  // faces without UVs in between
        if (set.faceSizes.back() == 0 && numbers[1] == mesh.faceSizes.back()) {
            set.faceSizes.back() = numbers[1];
            set.ids.insert(set.ids.end(), numbers.begin() + 2, numbers.end());
        }
    } else if (key == "mc") {
        if (numbers.size() < 2 || numbers[0] < 0 || numbers[1] != count(2))
            return "a colour record has the wrong length";
        if (mesh.faceSizes.empty()) return "there is a colour record before the first face";
        if (numbers[1] != mesh.faceSizes.back()) return "";
        std::vector<int>& ids = mesh.colorSets[numbers[0]].ids;
        if (mesh.colorSets.size() > kMaxSets) return "there are more than " + std::to_string(kMaxSets) + " colour sets";
        const std::size_t first = mesh.faceEdges.size() - static_cast<std::size_t>(mesh.faceSizes.back());
        if (ids.size() > first) return "";  // repeated record for the same face: ignored
        ids.resize(first, -1);              // faces without colours in between
        ids.insert(ids.end(), numbers.begin() + 2, numbers.end());
    } else if (key != "fc" && key != "mf") {
        return "unknown face record '" + std::string(key) + "'";
    }
    return "";
}

std::string decode(const StoredMesh& stored, PolyMesh& mesh) {
    mesh = {};
    mesh.points = stored.points;
    const int vertices = static_cast<int>(stored.points.size()), edges = static_cast<int>(stored.edges.size());
    for (int e = 0; e < edges; ++e) {
        const std::array<int, 3>& edge = stored.edges[e];
        for (int i = 0; i < 2; ++i)
            if (edge[i] < 0 || edge[i] >= vertices)
                return "edge " + std::to_string(e) + " refers to vertex " + std::to_string(edge[i]) + " of " +
                       std::to_string(vertices);
        mesh.edges.push_back({edge[0], edge[1]});
        mesh.smooth.push_back(edge[2] != 0);
    }

    std::size_t at = 0;
    for (std::size_t f = 0; f < stored.faceSizes.size(); ++f) {
        const int n = stored.faceSizes[f];
        int end = -1, first = -1;  // end vertex of the previous edge, start vertex of the loop
        for (int i = 0; i < n; ++i) {
            const int ref = stored.faceEdges[at + i], e = ref >= 0 ? ref : -(ref + 1);
            const std::string who = "edge " + std::to_string(e) + " of face " + std::to_string(f);
            if (e >= edges) return who + " does not exist";
            const int from = stored.edges[e][ref >= 0 ? 0 : 1], to = stored.edges[e][ref >= 0 ? 1 : 0];
            if (i == 0) first = from;
            if (i > 0 && from != end) return who + " does not continue its loop";
            mesh.connects.push_back(from);
            end = to;
        }
        if (end != first) return "the edges of face " + std::to_string(f) + " do not form a closed loop";
        mesh.counts.push_back(n);
        at += n;
    }

    // Uses the current UV set if it covers every face: MFnMesh expects a UV per face vertex.
    const StoredMesh::UvSet* chosen = nullptr;
    for (const auto& [index, set] : stored.uvSets)
        if (!chosen || (!stored.currentUvSet.empty() && set.name == stored.currentUvSet)) chosen = &set;
    if (chosen && chosen->faceSizes == stored.faceSizes) {
        for (const int id : chosen->ids)
            if (id < 0 || id >= static_cast<int>(chosen->uvs.size())) return "";
        mesh.uvs = chosen->uvs;
        mesh.uvIds = chosen->ids;
    }
    return "";
}

}  // namespace purl::host

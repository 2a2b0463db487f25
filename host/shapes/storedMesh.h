// A mesh as stored in a scene file: points, edges, and faces that refer to edges. Filled by the reader, decoded once
// into a PolyMesh.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/shapes/polyMesh.h"

namespace purl::host {

struct StoredMesh {
    std::vector<std::array<float, 3>> points;  // .vt
    std::vector<std::array<int, 3>> edges;     // .ed: v0 v1 smooth
    std::vector<int> faceSizes;                // .fc: f n …
    std::vector<int> faceEdges;                //      edge ≥ 0 forwards, edge < 0 is −edge − 1 backwards
    int holes = 0;                             //      h n …: only counted; the face is kept without its hole

    struct UvSet {
        std::string name;                       // .uvst[i].uvsn
        std::vector<std::array<float, 2>> uvs;  // .uvst[i].uvsp
        std::vector<int> faceSizes, ids;        // .fc: mu i n …, one entry per face so far (0: no UVs)
    };
    std::map<int, UvSet> uvSets;
    std::string currentUvSet;  // .cuvs

    struct ColorSet {
        std::string name;                          // .clst[i].clsn
        std::vector<std::array<float, 4>> colors;  // .clst[i].clsp
        std::vector<int> ids;                      // .fc: mc i n …, one per face corner so far; -1: no colour
    };
    std::map<int, ColorSet> colorSets;
    std::string currentColorSet;  // .ccls

    bool empty() const { return points.empty() && faceSizes.empty(); }
};

// Adds one face record of .fc: `key` is f, h, mu, mc, fc or mf, followed by `numbers`. Returns "" or an error.
std::string addFaceRecord(StoredMesh& mesh, std::string_view key, const std::vector<int>& numbers);

// Converts to points, faces by vertices, and the current UV set. Returns "" or an error: "edge 12 of face 3 does not
// exist".
std::string decode(const StoredMesh& stored, PolyMesh& mesh);

}  // namespace purl::host

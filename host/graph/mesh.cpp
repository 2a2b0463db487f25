#include <cmath>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "host/graph/data.h"

namespace purl::host {

// What is derived from shared data may be asked for by several threads.
static std::recursive_mutex deriving;

void MeshData::topologyChanged() {
    edges_.clear();
    faceStarts_.clear();
}

const std::vector<int>& MeshData::faceStarts() const {
    const std::lock_guard<std::recursive_mutex> alone(deriving);
    if (faceStarts_.size() != faceCounts.size() + 1) {
        faceStarts_.assign(1, 0);
        for (int n : faceCounts) faceStarts_.push_back(faceStarts_.back() + n);
    }
    return faceStarts_;
}

const std::vector<MeshData::Edge>& MeshData::edges() const {
    if (!storedEdges.empty()) return storedEdges;
    const std::lock_guard<std::recursive_mutex> alone(deriving);
    if (edges_.empty() && !faceCounts.empty()) {
        std::unordered_map<std::uint64_t, bool> seen;
        const std::vector<int>& start = faceStarts();
        for (size_t f = 0; f < faceCounts.size(); ++f)
            for (int k = 0; k < faceCounts[f]; ++k) {
                const int a = faceVertices[start[f] + k];
                const int b = faceVertices[start[f] + (k + 1) % faceCounts[f]];
                const auto key = (std::uint64_t(std::uint32_t(std::min(a, b))) << 32) | std::uint32_t(std::max(a, b));
                if (seen.emplace(key, true).second) edges_.push_back({a, b, true});
            }
    }
    return edges_;
}

// Normalized sum over the adjacent faces of area or corner angle times the face normal (Newell).
std::vector<float> MeshData::vertexNormals(bool angleWeighted) const {
    std::vector<MVector> sum(points.size() / 3);
    auto point = [&](int v) {
        const float* p = &points[3 * v];
        return MVector(double(p[0]), double(p[1]), double(p[2]));
    };
    const std::vector<int>& start = faceStarts();
    for (size_t f = 0; f < faceCounts.size(); ++f) {
        const int n = faceCounts[f];
        const int* corner = faceVertices.data() + start[f];
        MVector normal;
        for (int k = 0; k < n; ++k) normal += point(corner[k]) ^ point(corner[(k + 1) % n]);
        if (!angleWeighted) {
            for (int k = 0; k < n; ++k) sum[corner[k]] += normal;
            continue;
        }
        normal.normalize();
        for (int k = 0; k < n; ++k) {
            const MVector here = point(corner[k]);
            const double angle = (point(corner[(k + 1) % n]) - here).angle(point(corner[(k + n - 1) % n]) - here);
            sum[corner[k]] += normal * angle;
        }
    }
    std::vector<float> out;
    out.reserve(points.size());
    for (MVector& n : sum) {
        n.normalize();
        for (unsigned k = 0; k < 3; ++k) out.push_back(float(n[k]));
    }
    return out;
}

}  // namespace purl::host

#include "solver/params/checks.h"

#include <numeric>

#include "solver/core/error.h"

namespace purl {

void checkFaces(const std::string& owner, const std::vector<Vec3>& points, const Faces& faces) {
    const auto count = static_cast<int>(points.size());
    for (const int corners : faces.counts)
        if (corners < 3) throw Error(owner + ": mesh has a face with fewer than three vertices");
    if (std::accumulate(faces.counts.begin(), faces.counts.end(), size_t(0)) != faces.corners.size())
        throw Error(owner + ": the face counts of the mesh do not match its face vertices");
    for (const int vertex : faces.corners)
        if (vertex < 0 || vertex >= count)
            throw Error(owner + ": a face refers to vertex " + std::to_string(vertex) + ", but the mesh has " +
                        std::to_string(count) + " vertices");
    for (const Vec3& point : points)
        if (!isFinite(point)) throw Error(owner + ": mesh has a vertex position that is not finite");
    if (!faces.cornerUvs.empty() && faces.cornerUvs.size() != faces.corners.size())
        throw Error(owner + ": mesh has UVs on some faces only");
    if (faces.u.size() != faces.v.size()) throw Error(owner + ": mesh has different numbers of u and v coordinates");
    for (const int uv : faces.cornerUvs)
        if (uv < 0 || uv >= static_cast<int>(faces.u.size()))
            throw Error(owner + ": a face refers to UV " + std::to_string(uv) + ", but the mesh has " +
                        std::to_string(faces.u.size()) + " UVs");
}

void checkMap(const std::string& owner, const char* what, const std::vector<float>& map, size_t points, float max) {
    if (map.empty()) return;
    if (map.size() != points)
        throw Error(owner + ": " + what + " has " + std::to_string(map.size()) + " values for " +
                    std::to_string(points) + " points");
    for (const float value : map)
        if (!(value >= 0 && value <= max))
            throw Error(owner + ": " + what + " has a value of " + std::to_string(value) +
                        ", must be at least 0 and at most " + std::to_string(static_cast<int>(max)));
}

}  // namespace purl

#include "solver/params/checks.h"

#include <numeric>

#include "solver/core/error.h"

namespace purl {

void checkFaces(const std::string& owner, const std::vector<Vec3>& points, const Faces& faces) {
    const auto count = static_cast<int>(points.size());
    for (const int corners : faces.counts)
        if (corners < 3) throw Error(owner + ": mesh has a face with fewer than three corners");
    if (std::accumulate(faces.counts.begin(), faces.counts.end(), size_t(0)) != faces.corners.size())
        throw Error(owner + ": mesh has faces with corners that are not listed");
    for (const int vertex : faces.corners)
        if (vertex < 0 || vertex >= count)
            throw Error(owner + ": mesh names vertex " + std::to_string(vertex) + " of " + std::to_string(count));
    for (const Vec3& point : points)
        if (!isFinite(point)) throw Error(owner + ": mesh has a vertex that is not finite");
    if (!faces.cornerUvs.empty() && faces.cornerUvs.size() != faces.corners.size())
        throw Error(owner + ": mesh has texture coordinates for some corners only");
    if (faces.u.size() != faces.v.size()) throw Error(owner + ": mesh has more u than v, or fewer");
    for (const int uv : faces.cornerUvs)
        if (uv < 0 || uv >= static_cast<int>(faces.u.size()))
            throw Error(owner + ": mesh names texture coordinate " + std::to_string(uv) + " of " +
                        std::to_string(faces.u.size()));
}

void checkMap(const std::string& owner, const char* what, const std::vector<float>& map, size_t points, float most) {
    if (map.empty()) return;
    if (map.size() != points)
        throw Error(owner + ": " + what + " has " + std::to_string(map.size()) + " values for " +
                    std::to_string(points) + " points");
    for (const float value : map)
        if (!(value >= 0 && value <= most))
            throw Error(owner + ": " + what + " has " + std::to_string(value) + ", must be at least 0 and at most " +
                        std::to_string(static_cast<int>(most)));
}

}  // namespace purl

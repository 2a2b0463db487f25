#include "solver/surface/pieces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Pieces of up to so many particles are scaled in full; from there to the second number less and less, for in larger
// ones some particles are nearest to no vertex.
constexpr int kFew = 16, kMany = 64;
// Share of the volume by which larger pieces may be off: rounded edges and noise, which are not to move a pool's level.
constexpr double kSlack = 0.03;
// How far their surface is moved, inwards and outwards, in edges of a particle's volume. Inwards so far that a film of
// one layer is left with two sides; on walls, which keep the lowest layer up to a spacing off, where the mesh fills in
// what is below it, farther.
constexpr double kMostInwards = 0.2, kMostInwardsOnWalls = 0.4, kMostOutwards = 0.35;
// Largest surface of a small piece that is scaled by more than 2, of a ball's of the same volume.
constexpr double kMostSurface = 2;

// For each vertex the lowest vertex of its piece.
std::vector<int> piecesOf(const Mesh& mesh) {
    std::vector<int> root(mesh.positions.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int v) {
        while (root[v] != v) {
            int& up = root[v];
            up = root[up];
            v = up;
        }
        return v;
    };
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        for (size_t k = 1; k < 3; ++k) {
            const int a = find(mesh.triangles[t]), b = find(mesh.triangles[t + k]);
            if (a != b) root[std::max(a, b)] = std::min(a, b);
        }
    for (size_t v = 0; v < root.size(); ++v) root[v] = find(static_cast<int>(v));
    return root;
}

struct Piece {
    double volume = 0;      // enclosed
    double middle[3] = {};  // its centre, or foot; while it is summed, times the volume and from its lowest vertex
    double foot[3] = {};    // sum of its vertices on walls
    int onWall = 0;         // how many these are
    double target = 0;      // volume of its particles
    double area = 0;        // of its free surface
    int particles = 0;
    double share = 0;  // 1: small, 0: large
    double scale = 1;
};

}  // namespace

void restoreVolume(const std::vector<int>& nearest, const std::vector<float>& volume,
                   const std::vector<Vec3>& wallNormals, Mesh& mesh) {
    const auto isOnWall = [&](size_t vertex) { return !wallNormals.empty() && wallNormals[vertex] != Vec3{}; };
    const std::vector<int> root = piecesOf(mesh);
    std::vector<int> index(root.size(), -1);  // of the piece, at its lowest vertex
    std::vector<Piece> pieces;
    for (size_t v = 0; v < root.size(); ++v)
        if (root[v] == static_cast<int>(v)) {
            index[v] = static_cast<int>(pieces.size());
            pieces.emplace_back();
        }
    const auto pieceOf = [&](int vertex) { return index[root[vertex]]; };
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const int first = mesh.triangles[t];
        const Vec3 origin = mesh.positions[root[first]];
        const auto at = [&](size_t k) { return mesh.positions[mesh.triangles[t + k]] - origin; };
        const Vec3 a = at(0), b = at(1), c = at(2);
        const double sixth = static_cast<double>(dot(a, cross(b, c))) / 6;
        Piece& piece = pieces[pieceOf(first)];
        piece.volume += sixth;
        const bool free = !isOnWall(static_cast<size_t>(mesh.triangles[t])) ||
                          !isOnWall(static_cast<size_t>(mesh.triangles[t + 1])) ||
                          !isOnWall(static_cast<size_t>(mesh.triangles[t + 2]));
        if (free) piece.area += 0.5 * static_cast<double>(length(cross(b - a, c - a)));
        for (int axis = 0; axis < 3; ++axis)
            piece.middle[axis] += sixth * static_cast<double>(a[axis] + b[axis] + c[axis]) / 4;
    }
    const auto largest = volume.empty() ? 0 : static_cast<double>(*std::max_element(volume.begin(), volume.end()));
    const auto isSmall = [&](const Piece& piece) { return piece.volume > 0 && piece.volume < 2 * kMany * largest; };
    std::vector<std::pair<int, int>> owned;  // piece and particle
    for (size_t v = 0; v < root.size(); ++v) {
        const int piece = pieceOf(static_cast<int>(v));
        if (nearest[v] >= 0 && isSmall(pieces[piece])) owned.emplace_back(piece, nearest[v]);
        if (!isOnWall(v)) continue;
        ++pieces[piece].onWall;
        for (int axis = 0; axis < 3; ++axis) pieces[piece].foot[axis] += static_cast<double>(mesh.positions[v][axis]);
    }
    std::sort(owned.begin(), owned.end());
    owned.erase(std::unique(owned.begin(), owned.end()), owned.end());
    for (const auto& [piece, particle] : owned) {
        pieces[piece].target += static_cast<double>(volume[particle]);
        ++pieces[piece].particles;
    }
    for (size_t v = 0; v < root.size(); ++v) {
        if (root[v] != static_cast<int>(v)) continue;
        Piece& piece = pieces[index[v]];
        if (piece.particles == 0 || piece.particles >= kMany) continue;
        for (int axis = 0; axis < 3; ++axis)
            piece.middle[axis] = piece.onWall > 0
                                     ? piece.foot[axis] / piece.onWall
                                     : static_cast<double>(mesh.positions[v][axis]) + piece.middle[axis] / piece.volume;
        piece.share = std::clamp(double(kMany - piece.particles) / (kMany - kFew), 0.0, 1.0);
        // Smoothing shrinks a drop of a cell or two by a third in each pass, to the same shape. A sliver that encloses
        // next to nothing is not such a drop: its scaled surface is at most kMostSurface times that of a ball.
        const double ball = std::cbrt(36 * kPi * piece.target * piece.target);
        const double most = piece.area > 0 ? std::max(2.0, std::sqrt(kMostSurface * ball / piece.area)) : 2.0;
        const double full = std::clamp(std::cbrt(piece.target / piece.volume), 0.5, most);
        piece.scale = 1 + piece.share * (full - 1);
    }
    // All larger pieces as one: their surface moves along its normals.
    Piece large;
    for (const float v : volume) large.target += static_cast<double>(v);
    double area = 0;
    for (const Piece& piece : pieces) {
        large.volume += (1 - piece.share) * piece.volume;
        large.target -= piece.share * piece.target;
        area += (1 - piece.share) * piece.area;
    }
    const double edge = std::cbrt(largest), missing = large.target - large.volume;
    const double slack = kSlack * large.target;
    const double beyond = missing - std::clamp(missing, -slack, slack);
    const double inwards = edge * (wallNormals.empty() ? kMostInwards : kMostInwardsOnWalls);
    const double offset = area > 0 ? std::clamp(beyond / area, -inwards, kMostOutwards * edge) : 0;
    for (size_t v = 0; v < root.size(); ++v) {
        const Piece& piece = pieces[pieceOf(static_cast<int>(v))];
        // What lies on a wall stays on it.
        const Vec3 n = mesh.normals[v];
        const Vec3 along = isOnWall(v) ? n - dot(n, wallNormals[v]) * wallNormals[v] : n;
        for (int axis = 0; axis < 3; ++axis) {
            const double x = static_cast<double>(mesh.positions[v][axis]);
            mesh.positions[v][axis] = static_cast<float>(x + (piece.scale - 1) * (x - piece.middle[axis]) +
                                                         (1 - piece.share) * offset * static_cast<double>(along[axis]));
        }
    }
}

}  // namespace purl

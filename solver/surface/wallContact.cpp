#include "solver/surface/wallContact.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/search/cellGrid.h"
#include "solver/surface/blobs.h"

namespace purl {
namespace {

// A patch of wall beside a particle.
struct Patch {
    Vec3 middle;  // between the particle and the wall, from its block's first node, in cells
    Vec3 normal;  // unit, towards the particle
    float half;   // distance of the wall from the middle
};

struct EndAtWalls {
    BlockRuns runs;
    Span<const Patch> patches;
    double cell;
    float reach;      // cells
    float cotangent;  // of the contact angle
    float meniscus;   // how far from the wall the free surface rises, cells
    Span<Vec3> normal;
    Span<Vec3> x;
    Span<Vec3> wallNormal;  // of those that lie on a wall; zero

    PURL_HD void operator()(int i) const {
        wallNormal[i] = {};
        const Cell block = cellAt(x[i], cell * kEdge);
        const BlockPlace here{block.x, block.y, block.z};
        const auto local = [&](float a, int b) {
            return static_cast<float>(static_cast<double>(a) / cell - static_cast<double>(kEdge) * b);
        };
        const Vec3 start{local(x[i].x, here.x), local(x[i].y, here.y), local(x[i].z, here.z)};
        Vec3 p = start;
        Found walls[kMostWalls];
        for (int count = 0; count < kMostWalls; ++count) {
            const Found wall = nearest(here, p, walls, count);
            if (!(wall.distance2 < square(reach))) break;
            if (count == 0 && cotangent != 0) p += rise(wall, normal[i]);
            if (wall.height <= kOnWall) {
                p -= wall.height * wall.normal;
                wallNormal[i] = wall.normal;
                // What was well behind the wall is its wetted side; nearer, it is the edge of the free surface.
                if (wall.height < -kEdgeDepth) normal[i] = -wall.normal;
            }
            walls[count] = wall;
        }
        if (p == start) return;
        const auto world = [&](float a, int b) {
            return static_cast<float>((static_cast<double>(a) + static_cast<double>(kEdge) * b) * cell);
        };
        x[i] = {world(p.x, here.x), world(p.y, here.y), world(p.z, here.z)};
    }

  private:
    static constexpr int kMostWalls = 3;
    static constexpr float kOnWall = 1e-3f;   // cells
    static constexpr float kEdgeDepth = 1;    // cells
    static constexpr float kSameWall = 0.8f;  // cosine between normals

    struct Found {
        float distance2 = 1e30f;
        float height = 0;  // of the vertex above the wall
        Vec3 normal;
        Vec3 middle;  // of the patch, from block `here`
    };

    // The patch whose middle is nearest: of a thin wall that is wet on both sides, the one on the side of p. In a
    // corner, after the walls that were found, another one that has them before it; round an edge that sticks out,
    // there is none.
    PURL_HD Found nearest(BlockPlace here, Vec3 p, const Found* found, int count) const {
        Found best;
        runs.forEachNear(here, p, p, reach, [&](int j, Vec3 offset) {
            const Patch patch = patches[j];
            const Vec3 middle = patch.middle + offset, d = p - middle;
            const float d2 = lengthSquared(d);
            if (!(d2 < best.distance2)) return;
            for (int k = 0; k < count; ++k)
                if (dot(patch.normal, found[k].normal) > kSameWall ||
                    dot(found[k].middle - middle, patch.normal) + patch.half < 0)
                    return;
            best = {d2, dot(d, patch.normal) + patch.half, patch.normal, middle};
        });
        return best;
    }

    // z = m cot θ exp(−height/m): at the wall the surface has the slope cot θ, and m away hardly any.
    PURL_HD Vec3 rise(const Found& wall, Vec3 n) const {
        const Vec3 along = n - dot(n, wall.normal) * wall.normal;
        const float height = wall.height > 0 ? wall.height : 0;
        return (meniscus * cotangent * std::exp(-height / meniscus)) * along;
    }
};

}  // namespace

std::vector<Vec3> endAtWalls(const Device& device, const Frame& frame, const std::vector<int>& bodies, double reach,
                             float contactAngle, Mesh& mesh) {
    const Points& points = frame.points;
    if (points.wallOffsets.empty() || mesh.positions.empty()) return {};
    std::vector<char> chosen(frame.bodies.size());
    for (const int body : bodies) chosen[body] = 1;
    std::vector<size_t> near;
    for (size_t i = 0; i < points.count(); ++i)
        if (points.wallOffsets[i] != Vec3{} &&
            chosen[points.bodies.empty() ? 0 : static_cast<size_t>(points.bodies[i])])
            near.push_back(i);
    if (near.empty()) return {};
    const double cell = reach / kEdge;
    Buffer<Vec3> middles(device, static_cast<int>(near.size()));
    for (int k = 0; k < middles.size(); ++k) {
        const size_t i = near[k];
        middles[k] = points.positions[i] + 0.5f * points.wallOffsets[i];
    }
    const Members members = intoBlocks(middles, cell, mesh.name);
    Buffer<Patch> patches(device, members.count());
    for (int k = 0; k < members.count(); ++k) {
        const Vec3 offset = points.wallOffsets[near[members.particles[k]]];
        const float distance = length(offset);
        patches[k] = {members.x[k], offset / -distance, static_cast<float>(0.5 * static_cast<double>(distance) / cell)};
    }
    const auto count = static_cast<int>(mesh.positions.size());
    Buffer<Vec3> x(device, count), normal(device, count), wallNormal(device, count);
    std::copy(mesh.positions.begin(), mesh.positions.end(), x.begin());
    if (mesh.normals.size() == mesh.positions.size())
        std::copy(mesh.normals.begin(), mesh.normals.end(), normal.begin());
    const double angle = static_cast<double>(contactAngle) * (3.14159265358979323846 / 180);
    const float cotangent = contactAngle == 90 ? 0 : static_cast<float>(1 / std::tan(angle));
    const auto spacing = static_cast<double>(frame.bodies[bodies[0]].spacing);
    forEach(device, "endAtWalls", count,
            EndAtWalls{members.runs(), std::as_const(patches).span(), cell, static_cast<float>(kEdge), cotangent,
                       static_cast<float>(spacing / cell), normal.span(), x.span(), wallNormal.span()});
    device.synchronize();
    std::copy(x.begin(), x.end(), mesh.positions.begin());
    if (mesh.normals.size() == mesh.positions.size()) std::copy(normal.begin(), normal.end(), mesh.normals.begin());
    return {wallNormal.begin(), wallNormal.end()};
}

}  // namespace purl

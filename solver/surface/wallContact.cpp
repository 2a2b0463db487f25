#include "solver/surface/wallContact.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/search/cellGrid.h"
#include "solver/surface/blobs.h"

namespace purl {
namespace {

// A patch of wall next to a particle.
struct Patch {
    Vec3 middle;  // midpoint between particle and wall, in cells relative to the first node of its block
    Vec3 normal;  // unit, towards the particle
    float half;   // distance of the wall from the midpoint
};

struct AttachToWalls {
    BlockRuns runs;
    Span<const Patch> patches;
    double cell;
    float reach;      // cells
    float cotangent;  // of the contact angle
    float meniscus;   // decay length of the meniscus, cells
    Span<Vec3> normal;
    Span<Vec3> x;
    Span<Vec3> wallNormal;  // of vertices on a wall, else zero

    PURL_HD void operator()(int i) const {
        wallNormal[i] = {};
        const Cell block = cellAt(x[i], cell * kEdge);
        const BlockCoord here{block.x, block.y, block.z};
        const auto local = [&](float a, int b) {
            return static_cast<float>(static_cast<double>(a) / cell - static_cast<double>(kEdge) * b);
        };
        const Vec3 start{local(x[i].x, here.x), local(x[i].y, here.y), local(x[i].z, here.z)};
        Vec3 p = start;
        NearWall walls[kMaxWalls];
        for (int count = 0; count < kMaxWalls; ++count) {
            const NearWall wall = nearest(here, p, walls, count);
            if (!(wall.distance2 < square(reach))) break;
            if (count == 0 && cotangent != 0) p += rise(wall, normal[i]);
            if (wall.height <= kOnWall) {
                p -= wall.height * wall.normal;
                wallNormal[i] = wall.normal;
                // A vertex well behind the wall belongs to the wetted side; a nearer one is the edge of the free
                // surface.
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
    static constexpr int kMaxWalls = 3;
    static constexpr float kOnWall = 1e-3f;   // cells
    static constexpr float kEdgeDepth = 1;    // cells
    static constexpr float kSameWall = 0.8f;  // cosine between normals

    struct NearWall {
        float distance2 = 1e30f;
        float height = 0;  // of the vertex above the wall
        Vec3 normal;
        Vec3 middle;  // of the patch, relative to block `here`
    };

    // The patch with the nearest midpoint: on a thin wall that is wet on both sides, this selects the side of p. In a
    // concave corner, it also finds a second and third wall that have the walls already found in front of them; at a
    // convex edge there is none.
    PURL_HD NearWall nearest(BlockCoord here, Vec3 p, const NearWall* found, int count) const {
        NearWall best;
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

    // z = m cot θ exp(−height/m): the slope of the surface is cot θ at the wall and fades within m.
    PURL_HD Vec3 rise(const NearWall& wall, Vec3 n) const {
        const Vec3 along = n - dot(n, wall.normal) * wall.normal;
        const float height = wall.height > 0 ? wall.height : 0;
        return (meniscus * cotangent * exp(-height / meniscus)) * along;
    }
};

}  // namespace

std::vector<Vec3> attachToWalls(const Device& device, const Frame& frame, const std::vector<int>& bodies, double reach,
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
    const SortedPoints members = sortIntoBlocks(middles, cell, mesh.name);
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
    const float cotangent = contactAngle == 90 ? 0 : static_cast<float>(1 / tan(angle));
    const auto spacing = static_cast<double>(frame.bodies[bodies[0]].spacing);
    forEach(device, "attachToWalls", count,
            AttachToWalls{members.runs(), std::as_const(patches).span(), cell, static_cast<float>(kEdge), cotangent,
                          static_cast<float>(spacing / cell), normal.span(), x.span(), wallNormal.span()});
    mesh.positions = std::vector<Vec3>(x.begin(), x.end());
    if (mesh.normals.size() == mesh.positions.size()) mesh.normals = std::vector<Vec3>(normal.begin(), normal.end());
    return {wallNormal.begin(), wallNormal.end()};
}

}  // namespace purl

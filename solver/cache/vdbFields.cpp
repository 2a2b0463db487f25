// The fields that go to OpenVDB files: distance to a mesh, and what particles fill.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "solver/cache/vdb.h"
#include "solver/core/error.h"

namespace purl {
namespace {

constexpr int kBand = 3;        // voxels on either side of a surface that are active
constexpr int kMost = 1 << 20;  // voxels from the origin: beyond, floats no longer tell them apart

// Dense blocks of eight voxels a side, made where something is put into them.
template <class Voxel>
class Blocks {
  public:
    struct Block {
        int x, y, z;
        std::array<Voxel, 512> voxels;
    };
    Voxel& at(int x, int y, int z) {
        const uint64_t key = keyOf(x >> 3) << 42 | keyOf(y >> 3) << 21 | keyOf(z >> 3);
        if (key != lastKey_) {
            const auto [entry, fresh] = index_.try_emplace(key, blocks_.size());
            if (fresh) blocks_.push_back({x & ~7, y & ~7, z & ~7, {}});
            lastKey_ = key;
            last_ = entry->second;
        }
        return blocks_[last_].voxels[static_cast<size_t>((x & 7) << 6 | (y & 7) << 3 | (z & 7))];
    }
    const std::vector<Block>& blocks() const { return blocks_; }

  private:
    static uint64_t keyOf(int v) { return static_cast<uint64_t>(v + kMost) & 0x1fffff; }

    std::unordered_map<uint64_t, size_t> index_;
    std::vector<Block> blocks_;
    uint64_t lastKey_ = ~uint64_t{0};
    size_t last_ = 0;
};

void demandRoom(Vec3 p, double voxel, const char* what) {
    for (int k = 0; k < 3; ++k)
        if (!(std::abs(static_cast<double>(p[k])) / voxel < kMost - 16))
            throw Error(std::string("vdb: ") + what + " reaches more than a million voxels from the origin");
}

// ---- distance to a mesh -----------------------------------------------------------------------------------------

// Normals of faces, edges and vertices by which the sign of a distance is right wherever the nearest point lies
// (Bærentzen and Aanæs 2005: a vertex has its faces' normals weighted by their angles).
struct PseudoNormals {
    std::vector<Vec3> faces, vertices;
    std::map<std::pair<int, int>, Vec3> edges;

    explicit PseudoNormals(const Mesh& mesh) : faces(mesh.triangles.size() / 3), vertices(mesh.positions.size()) {
        for (size_t t = 0; t < faces.size(); ++t) {
            const int* corner = &mesh.triangles[3 * t];
            Vec3 p[3];
            for (int k = 0; k < 3; ++k) p[k] = mesh.positions[static_cast<size_t>(corner[k])];
            const Vec3 cross_ = cross(p[1] - p[0], p[2] - p[0]);
            const float twiceArea = length(cross_);
            if (!(twiceArea > 0)) continue;
            faces[t] = cross_ / twiceArea;
            for (int k = 0; k < 3; ++k) {
                const Vec3 a = p[(k + 1) % 3] - p[k], b = p[(k + 2) % 3] - p[k];
                const float angle = std::atan2(length(cross(a, b)), dot(a, b));
                Vec3& vertex = vertices[static_cast<size_t>(corner[k])];
                vertex = vertex + angle * faces[t];
                Vec3& edge = edges[std::minmax(corner[k], corner[(k + 1) % 3])];
                edge = edge + faces[t];
            }
        }
    }
};

struct Nearest {
    Vec3 point, normal;
    float weights[3];
};
// Closest point of triangle abc (Ericson, Real-Time Collision Detection, 5.1.5), with the normal of the feature it lies
// on.
Nearest nearestOn(const Vec3* p, const int* corner, size_t t, Vec3 at, const PseudoNormals& normals) {
    const auto vertex = [&](int k) {
        Nearest n{p[k], normals.vertices[static_cast<size_t>(corner[k])], {0, 0, 0}};
        n.weights[k] = 1;
        return n;
    };
    const auto edge = [&](int k, int l, float share) {
        Nearest n{p[k] + share * (p[l] - p[k]), normals.edges.at(std::minmax(corner[k], corner[l])), {0, 0, 0}};
        n.weights[k] = 1 - share;
        n.weights[l] = share;
        return n;
    };
    const Vec3 ab = p[1] - p[0], ac = p[2] - p[0], ap = at - p[0];
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return vertex(0);
    const Vec3 bp = at - p[1];
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return vertex(1);
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return edge(0, 1, d1 / (d1 - d3));
    const Vec3 cp = at - p[2];
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return vertex(2);
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return edge(0, 2, d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return edge(1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const float sum = va + vb + vc, v = vb / sum, w = vc / sum;
    return {p[0] + v * ab + w * ac, normals.faces[t], {1 - v - w, v, w}};
}

struct Distance {
    float square = 1e30f;
    bool inside = false;
    Vec3 velocity;
};

// Inactive voxels of a leaf get their sign from the active ones before them along z, y and x, as OpenVDB's flood fill
// does it.
void fillInside(VdbLeaf& leaf, const std::array<bool, 512>& negative) {
    const auto active = [&](size_t i) { return (leaf.active[i >> 6] >> (i & 63) & 1) != 0; };
    size_t first = 0;
    while (first < 512 && !active(first)) ++first;
    if (first == 512) return;
    bool x = negative[first];
    for (size_t i = 0; i < 8; ++i) {
        if (active(i << 6)) x = negative[i << 6];
        bool y = x;
        for (size_t j = 0; j < 8; ++j) {
            if (active(i << 6 | j << 3)) y = negative[i << 6 | j << 3];
            bool z = y;
            for (size_t k = 0; k < 8; ++k) {
                const size_t voxel = i << 6 | j << 3 | k;
                if (active(voxel))
                    z = negative[voxel];
                else if (z)
                    leaf.inside[voxel >> 6] |= uint64_t{1} << (voxel & 63);
            }
        }
    }
}

double meanEdge(const Mesh& mesh) {
    double sum = 0;
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        const size_t next = i % 3 == 2 ? i - 2 : i + 1;
        sum += static_cast<double>(length(mesh.positions[static_cast<size_t>(mesh.triangles[i])] -
                                          mesh.positions[static_cast<size_t>(mesh.triangles[next])]));
    }
    return mesh.triangles.empty() ? 0 : sum / static_cast<double>(mesh.triangles.size());
}

}  // namespace

std::vector<VdbGrid> levelSetOf(const Mesh& mesh, double voxel) {
    VdbGrid surface{"surface", "level set", 1, voxel, static_cast<float>(kBand * voxel), {}};
    VdbGrid v{"v", "unknown", 3, voxel, 0, {}};
    const PseudoNormals normals(mesh);
    const auto size = static_cast<float>(voxel);
    Blocks<Distance> field;
    for (size_t t = 0; t < normals.faces.size(); ++t) {
        if (normals.faces[t] == Vec3{}) continue;  // no area: its neighbours cover it
        const int* corner = &mesh.triangles[3 * t];
        Vec3 p[3];
        Bounds bounds;
        for (int k = 0; k < 3; ++k) {
            p[k] = mesh.positions[static_cast<size_t>(corner[k])];
            demandRoom(p[k], voxel, mesh.name.c_str());
            bounds.include(p[k]);
        }
        int low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = static_cast<int>(std::ceil(bounds.low[k] / size)) - kBand;
            high[k] = static_cast<int>(std::floor(bounds.high[k] / size)) + kBand;
        }
        for (int x = low[0]; x <= high[0]; ++x)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int z = low[2]; z <= high[2]; ++z) {
                    const Vec3 at = size * Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                    // No nearer than its plane.
                    const float away = dot(at - p[0], normals.faces[t]), reach = kBand * size;
                    if (std::abs(away) >= reach) continue;
                    const Nearest nearest = nearestOn(p, corner, t, at, normals);
                    const Vec3 from = at - nearest.point;
                    const float square = dot(from, from);
                    if (square >= reach * reach) continue;
                    Distance& best = field.at(x, y, z);
                    if (square >= best.square) continue;
                    best.square = square;
                    best.inside = dot(from, nearest.normal) < 0;
                    best.velocity = {};
                    for (int k = 0; k < 3 && !mesh.velocities.empty(); ++k)
                        best.velocity =
                            best.velocity + nearest.weights[k] * mesh.velocities[static_cast<size_t>(corner[k])];
                }
    }
    for (const auto& block : field.blocks()) {
        VdbLeaf leaf{block.x, block.y, block.z, {}, {}, {}}, moving = leaf;
        std::array<bool, 512> negative{};
        for (size_t i = 0; i < 512; ++i) {
            const Distance& d = block.voxels[i];
            if (!(d.square < 1e30f)) continue;
            leaf.active[i >> 6] |= uint64_t{1} << (i & 63);
            negative[i] = d.inside;
            const float distance = std::sqrt(d.square);
            leaf.values.push_back(d.inside ? -distance : distance);
            moving.values.insert(moving.values.end(), {d.velocity.x, d.velocity.y, d.velocity.z});
        }
        moving.active = leaf.active;
        fillInside(leaf, negative);
        surface.leaves.push_back(std::move(leaf));
        if (!mesh.velocities.empty()) v.leaves.push_back(std::move(moving));
    }
    std::vector<VdbGrid> grids{std::move(surface)};
    if (!mesh.velocities.empty()) grids.push_back(std::move(v));
    return grids;
}

std::vector<VdbGrid> fogOf(const Points& points, double voxel) {
    struct Filled {
        float volume = 0;
        Vec3 momentum;
    };
    Blocks<Filled> field;
    const auto size = static_cast<float>(voxel);
    const float voxelVolume = size * size * size;
    for (size_t i = 0; i < points.count(); ++i) {
        demandRoom(points.positions[i], voxel, "the fluid");
        const float radius = points.radii.empty() ? 0.62035049f * size : points.radii[i];  // (3 / 4π)^⅓: fills a voxel
        const float volume = 4.1887902f * radius * radius * radius;
        // Each of the eight voxels around gets its share, by how near it is.
        int base[3];
        float share[3];
        for (int k = 0; k < 3; ++k) {
            const float at = points.positions[i][k] / size;
            base[k] = static_cast<int>(std::floor(at));
            share[k] = at - static_cast<float>(base[k]);
        }
        for (int corner = 0; corner < 8; ++corner) {
            float weight = volume;
            int at[3];
            for (int k = 0; k < 3; ++k) {
                const int up = corner >> k & 1;
                weight *= up ? share[k] : 1 - share[k];
                at[k] = base[k] + up;
            }
            if (weight <= 0) continue;
            Filled& filled = field.at(at[0], at[1], at[2]);
            filled.volume += weight;
            if (!points.velocities.empty()) filled.momentum = filled.momentum + weight * points.velocities[i];
        }
    }
    VdbGrid density{"density", "fog volume", 1, voxel, 0, {}}, v{"v", "unknown", 3, voxel, 0, {}};
    for (const auto& block : field.blocks()) {
        VdbLeaf leaf{block.x, block.y, block.z, {}, {}, {}}, moving = leaf;
        for (size_t i = 0; i < 512; ++i) {
            const Filled& filled = block.voxels[i];
            if (!(filled.volume > 0)) continue;
            leaf.active[i >> 6] |= uint64_t{1} << (i & 63);
            leaf.values.push_back(filled.volume / voxelVolume);
            const Vec3 mean = filled.momentum / filled.volume;
            moving.values.insert(moving.values.end(), {mean.x, mean.y, mean.z});
        }
        moving.active = leaf.active;
        density.leaves.push_back(std::move(leaf));
        if (!points.velocities.empty()) v.leaves.push_back(std::move(moving));
    }
    std::vector<VdbGrid> grids{std::move(density)};
    if (!points.velocities.empty()) grids.push_back(std::move(v));
    return grids;
}

std::string encodeVdbFrame(const Frame& part, FileTime) {
    if (!part.meshes.empty()) {
        const Mesh& mesh = part.meshes[0];
        const double edge = meanEdge(mesh);
        return encodeVdb(levelSetOf(mesh, edge > 0 ? edge : 1), part.metersPerUnit);
    }
    const double spacing = part.bodies.empty() ? 0 : static_cast<double>(part.bodies[0].spacing);
    return encodeVdb(fogOf(part.points, spacing > 0 ? spacing : 1), part.metersPerUnit);
}

}  // namespace purl

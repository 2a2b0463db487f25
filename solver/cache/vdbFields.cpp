// Rasterization for OpenVDB files: level set of a mesh, fog volume of particles.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "solver/cache/vdb.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/math.h"

namespace purl {
namespace {

constexpr int kBand = 3;                 // half-width of the narrow band, voxels
constexpr int kMaxCoordinate = 1 << 20;  // voxels from the origin; beyond, floats cannot resolve voxels

// Sparse grid of dense 8³ blocks, created on first access.
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
        return blocks_[last_].voxels[(x & 7) << 6 | (y & 7) << 3 | (z & 7)];
    }
    const std::vector<Block>& blocks() const { return blocks_; }

  private:
    static uint64_t keyOf(int v) { return static_cast<uint64_t>(v + kMaxCoordinate) & 0x1fffff; }

    std::unordered_map<uint64_t, size_t> index_;
    std::vector<Block> blocks_;
    uint64_t lastKey_ = ~uint64_t{0};
    size_t last_ = 0;
};

void checkRange(Vec3 p, double voxel, const char* what) {
    for (int k = 0; k < 3; ++k)
        if (!(std::abs(static_cast<double>(p[k])) / voxel < kMaxCoordinate - 16))
            throw Error(std::string("vdb: ") + what + " extends more than a million voxels from the origin");
}

// ---- signed distance to a mesh ----------------------------------------------------------------------------------

// Angle-weighted pseudonormals of faces, edges and vertices. They give the correct sign of the distance for any feature
// that the closest point lies on (Bærentzen and Aanæs 2005).
struct PseudoNormals {
    std::vector<Vec3> faces, vertices;
    std::map<std::pair<int, int>, Vec3> edges;

    explicit PseudoNormals(const Mesh& mesh) : faces(mesh.triangles.size() / 3), vertices(mesh.positions.size()) {
        for (size_t t = 0; t < faces.size(); ++t) {
            const int* corner = &mesh.triangles[3 * t];
            Vec3 p[3];
            for (int k = 0; k < 3; ++k) p[k] = mesh.positions[corner[k]];
            const Vec3 cross_ = cross(p[1] - p[0], p[2] - p[0]);
            const float twiceArea = length(cross_);
            if (!(twiceArea > 0)) continue;
            faces[t] = cross_ / twiceArea;
            for (int k = 0; k < 3; ++k) {
                const Vec3 a = p[(k + 1) % 3] - p[k], b = p[(k + 2) % 3] - p[k];
                const float angle = atan2(length(cross(a, b)), dot(a, b));
                Vec3& vertex = vertices[corner[k]];
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
        Nearest n{p[k], normals.vertices[corner[k]], {0, 0, 0}};
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

// Signed flood fill within a leaf: inactive voxels get their sign from the active ones before them along z, y and x, as
// in OpenVDB.
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

// ---- fog volume of particles ------------------------------------------------------------------------------------

// SIMD vectors of x, y, z and a fourth value.
using Floats = float __attribute__((vector_size(16)));
using Ints = int __attribute__((vector_size(16)));

// Trilinear coordinates of a particle among the eight voxels around it.
struct Splat {
    Ints base;     // lowest voxel
    Floats share;  // position between the lowest and the highest voxel, 0 … 1
};
Splat splatOf(Vec3 position, float voxel) {
    const Floats at = Floats{position.x, position.y, position.z, 0} / voxel;
    Ints base = __builtin_convertvector(at, Ints);
    base += __builtin_convertvector(base, Floats) > at;  // floor: a true comparison is -1
    return {base, at - __builtin_convertvector(base, Floats)};
}

uint64_t leafKey(int x, int y, int z) {
    const auto part = [](int v) { return static_cast<uint64_t>((v >> 3) + kMaxCoordinate); };  // 21 bits
    return part(x) << 42 | part(y) << 21 | part(z);
}

// Assigns consecutive numbers to leaves in the order of first use. Hash table with open addressing, at most half full.
class LeafNumbers {
  public:
    uint32_t of(uint64_t key) {
        if (2 * keys_.size() >= slots_.size()) grow();
        Slot& slot = slotOf(key);
        if (slot.key == kFree) {
            slot = {key, static_cast<uint32_t>(keys_.size())};
            keys_.push_back(key);
            beside_.push_back({});
        }
        return slot.number;
    }
    // Number of an adjacent leaf. Bits 0, 1 and 2 of `directions` select the next leaf along x, y and z.
    uint32_t beside(uint32_t leaf, uint32_t directions) {
        if (const uint32_t known = beside_[leaf][directions]) return known - 1;
        constexpr uint64_t x = uint64_t{1} << 42, y = uint64_t{1} << 21, z = 1;
        const uint32_t found =
            of(keys_[leaf] + (directions & 1 ? x : 0) + (directions & 2 ? y : 0) + (directions & 4 ? z : 0));
        beside_[leaf][directions] = found + 1;
        return found;
    }
    const std::vector<uint64_t>& keys() const { return keys_; }  // by number

  private:
    static constexpr uint64_t kFree = ~uint64_t{0};
    struct Slot {
        uint64_t key = kFree;
        uint32_t number = 0;
    };

    // The slot of the key, or the free slot for it.
    Slot& slotOf(uint64_t key) {
        size_t slot = key * 0x9e3779b97f4a7c15ull >> 32;
        while (slots_[slot & (slots_.size() - 1)].key != key && slots_[slot & (slots_.size() - 1)].key != kFree) ++slot;
        return slots_[slot & (slots_.size() - 1)];
    }
    void grow() {
        slots_.assign(2 * slots_.size(), {});
        for (size_t i = 0; i < keys_.size(); ++i) slotOf(keys_[i]) = {keys_[i], static_cast<uint32_t>(i)};
    }

    std::vector<Slot> slots_ = std::vector<Slot>(1024);
    std::vector<uint64_t> keys_;
    std::vector<std::array<uint32_t, 8>> beside_;  // cache of beside(): 0 if unknown, otherwise the number + 1
};

// For each leaf, the particles that overlap it, in ascending order.
struct LeafLists {
    std::vector<uint64_t> leaves;  // keys
    std::vector<size_t> starts;    // CSR offsets into `particles`
    std::vector<int> particles;
};

// A contiguous range of particles that one thread processes. A particle belongs to the leaf of its lowest voxel and may
// overlap adjacent leaves.
struct LeafPart {
    LeafNumbers numbers;
    std::vector<uint32_t> places;  // per particle: 8 × leaf number + bits of the directions in which it overlaps others
    std::vector<uint32_t> merged;   // per leaf: its number in the merged list
    std::vector<uint64_t> entries;  // per leaf: first the number of particles, later the offset of the next one

    // Calls act(leaf, begin, end) for each leaf that particles begin … end − 1 overlap. Consecutive particles that
    // overlap the same leaves, as most do, are handled by one call.
    template <class Act>
    void forEachRun(const Act& act) {
        const auto count = static_cast<int>(places.size());
        for (int begin = 0, end = 0; begin < count; begin = end) {
            const uint32_t place = places[begin], leaf = place >> 3, beyond = place & 7;
            while (++end < count && places[end] == place) continue;
            act(leaf, begin, end);
            for (uint32_t subset = beyond; subset; subset = (subset - 1) & beyond)
                act(numbers.beside(leaf, subset), begin, end);
        }
    }

    void find(const Vec3* positions, int count, float voxel) {
        places.resize(static_cast<size_t>(count));
        uint64_t lastKey = ~uint64_t{0};
        uint32_t leaf = 0;
        for (int i = 0; i < count; ++i) {
            const Ints base = splatOf(positions[i], voxel).base;
            const uint64_t key = leafKey(base[0], base[1], base[2]);
            if (key != lastKey) leaf = numbers.of(lastKey = key);
            // A particle in the last voxel along an axis also contributes to the next leaf.
            const Ints beyond = ((base & 7) == 7) & Ints{1, 2, 4, 0};
            places[i] = leaf << 3 | static_cast<uint32_t>(beyond[0] | beyond[1] | beyond[2]);
        }
        forEachRun([&](uint32_t reached, int begin, int end) {
            if (reached >= entries.size()) entries.resize(numbers.keys().size());
            entries[reached] += static_cast<uint64_t>(end - begin);
        });
    }
};

// Processes ranges of particles in parallel, then merges their lists. The result does not depend on the thread count.
LeafLists leavesTouchedBy(const Points& points, float voxel, const Device& device) {
    constexpr int kPart = 1 << 16;
    const auto count = static_cast<int>(points.count());
    std::vector<LeafPart> parts(static_cast<size_t>((count + kPart - 1) / kPart));
    forEachChunk(device, "vdbTouchedLeaves", count, kPart, [&](int begin, int end) {
        parts[begin / kPart].find(points.positions.data() + begin, end - begin, voxel);
    });

    LeafLists lists;
    LeafNumbers numbers;
    std::vector<size_t> counts;
    for (LeafPart& part : parts)
        for (size_t leaf = 0; leaf < part.entries.size(); ++leaf) {
            const uint32_t number = numbers.of(part.numbers.keys()[leaf]);
            if (number == counts.size()) counts.push_back(0);
            part.merged.push_back(number);
            // Offset after the entries of earlier parts.
            counts[number] += std::exchange(part.entries[leaf], counts[number]);
        }
    lists.leaves = numbers.keys();
    lists.starts.assign(1, 0);
    for (const size_t leafCount : counts) lists.starts.push_back(lists.starts.back() + leafCount);
    lists.particles.resize(lists.starts.back());
    forEachChunk(device, "vdbLeafLists", static_cast<int>(parts.size()), 1, [&](int p, int) {
        LeafPart& part = parts[p];
        for (size_t leaf = 0; leaf < part.entries.size(); ++leaf) part.entries[leaf] += lists.starts[part.merged[leaf]];
        part.forEachRun([&](uint32_t leaf, int begin, int end) {
            int* to = lists.particles.data() + part.entries[leaf];
            part.entries[leaf] += static_cast<uint64_t>(end - begin);
            for (int i = begin; i < end; ++i) *to++ = p * kPart + i;
        });
    });
    return lists;
}

// Accumulation buffer for a leaf with a margin of one voxel, so that splats at the border need no clipping.
struct FogBlock {
    static constexpr int kSide = 10;
    // Sums of volume and of volume × velocity.
    std::array<Floats, kSide * kSide * kSide> voxels;

    void add(const Splat& splat, Ints corner, float volume, Vec3 velocity) {
        const Floats terms = {1, velocity.x, velocity.y, velocity.z}, share = splat.share, rest = 1 - share;
        const Ints at = splat.base - corner + 1;
        Floats* first = &voxels[at[0] * kSide * kSide + at[1] * kSide + at[2]];
        // Trilinear weights of the eight voxels.
        const Floats columns =
            volume * Floats{rest[0], rest[0], share[0], share[0]} * Floats{rest[1], share[1], rest[1], share[1]};
        const Floats low = columns * rest[2], high = columns * share[2];
        for (int column = 0; column < 4; ++column) {
            Floats* voxel = first + (column >> 1) * kSide * kSide + (column & 1) * kSide;
            voxel[0] += low[column] * terms;
            voxel[1] += high[column] * terms;
        }
    }

    // Accumulates the particles of a leaf in ascending order, independent of the thread count; then extracts the active
    // voxels.
    void fill(const Points& points, float voxel, const LeafLists& lists, size_t leaf, VdbLeaf& density, VdbLeaf& v) {
        voxels.fill(Floats{});
        const auto first = [&](int shift) {
            return (static_cast<int>(lists.leaves[leaf] >> shift & 0x1fffff) - kMaxCoordinate) * 8;
        };
        const Ints corner = {first(42), first(21), first(0), 0};
        const bool moving = !points.velocities.empty();
        for (size_t entry = lists.starts[leaf]; entry < lists.starts[leaf + 1]; ++entry) {
            const auto i = static_cast<size_t>(lists.particles[entry]);
#ifdef __GNUC__
            // The particles of a leaf are scattered in memory.
            const auto soon = static_cast<size_t>(lists.particles[std::min(entry + 12, lists.starts[leaf + 1] - 1)]);
            __builtin_prefetch(&points.positions[soon]);
            if (moving) __builtin_prefetch(&points.velocities[soon]);
            if (!points.radii.empty()) __builtin_prefetch(&points.radii[soon]);
#endif
            const float radius =
                points.radii.empty() ? 0.62035049f * voxel : points.radii[i];  // (3/4π)^⅓: volume of a voxel
            const float volume = 4.1887902f * radius * radius * radius;
            if (volume > 0)
                add(splatOf(points.positions[i], voxel), corner, volume, moving ? points.velocities[i] : Vec3{});
        }
        const float voxelVolume = voxel * voxel * voxel;
        std::array<float, 512> filled;
        std::array<float, 3 * 512> means;
        size_t active = 0;
        density.x = v.x = corner[0], density.y = v.y = corner[1], density.z = v.z = corner[2];
        for (int row = 0; row < 64; ++row) {
            const Floats* first = &voxels[((row >> 3) + 1) * kSide * kSide + ((row & 7) + 1) * kSide + 1];
            uint64_t bits = 0;
            for (int z = 0; z < 8; ++z) {
                const Floats sums = first[z];
                const float volume = sums[0];
                if (!(volume > 0)) continue;
                bits |= uint64_t{1} << z;
                filled[active] = volume / voxelVolume;
                const Floats mean = sums / volume;
                for (int k = 0; k < 3; ++k) means[3 * active + static_cast<size_t>(k)] = mean[k + 1];
                ++active;
            }
            density.active[row >> 3] |= bits << 8 * (row & 7);
        }
        v.active = density.active;
        density.values.assign(filled.data(), filled.data() + active);
        if (moving) v.values.assign(means.data(), means.data() + 3 * active);
    }
};

double meanEdge(const Mesh& mesh) {
    double sum = 0;
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        const size_t next = i % 3 == 2 ? i - 2 : i + 1;
        sum += static_cast<double>(length(mesh.positions[mesh.triangles[i]] - mesh.positions[mesh.triangles[next]]));
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
        if (normals.faces[t] == Vec3{}) continue;  // degenerate: covered by its neighbours
        const int* corner = &mesh.triangles[3 * t];
        Vec3 p[3];
        Bounds bounds;
        for (int k = 0; k < 3; ++k) {
            p[k] = mesh.positions[corner[k]];
            checkRange(p[k], voxel, mesh.name.c_str());
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
                    // The distance to the plane is a lower bound.
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
                        best.velocity = best.velocity + nearest.weights[k] * mesh.velocities[corner[k]];
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

std::vector<VdbGrid> fogOf(const Points& points, double voxel, const Device& device) {
    const auto size = static_cast<float>(voxel);
    const float limit = (kMaxCoordinate - 16) * size;
    int far = 0;  // number of coordinates beyond the limit; branchless, so that the loop vectorizes
    const float* numbers = points.positions.empty() ? nullptr : &points.positions[0].x;
    for (size_t i = 0; i < 3 * points.count(); ++i) far += !(std::abs(numbers[i]) < limit);
    for (size_t i = 0; far && i < points.count(); ++i) checkRange(points.positions[i], voxel, "the fluid");
    const LeafLists lists = leavesTouchedBy(points, size, device);
    VdbGrid density{"density", "fog volume", 1, voxel, 0, {}}, v{"v", "unknown", 3, voxel, 0, {}};
    density.leaves.resize(lists.leaves.size());
    v.leaves.resize(lists.leaves.size());
    forEachChunkWith<FogBlock>(device, "vdbFog", static_cast<int>(lists.leaves.size()), 8,
                               [&](int begin, int end, FogBlock& block) {
                                   for (auto leaf = static_cast<size_t>(begin); leaf < static_cast<size_t>(end); ++leaf)
                                       block.fill(points, size, lists, leaf, density.leaves[leaf], v.leaves[leaf]);
                               });
    // A particle exactly on the border of a leaf adds nothing to the next one: remove empty leaves.
    const auto isEmpty = [](const VdbLeaf& leaf) { return leaf.values.empty(); };
    for (VdbGrid* grid : {&density, &v})
        grid->leaves.erase(std::remove_if(grid->leaves.begin(), grid->leaves.end(), isEmpty), grid->leaves.end());
    std::vector<VdbGrid> grids;
    grids.push_back(std::move(density));
    if (!points.velocities.empty()) grids.push_back(std::move(v));
    return grids;
}

FileContent encodeVdbFrame(const Frame& part, FileTime, const Device& device) {
    const auto gridsOf = [&] {
        if (!part.meshes.empty()) {
            const double edge = meanEdge(part.meshes[0]);
            return levelSetOf(part.meshes[0], edge > 0 ? edge : 1);
        }
        const double spacing = part.bodies.empty() ? 0 : static_cast<double>(part.bodies[0].spacing);
        return fogOf(part.points, spacing > 0 ? spacing : 1, device);
    };
    FileContent content;
    const std::vector<VdbGrid>& grids = content.keep(gridsOf());
    content.add(encodeVdb(grids, part.metersPerUnit));
    return content;
}

}  // namespace purl

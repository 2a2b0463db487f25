#include "solver/cache/vdb.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "solver/cache/byteReader.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// ---- constants of the format ------------------------------------------------------------------------------------

constexpr uint64_t kMagic = 0x56444220;  // "VDB "
constexpr uint32_t kFileVersion = 224, kLibraryMajor = 10, kLibraryMinor = 0;
constexpr size_t kUuidBytes = 36;
// Compression flags of a grid: active mask (inactive values are omitted), zip, blosc. Only the mask is supported.
constexpr uint32_t kActiveMask = 2, kZip = 1, kBlosc = 4;
// Encoding of a node's inactive values.
enum InactiveValues : char {
    kBackground = 0,
    kNegative = 1,
    kOne = 2,
    kSelected = 3,  // background and its negative, by a mask
    kSelectedOne = 4,
    kSelectedTwo = 5,
    kAll = 6,  // all values follow, active or not
};
// Below the root a tree has nodes of 32³ and 16³ children and leaves of 8³ voxels.
constexpr int kLeafBits = 3, kLowerBits = 4, kUpperBits = 5;
constexpr int kLowerSide = 1 << (kLeafBits + kLowerBits), kUpperSide = kLowerSide << kUpperBits;  // in voxels
constexpr size_t kLowerSlots = 1 << 3 * kLowerBits, kUpperSlots = 1 << 3 * kUpperBits;

const char* treeName(int components) { return components == 3 ? "Tree_vec3s_5_4_3" : "Tree_float_5_4_3"; }

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void putText(std::string& out, const std::string& text) {
    put(out, static_cast<uint32_t>(text.size()));
    out += text;
}
void putEntry(std::string& out, const char* name, const char* type, const std::string& value) {
    putText(out, name);
    putText(out, type);
    putText(out, value);
}

// Rounds down to a multiple of a power of two, also for negative numbers.
int floored(int value, int side) { return value & ~(side - 1); }

// ---- nodes ------------------------------------------------------------------------------------------------------

bool bitAt(const uint64_t* mask, size_t i) { return mask[i >> 6] >> (i & 63) & 1; }
void setBit(uint64_t* mask, size_t i) { mask[i >> 6] |= uint64_t{1} << (i & 63); }

// True if the last voxel of a leaf is inside.
bool endsInside(const VdbLeaf& leaf) {
    return bitAt(leaf.active.data(), 511) ? leaf.values.back() < 0 : bitAt(leaf.inside.data(), 511);
}
bool beginsInside(const VdbLeaf& leaf) {
    return bitAt(leaf.active.data(), 0) ? leaf.values.front() < 0 : bitAt(leaf.inside.data(), 0);
}

using LeafRef = const VdbLeaf*;
bool endsInside(LeafRef leaf) { return endsInside(*leaf); }
bool beginsInside(LeafRef leaf) { return beginsInside(*leaf); }
template <class Child, int bits>
struct Node;
using Lower = Node<LeafRef, kLowerBits>;
bool endsInside(const Lower& node);
bool beginsInside(const Lower& node);

// Internal node: its slots contain children, or the background value or its negative.
template <class Child, int bits>
struct Node {
    static constexpr size_t kSlots = size_t{1} << 3 * bits;
    int x = 0, y = 0, z = 0;
    std::map<size_t, Child> children;
    std::array<uint64_t, kSlots / 64> inside{};  // mask of slots without a child that are inside

    // Signed flood fill: propagates the sign at the end of each child to the slots after it, up to the next child.
    // Scans along z within y within x, as OpenVDB does.
    void fill() {
        if (children.empty()) return;
        constexpr size_t side = size_t{1} << bits;
        bool insideX = beginsInside(children.begin()->second);
        const auto see = [&](size_t slot, bool& state) {
            const auto child = children.find(slot);
            if (child != children.end()) state = endsInside(child->second);
            return child != children.end();
        };
        for (size_t i = 0; i < side; ++i) {
            see(i << 2 * bits, insideX);
            bool insideY = insideX;
            for (size_t j = 0; j < side; ++j) {
                see(i << 2 * bits | j << bits, insideY);
                bool insideZ = insideY;
                for (size_t k = 0; k < side; ++k) {
                    const size_t slot = i << 2 * bits | j << bits | k;
                    if (!see(slot, insideZ) && insideZ) setBit(inside.data(), slot);
                }
            }
        }
    }
};
bool endsInside(const Lower& node) {
    const auto child = node.children.find(kLowerSlots - 1);
    return child != node.children.end() ? endsInside(child->second) : bitAt(node.inside.data(), kLowerSlots - 1);
}
bool beginsInside(const Lower& node) {
    const auto child = node.children.find(0);
    return child != node.children.end() ? beginsInside(child->second) : bitAt(node.inside.data(), 0);
}
using Upper = Node<Lower, kUpperBits>;

size_t slotOf(int x, int y, int z, int childSide, int bits) {
    const auto at = [&](int v) { return static_cast<size_t>(v / childSide); };
    return at(x) << 2 * bits | at(y) << bits | at(z);
}

using Origin = std::tuple<int, int, int>;
std::map<Origin, Upper> treeOf(const VdbGrid& grid) {
    std::map<Origin, Upper> tree;
    for (const VdbLeaf& leaf : grid.leaves) {
        const int ux = floored(leaf.x, kUpperSide), uy = floored(leaf.y, kUpperSide), uz = floored(leaf.z, kUpperSide);
        Upper& upper = tree[{ux, uy, uz}];
        upper.x = ux, upper.y = uy, upper.z = uz;
        const size_t slot = slotOf(leaf.x - ux, leaf.y - uy, leaf.z - uz, kLowerSide, kUpperBits);
        Lower& lower = upper.children[slot];
        lower.x = floored(leaf.x, kLowerSide), lower.y = floored(leaf.y, kLowerSide),
        lower.z = floored(leaf.z, kLowerSide);
        lower.children[slotOf(leaf.x - lower.x, leaf.y - lower.y, leaf.z - lower.z, 1 << kLeafBits, kLowerBits)] =
            &leaf;
    }
    if (grid.kind == "level set")
        for (auto& [origin, upper] : tree) {
            for (auto& [slot, lower] : upper.children) lower.fill();
            upper.fill();
        }
    return tree;
}

// Encoding of a node's inactive values. `counted` is the mask of slots without a child or an active value.
InactiveValues encodingOf(const uint64_t* inside, const uint64_t* counted, size_t words) {
    bool any = false, all = true;
    for (size_t w = 0; w < words; ++w) {
        any = any || (inside[w] & counted[w]);
        all = all && (inside[w] & counted[w]) == counted[w];
    }
    return any ? all ? kNegative : kSelected : kBackground;
}
InactiveValues encodingOf(const VdbLeaf& leaf) {
    std::array<uint64_t, 8> counted;
    for (size_t w = 0; w < 8; ++w) counted[w] = ~leaf.active[w];
    return encodingOf(leaf.inside.data(), counted.data(), 8);
}

template <class AnyNode>
void putNodeHead(std::string& out, const AnyNode& node) {
    std::array<uint64_t, AnyNode::kSlots / 64> children{}, counted{};
    for (const auto& child : node.children) setBit(children.data(), child.first);
    for (size_t w = 0; w < children.size(); ++w) counted[w] = ~children[w];
    for (const uint64_t word : children) put(out, word);
    out.append(AnyNode::kSlots / 8, '\0');  // mask of active tiles: none
    const InactiveValues encoding = encodingOf(node.inside.data(), counted.data(), counted.size());
    out += encoding;
    // Set bits select the background value, cleared ones its negative.
    if (encoding == kSelected)
        for (const uint64_t word : node.inside) put(out, ~word);
}

// Size of a leaf: the mask of active values, the encoding of inactive ones, and the active values.
uint64_t bytesOf(const VdbLeaf& leaf) {
    return 64 + 1 + (encodingOf(leaf) == kSelected ? 64 : 0) + sizeof(float) * leaf.values.size();
}
char* putLeaf(char* to, const VdbLeaf& leaf) {
    std::memcpy(to, leaf.active.data(), 64);
    to += 64;
    const InactiveValues encoding = encodingOf(leaf);
    *to++ = encoding;
    if (encoding == kSelected)
        for (const uint64_t word : leaf.inside) {
            const uint64_t outside = ~word;
            std::memcpy(to, &outside, sizeof outside);
            to += sizeof outside;
        }
    const size_t bytes = sizeof(float) * leaf.values.size();
    if (bytes) std::memcpy(to, leaf.values.data(), bytes);
    return to + bytes;
}

std::string metadataOf(const VdbGrid& grid, double metersPerUnit) {
    std::string entries;
    uint32_t count = 0;
    const auto add = [&](const char* name, const char* type, const std::string& value) {
        putEntry(entries, name, type, value);
        ++count;
    };
    const auto bytes = [](auto value) {
        std::string out;
        put(out, value);
        return out;
    };
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (size_t i = 0; i < grid.leaves.size(); ++i) {
        const int at[3] = {grid.leaves[i].x, grid.leaves[i].y, grid.leaves[i].z};
        for (int k = 0; k < 3; ++k) {
            low[k] = i ? std::min(low[k], at[k]) : at[k];
            high[k] = i ? std::max(high[k], at[k] + 7) : at[k] + 7;
        }
    }
    const auto corner = [](const int* v) { return std::string(reinterpret_cast<const char*>(v), 12); };
    add("class", "string", grid.kind);
    add("creator", "string", "Purl");
    add("file_bbox_max", "vec3i", corner(high));
    add("file_bbox_min", "vec3i", corner(low));
    add("file_compression", "string", "active values");
    add("file_voxel_count", "int64", bytes(static_cast<int64_t>(grid.activeCount())));
    add("metersPerUnit", "double", bytes(metersPerUnit));
    add("name", "string", grid.name);
    if (grid.components == 3) add("vector_type", "string", "contravariant relative");  // transforms with the grid
    std::string out;
    put(out, count);
    return out + entries;
}

// A uniform scale: five vectors derived from one number.
void putTransform(std::string& out, double voxel) {
    putText(out, "UniformScaleMap");
    for (const double value : {voxel, voxel, 1 / voxel, 1 / (voxel * voxel), 0.5 / voxel})
        for (int k = 0; k < 3; ++k) put(out, value);
}

void addGrid(FileContent& content, const VdbGrid& grid, double metersPerUnit) {
    std::string head;
    putText(head, grid.name);
    putText(head, treeName(grid.components));
    putText(head, "");  // parent grid, for instances

    // The tree topology down to the masks of the leaves, then the values of the leaves in the same order.
    std::string out;
    put(out, kActiveMask);
    out += metadataOf(grid, metersPerUnit);
    putTransform(out, grid.voxel);
    const std::map<Origin, Upper> tree = treeOf(grid);
    std::vector<LeafRef> leaves;
    leaves.reserve(grid.leaves.size());
    put(out, uint32_t{1});  // buffers per leaf
    for (int k = 0; k < grid.components; ++k) put(out, grid.background);
    put(out, uint32_t{0});  // number of root tiles
    put(out, static_cast<uint32_t>(tree.size()));
    for (const auto& [origin, upper] : tree) {
        put(out, upper.x), put(out, upper.y), put(out, upper.z);
        putNodeHead(out, upper);
        for (const auto& [slot, lower] : upper.children) {
            putNodeHead(out, lower);
            for (const auto& [place, leaf] : lower.children) {
                out.append(reinterpret_cast<const char*>(leaf->active.data()), 64);
                leaves.push_back(leaf);
            }
        }
    }
    std::vector<uint64_t> ends;
    ends.reserve(leaves.size());
    uint64_t valueBytes = 0;
    for (const LeafRef leaf : leaves) ends.push_back(valueBytes += bytesOf(*leaf));

    // Offsets of the grid, of its values and of its end.
    const uint64_t begin = content.size() + head.size() + 3 * sizeof(int64_t), values = begin + out.size();
    for (const uint64_t at : {begin, values, values + valueBytes}) put(head, static_cast<int64_t>(at));
    content.add(head + out);
    content.addRows(std::move(ends), [leaves = std::move(leaves)](size_t first, size_t last, char* to) {
        for (size_t i = first; i < last; ++i) to = putLeaf(to, *leaves[i]);
    });
}

// ---- reading ----------------------------------------------------------------------------------------------------

std::string takeText(ByteReader& in) { return in.text(in.number<uint32_t>()); }

struct Reading {
    ByteReader& in;
    VdbGrid& grid;
    uint32_t flags;

    template <size_t words>
    std::array<uint64_t, words> mask() {
        std::array<uint64_t, words> mask;
        std::memcpy(mask.data(), in.take(8 * words), 8 * words);
        return mask;
    }
    static size_t countOf(const uint64_t* mask, size_t words) {
        size_t count = 0;
        for (size_t w = 0; w < words; ++w)
            for (uint64_t bits = mask[w]; bits; bits &= bits - 1) ++count;
        return count;
    }
    size_t valueBytes() const { return sizeof(float) * static_cast<size_t>(grid.components); }

    // Reads the values of a node: those of the `active` slots in order, and the mask of inactive ones that are inside.
    template <size_t words>
    void values(const std::array<uint64_t, words>& active, std::array<uint64_t, words>& inside,
                std::vector<float>* kept) {
        const auto encoding = in.number<uint8_t>();
        const bool isAll = encoding == kAll || !(flags & kActiveMask);
        if (encoding > kAll) in.fail("damaged: unknown encoding of inactive values");
        if (encoding == kNegative) inside.fill(~uint64_t{0});
        if (!isAll) {
            const int own = encoding == kOne || encoding == kSelectedOne ? 1 : encoding == kSelectedTwo ? 2 : 0;
            std::array<float, 2> first{grid.background, grid.background};
            for (int i = 0; i < own; ++i) std::memcpy(&first[i], in.take(valueBytes()), 4);
            if (encoding == kOne && first[0] < 0) inside.fill(~uint64_t{0});
            if (encoding == kSelected || encoding == kSelectedOne || encoding == kSelectedTwo) {
                inside = mask<words>();
                for (uint64_t& word : inside) word = ~word;
            }
        }
        const size_t count = isAll ? 64 * words : countOf(active.data(), words);
        const char* at = in.take(valueBytes() * count);
        if (isAll)
            for (size_t i = 0; i < 64 * words; ++i) {
                float first;
                std::memcpy(&first, at + valueBytes() * i, 4);
                if (grid.components == 1 && first < 0) setBit(inside.data(), i);
                if (kept && bitAt(active.data(), i)) append(*kept, at + valueBytes() * i, 1);
            }
        else if (kept)
            append(*kept, at, count);
        for (size_t w = 0; w < words; ++w) inside[w] &= ~active[w];
    }
    void append(std::vector<float>& to, const char* from, size_t count) const {
        const size_t before = to.size();
        to.resize(before + count * static_cast<size_t>(grid.components));
        if (count) std::memcpy(to.data() + before, from, count * valueBytes());
    }

    void lower(int x, int y, int z) {
        const auto children = mask<kLowerSlots / 64>(), active = mask<kLowerSlots / 64>();
        std::array<uint64_t, kLowerSlots / 64> inside{};
        values(active, inside, nullptr);
        for (size_t slot = 0; slot < kLowerSlots; ++slot) {
            if (!bitAt(children.data(), slot)) continue;
            VdbLeaf leaf;
            leaf.x = x + (static_cast<int>(slot >> 8) << kLeafBits);
            leaf.y = y + (static_cast<int>(slot >> 4 & 15) << kLeafBits);
            leaf.z = z + (static_cast<int>(slot & 15) << kLeafBits);
            leaf.active = mask<8>();
            grid.leaves.push_back(std::move(leaf));
        }
    }
    void upper() {
        const int x = in.number<int32_t>(), y = in.number<int32_t>(), z = in.number<int32_t>();
        for (const int v : {x, y, z})
            if (v != floored(v, kUpperSide) || v > (1 << 30) || v < -(1 << 30))
                in.fail("damaged: a node has an invalid origin");
        const auto children = mask<kUpperSlots / 64>(), active = mask<kUpperSlots / 64>();
        std::array<uint64_t, kUpperSlots / 64> inside{};
        values(active, inside, nullptr);
        for (size_t slot = 0; slot < kUpperSlots; ++slot)
            if (bitAt(children.data(), slot))
                lower(x + static_cast<int>(slot >> 10) * kLowerSide, y + static_cast<int>(slot >> 5 & 31) * kLowerSide,
                      z + static_cast<int>(slot & 31) * kLowerSide);
    }
    void tree() {
        if (in.number<uint32_t>() != 1) in.fail("damaged: a leaf has more than one buffer");
        for (int k = 0; k < grid.components; ++k) {
            const auto value = in.number<float>();
            if (k == 0) grid.background = value;
        }
        const auto tiles = in.number<uint32_t>(), nodes = in.number<uint32_t>();
        for (uint32_t i = 0; i < tiles; ++i) in.take(12 + valueBytes() + 1);
        for (uint32_t i = 0; i < nodes; ++i) upper();
        for (VdbLeaf& leaf : grid.leaves) {
            leaf.active = mask<8>();
            values(leaf.active, leaf.inside, &leaf.values);
        }
    }
};

std::map<std::string, std::string> takeMetadata(ByteReader& in) {
    std::map<std::string, std::string> entries;
    for (auto count = in.number<uint32_t>(); count > 0; --count) {
        const std::string name = takeText(in);
        takeText(in);
        entries[name] = takeText(in);
    }
    return entries;
}

}  // namespace

size_t VdbGrid::activeCount() const {
    size_t count = 0;
    for (const VdbLeaf& leaf : leaves) count += leaf.values.size();
    return count / static_cast<size_t>(components);
}

FileContent encodeVdb(const std::vector<VdbGrid>& grids, double metersPerUnit) {
    std::string out;
    put(out, kMagic);
    put(out, kFileVersion);
    put(out, kLibraryMajor);
    put(out, kLibraryMinor);
    out += '\1';                                    // grids have offsets
    out += "00000000-0000-4000-8000-000000000000";  // UUID; constant, so that equal data give equal files
    put(out, uint32_t{1});
    putEntry(out, "creator", "string", "Purl");
    put(out, static_cast<uint32_t>(grids.size()));
    FileContent content(std::move(out));
    for (const VdbGrid& grid : grids) addGrid(content, grid, metersPerUnit);
    return content;
}

std::vector<VdbGrid> decodeVdb(const std::string& bytes, const std::string& path) {
    ByteReader in(bytes, path);
    if (bytes.size() < 8 || in.number<uint64_t>() != kMagic) throw Error(path + ": not an OpenVDB file");
    const auto version = in.number<uint32_t>();
    if (version != kFileVersion)
        throw Error(path + ": has OpenVDB file version " + std::to_string(version) + "; only 224 is supported");
    in.take(8);
    if (in.number<char>() == 0) throw Error(path + ": has no grid offsets, which are required");
    in.take(kUuidBytes);
    takeMetadata(in);
    std::vector<VdbGrid> grids;
    for (auto count = in.number<uint32_t>(); count > 0; --count) {
        VdbGrid grid;
        const std::string unique = takeText(in), type = takeText(in);
        takeText(in);
        const auto begin = in.number<int64_t>();
        in.number<int64_t>();
        const auto end = in.number<int64_t>();
        if (type != treeName(1) && type != treeName(3)) {
            in.seek(end);
            continue;  // other value types, or points
        }
        grid.components = type == treeName(3) ? 3 : 1;
        in.seek(begin);
        const auto flags = in.number<uint32_t>();
        if (flags & (kZip | kBlosc)) throw Error(path + ": grid " + unique + " is compressed, which is not supported");
        const auto metadata = takeMetadata(in);
        const auto entry = [&](const char* name) {
            const auto found = metadata.find(name);
            return found == metadata.end() ? std::string() : found->second;
        };
        grid.name = entry("name");
        grid.kind = entry("class");
        const std::string map = takeText(in);
        if (map != "UniformScaleMap")
            throw Error(path + ": grid " + grid.name + " has a " + map + "; only UniformScaleMap is supported");
        grid.voxel = in.number<double>();
        in.take(14 * sizeof(double));
        Reading{in, grid, flags}.tree();
        grids.push_back(std::move(grid));
        in.seek(end);
    }
    return grids;
}

}  // namespace purl

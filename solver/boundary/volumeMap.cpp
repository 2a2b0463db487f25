// Builds volume maps. This is done once, on CPU threads, brick by brick, for any device.
#include "solver/boundary/volumeMap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/search/cellGrid.h"

namespace purl {
namespace {

constexpr int kBrick = VolumeMapView::kBrick, kNodes = VolumeMapView::kNodes;
constexpr int kBrickNodes = kBrick * kBrick * kBrick;
constexpr int kCellsInSupport = 4;

// The indicator function of the solid is smoothed over 1.5 cells to either side of the surface, by the integral of the
// quadratic B-spline, since a sharp step would alias on the grid. setWeights compensates for this blur; kVariance is
// the variance σ² of the spline, in cells².
constexpr float kBlurred = 1.5f, kVariance = 0.25f;

float smoothStep(float t) {
    const float u = t < 0 ? -t : t;
    // ∫₀ᵘ: ¾ − s² up to ½, (3/2 − s)²/2 up to 3/2
    const float half = u < 0.5f   ? u * (0.75f - u * u / 3)
                       : u < 1.5f ? 0.5f - (1.5f - u) * (1.5f - u) * (1.5f - u) / 6
                                  : 0.5f;
    return t < 0 ? 0.5f - half : 0.5f + half;
}

// Values at the nodes of a brick, x fastest; or one constant for all of them.
struct BrickValues {
    const float* nodes = nullptr;
    float constant = 0;
};

// Contiguous copy of a brick's nodes with a margin (ghost nodes) of kMargin on every side, so that stencils need no
// bounds tests.
template <int kMargin>
struct Patch {
    static constexpr int kWide = kBrick + 2 * kMargin;
    float at[kWide][kWide][kWide];  // z, y, x; the brick's first node is at [kMargin][kMargin][kMargin]

    // valuesOf(dx, dy, dz) returns the values of the neighbouring brick at that offset. Returns true if all values are
    // equal.
    template <class ValuesOf>
    bool gather(const ValuesOf& valuesOf) {
        BrickValues around[3][3][3];
        bool even = true;
        for (int k = 0; k < 27; ++k) {
            BrickValues& values = around[k / 9][k / 3 % 3][k % 3] = valuesOf(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
            even = even && !values.nodes && values.constant == around[0][0][0].constant;
        }
        if (even) {
            std::fill(&at[0][0][0], &at[0][0][0] + kWide * kWide * kWide, around[0][0][0].constant);
            return true;
        }
        for (int z = 0; z < kWide; ++z)
            for (int y = 0; y < kWide; ++y) {
                const int nodeZ = z - kMargin + kBrick, nodeY = y - kMargin + kBrick;
                const int row = (nodeZ % kBrick * kBrick + nodeY % kBrick) * kBrick;
                for (int b = 0; b < 3; ++b) {
                    const BrickValues& values = around[nodeZ / kBrick][nodeY / kBrick][b];
                    const int first = b == 0 ? kBrick - kMargin : 0, count = b == 1 ? kBrick : kMargin;
                    float* const to = &at[z][y][b == 0 ? 0 : b == 1 ? kMargin : kMargin + kBrick];
                    if (values.nodes)
                        std::copy_n(values.nodes + row + first, count, to);
                    else
                        std::fill_n(to, count, values.constant);
                }
            }
        return false;
    }
};

// Temporary data while a map is built: relevant bricks, the solid fraction of the cell around each node, φ at the
// nodes.
struct Site {
    SolidDistance solid;
    VolumeMapView layout;
    std::vector<float> middle;    // m, signed distance at the centre of each tested brick
    std::vector<int> crossed;     // per brick: index among those that the surface crosses, or −1
    std::vector<float> occupied;  // solid fraction, kBrickNodes per crossed brick
    std::vector<int> blurred;     // per brick: index among those with known φ
    std::vector<float> share;     // φ, kBrickNodes per blurred brick

    float halfDiagonal() const { return 0.8660254f * kBrick * layout.cell; }
    // The lowest node of a brick.
    Cell corner(int brick) const {
        return {brick % layout.bricksX * kBrick, brick / layout.bricksX % layout.bricksY * kBrick,
                brick / layout.bricksX / layout.bricksY * kBrick};
    }
    Vec3 place(Cell node, float beyond = 0) const {
        return layout.low + layout.cell * Vec3{static_cast<float>(node.x) + beyond, static_cast<float>(node.y) + beyond,
                                               static_cast<float>(node.z) + beyond};
    }
    float distanceAtMiddle(int brick) const { return solid(place(corner(brick), 0.5f * kBrick)); }
    BrickValues occupiedIn(int brick) const {
        const int at = crossed[brick];
        if (at >= 0) return {occupied.data() + static_cast<size_t>(at) * kBrickNodes, 0};
        return {nullptr, middle[brick] < 0 ? 1.0f : 0.0f};
    }
    BrickValues shareIn(int brick) const {
        return {share.data() + static_cast<size_t>(blurred[brick]) * kBrickNodes, 0};
    }

    // Solid fraction of the cells around a cube of size³ nodes. If the surface is far from the centre of the cube, all
    // cells have the same value; otherwise recurses into octants. `bound`: upper bound of the distance from the centre
    // to the surface.
    void fillCells(Cell low, Cell first, int size, float bound, float* cells) const {
        const float beyond = 0.5f * static_cast<float>(size - 1), reach = 1.7320508f * beyond;
        const float d = solid(place(first, beyond), bound) / layout.cell;
        if (std::fabs(d) > reach + kBlurred || size == 1) {
            const float value = smoothStep(-d);
            for (int z = 0; z < size; ++z)
                for (int y = 0; y < size; ++y)
                    std::fill_n(
                        cells + ((first.z - low.z + z) * kBrick + first.y - low.y + y) * kBrick + first.x - low.x, size,
                        value);
            return;
        }
        const int half = size / 2;
        const float farther = (std::fabs(d) + 0.8660254f * static_cast<float>(half) + 0.01f) * layout.cell;
        for (int k = 0; k < 8; ++k)
            fillCells(low, {first.x + (k & 1) * half, first.y + (k >> 1 & 1) * half, first.z + (k >> 2) * half}, half,
                      farther, cells);
    }
};

// φ at the nodes: convolution of the solid fraction with the kernel, Σ W ΔV.
struct BlurCells {
    static constexpr int kReach = kCellsInSupport, kRow = 2 * kReach + 1;
    float weight[kReach + 1][kReach + 1][kRow];  // by |dz|, |dy|, dx + kReach

    void operator()(const Patch<kReach>& cells, float* share) const {
        for (int z = 0; z < kBrick; ++z)
            for (int y = 0; y < kBrick; ++y) {
                float sum[kBrick] = {};
                for (int dz = -kReach; dz <= kReach; ++dz)
                    for (int dy = -kReach; dy <= kReach; ++dy) {
                        if (dy * dy + dz * dz >= kReach * kReach) continue;
                        const float* const w = weight[dz < 0 ? -dz : dz][dy < 0 ? -dy : dy];
                        const float* const row = cells.at[z + dz + kReach][y + dy + kReach];
                        for (int dx = 0; dx < kRow; ++dx)
                            for (int x = 0; x < kBrick; ++x) sum[x] += w[dx] * row[x + dx];
                    }
                std::copy_n(sum, kBrick, share + (z * kBrick + y) * kBrick);
            }
    }
};

// The splines of a brick use nodes −1 … kBrick + 1; fitting them needs one more on either side.
constexpr int kSplineMargin = 3, kFirst = kSplineMargin - 1;

// True if φ is not constant over the nodes that a brick's splines use.
bool varies(const Patch<kSplineMargin>& share) {
    const float first = share.at[kFirst][kFirst][kFirst];
    for (int z = kFirst; z < kFirst + kNodes; ++z)
        for (int y = kFirst; y < kFirst + kNodes; ++y)
            for (int x = kFirst; x < kFirst + kNodes; ++x)
                if (std::fabs(share.at[z][y][x] - first) > 1e-6f) return true;
    return false;
}

// Coefficients of a spline that interpolates the node values to fourth order: c = f − δ²f / 6 along each axis.
void fitSpline(const Patch<kSplineMargin>& share, float* nodes) {
    constexpr int kWide = kNodes + 2;
    constexpr float kSide = -1.0f / 6, kMiddle = 4.0f / 3;
    float alongX[kWide][kWide][kNodes], alongY[kWide][kNodes][kNodes];
    for (int z = 0; z < kWide; ++z)
        for (int y = 0; y < kWide; ++y) {
            const float* const row = share.at[z + kFirst - 1][y + kFirst - 1] + kFirst - 1;
            for (int x = 0; x < kNodes; ++x) alongX[z][y][x] = kMiddle * row[x + 1] + kSide * (row[x] + row[x + 2]);
        }
    for (int z = 0; z < kWide; ++z)
        for (int y = 0; y < kNodes; ++y)
            for (int x = 0; x < kNodes; ++x)
                alongY[z][y][x] = kMiddle * alongX[z][y + 1][x] + kSide * (alongX[z][y][x] + alongX[z][y + 2][x]);
    for (int z = 0; z < kNodes; ++z)
        for (int y = 0; y < kNodes; ++y)
            for (int x = 0; x < kNodes; ++x)
                *nodes++ = kMiddle * alongY[z + 1][y][x] + kSide * (alongY[z][y][x] + alongY[z + 2][y][x]);
}

// A B-spline lies within the range of its coefficients (convex hull property): where none is positive, φ is not either.
void markFilled(const float* nodes, uint64_t* filled) {
    float alongX[kNodes][kNodes][kBrick], alongY[kNodes][kBrick][kBrick];
    const auto most = [](float a, float b, float c, float d) { return std::max(std::max(a, b), std::max(c, d)); };
    for (int z = 0; z < kNodes; ++z)
        for (int y = 0; y < kNodes; ++y) {
            const float* const row = nodes + (z * kNodes + y) * kNodes;
            for (int x = 0; x < kBrick; ++x) alongX[z][y][x] = most(row[x], row[x + 1], row[x + 2], row[x + 3]);
        }
    for (int z = 0; z < kNodes; ++z)
        for (int y = 0; y < kBrick; ++y)
            for (int x = 0; x < kBrick; ++x)
                alongY[z][y][x] = most(alongX[z][y][x], alongX[z][y + 1][x], alongX[z][y + 2][x], alongX[z][y + 3][x]);
    for (int z = 0; z < kBrick; ++z) {
        filled[z] = 0;
        for (int cell = 0; cell < kBrick * kBrick; ++cell) {
            const int y = cell / kBrick, x = cell % kBrick;
            if (most(alongY[z][y][x], alongY[z + 1][y][x], alongY[z + 2][y][x], alongY[z + 3][y][x]) > kMinShare)
                filled[z] |= uint64_t(1) << cell;
        }
    }
}

// A subset of the bricks of the grid.
struct BrickSet {
    const VolumeMapView& layout;
    std::vector<char> has;

    explicit BrickSet(const VolumeMapView& of)
        : layout(of),
          has(static_cast<size_t>(of.bricksX) * static_cast<size_t>(of.bricksY) * static_cast<size_t>(of.bricksZ), 0) {}
    std::vector<int> list() const {
        std::vector<int> bricks;
        for (size_t b = 0; b < has.size(); ++b)
            if (has[b]) bricks.push_back(static_cast<int>(b));
        return bricks;
    }
    // Dilation: adds the 26 neighbours of each brick. The grid has a margin for this.
    BrickSet grown() const {
        BrickSet result(layout);
        for (const int b : list())
            for (int k = 0; k < 27; ++k) result.has[b + layout.brickIndex(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)] = 1;
        return result;
    }
};

// Weights W − σ²/2 ∇²W, normalized to a sum of 1. Their convolution with the smoothed solid equals that of W with the
// sharp one to fourth order.
void setWeights(BlurCells& blur, const BoundaryKernel& kernel, float cell) {
    constexpr int kReach = BlurCells::kReach;
    const float step = kernel.radius / 32;
    double total = 0;
    for (int z = 0; z <= kReach; ++z)
        for (int y = 0; y <= kReach; ++y)
            for (int x = -kReach; x <= kReach; ++x) {
                const float r = cell * std::sqrt(static_cast<float>(x * x + y * y + z * z));
                const float bend = (kernel(r + step) - 2 * kernel(r) + kernel(std::fabs(r - step))) / square(step);
                const float slope = (kernel(r + step) - kernel(std::fabs(r - step))) / (2 * step);
                const float laplacian = r > 0 ? bend + 2 * slope / r : 3 * bend;
                const float w = r < kernel.radius ? kernel(r) - 0.5f * kVariance * square(cell) * laplacian : 0;
                blur.weight[z][y][x + kReach] = w;
                total += double(w) * (y ? 2 : 1) * (z ? 2 : 1);
            }
    for (auto& slab : blur.weight)
        for (auto& row : slab)
            for (float& w : row) w = static_cast<float>(w / total);
}

// Shortens the straight parts of a long box or capsule, along which φ does not change, to save memory. `enough` is the
// distance from the ends within which φ may change. Returns the length removed; see VolumeMapView::fold.
Vec3 shortenStraightParts(SolidDistance& solid, float enough) {
    Vec3 fold;
    if (solid.shape == ColliderShape::box)
        for (int k = 0; k < 3; ++k) fold[k] = std::max(0.0f, solid.halfSize[k] - enough);
    if (solid.shape == ColliderShape::capsule) fold.y = std::max(0.0f, solid.halfLength - enough);
    solid.halfSize = solid.halfSize - fold;
    solid.halfLength -= solid.shape == ColliderShape::capsule ? fold.y : 0;
    return fold;
}

}  // namespace

VolumeMap::VolumeMap(const Device& device) : device_(device), brickAt_(device), nodes_(device), filled_(device) {}

void VolumeMap::build(const std::string& name, const SolidDistance& whole, const BoundaryKernel& kernel) {
    SolidDistance solid = whole;
    const float cell = kernel.radius / kCellsInSupport, brick = kBrick * cell;
    // φ varies within this distance of the surface: the support, the offset of the surface, the blur and the splines.
    const float reach = kernel.radius + std::fabs(solid.grow) + 0.5f * solid.sheet + (kBlurred + 2) * cell;
    const Vec3 fold = shortenStraightParts(solid, reach + cell);
    const Bounds box = grown(solid.bounds(), reach);
    layout_ = {};
    layout_.cell = cell;
    constexpr int kMargin = 3;  // in bricks; keeps the dilations below inside the grid
    layout_.low = box.low - kMargin * Vec3{brick, brick, brick};
    const Vec3 size = box.size();
    double product = 1;
    int counts[3];
    for (int k = 0; k < 3; ++k) {
        const double along = std::ceil(double(size[k]) / brick) + 2 * kMargin;
        product *= along;
        counts[k] = along < 1e6 ? static_cast<int>(along) : 1000000;
    }
    const Error tooLarge(name +
                         ": too large for a volume map at this particle spacing; use boundary particles or a plane");
    constexpr double kMaxBricks = 1 << 24;
    if (!(product <= kMaxBricks)) throw tooLarge;
    layout_.bricksX = counts[0];
    layout_.bricksY = counts[1];
    layout_.bricksZ = counts[2];

    // Bricks that may be near the surface: those around the boxes of the triangles, or all of them for a primitive.
    BrickSet candidates(layout_);
    const auto include = [&](const Bounds& part) {
        const Vec3 from = (part.low - layout_.low) / brick, to = (part.high - layout_.low) / brick;
        for (int z = static_cast<int>(from.z); z <= static_cast<int>(to.z); ++z)
            for (int y = static_cast<int>(from.y); y <= static_cast<int>(to.y); ++y)
                for (int x = static_cast<int>(from.x); x <= static_cast<int>(to.x); ++x)
                    candidates.has[layout_.brickIndex(x, y, z)] = 1;
    };
    if (solid.shape != ColliderShape::mesh) {
        include(box);
    } else {
        for (const int t : solid.mesh.order) {
            Bounds part;
            for (int k = 0; k < 3; ++k) part.include(solid.mesh.corner(t, k));
            include(grown(part, reach));
        }
    }

    const Device host = device_.host();
    const auto forEachBrick = [&](const char* step, const std::vector<int>& bricks, const auto& body) {
        forEachChunk(host, step, static_cast<int>(bricks.size()), 8, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) body(static_cast<size_t>(i), bricks[i]);
        });
    };
    const size_t all = candidates.has.size();
    Site site;
    site.solid = solid;
    site.layout = layout_;
    site.middle.resize(all);
    const auto measure = [&](const std::vector<int>& bricks) {
        forEachBrick("measureBricks", bricks,
                     [&](size_t, int brick) { site.middle[brick] = site.distanceAtMiddle(brick); });
    };

    BrickSet chosen(layout_);  // where φ may vary
    const std::vector<int> nearby = candidates.list();
    measure(nearby);
    for (const int brick : nearby)
        if (std::fabs(site.middle[brick]) < site.halfDiagonal() + reach) chosen.has[brick] = 1;
    const BrickSet toBlur = chosen.grown(), toFill = toBlur.grown();

    // Only bricks that the surface crosses need values at single nodes.
    const std::vector<int> filling = toFill.list(), blurring = toBlur.list();
    measure(filling);
    site.crossed.assign(all, -1);
    std::vector<int> crossing;
    for (const int brick : filling) {
        if (std::fabs(site.middle[brick]) > site.halfDiagonal() + kBlurred * cell) continue;
        site.crossed[brick] = static_cast<int>(crossing.size());
        crossing.push_back(brick);
    }
    constexpr size_t kMaxStoredBricks = (size_t(1) << 31) / (kNodes * kNodes * kNodes);
    if (std::max(crossing.size(), blurring.size()) >= kMaxStoredBricks) throw tooLarge;

    site.occupied.resize(crossing.size() * kBrickNodes);
    forEachBrick("fillCells", crossing, [&](size_t i, int brick) {
        const Cell low = site.corner(brick);
        const float bound = std::fabs(site.middle[brick]) + cell;
        site.fillCells(low, low, kBrick, bound, site.occupied.data() + i * kBrickNodes);
    });

    BlurCells blur;
    setWeights(blur, kernel, cell);
    site.blurred.assign(all, -1);
    for (size_t i = 0; i < blurring.size(); ++i) site.blurred[blurring[i]] = static_cast<int>(i);
    site.share.resize(blurring.size() * kBrickNodes);
    forEachBrick("blurCells", blurring, [&](size_t i, int brick) {
        Patch<BlurCells::kReach> cells;
        float* const share = site.share.data() + i * kBrickNodes;
        const bool even =
            cells.gather([&](int x, int y, int z) { return site.occupiedIn(brick + layout_.brickIndex(x, y, z)); });
        if (even)
            std::fill_n(share, kBrickNodes, cells.at[0][0][0]);
        else
            blur(cells, share);
    });

    const std::vector<int> choice = chosen.list();
    const auto patchOf = [&](int brick) {
        Patch<kSplineMargin> share;
        share.gather([&](int x, int y, int z) { return site.shareIn(brick + layout_.brickIndex(x, y, z)); });
        return share;
    };
    std::vector<char> keeps(choice.size());
    forEachBrick("findVarying", choice, [&](size_t i, int brick) { keeps[i] = varies(patchOf(brick)); });
    std::vector<int> kept;
    for (size_t i = 0; i < choice.size(); ++i)
        if (keeps[i]) kept.push_back(choice[i]);

    constexpr int kAll = kNodes * kNodes * kNodes;
    nodes_.onHost().resize(static_cast<int>(kept.size()) * kAll);
    filled_.onHost().resize(static_cast<int>(kept.size()) * kBrick);
    forEachBrick("fitSpline", kept, [&](size_t i, int brick) {
        float* const nodes = nodes_.onHost().data() + i * kAll;
        fitSpline(patchOf(brick), nodes);
        markFilled(nodes, filled_.onHost().data() + i * kBrick);
    });
    Buffer<int>& brickAt = brickAt_.onHost();
    brickAt.resize(static_cast<int>(all));
    std::fill(brickAt.begin(), brickAt.end(), -1);
    for (size_t i = 0; i < kept.size(); ++i) brickAt[kept[i]] = static_cast<int>(i);
    brickAt_.upload();
    nodes_.upload();
    filled_.upload();
    layout_.fold = fold;
}

VolumeMapView VolumeMap::view() const {
    VolumeMapView view = layout_;
    view.brickAt = brickAt_.data();
    view.nodes = nodes_.data();
    view.filled = filled_.data();
    return view;
}

}  // namespace purl

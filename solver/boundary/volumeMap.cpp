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

// The surface is drawn over a cell and a half to either side, by the integral of the quadratic B-spline: a step would
// alias on the grid. What that blurs is taken out of the kernel's weights again (σ² of the spline, in cells²).
constexpr float kBlurred = 1.5f, kVariance = 0.25f;

PURL_HD inline float smoothStep(float t) {
    const float u = t < 0 ? -t : t;
    // ∫₀ᵘ: ¾ − s² up to ½, (3/2 − s)²/2 up to 3/2
    const float half = u < 0.5f   ? u * (0.75f - u * u / 3)
                       : u < 1.5f ? 0.5f - (1.5f - u) * (1.5f - u) * (1.5f - u) / 6
                                  : 0.5f;
    return t < 0 ? 0.5f - half : 0.5f + half;
}

// While a map is built: which bricks matter, and the solid's share of every node's own cell.
struct Site {
    VolumeMapView layout;
    const float* middle;    // m, distance at the middle of a brick that is looked at
    const int* crossed;     // number among the bricks that the surface crosses
    const float* occupied;  // kBrickNodes a crossed brick
    const int* blurred;     // number among the bricks whose φ is known
    const float* share;     // φ, kBrickNodes a blurred brick

    PURL_HD float halfDiagonal() const { return 0.8660254f * kBrick * layout.cell; }
    PURL_HD bool isCrossed(int brick) const {
        return std::fabs(middle[brick]) < halfDiagonal() + kBlurred * layout.cell;
    }
    PURL_HD static int nodeIndex(int x, int y, int z) {
        return ((z & (kBrick - 1)) * kBrick + (y & (kBrick - 1))) * kBrick + (x & (kBrick - 1));
    }
    PURL_HD int brickOf(int x, int y, int z) const { return layout.brickIndex(x / kBrick, y / kBrick, z / kBrick); }
    PURL_HD float shareAt(int x, int y, int z) const {
        return share[static_cast<size_t>(blurred[brickOf(x, y, z)]) * kBrickNodes + nodeIndex(x, y, z)];
    }
    // The lowest node of a brick, and node n of it.
    PURL_HD Cell corner(int brick) const {
        return {brick % layout.bricksX * kBrick, brick / layout.bricksX % layout.bricksY * kBrick,
                brick / layout.bricksX / layout.bricksY * kBrick};
    }
    PURL_HD Cell node(int brick, int n) const {
        const Cell low = corner(brick);
        return {low.x + n % kBrick, low.y + n / kBrick % kBrick, low.z + n / kBrick / kBrick};
    }
    PURL_HD Vec3 place(float x, float y, float z) const { return layout.low + layout.cell * Vec3{x, y, z}; }
};

// Distance at the middles of bricks.
struct MeasureBricks {
    SolidDistance solid;
    Site site;
    Span<const int> bricks;
    Span<float> distance;
    PURL_HD void operator()(int i) const {
        const Cell low = site.corner(bricks[i]);
        constexpr float kHalf = 0.5f * kBrick;
        distance[i] = solid(site.place(static_cast<float>(low.x) + kHalf, static_cast<float>(low.y) + kHalf,
                                       static_cast<float>(low.z) + kHalf));
    }
};

// The share of a cell around a node that is solid.
struct FillCells {
    SolidDistance solid;
    Site site;
    Span<const int> bricks;
    Span<float> occupied;
    PURL_HD void operator()(int i) const {
        const Cell n = site.node(bricks[i / kBrickNodes], i % kBrickNodes);
        const float d = solid(site.place(static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)));
        occupied[i] = smoothStep(-d / site.layout.cell);
    }
};

// φ at the nodes: Σ W ΔV over the cells around, row by row; a row meets two bricks at most.
struct BlurCells {
    static constexpr int kReach = kCellsInSupport, kRow = 2 * kReach + 1;
    Site site;
    Span<const int> bricks;
    float weight[kReach + 1][kReach + 1][kRow];  // by |dz|, |dy|, dx + kReach
    Span<float> share;

    PURL_HD void operator()(int i) const {
        const int brick = bricks[i / kBrickNodes];
        const Cell low = site.corner(brick), n = site.node(brick, i % kBrickNodes);
        constexpr float kHalf = 0.5f * kBrick;
        const Vec3 toMiddle{static_cast<float>(n.x - low.x) - kHalf, static_cast<float>(n.y - low.y) - kHalf,
                            static_cast<float>(n.z - low.z) - kHalf};
        const float least = std::fabs(site.middle[brick]) / site.layout.cell - length(toMiddle);
        if (least > kReach + kBlurred) {
            share[i] = site.middle[brick] < 0 ? 1.0f : 0.0f;
            return;
        }
        float sum = 0;
        for (int dz = -kReach; dz <= kReach; ++dz)
            for (int dy = -kReach; dy <= kReach; ++dy)
                if (dy * dy + dz * dz < kReach * kReach)
                    sum += rowSum(weight[dz < 0 ? -dz : dz][dy < 0 ? -dy : dy], n.x - kReach, n.y + dy, n.z + dz);
        share[i] = sum;
    }
    PURL_HD float rowSum(const float* w, int first, int y, int z) const {
        float sum = 0;
        for (int begin = 0; begin < kRow;) {
            const int x = first + begin, inBrick = kBrick - (x & (kBrick - 1));
            const int end = begin + inBrick < kRow ? begin + inBrick : kRow;
            const int brick = site.brickOf(x, y, z);
            if (site.isCrossed(brick)) {
                const float* cells = site.occupied + static_cast<size_t>(site.crossed[brick]) * kBrickNodes +
                                     Site::nodeIndex(x, y, z) - begin;
                for (int k = begin; k < end; ++k) sum += w[k] * cells[k];
            } else if (site.middle[brick] < 0) {
                for (int k = begin; k < end; ++k) sum += w[k];
            }
            begin = end;
        }
        return sum;
    }
};

// Whether φ is anything but one number throughout a brick and the nodes around that its splines read.
struct Varies {
    Site site;
    Span<const int> bricks;
    Span<int> varies;
    PURL_HD void operator()(int i) const {
        const Cell low = site.corner(bricks[i]);
        const float first = site.shareAt(low.x, low.y, low.z);
        varies[i] = 0;
        for (int z = -1; z < kNodes - 1; ++z)
            for (int y = -1; y < kNodes - 1; ++y)
                for (int x = -1; x < kNodes - 1; ++x)
                    if (std::fabs(site.shareAt(low.x + x, low.y + y, low.z + z) - first) > 1e-6f) varies[i] = 1;
    }
};

// Coefficients whose spline has the nodes' values up to the fourth order: c = f − δ²f / 6 along each axis.
struct FitSpline {
    Site site;
    Span<const int> bricks;
    Span<float> nodes;
    PURL_HD void operator()(int i) const {
        constexpr int kAll = kNodes * kNodes * kNodes;
        const Cell low = site.corner(bricks[i / kAll]);
        const int n = i % kAll;
        const int x = low.x + n % kNodes - 1, y = low.y + n / kNodes % kNodes - 1, z = low.z + n / kNodes / kNodes - 1;
        constexpr float kSide = -1.0f / 6, kMiddle = 4.0f / 3;
        float sum = 0;
        for (int k = 0; k < 27; ++k) {
            const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
            sum += (dx ? kSide : kMiddle) * (dy ? kSide : kMiddle) * (dz ? kSide : kMiddle) *
                   site.shareAt(x + dx, y + dy, z + dz);
        }
        nodes[i] = sum;
    }
};

// A spline lies between the least and the largest of its coefficients: where none is above zero, neither is φ.
struct MarkFilled {
    Span<const float> nodes;
    Span<uint64_t> filled;
    PURL_HD void operator()(int i) const {
        const float* const layer =
            nodes.data + static_cast<size_t>(i) / kBrick * kNodes * kNodes * kNodes + i % kBrick * kNodes * kNodes;
        uint64_t bits = 0;
        for (int cell = 0; cell < kBrick * kBrick; ++cell) {
            const float* const corner = layer + cell / kBrick * kNodes + cell % kBrick;
            float most = 0;
            for (int n = 0; n < 64; ++n) {
                const float c = corner[(n / 16 * kNodes + n / 4 % 4) * kNodes + n % 4];
                most = c > most ? c : most;
            }
            if (most > kLeastShare) bits |= uint64_t(1) << cell;
        }
        filled[i] = bits;
    }
};

// The bricks of a box-shaped lattice, chosen in passes.
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
    // With the 26 around each; the lattice's margin is wide enough.
    BrickSet grown() const {
        BrickSet result(layout);
        for (const int b : list())
            for (int k = 0; k < 27; ++k)
                result.has[static_cast<size_t>(b + layout.brickIndex(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1))] = 1;
        return result;
    }
};

// W − σ²/2 ∇²W, so that the blurred surface gives what the sharp one would to the fourth order; their sum is 1.
void setWeights(BlurCells& blur, const WallKernel& kernel, float cell) {
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

template <class T>
void assign(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.resize(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

}  // namespace

VolumeMap::VolumeMap(const Device& device) : device_(device), brickAt_(device), nodes_(device), filled_(device) {}

void VolumeMap::build(const std::string& name, const SolidDistance& solid, const WallKernel& kernel) {
    const float cell = kernel.radius / kCellsInSupport, brick = kBrick * cell;
    // What φ varies in: the support around the surface, which may be thickened, and a spline's breadth.
    const float reach = kernel.radius + std::fabs(solid.grow) + 0.5f * solid.sheet + (kBlurred + 2) * cell;
    const Bounds box = grown(solid.bounds(), reach);
    layout_ = {};
    layout_.cell = cell;
    constexpr int kMargin = 3;  // bricks: chosen ones are grown three times
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
    constexpr double kMostBricks = 1 << 24;
    if (!(product <= kMostBricks)) throw tooLarge;
    layout_.bricksX = counts[0];
    layout_.bricksY = counts[1];
    layout_.bricksZ = counts[2];

    // Bricks that may hold a piece of the wall's neighbourhood: near a triangle's box, or anywhere for a primitive.
    BrickSet candidates(layout_);
    const auto include = [&](const Bounds& part) {
        const Vec3 from = (part.low - layout_.low) / brick, to = (part.high - layout_.low) / brick;
        for (int z = static_cast<int>(from.z); z <= static_cast<int>(to.z); ++z)
            for (int y = static_cast<int>(from.y); y <= static_cast<int>(to.y); ++y)
                for (int x = static_cast<int>(from.x); x <= static_cast<int>(to.x); ++x)
                    candidates.has[static_cast<size_t>(layout_.brickIndex(x, y, z))] = 1;
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

    Site site{};
    site.layout = layout_;
    Buffer<int> bricks(device_);
    Buffer<float> distance(device_);
    const auto measure = [&](const std::vector<int>& which) {
        assign(bricks, which);
        distance.resize(bricks.size());
        forEach(device_, "measureBricks", bricks.size(),
                MeasureBricks{solid, site, std::as_const(bricks).span(), distance.span()});
        device_.synchronize();
    };

    BrickSet chosen(layout_);  // where φ may vary
    measure(candidates.list());
    for (int i = 0; i < bricks.size(); ++i)
        if (std::fabs(distance[i]) < site.halfDiagonal() + reach) chosen.has[static_cast<size_t>(bricks[i])] = 1;
    const BrickSet toBlur = chosen.grown(), toFill = toBlur.grown();

    // Only bricks that the surface crosses need a look at each node.
    const int all = static_cast<int>(toFill.has.size());
    Buffer<float> middle(device_, all);
    Buffer<int> crossed(device_, all), blurred(device_, all);
    site.middle = middle.data();
    site.crossed = crossed.data();
    std::vector<int> crossing;
    measure(toFill.list());
    for (int i = 0; i < bricks.size(); ++i) {
        middle[bricks[i]] = distance[i];
        if (!site.isCrossed(bricks[i])) continue;
        crossed[bricks[i]] = static_cast<int>(crossing.size());
        crossing.push_back(bricks[i]);
    }
    const std::vector<int> blurring = toBlur.list();
    constexpr size_t kMostNodes = (size_t(1) << 31) / (kNodes * kNodes * kNodes);
    if (std::max(crossing.size(), blurring.size()) >= kMostNodes) throw tooLarge;

    Buffer<float> occupied(device_, static_cast<int>(crossing.size()) * kBrickNodes);
    assign(bricks, crossing);
    forEach(device_, "fillCells", occupied.size(),
            FillCells{solid, site, std::as_const(bricks).span(), occupied.span()});
    device_.synchronize();
    site.occupied = occupied.data();

    BlurCells blur{};
    setWeights(blur, kernel, cell);
    Buffer<float> share(device_, static_cast<int>(blurring.size()) * kBrickNodes);
    assign(bricks, blurring);
    for (int i = 0; i < bricks.size(); ++i) blurred[bricks[i]] = i;
    blur.site = site;
    blur.bricks = std::as_const(bricks).span();
    blur.share = share.span();
    forEach(device_, "blurCells", share.size(), blur);
    device_.synchronize();
    site.blurred = blurred.data();
    site.share = share.data();

    assign(bricks, chosen.list());
    Buffer<int> varies(device_, bricks.size());
    forEach(device_, "findVarying", bricks.size(), Varies{site, std::as_const(bricks).span(), varies.span()});
    device_.synchronize();
    std::vector<int> kept;
    for (int i = 0; i < bricks.size(); ++i)
        if (varies[i]) kept.push_back(bricks[i]);
    assign(bricks, kept);
    nodes_.resize(static_cast<int>(kept.size()) * kNodes * kNodes * kNodes);
    forEach(device_, "fitSpline", nodes_.size(), FitSpline{site, std::as_const(bricks).span(), nodes_.span()});
    device_.synchronize();
    filled_.resize(bricks.size() * kBrick);
    forEach(device_, "markFilled", filled_.size(), MarkFilled{std::as_const(nodes_).span(), filled_.span()});
    device_.synchronize();
    brickAt_.resize(all);
    for (int i = 0; i < brickAt_.size(); ++i) brickAt_[i] = -1;
    for (int i = 0; i < bricks.size(); ++i) brickAt_[bricks[i]] = i;
}

VolumeMapView VolumeMap::view() const {
    VolumeMapView view = layout_;
    view.brickAt = brickAt_.data();
    view.nodes = nodes_.data();
    view.filled = filled_.data();
    return view;
}

}  // namespace purl

#include "solver/cloth/xpbdBlocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/core/forEach.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

// Whether eight values are equal within the tolerance.
bool areEqual(const float* eight, float tolerance) {
    const auto [low, high] = std::minmax_element(eight, eight + 8);
    return *high - *low <= tolerance;
}
float meanOf(const float* eight) {
    float sum = 0;
    for (int lane = 0; lane < 8; ++lane) sum += eight[lane];
    return sum / 8;
}

// m: differences in rest length below this come from rounding of the positions.
float lengthRounding(const Fabric& fabric) {
    float farthest = 0;
    for (int i = 0; i < fabric.count(); ++i)
        for (int k = 0; k < 3; ++k) farthest = std::max(farthest, std::fabs(fabric.rest(i)[k]));
    return 4 * std::numeric_limits<float>::epsilon() * farthest;
}

bool isUniform(const SpringBlock& block, float rounding) { return areEqual(block.rest, rounding); }
// Weights are ratios of lengths.
bool isUniform(const BendBlock& block, float rounding, float edge) {
    return areEqual(block.rest, rounding) &&
           std::all_of(block.c, block.c + 4, [&](const float* weights) { return areEqual(weights, rounding / edge); });
}
void compress(const SpringBlock& block, UniformSprings& uniform) {
    uniform.a = block.a[0];
    uniform.b = block.b[0];
    uniform.rest = meanOf(block.rest);
    std::copy_n(block.compliance, 8, uniform.compliance);
}
void compress(const BendBlock& block, UniformBends& uniform) {
    for (int k = 0; k < 4; ++k) {
        uniform.v[k] = block.v[k][0];
        uniform.c[k] = meanOf(block.c[k]);
    }
    uniform.rest = meanOf(block.rest);
    uniform.points = block.points;
    std::copy_n(block.compliance, 8, uniform.compliance);
}

// Point without mass for the unused lanes of each strip, after the last point: strips are solved in parallel, and
// unused lanes are stored too. A cache line apart to avoid false sharing.
constexpr int kDummyStride = 16;
int dummyPoint(const Fabric& fabric, int strip) { return fabric.count() + kDummyStride * strip; }

// Packs elements into blocks with fill(block, lane, element, strip); element is −1 for unused lanes. `inRuns`: load
// runs contiguously.
template <class Uniform, class Block, int kLambdas, class IsUniform, class Fill>
void toBlocks(const Colors& colors, bool inRuns, ElementBlocks<Uniform, Block, kLambdas>& blocks,
              const IsUniform& isUniform, const Fill& fill) {
    std::vector<Uniform> uniform;
    std::vector<Block> others;
    std::vector<int> uniformFirst, otherFirst;
    blocks.cells.assign(colors.runEnds.size(), {});
    blocks.strips = colors.strips;
    blocks.interiorColors = colors.interiorColors;
    const auto takeCell = [&](int color, int strip) {
        const auto c = static_cast<size_t>(color * colors.strips + strip);
        auto& cell = blocks.cells[c];
        cell.uniform = static_cast<int>(uniform.size());
        cell.runs = static_cast<int>(others.size());
        const int end = colors.starts[c + 1], runEnd = inRuns ? colors.runEnds[c] : colors.starts[c];
        const auto take = [&](int from, int to) {
            for (int e = from; e < to; e += 8) {
                Block block{};
                for (int lane = 0; lane < 8; ++lane) fill(block, lane, e + lane < to ? e + lane : -1, strip);
                if (e < runEnd && isUniform(block)) {
                    uniform.emplace_back();
                    compress(block, uniform.back());
                    uniformFirst.push_back(e);
                } else {
                    others.push_back(block);
                    otherFirst.push_back(e);
                }
            }
        };
        take(colors.starts[c], runEnd);
        cell.uniformEnd = static_cast<int>(uniform.size());
        cell.runsEnd = static_cast<int>(others.size());
        take(runEnd, end);
        cell.end = static_cast<int>(others.size());
    };
    // Blocks are stored strip by strip, in the order of access.
    for (int strip = 0; strip < colors.strips; ++strip)
        for (int color = 0; color < colors.interiorColors; ++color) takeCell(color, strip);
    for (int strip = 0; strip < colors.strips; ++strip)
        for (int color = colors.interiorColors; color < colors.count(); ++color) takeCell(color, strip);
    upload(blocks.uniform, uniform);
    upload(blocks.others, others);
    blocks.uniformLambdas.resizeDiscard(8 * kLambdas * blocks.uniform.size());
    blocks.otherLambdas.resizeDiscard(8 * kLambdas * blocks.others.size());
    uniformFirst.insert(uniformFirst.end(), otherFirst.begin(), otherFirst.end());
    upload(blocks.firstElement, uniformFirst);
    std::vector<int> byColor;
    blocks.colorStarts.assign(1, 0);
    for (int color = 0; color < colors.count(); ++color) {
        for (int strip = 0; strip < colors.strips; ++strip) {
            const auto& cell = blocks.cells[static_cast<size_t>(color * colors.strips + strip)];
            const auto list = [&](int from, int to, BlockForm form) {
                for (int block = from; block < to; ++block)
                    byColor.push_back(kBlockForms * block + static_cast<int>(form));
            };
            list(cell.uniform, cell.uniformEnd, BlockForm::uniform);
            list(cell.runs, cell.runsEnd, BlockForm::run);
            list(cell.runsEnd, cell.end, BlockForm::scattered);
        }
        blocks.colorStarts.push_back(static_cast<int>(byColor.size()));
    }
    upload(blocks.byColor, byColor);
}

// Compliances after a change of stiffness.
template <class Uniform, class Block, class Element>
struct UpdateCompliances {
    Span<Uniform> uniform;
    Span<Block> others;
    Span<const int> firstElement;
    Span<const Element> elements;

    PURL_HD void operator()(int b) const {
        float* const compliance = b < uniform.count ? uniform[b].compliance : others[b - uniform.count].compliance;
        const int first = firstElement[b];
        // Unused lanes may take any value: they only move the dummy point.
        for (int lane = 0; lane < 8 && first + lane < elements.count; ++lane)
            compliance[lane] = 1 / elements[first + lane].stiffness;
    }
};
template <class Uniform, class Block, int kLambdas, class Element>
void updateCompliances(ElementBlocks<Uniform, Block, kLambdas>& blocks, const Buffer<Element>& elements) {
    forEach(elements.device(), "updateCompliances", blocks.count(),
            UpdateCompliances<Uniform, Block, Element>{blocks.uniform.span(), blocks.others.span(),
                                                       std::as_const(blocks.firstElement).span(), elements.span()});
}

}  // namespace

XpbdBlocks::XpbdBlocks(const Device& device) : slots(device), springs(device), bends(device) {}

int XpbdBlocks::countWithDummies(const Fabric& fabric) { return dummyPoint(fabric, fabric.strips()); }

void XpbdBlocks::pack(const Fabric& fabric) {
    if (packedVersion_ == fabric.version() && packedStiffness_ == fabric.stiffnessVersion()) return;
    if (packedVersion_ == fabric.version()) {
        updateCompliances(springs, fabric.springs);
        updateCompliances(bends, fabric.bends);
    } else {
        inRuns = fabric.mostlyInRuns();
        Buffer<int>& ofPoints = slots.onHost();
        ofPoints.resizeDiscard(fabric.count());
        for (int i = 0; i < ofPoints.size(); ++i) ofPoints[i] = inRuns ? fabric.slots()[i] : i;
        slots.upload();
        packSprings(fabric);
        packBends(fabric);
    }
    packedVersion_ = fabric.version();
    packedStiffness_ = fabric.stiffnessVersion();
}

void XpbdBlocks::packSprings(const Fabric& fabric) {
    const float rounding = lengthRounding(fabric);
    const auto uniform = [&](const SpringBlock& block) { return isUniform(block, rounding); };
    const HostReader<Spring> elements = readOnHost(fabric.springs);
    toBlocks(fabric.springColors, inRuns, springs, uniform, [&](SpringBlock& block, int lane, int e, int strip) {
        block.a[lane] = block.b[lane] = dummyPoint(fabric, strip);
        block.rest[lane] = block.compliance[lane] = 1;
        if (e < 0) return;
        const Spring& spring = elements[e];
        block.a[lane] = slots[spring.a];
        block.b[lane] = slots[spring.b];
        block.rest[lane] = spring.rest;
        block.compliance[lane] = 1 / spring.stiffness;
    });
}

void XpbdBlocks::packBends(const Fabric& fabric) {
    const float rounding = lengthRounding(fabric);
    const auto uniform = [&](const BendBlock& block) { return isUniform(block, rounding, fabric.meanEdge()); };
    const HostReader<Bend> elements = readOnHost(fabric.bends);
    toBlocks(fabric.bendColors, inRuns, bends, uniform, [&](BendBlock& block, int lane, int e, int strip) {
        if (lane == 0) block.points = 3;
        for (int k = 0; k < 4; ++k) {
            block.v[k][lane] = e < 0 ? dummyPoint(fabric, strip) : slots[elements[e].v[k]];
            block.c[k][lane] = e < 0 ? 0 : elements[e].c[k];
        }
        block.rest[lane] = e < 0 ? 0 : elements[e].rest;
        block.compliance[lane] = e < 0 ? 1 : 1 / elements[e].stiffness;
        if (block.c[3][lane] != 0) block.points = 4;
    });
}

}  // namespace purl

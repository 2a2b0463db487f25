#include "solver/knit/stitch.h"

#include <iterator>

#include "solver/core/error.h"

namespace purl {
namespace {

constexpr float kFront = 0, kBack = 1;

// Güdükbay 2012, eq. 1, as printed: weights of m1, m2, m3, m4.
constexpr std::array<BondingPoint, 12> kPlain{{
    {{0, 0, 6 / 7.f, 1 / 7.f}, kFront},                       // t1
    {{5.5f / 21, 1.5f / 21, 11 / 21.f, 3 / 21.f}, kBack},     // t2
    {{1.5f / 21, 5.5f / 21, 3 / 21.f, 11 / 21.f}, kBack},     // t3
    {{0, 0, 1 / 7.f, 6 / 7.f}, kFront},                       // t4
    {{0, 0, 1, 0}, kBack},                                    // t5
    {{0, 0, 5 / 7.f, 2 / 7.f}, kBack},                        // t6
    {{4.5f / 28, 2.5f / 28, 13.5f / 28, 7.5f / 28}, kFront},  // t7
    {{6 / 7.f, 1 / 7.f, 0, 0}, kFront},                       // t8
    {{0, 0, 0, 1}, kBack},                                    // t9
    {{0, 0, 2 / 7.f, 5 / 7.f}, kBack},                        // t10
    {{2.5f / 28, 4.5f / 28, 7.5f / 28, 13.5f / 28}, kFront},  // t11
    {{1 / 7.f, 6 / 7.f, 0, 0}, kFront},                       // t12
}};

// The same stitch seen from the other side: the loop is drawn through from front to back.
constexpr std::array<BondingPoint, 12> turned(std::array<BondingPoint, 12> points) {
    for (BondingPoint& point : points) point.depth = kFront + kBack - point.depth;
    return points;
}

// Other legs, given by t6 and t7 of the left half; the right half mirrors them.
constexpr std::array<BondingPoint, 12> withLegs(float u6, float v6, float depth6, float u7, float v7, float depth7) {
    std::array<BondingPoint, 12> points = kPlain;
    points[5] = bondAt(u6, v6, depth6);
    points[6] = bondAt(u7, v7, depth7);
    points[9] = bondAt(1 - u6, v6, depth6);
    points[10] = bondAt(1 - u7, v7, depth7);
    return points;
}

// Depths beyond 1 are behind the back layer, where a float or a tuck passes the waiting loops.
constexpr Stitch kStitches[] = {
    {"knit", 'k', kPlain, true, true, 0},
    {"purl", 'p', turned(kPlain), true, true, 0},
    {"slip", 's', withLegs(0.25f, 0.05f, 1.2f, 0.4f, 0.08f, 1.3f), false, false, 0},
    {"tuck", 't', withLegs(0.2f, 0.08f, 1.2f, 0.3f, 0.5f, 1.35f), false, true, 0},
    {"yarnOver", 'o', withLegs(0.1f, 0.12f, 0.7f, 0.1f, 0.5f, 0.4f), false, true, 0},
    {"k2tog", '/', kPlain, true, true, 1},
    {"ssk", '\\', kPlain, true, true, -1},
    {"cable", '>', kPlain, true, true, 0},
    {"bindOff", 0, withLegs(2 / 7.f, 0, kBack, 0.36f, 0.55f, kFront), true, false, 0},
};

}  // namespace

const Stitch& stitchOf(StitchKind kind) {
    const auto row = static_cast<int>(kind);
    PURL_ASSERT(row >= 0 && row < stitches().count);
    return kStitches[row];
}

Span<const Stitch> stitches() { return {kStitches, static_cast<int>(std::size(kStitches))}; }

}  // namespace purl

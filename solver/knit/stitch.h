// The stitch table: the path of the yarn in one cell of the lattice, as data. The stitch of a cell holds the heads of
// the loops below and gives its own loop its feet and legs; the head of that loop is held by a cell above.
#pragma once
#include <array>

#include "solver/core/buffer.h"
#include "solver/core/platform.h"

namespace purl {

enum class StitchKind { knit, purl, slip, tuck, yarnOver, k2tog, ssk, cable, bindOff };

// A point bound to the four mass points around a cell, numbered as in Güdükbay's eq. 1: m3 and m4 are below, m1 and m2
// above, m1 and m3 to the left.
struct BondingPoint {
    std::array<float, 4> m;  // weights of m1 … m4; sum to 1
    float depth;             // 0: at layer 1, the front; 1: at layer 3, the back

    PURL_HD float u() const { return m[1] + m[3]; }  // 0 at the left, 1 at the right
    PURL_HD float v() const { return m[0] + m[1]; }  // 0 below, 1 above
};

// The bonding point at u, v: P(u, v) = (1−u) v m1 + u v m2 + (1−u)(1−v) m3 + u (1−v) m4
constexpr BondingPoint bondAt(float u, float v, float depth) {
    return {{(1 - u) * v, u * v, (1 - u) * (1 - v), u * (1 - v)}, depth};
}

struct Stitch {
    const char* name;
    char symbol;                     // in charts; 0: not in charts
    std::array<BondingPoint, 12> t;  // t1 … t12 of eq. 1
    bool holds;                      // takes the loops below off the needle; otherwise they wait for a later course
    bool loops;                      // makes a loop; otherwise the yarn floats behind
    int lean;                        // also takes the loop this many columns to the right
};

const Stitch& stitchOf(StitchKind kind);
// All rows of the table, in the order of StitchKind.
Span<const Stitch> stitches();

// Indices into t. The path of a loop: up from its cell, over its head in the cell that holds it, and down again; it
// ends where the next cell's path begins, at that cell's kCorner.
constexpr int kCorner = 4, kEnd = 8;
constexpr std::array<int, 2> kUp{5, 6};
constexpr std::array<int, 4> kHead{0, 1, 2, 3};
constexpr std::array<int, 2> kDown{10, 9};

}  // namespace purl

// Lumislice: the cross-section of a yarn as a small picture of its fibres (Xu et al. 2001; Güdükbay 6.1). Yarn is this
// slice, repeated and turned along its path; see yarnQuads.h.
#pragma once
#include <cstdint>
#include <vector>

namespace purl {

struct SliceParams {
    int plies = 3;
    int fibres = 240;            // in all of the plies; as many as find room
    int loose = 18;              // fibres that stand out of the plies as fuzz
    float fibreRadius = 0.034f;  // in radii of the yarn
    int size = 128;              // texels a side; the yarn's radius reaches from the middle to the edge
    uint64_t seed = 1;
};

// Colour is the share of light that a fibre gets between the others, alpha how much of a texel fibres cover. Outside of
// the yarn alpha is 0.
struct Slice {
    int size = 0;
    int fibres = 0;  // that found room
    std::vector<uint8_t> rgba;
};

Slice makeSlice(const SliceParams& params = {});

}  // namespace purl

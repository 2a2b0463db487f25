// Lumislice: the fibres of a yarn's cross-section as a small texture (Xu et al. 2001; Güdükbay 6.1). A yarn is drawn by
// repeating and rotating this slice along its path; see yarnQuads.h.
#pragma once
#include <cstdint>
#include <vector>

namespace purl {

struct SliceParams {
    int plies = 3;
    int fibres = 240;            // total over all plies; fewer if they do not fit
    int stray = 18;              // stray fibres around the plies
    float fibreRadius = 0.034f;  // in yarn radii
    int size = 128;              // texels per side; half of it is the yarn's radius
    uint64_t seed = 1;
};

// RGB is the light a fibre receives between the others, alpha the fibre coverage of a texel; 0 outside the yarn.
struct Slice {
    int size = 0;
    int fibres = 0;  // actually placed
    std::vector<uint8_t> rgba;
};

Slice makeSlice(const SliceParams& params = {});

}  // namespace purl

// Appearance of wet fabric: darker, stained, with swollen yarn.
#pragma once
#include <vector>

#include "solver/geometry/curves.h"
#include "solver/params/wet.h"
#include "solver/wet/pores.h"

namespace purl {

// rgb of wet fabric: darkened, and tinted by the dye.
inline Vec3 wetColor(const WetParams& params, Vec3 color, float wetness, float stain, Vec3 dye) {
    return wetShade(params.wetDarkening, wetness) * lerp(color, dye, stain);
}

// Colours and swells the wet parts of yarns. `wetting` and `stain`: per point of the curves.
inline void wetYarn(const WetParams& params, Wetting wetting, const std::vector<float>& stain, Curves& curves) {
    curves.wetting = std::move(wetting);
    size_t i = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn)
        for (int k = 0; k < curves.counts[yarn]; ++k, ++i) {
            const float wet = curves.wetting.wetness[i];
            // Interpolation between a wet and a never-wet point gives no valid time.
            if (curves.wetting.timeSinceWet[i] < 0) curves.wetting.timeSinceWet[i] = -1;
            curves.widths[i] *= 1 + params.wetSwelling * wet;
            curves.pointColors.push_back(wetColor(params, curves.colors[yarn], wet, stain[i], curves.wetting.dye[i]));
        }
}

}  // namespace purl

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
    std::vector<float>&widths = curves.widths.edit(), &timeSinceWet = wetting.timeSinceWet.edit();
    std::vector<Vec3> colors;
    colors.reserve(widths.size());
    size_t i = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn)
        for (int k = 0; k < curves.counts[yarn]; ++k, ++i) {
            const float wet = wetting.wetness[i];
            // Interpolation between a wet and a never-wet point gives no valid time.
            if (timeSinceWet[i] < 0) timeSinceWet[i] = -1;
            widths[i] *= 1 + params.wetSwelling * wet;
            colors.push_back(wetColor(params, curves.colors[yarn], wet, stain[i], wetting.dye[i]));
        }
    curves.pointColors = std::move(colors);
    curves.wetting = std::move(wetting);
}

}  // namespace purl

// The Frame of a State: what of it leaves, copied out and named.
#pragma once
#include <vector>

#include "solver/frame.h"
#include "solver/knit/knits.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/fabrics.h"

namespace purl {

// All but what was counted while its steps were taken. `scene`: as users have it; `knits` and `wet` are the state's.
Frame frameOf(const State& state, const Scene& scene, const Knits& knits, WetFabrics& wet);
// Its particles, without the stitches that drops fell from.
Points pointsOf(const State& state, const std::vector<BodyInfo>& bodies);

}  // namespace purl

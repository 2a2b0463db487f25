// Builds the output Frame from a State.
#pragma once
#include <vector>

#include "solver/frame.h"
#include "solver/knit/knits.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/fabrics.h"

namespace purl {

// All but the statistics of the steps, in SI units. `scene`: as users have it; `simulated`: with its knits as cloths,
// see Knits::withKnitCloths; `knits` and `wet` are the state's.
Frame makeFrame(const State& state, const Scene& scene, const Scene& simulated, const Knits& knits, WetFabrics& wet);
// Its particles, without the stitches that drops fell from.
Points pointsOf(const State& state, const std::vector<BodyInfo>& bodies);

}  // namespace purl

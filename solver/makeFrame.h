// Builds the output Frame from a State.
#pragma once
#include <vector>

#include "solver/frame.h"
#include "solver/knit/knits.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/fabrics.h"

namespace purl {

// The frame without the statistics of steps. `scene`: the user's, in which knits are not yet cloths. `knits`, `wet`:
// those of the state.
Frame makeFrame(const State& state, const Scene& scene, const Knits& knits, WetFabrics& wet);
// The particles of the frame, without the origins of drops.
Points pointsOf(const State& state, const std::vector<BodyInfo>& bodies);

}  // namespace purl

// Cloths that lie in fluids: how the two move together within a step.
#pragma once
#include <vector>

#include "solver/step.h"

namespace purl {

// What fluids have to do with the cloths' motion. A cloth is moved by what they gave it in the step before; but that
// they gave because it stood in their way, and would have given less had it moved: by what its acceleration a takes of
// the fluid behind the push, M. With m its own mass,
//     (m + M) a = m g + push/Δt
// (Robin's condition, as Fernández et al. 2013 have it for incompressible fluids). The fluid that lies on it it takes
// along, so that of the push nothing is lost but what is still farther away. Between two wet sides a sheet keeps a
// spacing free: water that is not there, but weighs.
struct LadenCloths {
    State& state;
    Workspace& work;
    std::vector<Vec3> before;  // m/s, of the points

    // Before the cloths move: what pulls at their points, and what burdens them.
    void feel(const Scene& scene, const StepSpan& span);
    // After: the fluid that lies on them.
    void takeAlong();
};

// The fluid's push on cloths, and how much of it stands behind that. Where pressures are solved for that is a whole
// column: what it would have gone on with, had it not been stopped; so a push never makes a point faster than the fluid
// that gave it, nor by more than a share of a spacing a step: what is pinched between folds would throw them about. A
// step's pressures of wcsph do not reach that far: what is near will do, unless it is far too little.
void pushCloths(State& state, const Workspace& work, const SolverParams& params, float dt);

}  // namespace purl

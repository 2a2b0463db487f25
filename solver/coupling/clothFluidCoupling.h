// Cloth–fluid coupling: how cloths and the fluid around them move together within a step.
//
// A cloth is moved by the reaction impulse J that fluids gave it in the step before. They gave it because the cloth
// stood in their way, and would have given less had it moved: by what its acceleration a takes of the mass of fluid
// behind the impulse, M. With m its own mass,
//     (m + M) a = m g + J/Δt
// (Robin's condition, as in Fernández et al. 2013 for incompressible fluids). The fluid on the cloth takes part in its
// velocity change, so that of the impulse nothing is lost but what is farther away. Between two wet sides a sheet keeps
// a spacing free: water that is not there, but has weight.
#pragma once
#include <vector>

#include "solver/cloth/cloth.h"
#include "solver/coupling/addedMass.h"
#include "solver/coupling/reaction.h"

namespace purl {

// Unit normals of the points of cloths where they are; zero for all points of soft bodies, which come behind them.
std::vector<Vec3> clothNormals(const Device& device, const State& state, const StepColliders& colliders);

// Before the cloths move: makes of `acceleration`, m/s², which gravity and fields give each point, what it has with the
// fluid's impulse and mass, and writes what moves with each into `addedMass`, kg. `water`, kg: soaked up by each point,
// or none. `nearby`: of each point, or none.
void couple(const Device& device, const State& state, const Scene& scene, const Cloths& cloths, Span<const float> water,
            Span<const NearbyFluid> nearby, Buffer<Vec3>& acceleration, Buffer<float>& addedMass);

// m/s, by which the cloths' points are faster than `before`; zero for all points of soft bodies.
std::vector<Vec3> velocityChanges(const Device& device, const State& state, const std::vector<Vec3>& before);

// After the fluid has moved: keeps its reaction impulses on cloths for the next step, and the mass of fluid behind
// them. Where pressures are solved for that is a whole column: what it would have gone on with, had it not been
// stopped; so an impulse never makes a point faster than the fluid that gave it, nor by more than a share of a spacing
// a step, for what is squeezed between folds would throw them about. The pressures of one step of wcsph do not reach
// that far: the fluid near will do, unless it is far too little.
void keepReaction(const Device& device, State& state, const Reaction& reaction, Span<const NearbyFluid> nearby,
                  const Materials& materials, PressureSolver solver, float dt);

}  // namespace purl

// Cloth–fluid coupling within a step.
//
// The reaction impulse J of the fluid in the previous step accelerates the cloth. J was computed for a cloth that does
// not yield; had it moved with acceleration a, J would have been smaller by M a Δt, with the added mass M: the mass of
// the fluid behind the impulse. With the mass m of the cloth,
//     (m + M) a = m g + J/Δt
// (a Robin condition, as in Fernández et al. 2013 for incompressible fluids). The velocity change of the cloth is also
// applied to the fluid near it, so that only the momentum of fluid farther away is lost. Between two wet sides a sheet
// keeps one spacing free of particles; the weight of that missing water is added to the cloth.
#pragma once
#include <vector>

#include "solver/cloth/cloth.h"
#include "solver/coupling/addedMass.h"
#include "solver/coupling/reaction.h"

namespace purl {

// Unit normals of cloth points; zero for the points of soft bodies, which follow.
class ClothNormals {
  public:
    explicit ClothNormals(const Device& device);

    // Sets the cloths among the deforming colliders.
    void set(const StepColliders& colliders);
    // At the points' current positions.
    const Buffer<Vec3>& measure(const State& state);

  private:
    // The points of a cloth, and the beginning of its lists in the arrays of all.
    struct Sheet {
        int first, count;
        int firstStart, firstFan, firstCorner;
    };
    std::vector<Sheet> sheets_;
    Buffer<int> fanStarts_, fans_, corners_;  // see DeformingCollider
    Buffer<Vec3> normals_;
};

// Before the cloths move. `acceleration`, m/s²: on input by gravity and fields, on output including reaction impulse
// and added mass. `addedMass`, kg: written, the mass that moves with each point. `water`, kg: absorbed at each point,
// or empty. `nearby`: per point, or empty.
void couple(const State& state, const Cloths& cloths, Span<const float> water, Span<const NearbyFluid> nearby,
            Buffer<Vec3>& acceleration, Buffer<float>& addedMass);

// m/s, velocity changes of cloth points since `before`; zero for the points of soft bodies.
void velocityChanges(const State& state, const Buffer<Vec3>& before, Buffer<Vec3>& changes);

// After the fluid has moved: stores its reaction impulses on cloths for the next step, with the added mass M = |J|/Δv,
// where Δv is the velocity at which the fluid was stopped. Solvers for pressure stop a whole column of fluid in one
// step; with M, its impulse accelerates a point to at most the velocity of that fluid, and by at most a fraction of a
// spacing per step, because fluid squeezed between folds would otherwise fling them. The pressures of a wcsph step do
// not reach that far: there the nearby fluid is used instead, unless it is far too little.
void keepReaction(State& state, const Reaction& reaction, Span<const NearbyFluid> nearby, const Materials& materials,
                  PressureSolver solver, float dt);

}  // namespace purl

// Creation of fluid: volumes filled at the start, and emitters.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Fills every fluid's volumes; ids follow the order of fluids, volumes and lattice sites. Where volumes overlap, the
// first one's particles are kept. No particle is placed inside a collider, nor closer to a fabric or soft body than
// fluid rests on it. Throws Error if a volume cannot be filled or yields no particle.
void fillVolumes(State& state, const Scene& scene, Span<const PlacedCollider> walls = {},
                 Span<const PlacedCollider> deforming = {});

// A particle to be created.
struct NewParticle {
    Vec3 x, v;
    double birth;  // s
};
// Adds particles to a fluid, with the next ids; `source`: what created them, see Particles::source.
void addParticles(State& state, const std::vector<NewParticle>& created, int body, size_t source, const Scene& scene);

// Emits particles for the step from state.time to state.time + dt, while the emitters move through the interval
// [shareBefore, shareAfter] of their motion from state.emitters to the scene's poses. The flow rate is limited to what
// fits through the opening at the emission speed; a volume emitter places particles on free lattice sites of its mesh.
// No particle is created inside a collider: it is moved out along its direction if the surface is near, and dropped
// otherwise. In two dimensions rates are per metre of depth, and a disc is its section with the plane z = 0.
void emit(State& state, const Scene& scene, double dt, float shareBefore = 1, float shareAfter = 1,
          Span<const PlacedCollider> walls = {});

// Position of the k-th particle of a disc emitter in the disc's plane (local x and z), for particles `spacing` apart.
Vec3 discSite(int64_t k, float radius, float spacing);
// The same in two dimensions: the distance from the centre along the section of the disc with the plane z = 0.
float slitSite(int64_t k, float radius, float spacing);

}  // namespace purl

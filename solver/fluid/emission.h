// How fluid comes into being: volumes filled at the start, and emitters that let it out over time.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Fills every fluid's volumes; ids follow the order of fluids, volumes and lattice sites. Where volumes overlap the
// first one's particles stay; nothing is put inside obstacles, nor nearer to skins than fluid lies on walls. Throws
// Error on a volume that cannot be filled or gives no particle.
void fillVolumes(State& state, const Scene& scene, Span<const PlacedCollider> walls = {},
                 Span<const PlacedCollider> skins = {});

struct Newborn {
    Vec3 x, v;
    double birth;  // s
};
// Adds particles of a fluid, with the next ids; `source`: what let them in, see Particles::source.
void addParticles(State& state, const std::vector<Newborn>& newborns, int body, size_t source, const Scene& scene);

// Lets out what the emitters give in the step from state.time to state.time + dt, while they move through the shares
// [shareBefore, shareAfter] of their way from state.emitters to the scene's places. They let out their rate, but no
// more than fits through them at their speed; a volume puts particles on free lattice sites of its mesh. Nothing
// is born in a wall: what is let out in one comes out of it at the surface, if that is near, and else not at all. In
// two dimensions rates are those of a metre of depth, and a disc is the slit that the plane z = 0 makes of it.
void emit(State& state, const Scene& scene, double dt, float shareBefore = 1, float shareAfter = 1,
          Span<const PlacedCollider> walls = {});

// Where the k-th particle of a disc emitter leaves it, in the disc's plane (local x and z), for particles `spacing`
// apart.
Vec3 discSite(int64_t k, float radius, float spacing);
// The same where the plane z = 0 cuts the disc: how far from its middle.
float slitSite(int64_t k, float radius, float spacing);

}  // namespace purl

// ★ The phases of a time step, in order. Each is one entry of the profile.
#include "solver/step.h"

#include "solver/core/hostView.h"
#include "solver/coupling/clothFluidCoupling.h"
#include "solver/coupling/deformingColliders.h"
#include "solver/coupling/impulses.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/external.h"
#include "solver/fluid/mixing.h"

namespace purl {
namespace {

// The fluid that cloths were coupled to when they moved.
struct ClothSurroundings {
    const FluidBoundary* boundary = nullptr;  // with neighbour lists of the cloths at the start of the step; or null
    Span<const NearbyFluid> fluid;            // per point, or empty
};

void moveRigids(State& state, RigidBodies& rigids, StepColliders& colliders, Colliders& placed,
                const Materials& materials, const StepSpan& span);
void moveSoftBodies(State& state, SoftBodies& bodies, const Scene& scene, const StepColliders& colliders,
                    const Materials& materials, const StepSpan& span, Buffer<Vec3>& acceleration);
ClothSurroundings moveCloths(State& state, Workspace& work, const Scene& scene, const StepSpan& span,
                             const Profile& phase);
void soakFabrics(State& state, WetFabrics& wet, const Scene& scene, const Cloths& cloths,
                 const StepColliders& colliders, const FluidBoundary* nearCloths, const Materials& materials,
                 double dt);
void moveColliders(const State& state, Workspace& work, const Scene& scene, const StepSpan& span);
void dripFabrics(State& state, WetFabrics& wet, const Scene& scene, const StepColliders& colliders,
                 const Colliders& placed, const Materials& materials, double dt);
void emitParticles(State& state, const Scene& scene, const Colliders& placed, const Materials& materials, bool account,
                   const StepSpan& span);
void deliverReaction(State& state, Workspace& work, const SolverParams& params, Span<const NearbyFluid> nearCloths,
                     float dt);

}  // namespace

void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const Timing timing{static_cast<float>(span.dt), static_cast<float>(state.lastStep), state.nextId};
    const Profile phase = work.profile();
    const Materials& materials = work.materials;
    StepColliders& colliders = work.colliders;
    const bool soaks = !work.wet.empty();
    work.report = {};

    // Bodies move with the reaction impulses of the previous step; soft bodies move before cloths that may lie on them.
    colliders.beginStep();
    if (!work.rigids.empty())
        phase("moveRigids", [&] { moveRigids(state, work.rigids, colliders, work.placed, materials, span); });
    if (!work.softBodies.empty())
        phase("moveSoftBodies",
              [&] { moveSoftBodies(state, work.softBodies, scene, colliders, materials, span, work.acceleration); });
    ClothSurroundings nearCloths;
    if (!work.cloths.empty()) nearCloths = moveCloths(state, work, scene, span, phase);

    if (!colliders.deforming.empty()) phase("moveColliders", [&] { updateDeformingColliders(state, colliders); });

    // Fabrics absorb water and drip.
    if (soaks)
        phase("soakFabrics", [&] {
            soakFabrics(state, work.wet, scene, work.cloths, colliders, nearCloths.boundary, materials, span.dt);
        });
    phase("moveColliders", [&] { moveColliders(state, work, scene, span); });
    if (soaks)
        phase("dripFabrics", [&] { dripFabrics(state, work.wet, scene, colliders, work.placed, materials, span.dt); });

    // Fluids move between colliders with known paths, and react on them.
    phase("emit", [&] { emitParticles(state, scene, work.placed, materials, soaks, span); });
    work.fluidSolver->advance(work.fluidStep(state, scene, phase, timing));
    if (work.reacts())
        phase("deliverReaction", [&] { deliverReaction(state, work, scene.solver, nearCloths.fluid, timing.dt); });

    state.time = span.timeAfter;
    state.lastStep = span.dt;
}

namespace {

BodyStep bodyStep(const StepSpan& span, const StepColliders& colliders, const std::vector<int>& members) {
    return {static_cast<float>(span.dt), {span.shareBefore, span.shareAfter}, &colliders, &members};
}

// Rigid bodies move and collide without the fluid; the fluid then collides with them along their path.
void moveRigids(State& state, RigidBodies& rigids, StepColliders& colliders, Colliders& placed,
                const Materials& materials, const StepSpan& span) {
    const auto dt = static_cast<float>(span.dt);
    placed.moveTo(colliders, span.shareBefore, span.shareAfter, dt);
    std::vector<Vec3> accelerations;
    for (int b = 0; b < rigids.count(); ++b)
        accelerations.push_back(materials.gravity + fieldsAt(state.colliders[rigids.colliderOf(b)].pose.position,
                                                             materials.fields.onHost().span()));
    rigids.move(state, placed.placed(), accelerations, dt, colliders);
}

void moveSoftBodies(State& state, SoftBodies& bodies, const Scene& scene, const StepColliders& colliders,
                    const Materials& materials, const StepSpan& span, Buffer<Vec3>& acceleration) {
    accelerateByGravityAndFields(materials, state.soft.x, acceleration);
    bodies.move(state, scene, bodyStep(span, colliders, colliders.ofScene), acceleration);
}

// Moves the cloths with the fluid around them as added mass.
ClothSurroundings moveCloths(State& state, Workspace& work, const Scene& scene, const StepSpan& span,
                             const Profile& phase) {
    FluidBoundary& density = work.boundaries.density;
    ClothSurroundings surroundings;
    const bool coupled = !work.colliders.deforming.empty();
    const bool bodiesReact = !work.rigids.empty() || !work.colliders.softBodies.empty();
    accelerateByGravityAndFields(work.materials, state.cloth.x, work.acceleration);
    if (coupled)
        phase("measureAddedMass", [&] {
            work.clothVelocity = state.cloth.v;
            if (density.hasDeforming()) {
                density.moveTo(work.colliders, span.shareBefore, span.shareBefore, 0);
                density.findNeighbors(state.particles.x, density.firstDeforming);
                work.binding.set(work.colliders, density.firstDeforming, density.boundary, state);
                const Buffer<NearbyFluid>& nearby = work.addedMass.measure(
                    state.particles, density.boundary, work.binding, work.materials, work.clothNormals.measure(state));
                surroundings = {&density, nearby.span()};
            }
            couple(state, work.cloths, work.clothLoad.follow(work.wet.load(state, scene)), surroundings.fluid,
                   work.acceleration, work.clothAddedMass);
        });
    phase("moveCloths", [&] {
        updateSoftColliders(state, work.colliders);
        work.cloths.move(
            state, scene, bodyStep(span, work.colliders, work.colliders.forCloths), work.acceleration,
            coupled ? std::as_const(work.clothAddedMass).span() : work.clothLoad.follow(work.wet.load(state, scene)),
            work.clothSaturation.follow(work.wet.saturation()), bodiesReact);
        if (bodiesReact)
            deliverClothImpulses(state, work.cloths.impulses(), work.rigids, work.colliders, work.softBodies);
    });
    if (surroundings.boundary)
        phase("applyAddedMass", [&] {
            velocityChanges(state, work.clothVelocity, work.velocityChange);
            work.addedMass.apply(work.velocityChange, density.boundary, work.binding, state.particles);
        });
    return surroundings;
}

// Absorbs water from particles that were near fabrics at the beginning of the step.
void soakFabrics(State& state, WetFabrics& wet, const Scene& scene, const Cloths& cloths,
                 const StepColliders& colliders, const FluidBoundary* nearCloths, const Materials& materials,
                 double dt) {
    std::vector<float> masses;
    for (size_t c = 0; c < scene.cloths.size(); ++c)
        for (const float mass : cloths.masses(static_cast<int>(c)).onHost()) masses.push_back(mass);
    if (!nearCloths) return wet.soak(state, scene, colliders, materials, nullptr, masses, dt);
    const FabricContact contact{nearCloths->boundary, nearCloths->firstDeforming, colliders};
    wet.soak(state, scene, colliders, materials, &contact, masses, dt);
}

// Spreads water along fabrics and makes drops. The surfaces of the fabrics, which come after the scene's colliders,
// neither hold drops nor press on them.
void dripFabrics(State& state, WetFabrics& wet, const Scene& scene, const StepColliders& colliders,
                 const Colliders& placed, const Materials& materials, double dt) {
    const Span<const PlacedCollider> all = placed.placed();
    const auto solids = static_cast<int>(colliders.ofScene.size());
    const Span<const PlacedCollider> walls{all.data, solids}, surfaces{all.data + solids, all.count - solids};
    wet.spread(state, scene, materials, walls, dt);
    wet.drip(state, scene, walls, surfaces, colliders);
}

// Moves all colliders of fluids to their positions in this step.
void moveColliders(const State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const auto dt = static_cast<float>(span.dt);
    FluidBoundary& density = work.boundaries.density;
    work.placed.moveTo(work.colliders, work.colliders.forFluids, span.shareBefore, span.shareAfter, dt);
    // pbf solves for the density at the end of the step.
    const bool ahead = scene.solver.pressureSolver == PressureSolver::pbf;
    work.boundaries.moveTo(work.colliders, span.shareBefore, span.shareAfter, dt,
                           ahead ? BoundaryTime::end : BoundaryTime::start);
    if (density.hasDeforming())
        work.binding.set(work.colliders, density.firstDeforming, density.boundary, state);
    else
        work.binding.clear();
    work.reaction.begin(work.rigids, state, work.colliders, density.boundary.members(), work.binding);
}

// `account`: whether the mass that emitters supply is recorded.
void emitParticles(State& state, const Scene& scene, const Colliders& placed, const Materials& materials, bool account,
                   const StepSpan& span) {
    const auto liquid = [&] { return account ? WetFabrics::liquidMass(state, scene) : 0; };
    const double before = liquid();
    emit(state, scene, span.dt, span.shareBefore, span.shareAfter, placed.placed());
    state.wet.supplied += liquid() - before;
    state.particles.holdFor(methodOf(scene.solver));
    takeUpColors(state.particles, materials);
}

// Applies the fluids' reaction impulses to bodies; they take effect in the next step.
void deliverReaction(State& state, Workspace& work, const SolverParams& params, Span<const NearbyFluid> nearCloths,
                     float dt) {
    deliverFluidImpulses(state, work.reaction, work.rigids, work.softBodies, work.materials, dt);
    if (!work.colliders.deforming.empty())
        keepReaction(state, work.reaction, nearCloths, work.materials, params.pressureSolver, dt);
}

}  // namespace
}  // namespace purl

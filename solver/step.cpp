// ★ The phases of a time step, in order. Each is one entry of the profile.
#include "solver/step.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/coupling/clothFluidCoupling.h"
#include "solver/coupling/deformingColliders.h"
#include "solver/coupling/impulses.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/external.h"
#include "solver/fluid/mixing.h"

namespace purl {
namespace {

void moveRigids(State& state, Workspace& work, const StepSpan& span);
void moveSoftBodies(State& state, Workspace& work, const Scene& scene, const StepSpan& span);
const FluidBoundary* moveCloths(State& state, Workspace& work, const Scene& scene, const StepSpan& span,
                                const Profile& phase);
void soakFabrics(State& state, Workspace& work, const Scene& scene, const FluidBoundary* nearCloths, double dt);
void moveColliders(const State& state, Workspace& work, const Scene& scene, const StepSpan& span);
void dripFabrics(State& state, Workspace& work, const Scene& scene, double dt);
void emitParticles(State& state, const Workspace& work, const Scene& scene, const StepSpan& span);
void deliverReaction(State& state, Workspace& work, const SolverParams& params, float dt);

}  // namespace

void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const Timing timing{static_cast<float>(span.dt), static_cast<float>(state.lastStep), state.nextId};
    const Profile phase = work.profile();
    const bool soaks = !work.wet.empty();
    work.report = {};

    // Bodies move by what fluids gave them in the step before; soft ones before the cloths that lie on them.
    work.list.beginStep();
    if (!work.rigids.empty()) phase("moveRigids", [&] { moveRigids(state, work, span); });
    if (!work.softBodies.empty()) phase("moveSoftBodies", [&] { moveSoftBodies(state, work, scene, span); });
    const FluidBoundary* nearCloths = nullptr;  // its neighbour lists have the cloths where the step begins
    if (!work.cloths.empty()) nearCloths = moveCloths(state, work, scene, span, phase);

    // Water goes into fabrics, and off as drops.
    if (soaks) phase("soakFabrics", [&] { soakFabrics(state, work, scene, nearCloths, span.dt); });
    phase("moveColliders", [&] { moveColliders(state, work, scene, span); });
    if (soaks) phase("dripFabrics", [&] { dripFabrics(state, work, scene, span.dt); });

    // Fluids move among colliders whose paths are known, and push back.
    phase("emit", [&] { emitParticles(state, work, scene, span); });
    work.fluidSolver->advance(work.fluidStep(state, scene, phase, timing));
    if (work.reacts()) phase("deliverPushes", [&] { deliverReaction(state, work, scene.solver, timing.dt); });

    state.time = span.timeAfter;
    state.lastStep = span.dt;
}

namespace {

struct GravityAndFields {
    Vec3 gravity;
    Span<const FieldConstants> fields;
    Span<const Vec3> x;
    Span<Vec3> a;
    PURL_HD void operator()(int i) const { a[i] = gravity + fieldsAt(x[i], fields); }
};

// Acceleration of points x, m/s², by gravity and fields.
void setAcceleration(const Materials& materials, const Buffer<Vec3>& x, Buffer<Vec3>& a) {
    a.renew(x.size());
    forEach(x.device(), "gravityAndFields", x.size(),
            GravityAndFields{materials.gravity, materials.fields.span(), x.span(), a.span()});
}

BodyStep bodyStep(const StepSpan& span, const StepColliders& list, const std::vector<int>& members) {
    return {static_cast<float>(span.dt), {span.shareBefore, span.shareAfter}, &list, &members};
}

// Rigid bodies fall and collide as if there were no fluid; the fluid then meets them on their path.
void moveRigids(State& state, Workspace& work, const StepSpan& span) {
    const auto dt = static_cast<float>(span.dt);
    work.colliders.moveTo(work.list, span.shareBefore, span.shareAfter, dt);
    std::vector<Vec3> accelerations;
    for (int b = 0; b < work.rigids.count(); ++b)
        accelerations.push_back(
            work.materials.gravity +
            fieldsAt(state.colliders[work.rigids.colliderOf(b)].pose.position, work.materials.fields.span()));
    work.rigids.move(state, work.colliders.placed(), accelerations, dt, work.list);
}

void moveSoftBodies(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    setAcceleration(work.materials, state.soft.x, work.acceleration);
    work.softBodies.move(state, scene, bodyStep(span, work.list, work.list.ofScene), work.acceleration);
}

// Cloths, with the fluid around them as added mass. Returns the boundary by whose neighbour lists that was measured.
const FluidBoundary* moveCloths(State& state, Workspace& work, const Scene& scene, const StepSpan& span,
                                const Profile& phase) {
    FluidBoundary& density = work.boundaries.density;
    const bool coupled = !work.list.deforming.empty();
    const bool bodiesReact = !work.rigids.empty() || !work.list.softBodies.empty();
    const std::vector<Vec3> vBefore(state.cloth.v.begin(), state.cloth.v.end());
    setAcceleration(work.materials, state.cloth.x, work.acceleration);
    work.nearby = {};
    if (coupled)
        phase("feelFluid", [&] {
            if (density.hasDeforming()) {
                density.moveTo(work.list, span.shareBefore, span.shareBefore, 0);
                density.findNeighbors(state.particles.x, density.firstDeforming);
                work.binding.set(work.list, density.firstDeforming, density.boundary, state);
                const std::vector<NearbyFluid>& nearby =
                    work.addedMass.measure(state.particles, density.boundary, work.binding, work.materials,
                                           clothNormals(work.device, state, work.list));
                work.nearby = {nearby.data(), static_cast<int>(nearby.size())};
            }
            couple(work.device, state, scene, work.cloths, work.wet.load(state, scene), work.nearby, work.acceleration,
                   work.clothAddedMass);
        });
    phase("moveCloths", [&] {
        updateSoftColliders(state, work.list);
        work.cloths.move(state, scene, bodyStep(span, work.list, work.list.forCloths), work.acceleration,
                         coupled ? std::as_const(work.clothAddedMass).span() : work.wet.load(state, scene),
                         work.wet.saturation(), bodiesReact);
        if (bodiesReact) deliverClothImpulses(state, work.cloths.impulses(), work.rigids, work.list, work.softBodies);
    });
    if (!density.hasDeforming()) return nullptr;
    phase("takeFluidAlong", [&] {
        work.addedMass.apply(velocityChanges(work.device, state, vBefore), density.boundary, work.binding,
                             state.particles);
    });
    return &density;
}

// Water into fabrics, from particles near them as the step began.
void soakFabrics(State& state, Workspace& work, const Scene& scene, const FluidBoundary* nearCloths, double dt) {
    std::vector<float> masses;
    for (size_t c = 0; c < scene.cloths.size(); ++c)
        for (const float mass : work.cloths.masses(static_cast<int>(c))) masses.push_back(mass);
    if (!nearCloths) return work.wet.soak(state, scene, work.materials, nullptr, masses, dt);
    const FabricContact contact{nearCloths->boundary, nearCloths->firstDeforming, work.list};
    work.wet.soak(state, scene, work.materials, &contact, masses, dt);
}

// Water along fabrics, and what drips from them. Their own surfaces, which come behind the scene's colliders, neither
// hold drops nor press on them.
void dripFabrics(State& state, Workspace& work, const Scene& scene, double dt) {
    const Span<const PlacedCollider> all = work.colliders.placed();
    const auto solids = static_cast<int>(work.list.ofScene.size());
    const Span<const PlacedCollider> walls{all.data, solids}, surfaces{all.data + solids, all.count - solids};
    work.wet.spread(state, scene, work.materials, walls, dt);
    work.wet.drip(state, scene, walls, surfaces, work.list);
}

// All that fluids meet, where the step takes it.
void moveColliders(const State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const auto dt = static_cast<float>(span.dt);
    FluidBoundary& density = work.boundaries.density;
    updateDeformingColliders(state, work.list);
    work.colliders.moveTo(work.list, work.list.forFluids, span.shareBefore, span.shareAfter, dt);
    // pbf solves for the density at the end of the step.
    const bool ahead = scene.solver.pressureSolver == PressureSolver::pbf;
    work.boundaries.moveTo(work.list, span.shareBefore, span.shareAfter, dt, ahead ? WallsAt::end : WallsAt::start);
    if (density.hasDeforming())
        work.binding.set(work.list, density.firstDeforming, density.boundary, state);
    else
        work.binding.clear();
    work.reaction.begin(work.rigids, state, work.list, density.boundary.members(), work.binding);
}

void emitParticles(State& state, const Workspace& work, const Scene& scene, const StepSpan& span) {
    const auto liquid = [&] { return work.wet.empty() ? 0 : WetFabrics::liquidMass(state, scene); };
    const double before = liquid();
    emit(state, scene, span.dt, span.shareBefore, span.shareAfter, work.colliders.placed());
    state.wet.supplied += liquid() - before;
    state.particles.holdFor(methodOf(scene.solver));
    takeUpColors(state.particles, work.materials);
}

// What fluids did in the step, to the bodies they did it to; it takes effect in the next.
void deliverReaction(State& state, Workspace& work, const SolverParams& params, float dt) {
    deliverFluidImpulses(state, work.reaction, work.rigids, work.softBodies, work.materials, dt);
    if (!work.list.deforming.empty())
        keepReaction(work.device, state, work.reaction, work.nearby, work.materials, params.pressureSolver, dt);
}

}  // namespace
}  // namespace purl

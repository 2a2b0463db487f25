#include "solver/fluid/pressure/wcsphSolver.h"

#include "solver/core/copy.h"
#include "solver/fluid/boundaryForces.h"
#include "solver/fluid/boundaryPressure.h"
#include "solver/fluid/density.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/periodic.h"

namespace purl {
namespace {

// Width of the layer of periodic ghosts, m. A force needs the densities and normals of neighbours, and those need
// theirs; Runge–Kutta repeats this four times.
float reachOfForces(const FluidStep& s) {
    return (s.params().integrator == Integrator::rungeKutta4 ? 12.0f : 3.0f) * s.materials.searchRadius;
}

// Boundary models that act only by forces; see WallModel.
void addBoundaryForces(const FluidStep& s) {
    const SolverParams& params = s.params();
    const FluidBoundaries& boundaries = s.boundaries;
    if (boundaries.lennardJones.any)
        s.phase("repelFromWalls", [&] {
            addLennardJonesForces(s.particles(), boundaries.lennardJones.boundary, s.materials, params.wallRange,
                                  params.wallRepulsion);
        });
    if (boundaries.dem.any)
        s.phase("touchWalls", [&] {
            addDemForces(s.particles(), boundaries.dem.boundary, s.materials, params.wallStiffness, params.wallDamping,
                         s.timing.dt);
        });
    if (!(params.wallAdhesion > 0)) return;
    for (const FluidBoundary* one : boundaries.each())
        if (one->any)
            s.phase("adhereToWalls",
                    [&] { addBoundaryAdhesion(s.particles(), one->boundary, s.materials, params.wallAdhesion); });
}

// Computes densities, pressures and all accelerations at the particles' positions. `past`: see FractionalViscosity.
// `share`: fraction of the step in which the accelerations act.
void computeForces(const FluidStep& s, Span<const Vec3> past = {}, float share = 1) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    const Materials& materials = s.materials;
    const Boundary* const boundary = s.boundary();
    s.phase("computeDensity",
            [&] { computeDensity(particles, memory.neighbors, materials, memory.volume, memory.lanes); });
    if (boundary)
        s.phase("addWallDensity", [&] { addBoundaryDensity(particles, *boundary, materials, memory.volume); });
    s.phase("applyForces",
            [&] { applyForces(particles, memory.neighbors, materials, memory.volume, memory.lanes, past); });
    s.addCohesionAndAdhesion();
    if (boundary) s.phase("addWallPressure", [&] { addBoundaryPressure(particles, *boundary, materials); });
    addBoundaryForces(s);
    if (materials.frictionPass && s.timing.dt > 0)
        s.phase("addFriction", [&] { s.addExplicitViscosity(particles.v, share); });
    if (s.params().dimensions == 2) projectToPlane(particles.a);
}

}  // namespace

void WcsphSolver::advance(const FluidStep& s) {
    const PeriodicBox box = makePeriodicBox(s.params());
    if (box.any())
        s.phase("addGhosts", [&] {
            wrap(s.particles(), box);
            addGhosts(s.particles(), box, reachOfForces(s));
        });
    switch (s.params().integrator) {
        case Integrator::velocityVerlet: stepVelocityVerlet(s); break;
        case Integrator::rungeKutta4: stepRungeKutta4(s); break;
        default: stepVerletOrEuler(s); break;
    }
    if (box.any())
        s.phase("removeGhosts", [&] {
            removeGhosts(s.particles());
            wrap(s.particles(), box);
        });
}

void WcsphSolver::measureAtRest(const FluidStep& s) {
    const PeriodicBox box = makePeriodicBox(s.params());
    if (box.any()) {
        wrap(s.particles(), box);
        addGhosts(s.particles(), box, reachOfForces(s));
    }
    s.sortAndSearch();
    computeForces(s);
    if (box.any()) removeGhosts(s.particles());
}

// Leap-frog, Verlet and semi-implicit Euler.
void WcsphSolver::stepVerletOrEuler(const FluidStep& s) const {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    const Integrator integrator = s.params().integrator;

    s.begin();
    Span<const Vec3> past;
    if (s.materials.fractional || s.state.history.sampleCount > 0)
        s.phase("rememberVelocity", [&] { past = s.rememberVelocity(particles.v, s.lastInterval()); });
    computeForces(s, past);
    if (s.materials.implicitViscosity)
        s.phase("solveViscosity", [&] {
            predictVelocity(particles, integrator, s.timing, memory.vNew);
            s.solveImplicitViscosity(memory.vNew);
            accelerateTo(particles, integrator, s.timing, memory.vNew);
        });
    s.addPressureReaction();
    s.phase("integrate", [&] { integrate(particles, integrator, s.timing, memory.xBefore, memory.vNew); });
    s.applyBoundaryFriction();
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    s.phase("finishVelocity", [&] { finishVelocity(particles, integrator, s.timing, memory.xBefore, memory.vNew); });
    s.kill();
}

// Particles move with the forces of the previous step; new forces are computed at the end of the step.
void WcsphSolver::stepVelocityVerlet(const FluidStep& s) const {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    const float dt = s.timing.dt;

    s.phase("integrate", [&] { kickAndDrift(particles, dt, memory.xBefore, memory.vNew); });
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    s.phase("storeVelocity", [&] { storeVelocity(particles, memory.vNew); });
    s.kill();
    s.begin();
    computeForces(s);
    s.phase("kick", [&] {
        kick(particles, dt);
        copyTo(memory.vNew, particles.v);
    });
    if (s.materials.implicitViscosity) s.phase("solveViscosity", [&] { s.solveImplicitViscosity(memory.vNew); });
    s.addPressureReaction();
    s.applyBoundaryFriction();
    s.phase("finishVelocity", [&] { storeVelocity(particles, memory.vNew); });
}

// Forces and neighbours are computed four times.
void WcsphSolver::stepRungeKutta4(const FluidStep& s) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;

    const auto forces = [&](int stage) {
        if (stage == 0)
            s.begin();
        else
            s.phase("findNeighbors", [&] {
                memory.neighbors.build(particles.x, s.materials.searchRadius);
                s.boundaries.findNeighbors(particles.x);
            });
        computeForces(s, {}, stage == 0 || stage == 3 ? 1.0f / 6 : 1.0f / 3);
    };
    rungeKutta4(particles, s.timing.dt, forces, rungeKutta_, memory.xBefore, memory.vNew);
    if (s.materials.implicitViscosity) s.phase("solveViscosity", [&] { s.solveImplicitViscosity(memory.vNew); });
    s.addPressureReaction();
    s.applyBoundaryFriction();
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    s.phase("finishVelocity", [&] { storeVelocity(particles, memory.vNew); });
    s.kill();
}

}  // namespace purl

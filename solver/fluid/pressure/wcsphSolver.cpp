#include "solver/fluid/pressure/wcsphSolver.h"

#include "solver/fluid/boundaryForces.h"
#include "solver/fluid/boundaryPressure.h"
#include "solver/fluid/density.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/periodic.h"
#include "solver/reference/boundaryForces.h"

namespace purl {
namespace {

// Width of the layer of periodic ghosts, m. A force needs the densities and normals of neighbours, and those need
// theirs; Runge–Kutta repeats this four times.
float reachOfForces(const FluidStep& s) {
    const bool isRungeKutta = s.params().reference.integrator == ReferenceIntegrator::rungeKutta4;
    return (isRungeKutta ? 12.0f : 3.0f) * s.materials.searchRadius;
}

// Boundaries that act by forces.
void addBoundaryForces(const FluidStep& s) {
    const FluidBoundaries& boundaries = s.boundaries;
    const SolverReference& reference = s.params().reference;
    const float adhesion = s.params().wcsph.wallAdhesion;
    if (boundaries.lennardJones.any)
        s.phase("repelFromWalls", [&] {
            addLennardJonesForces(s.particles(), boundaries.lennardJones.boundary, s.materials, reference.wallRange,
                                  reference.wallRepulsion);
        });
    if (boundaries.dem.any)
        s.phase("touchWalls", [&] {
            addDemForces(s.particles(), boundaries.dem.boundary, s.materials, reference.wallStiffness,
                         reference.wallDamping, s.timing.dt);
        });
    if (!(adhesion > 0)) return;
    for (const FluidBoundary* one : boundaries.each())
        if (one->any)
            s.phase("adhereToWalls", [&] { addBoundaryAdhesion(s.particles(), one->boundary, s.materials, adhesion); });
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
    switch (s.params().reference.integrator) {
        case ReferenceIntegrator::velocityVerlet: stepVelocityVerlet(s, [&] { computeForces(s); }); break;
        case ReferenceIntegrator::rungeKutta4:
            stepRungeKutta4(s, rungeKutta_, [&](float share) { computeForces(s, {}, share); });
            break;
        default: stepOnce(s); break;
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

// Leap-frog and semi-implicit Euler; and Verlet, which is leap-frog with velocities from positions.
void WcsphSolver::stepOnce(const FluidStep& s) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    const bool isVerlet = s.params().reference.integrator == ReferenceIntegrator::verlet;
    const Integrator integrator = isVerlet ? Integrator::leapFrog : s.params().wcsph.integrator;

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
    s.phase("finishVelocity", [&] {
        if (isVerlet)
            finishVerlet(particles, s.timing.dt, memory.xBefore);
        else
            finishVelocity(particles, integrator, memory.vNew);
    });
    s.kill();
}

}  // namespace purl

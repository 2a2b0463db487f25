// FluidStep: what a fluid solver reads and writes in a step, and the phases that all solvers share.
#pragma once
#include "solver/colliders/colliders.h"
#include "solver/core/profile.h"
#include "solver/coupling/reaction.h"
#include "solver/fluid/fluidBoundary.h"
#include "solver/fluid/fractionalViscosity.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/nonPressureForces.h"
#include "solver/fluid/pressure/dfsph.h"
#include "solver/fluid/pressure/integrate.h"
#include "solver/fluid/implicitViscosity.h"
#include "solver/fluid/viscosity.h"
#include "solver/search/neighbors.h"
#include "solver/state.h"

namespace purl {

// How the iterative solvers of a step converged.
struct FluidReport {
    PressureReport density, divergence;
    ViscosityReport viscosity;
};

// Scratch memory of a step's loops.
struct FluidMemory {
    explicit FluidMemory(const Device& device);

    CellGrid cells;
    Neighbors neighbors;
    Buffer<float> volume;        // m³, of each particle
    Buffer<Vec3> xBefore, vNew;  // m, m/s: where each came from, and the velocity it moves with
    Buffer<Vec3> vorticity;      // 1/s
    Buffer<int> touched;         // the collider that each touched, or -1; only where bodies react
    Buffer<int64_t> ids;         // to sort into
    LaneMemory lanes;
    FractionalViscosity fractional;
    ImplicitViscosity implicitViscosity;

    // Buffers that are unused while particles are sorted, to sort into.
    Particles::Spare spare() { return {vNew, volume, cells.scratch(), ids}; }
};

struct FluidStep {
    State& state;
    const Scene& scene;
    const Materials& materials;
    const StepColliders& colliders;  // all colliders of the step
    const Colliders& placed;         // those that the fluid meets, as kernels read them
    FluidBoundaries& boundaries;     // the same in density and pressure; its neighbour lists are written
    Reaction* reaction;              // sums up what bodies get; null where fluids push none
    FluidMemory& memory;
    FluidReport& report;  // written
    // kg, of all particles; null where nobody keeps account of the liquid that kill volumes take.
    double (*liquidMass)(const State&, const Scene&);
    Timing timing;
    const Profile& phase;

    const Device& device() const { return particles().x.device(); }
    Particles& particles() const { return state.particles; }
    const SolverParams& params() const { return scene.solver; }
    // In the density; null: there is none.
    const Boundary* boundary() const { return boundaries.density.get(); }
    // s, from the velocities of the step before to those that this one begins with.
    double lastInterval() const { return timing.lastStep > 0 ? state.lastStep : double(timing.dt); }

    // ---- beginning of a step: order, neighbours, new particles --------------------------------------------------

    void begin() const {
        sortAndSearch();
        separateNew();
    }
    // Sorts particles by cell, finds their neighbours, and lets colours mix among those.
    void sortAndSearch() const;
    // Into the order of the cells they have at x. False where they were in this order already.
    bool sortParticles(const Buffer<Vec3>& x) const;
    void findNeighbors() const;
    void mixColors() const;
    // Particles that came in with this step do not stay on top of others.
    void separateNew() const;

    // ---- forces ----------------------------------------------------------------------------------------------

    // Acceleration by all but pressure and implicit viscosity, from the velocities v, m/s; `interval`: s since those
    // that fractional viscosity remembered last.
    void applyNonPressureForces(Gravity gravity, const Buffer<Vec3>& v, double interval) const;
    // Adds cohesion within the fluid and adhesion to colliders to the accelerations.
    void addCohesionAndAdhesion() const;
    // Adds morris and xsph viscosity by v, m/s. `share`: of the step that the acceleration acts.
    void addExplicitViscosity(const Buffer<Vec3>& v, float share = 1) const;
    // Solves for v, m/s, after implicit viscosity.
    void solveImplicitViscosity(Buffer<Vec3>& v) const;
    // Velocities for fractional viscosity, m/s, with v the latest; empty where no fluid has it.
    Span<const Vec3> rememberVelocity(const Buffer<Vec3>& v, double interval) const;
    // Sums up the pressure on bodies: with this step's pressures known, and before the fluid moves.
    void addPressureReaction() const;

    // ---- end of a step: friction, contacts, kill volumes --------------------------------------------------------

    void applyBoundaryFriction() const;
    // Resolves contacts of x and vNew, and sums up what bodies get. `grip`: see ResolveContacts.
    void resolveContacts(Span<const float> grip = {}) const;
    // Deletes what came into a kill volume. xBefore must still be in the particles' order.
    void kill() const;

  private:
    void addViscousReaction(Reaction::Viscous when, const Buffer<Vec3>& v, float share) const;
};

}  // namespace purl

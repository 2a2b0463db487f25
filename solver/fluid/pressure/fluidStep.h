// FluidStep: inputs and outputs of a fluid solver in one step, and the phases that all solvers share.
#pragma once
#include "solver/colliders/colliders.h"
#include "solver/core/profile.h"
#include "solver/coupling/reaction.h"
#include "solver/fluid/fluidBoundary.h"
#include "solver/fluid/fractionalViscosity.h"
#include "solver/fluid/implicitViscosity.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/nonPressureForces.h"
#include "solver/fluid/pressure/dfsph.h"
#include "solver/fluid/pressure/integrate.h"
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
    Buffer<float> volume;        // m³, per particle
    Buffer<Vec3> xBefore, vNew;  // m, m/s: positions before the step, and velocities of the move
    Buffer<int> touched;         // collider that each particle touched, or -1; only if bodies react
    Buffer<int64_t> ids;         // sort buffer
    LaneMemory lanes;
    FractionalViscosity fractional;
    ImplicitViscosity implicitViscosity;

    // Buffers that are unused while particles are sorted, as scratch memory.
    Particles::Spare spare() { return {vNew, volume, cells.scratch(), ids}; }
};

struct FluidStep {
    State& state;
    const Scene& scene;
    const Materials& materials;
    const StepColliders& colliders;  // all colliders of the step
    const Colliders& placed;         // those that collide with the fluid, in the layout of kernels
    FluidBoundaries& boundaries;     // their samples in density and pressure; neighbour lists are updated
    Reaction* reaction;              // sums the impulses on bodies; null if no body reacts to fluids
    FluidMemory& memory;
    FluidReport& report;  // written
    // kg, of all particles; null unless the mass deleted in kill volumes is recorded.
    double (*liquidMass)(const State&, const Scene&);
    Timing timing;
    const Profile& phase;

    const Device& device() const { return particles().x.device(); }
    Particles& particles() const { return state.particles; }
    const SolverParams& params() const { return scene.solver; }
    // Boundary samples that count in the density, or null.
    const Boundary* boundary() const { return boundaries.density.get(); }
    // s, between the velocities at the beginning of the last step and of this one.
    double lastInterval() const { return timing.lastStep > 0 ? state.lastStep : double(timing.dt); }

    // ---- beginning of a step: sorting, neighbours, new particles ------------------------------------------------

    void begin() const {
        sortAndSearch();
        separateNew();
    }
    // Sorts particles by cell, finds their neighbours and mixes colours.
    void sortAndSearch() const;
    // Sorts the particles by the cell of x. Returns false if they were sorted already.
    bool sortParticles(const Buffer<Vec3>& x) const;
    void findNeighbors() const;
    void mixColors() const;
    // Separates particles emitted in this step from others that they coincide with.
    void separateNew() const;

    // ---- forces ----------------------------------------------------------------------------------------------

    // Accelerations of all forces except pressure and implicit viscosity, from the velocities v, m/s. `interval`: s
    // since the last velocity sample of fractional viscosity.
    void applyNonPressureForces(Gravity gravity, const Buffer<Vec3>& v, double interval) const;
    // Adds cohesion within the fluid and adhesion to colliders to the accelerations.
    void addCohesionAndAdhesion() const;
    // Adds Morris and XSPH viscosity of the velocities v, m/s. `share`: fraction of the step in which the acceleration
    // acts.
    void addExplicitViscosity(const Buffer<Vec3>& v, float share = 1) const;
    // Applies implicit viscosity to v, m/s.
    void solveImplicitViscosity(Buffer<Vec3>& v) const;
    // Adds v to the velocity history and returns the velocities that fractional viscosity uses instead, m/s; empty if
    // no fluid has it.
    Span<const Vec3> rememberVelocity(const Buffer<Vec3>& v, double interval) const;
    // Adds the pressure impulses on bodies. Call it when this step's pressures are known, before the particles move.
    void addPressureReaction() const;

    // ---- end of a step: friction, contacts, kill volumes --------------------------------------------------------

    void applyBoundaryFriction() const;
    // Resolves contacts of x and vNew, and adds their impulses on bodies. `grip`: see ResolveContacts.
    void resolveContacts(Span<const float> grip = {}) const;
    // Deletes particles in kill volumes. xBefore must still be in the order of particles.
    void kill() const;

  private:
    void addViscousReaction(Reaction::Viscous when, const Buffer<Vec3>& v, float share) const;
};

}  // namespace purl

// Workspace: everything a step needs besides State and Scene: data derived from them, and scratch memory. Nothing in it
// carries over to the next step; only State does.
#pragma once
#include <memory>
#include <vector>

#include "solver/cloth/cloth.h"
#include "solver/colliders/colliders.h"
#include "solver/colliders/rigid.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/follower.h"
#include "solver/core/phaseTime.h"
#include "solver/core/profile.h"
#include "solver/coupling/addedMass.h"
#include "solver/coupling/boundaryBinding.h"
#include "solver/coupling/clothFluidCoupling.h"
#include "solver/coupling/reaction.h"
#include "solver/fluid/fluidBoundary.h"
#include "solver/fluid/material.h"
#include "solver/fluid/pressure/fluidSolver.h"
#include "solver/fluid/pressure/fluidStep.h"
#include "solver/soft/soft.h"
#include "solver/state.h"
#include "solver/wet/fabrics.h"

namespace purl {

struct Workspace {
    explicit Workspace(const Device& device = Device::cpu());

    Device device;

    // Bodies of the scene.
    Materials materials;  // of fluids
    RigidBodies rigids;
    SoftBodies softBodies;
    Cloths cloths;
    WetFabrics wet;  // water in cloths

    // Colliders.
    StepColliders colliders;     // all of them, before and after the step
    Colliders placed;            // those that collide with fluids, in the layout of kernels
    FluidBoundaries boundaries;  // their samples in the fluid's density and pressure

    // Coupling.
    BoundaryBinding binding;
    ClothNormals clothNormals;
    AddedMass addedMass;
    Reaction reaction;                           // of fluids, on rigid bodies, cloths and soft bodies
    Buffer<Vec3> acceleration;                   // m/s², per point of cloths, or of soft bodies
    Buffer<float> clothAddedMass;                // kg, fluid and absorbed water that move with each point of cloths
    Buffer<Vec3> clothVelocity;                  // m/s, of the points of cloths before they moved
    Buffer<Vec3> velocityChange;                 // m/s, of the points of cloths and soft bodies
    Follower<float> clothLoad, clothSaturation;  // of the points of cloths

    // Fluid.
    std::unique_ptr<FluidSolver> fluidSolver;
    FluidMemory fluid;
    FluidReport report;

    std::vector<PhaseTime> phases;  // the profile
    bool recordLoops = false;       // of each phase; see Simulator::recordLoops

    // Prepares for the steps that lead from `state` to the scene.
    void set(const Scene& scene, const State& state);

    // Whether fluids react on any body.
    bool reacts() const { return !rigids.empty() || !colliders.deforming.empty(); }
    Profile profile() { return {device, phases, recordLoops}; }
    FluidStep fluidStep(State& state, const Scene& scene, const Profile& phase, const Timing& timing = {});

  private:
    PressureSolver solverKind_ = PressureSolver::wcsph;  // of fluidSolver
};

}  // namespace purl

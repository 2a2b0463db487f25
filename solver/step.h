// One time step, and the working memory it needs. Nothing in a Workspace carries over to the next: only State does.
#pragma once
#include <array>
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/cloth/cloth.h"
#include "solver/contact/colliders.h"
#include "solver/contact/rigid.h"
#include "solver/contact/skins.h"
#include "solver/fluid/dfsph.h"
#include "solver/fluid/doubleDensity.h"
#include "solver/fluid/fractionalViscosity.h"
#include "solver/fluid/integrate.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/fluid/nearFluid.h"
#include "solver/fluid/pbf.h"
#include "solver/fluid/reaction.h"
#include "solver/fluid/rides.h"
#include "solver/fluid/viscosity.h"
#include "solver/search/neighbors.h"
#include "solver/simulator.h"
#include "solver/soft/soft.h"
#include "solver/state.h"
#include "solver/wet/fabrics.h"

namespace purl {

// The colliders that the fluid sees in one way, and where they stood at the frame's start; see WallModel.
struct Walls {
    explicit Walls(const Device& device) : boundary(device) {}

    bool any = false;          // otherwise the rest is idle
    bool all = false;          // the fluid sees every collider there is
    Scene scene;               // its colliders only
    std::vector<int> members;  // which of the scene's colliders they are, or -1
    int firstSkin = 0;         // the first of them that is a skin
    std::vector<ColliderPlace> from;
    WallKernel kernel;  // of the fluid
    Boundary boundary;

    const Boundary* seen() const { return any ? &boundary : nullptr; }
    void moveTo(float shareBefore, float shareAfter, float dt, WallsAt where = WallsAt::end) {
        if (any) boundary.moveTo(scene, from, shareBefore, shareAfter, dt, where);
    }
    void findNeighbors(const Buffer<Vec3>& x, int firstNeeded = 0) {
        if (any) boundary.findNeighbors(x, firstNeeded);
    }
};

// The colliders there are, rigid ones where the step takes them, and where they come from.
struct Placed {
    const Scene* scene;
    const std::vector<ColliderPlace>* from;
};

struct Workspace {
    explicit Workspace(const Device& device = Device::cpu());

    Device device;
    Materials materials;  // of the scene at hand
    Colliders colliders;
    RigidBodies rigids;
    Cloths cloths;
    SoftBodies softBodies;
    Buffer<Vec3> pull;          // m/s², of gravity and fields on each of their points
    Skins skins;                // by which fluids meet them
    Rides rides;                // of the skins' wall points
    Skins softSkins;            // by which cloths meet soft bodies
    NearFluid nearFluid;        // by cloths
    Buffer<float> burden;       // kg, what moves with each point of the cloths
    WetFabrics wet;             // water in them
    Walls walls;                // in the fluid's density
    Walls repelling, touching;  // by forces alone: wcsph's lennardJones and dem
    CellGrid cells;
    Neighbors neighbors;
    Dfsph dfsph;
    Pbf pbf;
    ImplicitViscosity implicitViscosity;
    RungeKutta rungeKutta;
    FractionalViscosity fractional;
    DoubleDensity doubleDensity;
    Buffer<float> volume;           // m³, of each particle
    Buffer<Vec3> xBefore, vNew;     // m, m/s: where each came from, what it moved with
    Buffer<Vec3> omega;             // 1/s, vorticity
    Buffer<int64_t> spareIds;       // memory to sort into: see spare()
    LaneMemory lanes;               // of the tuned loops
    Reaction reaction;              // on rigid bodies, cloths and soft bodies
    Buffer<int> touched;            // the collider each met; of scenes where any of these is pushed
    std::vector<PhaseTime> phases;  // the profile
    bool recordLoops = false;       // of each phase

    // What the solvers of a step report.
    PressureReport density, divergence;
    ViscosityReport viscous;

    // What lies idle when particles are sorted is what they are sorted into.
    Particles::Spare spare() { return {vNew, volume, cells.scratch(), spareIds}; }

    std::array<Walls*, 3> allWalls() { return {&walls, &repelling, &touching}; }

    // Takes up the scene for the steps that lead to it from `state`.
    void set(const Scene& scene, const State& state);
    Placed placed(const State& state, const Scene& scene) const;
};

// Where a step lies between the state's last frame and the scene's moment.
struct StepSpan {
    double dt = 0;          // s, simulated
    double timeAfter = 0;   // s, on the scene's clock
    float shareBefore = 0;  // of the colliders' way to their places in the scene
    float shareAfter = 1;
};

Method methodOf(const SolverParams& params);

// Takes the state to span.timeAfter. `work` must have been set to `scene`.
void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span);

// Brings the fluid of the first frame to rest: what stands too near to a wall or to another particle is pushed off,
// gaps towards walls are closed, and dfsph's pressures become those of the fluid's depth. The steps forget velocities,
// and leave those of the particles alone. Fluid that would not come to rest, as a dam that breaks, or falls freely,
// moves by less than a fifth of its spacing. No step is longer than longestStep, s. Only with dfsph, and only where a
// particle sees a wall.
void settle(State& state, Workspace& work, const Scene& scene, double longestStep);

// With the colliders placed: sorts the particles and measures densities, pressures, normals and accelerations where
// they stand: what a first frame shows.
void measure(State& state, Workspace& work, const Scene& scene);

}  // namespace purl

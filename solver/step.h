// One time step, and the working memory it needs. Nothing in a Workspace carries over to the next: only State does.
#pragma once
#include <vector>

#include "solver/contact/colliders.h"
#include "solver/fluid/material.h"
#include "solver/search/neighbors.h"
#include "solver/simulator.h"
#include "solver/state.h"

namespace purl {

struct Workspace {
    explicit Workspace(const Device& device = Device::cpu());

    Device device;
    Materials materials;  // of the scene at hand
    Colliders colliders;
    CellGrid cells;
    Neighbors neighbors;
    Buffer<float> volume;           // m³, of each particle
    Buffer<Vec3> xBefore, vNew;     // m, m/s: where each came from, what it moved with
    std::vector<PhaseTime> phases;  // the profile
};

// Where a step lies between the state's last frame and the scene's moment.
struct StepSpan {
    double dt = 0;          // s, simulated
    double timeAfter = 0;   // s, on the scene's clock
    float shareBefore = 0;  // of the colliders' way to their places in the scene
    float shareAfter = 1;
};

// Takes the state to span.timeAfter. `work.materials` must have been set from `scene`.
void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span);

// Sorts the particles and measures densities, pressures, normals and accelerations where they stand: what a first frame
// shows.
void measure(State& state, Workspace& work);

}  // namespace purl

// How a scene's colliders enter a fluid: which of them, and by which boundary model.
#pragma once
#include <array>
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"

namespace purl {

// The colliders that a fluid sees by one model, and where they stood at the frame's start; see WallModel.
struct FluidBoundary {
    explicit FluidBoundary(const Device& device) : boundary(device) {}

    bool any = false;          // otherwise the rest is unused
    bool all = false;          // the density sees every collider there is
    Scene scene;               // its colliders only
    std::vector<int> members;  // which of the scene's colliders they are, or -1: a deforming one
    int firstDeforming = 0;    // the first of them that is a deforming collider
    std::vector<ColliderPlace> from;
    WallKernel kernel;  // of the fluid
    Boundary boundary;

    const Boundary* get() const { return any ? &boundary : nullptr; }
    void moveTo(float shareBefore, float shareAfter, float dt, WallsAt where = WallsAt::end) {
        if (any) boundary.moveTo(scene, from, shareBefore, shareAfter, dt, where);
    }
    void findNeighbors(const Buffer<Vec3>& x, int firstNeeded = 0) {
        if (any) boundary.findNeighbors(x, firstNeeded);
    }
};

// A deforming collider as the density sees it.
struct DeformingBoundary {
    const Collider* shape;
    const ColliderPlace *from, *start;  // start: as it was at the simulation's start, where samples are made
    BoundaryModel model;
};

struct FluidBoundaries {
    explicit FluidBoundaries(const Device& device) : density(device), lennardJones(device), dem(device) {}

    FluidBoundary density;            // colliders in the fluid's density and pressure
    FluidBoundary lennardJones, dem;  // wcsph only: by forces alone

    std::array<FluidBoundary*, 3> each() { return {&density, &lennardJones, &dem}; }
    std::array<const FluidBoundary*, 3> each() const { return {&density, &lennardJones, &dem}; }

    // Makes samples and volume maps of the colliders, and calibrates the materials' wall spline to them. `placed`: the
    // scene's colliders, rigid ones where they are. Throws Error where a model does not suit a collider.
    void set(const Scene& scene, const State& state, const std::vector<Collider>& placed,
             const std::vector<DeformingBoundary>& deforming, Materials& materials);
    void moveTo(float shareBefore, float shareAfter, float dt, WallsAt where = WallsAt::end) {
        for (FluidBoundary* one : each()) one->moveTo(shareBefore, shareAfter, dt, where);
    }
    void findNeighbors(const Buffer<Vec3>& x) {
        for (FluidBoundary* one : each()) one->findNeighbors(x);
    }
};

}  // namespace purl

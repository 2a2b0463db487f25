// Selects how each of a scene's colliders enters the fluid: by which boundary model, if any.
#pragma once
#include <array>
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"

namespace purl {

// The colliders with one boundary model; see WallModel and ReferenceBoundary.
struct FluidBoundary {
    explicit FluidBoundary(const Device& device) : boundary(device) {}

    bool any = false;        // if false, the other members are unused
    bool all = false;        // every collider is in the density
    int firstDeforming = 0;  // index of the first deforming collider in boundary.members()
    Boundary boundary;

    const Boundary* get() const { return any ? &boundary : nullptr; }
    bool hasDeforming() const { return any && firstDeforming < static_cast<int>(boundary.members().size()); }
    void moveTo(const StepColliders& colliders, float shareBefore, float shareAfter, float dt,
                BoundaryTime where = BoundaryTime::end) {
        if (any) boundary.moveTo(colliders, shareBefore, shareAfter, dt, where);
    }
    void findNeighbors(const Buffer<Vec3>& x, int firstNeeded = 0) {
        if (any) boundary.findNeighbors(x, firstNeeded);
    }
};

struct FluidBoundaries {
    explicit FluidBoundaries(const Device& device) : density(device), lennardJones(device), dem(device) {}

    FluidBoundary density;            // colliders in the fluid's density and pressure
    FluidBoundary lennardJones, dem;  // wcsph only: colliders that act by forces alone

    std::array<FluidBoundary*, 3> each() { return {&density, &lennardJones, &dem}; }
    std::array<const FluidBoundary*, 3> each() const { return {&density, &lennardJones, &dem}; }

    // Builds the colliders' samples and volume maps, and calibrates the materials' wall spline. Throws Error if a
    // collider does not support its boundary model.
    void set(const Scene& scene, const StepColliders& colliders, Materials& materials);
    void moveTo(const StepColliders& colliders, float shareBefore, float shareAfter, float dt,
                BoundaryTime where = BoundaryTime::end) {
        for (FluidBoundary* one : each()) one->moveTo(colliders, shareBefore, shareAfter, dt, where);
    }
    void findNeighbors(const Buffer<Vec3>& x) {
        for (FluidBoundary* one : each()) one->findNeighbors(x);
    }
};

}  // namespace purl

// How a scene's colliders enter a fluid: which of them, and by which boundary model.
#pragma once
#include <array>
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/fluid/material.h"

namespace purl {

// The colliders that enter a fluid by one model; see WallModel and ReferenceBoundary.
struct FluidBoundary {
    explicit FluidBoundary(const Device& device) : boundary(device) {}

    bool any = false;        // otherwise the rest is unused
    bool all = false;        // every collider is in the density
    int firstDeforming = 0;  // the first of the boundary's colliders that is a deforming one
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
    FluidBoundary lennardJones, dem;  // wcsph only: by forces alone

    std::array<FluidBoundary*, 3> each() { return {&density, &lennardJones, &dem}; }
    std::array<const FluidBoundary*, 3> each() const { return {&density, &lennardJones, &dem}; }

    // Makes samples and volume maps of the colliders, and calibrates the materials' wall spline to them. Throws Error
    // where a model does not suit a collider.
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

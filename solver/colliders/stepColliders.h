// StepColliders: all colliders of a time step with their positions before and after: first the scene's colliders, keyed
// and rigid, in the scene's order, then deforming ones (cloths and soft bodies). Meshes are shared, so copies are
// cheap.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

using SharedVertices = std::shared_ptr<const std::vector<Vec3>>;
using SharedTriangles = std::shared_ptr<const std::vector<int>>;

struct ColliderPosition {
    Pose pose;                // for a primitive or a rigid body
    SharedVertices vertices;  // m, for a mesh; otherwise null
};

struct StepCollider {
    std::string name;
    ColliderParams params;
    SharedTriangles triangles;  // for a mesh; otherwise null
    // The motion from `before` to `after` spans the frame for keyed colliders, and the step for all others.
    ColliderPosition before, after;
    ColliderPosition start;  // at the start of the simulation; boundary samples and trees are built from it

    bool isMesh() const { return params.shape == ColliderShape::mesh; }
    bool movesByStep() const { return params.motion == ColliderMotion::dynamic; }
};

// The cloth or soft body behind a deforming collider.
struct DeformingCollider {
    int collider = -1;    // index into StepColliders
    int placed = -1;      // index among the colliders placed for contact; -1: takes part in fluid density only
    bool isCloth = true;  // false: soft body
    int first = 0;        // index of its first point in ClothPoints or SoftPoints
    int count = 0;
    FluidContact contact = FluidContact::surface;
    bool pushed = true;                // fluids exert forces on it
    std::vector<int> fanStarts, fans;  // for a cloth: triangles around each point, ascending, with CSR offsets
};

class StepColliders {
  public:
    StepColliders() = default;
    // The scene's colliders, moving from their positions in `from`. Those that `from` does not contain, or contains
    // with a different number of vertices, do not move.
    explicit StepColliders(const Scene& scene, const std::vector<ColliderPlace>& from = {},
                           const std::vector<ColliderPlace>& start = {});

    int count() const { return static_cast<int>(all_.size()); }
    const StepCollider& operator[](int i) const { return all_[i]; }
    StepCollider& operator[](int i) { return all_[i]; }
    void add(StepCollider collider) { all_.push_back(std::move(collider)); }

    // Sets `before` to `after` for all colliders that move by steps.
    void beginStep();

    // Indices of the colliders that are placed for contact: those of the scene; for fluids and cloths followed by the
    // deforming ones that they collide with.
    std::vector<int> ofScene, forFluids, forCloths;
    std::vector<DeformingCollider> deforming;   // cloths and soft bodies that interact with fluids
    std::vector<DeformingCollider> softBodies;  // soft bodies that cloths collide with

  private:
    std::vector<StepCollider> all_;
};

// Linear interpolation of vertices; b if the numbers of vertices differ.
SharedVertices verticesBetween(const SharedVertices& a, const SharedVertices& b, float share);

}  // namespace purl

// StepColliders: everything that particles, cloths and bodies can touch in a step, in one list: the scene's colliders,
// keyed and rigid, in its order, and behind them deforming ones, which are cloths and soft bodies. Each stands
// somewhere before and after; meshes are shared, so that the list is cheap to copy and to move on.
#pragma once
#include <string>
#include <vector>

#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Where a collider stands.
struct ColliderPosition {
    Pose pose;               // of a primitive or a rigid body
    Channel<Vec3> vertices;  // m, of a mesh; empty otherwise
};

struct StepCollider {
    std::string name;
    ColliderParams params;
    Channel<int> triangles;  // of a mesh; empty otherwise
    // Keyed colliders move evenly over the frame, from `before` to `after`; all others over the step.
    ColliderPosition before, after;
    ColliderPosition start;  // at the simulation's start, where boundary samples and trees are made

    bool isMesh() const { return params.shape == ColliderShape::mesh; }
    bool movesByStep() const { return params.motion == ColliderMotion::dynamic; }
};

// Which cloth or soft body a deforming collider is.
struct DeformingCollider {
    int collider = -1;    // index into StepColliders
    int placed = -1;      // index among those that are placed for contact; -1: fluids have it in their density only
    bool ofCloth = true;  // otherwise of a soft body
    int first = 0;        // of its points in ClothPoints or SoftPoints
    int count = 0;
    FluidContact contact = FluidContact::surface;
    bool pushed = true;                // by fluids
    std::vector<int> fanStarts, fans;  // of a cloth: the triangles at each point, ascending
};

class StepColliders {
  public:
    StepColliders() = default;
    // The scene's colliders, on their path from where `from` has them. What it lacks, or has with another number of
    // vertices, stands still.
    explicit StepColliders(const Scene& scene, const std::vector<ColliderPlace>& from = {},
                           const std::vector<ColliderPlace>& start = {});

    int count() const { return static_cast<int>(all_.size()); }
    const StepCollider& operator[](int i) const { return all_[i]; }
    StepCollider& operator[](int i) { return all_[i]; }
    void add(StepCollider collider) { all_.push_back(std::move(collider)); }

    // What moves by steps comes from where it is.
    void beginStep();

    // Indices of those that are placed for contact: the scene's alone, or with deforming ones behind them.
    std::vector<int> ofScene, forFluids, forCloths;
    std::vector<DeformingCollider> deforming;   // that fluids meet
    std::vector<DeformingCollider> softBodies;  // that cloths meet

  private:
    std::vector<StepCollider> all_;
};

// The vertices at that share of an even motion; where the numbers of vertices differ, b.
Channel<Vec3> verticesBetween(const Channel<Vec3>& a, const Channel<Vec3>& b, float share);

}  // namespace purl

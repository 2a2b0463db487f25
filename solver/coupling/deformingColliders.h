// DeformingColliders: the surfaces by which fluids meet cloths and soft bodies, and cloths soft bodies, as colliders
// that deform from step to step. How they move is the cloths' and soft bodies' to say, what fluids do to them
// fluid/reaction.h's.
#pragma once
#include <vector>

#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

struct DeformingCollider {
    bool ofCloth = true;  // otherwise of a soft body
    int first = 0;        // of its points in ClothPoints or SoftPoints
    int count = 0;
    FluidContact contact = FluidContact::surface;
    bool pushed = true;                // by fluids
    int collider = -1;                 // in DeformingColliders::scene(), or -1: nothing but the fluid's density sees it
    Collider shape;                    // where its points are
    ColliderPlace from;                // where they were as the step began
    std::vector<int> fanStarts, fans;  // of a cloth: the triangles at each point, ascending
};

class DeformingColliders {
  public:
    // Takes up those of the scene's cloths and soft bodies that fluids meet, where `state` has them, beside the
    // colliders there are, which are on their way from `from`.
    void set(const Scene& scene, const Scene& placed, const std::vector<ColliderPlace>& from, const State& state);
    // The same of those that cloths meet: soft bodies that have a surface and collide.
    void setForCloths(const Scene& scene, const Scene& placed, const std::vector<ColliderPlace>& from,
                      const State& state);
    bool empty() const { return skins_.empty(); }
    const std::vector<DeformingCollider>& all() const { return skins_; }
    // m, where their points were at the start: what wall points are made on.
    const std::vector<ColliderPlace>& shapes() const { return shapes_; }

    // The colliders that are met: the scene's, in its order, and behind them surfaces; and where they come from.
    const Scene& scene() const { return scene_; }
    const std::vector<ColliderPlace>& from() const { return from_; }

    // From now on all come from where they are ...
    void beginStep();
    // ... and go to where the state has them, beside the colliders as they are placed in this step.
    void endStep(const State& state, const Scene& placed, const std::vector<ColliderPlace>& from);

  private:
    void addSoftBodies(const Scene& scene, const State& state);
    void lay(const Scene& placed, const std::vector<ColliderPlace>& from, const State& state);

    std::vector<DeformingCollider> skins_;
    std::vector<ColliderPlace> shapes_;
    Scene scene_;
    std::vector<ColliderPlace> from_;
};

}  // namespace purl

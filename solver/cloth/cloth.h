// Cloths over a step: what pulls and holds them, in the small steps they need.
#pragma once
#include <vector>

#include "solver/cloth/approximate.h"
#include "solver/cloth/attach.h"
#include "solver/cloth/contact.h"
#include "solver/cloth/directional.h"
#include "solver/cloth/fabric.h"
#include "solver/cloth/immersion.h"
#include "solver/cloth/implicit.h"
#include "solver/cloth/layers.h"
#include "solver/cloth/selfContact.h"
#include "solver/cloth/xpbd.h"
#include "solver/colliders/bodyStep.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Puts the scene's cloths into a fresh state.
void startCloths(State& state, const Scene& scene);

// Where the scene's meshes have the points, cloth by cloth.
void takeTargets(State& state, const Scene& scene);

class Cloths {
  public:
    explicit Cloths(const Device& device);

    // Takes up the scene's cloths; the state's points must be theirs. Throws Error naming a cloth that cannot be one.
    // `saturation`: how wet each point is; none: all are dry.
    void set(const Scene& scene, const State& state, Span<const float> saturation = {});

    bool empty() const { return fabrics_.empty(); }

    // Moves all points by a step. `pull`, m/s²: gravity and fields on each. `burden`, kg: what moves with each; none:
    // nothing does. `saturation`: as above; what is wet sticks. `asked`: whether anyone takes pushes().
    void move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& pull,
              Span<const float> burden = {}, Span<const float> saturation = {}, bool asked = false);

    // What cloths gave in the last step to what they touched, if `asked` then.
    const std::vector<ClothPush>& pushes() const { return pushes_; }

    // kg, of each point of the scene's c-th cloth.
    const Buffer<float>& masses(int c) const { return fabrics_[static_cast<size_t>(c)].mass; }

    // Of the last step: of implicitEuler's systems, mean of its small steps.
    const ClothReport& report() const { return report_; }
    // The largest strain of any spring of a cloth where the state has it.
    double maxStretch(const State& state, int cloth) const;

  private:
    // The points of one cloth in one small step.
    struct Points {
        Vec3 *x, *v, *xBefore;
        const Vec3 *pull, *from, *to;  // from, to: where the scene's mesh has them as the frame begins and ends
        const Vec3* remembered;        // m/s, what the past adds to velocities that damp; null: nothing
        Vec3* damped;                  // room for what damping takes for v or xBefore
        const float* grip;             // factor of friction; null: 1
        const float* cling;            // N; null: nothing sticks
    };
    // Takes up velocities into the past and sums it up, for immersed cloths.
    void remember(State& state, double dt);
    void moveFabric(size_t index, const Points& points, Shares shares, float dt, double time);
    // What is around the cloth and what leads it: air, fluid, its mesh.
    void blow(size_t index, const Points& points, Shares shares, float dt, double time) const;
    void pullToCore(const Fabric& fabric, const Points& points, float dt) const;
    // Of the fabric's own forces: what damping takes for the velocities, or for the places before.
    const Vec3* dampedVelocity(const Fabric& fabric, const Points& points) const;
    const Vec3* dampedFrom(const Fabric& fabric, const Points& points, float dt) const;
    // directional's forces, as far as its steps bear them.
    void pullSoftly(const Fabric& fabric, const Points& points, float dt);
    void limitStrain(const Fabric& fabric, const Points& points, float dt) const;
    void setOwners();
    void tearApart(State& state, const Scene& scene);
    void pushApart(ClothPoints& all, float dt);
    void touch(const Fabric& fabric, const Points& points, float dt);
    // Of a thick fabric; `untouched`: where its points were before they touched anything.
    void keepOrder(const Fabric& fabric, const Vec3* rest, const Vec3* untouched, const Points& points);
    // What being wet adds to contact.
    void takeWetness(Span<const float> saturation);

    Device device_;
    std::vector<Fabric> fabrics_;
    Colliders colliders_;
    std::vector<Xpbd> xpbds_;                 // one a cloth
    std::vector<PrecomputedFilter> filters_;  // one a cloth
    std::vector<Directional> directionals_;   // one a cloth
    std::vector<Memory> memories_;            // one a cloth
    Vec3 gravity_;                            // m/s²
    ImplicitEuler implicit_;
    NeighborEstimate estimate_;
    ClothReport report_;
    Buffer<Vec3> xBefore_, force_, element_, to_, xNew_, vNew_, remembered_, damped_;
    Buffer<float> rows_;
    Neighbors neighbors_;
    Buffer<Owner> owners_;
    Buffer<int> owner_;
    Layers layers_;
    std::vector<Cloth> worn_;  // the scene's cloths as they are torn and fixed
    Attachments attachments_;
    Buffer<Vec3> from_;     // m, where what leads each point begins
    Buffer<Vec3> normals_;  // of a thick fabric's middle layer
    float reach_ = 0;       // m, the largest distance that points keep; 0: none do
    Buffer<PlacedCollider> thickened_;
    Buffer<float> grip_, cling_;  // of each point: factor of friction, and N that it sticks with; none: all are dry
    bool asked_ = false;
    Buffer<ClothPush> pushed_;  // of each point
    std::vector<ClothPush> pushes_;
};

}  // namespace purl

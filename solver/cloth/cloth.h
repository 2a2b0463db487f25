// Cloths over a step: what pulls and holds them, in the small steps they need.
#pragma once
#include <vector>

#include "solver/cloth/approximateImplicit.h"
#include "solver/cloth/attachments.h"
#include "solver/cloth/contact/clothContact.h"
#include "solver/cloth/contact/colliderContact.h"
#include "solver/cloth/contact/pointRepulsion.h"
#include "solver/cloth/directional.h"
#include "solver/cloth/fabric.h"
#include "solver/cloth/immersion.h"
#include "solver/cloth/implicit.h"
#include "solver/cloth/xpbd.h"
#include "solver/contact/bodyStep.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Puts the scene's cloths into a fresh state.
void startCloths(State& state, const Scene& scene);

// Where the scene's meshes have the points, cloth by cloth.
void storeClothTargets(State& state, const Scene& scene);

class Cloths {
  public:
    explicit Cloths(const Device& device);

    // Takes up the scene's cloths; the state's points must be theirs. Throws Error naming a cloth that cannot be one.
    // `saturation`: how wet each point is; none: all are dry.
    void set(const Scene& scene, const State& state, Span<const float> saturation = {});

    bool empty() const { return fabrics_.empty(); }

    // Moves all points by a step. `acceleration`, m/s²: gravity and fields on each. `addedMass`, kg: what moves with
    // each; none: nothing does. `saturation`: as above; what is wet sticks. `recordImpulses`: whether anyone takes
    // impulses().
    void move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& acceleration,
              Span<const float> addedMass = {}, Span<const float> saturation = {}, bool recordImpulses = false);

    // What cloths gave in the last step to what they touched, if `recordImpulses` then.
    const std::vector<ClothImpulse>& impulses() const { return impulses_; }

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
        const Vec3 *acceleration, *from, *to;  // from, to: where the scene's mesh has them as the frame begins and ends
        const Vec3* pastVelocity;              // m/s, what the past adds to velocities that damp; null: nothing
        Vec3* damped;                          // room for what damping takes for v or xBefore
        const float* frictionFactor;           // factor of friction; null: 1
        const float* adhesion;                 // N; null: nothing sticks
    };
    // Takes up velocities into the past and sums it up, for immersed cloths.
    void updateHistory(State& state, double dt);
    void moveFabric(size_t index, const Points& points, Shares shares, float dt, double time);
    // What is around the cloth and what leads it: air, fluid, its mesh.
    void applyAmbientForces(size_t index, const Points& points, Shares shares, float dt, double time) const;
    void applyCoreSprings(const Fabric& fabric, const Points& points, float dt) const;
    // Of the fabric's own forces: what damping takes for the velocities, or for the places before.
    const Vec3* dampingVelocity(const Fabric& fabric, const Points& points) const;
    const Vec3* dampingPositions(const Fabric& fabric, const Points& points, float dt) const;
    // directional's forces, as far as its steps bear them.
    void applyLimitedForces(const Fabric& fabric, const Points& points, float dt);
    void limitStrain(const Fabric& fabric, const Points& points, float dt) const;
    void setClothViews();
    void applyTearing(State& state, const Scene& scene);
    void repelPoints(ClothPoints& all, float dt);
    void collide(const Fabric& fabric, const Points& points, float dt);
    // Of a thick fabric; `untouched`: where its points were before they touched anything.
    void keepLayerOrder(const Fabric& fabric, const Vec3* rest, const Vec3* untouched, const Points& points);
    // What being wet adds to contact.
    void updateWetContact(Span<const float> saturation);

    Device device_;
    std::vector<Fabric> fabrics_;
    Colliders colliders_;
    std::vector<Xpbd> xpbds_;                           // one a cloth
    std::vector<PrecomputedFilter> filters_;            // one a cloth
    std::vector<Directional> directionals_;             // one a cloth
    std::vector<FractionalDamping> fractionalDamping_;  // one a cloth
    Vec3 gravity_;                                      // m/s²
    ImplicitEuler implicit_;
    NeighborEstimate estimate_;
    ClothReport report_;
    Buffer<Vec3> xBefore_, force_, element_, to_, xNew_, vNew_, pastVelocity_, damped_;
    Buffer<float> rows_;
    Neighbors neighbors_;
    Buffer<ClothView> clothViews_;
    Buffer<int> clothOf_;
    ClothContact clothContact_;
    std::vector<Cloth> currentCloths_;  // the scene's cloths as they are torn and fixed
    Attachments attachments_;
    Buffer<Vec3> from_;        // m, where what leads each point begins
    Buffer<Vec3> normals_;     // of a thick fabric's middle layer
    float contactRadius_ = 0;  // m, the largest distance that points keep; 0: none do
    Buffer<PlacedCollider> thickened_;
    Buffer<float> frictionFactor_,
        adhesion_;  // of each point: factor of friction, and N that it sticks with; none: all are dry
    bool recordImpulses_ = false;
    Buffer<ClothImpulse> pointImpulses_;  // of each point
    std::vector<ClothImpulse> impulses_;
};

}  // namespace purl

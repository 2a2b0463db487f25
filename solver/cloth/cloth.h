// Advances all cloths by a step, in the substeps they need: forces, integration, contact, tearing.
#pragma once
#include <vector>

#include "solver/cloth/attachments.h"
#include "solver/cloth/contact/clothContact.h"
#include "solver/cloth/contact/colliderContact.h"
#include "solver/cloth/contact/pointRepulsion.h"
#include "solver/cloth/directional.h"
#include "solver/cloth/fabric.h"
#include "solver/cloth/immersion.h"
#include "solver/cloth/implicit.h"
#include "solver/cloth/xpbd.h"
#include "solver/colliders/bodyStep.h"
#include "solver/reference/approximateImplicit.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Adds the scene's cloths to a new state.
void startCloths(State& state, const Scene& scene);

// Stores the vertices of the scene's meshes as the targets of pins at the state's time.
void storeClothTargets(State& state, const Scene& scene);

class Cloths {
  public:
    explicit Cloths(const Device& device);

    // Sets the cloths of the scene, which must match the state's points. Throws Error with the name of an invalid
    // cloth. `saturation`: wetness of each point, 0 … 1; empty: dry.
    void set(const Scene& scene, const State& state, Span<const float> saturation = {});

    bool empty() const { return fabrics_.empty(); }

    // Advances all points by a step. `acceleration`: gravity and fields on each point, m/s². `addedMass`: mass that
    // moves with each point, kg; empty: none. `saturation`: as above, for wet contact; both on the device.
    // `recordImpulses`: whether to record impulses().
    void move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& acceleration,
              Span<const float> addedMass = {}, Span<const float> saturation = {}, bool recordImpulses = false);

    // Reaction impulses on colliders in the last step, if recorded.
    const std::vector<ClothImpulse>& impulses() const { return impulses_; }

    // kg, mass of each point of a cloth.
    const Mirrored<float>& masses(int c) const { return fabrics_[c].mass; }

    // Of implicitEuler in the last step, averaged over substeps.
    const ClothReport& report() const { return report_; }
    // The largest strain of any spring of a cloth in this state.
    double maxStretch(const State& state, int cloth) const;

  private:
    // The points of one cloth in one substep.
    struct Points {
        Vec3 *x, *v, *xBefore;
        const Vec3 *acceleration, *from, *to;  // from, to: pin targets at the start and the end of the frame
        const Vec3* pastVelocity;     // m/s, weighted past velocities, added where damping is fractional; null: none
        Vec3* damped;                 // scratch for dampingVelocity and dampingPositions
        const float* frictionFactor;  // null: 1
        const float* adhesion;        // N; null: none
    };
    // Records velocities of immersed cloths in the history and evaluates the weighted past.
    void updateHistory(State& state, double dt);
    void moveFabric(size_t index, const Points& points, TimeInterval shares, float dt, double time);
    // Air, fluid drag, following the scene's mesh, core springs.
    void applyAmbientForces(size_t index, const Points& points, TimeInterval shares, float dt, double time) const;
    void applyCoreSprings(const Fabric& fabric, const Points& points, float dt) const;
    // The velocities, or start positions, that damping of the internal forces acts on: with fractional damping they
    // include the past.
    const Vec3* dampingVelocity(const Fabric& fabric, const Points& points) const;
    const Vec3* dampingPositions(const Fabric& fabric, const Points& points, float dt) const;
    // The internal forces of the directional solver, limited to what its steps can integrate stably.
    void applyLimitedForces(const Fabric& fabric, const Points& points, float dt);
    void limitStrain(const Fabric& fabric, const Points& points, float dt) const;
    void setClothViews();
    void applyTearing(State& state, const Scene& scene);
    void repelPoints(ClothPoints& all, float dt);
    void collide(const Fabric& fabric, const Points& points, float dt);
    // For thick fabrics; `xBeforeContact`: positions before contact moved them.
    void keepLayerOrder(const Fabric& fabric, const Vec3* rest, const Vec3* xBeforeContact, const Points& points);
    void setTargets();
    // Whether no point comes closer than `gap` to a collider in this substep.
    bool isClearOfColliders(const Fabric& fabric, const Points& points, float gap) const;
    void collectImpulses();
    // Sets friction factors and adhesion from wetness.
    void updateWetContact(Span<const float> saturation);

    Device device_;
    std::vector<Fabric> fabrics_;
    Colliders colliders_;
    std::vector<Xpbd> xpbds_;                           // one per cloth
    std::vector<PrecomputedFilter> filters_;            // one per cloth
    std::vector<Directional> directionals_;             // one per cloth
    std::vector<FractionalDamping> fractionalDamping_;  // one per cloth
    Vec3 gravity_;                                      // m/s²
    ImplicitEuler implicit_;
    NeighborEstimate estimate_;
    ClothReport report_;
    Buffer<Vec3> xBefore_, force_, element_, to_, xNew_, vNew_, pastVelocity_, damped_;
    Buffer<float> historyWeights_;
    Neighbors neighbors_;
    Mirrored<ClothView> clothViews_;
    Buffer<int> clothOf_;
    ClothContact clothContact_;
    std::vector<Cloth> currentCloths_;  // the scene's cloths with tears and attachments applied
    Attachments attachments_;
    Buffer<Vec3> from_;        // m, pin targets at the start of the frame
    Buffer<Vec3> normals_;     // of the middle layer of a thick fabric
    float contactRadius_ = 0;  // m, the largest distance of point-based self-collision; 0: none
    Buffer<PlacedCollider> inflated_;
    Buffer<float> frictionFactor_, adhesion_;  // per point, adhesion in N; empty: all dry
    bool recordImpulses_ = false;
    Buffer<ClothImpulse> pointImpulses_;  // per point
    std::vector<ClothImpulse> impulses_;
};

}  // namespace purl

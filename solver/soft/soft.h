// Advances soft bodies by a step: forces, shape matching and contact. All bodies are concatenated in the same arrays,
// so that many small ones cost no more than one large one.
#pragma once
#include <cmath>
#include <vector>

#include "solver/colliders/bodyStep.h"
#include "solver/core/mirrored.h"
#include "solver/scene.h"
#include "solver/search/neighbors.h"
#include "solver/soft/impulses.h"
#include "solver/soft/matching.h"
#include "solver/soft/sphereContacts.h"
#include "solver/state.h"

namespace purl {

// Adds the bodies of the scene that are not yet in the state (all at the start, new ones later), and releases dragged
// vertices when dragging ends. Throws Error with the name of an invalid body.
void beginSoftFrame(State& state, const Scene& scene);

// Stores the vertices of the scene's meshes and the drag positions as the targets at the end of a frame.
void storeSoftTargets(State& state, const Scene& scene);

// The points of body b in SoftPoints: vertices first, in mesh order, then inner points.
struct SoftRange {
    int first = 0, vertices = 0, points = 0;
};
SoftRange softRange(const State& state, const Scene& scene, int b);

// The fluid that pushes bodies; density 0: none.
struct FluidAround {
    float density = 0;            // kg/m³
    Vec3 gravityVelocity;         // m/s, change by gravity in the step
    float maxVelocityChange = 0;  // m/s, limit per step for bodies much lighter than the fluid
};

// Which points of bodies may touch; on the device.
struct NearTest {
    float travel2 = 0;  // m², square of the longest displacement of a point in the substep
    int boxes = 0;      // whether the boxes of two bodies are near each other
    int points = 0;     // number of points that are near another body
    int any = 0;        // whether there were such points in this substep or an earlier one

    // m, distance from which on points cannot touch. Shape matching may move them as far again.
    PURL_HD float reach(float largestRadius) const { return 2 * largestRadius + 2 * std::sqrt(travel2); }
};

class SoftBodies {
  public:
    explicit SoftBodies(const Device& device);

    // Sets the bodies of the scene, which must be in the state. Throws Error with the name of a body that falls into
    // pieces.
    void set(const Scene& scene, const State& state);

    bool empty() const { return bodies_.empty(); }

    // Advances all points by a step. `acceleration`: gravity and fields on each point, m/s².
    void move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& acceleration);

    // Applies impulses, N s, one per point, on the device. Each cluster takes those of its points as a rigid
    // piece.
    void push(State& state, Span<const Vec3> impulses, const FluidAround& fluid = {});

    // Candidate pairs of points of different bodies in the last substep.
    int64_t candidatePairs() const { return candidatePairs_; }

  private:
    // A scene body and its model.
    struct PreparedBody {
        SoftBody body;
        std::vector<Vec3> rest;
        std::vector<char> pinned;
        float spacing = 0;  // m
        SoftBodyModel model;
    };
    bool prepare(const SoftBody& body, Span<const Vec3> rest, int held, PreparedBody& prepared) const;
    void assemble();
    void setVertices();
    void setTargets(State& state, const Scene& scene);
    void fitPlastic(SoftPoints& all) const;
    void setConstants(float dt);
    void match(SoftPoints& all, int iteration, bool updatePlastic);
    void takeSubSteps(SoftPoints& all, const BodyStep& step, int steps, const Buffer<Vec3>& acceleration,
                      bool assumeNoneNear);
    void findNear(const SoftPoints& all, bool assumeNone);
    void separateBodies(SoftPoints& all, float dt);
    void placeColliders();
    void collideWithColliders(SoftPoints& all, float dt);

    Device device_;
    std::vector<PreparedBody> bodies_;
    int dimensions_ = 3;
    bool anyQuadratic_ = false, anyPlastic_ = false, anyVelocityMatching_ = false, anyPairs_ = false;
    Mirrored<int> bodyStarts_;  // first point of each body, and the end
    Buffer<Vec3> vertices_;     // m, of the scene's meshes, body by body

    Buffer<Cluster> clusters_;
    Buffer<Quadratic> quadratics_;
    Buffer<Chunk> chunks_;
    Buffer<Member> members_;
    Buffer<int> membershipStarts_;
    Buffer<Membership> memberships_;
    Buffer<int> body_, group_;  // per point: its body, and its group of inflated colliders, see placeColliders
    Buffer<float> inverseMass_, radius_, pin_;
    float largestRadius_ = 0;
    Buffer<SoftConstants> constants_;

    Colliders colliders_;
    Buffer<float> gaps_;  // m, per group of inflated colliders
    Buffer<PlacedCollider> inflated_;
    Buffer<ChunkSums> sums_;
    Buffer<QuadraticTerms> quadraticSums_, quadraticTerms_;
    Buffer<Match> matches_;
    Buffer<Vec3> impulses_;
    Buffer<float> addedMass_;  // kg, fluid that moves with each point
    Buffer<PushedBody> pushed_;
    Buffer<ClusterVelocityChange> velocityChanges_;
    Buffer<Vec3> xBefore_, from_, to_;
    Buffer<Bounds> bounds_;  // per body; empty without body collision
    Buffer<NearTest> nearTest_;
    bool wereNear_ = false;  // whether points were near other bodies in the last step
    Buffer<int> collides_;   // per body: whether it collides with others
    Buffer<int> isNear_, starts_, contactCounts_;
    Buffer<int> candidates_, candidateCounts_, contacts_;  // see sphereContacts.h
    Buffer<NearPoint> near_;
    Buffer<Vec3> nearX_, displacements_;
    Neighbors neighbors_;
    int64_t candidatePairs_ = 0;
};

}  // namespace purl

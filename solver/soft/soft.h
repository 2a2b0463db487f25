// Soft bodies over a step: what pulls and holds them, their shapes, and what they touch. All bodies lie one after the
// other in the same arrays, so that many small ones take no longer than one of their size.
#pragma once
#include <vector>

#include "solver/colliders/bodyStep.h"
#include "solver/scene.h"
#include "solver/search/neighbors.h"
#include "solver/soft/matching.h"
#include "solver/soft/pairs.h"
#include "solver/state.h"

namespace purl {

// Puts those of the scene's bodies that the state does not have yet where the scene has them: all at the start, later
// what has been added; and lets go of what is dragged no more. Throws Error naming a body that cannot be one.
void beginSoftFrame(State& state, const Scene& scene);

// Where the scene's meshes have the vertices, and what draws them, as a frame ends.
void takeSoftTargets(State& state, const Scene& scene);

// The vertices of the scene's b-th body in SoftPoints: its mesh, with x and v of each, is those in its order.
struct SoftRange {
    int first = 0, vertices = 0, points = 0;
};
SoftRange softRange(const State& state, const Scene& scene, int b);

// What a push makes of a cluster's motion.
struct ClusterKick {
    Vec3 center, velocity, spin;
};

// The fluid that pushes bodies; none: something else does.
struct FluidAround {
    float density = 0;   // kg/m³
    Vec3 fall;           // m/s, by gravity in the step
    float mostKick = 0;  // m/s, that a body much lighter than the fluid may be accelerated by in a step
};

class SoftBodies {
  public:
    explicit SoftBodies(const Device& device);

    // Takes up the scene's bodies; the state must have them. Throws Error naming a body that falls into pieces.
    void set(const Scene& scene, const State& state);

    bool empty() const { return bodies_.empty(); }

    // Moves all points by a step. `pull`, m/s²: gravity and fields on each.
    void move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& pull);

    // Hands impulses, N s, one a point, to the bodies: each cluster takes its points' as one piece, whole and turning.
    void push(State& state, const Vec3* impulses, const FluidAround& fluid = {});

    // Of the last small step: pairs of points that were near enough to be looked at.
    int64_t candidatePairs() const { return candidates_; }

  private:
    // A body as it was taken up, and what came of it.
    struct Taken {
        SoftBody body;
        std::vector<Vec3> rest;
        std::vector<char> pinned;
        float spacing = 0;  // m
        Anatomy anatomy;
    };
    bool takeUp(const SoftBody& body, Span<const Vec3> rest, int held, Taken& taken) const;
    void assemble();
    void setTargets(State& state, const Scene& scene);
    void fitPlastic(SoftPoints& all) const;
    void setConstants(float dt);
    void match(SoftPoints& all, int iteration, bool creeps);
    void findNear(const SoftPoints& all);
    void pushApart(SoftPoints& all, float dt);
    void placeColliders();
    void touch(SoftPoints& all, float dt);

    Device device_;
    std::vector<Taken> bodies_;
    int dimensions_ = 3;
    bool anyQuadratic_ = false, anyYields_ = false, anyPush_ = false, anyPairs_ = false;
    std::vector<int> firsts_;  // of each body's points, and the end

    Buffer<Cluster> clusters_;
    Buffer<Quadratic> quadratics_;
    Buffer<Chunk> chunks_;
    Buffer<Member> members_;
    Buffer<int> partStarts_;
    Buffer<Membership> parts_;
    Buffer<int> body_, group_;  // of each point: its body; its colliders, see touch
    Buffer<float> inverseMass_, radius_, pin_;
    float largestRadius_ = 0;
    Buffer<SoftConstants> constants_;

    Colliders colliders_;
    Buffer<PlacedCollider> thickened_;
    Buffer<ChunkSums> sums_;
    Buffer<Bend9> bendSums_, bends_;
    Buffer<Match> matches_;
    Buffer<Vec3> impulses_;
    Buffer<float> added_;  // kg, of fluid that moves with each point
    Buffer<ClusterKick> kicks_;
    Buffer<Vec3> xBefore_, from_, to_;
    Buffer<Bounds> bounds_;
    Buffer<int> isNear_, starts_, touching_;
    Buffer<int> others_, otherCounts_, touchingOnes_;  // see pairs.h
    Buffer<NearPoint> near_;
    Buffer<Vec3> nearX_, moved_;
    Neighbors neighbors_;
    int64_t candidates_ = 0;
};

}  // namespace purl

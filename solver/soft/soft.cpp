#include "solver/soft/soft.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/copy.h"
#include "solver/core/error.h"
#include "solver/core/hostView.h"
#include "solver/core/math.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

// v += Δt a, v := e^(−c Δt) v, x += Δt v; pinned points move to their targets.
struct PredictSoft {
    Span<const SoftConstants> bodies;
    Span<const int> body;
    Span<const float> inverseMass, pin;
    Span<const Vec3> acceleration, from, to;
    float shareAfter;
    float dt;
    Span<Vec3> x, v, xBefore;

    PURL_HD void operator()(int i) const {
        const SoftConstants& b = bodies[body[i]];
        xBefore[i] = x[i];
        if (!(inverseMass[i] > 0)) {
            x[i] = pinnedPosition(from[i], to[i], shareAfter);
            v[i] = (x[i] - xBefore[i]) / dt;
            return;
        }
        v[i] = b.frozen ? Vec3{} : b.damp * (v[i] + dt * acceleration[i]);
        x[i] += dt * v[i];
        if (!(pin[i] > 0)) return;
        const Vec3 drawn = movedTowardsPin(x[i], lerp(from[i], to[i], shareAfter), pin[i], dt);
        v[i] += (drawn - x[i]) / dt;
        x[i] = drawn;
    }
};

struct HoldInPlane {
    Span<Vec3> x, v;
    PURL_HD void operator()(int i) const { x[i].z = v[i].z = 0; }
};

struct CollideSoft {
    Span<const PlacedCollider> colliders;  // `count` per group
    int count;
    Span<const int> group, body;
    Span<const SoftConstants> bodies;
    Span<const float> inverseMass;
    float dt;
    Span<const Vec3> xBefore;
    Span<Vec3> x, v;

    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        Vec3 position = x[i], ignoredVelocity = v[i];
        touchColliders({colliders.data + group[i] * count, count}, bodies[body[i]].friction, dt, xBefore[i], position,
                       ignoredVelocity);
        v[i] += (position - x[i]) / dt;
        x[i] = position;
    }
};

// Bounding box of a body's paths in the substep.
struct BoundBody {
    Span<const int> bodyStarts, collides;
    Span<const Vec3> xBefore, x;
    Span<Bounds> bounds;
    PURL_HD void operator()(int b) const {
        Bounds box;
        for (int i = bodyStarts[b]; i < bodyStarts[b + 1] && collides[b]; ++i) {
            box.include(xBefore[i]);
            box.include(x[i]);
        }
        bounds[b] = box;
    }
};

PURL_HD bool overlap(const Bounds& a, const Bounds& b, float reach) {
    return a.low.x - reach <= b.high.x && b.low.x - reach <= a.high.x && a.low.y - reach <= b.high.y &&
           b.low.y - reach <= a.high.y && a.low.z - reach <= b.high.z && b.low.z - reach <= a.high.z;
}

struct TestBodies {
    Span<const Bounds> bounds;
    float largestRadius;
    NearTest* test;
    PURL_HD void operator()(int) const {
        const float reach = test->reach(largestRadius);
        test->boxes = 0;
        for (int a = 0; a < bounds.count; ++a)
            for (int b = a + 1; b < bounds.count; ++b)
                if (!bounds[a].empty() && !bounds[b].empty() && overlap(bounds[a], bounds[b], reach)) test->boxes = 1;
    }
};

// Whether a point comes near the bounding box of another body.
struct MarkNear {
    Span<const int> body;
    Span<const Bounds> bounds;  // empty for bodies without body collision
    float largestRadius;
    const NearTest* test;
    Span<const Vec3> xBefore, x;
    Span<int> isNear;
    PURL_HD void operator()(int i) const {
        isNear[i] = 0;
        if (!test->boxes || bounds[body[i]].empty()) return;
        const float reach = test->reach(largestRadius);
        Bounds own;
        own.include(xBefore[i]);
        own.include(x[i]);
        for (int b = 0; b < bounds.count && !isNear[i]; ++b)
            if (b != body[i] && !bounds[b].empty() && overlap(bounds[b], own, reach)) isNear[i] = 1;
    }
};

struct CountNear {
    Span<const int> starts;  // one more than points
    NearTest* test;
    PURL_HD void operator()(int) const {
        test->points = starts[starts.count - 1];
        if (test->points > 0) test->any = 1;
    }
};

struct GatherNear {
    Span<const int> isNear, starts, body;
    Span<const SoftConstants> bodies;
    Span<const float> radius, inverseMass;
    Span<const Vec3> x;
    Span<NearPoint> near;
    Span<Vec3> nearX;
    PURL_HD void operator()(int i) const {
        if (!isNear[i]) return;
        near[starts[i]] = {i, body[i], radius[i], inverseMass[i], bodies[body[i]].friction};
        nearX[starts[i]] = x[i];
    }
};

struct Travel {
    Span<const Vec3> xBefore, x;
    PURL_HD float operator()(int i) const { return lengthSquared(x[i] - xBefore[i]); }
};

// The placed colliders once per group of points, with its gap.
struct InflateForGroups {
    Span<const PlacedCollider> placed;
    Span<const float> gaps;
    Span<PlacedCollider> inflated;
    PURL_HD void operator()(int i) const {
        inflated[i] = placed[i % placed.count];
        inflated[i].gap += gaps[i / placed.count];
    }
};

// The vertex within reach that is nearest to the drag handle; of equally near ones the last.
struct NearestVertex {
    float distance = 0;
    int vertex = -1;  // -1: none
};
struct DistanceToHandle {
    const Vec3* x;
    Vec3 handle;
    float reach;
    PURL_HD NearestVertex operator()(int i) const {
        const float distance = length(x[i] - handle);
        return distance > reach ? NearestVertex{} : NearestVertex{distance, i};
    }
};
struct Nearer {
    PURL_HD NearestVertex operator()(const NearestVertex& a, const NearestVertex& b) const {
        return b.vertex < 0 || (a.vertex >= 0 && b.distance > a.distance) ? a : b;
    }
};

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

SoftRange softRange(const State& state, const Scene& scene, int b) {
    SoftRange range;
    for (int k = 0; k < b; ++k) range.first += state.soft.counts[k];
    range.vertices = static_cast<int>(scene.softBodies[b].points.size());
    range.points = state.soft.counts[b];
    return range;
}

void beginSoftFrame(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    for (size_t b = static_cast<size_t>(all.bodies()); b < scene.softBodies.size(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        std::vector<Vec3> points = body.points;
        append(points, innerPointsOf(body, scene.solver.dimensions));
        const int first = all.count(), count = static_cast<int>(points.size());
        all.resize(first + count);
        for (Buffer<Vec3>* channel : {&all.x, &all.rest, &all.target})
            channel->device().upload(channel->data() + first, points.data(), points.size() * sizeof(Vec3));
        setElements(all.v, first, count, body.params.startVelocity);
        all.addBody(count, body.dragTo);
    }
    for (int b = 0; b < all.bodies(); ++b)
        if (!scene.softBodies[b].params.drag) all.held[b] = -1;
}

void storeSoftTargets(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    for (int b = 0; b < all.bodies(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        all.target.device().upload(all.target.data() + softRange(state, scene, b).first, body.points.data(),
                                   body.points.size() * sizeof(Vec3));
        all.dragAt[b] = body.dragTo;
    }
}

SoftBodies::SoftBodies(const Device& device)
    : device_(device),
      bodyStarts_(device),
      vertices_(device),
      clusters_(device),
      quadratics_(device),
      chunks_(device),
      members_(device),
      membershipStarts_(device),
      memberships_(device),
      body_(device),
      group_(device),
      inverseMass_(device),
      radius_(device),
      pin_(device),
      constants_(device),
      colliders_(device),
      gaps_(device),
      inflated_(device),
      sums_(device),
      quadraticSums_(device),
      quadraticTerms_(device),
      matches_(device),
      impulses_(device),
      addedMass_(device),
      pushed_(device),
      velocityChanges_(device),
      xBefore_(device),
      from_(device),
      to_(device),
      bounds_(device),
      nearTest_(device, 1),
      collides_(device),
      isNear_(device),
      starts_(device),
      contactCounts_(device),
      candidates_(device),
      candidateCounts_(device),
      contacts_(device),
      near_(device),
      nearX_(device),
      displacements_(device),
      neighbors_(device) {}

void SoftBodies::set(const Scene& scene, const State& state) {
    const SoftPoints& all = state.soft;
    bool renewed = bodies_.size() != scene.softBodies.size() || dimensions_ != scene.solver.dimensions;
    dimensions_ = scene.solver.dimensions;
    bodies_.resize(scene.softBodies.size());
    const HostReader<Vec3> allRest = readOnHost(all.rest);
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const SoftRange range = softRange(state, scene, static_cast<int>(b));
        const Span<const Vec3> rest{allRest.data() + range.first, range.points};
        try {
            renewed = prepare(scene.softBodies[b], rest, all.held[static_cast<int>(b)], bodies_[b]) || renewed;
        } catch (...) {
            bodies_.clear();
            throw;
        }
    }
    if (renewed) assemble();
    setVertices();
}

void SoftBodies::setVertices() {
    std::vector<Vec3> vertices;
    for (const PreparedBody& prepared : bodies_) append(vertices, prepared.body.points);
    upload(vertices_, vertices);
}

// Returns true if the body changed. A moving mesh is no change: only the rest shape counts.
bool SoftBodies::prepare(const SoftBody& body, Span<const Vec3> rest, int held, PreparedBody& prepared) const {
    std::vector<char> pinned(static_cast<size_t>(rest.count));
    for (size_t i = 0; i < body.points.size(); ++i)
        pinned[i] = body.params.freeze || (!body.pins.empty() && body.pins[i] >= 1) || static_cast<int>(i) == held;
    const bool same = sameParams(prepared.body.params, body.params) && prepared.body.faces == body.faces &&
                      prepared.body.pins == body.pins && prepared.body.points.size() == body.points.size() &&
                      prepared.pinned == pinned && prepared.rest.size() == pinned.size() &&
                      std::equal(rest.begin(), rest.end(), prepared.rest.begin());
    prepared.body = body;
    if (same) return false;
    prepared.rest.assign(rest.begin(), rest.end());
    prepared.pinned = pinned;
    prepared.spacing = spacingOf(body.params, {rest.data, static_cast<int>(body.points.size())});
    prepared.model = makeSoftBodyModel(body, rest, pinned);
    return true;
}

// Concatenates the models of all bodies.
void SoftBodies::assemble() {
    SoftBodyModel all;
    all.membershipStarts = {0};
    std::vector<Chunk> chunks;
    std::vector<int> owners, groups;
    std::vector<float> inverseMasses, pins, gaps;
    std::vector<int> bodyStarts = {0}, collides;
    anyQuadratic_ = anyPlastic_ = anyVelocityMatching_ = false;
    int colliding = 0;
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const SoftBodyModel& own = bodies_[b].model;
        const SoftBody& body = bodies_[b].body;
        const auto firstPoint = static_cast<int>(owners.size()), firstMember = static_cast<int>(all.members.size()),
                   firstCluster = static_cast<int>(all.clusters.size()),
                   firstPart = static_cast<int>(all.memberships.size()),
                   firstQuadratic = static_cast<int>(all.quadratics.size());
        for (Cluster cluster : own.clusters) {
            cluster.body = static_cast<int>(b);
            cluster.firstMember += firstMember;
            cluster.centerMember += firstMember;
            cluster.firstChunk = static_cast<int>(chunks.size());
            cluster.chunks = (cluster.members + kChunk - 1) / kChunk;
            for (int k = 0; k < cluster.chunks; ++k)
                chunks.push_back({static_cast<int>(all.clusters.size()), cluster.firstMember + k * kChunk,
                                  std::min(kChunk, cluster.members - k * kChunk)});
            if (cluster.quadratic >= 0) cluster.quadratic += firstQuadratic;
            all.clusters.push_back(cluster);
        }
        for (Member member : own.members) {
            member.point += firstPoint;
            all.members.push_back(member);
        }
        for (Membership part : own.memberships) {
            part.cluster += firstCluster;
            all.memberships.push_back(part);
        }
        for (size_t i = 1; i < own.membershipStarts.size(); ++i)
            all.membershipStarts.push_back(own.membershipStarts[i] + firstPart);
        append(all.quadratics, own.quadratics);
        append(all.radii, own.radii);
        for (size_t i = 0; i < own.masses.size(); ++i) {
            const bool vertex = i < body.points.size();
            owners.push_back(static_cast<int>(b));
            groups.push_back(static_cast<int>(2 * b) + (vertex ? 0 : 1));
            inverseMasses.push_back(bodies_[b].pinned[i] ? 0 : 1 / own.masses[i]);
            pins.push_back(vertex && !body.pins.empty() ? body.pins[i] : 0);
        }
        bodyStarts.push_back(static_cast<int>(owners.size()));
        // Vertices keep half the thickness from colliders, inner points half a spacing, which is their distance from
        // the surface.
        const float radius = body.faces.empty() ? 0.5f * bodies_[b].spacing : 0;
        gaps.push_back(std::max(radius, 0.5f * body.params.thickness));
        gaps.push_back(0.49f * bodies_[b].spacing);
        collides.push_back(body.params.bodyCollision);
        anyQuadratic_ = anyQuadratic_ || !own.quadratics.empty();
        anyPlastic_ = anyPlastic_ || body.params.yieldStrain > 0;
        anyVelocityMatching_ = anyVelocityMatching_ || body.params.matching == SoftMatching::velocity;
        colliding += body.params.bodyCollision ? 1 : 0;
    }
    anyPairs_ = colliding > 1;
    upload(clusters_, all.clusters);
    upload(quadratics_, all.quadratics);
    upload(chunks_, chunks);
    upload(members_, all.members);
    upload(membershipStarts_, all.membershipStarts);
    upload(memberships_, all.memberships);
    upload(body_, owners);
    upload(group_, groups);
    upload(inverseMass_, inverseMasses);
    upload(radius_, all.radii);
    upload(pin_, pins);
    upload(gaps_, gaps);
    upload(collides_, collides);
    bodyStarts_.onHost().resizeDiscard(static_cast<int>(bodyStarts.size()));
    std::copy(bodyStarts.begin(), bodyStarts.end(), bodyStarts_.onHost().begin());
    bodyStarts_.upload();
    largestRadius_ = all.radii.empty() ? 0 : *std::max_element(all.radii.begin(), all.radii.end());
}

// Sets the targets of pinned points over the frame, and picks the vertex nearest to the drag handle.
void SoftBodies::setTargets(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    bool picked = false;
    from_ = all.target;
    to_ = all.target;
    const Vec3* vertices = vertices_.data();
    for (int b = 0; b < all.bodies(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        const SoftRange range = softRange(state, scene, b);
        device_.copy(to_.data() + range.first, vertices, sizeof(Vec3) * static_cast<size_t>(range.vertices));
        vertices += range.vertices;
        if (body.params.drag && all.held[b] < 0) {
            const DistanceToHandle distance{all.x.data() + range.first, all.dragAt[b], body.params.dragRadius};
            all.held[b] = reduce(device_, "nearestVertex", range.vertices, NearestVertex{}, distance, Nearer{}).vertex;
            picked = picked || all.held[b] >= 0;
        }
        if (all.held[b] < 0) continue;
        setElements(from_, range.first + all.held[b], 1, all.dragAt[b]);
        setElements(to_, range.first + all.held[b], 1, body.dragTo);
    }
    if (picked) set(scene, state);
}

// Resizes the plastic stretch to the clusters. Bodies with a different number of clusters lose theirs.
void SoftBodies::fitPlastic(SoftPoints& all) const {
    std::vector<int> wanted;
    for (const PreparedBody& prepared : bodies_) wanted.push_back(static_cast<int>(prepared.model.clusters.size()));
    if (std::equal(wanted.begin(), wanted.end(), all.clusters.begin(), all.clusters.end())) return;
    const HostReader<Mat3> before = readOnHost(all.plastic);
    std::vector<Mat3> plastic;
    int from = 0;
    for (size_t b = 0; b < wanted.size(); ++b) {
        int& had = all.clusters[static_cast<int>(b)];
        for (int k = 0; k < wanted[b]; ++k) plastic.push_back(had == wanted[b] ? before[from + k] : Mat3{});
        from += had;
        had = wanted[b];
    }
    upload(all.plastic, plastic);
}

void SoftBodies::setConstants(float dt) {
    std::vector<SoftConstants> constants;
    for (const PreparedBody& prepared : bodies_) {
        const SoftBodyParams& params = prepared.body.params;
        const bool pushes = params.matching == SoftMatching::velocity && !params.freeze;
        SoftConstants c;
        c.iterations = pushes ? 1 : params.iterations;
        c.goalFraction =
            pushes ? 0 : static_cast<float>(params.freeze ? 1 : softShare(params.stiffness, dt, params.iterations));
        c.goalRate = pushes ? static_cast<float>(softShare(params.stiffness, dt) / double(dt)) : 0;
        c.beta = params.freeze ? 0 : params.beta;
        c.keepVolume = params.keepVolume;
        c.quadratic = params.goal == SoftGoal::quadratic && c.beta > 0;
        c.planar = dimensions_ == 2;
        c.yield = params.freeze ? 0 : params.yieldStrain;
        c.creep = dt * params.creep;
        c.maxCreep = params.maxCreep;
        c.damp = exp(-params.damping * dt);
        c.friction = params.friction;
        c.frozen = params.freeze;
        constants.push_back(c);
    }
    upload(constants_, constants);
}

void SoftBodies::match(SoftPoints& all, int iteration, bool updatePlastic) {
    forEach(device_, "sumClusters", chunks_.size(),
            SumChunks{chunks_.span(), clusters_.span(), members_.span(), constants_.span(), iteration, all.x.span(),
                      sums_.span(), quadraticSums_.span()},
            1);
    forEach(device_, "matchClusters", clusters_.size(),
            MatchClusters{clusters_.span(), quadratics_.span(), members_.span(), constants_.span(), iteration,
                          all.x.span(), sums_.span(), quadraticSums_.span(), updatePlastic, all.plastic.span(),
                          matches_.span(), quadraticTerms_.span()},
            4);
}

void SoftBodies::move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& acceleration) {
    SoftPoints& all = state.soft;
    setTargets(state, scene);
    fitPlastic(all);
    xBefore_.resizeDiscard(all.count());
    sums_.resizeDiscard(chunks_.size());
    matches_.resizeDiscard(clusters_.size());
    if (anyQuadratic_) {
        quadraticSums_.resizeDiscard(chunks_.size());
        quadraticTerms_.resizeDiscard(clusters_.size());
    }
    double limit = kUnbounded;
    std::string smallestStepBody;
    for (const PreparedBody& prepared : bodies_) {
        if (double(prepared.body.params.maxTimeStep) < limit) smallestStepBody = prepared.body.name;
        limit = std::min(limit, double(prepared.body.params.maxTimeStep));
    }
    const int steps = subStepCount(step, limit, smallestStepBody);
    setConstants(step.dt / static_cast<float>(steps));
    // Bodies mostly stay away from each other. Instead of waiting for the answer in each substep, look once at the end,
    // and take the step again if they did not.
    if (!device_.isCpu() && anyPairs_ && !wereNear_) {
        const Buffer<Vec3> x = all.x, v = all.v;
        const Buffer<Mat3> plastic = all.plastic;
        setElements(nearTest_, 0, 1, NearTest{});
        takeSubSteps(all, step, steps, acceleration, true);
        if (!readElement(nearTest_, 0).any) return;
        all.x = x;
        all.v = v;
        all.plastic = plastic;
    }
    wereNear_ = false;
    takeSubSteps(all, step, steps, acceleration, false);
}

void SoftBodies::takeSubSteps(SoftPoints& all, const BodyStep& step, int steps, const Buffer<Vec3>& acceleration,
                              bool assumeNoneNear) {
    const bool collide = !step.members->empty();
    const Goals goals{membershipStarts_.span(), memberships_.span(), clusters_.span(), matches_.span(),
                      quadraticTerms_.span()};
    int iterations = 1;
    for (const PreparedBody& prepared : bodies_) iterations = std::max(iterations, prepared.body.params.iterations);
    for (int s = 0; s < steps; ++s) {
        const auto [dt, ofStep, shares] = subStepAt(step, s, steps);
        if (collide) {
            colliders_.moveTo(*step.colliders, *step.members, shares.before, shares.after, dt, ofStep);
            placeColliders();
        }
        // At the current positions: the predicted ones are stretched more than the body ever is.
        if (anyVelocityMatching_ || anyPlastic_) match(all, 0, true);
        if (anyVelocityMatching_)
            forEach(device_, "accelerateToGoals", all.count(),
                    AccelerateToGoals{goals, constants_.span(), body_.span(), inverseMass_.span(), all.x.span(),
                                      all.v.span()});
        forEach(device_, "predictSoft", all.count(),
                PredictSoft{constants_.span(), body_.span(), inverseMass_.span(), pin_.span(), acceleration.span(),
                            from_.span(), to_.span(), shares.after, dt, all.x.span(), all.v.span(), xBefore_.span()});
        findNear(all, assumeNoneNear);
        for (int iteration = 0; iteration < iterations; ++iteration) {
            match(all, iteration, false);
            forEach(device_, "moveToGoals", all.count(),
                    MoveToGoals{goals, constants_.span(), body_.span(), inverseMass_.span(), iteration, 1 / dt,
                                all.x.span(), all.v.span()});
            separateBodies(all, dt);
            if (collide) collideWithColliders(all, dt);
        }
        if (dimensions_ == 2) forEach(device_, "holdInPlane", all.count(), HoldInPlane{all.x.span(), all.v.span()});
    }
}

void SoftBodies::push(State& state, Span<const Vec3> impulses, const FluidAround& fluid) {
    SoftPoints& all = state.soft;
    impulses_.resizeDiscard(all.count());
    addedMass_.resizeDiscard(fluid.density > 0 ? all.count() : 0);
    std::vector<PushedBody> pushed;
    // In two dimensions fluids act on a depth of one metre, bodies are one spacing deep.
    for (const PreparedBody& prepared : bodies_)
        pushed.push_back(
            {dimensions_ == 2 ? prepared.spacing : 1, fluid.density / prepared.body.params.density - kMaxDensityRatio});
    upload(pushed_, pushed);
    forEach(device_, "scaleImpulses", all.count(),
            ScaleImpulses{std::as_const(pushed_).span(), body_.span(), inverseMass_.span(), impulses, impulses_.span(),
                          addedMass_.span()});
    velocityChanges_.resizeDiscard(clusters_.size());
    forEach(device_, "sumClusterImpulses", clusters_.size(),
            SumClusterImpulses{clusters_.span(), members_.span(), membershipStarts_.span(), memberships_.span(),
                               all.x.span(), impulses_.span(), std::as_const(addedMass_).span(), fluid.gravityVelocity,
                               fluid.maxVelocityChange, velocityChanges_.span()},
            1);
    forEach(device_, "applyVelocityChanges", all.count(),
            ApplyVelocityChanges{membershipStarts_.span(), memberships_.span(), velocityChanges_.span(),
                                 inverseMass_.span(), all.x.span(), all.v.span()});
    if (dimensions_ == 2) forEach(device_, "holdInPlane", all.count(), HoldInPlane{all.x.span(), all.v.span()});
}

// Finds the points of colliding bodies that may touch in this substep. assumeNone: finds none, and only notes in
// nearTest_ whether there may be some.
void SoftBodies::findNear(const SoftPoints& all, bool assumeNone) {
    near_.resizeDiscard(0);
    candidatePairs_ = 0;
    if (!anyPairs_) return;
    const auto bodies = static_cast<int>(bodies_.size());
    bounds_.resizeDiscard(bodies);
    forEach(
        device_, "boundBodies", bodies,
        BoundBody{bodyStarts_.span(), std::as_const(collides_).span(), xBefore_.span(), all.x.span(), bounds_.span()},
        1);
    NearTest* const test = nearTest_.data();
    reduceTo(&test->travel2, device_, "travel", all.count(), 0.0f, Travel{xBefore_.span(), all.x.span()}, Largest{});
    forEach(device_, "testBodies", 1, TestBodies{std::as_const(bounds_).span(), largestRadius_, test});
    if (device_.isCpu() && !readElement(nearTest_, 0).boxes) return;
    isNear_.resizeDiscard(all.count());
    forEach(
        device_, "markNear", all.count(),
        MarkNear{body_.span(), bounds_.span(), largestRadius_, test, xBefore_.span(), all.x.span(), isNear_.span()});
    scan(isNear_, starts_);
    forEach(device_, "countNear", 1, CountNear{std::as_const(starts_).span(), test});
    if (assumeNone) return;
    const NearTest found = readElement(nearTest_, 0);
    const int count = found.points;
    if (count == 0) return;
    wereNear_ = true;
    const float reach = found.reach(largestRadius_);
    near_.resizeDiscard(count);
    nearX_.resizeDiscard(count);
    displacements_.resizeDiscard(count);
    contactCounts_.resizeDiscard(count);
    forEach(device_, "gatherNear", all.count(),
            GatherNear{isNear_.span(), starts_.span(), body_.span(), constants_.span(), radius_.span(),
                       inverseMass_.span(), all.x.span(), near_.span(), nearX_.span()});
    neighbors_.build(nearX_, reach);
    candidates_.resizeDiscard(neighbors_.listSize());
    contacts_.resizeDiscard(neighbors_.listSize());
    candidateCounts_.resizeDiscard(count);
    forEach(device_, "listOthers", count,
            ListOthers{neighbors_.view(), near_.span(), candidates_.span(), candidateCounts_.span()});
    candidatePairs_ = neighbors_.pairCount();
}

void SoftBodies::separateBodies(SoftPoints& all, float dt) {
    const int count = near_.size();
    if (count == 0) return;
    const int* const starts = neighbors_.view().starts;
    forEach(device_, "listTouching", count,
            ListTouching{starts, candidates_.span(), candidateCounts_.span(), near_.span(), xBefore_.span(),
                         all.x.span(), contacts_.span(), contactCounts_.span()},
            64);
    forEach(device_, "separateBodies", count,
            SeparateBodies{starts, contacts_.span(), contactCounts_.span(), near_.span(), xBefore_.span(), all.x.span(),
                           displacements_.span()},
            64);
    forEach(device_, "applyDisplacements", count,
            ApplyDisplacements{near_.span(), displacements_.span(), 1 / dt, all.x.span(), all.v.span()});
}

void SoftBodies::placeColliders() {
    const Span<const PlacedCollider> placed = colliders_.onDevice();
    inflated_.resizeDiscard(gaps_.size() * placed.count);
    forEach(device_, "inflateColliders", inflated_.size(),
            InflateForGroups{placed, std::as_const(gaps_).span(), inflated_.span()});
}

void SoftBodies::collideWithColliders(SoftPoints& all, float dt) {
    forEach(device_, "touchColliders", all.count(),
            CollideSoft{inflated_.span(), colliders_.placed().count, group_.span(), body_.span(), constants_.span(),
                        inverseMass_.span(), dt, xBefore_.span(), all.x.span(), all.v.span()},
            64);
}

}  // namespace purl

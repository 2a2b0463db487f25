#include "solver/soft/soft.h"

#include <algorithm>
#include <cmath>

#include "solver/core/error.h"
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
    const int* bodyStarts;
    Span<const Vec3> xBefore, x;
    Span<Bounds> bounds;
    PURL_HD void operator()(int b) const {
        Bounds box;
        for (int i = bodyStarts[b]; i < bodyStarts[b + 1]; ++i) {
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

// Whether a point comes near the bounding box of another body.
struct MarkNear {
    Span<const int> body;
    Span<const Bounds> bounds;  // empty for bodies without body collision
    float reach;
    Span<const Vec3> xBefore, x;
    Span<int> isNear;
    PURL_HD void operator()(int i) const {
        isNear[i] = 0;
        if (bounds[body[i]].empty()) return;
        Bounds own;
        own.include(xBefore[i]);
        own.include(x[i]);
        for (int b = 0; b < bounds.count && !isNear[i]; ++b)
            if (b != body[i] && !bounds[b].empty() && overlap(bounds[b], own, reach)) isNear[i] = 1;
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

template <class T>
void put(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.resizeDiscard(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

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
        const int first = all.count(), end = first + static_cast<int>(points.size());
        all.resize(end);
        for (int i = first; i < end; ++i) {
            all.x[i] = all.rest[i] = all.target[i] = points[i - first];
            all.v[i] = body.params.startVelocity;
        }
        all.addBody(end - first, body.dragTo);
    }
    for (int b = 0; b < all.bodies(); ++b)
        if (!scene.softBodies[b].params.drag) all.held[b] = -1;
}

void storeSoftTargets(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    for (int b = 0; b < all.bodies(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        std::copy(body.points.begin(), body.points.end(), all.target.begin() + softRange(state, scene, b).first);
        all.dragAt[b] = body.dragTo;
    }
}

SoftBodies::SoftBodies(const Device& device)
    : device_(device),
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
      inflated_(device),
      sums_(device),
      quadraticSums_(device),
      quadraticTerms_(device),
      matches_(device),
      impulses_(device),
      addedMass_(device),
      velocityChanges_(device),
      xBefore_(device),
      from_(device),
      to_(device),
      bounds_(device),
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
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const SoftRange range = softRange(state, scene, static_cast<int>(b));
        const Span<const Vec3> rest{all.rest.data() + range.first, range.points};
        try {
            renewed = prepare(scene.softBodies[b], rest, all.held[static_cast<int>(b)], bodies_[b]) || renewed;
        } catch (...) {
            bodies_.clear();
            throw;
        }
    }
    if (renewed) assemble();
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
    std::vector<float> inverseMasses, pins;
    bodyStarts_.assign(1, 0);
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
        bodyStarts_.push_back(static_cast<int>(owners.size()));
        anyQuadratic_ = anyQuadratic_ || !own.quadratics.empty();
        anyPlastic_ = anyPlastic_ || body.params.yieldStrain > 0;
        anyVelocityMatching_ = anyVelocityMatching_ || body.params.matching == SoftMatching::velocity;
        colliding += body.params.bodyCollision ? 1 : 0;
    }
    anyPairs_ = colliding > 1;
    put(clusters_, all.clusters);
    put(quadratics_, all.quadratics);
    put(chunks_, chunks);
    put(members_, all.members);
    put(membershipStarts_, all.membershipStarts);
    put(memberships_, all.memberships);
    put(body_, owners);
    put(group_, groups);
    put(inverseMass_, inverseMasses);
    put(radius_, all.radii);
    put(pin_, pins);
    largestRadius_ = all.radii.empty() ? 0 : *std::max_element(all.radii.begin(), all.radii.end());
}

// Sets the targets of pinned points over the frame, and picks the vertex nearest to the drag handle.
void SoftBodies::setTargets(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    bool picked = false;
    from_ = all.target;
    to_ = all.target;
    for (int b = 0; b < all.bodies(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        const SoftRange range = softRange(state, scene, b);
        std::copy(body.points.begin(), body.points.end(), to_.begin() + range.first);
        if (body.params.drag && all.held[b] < 0) {
            float nearest = body.params.dragRadius;
            for (int i = 0; i < range.vertices; ++i) {
                const float distance = length(all.x[range.first + i] - all.dragAt[b]);
                if (distance > nearest) continue;
                nearest = distance;
                all.held[b] = i;
                picked = true;
            }
        }
        if (all.held[b] < 0) continue;
        from_[range.first + all.held[b]] = all.dragAt[b];
        to_[range.first + all.held[b]] = body.dragTo;
    }
    if (picked) set(scene, state);
}

// Resizes the plastic stretch to the clusters. Bodies with a different number of clusters lose theirs.
void SoftBodies::fitPlastic(SoftPoints& all) const {
    std::vector<int> wanted;
    for (const PreparedBody& prepared : bodies_) wanted.push_back(static_cast<int>(prepared.model.clusters.size()));
    if (std::equal(wanted.begin(), wanted.end(), all.clusters.begin(), all.clusters.end())) return;
    const Buffer<Mat3> before = all.plastic;
    all.plastic.resizeDiscard(clusters_.size());
    int from = 0, to = 0;
    for (size_t b = 0; b < wanted.size(); ++b) {
        int& had = all.clusters[static_cast<int>(b)];
        for (int k = 0; k < wanted[b]; ++k) all.plastic[to++] = had == wanted[b] ? before[from + k] : Mat3{};
        from += had;
        had = wanted[b];
    }
}

void SoftBodies::setConstants(float dt) {
    constants_.resizeDiscard(static_cast<int>(bodies_.size()));
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const SoftBodyParams& params = bodies_[b].body.params;
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
        constants_[static_cast<int>(b)] = c;
    }
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
    int iterations = 1;
    std::string smallestStepBody;
    for (const PreparedBody& prepared : bodies_) {
        if (double(prepared.body.params.maxTimeStep) < limit) smallestStepBody = prepared.body.name;
        limit = std::min(limit, double(prepared.body.params.maxTimeStep));
        iterations = std::max(iterations, prepared.body.params.iterations);
    }
    const int steps = subStepCount(step, limit, smallestStepBody);
    const Goals goals{membershipStarts_.span(), memberships_.span(), clusters_.span(), matches_.span(),
                      quadraticTerms_.span()};
    const bool collide = !step.members->empty();
    setConstants(step.dt / static_cast<float>(steps));
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
        findNear(all);
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

namespace {

// The fluid that a body displaces does not react to the body's motion within a step, so a much lighter body would be
// thrown farther each time. Fluid in excess of kMaxDensityRatio times the body's density moves, and falls, with the
// body as added mass, so that floating bodies still float.
constexpr float kMaxDensityRatio = 4;
// Only surface points receive impulses; they represent those behind them.
constexpr float kSurfaceShare = 2;

// Δv = P/m + ω × r,  I ω = Σ r × J: clusters take impulses as rigid pieces, conserving momentum and angular momentum.
// Applied to single points, impulses would dent the surface by an amount that depends on the step.
struct SumClusterImpulses {
    Span<const Cluster> clusters;
    Span<const Member> members;
    Span<const int> membershipStarts;
    Span<const Membership> memberships;
    Span<const Vec3> x, impulses;
    Span<const float> addedMass;  // kg, moves with each point without being part of it
    Vec3 gravityVelocity;         // m/s, change by gravity in the step
    float maxChange;              // m/s, limit of the velocity change if there is added mass
    Span<ClusterVelocityChange> changes;

    PURL_HD float shareOf(int point, int cluster) const {
        for (int p = membershipStarts[point]; p < membershipStarts[point + 1]; ++p)
            if (memberships[p].cluster == cluster) return memberships[p].share;
        return 0;
    }
    PURL_HD void operator()(int c) const {
        const Cluster& cluster = clusters[c];
        const Member* const own = members.data + cluster.firstMember;
        double mass = 0, sum[3] = {};
        for (int m = 0; m < cluster.members; ++m) {
            mass += double(own[m].weight);
            for (int k = 0; k < 3; ++k) sum[k] += double(own[m].weight) * double(x[own[m].point][k]);
        }
        ClusterVelocityChange change;
        for (int k = 0; k < 3; ++k) change.center[k] = static_cast<float>(sum[k] / mass);
        Vec3 total, angularImpulse;
        double addedClusterMass = 0;
        double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
        for (int m = 0; m < cluster.members; ++m) {
            const Vec3 r = x[own[m].point] - change.center;
            const double w = own[m].weight;
            xx += w * double(r.x * r.x), yy += w * double(r.y * r.y), zz += w * double(r.z * r.z);
            xy += w * double(r.x * r.y), yz += w * double(r.y * r.z), zx += w * double(r.z * r.x);
            const Vec3 impulse = impulses[own[m].point];
            if (impulse == Vec3{}) continue;
            const Vec3 clusterImpulse = shareOf(own[m].point, c) * impulse;
            total += clusterImpulse;
            angularImpulse += cross(r, clusterImpulse);
            if (addedMass.count) addedClusterMass += double(shareOf(own[m].point, c) * addedMass[own[m].point]);
        }
        change.velocity = (total - static_cast<float>(addedClusterMass) * gravityVelocity) /
                          static_cast<float>(mass + addedClusterMass);
        const float speed = length(change.velocity);
        if (addedClusterMass > 0 && speed > maxChange) {
            change.velocity *= maxChange / speed;
            angularImpulse *= maxChange / speed;
        }
        angularImpulse *= static_cast<float>(mass / (mass + addedClusterMass));
        // Cramer's rule; a body that is a line or a point does not rotate.
        const double a = yy + zz, b = xx + zz, d = xx + yy, trace = xx + yy + zz;
        const double cofactor[6] = {b * d - yz * yz,  a * d - zx * zx,  a * b - xy * xy,
                                    zx * yz + xy * d, xy * yz + zx * b, xy * zx + yz * a};
        const double det = a * cofactor[0] - xy * cofactor[3] - zx * cofactor[4];
        if (det > 1e-9 * trace * trace * trace) {
            const double t[3] = {angularImpulse.x, angularImpulse.y, angularImpulse.z};
            change.spin = {static_cast<float>((cofactor[0] * t[0] + cofactor[3] * t[1] + cofactor[4] * t[2]) / det),
                           static_cast<float>((cofactor[3] * t[0] + cofactor[1] * t[1] + cofactor[5] * t[2]) / det),
                           static_cast<float>((cofactor[4] * t[0] + cofactor[5] * t[1] + cofactor[2] * t[2]) / det)};
        }
        changes[c] = change;
    }
};

struct ApplyVelocityChanges {
    Span<const int> membershipStarts;
    Span<const Membership> memberships;
    Span<const ClusterVelocityChange> changes;
    Span<const float> inverseMass;
    Span<const Vec3> x;
    Span<Vec3> v;
    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        for (int p = membershipStarts[i]; p < membershipStarts[i + 1]; ++p) {
            const ClusterVelocityChange& change = changes[memberships[p].cluster];
            v[i] += memberships[p].share * (change.velocity + cross(change.spin, x[i] - change.center));
        }
    }
};

}  // namespace

void SoftBodies::push(State& state, const Vec3* impulses, const FluidAround& fluid) {
    SoftPoints& all = state.soft;
    impulses_.resizeDiscard(all.count());
    addedMass_.resizeDiscard(fluid.density > 0 ? all.count() : 0);
    for (size_t b = 0; b < bodies_.size(); ++b) {
        // In two dimensions fluids act on a depth of one metre, bodies are one spacing deep.
        const float depth = dimensions_ == 2 ? bodies_[b].spacing : 1;
        for (int i = bodyStarts_[b]; i < bodyStarts_[b + 1]; ++i) impulses_[i] = depth * impulses[i];
        const float excess = fluid.density / bodies_[b].body.params.density - kMaxDensityRatio;
        for (int i = bodyStarts_[b]; i < bodyStarts_[b + 1] && !addedMass_.empty(); ++i)
            addedMass_[i] = excess > 0 && inverseMass_[i] > 0 ? kSurfaceShare * excess / inverseMass_[i] : 0;
    }
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

// Finds the points of colliding bodies that may touch in this substep.
void SoftBodies::findNear(const SoftPoints& all) {
    near_.resizeDiscard(0);
    candidatePairs_ = 0;
    if (!anyPairs_) return;
    const auto bodies = static_cast<int>(bodies_.size());
    bounds_.resizeDiscard(bodies);
    forEach(device_, "boundBodies", bodies,
            BoundBody{bodyStarts_.data(), xBefore_.span(), all.x.span(), bounds_.span()}, 1);
    // Shape matching may move points as far again.
    const float travel =
        std::sqrt(reduce(device_, "travel", all.count(), 0.0f, Travel{xBefore_.span(), all.x.span()}, Largest{}));
    const float reach = 2 * largestRadius_ + 2 * travel;
    bool any = false;
    for (int a = 0; a < bodies; ++a)
        if (!bodies_[a].body.params.bodyCollision) bounds_[a] = Bounds{};
    for (int a = 0; a < bodies && !any; ++a)
        for (int b = a + 1; b < bodies && !any; ++b)
            any = !bounds_[a].empty() && !bounds_[b].empty() && overlap(bounds_[a], bounds_[b], reach);
    if (!any) return;
    isNear_.resizeDiscard(all.count());
    forEach(device_, "markNear", all.count(),
            MarkNear{body_.span(), bounds_.span(), reach, xBefore_.span(), all.x.span(), isNear_.span()});
    scan(isNear_, starts_);
    const int count = starts_[all.count()];
    if (count == 0) return;
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

// Vertices keep half the thickness from colliders, inner points half a spacing, which is their distance from the
// surface.
void SoftBodies::placeColliders() {
    const Span<const PlacedCollider> placed = colliders_.placed();
    inflated_.resizeDiscard(2 * static_cast<int>(bodies_.size()) * placed.count);
    int next = 0;
    for (const PreparedBody& prepared : bodies_) {
        const float radius = prepared.body.faces.empty() ? 0.5f * prepared.spacing : 0;
        for (const float gap : {std::max(radius, 0.5f * prepared.body.params.thickness), 0.49f * prepared.spacing})
            for (int c = 0; c < placed.count; ++c) {
                inflated_[next] = placed[c];
                inflated_[next++].gap += gap;
            }
    }
}

void SoftBodies::collideWithColliders(SoftPoints& all, float dt) {
    forEach(device_, "touchColliders", all.count(),
            CollideSoft{inflated_.span(), colliders_.placed().count, group_.span(), body_.span(), constants_.span(),
                        inverseMass_.span(), dt, xBefore_.span(), all.x.span(), all.v.span()},
            64);
}

}  // namespace purl

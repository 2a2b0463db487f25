#include "solver/soft/soft.h"

#include <algorithm>
#include <cmath>

#include "solver/core/error.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

// v += Δt a, v := e^(−c Δt) v, x += Δt v; pinned points are put where they belong.
struct PredictSoft {
    Span<const SoftConstants> bodies;
    Span<const int> body;
    Span<const float> inverseMass, pin;
    Span<const Vec3> pull, from, to;
    float shareAfter;
    float dt;
    Span<Vec3> x, v, xBefore;

    PURL_HD void operator()(int i) const {
        const SoftConstants& b = bodies[body[i]];
        xBefore[i] = x[i];
        if (!(inverseMass[i] > 0)) {
            x[i] = ledTo(from[i], to[i], shareAfter);
            v[i] = (x[i] - xBefore[i]) / dt;
            return;
        }
        v[i] = b.frozen ? Vec3{} : b.damp * (v[i] + dt * pull[i]);
        x[i] += dt * v[i];
        if (!(pin[i] > 0)) return;
        const Vec3 drawn = drawnTo(x[i], lerp(from[i], to[i], shareAfter), pin[i], dt);
        v[i] += (drawn - x[i]) / dt;
        x[i] = drawn;
    }
};

struct HoldInPlane {
    Span<Vec3> x, v;
    PURL_HD void operator()(int i) const { x[i].z = v[i].z = 0; }
};

struct TouchSoft {
    Span<const PlacedCollider> colliders;  // those of each group
    int count;
    Span<const int> group, body;
    Span<const SoftConstants> bodies;
    Span<const float> inverseMass;
    float dt;
    Span<const Vec3> xBefore;
    Span<Vec3> x, v;

    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        Vec3 place = x[i], unused = v[i];
        touchColliders({colliders.data + group[i] * count, count}, bodies[body[i]].friction, dt, xBefore[i], place,
                       unused);
        v[i] += (place - x[i]) / dt;
        x[i] = place;
    }
};

// The box of a body's ways.
struct BoundBody {
    const int* firsts;
    Span<const Vec3> xBefore, x;
    Span<Bounds> bounds;
    PURL_HD void operator()(int b) const {
        Bounds box;
        for (int i = firsts[b]; i < firsts[b + 1]; ++i) {
            box.include(xBefore[i]);
            box.include(x[i]);
        }
        bounds[b] = box;
    }
};

PURL_HD bool meet(const Bounds& a, const Bounds& b, float reach) {
    return a.low.x - reach <= b.high.x && b.low.x - reach <= a.high.x && a.low.y - reach <= b.high.y &&
           b.low.y - reach <= a.high.y && a.low.z - reach <= b.high.z && b.low.z - reach <= a.high.z;
}

// Whether a point comes near the box of another body.
struct MarkNear {
    Span<const int> body;
    Span<const Bounds> bounds;  // without any where a body does not collide
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
            if (b != body[i] && !bounds[b].empty() && meet(bounds[b], own, reach)) isNear[i] = 1;
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
    buffer.renew(static_cast<int>(values.size()));
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
    range.vertices = static_cast<int>(scene.softBodies[static_cast<size_t>(b)].points.size());
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
            all.x[i] = all.rest[i] = all.target[i] = points[static_cast<size_t>(i - first)];
            all.v[i] = body.params.startVelocity;
        }
        all.addBody(end - first, body.dragTo);
    }
    for (int b = 0; b < all.bodies(); ++b)
        if (!scene.softBodies[static_cast<size_t>(b)].params.drag) all.held[b] = -1;
}

void takeSoftTargets(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    for (int b = 0; b < all.bodies(); ++b) {
        const SoftBody& body = scene.softBodies[static_cast<size_t>(b)];
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
      partStarts_(device),
      parts_(device),
      body_(device),
      group_(device),
      inverseMass_(device),
      radius_(device),
      pin_(device),
      constants_(device),
      colliders_(device),
      thickened_(device),
      sums_(device),
      bendSums_(device),
      bends_(device),
      matches_(device),
      impulses_(device),
      added_(device),
      kicks_(device),
      xBefore_(device),
      from_(device),
      to_(device),
      bounds_(device),
      isNear_(device),
      starts_(device),
      touching_(device),
      others_(device),
      otherCounts_(device),
      touchingOnes_(device),
      near_(device),
      nearX_(device),
      moved_(device),
      neighbors_(device) {}

void SoftBodies::set(const Scene& scene, const State& state) {
    device_.synchronize();
    const SoftPoints& all = state.soft;
    bool renewed = bodies_.size() != scene.softBodies.size() || dimensions_ != scene.solver.dimensions;
    dimensions_ = scene.solver.dimensions;
    bodies_.resize(scene.softBodies.size());
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const SoftRange range = softRange(state, scene, static_cast<int>(b));
        const Span<const Vec3> rest{all.rest.data() + range.first, range.points};
        try {
            renewed = takeUp(scene.softBodies[b], rest, all.held[static_cast<int>(b)], bodies_[b]) || renewed;
        } catch (...) {
            bodies_.clear();
            throw;
        }
    }
    if (renewed) assemble();
}

// True where it is not as it was. A mesh that moves is no change: only the shape at rest counts.
bool SoftBodies::takeUp(const SoftBody& body, Span<const Vec3> rest, int held, Taken& taken) const {
    std::vector<char> pinned(static_cast<size_t>(rest.count));
    for (size_t i = 0; i < body.points.size(); ++i)
        pinned[i] = body.params.freeze || (!body.pins.empty() && body.pins[i] >= 1) || static_cast<int>(i) == held;
    const bool same = sameParams(taken.body.params, body.params) && taken.body.faces == body.faces &&
                      taken.body.pins == body.pins && taken.body.points.size() == body.points.size() &&
                      taken.pinned == pinned && taken.rest.size() == pinned.size() &&
                      std::equal(rest.begin(), rest.end(), taken.rest.begin());
    taken.body = body;
    if (same) return false;
    taken.rest.assign(rest.begin(), rest.end());
    taken.pinned = pinned;
    taken.spacing = spacingOf(body.params, {rest.data, static_cast<int>(body.points.size())});
    taken.anatomy = anatomyOf(body, rest, pinned);
    return true;
}

// One list of all bodies from theirs.
void SoftBodies::assemble() {
    Anatomy all;
    all.partStarts = {0};
    std::vector<Chunk> chunks;
    std::vector<int> owners, groups;
    std::vector<float> inverseMasses, pins;
    firsts_.assign(1, 0);
    anyQuadratic_ = anyYields_ = anyPush_ = false;
    int colliding = 0;
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const Anatomy& own = bodies_[b].anatomy;
        const SoftBody& body = bodies_[b].body;
        const auto firstPoint = static_cast<int>(owners.size()), firstMember = static_cast<int>(all.members.size()),
                   firstCluster = static_cast<int>(all.clusters.size()), firstPart = static_cast<int>(all.parts.size()),
                   firstQuadratic = static_cast<int>(all.quadratics.size());
        for (Cluster cluster : own.clusters) {
            cluster.body = static_cast<int>(b);
            cluster.firstMember += firstMember;
            cluster.middle += firstMember;
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
        for (Membership part : own.parts) {
            part.cluster += firstCluster;
            all.parts.push_back(part);
        }
        for (size_t i = 1; i < own.partStarts.size(); ++i) all.partStarts.push_back(own.partStarts[i] + firstPart);
        append(all.quadratics, own.quadratics);
        append(all.radii, own.radii);
        for (size_t i = 0; i < own.masses.size(); ++i) {
            const bool vertex = i < body.points.size();
            owners.push_back(static_cast<int>(b));
            groups.push_back(static_cast<int>(2 * b) + (vertex ? 0 : 1));
            inverseMasses.push_back(bodies_[b].pinned[i] ? 0 : 1 / own.masses[i]);
            pins.push_back(vertex && !body.pins.empty() ? body.pins[i] : 0);
        }
        firsts_.push_back(static_cast<int>(owners.size()));
        anyQuadratic_ = anyQuadratic_ || !own.quadratics.empty();
        anyYields_ = anyYields_ || body.params.yieldStrain > 0;
        anyPush_ = anyPush_ || body.params.matching == SoftMatching::velocity;
        colliding += body.params.bodyCollision ? 1 : 0;
    }
    anyPairs_ = colliding > 1;
    put(clusters_, all.clusters);
    put(quadratics_, all.quadratics);
    put(chunks_, chunks);
    put(members_, all.members);
    put(partStarts_, all.partStarts);
    put(parts_, all.parts);
    put(body_, owners);
    put(group_, groups);
    put(inverseMass_, inverseMasses);
    put(radius_, all.radii);
    put(pin_, pins);
    largestRadius_ = all.radii.empty() ? 0 : *std::max_element(all.radii.begin(), all.radii.end());
}

// Where led points come from and go to over the frame; and picks what comes in reach of what drags.
void SoftBodies::setTargets(State& state, const Scene& scene) {
    SoftPoints& all = state.soft;
    bool picked = false;
    from_ = all.target;
    to_ = all.target;
    for (int b = 0; b < all.bodies(); ++b) {
        const SoftBody& body = scene.softBodies[static_cast<size_t>(b)];
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

// A stretch that stays for each cluster. Bodies whose clusters were cut anew have lost theirs.
void SoftBodies::fitPlastic(SoftPoints& all) const {
    std::vector<int> wanted;
    for (const Taken& taken : bodies_) wanted.push_back(static_cast<int>(taken.anatomy.clusters.size()));
    if (std::equal(wanted.begin(), wanted.end(), all.clusters.begin(), all.clusters.end())) return;
    const Buffer<Mat3> before = all.plastic;
    all.plastic.renew(clusters_.size());
    int from = 0, to = 0;
    for (size_t b = 0; b < wanted.size(); ++b) {
        int& had = all.clusters[static_cast<int>(b)];
        for (int k = 0; k < wanted[b]; ++k) all.plastic[to++] = had == wanted[b] ? before[from + k] : Mat3{};
        from += had;
        had = wanted[b];
    }
}

void SoftBodies::setConstants(float dt) {
    device_.synchronize();
    constants_.renew(static_cast<int>(bodies_.size()));
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const SoftBodyParams& params = bodies_[b].body.params;
        const bool pushes = params.matching == SoftMatching::velocity && !params.freeze;
        SoftConstants c;
        c.iterations = pushes ? 1 : params.iterations;
        c.share =
            pushes ? 0 : static_cast<float>(params.freeze ? 1 : softShare(params.stiffness, dt, params.iterations));
        c.push = pushes ? static_cast<float>(softShare(params.stiffness, dt) / double(dt)) : 0;
        c.beta = params.freeze ? 0 : params.beta;
        c.keepVolume = params.keepVolume;
        c.quadratic = params.goal == SoftGoal::quadratic && c.beta > 0;
        c.plane = dimensions_ == 2;
        c.yield = params.freeze ? 0 : params.yieldStrain;
        c.creep = dt * params.creep;
        c.maxCreep = params.maxCreep;
        c.damp = std::exp(-params.damping * dt);
        c.friction = params.friction;
        c.frozen = params.freeze;
        constants_[static_cast<int>(b)] = c;
    }
}

void SoftBodies::match(SoftPoints& all, int iteration, bool creeps) {
    forEach(device_, "sumClusters", chunks_.size(),
            SumChunks{chunks_.span(), clusters_.span(), members_.span(), constants_.span(), iteration, all.x.span(),
                      sums_.span(), bendSums_.span()},
            1);
    forEach(
        device_, "matchClusters", clusters_.size(),
        MatchClusters{clusters_.span(), quadratics_.span(), members_.span(), constants_.span(), iteration, all.x.span(),
                      sums_.span(), bendSums_.span(), creeps, all.plastic.span(), matches_.span(), bends_.span()},
        4);
}

void SoftBodies::move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& pull) {
    device_.synchronize();
    SoftPoints& all = state.soft;
    setTargets(state, scene);
    fitPlastic(all);
    xBefore_.renew(all.count());
    sums_.renew(chunks_.size());
    matches_.renew(clusters_.size());
    if (anyQuadratic_) {
        bendSums_.renew(chunks_.size());
        bends_.renew(clusters_.size());
    }
    double limit = kUnbounded;
    int iterations = 1;
    std::string quickest;
    for (const Taken& taken : bodies_) {
        if (double(taken.body.params.maxTimeStep) < limit) quickest = taken.body.name;
        limit = std::min(limit, double(taken.body.params.maxTimeStep));
        iterations = std::max(iterations, taken.body.params.iterations);
    }
    const int steps = smallSteps(step, limit, quickest);
    const Goals goals{partStarts_.span(), parts_.span(), clusters_.span(), matches_.span(), bends_.span()};
    const bool collide = !step.members->empty();
    setConstants(step.dt / static_cast<float>(steps));
    for (int s = 0; s < steps; ++s) {
        const auto [dt, ofStep, shares] = smallStep(step, s, steps);
        if (collide) {
            colliders_.moveTo(*step.colliders, *step.members, shares.before, shares.after, dt, ofStep);
            placeColliders();
        }
        // Where they are: on their way to where they would go they are stretched more than anyone sees.
        if (anyPush_ || anyYields_) match(all, 0, true);
        if (anyPush_)
            forEach(
                device_, "pushToGoals", all.count(),
                PushToGoals{goals, constants_.span(), body_.span(), inverseMass_.span(), all.x.span(), all.v.span()});
        forEach(device_, "predictSoft", all.count(),
                PredictSoft{constants_.span(), body_.span(), inverseMass_.span(), pin_.span(), pull.span(),
                            from_.span(), to_.span(), shares.after, dt, all.x.span(), all.v.span(), xBefore_.span()});
        findNear(all);
        for (int iteration = 0; iteration < iterations; ++iteration) {
            match(all, iteration, false);
            forEach(device_, "moveToGoals", all.count(),
                    MoveToGoals{goals, constants_.span(), body_.span(), inverseMass_.span(), iteration, 1 / dt,
                                all.x.span(), all.v.span()});
            pushApart(all, dt);
            if (collide) touch(all, dt);
        }
        if (dimensions_ == 2) forEach(device_, "holdInPlane", all.count(), HoldInPlane{all.x.span(), all.v.span()});
    }
}

namespace {

// The fluid that a body has to move out of its way does not know yet, in the step that it pushes in, that the body will
// give way: a body that is much lighter than that fluid would be thrown farther each time. What this fluid weighs more
// than kMostAddedMass times the body is therefore moved along, and falls with it, so that a body that floats still
// does.
constexpr float kMostAddedMass = 4;
// Only points on the surface are pushed; they stand for those behind them.
constexpr float kSurfaceShare = 2;

// Δv = P/m + ω × r,  I ω = Σ r × J: momentum and angular momentum are those of the impulses. Points alone would be
// pressed in by as much as the step is long.
struct GatherKick {
    Span<const Cluster> clusters;
    Span<const Member> members;
    Span<const int> partStarts;
    Span<const Membership> parts;
    Span<const Vec3> x, impulses;
    Span<const float> added;  // kg, that moves with each point that is pushed, and is no part of it
    Vec3 fall;                // m/s, by gravity in the step
    float most;               // m/s, that such a push may change a cluster's velocity by
    Span<ClusterKick> kicks;

    PURL_HD float shareOf(int point, int cluster) const {
        for (int p = partStarts[point]; p < partStarts[point + 1]; ++p)
            if (parts[p].cluster == cluster) return parts[p].share;
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
        ClusterKick kick;
        for (int k = 0; k < 3; ++k) kick.center[k] = static_cast<float>(sum[k] / mass);
        Vec3 total, turn;
        double carried = 0;
        double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
        for (int m = 0; m < cluster.members; ++m) {
            const Vec3 r = x[own[m].point] - kick.center;
            const double w = own[m].weight;
            xx += w * double(r.x * r.x), yy += w * double(r.y * r.y), zz += w * double(r.z * r.z);
            xy += w * double(r.x * r.y), yz += w * double(r.y * r.z), zx += w * double(r.z * r.x);
            const Vec3 impulse = impulses[own[m].point];
            if (impulse == Vec3{}) continue;
            const Vec3 taken = shareOf(own[m].point, c) * impulse;
            total += taken;
            turn += cross(r, taken);
            if (added.count) carried += double(shareOf(own[m].point, c) * added[own[m].point]);
        }
        kick.velocity = (total - static_cast<float>(carried) * fall) / static_cast<float>(mass + carried);
        const float speed = length(kick.velocity);
        if (carried > 0 && speed > most) {
            kick.velocity *= most / speed;
            turn *= most / speed;
        }
        turn *= static_cast<float>(mass / (mass + carried));
        // By Cramer's rule; a body that is a line or a point does not turn.
        const double a = yy + zz, b = xx + zz, d = xx + yy, trace = xx + yy + zz;
        const double cofactor[6] = {b * d - yz * yz,  a * d - zx * zx,  a * b - xy * xy,
                                    zx * yz + xy * d, xy * yz + zx * b, xy * zx + yz * a};
        const double det = a * cofactor[0] - xy * cofactor[3] - zx * cofactor[4];
        if (det > 1e-9 * trace * trace * trace) {
            const double t[3] = {turn.x, turn.y, turn.z};
            kick.spin = {static_cast<float>((cofactor[0] * t[0] + cofactor[3] * t[1] + cofactor[4] * t[2]) / det),
                         static_cast<float>((cofactor[3] * t[0] + cofactor[1] * t[1] + cofactor[5] * t[2]) / det),
                         static_cast<float>((cofactor[4] * t[0] + cofactor[5] * t[1] + cofactor[2] * t[2]) / det)};
        }
        kicks[c] = kick;
    }
};

struct ApplyKicks {
    Span<const int> partStarts;
    Span<const Membership> parts;
    Span<const ClusterKick> kicks;
    Span<const float> inverseMass;
    Span<const Vec3> x;
    Span<Vec3> v;
    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        for (int p = partStarts[i]; p < partStarts[i + 1]; ++p) {
            const ClusterKick& kick = kicks[parts[p].cluster];
            v[i] += parts[p].share * (kick.velocity + cross(kick.spin, x[i] - kick.center));
        }
    }
};

}  // namespace

void SoftBodies::push(State& state, const Vec3* impulses, const FluidAround& fluid) {
    SoftPoints& all = state.soft;
    impulses_.renew(all.count());
    added_.renew(fluid.density > 0 ? all.count() : 0);
    for (size_t b = 0; b < bodies_.size(); ++b) {
        // In two dimensions fluids push as if a metre deep; bodies are as deep as their spacing.
        const float depth = dimensions_ == 2 ? bodies_[b].spacing : 1;
        for (int i = firsts_[b]; i < firsts_[b + 1]; ++i) impulses_[i] = depth * impulses[i];
        const float excess = fluid.density / bodies_[b].body.params.density - kMostAddedMass;
        for (int i = firsts_[b]; i < firsts_[b + 1] && !added_.empty(); ++i)
            added_[i] = excess > 0 && inverseMass_[i] > 0 ? kSurfaceShare * excess / inverseMass_[i] : 0;
    }
    kicks_.renew(clusters_.size());
    forEach(device_, "gatherKick", clusters_.size(),
            GatherKick{clusters_.span(), members_.span(), partStarts_.span(), parts_.span(), all.x.span(),
                       impulses_.span(), std::as_const(added_).span(), fluid.fall, fluid.mostKick, kicks_.span()},
            1);
    forEach(
        device_, "applyKicks", all.count(),
        ApplyKicks{partStarts_.span(), parts_.span(), kicks_.span(), inverseMass_.span(), all.x.span(), all.v.span()});
    device_.synchronize();
    if (dimensions_ == 2) forEach(device_, "holdInPlane", all.count(), HoldInPlane{all.x.span(), all.v.span()});
}

// Which points of colliding bodies may touch in this small step.
void SoftBodies::findNear(const SoftPoints& all) {
    near_.renew(0);
    candidates_ = 0;
    if (!anyPairs_) return;
    const auto bodies = static_cast<int>(bodies_.size());
    bounds_.renew(bodies);
    forEach(device_, "boundBodies", bodies, BoundBody{firsts_.data(), xBefore_.span(), all.x.span(), bounds_.span()},
            1);
    // Shapes move points about as far once more.
    const float travel =
        std::sqrt(reduce(device_, "travel", all.count(), 0.0f, Travel{xBefore_.span(), all.x.span()}, Largest{}));
    const float reach = 2 * largestRadius_ + 2 * travel;
    device_.synchronize();
    bool any = false;
    for (int a = 0; a < bodies; ++a)
        if (!bodies_[static_cast<size_t>(a)].body.params.bodyCollision) bounds_[a] = Bounds{};
    for (int a = 0; a < bodies && !any; ++a)
        for (int b = a + 1; b < bodies && !any; ++b)
            any = !bounds_[a].empty() && !bounds_[b].empty() && meet(bounds_[a], bounds_[b], reach);
    if (!any) return;
    isNear_.renew(all.count());
    forEach(device_, "markNear", all.count(),
            MarkNear{body_.span(), bounds_.span(), reach, xBefore_.span(), all.x.span(), isNear_.span()});
    scan(isNear_, starts_);
    device_.synchronize();
    const int count = starts_[all.count()];
    if (count == 0) return;
    near_.renew(count);
    nearX_.renew(count);
    moved_.renew(count);
    touching_.renew(count);
    forEach(device_, "gatherNear", all.count(),
            GatherNear{isNear_.span(), starts_.span(), body_.span(), constants_.span(), radius_.span(),
                       inverseMass_.span(), all.x.span(), near_.span(), nearX_.span()});
    neighbors_.build(nearX_, reach);
    others_.renew(neighbors_.listSize());
    touchingOnes_.renew(neighbors_.listSize());
    otherCounts_.renew(count);
    forEach(device_, "listOthers", count,
            ListOthers{neighbors_.view(), near_.span(), others_.span(), otherCounts_.span()});
    candidates_ = neighbors_.pairCount();
}

void SoftBodies::pushApart(SoftPoints& all, float dt) {
    const int count = near_.size();
    if (count == 0) return;
    const int* const starts = neighbors_.view().starts;
    forEach(device_, "listTouching", count,
            ListTouching{starts, others_.span(), otherCounts_.span(), near_.span(), xBefore_.span(), all.x.span(),
                         touchingOnes_.span(), touching_.span()},
            64);
    forEach(device_, "pushBodiesApart", count,
            PushBodiesApart{starts, touchingOnes_.span(), touching_.span(), near_.span(), xBefore_.span(), all.x.span(),
                            moved_.span()},
            64);
    forEach(device_, "applyMoves", count, ApplyMoves{near_.span(), moved_.span(), 1 / dt, all.x.span(), all.v.span()});
}

// Vertices keep half the thickness away from colliders, inner points half a spacing: they lie no nearer to the surface.
void SoftBodies::placeColliders() {
    const Span<const PlacedCollider> placed = colliders_.placed();
    device_.synchronize();
    thickened_.renew(2 * static_cast<int>(bodies_.size()) * placed.count);
    int next = 0;
    for (const Taken& taken : bodies_) {
        const float ball = taken.body.faces.empty() ? 0.5f * taken.spacing : 0;
        for (const float gap : {std::max(ball, 0.5f * taken.body.params.thickness), 0.49f * taken.spacing})
            for (int c = 0; c < placed.count; ++c) {
                thickened_[next] = placed[c];
                thickened_[next++].gap += gap;
            }
    }
}

void SoftBodies::touch(SoftPoints& all, float dt) {
    forEach(device_, "touchColliders", all.count(),
            TouchSoft{thickened_.span(), colliders_.placed().count, group_.span(), body_.span(), constants_.span(),
                      inverseMass_.span(), dt, xBefore_.span(), all.x.span(), all.v.span()},
            64);
}

}  // namespace purl

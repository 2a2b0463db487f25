#include "solver/cloth/cloth.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cloth/air.h"
#include "solver/cloth/centroid.h"
#include "solver/cloth/contact.h"
#include "solver/cloth/forces.h"
#include "solver/cloth/tear.h"
#include "solver/cloth/thickness.h"
#include "solver/core/copy.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/search/cellGrid.h"

namespace purl {
namespace {

constexpr int kPointsAtATime = 512;  // in loops that do little for each

// x += Δt v; pinned points are put where they belong, with the velocity of their way.
struct Predict {
    Span<const float> inverseMass;
    const Vec3 *from, *to;
    float shareAfter;
    float dt;
    Vec3 *x, *v, *xBefore;

    PURL_HD void operator()(int i) const {
        xBefore[i] = x[i];
        if (inverseMass[i] > 0) {
            x[i] += dt * v[i];
            return;
        }
        x[i] = ledTo(from[i], to[i], shareAfter);
        v[i] = (x[i] - xBefore[i]) / dt;
    }
};

// v = (x − xBefore)/Δt
struct TakeVelocity {
    float dt;
    const Vec3 *x, *xBefore;
    Vec3* v;
    PURL_HD void operator()(int i) const { v[i] = (x[i] - xBefore[i]) / dt; }
};

// v += Δt (weight · pull + f/m)
struct Kick {
    Span<const float> inverseMass;
    const Vec3* pull;
    float weight;       // what the fluid around leaves of it
    const Vec3* force;  // or null
    float dt;
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        v[i] += dt * (force ? weight * pull[i] + inverseMass[i] * force[i] : weight * pull[i]);
    }
};

// sum = a + s b
struct AddScaled {
    const Vec3* a;
    float s;
    const Vec3* b;
    Vec3* sum;
    PURL_HD void operator()(int i) const { sum[i] = a[i] + s * b[i]; }
};

// A spring that is too long is shortened at once, whatever its stiffness, and its ends' velocities follow.
struct Shorten {
    Span<const Spring> springs;
    int first;
    Span<const float> w;
    float limit;
    float inverseStep;  // 1/s
    Vec3 *x, *v;

    PURL_HD void operator()(int i) const {
        const Spring spring = springs[first + i];
        const float wa = w[spring.a], wb = w[spring.b], most = (1 + limit) * spring.rest;
        const Vec3 s = x[spring.a] - x[spring.b];
        const float l = length(s);
        if (!(l > most) || !(wa + wb > 0)) return;
        const Vec3 move = ((l - most) / (l * (wa + wb))) * s;
        x[spring.a] -= wa * move;
        x[spring.b] += wb * move;
        v[spring.a] -= (wa * inverseStep) * move;
        v[spring.b] += (wb * inverseStep) * move;
    }
};

struct Stretch {
    Span<const Spring> springs;
    const Vec3* x;
    PURL_HD float operator()(int e) const {
        const Spring& spring = springs[e];
        return length(x[spring.a] - x[spring.b]) / spring.rest - 1;
    }
};

struct WayBounds {
    const Vec3 *from, *to;
    PURL_HD Bounds operator()(int i) const { return {min(from[i], to[i]), max(from[i], to[i])}; }
};

struct Draw {
    Span<const float> pin, inverseMass;
    const Vec3 *from, *to;
    float shareAfter;
    float dt;
    Vec3* x;
    PURL_HD void operator()(int i) const {
        if (pin[i] > 0 && inverseMass[i] > 0) x[i] = drawnTo(x[i], lerp(from[i], to[i], shareAfter), pin[i], dt);
    }
};

float largestStrain(const Fabric& fabric, const Vec3* x) {
    return reduce(fabric.springs.device(), "largestStrain", fabric.springs.size(), 0.0f,
                  Stretch{fabric.springs.span(), x}, Largest{});
}

}  // namespace

void startCloths(State& state, const Scene& scene) {
    ClothPoints& points = state.cloth;
    for (const Cloth& cloth : scene.cloths) {
        points.counts.resize(points.counts.size() + 1);
        points.counts[points.counts.size() - 1] = static_cast<int>(cloth.points.size());
    }
    takeTargets(state, scene);
    points.resize(points.target.size());
    points.x = points.rest = points.target;
    int i = 0;
    for (const Cloth& cloth : scene.cloths)
        for (size_t k = 0; k < cloth.points.size(); ++k) points.v[i++] = cloth.params.startVelocity;
}

void takeTargets(State& state, const Scene& scene) {
    ClothPoints& points = state.cloth;
    const auto cloths = static_cast<int>(scene.cloths.size());
    points.target.resize(points.firstOf(cloths));
    for (int c = 0, i = 0; c < cloths; ++c)
        for (int k = 0; k < points.counts[c]; ++k, ++i)
            points.target[i] = scene.cloths[static_cast<size_t>(c)]
                                   .points[static_cast<size_t>(points.origins.empty() ? k : points.origins[i])];
}

Cloths::Cloths(const Device& device)
    : device_(device),
      colliders_(device),
      implicit_(device),
      estimate_(device),
      xBefore_(device),
      force_(device),
      element_(device),
      to_(device),
      xNew_(device),
      vNew_(device),
      remembered_(device),
      damped_(device),
      rows_(device),
      neighbors_(device),
      owners_(device),
      owner_(device),
      layers_(device),
      from_(device),
      normals_(device),
      thickened_(device),
      grip_(device),
      cling_(device),
      pushed_(device) {}

void Cloths::set(const Scene& scene, const State& state, Span<const float> saturation) {
    while (fabrics_.size() < scene.cloths.size()) fabrics_.emplace_back(device_);
    while (fabrics_.size() > scene.cloths.size()) fabrics_.pop_back();
    while (filters_.size() < fabrics_.size()) {
        filters_.emplace_back(device_);
        xpbds_.emplace_back(device_);
        directionals_.emplace_back();
    }
    gravity_ = scene.solver.gravity * normalized(scene.solver.gravityDirection, Vec3{});
    worn_.clear();
    for (size_t c = 0; c < scene.cloths.size(); ++c)
        worn_.push_back(asTorn(scene.cloths[c], state.cloth, static_cast<int>(c)));
    attachments_.set(scene, worn_, state.shapes, state.cloth.rest.span());
    attachments_.pin(worn_);
    int first = 0;
    for (size_t c = 0; c < worn_.size(); ++c) {
        const auto count = static_cast<int>(worn_[c].points.size());
        PURL_ASSERT(first + count <= state.cloth.count());
        const bool told = first + count <= saturation.count;
        fabrics_[c].set(worn_[c], {state.cloth.rest.data() + first, count},
                        told ? Span<const float>{saturation.data + first, count} : Span<const float>{});
        first += count;
    }
    setOwners();
    layers_.set(fabrics_, state.cloth.rest.span());
}

void Cloths::setOwners() {
    reach_ = 0;
    owners_.renew(static_cast<int>(fabrics_.size()));
    int first = 0, index = 0;
    for (const Fabric& fabric : fabrics_) {
        const ClothParams& params = fabric.params();
        const float own =
            params.selfDistance > 0 ? params.selfDistance : std::max(params.thickness, 0.8f * fabric.meanEdge());
        owners_[index] = {first,
                          params.selfCollision == SelfCollision::points ? 0.5f * own : 0,
                          params.friction,
                          fabric.springs.span(),
                          fabric.bends.span(),
                          fabric.starts.span(),
                          fabric.parts.span(),
                          fabric.inverseMass.span(),
                          {},
                          {}};
        if (params.selfCollision == SelfCollision::points) reach_ = std::max(reach_, own);
        owner_.resize(first + fabric.count());
        std::fill(owner_.begin() + first, owner_.end(), index++);
        first += fabric.count();
    }
}

void Cloths::move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& pull,
                  Span<const float> burden, Span<const float> saturation, bool asked) {
    asked_ = asked;
    pushes_.clear();
    ClothPoints& all = state.cloth;
    device_.synchronize();
    takeWetness(saturation);
    for (size_t f = 0; f < fabrics_.size() && burden.count; ++f)
        fabrics_[f].carry({burden.data + owners_[static_cast<int>(f)].first, fabrics_[f].count()});
    to_.renew(all.count());
    Vec3* at = to_.data();
    const Device host = Device::cpu(device_.threads());
    for (const Cloth& cloth : worn_) {
        const auto count = static_cast<int>(cloth.points.size());
        forEachChunk(host, "copyTargets", count, kPointsAtATime,
                     [&](int begin, int end) { std::copy_n(cloth.points.data() + begin, end - begin, at + begin); });
        at += count;
    }
    copyTo(from_, all.target);
    xBefore_.renew(all.count());
    force_.renew(all.count());
    report_ = {};

    double limit = kUnbounded;
    size_t stiffest = 0;
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        const ClothParams& params = fabrics_[f].params();
        double own = params.maxTimeStep;
        // A tenth less than the bound: forces that bend and turn are not linear.
        if (params.solver == ClothSolver::velocityVerlet) own = std::min(own, 0.9 * fabrics_[f].stepLimit());
        if (own < limit) stiffest = f;
        limit = std::min(limit, own);
    }
    const int steps = smallSteps(step, limit, worn_[stiffest].name);
    const bool collide = !step.members->empty();
    damped_.renew(all.count());
    xNew_.renew(all.count());
    for (int s = 0; s < steps; ++s) {
        const SmallStep small = smallStep(step, s, steps);
        const float dt = small.dt;
        const Shares ofStep = small.ofStep, shares = small.ofFrame;
        remember(state, double(dt));
        const auto pointsOf = [&](int first) {
            return Points{all.x.data() + first,
                          all.v.data() + first,
                          xBefore_.data() + first,
                          pull.data() + first,
                          from_.data() + first,
                          to_.data() + first,
                          all.clock.pushed > 0 ? remembered_.data() + first : nullptr,
                          damped_.data() + first,
                          grip_.empty() ? nullptr : grip_.data() + first,
                          cling_.empty() ? nullptr : cling_.data() + first};
        };
        if (collide) colliders_.moveTo(*step.colliders, *step.members, shares.before, shares.after, dt, ofStep);
        attachments_.lead(colliders_.placed(), from_.data(), to_.data());
        for (size_t f = 0; f < fabrics_.size(); ++f)
            moveFabric(f, pointsOf(owners_[static_cast<int>(f)].first), shares, dt,
                       state.time + double(step.dt) * double(ofStep.before));
        layers_.moveSolids(colliders_.placed());
        if (reach_ > 0) pushApart(all, dt);
        const auto touchAll = [&] {
            for (size_t f = 0; f < fabrics_.size(); ++f) {
                const int first = owners_[static_cast<int>(f)].first;
                const bool thick = fabrics_[f].layers() > 1;
                if (thick) std::copy_n(all.x.begin() + first, fabrics_[f].count(), xNew_.begin() + first);
                if (collide) touch(fabrics_[f], pointsOf(first), dt);
                if (thick) keepOrder(fabrics_[f], all.rest.data() + first, xNew_.data() + first, pointsOf(first));
            }
        };
        touchAll();
        if (!layers_.any()) continue;
        // What lies on solids is seen there, and not where it would have fallen to; and stays out of them.
        if (layers_.pushApart(xBefore_, all.x, all.v, dt)) touchAll();
        layers_.holdBack(all.x, all.v, dt);
        if (asked_) pushes_.insert(pushes_.end(), layers_.pushes().begin(), layers_.pushes().end());
    }
    report_.iterations /= steps;
    report_.error /= steps;
    if (mayTear(scene)) tearApart(state, scene);
}

void Cloths::tearApart(State& state, const Scene& scene) {
    device_.synchronize();
    std::vector<Torn> torn;
    bool any = false;
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        const Fabric& fabric = fabrics_[f];
        const int first = owners_[static_cast<int>(f)].first, count = fabric.count();
        const float limit = fabric.params().tearStrain;
        torn.push_back({{}, worn_[f].faces});
        if (!(limit > 0)) continue;
        torn.back().copies = tear(torn.back().faces, {state.cloth.rest.data() + first, count},
                                  {state.cloth.x.data() + first, count}, fabric.inverseMass.span(), limit);
        any = any || !torn.back().copies.empty();
    }
    if (!any) return;
    takeTears(state.cloth, torn);
    set(scene, state);
}

void Cloths::remember(State& state, double dt) {
    ClothPoints& all = state.cloth;
    int samples = 0;
    for (const Fabric& fabric : fabrics_) samples = std::max(samples, samplesOf(fabric.params(), dt));
    memories_.assign(fabrics_.size(), Memory{});
    if (samples == 0 && all.clock.pushed > 0) forget(all.past, all.clock);
    const int slot = samples > 0 ? nextSlot(all.past, all.clock, samples, dt, all.count()) : 0;
    rows_.renew(samples * static_cast<int>(fabrics_.size()));
    float* row = rows_.data();
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        const ClothParams& params = fabrics_[f].params();
        const double order = dampingOrder(params);
        if (samples > 0) {
            memories_[f] = memoryOf(order, samplesOf(params, dt), stepsRemembered(all.clock), dt);
            const std::vector<float> own = inRing(memories_[f].past, all.clock, samples, 1);
            row = std::copy(own.begin(), own.end(), row);
        }
        fabrics_[f].setLags(memories_[f].lag(params.damping, order), memories_[f].lag(params.bendDamping, order));
    }
    if (samples > 0) pushAndSum(all.past, samples, slot, all.v, rows_, owner_, remembered_);
}

const Vec3* Cloths::dampedVelocity(const Fabric& fabric, const Points& p) const {
    if (!p.remembered) return p.v;
    forEach(device_, "recall", fabric.count(), AddScaled{p.v, 1, p.remembered, p.damped});
    return p.damped;
}

const Vec3* Cloths::dampedFrom(const Fabric& fabric, const Points& p, float dt) const {
    if (!p.remembered) return p.xBefore;
    forEach(device_, "recall", fabric.count(), AddScaled{p.xBefore, -dt, p.remembered, p.damped});
    return p.damped;
}

void Cloths::pullSoftly(const Fabric& fabric, const Points& p, float dt) {
    // Folds have weights of 1, −2 and 1: four times a spring's pull on a point.
    const float stiffest = Directional::kSoftest * fabric.leastMass() / (dt * dt), latest = 10 * dt;
    innerForces(fabric, p.x, dampedVelocity(fabric, p), element_, force_.data(), {stiffest, latest},
                {0.25f * stiffest, latest});
    forEach(device_, "kick", fabric.count(), Kick{fabric.inverseMass.span(), p.pull, 0, force_.data(), dt, p.v});
}

void Cloths::moveFabric(size_t index, const Points& p, Shares shares, float dt, double time) {
    const Fabric& fabric = fabrics_[index];
    const ClothParams& params = fabric.params();
    const int count = fabric.count();
    const float weight = weightLeft(params);
    const Kick pulled{fabric.inverseMass.span(), p.pull, weight, nullptr, dt, p.v};
    const Predict predict{fabric.inverseMass.span(), p.from, p.to, shares.after, dt, p.x, p.v, p.xBefore};
    const Draw draw{fabric.pin.span(), fabric.inverseMass.span(), p.from, p.to, shares.after, dt, p.x};

    if (params.solver == ClothSolver::velocityVerlet) {
        //     v½ = v + ½ Δt a,  x' = x + Δt v½,  v' = v½ + ½ Δt a'   Bayraktar 5.25; what depends on v sees v½
        const Kick half{fabric.inverseMass.span(), p.pull, weight, force_.data(), 0.5f * dt, p.v};
        innerForces(fabric, p.x, dampedVelocity(fabric, p), element_, force_.data());
        forEach(device_, "kick", count, half);
        blow(index, p, shares, dt, time);
        forEach(device_, "predict", count, predict);
        forEach(device_, "drawToPins", count, draw);
        innerForces(fabric, p.x, dampedVelocity(fabric, p), element_, force_.data());
        forEach(device_, "kick", count, half);
        limitStrain(fabric, p, dt);
        return;
    }
    blow(index, p, shares, dt, time);
    forEach(device_, "kick", count, pulled);
    switch (params.solver) {
        case ClothSolver::implicitEuler: {
            const ClothReport solved =
                implicit_.solve(fabric, dt, params.tolerance, p.x, p.v, dampedVelocity(fabric, p));
            report_.iterations += solved.iterations;
            report_.error += solved.error;
            break;
        }
        case ClothSolver::precomputedFilter:
            filters_[index].solve(fabric, dt, p.x, p.v, dampedVelocity(fabric, p));
            break;
        case ClothSolver::neighborEstimate: estimate_.solve(fabric, dt, p.x, p.v, dampedVelocity(fabric, p)); break;
        case ClothSolver::directional: pullSoftly(fabric, p, dt); break;
        default: break;
    }
    forEach(device_, "predict", count, predict);
    const bool directional = params.solver == ClothSolver::directional;
    const Vec3 down = normalized(gravity_, Vec3{0, -1, 0});
    if (params.solver == ClothSolver::xpbd)
        xpbds_[index].solve(fabric, dt, params.iterations, dampedFrom(fabric, p, dt), p.x);
    device_.synchronize();
    if (directional) directionals_[index].enforceOn(fabric, down, params.iterations, p.x);
    forEach(device_, "drawToPins", count, draw);
    if (params.solver == ClothSolver::xpbd || directional)
        forEach(device_, "takeVelocity", count, TakeVelocity{dt, p.x, p.xBefore, p.v});
    device_.synchronize();
    if (directional)
        directionals_[index].steady(fabric, down, Directional::steadyShare(dt, length(gravity_), fabric.meanEdge()),
                                    p.v);
    limitStrain(fabric, p, dt);
}

void Cloths::blow(size_t index, const Points& p, Shares shares, float dt, double time) const {
    const Fabric& fabric = fabrics_[index];
    const ClothParams& params = fabric.params();
    const float inAir = fabric.ofLayer() * (1 - params.immersion);
    const float airDrag = inAir * params.airDrag, windDrag = inAir * params.windDrag;
    if (airDrag > 0 || windDrag > 0)
        forEach(device_, "blowOn", fabric.count(),
                BlowOn{fabric.fanStarts.span(), fabric.fans.span(), fabric.inverseMass.span(), fabric.area.span(),
                       params.wind, params.gusts, static_cast<float>(time), airDrag, windDrag, dt, p.x, p.v});
    if (isImmersed(params))
        forEach(device_, "dragInFluid", fabric.count(), dragOn(fabric, memories_[index], dt, p.remembered, p.x, p.v));
    if (params.follow > 0)
        forEach(device_, "followMesh", fabric.count(),
                FollowMesh{fabric.inverseMass.span(), p.from, p.to, shares, params.follow, dt, p.x, p.v});
    if (!fabric.coreLength.empty()) pullToCore(fabric, p, dt);
}

void Cloths::pullToCore(const Fabric& fabric, const Points& p, float dt) const {
    const int count = fabric.count();
    const CoreSum now =
        reduce(device_, "weighPoints", count, CoreSum{}, WeighPoint{fabric.mass.span(), p.x, p.v}, AddCoreSums{});
    const CoreSprings springs{fabric.area.span(),
                              fabric.inverseMass.span(),
                              fabric.coreLength.span(),
                              fabric.params().coreStiffness,
                              now.middle(),
                              now.drift(),
                              dt,
                              p.x};
    const Vec3 given = reduce(device_, "coreImpulse", count, Vec3{}, CoreImpulse{springs, p.v}, Sum{});
    const float free = reduce(device_, "freeMass", count, 0.0f, FreeMass{fabric.inverseMass.span()}, Sum{});
    if (free > 0) forEach(device_, "pullToCore", count, PullToCore{springs, given / free, p.v});
}

void Cloths::limitStrain(const Fabric& fabric, const Points& p, float dt) const {
    const float limit = fabric.params().strainLimit;
    if (!(limit > 0)) return;
    // A pass takes what is too long to the springs next to it: as many as it takes, if they are not too many.
    constexpr int kMostPasses = 64, kLookEvery = 4;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        if (pass % kLookEvery == 0 && largestStrain(fabric, p.x) <= 1.02f * limit) return;
        for (int c = 0; c < fabric.springColors.count(); ++c) {
            const int first = fabric.springColors.begin(c), end = fabric.springColors.end(c);
            forEach(device_, "limitStrain", end - first,
                    Shorten{fabric.springs.span(), first, fabric.inverseMass.span(), limit, 1 / dt, p.x, p.v});
        }
    }
}

void Cloths::pushApart(ClothPoints& all, float dt) {
    neighbors_.build(all.x, cling_.empty() ? reach_ : reach_ + kClingReach);
    xNew_.renew(all.count());
    vNew_.renew(all.count());
    forEach(device_, "pushApart", all.count(),
            PushApart{neighbors_.view(), owners_.span(), owner_.span(), all.rest.span(), all.x.span(), all.v.span(), dt,
                      xNew_.span(), vNew_.span()});
    device_.synchronize();
    all.x.swap(xNew_);
    all.v.swap(vNew_);
}

void Cloths::touch(const Fabric& fabric, const Points& p, float dt) {
    const Span<const PlacedCollider> placed = colliders_.placed();
    const auto thicken = [&](float by) {
        device_.synchronize();
        thickened_.renew(placed.count);
        for (int c = 0; c < placed.count; ++c) {
            thickened_[c] = placed[c];
            thickened_[c].gap += by;
        }
    };
    const float half = 0.5f * fabric.params().thickness;
    const bool clings = p.cling && fabric.params().stickiness + fabric.wetParams().wetCling > 0;
    // Most fabrics hang clear of most things.
    thicken(half + (clings ? kClingReach : 0));
    const Bounds ways =
        reduce(device_, "boundsOfWays", fabric.count(), Bounds{}, WayBounds{p.xBefore, p.x}, JoinBounds{});
    if (std::all_of(thickened_.begin(), thickened_.end(),
                    [&](const PlacedCollider& collider) { return isClearOf(collider, ways); }))
        return;
    if (asked_) pushed_.renew(fabric.count());
    ClothPush* const pushed = asked_ ? pushed_.data() : nullptr;
    const auto takePushes = [&] {
        if (!asked_) return;
        device_.synchronize();
        for (const ClothPush& push : pushed_)
            if (push.impulse != Vec3{}) pushes_.push_back(push);
    };
    thicken(half);
    forEach(device_, "touchColliders", fabric.count(),
            TouchColliders{thickened_.span(), fabric.inverseMass.span(), fabric.params().friction, p.grip, dt,
                           p.xBefore, p.x, p.v, pushed},
            64);
    takePushes();
    if (!clings) return;
    thicken(half + kClingReach);
    forEach(device_, "clingToColliders", fabric.count(),
            ClingToColliders{thickened_.span(), fabric.inverseMass.span(), p.cling, dt, p.xBefore, p.x, p.v, pushed},
            64);
    takePushes();
}

// Where nothing is wet nor sticks by itself, there is nothing to know of single points.
void Cloths::takeWetness(Span<const float> saturation) {
    const bool sticks = std::any_of(fabrics_.begin(), fabrics_.end(),
                                    [](const Fabric& fabric) { return fabric.params().stickiness > 0; });
    const int count = sticks ? owner_.size() : saturation.count;
    grip_.renew(count);
    cling_.renew(count);
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        Owner& owner = owners_[static_cast<int>(f)];
        owner.grip = owner.cling = {};
        if (count == 0) continue;
        const Fabric& fabric = fabrics_[f];
        const WetParams& params = fabric.wetParams();
        const bool soaks = saturation.count > 0 && params.absorption != Absorption::none;
        forEachChunk(
            Device::cpu(device_.threads()), "takeWetness", fabric.count(), kPointsAtATime, [&](int begin, int end) {
                for (int i = begin; i < end; ++i) {
                    const float s = soaks ? saturation[owner.first + i] : 0;
                    grip_[owner.first + i] = 1 + (params.wetFriction - 1) * s;
                    cling_[owner.first + i] = (fabric.params().stickiness + params.wetCling * s) * fabric.area[i];
                }
            });
        owner.grip = {grip_.data() + owner.first, fabric.count()};
        owner.cling = {cling_.data() + owner.first, fabric.count()};
    }
}

void Cloths::keepOrder(const Fabric& fabric, const Vec3* rest, const Vec3* untouched, const Points& p) {
    const int ofLayer = fabric.count() / fabric.layers();
    normals_.renew(ofLayer);
    forEach(device_, "middleNormals", ofLayer,
            MiddleNormals{fabric.fanStarts.span(), fabric.fans.span(), fabric.layers() / 2 * ofLayer, p.x,
                          normals_.span()});
    forEach(device_, "keepOrder", ofLayer,
            KeepOrder{fabric.layers(), ofLayer, fabric.inverseMass.span(), rest, untouched,
                      std::as_const(normals_).span(), p.x, p.v});
    device_.synchronize();
}

double Cloths::maxStretch(const State& state, int cloth) const {
    return largestStrain(fabrics_[static_cast<size_t>(cloth)], state.cloth.x.data() + owners_[cloth].first);
}

}  // namespace purl

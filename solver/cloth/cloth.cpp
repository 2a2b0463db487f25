#include "solver/cloth/cloth.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cloth/air.h"
#include "solver/cloth/contact/colliderContact.h"
#include "solver/cloth/coreSprings.h"
#include "solver/cloth/forces.h"
#include "solver/cloth/layerOrder.h"
#include "solver/cloth/tear.h"
#include "solver/core/compact.h"
#include "solver/core/copy.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/search/cellGrid.h"

namespace purl {
namespace {

// x += Δt v; pinned points move to their targets and take the velocity of that motion.
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
        x[i] = pinnedPosition(from[i], to[i], shareAfter);
        v[i] = (x[i] - xBefore[i]) / dt;
    }
};

// v = (x − xBefore)/Δt
struct UpdateVelocity {
    float dt;
    const Vec3 *x, *xBefore;
    Vec3* v;
    PURL_HD void operator()(int i) const { v[i] = (x[i] - xBefore[i]) / dt; }
};

// v += Δt (gravityFactor · acceleration + f/m)
struct Kick {
    Span<const float> inverseMass;
    const Vec3* acceleration;
    float gravityFactor;  // from buoyancy
    const Vec3* force;    // null: none
    float dt;
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        v[i] += dt *
                (force ? gravityFactor * acceleration[i] + inverseMass[i] * force[i] : gravityFactor * acceleration[i]);
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

// Shortens overstretched springs regardless of their stiffness and updates the velocities of their ends.
struct LimitStrain {
    Span<const Spring> springs;
    int first;
    Span<const float> w;
    float limit;
    float inverseStep;  // 1/s
    Vec3 *x, *v;

    PURL_HD void operator()(int i) const {
        const Spring spring = springs[first + i];
        const float wa = w[spring.a], wb = w[spring.b], maxLength = (1 + limit) * spring.rest;
        const Vec3 s = x[spring.a] - x[spring.b];
        const float l = length(s);
        if (!(l > maxLength) || !(wa + wb > 0)) return;
        const Vec3 move = ((l - maxLength) / (l * (wa + wb))) * s;
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

struct PathBounds {
    const Vec3 *from, *to;
    PURL_HD Bounds operator()(int i) const { return {min(from[i], to[i]), max(from[i], to[i])}; }
};

struct DrawToPins {
    Span<const float> pin, inverseMass;
    const Vec3 *from, *to;
    float shareAfter;
    float dt;
    Vec3* x;
    PURL_HD void operator()(int i) const {
        if (pin[i] > 0 && inverseMass[i] > 0)
            x[i] = movedTowardsPin(x[i], lerp(from[i], to[i], shareAfter), pin[i], dt);
    }
};

// The placed colliders with a larger gap.
struct InflateColliders {
    Span<const PlacedCollider> placed;
    float by;  // m
    Span<PlacedCollider> inflated;
    PURL_HD void operator()(int c) const {
        inflated[c] = placed[c];
        inflated[c].gap += by;
    }
};

struct FlagImpulses {
    Span<const ClothImpulse> impulses;
    Span<int> flags;
    PURL_HD void operator()(int i) const { flags[i] = impulses[i].impulse != Vec3{}; }
};

// Friction and adhesion of a cloth's points.
struct WetContact {
    Span<const float> saturation;  // empty: dry
    Span<const float> area;
    float wetFriction, wetCling, stickiness;
    Span<float> frictionFactor, adhesion;
    PURL_HD void operator()(int i) const {
        const float s = saturation.count ? saturation[i] : 0;
        frictionFactor[i] = 1 + (wetFriction - 1) * s;
        adhesion[i] = (stickiness + wetCling * s) * area[i];
    }
};

// The points of all cloths for contact that runs on the host: themselves on the CPU, else a copy.
class PointsOnHost {
  public:
    explicit PointsOnHost(ClothPoints& all) : all_(all), x_(all.x.device().host()), v_(x_.device()) { read(); }

    void read() {
        if (isCpu()) return;
        x_ = all_.x;
        v_ = all_.v;
    }
    void write() const {
        if (isCpu()) return;
        all_.x = x_;
        all_.v = v_;
    }
    Span<Vec3> x() { return isCpu() ? all_.x.span() : x_.span(); }
    Span<Vec3> v() { return isCpu() ? all_.v.span() : v_.span(); }

  private:
    bool isCpu() const { return all_.x.device().isCpu(); }

    ClothPoints& all_;
    Buffer<Vec3> x_, v_;
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
    storeClothTargets(state, scene);
    points.resize(points.target.size());
    points.x = points.rest = points.target;
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const auto count = static_cast<int>(cloth.points.size());
        setElements(points.v, first, count, cloth.params.startVelocity);
        first += count;
    }
}

void storeClothTargets(State& state, const Scene& scene) {
    ClothPoints& points = state.cloth;
    const auto cloths = static_cast<int>(scene.cloths.size());
    points.target.resizeDiscard(points.firstOf(cloths));
    const HostEditor<Vec3> target = writeOnHost(points.target);
    for (int c = 0, i = 0; c < cloths; ++c)
        for (int k = 0; k < points.counts[c]; ++k, ++i)
            target[i] = scene.cloths[c].points[points.origins.empty() ? k : points.origins[i]];
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
      pastVelocity_(device),
      damped_(device),
      historyWeights_(device),
      neighbors_(device),
      clothViews_(device),
      clothOf_(device),
      clothContact_(device.host()),
      attachments_(device),
      from_(device),
      normals_(device),
      inflated_(device),
      frictionFactor_(device),
      adhesion_(device),
      pointImpulses_(device) {}

void Cloths::set(const Scene& scene, const State& state, Span<const float> saturation) {
    while (fabrics_.size() < scene.cloths.size()) fabrics_.emplace_back(device_);
    while (fabrics_.size() > scene.cloths.size()) fabrics_.pop_back();
    while (filters_.size() < fabrics_.size()) {
        filters_.emplace_back(device_);
        xpbds_.emplace_back(device_);
        directionals_.emplace_back();
    }
    gravity_ = scene.solver.gravity * normalized(scene.solver.gravityDirection, Vec3{});
    currentCloths_.clear();
    for (size_t c = 0; c < scene.cloths.size(); ++c)
        currentCloths_.push_back(tornCloth(scene.cloths[c], state.cloth, static_cast<int>(c)));
    const HostReader<Vec3> rest = readOnHost(state.cloth.rest);
    attachments_.set(scene, currentCloths_, state.shapes, rest.span());
    attachments_.pin(currentCloths_);
    int first = 0;
    for (size_t c = 0; c < currentCloths_.size(); ++c) {
        const auto count = static_cast<int>(currentCloths_[c].points.size());
        PURL_ASSERT(first + count <= state.cloth.count());
        const bool hasSaturation = first + count <= saturation.count;
        fabrics_[c].set(currentCloths_[c], {rest.data() + first, count},
                        hasSaturation ? Span<const float>{saturation.data + first, count} : Span<const float>{});
        first += count;
    }
    setClothViews();
    setTargets();
    clothContact_.set(fabrics_, rest.span());
}

void Cloths::setTargets() {
    to_.resizeDiscard(clothOf_.size());
    const HostEditor<Vec3> to = writeOnHost(to_);
    Vec3* at = to.data();
    for (const Cloth& cloth : currentCloths_) at = std::copy(cloth.points.begin(), cloth.points.end(), at);
}

void Cloths::setClothViews() {
    contactRadius_ = 0;
    Buffer<ClothView>& views = clothViews_.onHost();
    views.resizeDiscard(static_cast<int>(fabrics_.size()));
    std::vector<int> owners;
    int first = 0, index = 0;
    for (const Fabric& fabric : fabrics_) {
        const ClothParams& params = fabric.params();
        const float own =
            params.selfDistance > 0 ? params.selfDistance : std::max(params.thickness, 0.8f * fabric.meanEdge());
        views[index] = {first,
                        params.selfCollision == SelfCollision::points ? 0.5f * own : 0,
                        params.friction,
                        fabric.springs.span(),
                        fabric.bends.span(),
                        fabric.incidenceStarts.span(),
                        fabric.incidences.span(),
                        fabric.inverseMass.span(),
                        {},
                        {}};
        if (params.selfCollision == SelfCollision::points) contactRadius_ = std::max(contactRadius_, own);
        owners.insert(owners.end(), static_cast<size_t>(fabric.count()), index++);
        first += fabric.count();
    }
    upload(clothOf_, owners);
    clothViews_.upload();
}

void Cloths::move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& acceleration,
                  Span<const float> addedMass, Span<const float> saturation, bool recordImpulses) {
    recordImpulses_ = recordImpulses;
    impulses_.clear();
    ClothPoints& all = state.cloth;
    updateWetContact(saturation);
    for (size_t f = 0; f < fabrics_.size() && addedMass.count; ++f)
        fabrics_[f].setAddedMass({addedMass.data + clothViews_[static_cast<int>(f)].first, fabrics_[f].count()});
    copyTo(from_, all.target);
    xBefore_.resizeDiscard(all.count());
    force_.resizeDiscard(all.count());
    report_ = {};

    double limit = kUnbounded;
    size_t stiffest = 0;
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        const ClothParams& params = fabrics_[f].params();
        double own = params.maxTimeStep;
        // 10 % below the bound: bending and rotation are not linear.
        if (params.isSolvedBy(ClothSolver::velocityVerlet)) own = std::min(own, 0.9 * fabrics_[f].stepLimit());
        if (own < limit) stiffest = f;
        limit = std::min(limit, own);
    }
    const int steps = subStepCount(step, limit, currentCloths_[stiffest].name);
    const bool hasColliders = !step.members->empty();
    damped_.resizeDiscard(all.count());
    xNew_.resizeDiscard(all.count());
    for (int s = 0; s < steps; ++s) {
        const SubStep substep = subStepAt(step, s, steps);
        const float dt = substep.dt;
        const TimeInterval ofStep = substep.ofStep, shares = substep.ofFrame;
        updateHistory(state, double(dt));
        const auto pointsOf = [&](int first) {
            return Points{all.x.data() + first,
                          all.v.data() + first,
                          xBefore_.data() + first,
                          acceleration.data() + first,
                          from_.data() + first,
                          to_.data() + first,
                          all.clock.sampleCount > 0 ? pastVelocity_.data() + first : nullptr,
                          damped_.data() + first,
                          frictionFactor_.empty() ? nullptr : frictionFactor_.data() + first,
                          adhesion_.empty() ? nullptr : adhesion_.data() + first};
        };
        if (hasColliders) colliders_.moveTo(*step.colliders, *step.members, shares.before, shares.after, dt, ofStep);
        attachments_.moveTargets(colliders_, from_.data(), to_.data());
        for (size_t f = 0; f < fabrics_.size(); ++f)
            moveFabric(f, pointsOf(clothViews_[static_cast<int>(f)].first), shares, dt,
                       state.time + double(step.dt) * double(ofStep.before));
        clothContact_.moveColliders(colliders_.placed());
        if (contactRadius_ > 0) repelPoints(all, dt);
        const auto collideAll = [&] {
            for (size_t f = 0; f < fabrics_.size(); ++f) {
                const int first = clothViews_[static_cast<int>(f)].first;
                const bool thick = fabrics_[f].layers() > 1;
                if (thick)
                    device_.copy(xNew_.data() + first, all.x.data() + first,
                                 sizeof(Vec3) * static_cast<size_t>(fabrics_[f].count()));
                if (hasColliders) collide(fabrics_[f], pointsOf(first), dt);
                if (thick) keepLayerOrder(fabrics_[f], all.rest.data() + first, xNew_.data() + first, pointsOf(first));
            }
        };
        collideAll();
        if (!clothContact_.any()) continue;
        // After repulsions, project out of colliders again, so that impact resolution starts from positions outside
        // them.
        PointsOnHost points(all);
        if (clothContact_.applyRepulsions(readOnHost(xBefore_).span(), points.x(), points.v(), dt)) {
            points.write();
            collideAll();
            points.read();
        }
        if (clothContact_.resolveImpacts(points.x(), points.v(), dt)) points.write();
        if (recordImpulses_)
            impulses_.insert(impulses_.end(), clothContact_.impulses().begin(), clothContact_.impulses().end());
    }
    report_.iterations /= steps;
    report_.error /= steps;
    if (mayTear(scene)) applyTearing(state, scene);
}

void Cloths::applyTearing(State& state, const Scene& scene) {
    if (std::none_of(fabrics_.begin(), fabrics_.end(),
                     [](const Fabric& fabric) { return fabric.params().tearStrain > 0; }))
        return;
    const HostReader<Vec3> rest = readOnHost(state.cloth.rest), x = readOnHost(state.cloth.x);
    std::vector<TearResult> torn;
    bool any = false;
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        const Fabric& fabric = fabrics_[f];
        const int first = clothViews_[static_cast<int>(f)].first, count = fabric.count();
        const float limit = fabric.params().tearStrain;
        torn.push_back({{}, currentCloths_[f].faces});
        if (!(limit > 0)) continue;
        torn.back().copies = tear(torn.back().faces, {rest.data() + first, count}, {x.data() + first, count},
                                  readOnHost(fabric.inverseMass).span(), limit);
        any = any || !torn.back().copies.empty();
    }
    if (!any) return;
    addTornPoints(state.cloth, torn);
    set(scene, state);
}

void Cloths::updateHistory(State& state, double dt) {
    ClothPoints& all = state.cloth;
    int samples = 0;
    for (const Fabric& fabric : fabrics_) samples = std::max(samples, historySamples(fabric.params(), dt));
    fractionalDamping_.assign(fabrics_.size(), FractionalDamping{});
    if (samples == 0 && all.clock.sampleCount > 0) clearHistory(all.past, all.clock);
    const int slot = samples > 0 ? nextSlot(all.past, all.clock, samples, dt, all.count()) : 0;
    std::vector<float> weights;
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        const ClothParams& params = fabrics_[f].params();
        const double order = dampingOrder(params);
        if (samples > 0) {
            fractionalDamping_[f] =
                makeFractionalDamping(order, historySamples(params, dt), historySteps(all.clock), dt);
            const std::vector<float> own = weightsBySlot(fractionalDamping_[f].past, all.clock, samples, 1);
            weights.insert(weights.end(), own.begin(), own.end());
        }
        fabrics_[f].setDampingTimes(fractionalDamping_[f].dampingTime(params.damping, order),
                                    fractionalDamping_[f].dampingTime(params.bendDamping, order));
    }
    upload(historyWeights_, weights);
    if (samples > 0) pushAndSum(all.past, samples, slot, all.v, historyWeights_, clothOf_, pastVelocity_);
}

const Vec3* Cloths::dampingVelocity(const Fabric& fabric, const Points& p) const {
    if (!p.pastVelocity) return p.v;
    forEach(device_, "addHistory", fabric.count(), AddScaled{p.v, 1, p.pastVelocity, p.damped});
    return p.damped;
}

const Vec3* Cloths::dampingPositions(const Fabric& fabric, const Points& p, float dt) const {
    if (!p.pastVelocity) return p.xBefore;
    forEach(device_, "addHistory", fabric.count(), AddScaled{p.xBefore, -dt, p.pastVelocity, p.damped});
    return p.damped;
}

void Cloths::applyLimitedForces(const Fabric& fabric, const Points& p, float dt) {
    // Folds have weights 1, −2, 1: four times a spring's stiffness on a point.
    const float stiffest = Directional::kMaxStiffnessNumber * fabric.minMass() / (dt * dt), latest = 10 * dt;
    internalForces(fabric, p.x, dampingVelocity(fabric, p), element_, force_.data(), {stiffest, latest},
                   {0.25f * stiffest, latest});
    forEach(device_, "kick", fabric.count(),
            Kick{fabric.inverseMass.span(), p.acceleration, 0, force_.data(), dt, p.v});
}

void Cloths::moveFabric(size_t index, const Points& p, TimeInterval shares, float dt, double time) {
    const Fabric& fabric = fabrics_[index];
    const ClothParams& params = fabric.params();
    const int count = fabric.count();
    const float gravityFactor = buoyancyFactor(params);
    const Kick accelerate{fabric.inverseMass.span(), p.acceleration, gravityFactor, nullptr, dt, p.v};
    const Predict predict{fabric.inverseMass.span(), p.from, p.to, shares.after, dt, p.x, p.v, p.xBefore};
    const DrawToPins drawToPins{fabric.pin.span(), fabric.inverseMass.span(), p.from, p.to, shares.after, dt, p.x};

    if (params.isSolvedBy(ClothSolver::velocityVerlet)) {
        //     v½ = v + ½ Δt a,  x' = x + Δt v½,  v' = v½ + ½ Δt a'   Bayraktar 5.25; velocity-dependent forces use v½
        const Kick half{fabric.inverseMass.span(), p.acceleration, gravityFactor, force_.data(), 0.5f * dt, p.v};
        internalForces(fabric, p.x, dampingVelocity(fabric, p), element_, force_.data());
        forEach(device_, "kick", count, half);
        applyAmbientForces(index, p, shares, dt, time);
        forEach(device_, "predict", count, predict);
        forEach(device_, "drawToPins", count, drawToPins);
        internalForces(fabric, p.x, dampingVelocity(fabric, p), element_, force_.data());
        forEach(device_, "kick", count, half);
        limitStrain(fabric, p, dt);
        return;
    }
    applyAmbientForces(index, p, shares, dt, time);
    forEach(device_, "kick", count, accelerate);
    const bool directional = params.isSolvedBy(ClothSolver::directional);
    if (params.isSolvedBy(ClothSolver::implicitEuler)) {
        const ClothReport solved = implicit_.solve(fabric, dt, params.tolerance, p.x, p.v, dampingVelocity(fabric, p));
        report_.iterations += solved.iterations;
        report_.error += solved.error;
    }
    if (directional) applyLimitedForces(fabric, p, dt);
    switch (params.reference.solver) {
        case ReferenceClothSolver::precomputedFilter:
            filters_[index].solve(fabric, dt, p.x, p.v, dampingVelocity(fabric, p));
            break;
        case ReferenceClothSolver::neighborEstimate:
            estimate_.solve(fabric, dt, p.x, p.v, dampingVelocity(fabric, p));
            break;
        case ReferenceClothSolver::none: break;
    }
    forEach(device_, "predict", count, predict);
    const Vec3 down = normalized(gravity_, Vec3{0, -1, 0});
    if (params.isSolvedBy(ClothSolver::xpbd))
        xpbds_[index].solve(fabric, dt, params.iterations, dampingPositions(fabric, p, dt), p.x);
    if (directional) directionals_[index].apply(fabric, down, params.iterations, p.x);
    forEach(device_, "drawToPins", count, drawToPins);
    if (params.isSolvedBy(ClothSolver::xpbd) || directional)
        forEach(device_, "updateVelocity", count, UpdateVelocity{dt, p.x, p.xBefore, p.v});
    if (directional)
        directionals_[index].dampRelativeMotion(
            fabric, down, Directional::relativeDampingShare(dt, length(gravity_), fabric.meanEdge()), p.v);
    limitStrain(fabric, p, dt);
}

void Cloths::applyAmbientForces(size_t index, const Points& p, TimeInterval shares, float dt, double time) const {
    const Fabric& fabric = fabrics_[index];
    const ClothParams& params = fabric.params();
    const float inAir = fabric.layerShare() * (1 - params.immersion);
    const float airDrag = inAir * params.airDrag, windDrag = inAir * params.windDrag;
    if (airDrag > 0 || windDrag > 0)
        forEach(device_, "applyAirDrag", fabric.count(),
                ApplyAirDrag{fabric.fanStarts.span(), fabric.fans.span(), fabric.inverseMass.span(), fabric.area.span(),
                             params.wind, params.gusts, static_cast<float>(time), airDrag, windDrag, dt, p.x, p.v});
    if (isImmersed(params))
        forEach(device_, "fluidDrag", fabric.count(),
                makeFluidDrag(fabric, fractionalDamping_[index], dt, p.pastVelocity, p.x, p.v));
    if (params.follow > 0)
        forEach(device_, "followMesh", fabric.count(),
                FollowMesh{fabric.inverseMass.span(), p.from, p.to, shares, params.follow, dt, p.x, p.v});
    if (!fabric.coreLength.empty()) applyCoreSprings(fabric, p, dt);
}

void Cloths::applyCoreSprings(const Fabric& fabric, const Points& p, float dt) const {
    const int count = fabric.count();
    const CoreSum now =
        reduce(device_, "pointMoments", count, CoreSum{}, PointMoments{fabric.mass.span(), p.x, p.v}, AddCoreSums{});
    const CoreSprings springs{fabric.area.span(),
                              fabric.inverseMass.span(),
                              fabric.coreLength.span(),
                              fabric.params().coreStiffness,
                              now.center(),
                              now.centerVelocity(),
                              dt,
                              p.x};
    const Vec3 totalImpulse = reduce(device_, "coreImpulse", count, Vec3{}, CoreImpulse{springs, p.v}, Sum{});
    const float freeMass = reduce(device_, "freeMass", count, 0.0f, FreeMass{fabric.inverseMass.span()}, Sum{});
    if (freeMass > 0)
        forEach(device_, "applyCoreSprings", count, ApplyCoreSprings{springs, totalImpulse / freeMass, p.v});
}

void Cloths::limitStrain(const Fabric& fabric, const Points& p, float dt) const {
    const float limit = fabric.params().strainLimit;
    if (!(limit > 0)) return;
    // Each pass moves excess strain to adjacent springs: repeat until the limit holds, up to a maximum.
    constexpr int kMaxPasses = 64, kCheckInterval = 4;
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        if (pass % kCheckInterval == 0 && largestStrain(fabric, p.x) <= 1.02f * limit) return;
        for (int c = 0; c < fabric.springColors.count(); ++c) {
            const int first = fabric.springColors.begin(c), end = fabric.springColors.end(c);
            forEach(device_, "limitStrain", end - first,
                    LimitStrain{fabric.springs.span(), first, fabric.inverseMass.span(), limit, 1 / dt, p.x, p.v});
        }
    }
}

void Cloths::repelPoints(ClothPoints& all, float dt) {
    neighbors_.build(all.x, adhesion_.empty() ? contactRadius_ : contactRadius_ + kAdhesionRange);
    xNew_.resizeDiscard(all.count());
    vNew_.resizeDiscard(all.count());
    forEach(device_, "repelPoints", all.count(),
            RepelPoints{neighbors_.view(), clothViews_.span(), clothOf_.span(), all.rest.span(), all.x.span(),
                        all.v.span(), dt, xNew_.span(), vNew_.span()});
    all.x.swap(xNew_);
    all.v.swap(vNew_);
}

void Cloths::collide(const Fabric& fabric, const Points& p, float dt) {
    const float half = 0.5f * fabric.params().thickness;
    const bool adheres = p.adhesion && fabric.params().stickiness + fabric.wetParams().wetCling > 0;
    // Early exit: most fabrics are clear of all colliders. With another device the host would have to wait for it.
    if (device_.isCpu() && isClearOfColliders(fabric, p, half + (adheres ? kAdhesionRange : 0))) return;
    if (recordImpulses_) pointImpulses_.resizeDiscard(fabric.count());
    ClothImpulse* const pointImpulses = recordImpulses_ ? pointImpulses_.data() : nullptr;
    inflated_.resizeDiscard(colliders_.onDevice().count);
    const auto inflate = [&](float by) {
        forEach(device_, "inflateColliders", inflated_.size(),
                InflateColliders{colliders_.onDevice(), by, inflated_.span()});
    };
    inflate(half);
    forEach(device_, "touchColliders", fabric.count(),
            ResolveColliderContacts{inflated_.span(), fabric.inverseMass.span(), fabric.params().friction,
                                    p.frictionFactor, dt, p.xBefore, p.x, p.v, pointImpulses},
            64);
    collectImpulses();
    if (!adheres) return;
    inflate(half + kAdhesionRange);
    forEach(device_, "adhereToColliders", fabric.count(),
            AdhereToColliders{inflated_.span(), fabric.inverseMass.span(), p.adhesion, dt, p.xBefore, p.x, p.v,
                              pointImpulses},
            64);
    collectImpulses();
}

bool Cloths::isClearOfColliders(const Fabric& fabric, const Points& p, float gap) const {
    const Bounds paths =
        reduce(device_, "pathBounds", fabric.count(), Bounds{}, PathBounds{p.xBefore, p.x}, JoinBounds{});
    const Span<const PlacedCollider> placed = colliders_.placed();
    return std::all_of(placed.begin(), placed.end(), [&](PlacedCollider collider) {
        collider.gap += gap;
        return isClearOf(collider, paths);
    });
}

void Cloths::collectImpulses() {
    if (!recordImpulses_) return;
    const auto take = [&](const Buffer<ClothImpulse>& impulses) {
        for (const ClothImpulse& each : readOnHost(impulses))
            if (each.impulse != Vec3{}) impulses_.push_back(each);
    };
    if (device_.isCpu()) return take(pointImpulses_);
    Buffer<int> flags(device_, "points with an impulse");
    flags.resizeDiscard(pointImpulses_.size());
    forEach(device_, "flagImpulses", flags.size(), FlagImpulses{std::as_const(pointImpulses_).span(), flags.span()});
    take(compacted(pointImpulses_, flags));
}

// Without wetness or stickiness the per-point arrays stay empty.
void Cloths::updateWetContact(Span<const float> saturation) {
    const bool sticks = std::any_of(fabrics_.begin(), fabrics_.end(),
                                    [](const Fabric& fabric) { return fabric.params().stickiness > 0; });
    const int count = sticks ? clothOf_.size() : saturation.count;
    frictionFactor_.resizeDiscard(count);
    adhesion_.resizeDiscard(count);
    for (size_t f = 0; f < fabrics_.size(); ++f) {
        ClothView& view = clothViews_.onHost()[static_cast<int>(f)];
        view.frictionFactor = view.adhesion = {};
        if (count == 0) continue;
        const Fabric& fabric = fabrics_[f];
        const int own = fabric.count();
        const WetParams& params = fabric.wetParams();
        const bool soaks = saturation.count > 0 && params.isWettable();
        const Span<float> frictionFactor{frictionFactor_.data() + view.first, own},
            adhesion{adhesion_.data() + view.first, own};
        forEach(device_, "updateWetContact", own,
                WetContact{soaks ? Span<const float>{saturation.data + view.first, own} : Span<const float>{},
                           fabric.area.span(), params.wetFriction, params.wetCling, fabric.params().stickiness,
                           frictionFactor, adhesion});
        view.frictionFactor = frictionFactor;
        view.adhesion = adhesion;
    }
    clothViews_.upload();
}

void Cloths::keepLayerOrder(const Fabric& fabric, const Vec3* rest, const Vec3* xBeforeContact, const Points& p) {
    const int pointsPerLayer = fabric.count() / fabric.layers();
    normals_.resizeDiscard(pointsPerLayer);
    forEach(device_, "middleNormals", pointsPerLayer,
            MiddleNormals{fabric.fanStarts.span(), fabric.fans.span(), fabric.layers() / 2 * pointsPerLayer, p.x,
                          normals_.span()});
    forEach(device_, "keepLayerOrder", pointsPerLayer,
            KeepLayerOrder{fabric.layers(), pointsPerLayer, fabric.inverseMass.span(), rest, xBeforeContact,
                           std::as_const(normals_).span(), p.x, p.v});
}

double Cloths::maxStretch(const State& state, int cloth) const {
    return largestStrain(fabrics_[cloth], state.cloth.x.data() + clothViews_[cloth].first);
}

}  // namespace purl

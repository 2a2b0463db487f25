#include "solver/cloth/cloth.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/air.h"
#include "solver/cloth/contact.h"
#include "solver/cloth/forces.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

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

// v += Δt (pull + f/m)
struct Kick {
    Span<const float> inverseMass;
    const Vec3* pull;
    const Vec3* force;  // or null
    float dt;
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        v[i] += dt * (force ? pull[i] + inverseMass[i] * force[i] : pull[i]);
    }
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
    takeTargets(state, scene);
    ClothPoints& points = state.cloth;
    points.resize(points.target.size());
    points.x = points.rest = points.target;
    int i = 0;
    for (const Cloth& cloth : scene.cloths)
        for (size_t k = 0; k < cloth.points.size(); ++k) points.v[i++] = cloth.params.startVelocity;
}

void takeTargets(State& state, const Scene& scene) {
    Buffer<Vec3>& target = state.cloth.target;
    size_t count = 0;
    for (const Cloth& cloth : scene.cloths) count += cloth.points.size();
    target.resize(static_cast<int>(count));
    Vec3* at = target.data();
    for (const Cloth& cloth : scene.cloths) at = std::copy(cloth.points.begin(), cloth.points.end(), at);
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
      neighbors_(device),
      owners_(device),
      owner_(device),
      thickened_(device) {}

void Cloths::set(const Scene& scene, const State& state) {
    while (fabrics_.size() < scene.cloths.size()) fabrics_.emplace_back(device_);
    while (fabrics_.size() > scene.cloths.size()) fabrics_.pop_back();
    while (filters_.size() < fabrics_.size()) {
        filters_.emplace_back(device_);
        xpbds_.emplace_back(device_);
    }
    int first = 0;
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        const auto count = static_cast<int>(scene.cloths[c].points.size());
        PURL_ASSERT(first + count <= state.cloth.count());
        fabrics_[c].set(scene.cloths[c], {state.cloth.rest.data() + first, count});
        first += count;
    }
    setOwners();
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
                          params.selfCollision ? 0.5f * own : 0,
                          params.friction,
                          fabric.springs.span(),
                          fabric.bends.span(),
                          fabric.starts.span(),
                          fabric.parts.span(),
                          fabric.inverseMass.span()};
        if (params.selfCollision) reach_ = std::max(reach_, own);
        owner_.resize(first + fabric.count());
        std::fill(owner_.begin() + first, owner_.end(), index++);
        first += fabric.count();
    }
}

void Cloths::move(State& state, const Scene& scene, const BodyStep& step, const Buffer<Vec3>& pull) {
    ClothPoints& all = state.cloth;
    to_.renew(all.count());
    Vec3* at = to_.data();
    for (const Cloth& cloth : scene.cloths) at = std::copy(cloth.points.begin(), cloth.points.end(), at);
    xBefore_.renew(all.count());
    force_.renew(all.count());
    report_ = {};

    double limit = kUnbounded;
    for (const Fabric& fabric : fabrics_) {
        limit = std::min(limit, double(fabric.params().maxTimeStep));
        // A tenth less than the bound: forces that bend and turn are not linear.
        if (fabric.params().solver == ClothSolver::velocityVerlet) limit = std::min(limit, 0.9 * fabric.stepLimit());
    }
    const int steps = smallSteps(step, limit);
    const bool collide = !step.placed->colliders.empty();
    for (int s = 0; s < steps; ++s) {
        const auto [dt, ofStep, shares] = smallStep(step, s, steps);
        const auto pointsOf = [&](int first) {
            return Points{all.x.data() + first, all.v.data() + first,      xBefore_.data() + first,
                          pull.data() + first,  all.target.data() + first, to_.data() + first};
        };
        for (size_t f = 0; f < fabrics_.size(); ++f)
            moveFabric(f, pointsOf(owners_[static_cast<int>(f)].first), shares, dt,
                       state.time + double(step.dt) * double(ofStep.before));
        if (reach_ > 0) pushApart(all, dt);
        if (collide) colliders_.moveTo(*step.placed, *step.from, shares.before, shares.after, dt, ofStep);
        for (size_t f = 0; collide && f < fabrics_.size(); ++f)
            touch(fabrics_[f], pointsOf(owners_[static_cast<int>(f)].first), dt);
    }
    report_.iterations /= steps;
    report_.error /= steps;
}

void Cloths::moveFabric(size_t index, const Points& p, Shares shares, float dt, double time) {
    const Fabric& fabric = fabrics_[index];
    const ClothParams& params = fabric.params();
    const int count = fabric.count();
    const Kick pulled{fabric.inverseMass.span(), p.pull, nullptr, dt, p.v};
    const Predict predict{fabric.inverseMass.span(), p.from, p.to, shares.after, dt, p.x, p.v, p.xBefore};
    const Draw draw{fabric.pin.span(), fabric.inverseMass.span(), p.from, p.to, shares.after, dt, p.x};

    if (params.solver == ClothSolver::velocityVerlet) {
        //     v½ = v + ½ Δt a,  x' = x + Δt v½,  v' = v½ + ½ Δt a'   Bayraktar 5.25; what depends on v sees v½
        const Kick half{fabric.inverseMass.span(), p.pull, force_.data(), 0.5f * dt, p.v};
        innerForces(fabric, p.x, p.v, element_, force_.data());
        forEach(device_, "kick", count, half);
        blow(fabric, p, dt, time);
        forEach(device_, "predict", count, predict);
        forEach(device_, "drawToPins", count, draw);
        innerForces(fabric, p.x, p.v, element_, force_.data());
        forEach(device_, "kick", count, half);
        limitStrain(fabric, p, dt);
        return;
    }
    blow(fabric, p, dt, time);
    forEach(device_, "kick", count, pulled);
    switch (params.solver) {
        case ClothSolver::implicitEuler: {
            const ClothReport solved = implicit_.solve(fabric, dt, params.tolerance, p.x, p.v);
            report_.iterations += solved.iterations;
            report_.error += solved.error;
            break;
        }
        case ClothSolver::precomputedFilter: filters_[index].solve(fabric, dt, p.x, p.v); break;
        case ClothSolver::neighborEstimate: estimate_.solve(fabric, dt, p.x, p.v); break;
        default: break;
    }
    forEach(device_, "predict", count, predict);
    if (params.solver == ClothSolver::xpbd) xpbds_[index].solve(fabric, dt, params.iterations, p.xBefore, p.x);
    forEach(device_, "drawToPins", count, draw);
    if (params.solver == ClothSolver::xpbd)
        forEach(device_, "takeVelocity", count, TakeVelocity{dt, p.x, p.xBefore, p.v});
    limitStrain(fabric, p, dt);
}

void Cloths::blow(const Fabric& fabric, const Points& p, float dt, double time) const {
    const ClothParams& params = fabric.params();
    if (!(params.airDrag > 0) && !(params.windDrag > 0)) return;
    forEach(device_, "blowOn", fabric.count(),
            BlowOn{fabric.fanStarts.span(), fabric.fans.span(), fabric.inverseMass.span(), fabric.area.span(),
                   params.wind, params.gusts, static_cast<float>(time), params.airDrag, params.windDrag, dt, p.x, p.v});
}

void Cloths::limitStrain(const Fabric& fabric, const Points& p, float dt) const {
    const float limit = fabric.params().strainLimit;
    if (!(limit > 0)) return;
    // A pass takes what is too long to the springs next to it: as many as it takes, if they are not too many.
    constexpr int kMostPasses = 64, kLookEvery = 4;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        if (pass % kLookEvery == 0 && largestStrain(fabric, p.x) <= 1.02f * limit) return;
        for (int c = 0; c < fabric.springColors.count(); ++c) {
            const int first = fabric.springColors.starts[static_cast<size_t>(c)];
            const int end = fabric.springColors.starts[static_cast<size_t>(c) + 1];
            forEach(device_, "limitStrain", end - first,
                    Shorten{fabric.springs.span(), first, fabric.inverseMass.span(), limit, 1 / dt, p.x, p.v});
        }
    }
}

void Cloths::pushApart(ClothPoints& all, float dt) {
    neighbors_.build(all.x, reach_);
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
    device_.synchronize();
    const Span<const PlacedCollider> placed = colliders_.placed();
    thickened_.renew(placed.count);
    for (int c = 0; c < placed.count; ++c) {
        thickened_[c] = placed[c];
        thickened_[c].gap += 0.5f * fabric.params().thickness;
    }
    forEach(
        device_, "touchColliders", fabric.count(),
        TouchColliders{thickened_.span(), fabric.inverseMass.span(), fabric.params().friction, dt, p.xBefore, p.x, p.v},
        64);
}

double Cloths::maxStretch(const State& state, int cloth) const {
    return largestStrain(fabrics_[static_cast<size_t>(cloth)], state.cloth.x.data() + owners_[cloth].first);
}

}  // namespace purl

#include "solver/fluid/pressure/doubleDensity.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/sort.h"
#include "solver/fluid/external.h"

namespace purl {
namespace {

struct AccelerateFreely {
    float dt;
    Vec3 gravity;
    Span<const FieldConstants> fields;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> density;
    Span<const Vec3> x, v;
    Span<Vec3> vNew;
    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const float known = density[i] > 0 ? density[i] : fluid.restDensity;
        vNew[i] = v[i] + dt * (weight(fluid, known, gravity) + fieldsAt(x[i], fields));
    }
};

// Packs positions with masses; and velocities with the damping, and traits, if given. The last index is the padding
// element's.
struct PackParticles {
    Span<const Vec3> x, v;
    Span<const int> body;
    Span<const DoubleDensityConstants> fluids;
    Float4 *points, *flow;
    Span<Float4> traits;
    PURL_HD void operator()(int i) const {
        if (i == x.count) {
            points[i] = kNobody4;
            flow[i] = {0, 0, 0, 0};
            if (traits.count) traits[i] = {0, 0, 0, 0};
            return;
        }
        const DoubleDensityConstants& fluid = fluids[body[i]];
        points[i] = {x[i].x, x[i].y, x[i].z, fluid.mass};
        if (v.count) flow[i] = {v[i].x, v[i].y, v[i].z, fluid.damping};
        if (traits.count) traits[i] = {fluid.impact, 0, 0, 0};
    }
};

// What the sweeps over pairs have in common. kSeveral: fluids have different masses.
template <bool kSeveral>
struct PairSweep {
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body;
    float perRadius, dt;
    const Float4* points;  // x, m

    // 1 − r/H, at least 0
    template <class F>
    PURL_HD F closeness(const F& r) const {
        return max(fnma(F(perRadius), r, F(1.0f)), F(0.0f));
    }
    // See share(); a half between equal masses.
    template <class F>
    PURL_HD F shared(const F& value, const F& own, const F& other) const {
        if constexpr (kSeveral)
            return value * (other / (own + other));
        else
            return F(0.5f) * value;
    }
};

// I = Δt (1 − q)(σ u + β u²) r̂ for u = (vᵢ − vⱼ)·r̂ > 0; half of it from i, half to j   Clavet, Alg. 5
template <bool kSeveral>
struct DampSweep : PairSweep<kSeveral> {
    const Float4 *flow, *traits;  // v and σ; if several, β
    Span<Vec3> damped;

    template <class F>
    struct Own {
        VecOf<F> x, v;
        F mass, damping, impact;
    };
    template <class F>
    struct Sums {
        VecOf<F> gain;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        const DoubleDensityConstants& fluid = this->fluids[this->body[i]];
        return {broadcast<F>(Vec3(this->points[i])), broadcast<F>(Vec3(flow[i])), F(fluid.mass), F(fluid.damping),
                F(fluid.impact)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(this->points), otherFlow = j.row(flow);
        const VecOf<F> d = own.x - other.xyz();
        const F r = sqrt(max(dot(d, d), F(1e-30f))), perR = F(1.0f) / r;
        // Approach speed: max(0, −(vᵢ − vⱼ)·d/r).
        const F speed = max(dot(otherFlow.xyz() - own.v, d) * perR, F(0.0f));
        F damping = own.damping, impact = own.impact;
        if constexpr (kSeveral) {
            damping = F(0.5f) * (damping + otherFlow.w);
            impact = F(0.5f) * (impact + j.row(traits).x);
        }
        const F impulse = F(this->dt) * this->closeness(r) * speed * fma(impact, speed, damping);
        // At most what makes both velocities along r̂ equal.
        sums.gain = fma(this->shared(min(impulse, speed), own.mass, other.w) * perR, d, sums.gain);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const { damped[i] = Vec3(flow[i]) + vec3(sums.gain); }
};

// ρ = Σ (1 − q)², p = k (ρ − ρ₀);   ρ_near = Σ (1 − q)³, p_near = k_near ρ_near   Clavet, eq. 1 to 5
struct DoubleDensities : PairSweep<false> {
    Float4* pressures;  // p, p_near: written
    Span<float> density, pressure;

    template <class F>
    struct Own {
        VecOf<F> x;
    };
    template <class F>
    struct Sums {
        F density{0.0f}, near{0.0f};
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i]))};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const VecOf<F> d = own.x - j.row(points).xyz();
        const F u = closeness(sqrt(dot(d, d))), u2 = u * u;
        sums.density = sums.density + u2;
        sums.near = fma(u2, u, sums.near);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const DoubleDensityConstants& fluid = fluids[body[i]];
        pressures[i] = {fluid.k * (sums.density - fluid.restDensity), fluid.kNear * sums.near, 0, 0};
        const float relative = sums.density / fluid.latticeDensity;
        density[i] = fluid.density * relative;
        pressure[i] = fluid.stiffness * fluid.density * (relative - 1);
    }
};

// Δx = −Δt² Σ ((pᵢ + pⱼ)(1 − q) + (p_nearᵢ + p_nearⱼ)(1 − q)²) r̂ᵢⱼ, shared between the two   Clavet, eq. 6
template <bool kSeveral>
struct RelaxSweep : PairSweep<kSeveral> {
    const Float4* pressures;  // p, p_near
    Span<Vec3> moved;

    template <class F>
    struct Own {
        VecOf<F> x;
        F mass, p, pNear;
    };
    template <class F>
    struct Sums {
        VecOf<F> move;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(this->points[i])), F(this->points[i].w), F(pressures[i].x), F(pressures[i].y)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(this->points), pressure = j.row(pressures);
        const VecOf<F> d = own.x - other.xyz();
        const F r = sqrt(max(dot(d, d), F(1e-30f))), u = this->closeness(r);
        const F size = u * fma(own.pNear + pressure.y, u, own.p + pressure.x);
        sums.move = fma(this->shared(size, own.mass, other.w) / r, d, sums.move);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        moved[i] = Vec3(this->points[i]) + (this->dt * this->dt) * vec3(sums.move);
    }
};

struct CopyVectors {
    Span<const Vec3> moved;
    Span<Vec3> x;
    PURL_HD void operator()(int i) const { x[i] = moved[i]; }
};
struct FreeVelocity {
    Span<const Vec3> x, xBefore;
    float dt;
    Span<Vec3> v, vFree, xFree;
    PURL_HD void operator()(int i) const {
        v[i] = vFree[i] = (x[i] - xBefore[i]) / dt;
        xFree[i] = x[i];
    }
};
struct ApplyContactFriction {
    Span<const Vec3> v, vFree, xFree;
    float dt;
    Span<Vec3> x;
    PURL_HD void operator()(int i) const {
        const Vec3 out = x[i] - xFree[i];
        if (out == Vec3{}) return;
        const Vec3 normal = normalized(out), lost = v[i] - vFree[i];
        x[i] += dt * (lost - dot(lost, normal) * normal);
    }
};

}  // namespace

DoubleDensity::DoubleDensity(const Device& device, bool tuned)
    : device_(device),
      fluids_(device),
      springs_(device, tuned),
      moved_(device),
      vFree_(device),
      xFree_(device),
      lanes_(device) {}

void DoubleDensity::set(const Scene& scene, const Materials& materials) {
    radius_ = materials.searchRadius;
    std::vector<DoubleDensityConstants> constants;
    std::vector<double> orders;
    for (const Fluid& fluid : scene.fluids) {
        constants.push_back(doubleDensityConstants(fluid.params, radius_));
        orders.push_back(fluid.params.fractional.order);
    }
    upload(fluids_, constants);
    springs_.set(fluids_, std::move(orders), radius_);
}

void DoubleDensity::accelerate(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& v) {
    v.resize(particles.count());
    forEach(
        device_, "accelerateFreely", particles.count(),
        AccelerateFreely{dt, materials.gravity, materials.fields.span(), materials.fluids.span(), particles.body.span(),
                         particles.density.span(), particles.x.span(), particles.v.span(), v.span()});
}

void DoubleDensity::pack(const Particles& particles, Span<const Vec3> v) {
    const int count = particles.count();
    lanes_.resizeDiscard(count);
    lanes_.traits.resizeDiscard(v.count && fluids_.size() > 1 ? count + 1 : 0);
    forEach(device_, "packParticles", count + 1,
            PackParticles{particles.x.span(), v, particles.body.span(), std::as_const(fluids_).span(),
                          lanes_.points.data(), lanes_.flow(), lanes_.traits.span()},
            2048);
}

void DoubleDensity::damp(const Particles& particles, const Neighbors& neighbors, float dt, Buffer<Vec3>& v) {
    const int count = particles.count();
    moved_.resizeDiscard(count);
    pack(particles, std::as_const(v).span());
    const auto run = [&](auto isSeveral) {
        sweep(device_, "dampApproach", count, neighbors.view(),
              DampSweep<isSeveral>{
                  {std::as_const(fluids_).span(), particles.body.span(), 1 / radius_, dt, lanes_.points.data()},
                  lanes_.flow(),
                  lanes_.traits.data(),
                  moved_.span()});
    };
    fluids_.size() > 1 ? run(std::true_type()) : run(std::false_type());
    forEach(device_, "storeVelocities", count, CopyVectors{std::as_const(moved_).span(), v.span()});
}

void DoubleDensity::adjustSprings(State& state, const Neighbors& neighbors, float dt) {
    springs_.adjust(state, neighbors, dt);
}

void DoubleDensity::pullSprings(State& state, const Neighbors& neighbors, float dt) {
    springs_.pull(state, neighbors, dt, moved_);
    storePositions(state.particles);
}

void DoubleDensity::storePositions(Particles& particles) {
    forEach(device_, "storePositions", particles.count(),
            CopyVectors{std::as_const(moved_).span(), particles.x.span()});
}

void DoubleDensity::relax(Particles& particles, const Neighbors& neighbors, float dt) {
    const int count = particles.count();
    moved_.resizeDiscard(count);
    pack(particles, {});
    const Span<const DoubleDensityConstants> fluids = std::as_const(fluids_).span();
    const Span<const int> body = std::as_const(particles.body).span();
    sweep(device_, "doubleDensities", count, neighbors.view(),
          DoubleDensities{{fluids, body, 1 / radius_, dt, lanes_.points.data()},
                          lanes_.flow(),
                          particles.density.span(),
                          particles.pressure.span()});
    const auto run = [&](auto isSeveral) {
        sweep(
            device_, "relaxPairs", count, neighbors.view(),
            RelaxSweep<isSeveral>{{fluids, body, 1 / radius_, dt, lanes_.points.data()}, lanes_.flow(), moved_.span()});
    };
    fluids_.size() > 1 ? run(std::true_type()) : run(std::false_type());
    storePositions(particles);
}

void DoubleDensity::storeBeforeContact(const Particles& particles, const Buffer<Vec3>& xBefore, float dt,
                                       Buffer<Vec3>& v) {
    vFree_.resize(particles.count());
    xFree_.resize(particles.count());
    forEach(device_, "freeVelocity", particles.count(),
            FreeVelocity{particles.x.span(), xBefore.span(), dt, v.span(), vFree_.span(), xFree_.span()});
}

void DoubleDensity::applyContactFriction(Particles& particles, const Buffer<Vec3>& v, float dt) {
    forEach(device_, "applyContactFriction", particles.count(),
            ApplyContactFriction{v.span(), std::as_const(vFree_).span(), std::as_const(xFree_).span(), dt,
                                 particles.x.span()});
}

void DoubleDensity::rememberVelocity(State& state, const Scene& scene, double dt) {
    const auto hardens = [](const Fluid& fluid) {
        return fluid.params.doubleDensity.springStiffness > 0 && fluid.params.doubleDensity.hardening > 0;
    };
    int stride = 0, samples = 0;
    for (const Fluid& fluid : scene.fluids)
        if (hardens(fluid)) {
            const int own = hardeningStride(fluid.params, dt);
            stride = stride == 0 ? own : std::min(stride, own);
        }
    for (const Fluid& fluid : scene.fluids)
        if (hardens(fluid)) samples = std::max(samples, hardeningSamples(fluid.params, dt, stride));
    if (samples == 0) {
        if (state.history.sampleCount > 0) state.springs.outdated = 1;
        return clearHistory(state.particles.history, state.history);
    }
    if (++state.history.waited < stride) return;
    pushSample(state.particles.history, state.history, samples, stride * dt, state.particles.v);
    state.history.waited = 0;
    state.springs.outdated = 1;
}

}  // namespace purl

#include "solver/fluid/pressure/doubleDensity.h"

#include <algorithm>
#include <cmath>

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

// I = Δt (1 − q)(σ u + β u²) r̂ for u = (vᵢ − vⱼ)·r̂ > 0; half of it from i, half to j   Clavet, Alg. 5
struct DampApproach {
    Neighbors::View neighbors;
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body;
    float perRadius, dt;
    Span<const Vec3> v;
    Span<Vec3> damped;

    PURL_HD void operator()(int i) const {
        const DoubleDensityConstants& fluid = fluids[body[i]];
        Vec3 loss;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float r = std::sqrt(r2), q = perRadius * r;
            if (!(r > 0) || q >= 1) return;
            const Vec3 to = -d / r;
            const float u = dot(v[i] - v[j], to);
            if (u <= 0) return;
            const DoubleDensityConstants& other = fluids[body[j]];
            const float impulse =
                dt * (1 - q) *
                (0.5f * (fluid.damping + other.damping) * u + 0.5f * (fluid.impact + other.impact) * u * u);
            // At most what makes both velocities along r̂ equal.
            loss += (share(fluid, other) * (impulse < u ? impulse : u)) * to;
        });
        damped[i] = v[i] - loss;
    }
};

// ρ = Σ (1 − q)², p = k (ρ − ρ₀);   ρ_near = Σ (1 − q)³, p_near = k_near ρ_near   Clavet, eq. 1 to 5
struct DoubleDensities {
    Neighbors::View neighbors;
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body;
    float perRadius;
    Span<float> p, pNear, density, pressure;

    PURL_HD void operator()(int i) const {
        const Vec3 xi = neighbors.x[i];
        float sum = 0, near = 0;
        for (const int *n = neighbors.begin(i), *last = neighbors.end(i); n != last; ++n) {
            const float u = 1 - perRadius * length(xi - neighbors.x[*n]);
            if (u <= 0) continue;
            sum += u * u;
            near += u * u * u;
        }
        set(i, sum, near);
    }
    PURL_HD void set(int i, float sum, float near) const {
        const DoubleDensityConstants& fluid = fluids[body[i]];
        p[i] = fluid.k * (sum - fluid.restDensity);
        pNear[i] = fluid.kNear * near;
        const float relative = sum / fluid.latticeDensity;
        density[i] = fluid.density * relative;
        pressure[i] = fluid.stiffness * fluid.density * (relative - 1);
    }
};

// Δx = −Δt² Σ ((pᵢ + pⱼ)(1 − q) + (p_nearᵢ + p_nearⱼ)(1 − q)²) r̂ᵢⱼ, shared between the two   Clavet, eq. 6
struct RelaxPairs {
    Neighbors::View neighbors;
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body;
    float perRadius, dt;
    Span<const float> p, pNear;
    Span<Vec3> moved;

    PURL_HD void operator()(int i) const {
        const DoubleDensityConstants& fluid = fluids[body[i]];
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float r = std::sqrt(r2), u = 1 - perRadius * r;
            if (u <= 0 || !(r > 0)) return;
            const float size = (p[i] + p[j]) * u + (pNear[i] + pNear[j]) * u * u;
            sum += (share(fluid, fluids[body[j]]) * size / r) * d;
        });
        moved[i] = neighbors.x[i] + (dt * dt) * sum;
    }
};

#ifdef __AVX2__
constexpr int kChunk = 256;

// Packs positions, and three values per particle that the next loop reads, for vector loads.
template <class Three>
void pack(const Device& device, Span<const Vec3> x, const Three& three, LaneMemory& memory) {
    memory.resizeDiscard(x.count);
    Float4 *const points = memory.points.data(), *const flow = memory.flow();
    forEachChunk(device, "packParticles", x.count, 16 * kChunk, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 asked = three(i);
            points[i] = {x[i].x, x[i].y, x[i].z, 0};
            flow[i] = {asked.x, asked.y, asked.z, 0};
        }
    });
}

// Visits i's neighbours eight at a time: visit(dx, dy, dz, r, u, packed values) for d = xᵢ − xⱼ and u = max(0, 1 −
// r/H). r is never 0, so that d/r is 0 for coincident particles.
template <class Visit>
inline void forLanes(const Neighbors::View& neighbors, const LaneMemory& memory, float perRadius, int i,
                     const Visit& visit) {
    const Float4 *const points = memory.points.data(), *const flow = memory.flow();
    const __m256 xi = _mm256_set1_ps(points[i].x), yi = _mm256_set1_ps(points[i].y), zi = _mm256_set1_ps(points[i].z);
    const __m256 smallest = _mm256_set1_ps(1e-30f), one = _mm256_set1_ps(1), scale = _mm256_set1_ps(perRadius);
    const int* const list = neighbors.begin(i);
    for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes) {
        const Lanes4 other = loadLanes(points, list + n);
        const __m256 dx = _mm256_sub_ps(xi, other.x), dy = _mm256_sub_ps(yi, other.y), dz = _mm256_sub_ps(zi, other.z);
        const __m256 r2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
        const __m256 r = _mm256_sqrt_ps(_mm256_max_ps(r2, smallest));
        const __m256 u = _mm256_max_ps(_mm256_fnmadd_ps(scale, r, one), _mm256_setzero_ps());
        visit(dx, dy, dz, r, u, loadLanes(flow, list + n));
    }
}

void dampLanes(const DampApproach& plain, const LaneMemory& memory, int begin, int end) {
    const DoubleDensityConstants fluid = plain.fluids[0];
    const __m256 damping = _mm256_set1_ps(plain.dt * fluid.damping), impact = _mm256_set1_ps(plain.dt * fluid.impact),
                 zero = _mm256_setzero_ps();
    for (int i = begin; i < end; ++i) {
        const Vec3 v = plain.v[i];
        const __m256 vx = _mm256_set1_ps(v.x), vy = _mm256_set1_ps(v.y), vz = _mm256_set1_ps(v.z);
        LaneSum3 gain;
        forLanes(
            plain.neighbors, memory, plain.perRadius, i,
            [&](__m256 dx, __m256 dy, __m256 dz, __m256 r, __m256 u, const Lanes4& other) {
                const __m256 perR = _mm256_div_ps(_mm256_set1_ps(1), r);
                // Approach speed: max(0, −(vᵢ − vⱼ)·d/r).
                const __m256 along = _mm256_fmadd_ps(
                    _mm256_sub_ps(other.x, vx), dx,
                    _mm256_fmadd_ps(_mm256_sub_ps(other.y, vy), dy, _mm256_mul_ps(_mm256_sub_ps(other.z, vz), dz)));
                const __m256 speed = _mm256_max_ps(_mm256_mul_ps(along, perR), zero);
                const __m256 impulse = _mm256_mul_ps(_mm256_mul_ps(u, speed), _mm256_fmadd_ps(impact, speed, damping));
                gain.add(_mm256_mul_ps(_mm256_min_ps(impulse, speed), perR), dx, dy, dz);
            });
        plain.damped[i] = v + 0.5f * gain.total();
    }
}

void densityLanes(const DoubleDensities& plain, const LaneMemory& memory, int begin, int end) {
    for (int i = begin; i < end; ++i) {
        __m256 sum = _mm256_setzero_ps(), near = sum;
        forLanes(plain.neighbors, memory, plain.perRadius, i,
                 [&](__m256, __m256, __m256, __m256, __m256 u, const Lanes4&) {
                     const __m256 u2 = _mm256_mul_ps(u, u);
                     sum = _mm256_add_ps(sum, u2);
                     near = _mm256_fmadd_ps(u2, u, near);
                 });
        plain.set(i, sumOfLanes(sum), sumOfLanes(near));
    }
}

void relaxLanes(const RelaxPairs& plain, const LaneMemory& memory, int begin, int end) {
    for (int i = begin; i < end; ++i) {
        const __m256 p = _mm256_set1_ps(plain.p[i]), pNear = _mm256_set1_ps(plain.pNear[i]);
        LaneSum3 sum;
        forLanes(plain.neighbors, memory, plain.perRadius, i,
                 [&](__m256 dx, __m256 dy, __m256 dz, __m256 r, __m256 u, const Lanes4& other) {
                     const __m256 size =
                         _mm256_mul_ps(u, _mm256_fmadd_ps(_mm256_add_ps(pNear, other.y), u, _mm256_add_ps(p, other.x)));
                     sum.add(_mm256_div_ps(size, r), dx, dy, dz);
                 });
        plain.moved[i] = plain.neighbors.x[i] + (0.5f * plain.dt * plain.dt) * sum.total();
    }
}
#endif

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
      tuned_(tuned && device.isCpu()),
      fluids_(device),
      springs_(device, tuned),
      moved_(device),
      vFree_(device),
      xFree_(device),
      pressure_(device),
      pressureNear_(device),
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

void DoubleDensity::damp(const Particles& particles, const Neighbors& neighbors, float dt, Buffer<Vec3>& v) {
    moved_.resize(particles.count());
    const DampApproach plain{neighbors.view(),
                             std::as_const(fluids_).span(),
                             particles.body.span(),
                             1 / radius_,
                             dt,
                             std::as_const(v).span(),
                             moved_.span()};
    if (!inLanes()) forEach(device_, "dampApproach", particles.count(), plain);
#ifdef __AVX2__
    if (inLanes()) {
        pack(
            device_, particles.x.span(), [&](int i) { return v[i]; }, lanes_);
        forEachChunk(device_, "dampApproach", particles.count(), kChunk,
                     [&](int begin, int end) { dampLanes(plain, lanes_, begin, end); });
    }
#endif
    forEach(device_, "storeVelocities", particles.count(), CopyVectors{std::as_const(moved_).span(), v.span()});
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
    moved_.resize(count);
    pressure_.resize(count);
    pressureNear_.resize(count);
    const DoubleDensities densities{neighbors.view(),
                                    std::as_const(fluids_).span(),
                                    std::as_const(particles.body).span(),
                                    1 / radius_,
                                    pressure_.span(),
                                    pressureNear_.span(),
                                    particles.density.span(),
                                    particles.pressure.span()};
    const RelaxPairs pairs{neighbors.view(),
                           std::as_const(fluids_).span(),
                           std::as_const(particles.body).span(),
                           1 / radius_,
                           dt,
                           std::as_const(pressure_).span(),
                           std::as_const(pressureNear_).span(),
                           moved_.span()};
    if (!inLanes()) {
        forEach(device_, "doubleDensities", count, densities);
        forEach(device_, "relaxPairs", count, pairs);
    }
#ifdef __AVX2__
    if (inLanes()) {
        const auto places = [&] { return std::as_const(particles.x).span(); };
        pack(
            device_, places(), [](int) { return Vec3{}; }, lanes_);
        forEachChunk(device_, "doubleDensities", count, kChunk,
                     [&](int begin, int end) { densityLanes(densities, lanes_, begin, end); });
        pack(
            device_, places(),
            [&](int i) {
                return Vec3{pressure_[i], pressureNear_[i], 0};
            },
            lanes_);
        forEachChunk(device_, "relaxPairs", count, kChunk,
                     [&](int begin, int end) { relaxLanes(pairs, lanes_, begin, end); });
    }
#endif
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

#include "solver/fluid/doubleDensity.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"
#include "solver/fluid/external.h"
#include "solver/fluid/lanes.h"

namespace purl {
namespace {

// What a lattice of particles `spacing` apart has within H: Σ (1−q)², Σ (1−q)³, and Σ (1−q) r, Σ (1−q)² r.
struct LatticeSums {
    double density = 0, near = 0, arm = 0, armNear = 0;
    LatticeSums(double spacing, double radius) {
        const int reach = static_cast<int>(radius / spacing) + 1;
        for (int z = -reach; z <= reach; ++z)
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    const double r = spacing * std::sqrt(double(x * x + y * y + z * z)), u = 1 - r / radius;
                    if (!(r > 0) || u <= 0) continue;
                    density += u * u, near += u * u * u, arm += u * r, armNear += u * u * r;
                }
    }
};

// How much of what is between two is the one's to move; both together keep momentum.
PURL_HD inline float share(const PasteConstants& mine, const PasteConstants& other) {
    return other.mass / (mine.mass + other.mass);
}

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
    Span<const PasteConstants> fluids;
    Span<const int> body;
    float perRadius, dt;
    Span<const Vec3> v;
    Span<Vec3> damped;

    PURL_HD void operator()(int i) const {
        const PasteConstants& fluid = fluids[body[i]];
        Vec3 loss;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float r = std::sqrt(r2), q = perRadius * r;
            if (!(r > 0) || q >= 1) return;
            const Vec3 to = -d / r;
            const float u = dot(v[i] - v[j], to);
            if (u <= 0) return;
            const PasteConstants& other = fluids[body[j]];
            const float impulse =
                dt * (1 - q) *
                (0.5f * (fluid.damping + other.damping) * u + 0.5f * (fluid.impact + other.impact) * u * u);
            // No more than brings the two to one speed.
            loss += (share(fluid, other) * (impulse < u ? impulse : u)) * to;
        });
        damped[i] = v[i] - loss;
    }
};

PURL_HD inline int findSpring(const int64_t* b, int begin, int count, int64_t id) {
    int low = begin, high = begin + count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (b[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < begin + count && b[low] == id ? low : -1;
}

struct IdKeys {
    Span<const int64_t> id;
    Span<uint64_t> keys;
    Span<int> order;
    PURL_HD void operator()(int i) const {
        keys[i] = static_cast<uint64_t>(id[i]);
        order[i] = i;
    }
};

// A particle holds the springs to those of higher id.
struct Holds {
    Neighbors::View neighbors;
    Span<const PasteConstants> fluids;
    Span<const int> body;
    Span<const int64_t> id;

    PURL_HD bool operator()(int i, int j, float r2) const {
        return id[j] > id[i] && r2 > 0 && fluids[body[i]].spring > 0 && fluids[body[j]].spring > 0;
    }
};

struct CountSprings {
    Holds holds;
    Span<const int> byId;
    Span<int> counts;
    PURL_HD void operator()(int rank) const {
        const int i = byId[rank];
        int count = 0;
        holds.neighbors.forEach(i, [&](int j, Vec3, float r2) { count += holds(i, j, r2) ? 1 : 0; });
        counts[rank] = count;
    }
};

struct FillSprings {
    Holds holds;
    Span<const int> byId, counts, starts;
    float radius, dt;
    Span<const int64_t> oldA, oldB;
    Span<const float> oldRest;
    Span<int64_t> a, b;
    Span<float> rest;
    Span<int> endA, endB, first, run;

    PURL_HD void operator()(int rank) const {
        const int i = byId[rank], begin = starts[rank];
        const int64_t id = holds.id[i];
        int low = 0, high = oldA.count;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (oldA[middle] < id)
                low = middle + 1;
            else
                high = middle;
        }
        int olds = 0;
        while (low + olds < oldA.count && oldA[low + olds] == id) ++olds;
        first[i] = begin;
        run[i] = counts[rank];
        int made = 0;
        holds.neighbors.forEach(i, [&](int j, Vec3, float r2) {
            if (!holds(i, j, r2)) return;
            const int64_t other = holds.id[j];
            const float r = std::sqrt(r2);
            const int old = findSpring(oldB.data, low, olds, other);
            int at = begin + made++;
            for (; at > begin && b[at - 1] > other; --at) {
                b[at] = b[at - 1];
                rest[at] = rest[at - 1];
                endB[at] = endB[at - 1];
            }
            b[at] = other;
            endB[at] = j;
            rest[at] = old < 0 ? fresh(i, j, r) : flowed(i, j, r, oldRest[old]);
        });
        for (int s = begin; s < begin + made; ++s) {
            a[s] = id;
            endA[s] = i;
        }
    }
    PURL_HD float fresh(int i, int, float r) const {
        return holds.fluids[holds.body[i]].springRest == SpringRest::radius ? radius : r;
    }
    // L += Δt α sign(r − L) max(0, |r − L| − γ L)   Özgen 5.8; one longer than H is let go, and made anew
    PURL_HD float flowed(int i, int j, float r, float length) const {
        const PasteConstants &one = holds.fluids[holds.body[i]], &two = holds.fluids[holds.body[j]];
        const float yield = 0.5f * (one.yield + two.yield), flow = 0.5f * (one.flow + two.flow);
        const float strain = std::fabs(r - length) - yield * length;
        const float share = dt * flow < 1 ? dt * flow : 1;
        const float next = strain > 0 ? length + share * (r > length ? strain : -strain) : length;
        return next > radius ? fresh(i, j, r) : next;
    }
};

// K = k_min + k_hist Σ a |vᵢ − vⱼ|
struct Stiffen {
    PastVelocities past;
    Span<const float> rows;
    Span<const PasteConstants> fluids;
    Span<const int> body, endA, endB;
    Span<float> stiffness;

    PURL_HD void operator()(int s) const {
        const int i = endA[s];
        set(s, past.samples > 0 ? pastShear(past, rows.data + past.samples * body[i], i, endB[s]) : 0);
    }
    PURL_HD void set(int s, float shear) const {
        const PasteConstants &one = fluids[body[endA[s]]], &two = fluids[body[endB[s]]];
        stiffness[s] = 0.5f * (one.spring + two.spring) + 0.5f * (one.historyStiffness + two.historyStiffness) * shear;
    }
};

#ifdef __AVX2__
struct StiffenLanes {
    const Stiffen& plain;

    void operator()(int s) const {
        const int n = plain.past.samples, i = plain.endA[s];
        const float *const a = plain.past.of(i), *const b = plain.past.of(plain.endB[s]);
        const float* const row = plain.rows.data + n * plain.body[i];
        const auto apart = [&](int at) { return _mm256_sub_ps(_mm256_loadu_ps(a + at), _mm256_loadu_ps(b + at)); };
        __m256 lanes = _mm256_setzero_ps();
        int slot = 0;
        for (; slot + 8 <= n; slot += 8) {
            const __m256 x = apart(slot), y = apart(n + slot), z = apart(2 * n + slot);
            const __m256 u2 = _mm256_fmadd_ps(z, z, _mm256_fmadd_ps(y, y, _mm256_mul_ps(x, x)));
            lanes = _mm256_fmadd_ps(_mm256_loadu_ps(row + slot), _mm256_sqrt_ps(u2), lanes);
        }
        float sum = sumOfLanes(lanes);
        for (; slot < n; ++slot)
            sum += row[slot] * std::sqrt(square(a[slot] - b[slot]) + square(a[n + slot] - b[n + slot]) +
                                         square(a[2 * n + slot] - b[2 * n + slot]));
        plain.set(s, sum);
    }
};
#endif

// Δx = −Δt² K (r − L) r̂, shared between the two   Özgen 5.13
struct PullSprings {
    Neighbors::View neighbors;
    Span<const PasteConstants> fluids;
    Span<const int> body, first, run;
    Span<const int64_t> id, b;
    Span<const float> rest, stiffness;
    float dt;
    Span<Vec3> moved;
    Span<float> hardness, grip;

    PURL_HD void operator()(int i) const {
        const PasteConstants& fluid = fluids[body[i]];
        Vec3 sum;
        float hardened = 0;
        int springs = 0;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const int s = id[i] < id[j] ? findSpring(b.data, first[i], run[i], id[j])
                                        : findSpring(b.data, first[j], run[j], id[i]);
            if (s < 0) return;
            const PasteConstants& other = fluids[body[j]];
            const float r = std::sqrt(r2);
            sum -= (share(fluid, other) * stiffness[s] * (r - rest[s]) / r) * d;
            const float most = 0.5f * (fluid.hardening + other.hardening);
            if (most > 0) hardened += (stiffness[s] - 0.5f * (fluid.spring + other.spring)) / most;
            ++springs;
        });
        moved[i] = neighbors.x[i] + (dt * dt) * sum;
        hardness[i] = springs > 0 ? hardened / static_cast<float>(springs) : 0;
        grip[i] = fluid.grip * clamp(hardness[i], 0, 1);
    }
};

// ρ = Σ (1 − q)², p = k (ρ − ρ₀);   ρ_near = Σ (1 − q)³, p_near = k_near ρ_near   Clavet, eq. 1 to 5
struct DoubleDensities {
    Neighbors::View neighbors;
    Span<const PasteConstants> fluids;
    Span<const int> body;
    float perRadius;
    Span<float> push, pushNear, density, pressure;

    PURL_HD void operator()(int i) const {
        const PasteConstants& fluid = fluids[body[i]];
        const Vec3 xi = neighbors.x[i];
        float sum = 0, near = 0;
        for (const int *n = neighbors.begin(i), *last = neighbors.end(i); n != last; ++n) {
            const float u = 1 - perRadius * length(xi - neighbors.x[*n]);
            if (u <= 0) continue;
            sum += u * u;
            near += u * u * u;
        }
        push[i] = fluid.push * (sum - fluid.restDensity);
        pushNear[i] = fluid.pushNear * near;
        const float relative = sum / fluid.latticeDensity;
        density[i] = fluid.density * relative;
        pressure[i] = fluid.stiffness * fluid.density * (relative - 1);
    }
};

// Δx = −Δt² Σ ((pᵢ + pⱼ)(1 − q) + (p_nearᵢ + p_nearⱼ)(1 − q)²) r̂ᵢⱼ, shared between the two   Clavet, eq. 6
struct RelaxPairs {
    Neighbors::View neighbors;
    Span<const PasteConstants> fluids;
    Span<const int> body;
    float perRadius, dt;
    Span<const float> push, pushNear;
    Span<Vec3> moved;

    PURL_HD void operator()(int i) const {
        const PasteConstants& fluid = fluids[body[i]];
        Vec3 sum;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float r = std::sqrt(r2), u = 1 - perRadius * r;
            if (u <= 0 || !(r > 0)) return;
            const float size = (push[i] + push[j]) * u + (pushNear[i] + pushNear[j]) * u * u;
            sum += (share(fluid, fluids[body[j]]) * size / r) * d;
        });
        moved[i] = neighbors.x[i] + (dt * dt) * sum;
    }
};

struct TakePlaces {
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
struct HoldAtWalls {
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

double historyStiffness(const FluidParams& params) {
    // A velocity kept up for T seconds has D^q x = v T^(1−q)/Γ(2 − q).
    const double q = params.fractionalOrder;
    const double gain = std::pow(double(params.hardeningMemory), 1 - q) / std::tgamma(2 - q);
    return double(params.hardening) * params.springStiffness / (gain * params.hardeningSpeed);
}

int hardeningSamples(const FluidParams& params, double dt) {
    return 1 + std::max(1, static_cast<int>(std::lround(params.hardeningMemory / (params.hardeningStride * dt))));
}

double pasteStepLimit(const FluidParams& params, double radius) {
    const double push = double(params.stiffness) + params.nearStiffness;
    const double springs = double(params.springStiffness) * (1 + double(params.hardening));
    return std::min(push > 0 ? 0.3 * radius / std::sqrt(push) : kUnbounded,
                    springs > 0 ? 0.35 / std::sqrt(springs) : kUnbounded);
}

PasteConstants pasteOf(const FluidParams& params, double radius) {
    const LatticeSums lattice(params.particleSpacing, radius);
    PasteConstants paste;
    paste.mass = static_cast<float>(particleMass(params));
    paste.push = static_cast<float>(params.stiffness / radius);
    paste.pushNear = static_cast<float>(params.nearStiffness / radius);
    // A lattice stays as it is if p Σ (1−q) r + p_near Σ (1−q)² r = 0.
    const double ratio = params.stiffness > 0 ? double(params.nearStiffness) / params.stiffness : 0;
    paste.restDensity = static_cast<float>(lattice.density + ratio * lattice.near * lattice.armNear / lattice.arm);
    paste.latticeDensity = static_cast<float>(lattice.density);
    paste.damping = params.approachDamping;
    paste.impact = params.impactDamping;
    paste.spring = params.springStiffness;
    paste.hardening = params.hardening * params.springStiffness;
    paste.historyStiffness = static_cast<float>(historyStiffness(params));
    paste.yield = params.yieldRatio;
    paste.flow = params.plasticity;
    paste.grip = params.wallGrip;
    paste.springRest = params.springRest;
    paste.stiffness = params.stiffness;
    paste.density = params.restDensity;
    return paste;
}

DoubleDensity::DoubleDensity(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && !device.isCuda()),
      fluids_(device),
      byId_(device),
      counts_(device),
      starts_(device),
      endA_(device),
      endB_(device),
      ids_(device),
      first_(device),
      run_(device),
      next_(device),
      rows_(device),
      stiffness_(device),
      hardness_(device),
      grip_(device),
      moved_(device),
      vFree_(device),
      xFree_(device),
      pressure_(device),
      pressureNear_(device) {}

void DoubleDensity::set(const Scene& scene, const Materials& materials) {
    radius_ = materials.searchRadius;
    fluids_.resize(static_cast<int>(scene.fluids.size()));
    orders_.clear();
    for (int i = 0; i < fluids_.size(); ++i) {
        const FluidParams& params = scene.fluids[static_cast<size_t>(i)].params;
        fluids_[i] = pasteOf(params, radius_);
        orders_.push_back(params.fractionalOrder);
    }
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
    forEach(device_, "dampApproach", particles.count(),
            DampApproach{neighbors.view(), std::as_const(fluids_).span(), particles.body.span(), 1 / radius_, dt,
                         std::as_const(v).span(), moved_.span()});
    forEach(device_, "takeVelocities", particles.count(), TakePlaces{std::as_const(moved_).span(), v.span()});
}

void DoubleDensity::adjustSprings(State& state, const Neighbors& neighbors, float dt) {
    const Particles& particles = state.particles;
    const int count = particles.count();
    ids_.resize(count);
    byId_.resize(count);
    counts_.resize(count);
    first_.resize(count);
    run_.resize(count);
    forEach(device_, "idKeys", count, IdKeys{particles.id.span(), ids_.span(), byId_.span()});
    device_.synchronize();
    int bits = 1;
    while (bits < 63 && (int64_t(1) << bits) < state.nextId) ++bits;
    sortByKey(ids_, byId_, bits);
    const Holds holds{neighbors.view(), std::as_const(fluids_).span(), particles.body.span(), particles.id.span()};
    forEach(device_, "countSprings", count, CountSprings{holds, std::as_const(byId_).span(), counts_.span()});
    device_.synchronize();
    scan(counts_, starts_);
    const int springs = starts_[count];
    next_.a.resize(springs);
    next_.b.resize(springs);
    next_.rest.resize(springs);
    endA_.resize(springs);
    endB_.resize(springs);
    const Springs& old = state.springs;
    forEach(
        device_, "fillSprings", count,
        FillSprings{holds, std::as_const(byId_).span(), std::as_const(counts_).span(), std::as_const(starts_).span(),
                    radius_, dt, old.a.span(), old.b.span(), old.rest.span(), next_.a.span(), next_.b.span(),
                    next_.rest.span(), endA_.span(), endB_.span(), first_.span(), run_.span()});
    device_.synchronize();
    std::swap(state.springs, next_);
    stiffen(state);
}

void DoubleDensity::stiffen(const State& state) {
    const int samples = state.history.pushed > 0 ? state.particles.history.width / 3 : 0,
              springs = state.springs.count();
    rows_.resize(samples * fluids_.size());
    for (int f = 0; f < fluids_.size() && samples > 0; ++f) {
        const double q = orders_[static_cast<size_t>(f)];
        const PastWeights weights = trapezoidWeights(q, samples, stepsRemembered(state.history));
        const std::vector<float> row = inRing(weights, state.history, samples, weights.scale(state.history.interval));
        std::copy(row.begin(), row.end(), rows_.begin() + f * samples);
    }
    stiffness_.resize(springs);
    const Stiffen stiffen{{state.particles.history.values.data(), samples},
                          std::as_const(rows_).span(),
                          std::as_const(fluids_).span(),
                          state.particles.body.span(),
                          std::as_const(endA_).span(),
                          std::as_const(endB_).span(),
                          stiffness_.span()};
#ifdef __AVX2__
    if (tuned_)
        return forEachChunk(device_, "stiffen", springs, 1024, [&](int begin, int end) {
            for (int s = begin; s < end; ++s) StiffenLanes{stiffen}(s);
        });
#endif
    forEach(device_, "stiffen", springs, stiffen);
}

void DoubleDensity::take(Particles& particles) {
    forEach(device_, "takePlaces", particles.count(), TakePlaces{std::as_const(moved_).span(), particles.x.span()});
}

void DoubleDensity::pullSprings(State& state, const Neighbors& neighbors, float dt) {
    Particles& particles = state.particles;
    const int count = particles.count();
    moved_.resize(count);
    hardness_.resize(count);
    grip_.resize(count);
    const Springs& springs = state.springs;
    forEach(device_, "pullSprings", count,
            PullSprings{neighbors.view(), std::as_const(fluids_).span(), std::as_const(particles.body).span(),
                        std::as_const(first_).span(), std::as_const(run_).span(), std::as_const(particles.id).span(),
                        springs.b.span(), springs.rest.span(), std::as_const(stiffness_).span(), dt, moved_.span(),
                        hardness_.span(), grip_.span()});
    take(particles);
}

void DoubleDensity::relax(Particles& particles, const Neighbors& neighbors, float dt) {
    const int count = particles.count();
    moved_.resize(count);
    pressure_.resize(count);
    pressureNear_.resize(count);
    forEach(device_, "doubleDensities", count,
            DoubleDensities{neighbors.view(), std::as_const(fluids_).span(), std::as_const(particles.body).span(),
                            1 / radius_, pressure_.span(), pressureNear_.span(), particles.density.span(),
                            particles.pressure.span()});
    forEach(
        device_, "relaxPairs", count,
        RelaxPairs{neighbors.view(), std::as_const(fluids_).span(), std::as_const(particles.body).span(), 1 / radius_,
                   dt, std::as_const(pressure_).span(), std::as_const(pressureNear_).span(), moved_.span()});
    take(particles);
}

void DoubleDensity::beforeContact(const Particles& particles, const Buffer<Vec3>& xBefore, float dt, Buffer<Vec3>& v) {
    vFree_.resize(particles.count());
    xFree_.resize(particles.count());
    forEach(device_, "freeVelocity", particles.count(),
            FreeVelocity{particles.x.span(), xBefore.span(), dt, v.span(), vFree_.span(), xFree_.span()});
}

void DoubleDensity::holdAtWalls(Particles& particles, const Buffer<Vec3>& v, float dt) {
    forEach(device_, "holdAtWalls", particles.count(),
            HoldAtWalls{v.span(), std::as_const(vFree_).span(), std::as_const(xFree_).span(), dt, particles.x.span()});
}

void DoubleDensity::rememberVelocity(State& state, const Scene& scene, double dt) {
    int samples = 0, stride = 1;
    for (const Fluid& fluid : scene.fluids) {
        if (!(fluid.params.springStiffness > 0 && fluid.params.hardening > 0)) continue;
        stride = samples == 0 ? fluid.params.hardeningStride : std::min(stride, fluid.params.hardeningStride);
        samples = std::max(samples, hardeningSamples(fluid.params, dt));
    }
    if (samples == 0) return forget(state.particles.history, state.history);
    if (++state.history.waited < stride) return;
    device_.synchronize();
    remember(state.particles.history, state.history, samples, stride * dt, state.particles.v);
    state.history.waited = 0;
}

}  // namespace purl

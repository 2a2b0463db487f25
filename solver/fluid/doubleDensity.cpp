#include "solver/fluid/doubleDensity.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"
#include "solver/fluid/external.h"

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

constexpr float kUnknownShear = -1;  // sums of magnitudes are not negative

struct FillSprings {
    Holds holds;
    Span<const int> byId, counts, starts;
    float radius, dt;
    Span<const int64_t> oldA, oldB;
    Span<const float> oldRest, oldShear;
    Span<int64_t> a, b;
    Span<float> rest, shear;
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
                shear[at] = shear[at - 1];
                endB[at] = endB[at - 1];
            }
            b[at] = other;
            endB[at] = j;
            rest[at] = old < 0 ? fresh(i, j, r) : flowed(i, j, r, oldRest[old]);
            shear[at] = old < 0 ? kUnknownShear : oldShear[old];
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

// K = k_min + k_hist Σ a |vᵢ − vⱼ|. The sum stays what it is until there is another sample.
struct Stiffen {
    PastVelocities past;
    Span<const float> rows;
    Span<const PasteConstants> fluids;
    Span<const int> body, endA, endB;
    bool outdated;
    Span<float> shear, stiffness;

    PURL_HD bool asksForPast(int s) const { return outdated || shear[s] == kUnknownShear; }
    PURL_HD void operator()(int s) const {
        const int i = endA[s];
        if (asksForPast(s))
            shear[s] = past.samples > 0 ? pastShear(past, rows.data + past.samples * body[i], i, endB[s]) : 0;
        set(s);
    }
    PURL_HD void set(int s) const {
        const PasteConstants &one = fluids[body[endA[s]]], &two = fluids[body[endB[s]]];
        stiffness[s] =
            0.5f * (one.spring + two.spring) + 0.5f * (one.historyStiffness + two.historyStiffness) * shear[s];
    }
};

#ifdef __AVX2__
struct StiffenLanes {
    const Stiffen& plain;

    void operator()(int s) const {
        if (plain.asksForPast(s)) plain.shear[s] = sum(s);
        plain.set(s);
    }
    float sum(int s) const {
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
        return sum;
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
        const PasteConstants& fluid = fluids[body[i]];
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

#ifdef __AVX2__
constexpr int kChunk = 256;

// Particles of one fluid beside each other: where they are, and three numbers that the loop at hand asks for.
template <class Three>
void pack(const Device& device, Span<const Vec3> x, const Three& three, LaneMemory& memory) {
    memory.points.resize(x.count + 1);
    memory.flow.resize(x.count + 1);
    memory.points[x.count] = kNobody4;
    memory.flow[x.count] = {};
    forEachChunk(device, "packParticles", x.count, 16 * kChunk, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 asked = three(i);
            memory.points[i] = {x[i].x, x[i].y, x[i].z, 0};
            memory.flow[i] = {asked.x, asked.y, asked.z, 0};
        }
    });
}

// Visits i's neighbours eight at a time: visit(dx, dy, dz, r, u, what the loop asks for) for d = xᵢ − xⱼ and
// u = 1 − r/H, 0 from H on. r is never 0, so that d/r is 0 where two are in one place.
template <class Visit>
inline void forLanes(const Neighbors::View& neighbors, const LaneMemory& memory, float perRadius, int i,
                     const Visit& visit) {
    const Float4 *const points = memory.points.data(), *const flow = memory.flow.data();
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
    const PasteConstants fluid = plain.fluids[0];
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
                // How fast they approach: −(vᵢ − vⱼ)·d/r, or 0.
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
        const __m256 push = _mm256_set1_ps(plain.push[i]), pushNear = _mm256_set1_ps(plain.pushNear[i]);
        LaneSum3 sum;
        forLanes(plain.neighbors, memory, plain.perRadius, i,
                 [&](__m256 dx, __m256 dy, __m256 dz, __m256 r, __m256 u, const Lanes4& other) {
                     const __m256 size = _mm256_mul_ps(
                         u, _mm256_fmadd_ps(_mm256_add_ps(pushNear, other.y), u, _mm256_add_ps(push, other.x)));
                     sum.add(_mm256_div_ps(size, r), dx, dy, dz);
                 });
        plain.moved[i] = plain.neighbors.x[i] + (0.5f * plain.dt * plain.dt) * sum.total();
    }
}
#endif

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

int hardeningStride(const FluidParams& params, double dt) {
    constexpr double kSamples = 100;
    if (params.hardeningStride > 0) return params.hardeningStride;
    return std::max(1, static_cast<int>(params.hardeningMemory / (kSamples * dt) * (1 + 1e-6)));
}

int hardeningSamples(const FluidParams& params, double dt, int stride) {
    return 1 + std::max(1, static_cast<int>(std::lround(params.hardeningMemory / (stride * dt))));
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
      pressureNear_(device),
      lanes_(device) {}

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
    next_.shear.resize(springs);
    next_.outdated = state.springs.outdated;
    endA_.resize(springs);
    endB_.resize(springs);
    const Springs& old = state.springs;
    forEach(device_, "fillSprings", count,
            FillSprings{holds, std::as_const(byId_).span(), std::as_const(counts_).span(),
                        std::as_const(starts_).span(), radius_, dt, old.a.span(), old.b.span(), old.rest.span(),
                        old.shear.span(), next_.a.span(), next_.b.span(), next_.rest.span(), next_.shear.span(),
                        endA_.span(), endB_.span(), first_.span(), run_.span()});
    device_.synchronize();
    std::swap(state.springs, next_);
    stiffen(state);
}

void DoubleDensity::stiffen(State& state) {
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
                          state.springs.outdated != 0,
                          state.springs.shear.span(),
                          stiffness_.span()};
    state.springs.outdated = 0;
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
    const auto hardens = [](const Fluid& fluid) {
        return fluid.params.springStiffness > 0 && fluid.params.hardening > 0;
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
        if (state.history.pushed > 0) state.springs.outdated = 1;
        return forget(state.particles.history, state.history);
    }
    if (++state.history.waited < stride) return;
    device_.synchronize();
    remember(state.particles.history, state.history, samples, stride * dt, state.particles.v);
    state.history.waited = 0;
    state.springs.outdated = 1;
}

}  // namespace purl

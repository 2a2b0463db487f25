#include "solver/fluid/springs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

constexpr int kNoSpring = -1;
constexpr float kUnknownShear = -1;  // sums of magnitudes are not negative

struct Forget {
    Span<int> oldFirst;
    PURL_HD void operator()(int id) const { oldFirst[id] = kNoSpring; }
};
struct FindFirst {
    Span<const int64_t> oldA;
    Span<int> oldFirst;
    PURL_HD void operator()(int s) const {
        if (s == 0 || oldA[s - 1] != oldA[s]) oldFirst[static_cast<int>(oldA[s])] = s;
    }
};

struct Joins {
    Neighbors::View neighbors;
    Span<const PasteConstants> fluids;
    Span<const int> body;
    Span<const int64_t> id;

    PURL_HD bool operator()(int i, int j, float r2) const {
        return r2 > 0 && fluids[body[i]].spring > 0 && fluids[body[j]].spring > 0;
    }
    // A particle holds the springs to those of higher id.
    PURL_HD bool holds(int i, int j) const { return id[j] > id[i]; }
};

struct CountSprings {
    Joins joins;
    Span<int> counts;
    PURL_HD void operator()(int i) const {
        int count = 0;
        joins.neighbors.forEach(i, [&](int j, Vec3, float r2) { count += joins.holds(i, j) && joins(i, j, r2); });
        counts[i] = count;
    }
};

struct FillSprings {
    Joins joins;
    Span<const int> starts;
    float radius, dt;
    Span<const int> oldFirst;
    Span<const int64_t> oldA, oldB;
    Span<const float> oldRest, oldShear;
    Span<int64_t> a, b;
    Span<float> rest, shear;
    Span<int> endA, endB, springOf;

    PURL_HD void operator()(int i) const {
        const Neighbors::View& neighbors = joins.neighbors;
        const int64_t id = joins.id[i];
        const int low = oldFirst[static_cast<int>(id)];
        int high = low;
        while (low >= 0 && high < oldA.count && oldA[high] == id) ++high;
        int s = starts[i], entry = neighbors.starts[i], likely = low;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const int here = entry++;
            if (!joins(i, j, r2)) {
                springOf[here] = kNoSpring;
                return;
            }
            if (!joins.holds(i, j)) return;
            const float r = std::sqrt(r2);
            const int old = find(joins.id[j], low, high, likely);
            if (old != kNoSpring) likely = old + 1;
            a[s] = id;
            b[s] = joins.id[j];
            endA[s] = i;
            endB[s] = j;
            rest[s] = old == kNoSpring ? fresh(i, r) : flowed(i, j, r, oldRest[old]);
            shear[s] = old == kNoSpring ? kUnknownShear : oldShear[old];
            springOf[here] = springOf[entryOf(j, i)] = s++;
        });
        for (const int last = neighbors.starts[i] + neighbors.paddedCount(i); entry < last; ++entry)
            springOf[entry] = kNoSpring;
    }
    // Neighbours mostly come in the order that they came in a step ago: then it is the one after the last found.
    PURL_HD int find(int64_t other, int low, int high, int likely) const {
        if (likely < high && oldB[likely] == other) return likely;
        for (int s = low; s < high; ++s)
            if (oldB[s] == other) return s;
        return kNoSpring;
    }
    // Where j's list has i; lists ascend.
    PURL_HD int entryOf(int j, int i) const {
        const Neighbors::View& neighbors = joins.neighbors;
        int low = neighbors.starts[j];
        for (int count = neighbors.counts[j]; count > 1;) {
            const int half = count / 2;
            low += neighbors.indices[low + half] <= i ? half : 0;
            count -= half;
        }
        return low;
    }
    PURL_HD float fresh(int i, float r) const {
        return joins.fluids[joins.body[i]].springRest == SpringRest::radius ? radius : r;
    }
    // L += Δt α sign(r − L) max(0, |r − L| − γ L)   Özgen 5.8; one longer than H is let go, and made anew
    PURL_HD float flowed(int i, int j, float r, float length) const {
        const PasteConstants &one = joins.fluids[joins.body[i]], &two = joins.fluids[joins.body[j]];
        const float yield = 0.5f * (one.yield + two.yield), flow = 0.5f * (one.flow + two.flow);
        const float strain = std::fabs(r - length) - yield * length;
        const float share = dt * flow < 1 ? dt * flow : 1;
        const float next = strain > 0 ? length + share * (r > length ? strain : -strain) : length;
        return next > radius ? fresh(i, r) : next;
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
    Span<const int> body, springOf;
    Span<const float> rest, stiffness;
    float dt;
    Span<Vec3> moved;
    Span<float> hardness, grip;

    PURL_HD void operator()(int i) const {
        const PasteConstants& fluid = fluids[body[i]];
        Vec3 sum;
        float hardened = 0;
        int springs = 0, entry = neighbors.starts[i];
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const int s = springOf[entry++];
            if (s == kNoSpring) return;
            const PasteConstants& other = fluids[body[j]];
            const float r = std::sqrt(r2);
            sum -= (share(fluid, other) * stiffness[s] * (r - rest[s]) / r) * d;
            const float most = 0.5f * (fluid.hardening + other.hardening);
            if (most > 0) hardened += (stiffness[s] - 0.5f * (fluid.spring + other.spring)) / most;
            ++springs;
        });
        set(i, sum, springs > 0 ? hardened / static_cast<float>(springs) : 0);
    }
    PURL_HD void set(int i, Vec3 sum, float hardened) const {
        moved[i] = neighbors.x[i] + (dt * dt) * sum;
        hardness[i] = hardened;
        grip[i] = fluids[body[i]].grip * clamp(hardened, 0, 1);
    }
};

#ifdef __AVX2__
// The same within one fluid.
struct PullSpringsLanes {
    PullSprings plain;
    const Float4* points;

    void operator()(int i) const {
        const PasteConstants fluid = plain.fluids[0];
        const Neighbors::View& neighbors = plain.neighbors;
        const __m256 x = _mm256_set1_ps(points[i].x), y = _mm256_set1_ps(points[i].y), z = _mm256_set1_ps(points[i].z);
        const __m256 smallest = _mm256_set1_ps(1e-30f), none = _mm256_setzero_ps();
        const int *const list = neighbors.begin(i), *const own = plain.springOf.data + neighbors.starts[i];
        LaneSum3 sum;
        __m256 stiff = none;
        int springs = 0;
        for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const __m256i s = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(own + n));
            const __m256 joined = _mm256_castsi256_ps(_mm256_cmpgt_epi32(s, _mm256_set1_epi32(kNoSpring)));
            const __m256 k = _mm256_mask_i32gather_ps(none, plain.stiffness.data, s, joined, 4);
            const __m256 rest = _mm256_mask_i32gather_ps(none, plain.rest.data, s, joined, 4);
            const Lanes4 other = loadLanes(points, list + n);
            const __m256 dx = _mm256_sub_ps(x, other.x), dy = _mm256_sub_ps(y, other.y), dz = _mm256_sub_ps(z, other.z);
            const __m256 r2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
            const __m256 r = _mm256_sqrt_ps(_mm256_max_ps(r2, smallest));
            sum.add(_mm256_div_ps(_mm256_mul_ps(k, _mm256_sub_ps(rest, r)), r), dx, dy, dz);
            stiff = _mm256_add_ps(stiff, k);
            springs += __builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(joined)));
        }
        const float added = springs > 0 ? sumOfLanes(stiff) / static_cast<float>(springs) - fluid.spring : 0;
        plain.set(i, 0.5f * sum.total(), fluid.hardening > 0 ? added / fluid.hardening : 0);
    }
};
#endif

}  // namespace

PasteSprings::PasteSprings(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && !device.isCuda()),
      fluids_(device),
      oldFirst_(device),
      counts_(device),
      starts_(device),
      endA_(device),
      endB_(device),
      springOf_(device),
      next_(device),
      rows_(device),
      stiffness_(device),
      hardness_(device),
      grip_(device) {}

void PasteSprings::set(const Buffer<PasteConstants>& fluids, std::vector<double> orders, float radius) {
    fluids_ = fluids;
    orders_ = std::move(orders);
    radius_ = radius;
}

void PasteSprings::adjust(State& state, const Neighbors& neighbors, float dt) {
    const Particles& particles = state.particles;
    const Springs& old = state.springs;
    const int count = particles.count();
    const Joins joins{neighbors.view(), std::as_const(fluids_).span(), particles.body.span(), particles.id.span()};
    counts_.renew(count);
    forEach(device_, "countSprings", count, CountSprings{joins, counts_.span()});
    oldFirst_.renew(static_cast<int>(state.nextId));
    forEach(device_, "forget", oldFirst_.size(), Forget{oldFirst_.span()});
    forEach(device_, "findFirst", old.count(), FindFirst{old.a.span(), oldFirst_.span()});
    device_.synchronize();
    scan(counts_, starts_);
    const int springs = starts_[count];
    next_.a.renew(springs);
    next_.b.renew(springs);
    next_.rest.renew(springs);
    next_.shear.renew(springs);
    next_.outdated = old.outdated;
    endA_.renew(springs);
    endB_.renew(springs);
    springOf_.renew(neighbors.listSize());
    forEach(device_, "fillSprings", count,
            FillSprings{joins, std::as_const(starts_).span(), radius_, dt, std::as_const(oldFirst_).span(),
                        old.a.span(), old.b.span(), old.rest.span(), old.shear.span(), next_.a.span(), next_.b.span(),
                        next_.rest.span(), next_.shear.span(), endA_.span(), endB_.span(), springOf_.span()});
    device_.synchronize();
    std::swap(state.springs, next_);
    stiffen(state);
}

void PasteSprings::stiffen(State& state) {
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

void PasteSprings::pull(const State& state, const Neighbors& neighbors, float dt, Buffer<Vec3>& moved,
                        [[maybe_unused]] LaneMemory& memory) {
    const Particles& particles = state.particles;
    const int count = particles.count();
    moved.resize(count);
    hardness_.renew(count);
    grip_.renew(count);
    const PullSprings pull{neighbors.view(),
                           std::as_const(fluids_).span(),
                           particles.body.span(),
                           std::as_const(springOf_).span(),
                           state.springs.rest.span(),
                           std::as_const(stiffness_).span(),
                           dt,
                           moved.span(),
                           hardness_.span(),
                           grip_.span()};
#ifdef __AVX2__
    if (tuned_ && fluids_.size() == 1) {
        packPlaces(device_, particles.x.span(), memory);
        return forEachOnCpu(device_, "pullSprings", count, PullSpringsLanes{pull, memory.points.data()});
    }
#endif
    forEach(device_, "pullSprings", count, pull);
}

}  // namespace purl

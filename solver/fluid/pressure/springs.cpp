#include "solver/fluid/pressure/springs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/sort.h"
#include "solver/fluid/pressure/springLanes.h"

namespace purl {
namespace {

constexpr int kNoSpring = -1;
constexpr float kUnknownShear = -1;  // sums of magnitudes are not negative
[[maybe_unused]] constexpr int kChunk = 256;

int samplesOf(const State& state) { return state.history.sampleCount > 0 ? state.particles.history.width / 3 : 0; }

#ifdef __AVX2__
float floatOf(int number) {
    float bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}
#endif

struct ClearOld {
    Span<Run> oldOf;
    PURL_HD void operator()(int id) const { oldOf[id] = {}; }
};
// Springs with the same a are contiguous: finds the range of each.
struct FindOld {
    Span<const int64_t> oldA;
    Span<Run> oldOf;
    PURL_HD void operator()(int s) const {
        const auto a = static_cast<int>(oldA[s]);
        if (s == 0 || oldA[s - 1] != a) oldOf[a].begin = s;
        if (s + 1 == oldA.count || oldA[s + 1] != a) oldOf[a].end = s + 1;
    }
};

struct Joins {
    Neighbors::View neighbors;
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body;
    Span<const int64_t> id;

    PURL_HD bool operator()(int i, int j, float r2) const {
        return r2 > 0 && fluids[body[i]].spring > 0 && fluids[body[j]].spring > 0;
    }
    // A spring is stored by the particle with the lower id.
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
    Span<const Run> oldOf;
    Span<const int64_t> oldB;
    Span<const float> oldRest, oldShear;
    Span<int64_t> a, b;
    Span<float> rest, shear;
    Span<int> endA, endB, springOf;

    PURL_HD void operator()(int i) const {
        const Neighbors::View& neighbors = joins.neighbors;
        const int64_t id = joins.id[i];
        const Run old = oldOf[static_cast<int>(id)];
        int s = starts[i], entry = neighbors.starts[i], likely = old.begin;
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const int here = entry++;
            if (!joins(i, j, r2)) {
                springOf[here] = kNoSpring;
                return;
            }
            if (!joins.holds(i, j)) return;
            const float r = std::sqrt(r2);
            const int before = find(joins.id[j], old, likely);
            if (before != kNoSpring) likely = before + 1;
            a[s] = id;
            b[s] = joins.id[j];
            endA[s] = i;
            endB[s] = j;
            rest[s] = before == kNoSpring ? fresh(i, r) : flowed(i, j, r, oldRest[before]);
            shear[s] = before == kNoSpring ? kUnknownShear : oldShear[before];
            springOf[here] = springOf[entryOf(j, i)] = s++;
        });
        for (const int last = neighbors.starts[i] + neighbors.paddedCount(i); entry < last; ++entry)
            springOf[entry] = kNoSpring;
    }
    // Neighbours mostly keep their order from step to step: then it is the spring after the one found last.
    PURL_HD int find(int64_t other, Run old, int likely) const {
        if (likely < old.end && oldB[likely] == other) return likely;
        for (int s = old.begin; s < old.end; ++s)
            if (oldB[s] == other) return s;
        return kNoSpring;
    }
    // Entry of i in j's neighbour list, by binary search: lists are sorted.
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
    // L += Δt α sign(r − L) max(0, |r − L| − γ L)   Özgen 5.8; a spring longer than H is removed, and may be created
    // again
    PURL_HD float flowed(int i, int j, float r, float length) const {
        const DoubleDensityConstants &one = joins.fluids[joins.body[i]], &two = joins.fluids[joins.body[j]];
        const float yield = 0.5f * (one.yield + two.yield), flow = 0.5f * (one.flow + two.flow);
        const float strain = std::fabs(r - length) - yield * length;
        const float share = dt * flow < 1 ? dt * flow : 1;
        const float next = strain > 0 ? length + share * (r > length ? strain : -strain) : length;
        return next > radius ? fresh(i, r) : next;
    }
};

// K = k_min + k_hist Σ a |vᵢ − vⱼ|. The sum is cached until there is another sample.
struct Stiffen {
    VelocityHistory past;
    Span<const float> rows;
    Span<const DoubleDensityConstants> fluids;
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
        const DoubleDensityConstants &one = fluids[body[endA[s]]], &two = fluids[body[endB[s]]];
        stiffness[s] =
            0.5f * (one.spring + two.spring) + 0.5f * (one.historyStiffness + two.historyStiffness) * shear[s];
    }
};

#ifdef __AVX2__
// Number of springs that a particle stores.
int countHeld(const Neighbors::View& neighbors, const Float4* points, int i) {
    int held = 0;
    for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes)
        held += __builtin_popcount(bitsOf(SpringLanes(points, neighbors.begin(i) + n, points[i]).held));
    return held;
}

// FillSprings and Stiffen for one fluid. Springs are stored in the order of particles.
struct FillSpringsLanes {
    const FillSprings& fill;
    const Stiffen& stiffen;
    const Float4* points;

    // Writes the springs of particle i from s on and returns their number. `end`: the first spring of the next chunk,
    // which another thread may be writing.
    int operator()(int i, int s, int end, HeldSprings& held) const {
        held.gather(fill.joins.neighbors, points, i);
        const int64_t id = fill.joins.id[i];
        const Run old = fill.oldOf[static_cast<int>(id)];
        bool fresh = false;
        for (int n = 0, likely = old.begin; n < held.count; n += Neighbors::kLanes) {
            const int count = std::min(Neighbors::kLanes, held.count - n), to = s + n;
            __m256 length, shear;
            if (follow(held, n, count, likely, old.end)) {
                length = _mm256_loadu_ps(fill.oldRest.data + likely);
                shear = _mm256_loadu_ps(fill.oldShear.data + likely);
                likely += count;
            } else {
                fresh = lookUp(held, n, count, old, likely, length, shear) || fresh;
            }
            const __m256i ids = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(held.id.data() + n));
            store(fill.a.data + to, end - to, count, _mm256_set1_epi64x(id), _mm256_set1_epi64x(id));
            store(fill.b.data + to, end - to, count, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(ids)),
                  _mm256_cvtepi32_epi64(_mm256_extracti128_si256(ids, 1)));
            store(fill.endB.data + to, end - to, count,
                  _mm256_loadu_si256(reinterpret_cast<const __m256i*>(held.j.data() + n)));
            const __m256 rest = flowed(_mm256_sqrt_ps(_mm256_loadu_ps(held.r2.data() + n)), length);
            store(fill.rest.data + to, end - to, count, _mm256_castps_si256(rest));
            store(fill.shear.data + to, end - to, count, _mm256_castps_si256(shear));
        }
        if (stiffen.outdated || fresh)
            for (int k = s; k < s + held.count; ++k)
                if (stiffen.asksForPast(k))
                    stiffen.shear[k] = stiffen.past.samples > 0 ? pastShearLanes(stiffen.past, stiffen.rows.data, i,
                                                                                 held.j[static_cast<size_t>(k - s)])
                                                                : 0;
        const float least = stiffen.fluids[0].spring, gain = stiffen.fluids[0].historyStiffness;
        for (int k = s; k < s + held.count; ++k) stiffen.stiffness.data[k] = least + gain * stiffen.shear.data[k];
        return held.count;
    }

  private:
    // Whether the previous springs from `likely` on lead to the same `count` particles.
    bool follow(const HeldSprings& held, int n, int count, int likely, int end) const {
        if (likely + count > end) return false;
        const int* const ids = held.id.data() + n;
        const int64_t* const others = fill.oldB.data + likely;
        const auto equal = [&](int from) {
            const __m256i mine = _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(ids + from)));
            const __m256i theirs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(others + from));
            return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(mine, theirs))));
        };
        const unsigned wanted = (1u << count) - 1;
        return ((equal(0) | equal(4) << 4) & wanted) == wanted;
    }
    // Finds the previous springs one by one; returns true if any spring is new. A new one gets an infinite rest length,
    // which `flowed` replaces.
    bool lookUp(const HeldSprings& held, int n, int count, Run old, int& likely, __m256& length, __m256& shear) const {
        alignas(32) float lengths[Neighbors::kLanes] = {}, shears[Neighbors::kLanes] = {};
        bool fresh = false;
        for (int k = 0; k < count; ++k) {
            const int before = fill.find(held.id[static_cast<size_t>(n + k)], old, likely);
            if (before != kNoSpring) likely = before + 1;
            fresh = fresh || before == kNoSpring;
            lengths[k] = before == kNoSpring ? std::numeric_limits<float>::infinity() : fill.oldRest[before];
            shears[k] = before == kNoSpring ? kUnknownShear : fill.oldShear[before];
        }
        length = _mm256_load_ps(lengths);
        shear = _mm256_load_ps(shears);
        return fresh;
    }
    // FillSprings::flowed and fresh.
    __m256 flowed(__m256 r, __m256 length) const {
        const DoubleDensityConstants& fluid = fill.joins.fluids[0];
        const float share = fill.dt * fluid.flow < 1 ? fill.dt * fluid.flow : 1;
        const __m256 zero = _mm256_setzero_ps(), radius = _mm256_set1_ps(fill.radius);
        const __m256 apart = _mm256_sub_ps(r, length), sign = _mm256_set1_ps(-0.0f);
        const __m256 strain =
            _mm256_sub_ps(_mm256_andnot_ps(sign, apart), _mm256_mul_ps(_mm256_set1_ps(fluid.yield), length));
        const __m256 flow = _mm256_blendv_ps(_mm256_xor_ps(sign, strain), strain, _mm256_cmp_ps(r, length, _CMP_GT_OQ));
        const __m256 moved = _mm256_add_ps(length, _mm256_mul_ps(_mm256_set1_ps(share), flow));
        const __m256 next = _mm256_blendv_ps(length, moved, _mm256_cmp_ps(strain, zero, _CMP_GT_OQ));
        return _mm256_blendv_ps(next, fluid.springRest == SpringRest::radius ? radius : r,
                                _mm256_cmp_ps(next, radius, _CMP_GT_OQ));
    }
    // Stores the first `count` of eight elements; all eight if there is room.
    template <class T, class... Vectors>
    static void store(T* to, int room, int count, Vectors... vectors) {
        alignas(32) T elements[Neighbors::kLanes];
        T* const all = room >= Neighbors::kLanes ? to : elements;
        int k = 0;
        (_mm256_storeu_si256(reinterpret_cast<__m256i*>(all) + k++, vectors), ...);
        if (all == elements) std::copy_n(elements, count, to);
    }
};
#endif

// Δx = −Δt² K (r − L) r̂, shared between the two   Özgen 5.13
struct PullSprings {
    Neighbors::View neighbors;
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body, springOf;
    Span<const float> rest, stiffness;
    float dt;
    Span<Vec3> moved;
    Span<float> hardness, grip;

    PURL_HD void operator()(int i) const {
        const DoubleDensityConstants& fluid = fluids[body[i]];
        Vec3 sum;
        float hardened = 0;
        int springs = 0, entry = neighbors.starts[i];
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const int s = springOf[entry++];
            if (s == kNoSpring) return;
            const DoubleDensityConstants& other = fluids[body[j]];
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
// PullSprings for one fluid, with the springs of FillSpringsLanes.
struct PullSpringsLanes {
    PullSprings plain;
    const Float4* points;
    Span<const int> starts, endB;

    // The springs to a particle that others store: by whom, rest lengths and stiffnesses.
    struct Scratch {
        std::vector<int> holders;
        std::vector<float> rest, stiffness;
    };

    void operator()(int i, Scratch& others) const {
        const DoubleDensityConstants fluid = plain.fluids[0];
        const Neighbors::View& neighbors = plain.neighbors;
        const Float4 own = points[i];
        const __m256 smallest = _mm256_set1_ps(1e-30f);
        const int* const list = neighbors.begin(i);
        findOthers(i, others);
        LaneSum3 sum;
        __m256 stiff = _mm256_setzero_ps();
        // The particle's own springs are contiguous; findOthers gathered the rest.
        const float *rest = plain.rest.data + starts[i], *stiffness = plain.stiffness.data + starts[i];
        const float *othersRest = others.rest.data(), *othersStiffness = others.stiffness.data();
        int springs = 0;
        for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const SpringLanes near(points, list + n, own);
            const unsigned held = bitsOf(near.held), joined = bitsOf(near.joined), notHeld = joined & ~held;
            const __m256i fromHeld = laneBytes(kBits.below[held]), fromOthers = laneBytes(kBits.below[notHeld]);
            const auto pick = [&](const float* mine, const float* theirs) {
                const __m256 a = _mm256_permutevar8x32_ps(_mm256_loadu_ps(mine), fromHeld),
                             b = _mm256_permutevar8x32_ps(_mm256_loadu_ps(theirs), fromOthers);
                return _mm256_and_ps(near.joined, _mm256_blendv_ps(b, a, near.held));
            };
            const __m256 k = pick(stiffness, othersStiffness), length = pick(rest, othersRest);
            const int mine = __builtin_popcount(held), theirs = __builtin_popcount(notHeld);
            rest += mine, stiffness += mine, othersRest += theirs, othersStiffness += theirs;
            const __m256 r2 =
                _mm256_fmadd_ps(near.dz, near.dz, _mm256_fmadd_ps(near.dy, near.dy, _mm256_mul_ps(near.dx, near.dx)));
            const __m256 r = _mm256_sqrt_ps(_mm256_max_ps(r2, smallest));
            sum.add(_mm256_div_ps(_mm256_mul_ps(k, _mm256_sub_ps(length, r)), r), near.dx, near.dy, near.dz);
            stiff = _mm256_add_ps(stiff, k);
            springs += mine + theirs;
        }
        const float added = springs > 0 ? sumOfLanes(stiff) / static_cast<float>(springs) - fluid.spring : 0;
        plain.set(i, 0.5f * sum.total(), fluid.hardening > 0 ? added / fluid.hardening : 0);
    }

  private:
    void findOthers(int i, Scratch& others) const {
        const Neighbors::View& neighbors = plain.neighbors;
        const auto room = static_cast<size_t>(neighbors.paddedCount(i) + Neighbors::kLanes);
        if (others.holders.size() < room) {
            others.holders.resize(2 * room);
            others.rest.resize(2 * room);
            others.stiffness.resize(2 * room);
        }
        const int* const list = neighbors.begin(i);
        int* end = others.holders.data();
        for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const SpringLanes near(points, list + n, points[i]);
            const unsigned notHeld = bitsOf(_mm256_andnot_ps(near.held, near.joined));
            const __m256i js = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(list + n));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(end),
                                _mm256_permutevar8x32_epi32(js, laneBytes(kBits.places[notHeld])));
            end += __builtin_popcount(notHeld);
        }
        const int *holder = others.holders.data(), *const ends = endB.data;
        float *rest = others.rest.data(), *stiffness = others.stiffness.data();
        const __m256i wanted = _mm256_set1_epi32(i);
        for (; holder < end; ++holder) {
            const int s = find(ends, starts.data[*holder], starts.data[*holder + 1], wanted);
            *rest++ = plain.rest.data[s];
            *stiffness++ = plain.stiffness.data[s];
        }
    }
    // The spring in [s, last) that ends at `wanted`, which must exist. Buffers have spare bytes behind their end, so
    // that a load may run past it.
    static int find(const int* ends, int s, int last, __m256i wanted) {
        const auto equal = [&](int from) {
            const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends + from));
            return bitsOf(_mm256_castsi256_ps(_mm256_cmpeq_epi32(some, wanted)));
        };
        for (; s < last; s += 16)
            if (const unsigned bits = equal(s) | equal(s + 8) << 8) return s + __builtin_ctz(bits);
        PURL_ASSERT(false);
        return last - 1;
    }
};
#endif

}  // namespace

ViscoelasticSprings::ViscoelasticSprings(const Device& device, bool tuned)
    : device_(device),
      tuned_(tuned && device.isCpu()),
      fluids_(device),
      oldOf_(device),
      counts_(device),
      starts_(device),
      endA_(device),
      endB_(device),
      springOf_(device),
      points_(device),
      next_(device),
      rows_(device),
      stiffness_(device),
      hardness_(device),
      grip_(device) {}

void ViscoelasticSprings::set(const Buffer<DoubleDensityConstants>& fluids, std::vector<double> orders, float radius) {
    fluids_ = fluids;
    orders_ = std::move(orders);
    radius_ = radius;
}

void ViscoelasticSprings::adjust(State& state, const Neighbors& neighbors, float dt) {
    const Particles& particles = state.particles;
    const Springs& old = state.springs;
    const int count = particles.count();
    const Joins joins{neighbors.view(), std::as_const(fluids_).span(), particles.body.span(), particles.id.span()};
    if (state.nextId > std::numeric_limits<int>::max())
        throw Error(
            "solver: doubleDensity supports at most 2147483647 particles in total, including deleted ones; "
            "another pressureSolver or a lower emission rate helps");
    oldOf_.resizeDiscard(static_cast<int>(state.nextId));
    forEach(device_, "clearOld", oldOf_.size(), ClearOld{oldOf_.span()}, 2048);
    forEach(device_, "findOld", old.count(), FindOld{old.a.span(), oldOf_.span()}, 2048);
    setRows(state);
    starts_.resizeDiscard(count + 1);
    counts_.resizeDiscard(count);
    const auto resize = [&](int springs) {
        next_.a.resizeDiscard(springs);
        next_.b.resizeDiscard(springs);
        next_.rest.resizeDiscard(springs);
        next_.shear.resizeDiscard(springs);
        endB_.resizeDiscard(springs);
        stiffness_.resizeDiscard(springs);
    };
    const auto fill = [&] {
        return FillSprings{joins,
                           std::as_const(starts_).span(),
                           radius_,
                           dt,
                           std::as_const(oldOf_).span(),
                           old.b.span(),
                           old.rest.span(),
                           old.shear.span(),
                           next_.a.span(),
                           next_.b.span(),
                           next_.rest.span(),
                           next_.shear.span(),
                           endA_.span(),
                           endB_.span(),
                           springOf_.span()};
    };
    const auto stiffen = [&] {
        return Stiffen{{particles.history.values.data(), samplesOf(state)},
                       std::as_const(rows_).span(),
                       std::as_const(fluids_).span(),
                       particles.body.span(),
                       std::as_const(endA_).span(),
                       std::as_const(endB_).span(),
                       old.outdated != 0,
                       next_.shear.span(),
                       stiffness_.span()};
    };
#ifdef __AVX2__
    if (inLanes()) {
        const Float4* const points = packIds(particles);
        const auto chunks = static_cast<size_t>((count + kChunk - 1) / kChunk);
        std::vector<int> firsts(chunks + 1, 0);
        forEachChunk(device_, "countSprings", count, kChunk, [&](int begin, int end) {
            int held = 0;
            for (int i = begin; i < end; ++i) held += countHeld(joins.neighbors, points, i);
            firsts[static_cast<size_t>(begin / kChunk) + 1] = held;
        });
        for (size_t c = 0; c < chunks; ++c) firsts[c + 1] += firsts[c];
        resize(firsts[chunks]);
        starts_[count] = firsts[chunks];
        const FillSprings plain = fill();
        const Stiffen harden = stiffen();
        forEachChunkWith<HeldSprings>(
            device_, "fillSprings", count, kChunk, [&](int begin, int end, HeldSprings& held) {
                const auto chunk = static_cast<size_t>(begin / kChunk);
                int s = firsts[chunk];
                for (int i = begin; i < end; ++i) {
                    starts_[i] = s;
                    s += FillSpringsLanes{plain, harden, points}(i, s, firsts[chunk + 1], held);
                }
            });
    } else
#endif
    {
        forEach(device_, "countSprings", count, CountSprings{joins, counts_.span()});
        scan(counts_, starts_);
        const int springs = readElement(starts_, count);
        resize(springs);
        endA_.resizeDiscard(springs);
        springOf_.resizeDiscard(neighbors.listSize());
        forEach(device_, "fillSprings", count, fill());
        forEach(device_, "stiffen", springs, stiffen());
    }
    std::swap(state.springs, next_);
    state.springs.outdated = 0;
}

// Packs x, and the bits of the id in w.
const Float4* ViscoelasticSprings::packIds([[maybe_unused]] const Particles& particles) {
#ifdef __AVX2__
    const int count = particles.count();
    points_.resizeDiscard(count + 1);
    points_[count] = {kNobody4.x, kNobody4.y, kNobody4.z, floatOf(-1)};
    forEachChunk(device_, "packIds", count, 4096, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 x = particles.x[i];
            points_[i] = {x.x, x.y, x.z, floatOf(static_cast<int>(particles.id[i]))};
        }
    });
#endif
    return points_.data();
}

// Weights of the velocity history, one row per fluid.
void ViscoelasticSprings::setRows(const State& state) {
    const int samples = samplesOf(state);
    std::vector<float> rows;
    for (int f = 0; f < fluids_.size() && samples > 0; ++f) {
        const double q = orders_[static_cast<size_t>(f)];
        const HistoryWeights weights = trapezoidWeights(q, samples, historySteps(state.history));
        const std::vector<float> row =
            weightsBySlot(weights, state.history, samples, weights.scale(state.history.interval));
        rows.insert(rows.end(), row.begin(), row.end());
    }
    upload(rows_, rows);
}

void ViscoelasticSprings::pull(const State& state, const Neighbors& neighbors, float dt, Buffer<Vec3>& moved) {
    const Particles& particles = state.particles;
    const int count = particles.count();
    moved.resize(count);
    hardness_.resizeDiscard(count);
    grip_.resizeDiscard(count);
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
    if (inLanes()) {
        const PullSpringsLanes lanes{pull, packIds(particles), std::as_const(starts_).span(),
                                     std::as_const(endB_).span()};
        return forEachChunkWith<PullSpringsLanes::Scratch>(device_, "pullSprings", count, kChunk,
                                                           [&](int begin, int end, auto& scratch) {
                                                               for (int i = begin; i < end; ++i) lanes(i, scratch);
                                                           });
    }
#endif
    forEach(device_, "pullSprings", count, pull);
}

}  // namespace purl

#include "solver/fluid/pressure/springs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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
constexpr int kChunk = 256;

int samplesOf(const State& state) { return state.history.sampleCount > 0 ? state.particles.history.width / 3 : 0; }

float floatOf(int number) {
    float bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

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

// Number of springs that a particle stores.
int countHeld(const Neighbors::View& neighbors, const Float4* points, int i) {
    int held = 0;
    for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes)
        held += countBits(bitsOf(SpringLanes(points, neighbors.begin(i) + n, points[i]).held));
    return held;
}

// FillSprings and Stiffen for one fluid. Springs are stored in the order of particles.
struct FillSpringsLanes {
    const FillSprings& fill;
    const Stiffen& stiffen;
    const Float4* points;

    // Writes the springs of particle i from s on and returns their number.
    int operator()(int i, int s, HeldSprings& held) const {
        held.gather(fill.joins.neighbors, points, i);
        const int64_t id = fill.joins.id[i];
        const Run old = fill.oldOf[static_cast<int>(id)];
        bool fresh = false;
        for (int n = 0, likely = old.begin; n < held.count; n += Neighbors::kLanes) {
            const int count = std::min(Neighbors::kLanes, held.count - n), to = s + n;
            Lanes length, shear;
            if (follow(held, n, count, likely, old.end)) {
                length = load(fill.oldRest.data + likely);
                shear = load(fill.oldShear.data + likely);
                likely += count;
            } else {
                fresh = lookUp(held, n, count, old, likely, length, shear) || fresh;
            }
            const Lanes rest = flowed(sqrt(load(held.r2.data() + n)), length);
            float lengths[kLanes], shears[kLanes];
            store(rest, lengths);
            store(shear, shears);
            for (int k = 0; k < count; ++k) {
                const auto from = static_cast<size_t>(n + k);
                fill.a.data[to + k] = id;
                fill.b.data[to + k] = held.id[from];
                fill.endB.data[to + k] = held.j[from];
                fill.rest.data[to + k] = lengths[k];
                fill.shear.data[to + k] = shears[k];
            }
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
        for (int k = 0; k < count; ++k)
            if (others[k] != ids[k]) return false;
        return true;
    }
    // Finds the previous springs one by one; returns true if any spring is new. A new one gets an infinite rest length,
    // which `flowed` replaces.
    bool lookUp(const HeldSprings& held, int n, int count, Run old, int& likely, Lanes& length, Lanes& shear) const {
        float lengths[kLanes] = {}, shears[kLanes] = {};
        bool fresh = false;
        for (int k = 0; k < count; ++k) {
            const int before = fill.find(held.id[static_cast<size_t>(n + k)], old, likely);
            if (before != kNoSpring) likely = before + 1;
            fresh = fresh || before == kNoSpring;
            lengths[k] = before == kNoSpring ? std::numeric_limits<float>::infinity() : fill.oldRest[before];
            shears[k] = before == kNoSpring ? kUnknownShear : fill.oldShear[before];
        }
        length = load(lengths);
        shear = load(shears);
        return fresh;
    }
    // FillSprings::flowed and fresh.
    Lanes flowed(Lanes r, Lanes length) const {
        const DoubleDensityConstants& fluid = fill.joins.fluids[0];
        const float share = fill.dt * fluid.flow < 1 ? fill.dt * fluid.flow : 1;
        const Lanes strain = abs(r - length) - Lanes(fluid.yield) * length;
        const Lanes moved = length + Lanes(share) * select(r > length, strain, -strain);
        const Lanes next = select(strain > Lanes(0.0f), moved, length);
        return select(next > Lanes(fill.radius), fluid.springRest == SpringRest::radius ? Lanes(fill.radius) : r, next);
    }
};

// Δx = −Δt² K (r − L) r̂, shared between the two   Özgen 5.13. Sums in the order of eight lanes, as sweeps do.
struct PullSprings {
    Neighbors::View neighbors;
    Span<const DoubleDensityConstants> fluids;
    Span<const int> body, springOf;
    Span<const float> rest, stiffness;
    float dt;
    Span<Vec3> moved;
    Span<float> hardness, grip;

    struct Sums {
        VecOf<float> pull;
        float stiff = 0;  // of stiffnesses; with several fluids of hardenings
        int springs = 0;
    };

    PURL_HD void operator()(int i) const {
        const DoubleDensityConstants& fluid = fluids[body[i]];
        const Sums all = sumFrom<1>(i, 0);
        float hardened = all.springs > 0 ? all.stiff / static_cast<float>(all.springs) : 0;
        if (fluids.count == 1)
            hardened = all.springs > 0 && fluid.hardening > 0 ? (hardened - fluid.spring) / fluid.hardening : 0;
        set(i, vec3(all.pull), hardened);
    }
    // The sums of neighbours first, first + kStep, …
    template <int kStep>
    PURL_HD Sums sumFrom(int i, int first) const {
        if constexpr (kStep == kLanes) {
            Sums sums;
            for (int n = first, count = neighbors.counts[i]; n < count; n += kLanes)
                add(i, neighbors.starts[i] + n, sums);
            return sums;
        } else {
            const Sums a = sumFrom<2 * kStep>(i, first), b = sumFrom<2 * kStep>(i, first + kStep);
            return {a.pull + b.pull, a.stiff + b.stiff, a.springs + b.springs};
        }
    }
    PURL_HD void add(int i, int entry, Sums& sums) const {
        const int s = springOf[entry];
        if (s == kNoSpring) return;
        const int j = neighbors.indices[entry];
        const DoubleDensityConstants &fluid = fluids[body[i]], &other = fluids[body[j]];
        const VecOf<float> d = broadcast<float>(neighbors.x[i]) - broadcast<float>(neighbors.x[j]);
        const float r2 = dot(d, d), r = std::sqrt(r2 > 1e-30f ? r2 : 1e-30f), k = stiffness[s];
        sums.pull = fma(share(fluid, other) * k * (rest[s] - r) / r, d, sums.pull);
        const float most = 0.5f * (fluid.hardening + other.hardening);
        if (fluids.count == 1)
            sums.stiff += k;
        else if (most > 0)
            sums.stiff += (k - 0.5f * (fluid.spring + other.spring)) / most;
        ++sums.springs;
    }
    PURL_HD void set(int i, Vec3 sum, float hardened) const {
        moved[i] = neighbors.x[i] + (dt * dt) * sum;
        hardness[i] = hardened;
        grip[i] = fluids[body[i]].grip * clamp(hardened, 0, 1);
    }
};

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
        const int* const list = neighbors.begin(i);
        findOthers(i, others);
        VecOf<Lanes> sum;
        Lanes stiff(0.0f);
        // The particle's own springs are contiguous; findOthers gathered the rest.
        const float *rest = plain.rest.data + starts[i], *stiffness = plain.stiffness.data + starts[i];
        const float *othersRest = others.rest.data(), *othersStiffness = others.stiffness.data();
        int springs = 0;
        for (int n = 0, count = neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const SpringLanes near(points, list + n, own);
            const int held = bitsOf(near.held), notHeld = bitsOf(near.joined) & ~held;
            const auto pick = [&](const float* mine, const float* theirs) {
                const Lanes a = permuted(load(mine), kLaneOrders.below[held]),
                            b = permuted(load(theirs), kLaneOrders.below[notHeld]);
                return select(near.joined, select(near.held, a, b), Lanes(0.0f));
            };
            const Lanes k = pick(stiffness, othersStiffness), length = pick(rest, othersRest);
            const int mine = countBits(held), theirs = countBits(notHeld);
            rest += mine, stiffness += mine, othersRest += theirs, othersStiffness += theirs;
            const Lanes r = sqrt(max(dot(near.d, near.d), Lanes(1e-30f)));
            sum = fma(k * (length - r) / r, near.d, sum);
            stiff = stiff + k;
            springs += mine + theirs;
        }
        const float added = springs > 0 ? purl::sum(stiff) / static_cast<float>(springs) - fluid.spring : 0;
        plain.set(i, 0.5f * purl::sum(sum), fluid.hardening > 0 ? added / fluid.hardening : 0);
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
            const int notHeld = bitsOf(near.joined & !near.held);
            store(compacted(load(list + n), notHeld), end);
            end += countBits(notHeld);
        }
        const int *holder = others.holders.data(), *const ends = endB.data;
        float *rest = others.rest.data(), *stiffness = others.stiffness.data();
        for (; holder < end; ++holder) {
            const int s = find(ends, starts.data[*holder], starts.data[*holder + 1], i);
            *rest++ = plain.rest.data[s];
            *stiffness++ = plain.stiffness.data[s];
        }
    }
    // The spring in [s, last) that ends at `wanted`, which must exist. Buffers have spare bytes behind their end, so
    // that a load may run past it.
    static int find(const int* ends, int s, int last, int wanted) {
        const auto equal = [&](int from) { return bitsOf(load(ends + from) == LaneInts(wanted)); };
        for (; s < last; s += 2 * kLanes)
            if (const int bits = equal(s) | equal(s + kLanes) << kLanes) return s + lowestBit(bits);
        PURL_ASSERT(false);
        return last - 1;
    }
};

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
        forEachChunkWith<HeldSprings>(device_, "fillSprings", count, kChunk,
                                      [&](int begin, int end, HeldSprings& held) {
                                          const auto chunk = static_cast<size_t>(begin / kChunk);
                                          int s = firsts[chunk];
                                          for (int i = begin; i < end; ++i) {
                                              starts_[i] = s;
                                              s += FillSpringsLanes{plain, harden, points}(i, s, held);
                                          }
                                      });
    } else {
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
const Float4* ViscoelasticSprings::packIds(const Particles& particles) {
    const int count = particles.count();
    points_.resizeDiscard(count + 1);
    points_[count] = {kNobody4.x, kNobody4.y, kNobody4.z, floatOf(-1)};
    forEachChunk(device_, "packIds", count, 4096, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 x = particles.x[i];
            points_[i] = {x.x, x.y, x.z, floatOf(static_cast<int>(particles.id[i]))};
        }
    });
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
    if (inLanes()) {
        const PullSpringsLanes lanes{pull, packIds(particles), std::as_const(starts_).span(),
                                     std::as_const(endB_).span()};
        return forEachChunkWith<PullSpringsLanes::Scratch>(device_, "pullSprings", count, kChunk,
                                                           [&](int begin, int end, auto& scratch) {
                                                               for (int i = begin; i < end; ++i) lanes(i, scratch);
                                                           });
    }
    forEach(device_, "pullSprings", count, pull);
}

}  // namespace purl

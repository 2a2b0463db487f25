// Sweeps: sums over the neighbours of each particle. A kernel is written once, as templates of F, and computes with
// eight neighbours at a time (F = Lanes) on CPUs, with one (F = float) on GPUs; both give the same bits.
//
//   struct DensitySweep {
//       Span<const float> mass;     // inputs and outputs
//       …
//       template <class F> struct Own { VecOf<F> x; };                     // what all pairs of particle i share
//       template <class F> struct Sums { F mass{0.0f}; };                  // of F and VecOf<F> only
//       template <class F> PURL_HD Own<F> own(int i) const { … }
//       template <class F> PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const { … }
//       PURL_HD void finish(int i, const Sums<float>& sums) const { … }    // writes the outputs of i
//   };
//   sweep(device, "density", count, neighbors.view(), DensitySweep{…});
//
// Lists are padded to groups of eight with an index one past the last particle: an array that is read per neighbour has
// one more element there, whose pairs add zero. Lane k sums neighbours k, k + 8, …; the eight sums are added in the
// order ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
//
// Optional members of a kernel: `PURL_HD bool includes(int i) const`, false for particles to skip; and `static
// constexpr bool kFinishTogether = true` if finish(i) writes what pairs read, in single floats: on CPUs the sums of a
// group of particles are then computed before the first finish of the group, because a vector load just behind a
// smaller store waits for it.
#pragma once
#include <type_traits>

#include "solver/core/forEach.h"
#include "solver/core/lanes.h"

namespace purl {

// One neighbour, or eight.
template <class F>
struct Neighbor;

template <>
struct Neighbor<float> {
    int j;
    int place;  // in the neighbour lists, for arrays with an element per pair

    // The four floats of an aligned 16-byte element.
    template <class Four>
    PURL_HD Row<float> row(const Four* array) const {
        static_assert(alignof(Four) >= 16);
        const auto* const four = reinterpret_cast<const float*>(array + j);
        return {four[0], four[1], four[2], four[3]};
    }
    PURL_HD float value(const float* array) const { return array[j]; }
    PURL_HD bool equal(const int* array, int to) const { return array[j] == to; }
    // (aᵢ − aⱼ)·(bᵢ − bⱼ) for elements of two rows a and b; `own`: element i. The last float of every b is 0, so that
    // a kernel may write that of a meanwhile: it is not read here, and cancels where eight lanes load whole rows.
    template <class Eight>
    PURL_HD float dotOfDifferences(const Eight* array, const Eight& own) const {
        static_assert(alignof(Eight) == 32 && sizeof(Eight) == 8 * sizeof(float));
        const auto* const to = reinterpret_cast<const float*>(array + j);
        const auto* const from = reinterpret_cast<const float*>(&own);
        const auto product = [&](int k) { return (from[k] - to[k]) * (from[k + 4] - to[k + 4]); };
        return (product(0) + product(2)) + product(1);
    }
    PURL_HD float ofPair(const float* pairs) const { return pairs[place]; }
    PURL_HD void storeOfPair(float value, float* pairs) const { pairs[place] = value; }
};

template <>
struct Neighbor<Lanes> {
    const int* list;
    int place;

    template <class Four>
    PURL_HD Row<Lanes> row(const Four* array) const {
        return loadRows(array, list);
    }
    PURL_HD Lanes value(const float* array) const { return gather(array, list); }
    PURL_HD LaneMask equal(const int* array, int to) const { return gather(array, list) == LaneInts(to); }
    template <class Eight>
    PURL_HD Lanes dotOfDifferences(const Eight* array, const Eight& own) const {
        return purl::dotOfDifferences(array, list, own);
    }
    PURL_HD Lanes ofPair(const float* pairs) const { return load(pairs + place); }
    PURL_HD void storeOfPair(Lanes value, float* pairs) const { store(value, pairs + place); }
};

// While one exists, the sweeps of this thread compute with one neighbour at a time, as on a GPU: the reference that
// tests compare eight lanes with.
class ScopedSweepOneByOne {
  public:
    ScopedSweepOneByOne() : outer_(active_) { active_ = true; }
    ~ScopedSweepOneByOne() { active_ = outer_; }
    ScopedSweepOneByOne(const ScopedSweepOneByOne&) = delete;
    ScopedSweepOneByOne& operator=(const ScopedSweepOneByOne&) = delete;
    static bool isActive() { return active_; }

  private:
    inline static thread_local bool active_ = false;
    bool outer_;
};

// ---- implementation ----------------------------------------------------------------------------------------------

namespace sweeps {

template <class Kernel, class = void>
struct Selects : std::false_type {};
template <class Kernel>
struct Selects<Kernel, std::void_t<decltype(&Kernel::includes)>> : std::true_type {};
template <class Kernel>
PURL_HD inline bool includes(const Kernel& kernel, int i) {
    if constexpr (Selects<Kernel>::value)
        return kernel.includes(i);
    else
        return true;
}
template <class Kernel, class = void>
struct FinishesTogether : std::false_type {};
template <class Kernel>
struct FinishesTogether<Kernel, std::void_t<decltype(Kernel::kFinishTogether)>>
    : std::bool_constant<Kernel::kFinishTogether> {};

template <class Sums>
constexpr int kTerms = static_cast<int>(sizeof(Sums) / sizeof(float));

// The sums of eight lanes, term by term.
template <class Kernel>
inline typename Kernel::template Sums<float> total(const typename Kernel::template Sums<Lanes>& lanes) {
    using Sums = typename Kernel::template Sums<float>;
    static_assert(sizeof(lanes) == kTerms<Sums> * sizeof(Lanes), "sums consist of F and VecOf<F>");
    Sums all;
    const auto* const from = reinterpret_cast<const Lanes*>(&lanes);
    auto* const to = reinterpret_cast<float*>(&all);
    for (int k = 0; k < kTerms<Sums>; ++k) to[k] = sum(from[k]);
    return all;
}

// Everything that it calls is inlined: g++ would otherwise call larger pair functions, with their sums in memory.
template <class Lists, class Kernel>
#if defined(__GNUC__) && !defined(__CUDACC__)
__attribute__((flatten))
#endif
inline typename Kernel::template Sums<float>
sumInLanes(const Lists& lists, const Kernel& kernel, int i) {
    const auto own = kernel.template own<Lanes>(i);
    typename Kernel::template Sums<Lanes> lanes;
    const int* const list = lists.begin(i);
    const int first = static_cast<int>(list - lists.indices);
    for (int n = 0, count = lists.count(i); n < count; n += kLanes)
        kernel.pair(own, Neighbor<Lanes>{list + n, first + n}, lanes);
    return total<Kernel>(lanes);
}

// The same, one neighbour at a time.
template <class Lists, class Kernel>
struct OneByOne {
    Lists lists;
    Kernel kernel;
    using Sums = typename Kernel::template Sums<float>;

    PURL_HD void operator()(int i) const {
        if (!includes(kernel, i)) return;
        const auto own = kernel.template own<float>(i);
        kernel.finish(i, sumFrom<1>(i, own, 0));
    }
    // The sum of lanes first, first + kStep, …
    template <int kStep, class Own>
    PURL_HD Sums sumFrom(int i, const Own& own, int first) const {
        if constexpr (kStep == kLanes) {
            Sums sums;
            const int* const list = lists.begin(i);
            const int start = static_cast<int>(list - lists.indices);
            for (int n = first, count = (lists.count(i) + kLanes - 1) / kLanes * kLanes; n < count; n += kLanes)
                kernel.pair(own, Neighbor<float>{list[n], start + n}, sums);
            return sums;
        } else {
            const Sums a = sumFrom<2 * kStep>(i, own, first), b = sumFrom<2 * kStep>(i, own, first + kStep);
            Sums both;
            const auto *const x = reinterpret_cast<const float*>(&a), *const y = reinterpret_cast<const float*>(&b);
            auto* const to = reinterpret_cast<float*>(&both);
            for (int k = 0; k < kTerms<Sums>; ++k) to[k] = x[k] + y[k];
            return both;
        }
    }
};

template <class Lists, class Kernel>
struct InLanes {
    const Lists& lists;
    const Kernel& kernel;

    void operator()(int begin, int end) const {
        // Local copies, so that the compiler may keep their members in registers.
        const Lists near = lists;
        const Kernel own = kernel;
        if constexpr (FinishesTogether<Kernel>::value) {
            constexpr int kGroup = 64;
            typename Kernel::template Sums<float> sums[kGroup];
            for (int first = begin; first < end; first += kGroup) {
                const int last = first + kGroup < end ? first + kGroup : end;
                for (int i = first; i < last; ++i)
                    if (includes(own, i)) sums[i - first] = sumInLanes(near, own, i);
                for (int i = first; i < last; ++i)
                    if (includes(own, i)) own.finish(i, sums[i - first]);
            }
        } else {
            for (int i = begin; i < end; ++i)
                if (includes(own, i)) own.finish(i, sumInLanes(near, own, i));
        }
    }
};

}  // namespace sweeps

// Runs the kernel over the neighbours of particles 0 … count − 1. Lists: Neighbors::View or the like.
template <class Lists, class Kernel>
void sweep(const Device& device, const char* name, int count, const Lists& lists, const Kernel& kernel) {
    if (device.isCpu() && !ScopedSweepOneByOne::isActive())
        forEachChunk(device, name, count, 256, sweeps::InLanes<Lists, Kernel>{lists, kernel});
    else
        forEach(device, name, count, sweeps::OneByOne<Lists, Kernel>{lists, kernel});
}

}  // namespace purl

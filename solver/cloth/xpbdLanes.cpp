#include "solver/cloth/xpbdLanes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {

XpbdLanes::XpbdLanes(const Device& device)
    : springs_(device),
      bends_(device),
      points_(device),
      before_(device),
      places_(device),
      rows_(device),
      rowsBefore_(device) {}

#ifndef __AVX2__

void XpbdLanes::solve(const Fabric&, float, int, const Vec3*, Vec3*) { PURL_ASSERT(kHasLanes); }

#else

namespace {

// Into one load each.
struct PackPoints {
    Span<const float> w;
    const Vec3 *x, *xBefore;
    Span<Float4> points, before;
    PURL_HD void operator()(int i) const {
        points[i] = {x[i].x, x[i].y, x[i].z, w[i]};
        before[i] = {xBefore[i].x, xBefore[i].y, xBefore[i].z, 0};
    }
};
struct UnpackPoints {
    Span<const Float4> points;
    Vec3* x;
    PURL_HD void operator()(int i) const { x[i] = {points[i].x, points[i].y, points[i].z}; }
};

// Into rows of coordinates, each point at its place.
struct PackRows {
    Span<const int> places;
    Span<const float> w;
    const Vec3 *x, *xBefore;
    Rows points, before;
    PURL_HD void operator()(int i) const {
        const int at = places[i];
        for (int k = 0; k < 3; ++k) {
            points.row[k][at] = x[i][k];
            before.row[k][at] = xBefore[i][k];
        }
        points.row[3][at] = w[i];
    }
};
struct UnpackRows {
    Span<const int> places;
    Rows points;
    Vec3* x;
    PURL_HD void operator()(int i) const {
        for (int k = 0; k < 3; ++k) x[i][k] = points.row[k][places[i]];
    }
};

// Points anywhere, as their numbers say.
struct Gathered {
    static constexpr bool kInRuns = false;
    Float4* points;
    const Float4* before;

    Lanes4 load(const int* list) const { return loadLanes(points, list); }
    Lanes4 loadBefore(const int* list) const { return loadLanes(before, list); }
    void store(const Lanes4& lanes, const int* list) const { storeLanes(lanes, points, list); }
};

// Eight points side by side: where the first is will do.
struct SideBySide {
    static constexpr bool kInRuns = true;
    Rows points, before;

    static Lanes4 load(const Rows& rows, int first) {
        return {_mm256_loadu_ps(rows.row[0] + first), _mm256_loadu_ps(rows.row[1] + first),
                _mm256_loadu_ps(rows.row[2] + first), _mm256_loadu_ps(rows.row[3] + first)};
    }
    Lanes4 load(int first) const { return load(points, first); }
    Lanes4 loadBefore(int first) const { return load(before, first); }
    void store(const Lanes4& lanes, int first) const {
        _mm256_storeu_ps(points.row[0] + first, lanes.x);
        _mm256_storeu_ps(points.row[1] + first, lanes.y);
        _mm256_storeu_ps(points.row[2] + first, lanes.z);
    }
    Lanes4 load(const int* list) const { return load(list[0]); }
    Lanes4 loadBefore(const int* list) const { return loadBefore(list[0]); }
    void store(const Lanes4& lanes, const int* list) const { store(lanes, list[0]); }
};

// Those that found no seven others.
struct Scattered {
    Rows points, before;

    static Lanes4 load(const Rows& rows, const int* list) {
        const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(list));
        return {_mm256_i32gather_ps(rows.row[0], index, 4), _mm256_i32gather_ps(rows.row[1], index, 4),
                _mm256_i32gather_ps(rows.row[2], index, 4), _mm256_i32gather_ps(rows.row[3], index, 4)};
    }
    Lanes4 load(const int* list) const { return load(points, list); }
    Lanes4 loadBefore(const int* list) const { return load(before, list); }
    void store(const Lanes4& lanes, const int* list) const {
        alignas(32) float row[3][8];
        _mm256_store_ps(row[0], lanes.x);
        _mm256_store_ps(row[1], lanes.y);
        _mm256_store_ps(row[2], lanes.z);
        for (int lane = 0; lane < 8; ++lane)
            for (int k = 0; k < 3; ++k) points.row[k][list[lane]] = row[k][lane];
    }
};

// What eight elements have in common, or each for itself.
__m256 lanesOf(float all) { return _mm256_set1_ps(all); }
__m256 lanesOf(const float* each) { return _mm256_load_ps(each); }

// What an iteration reads and keeps of the forces λ.
struct Forces {
    float* values;
    bool known, kept;

    __m256 load(int at) const { return known ? _mm256_load_ps(values + at) : _mm256_setzero_ps(); }
    void store(int at, __m256 force) const {
        if (kept) _mm256_store_ps(values + at, force);
    }
};

template <class Block, class Points>
struct ProjectSpringBlock {
    const Block* blocks;
    float inverseStep2, gamma;
    Points points;
    Forces forces;  // eight a block

    void operator()(int block) const {
        const Block& spring = blocks[block];
        Lanes4 a = points.load(spring.a), b = points.load(spring.b);
        const __m256 dx = _mm256_sub_ps(a.x, b.x), dy = _mm256_sub_ps(a.y, b.y), dz = _mm256_sub_ps(a.z, b.z);
        const __m256 l2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
        const __m256 l = _mm256_sqrt_ps(l2);
        // Ends in one place have no direction; they stay.
        const __m256 perLength = _mm256_div_ps(_mm256_set1_ps(1), _mm256_max_ps(l, _mm256_set1_ps(1e-30f)));
        const __m256 alpha = _mm256_mul_ps(_mm256_loadu_ps(spring.compliance), _mm256_set1_ps(inverseStep2));
        const __m256 force = forces.load(8 * block);
        __m256 error = _mm256_fnmadd_ps(alpha, force, _mm256_sub_ps(lanesOf(spring.rest), l));
        if (gamma > 0) {
            const Lanes4 p = points.loadBefore(spring.a), q = points.loadBefore(spring.b);
            const __m256 mx = _mm256_sub_ps(dx, _mm256_sub_ps(p.x, q.x)),
                         my = _mm256_sub_ps(dy, _mm256_sub_ps(p.y, q.y)),
                         mz = _mm256_sub_ps(dz, _mm256_sub_ps(p.z, q.z));
            const __m256 moved =
                _mm256_mul_ps(perLength, _mm256_fmadd_ps(mz, dz, _mm256_fmadd_ps(my, dy, _mm256_mul_ps(mx, dx))));
            error = _mm256_fnmadd_ps(_mm256_set1_ps(gamma), moved, error);
        }
        const __m256 weight = _mm256_fmadd_ps(_mm256_set1_ps(1 + gamma), _mm256_add_ps(a.w, b.w), alpha);
        const __m256 delta = _mm256_div_ps(error, weight);
        forces.store(8 * block, _mm256_add_ps(force, delta));
        const __m256 scale = _mm256_mul_ps(delta, perLength);
        const __m256 onA = _mm256_mul_ps(a.w, scale), onB = _mm256_mul_ps(b.w, scale);
        a.x = _mm256_fmadd_ps(onA, dx, a.x);
        a.y = _mm256_fmadd_ps(onA, dy, a.y);
        a.z = _mm256_fmadd_ps(onA, dz, a.z);
        b.x = _mm256_fnmadd_ps(onB, dx, b.x);
        b.y = _mm256_fnmadd_ps(onB, dy, b.y);
        b.z = _mm256_fnmadd_ps(onB, dz, b.z);
        points.store(a, spring.a);
        points.store(b, spring.b);
    }
};

template <class Block, class Points>
struct ProjectBendBlock {
    const Block* blocks;
    float inverseStep2, gamma;
    Points points;
    Forces forces;  // eight x, eight y, eight z a block

    void operator()(int block) const {
        const Block& bend = blocks[block];
        Lanes4 p[4];
        __m256 d[3], m[3], weight = _mm256_setzero_ps();
        for (int k = 0; k < 3; ++k) d[k] = m[k] = _mm256_setzero_ps();
        for (int i = 0; i < bend.points; ++i) {
            const __m256 c = lanesOf(bend.c[i]);
            p[i] = points.load(bend.v[i]);
            d[0] = _mm256_fmadd_ps(c, p[i].x, d[0]);
            d[1] = _mm256_fmadd_ps(c, p[i].y, d[1]);
            d[2] = _mm256_fmadd_ps(c, p[i].z, d[2]);
            weight = _mm256_fmadd_ps(_mm256_mul_ps(c, c), p[i].w, weight);
            if (!(gamma > 0)) continue;
            const Lanes4 q = points.loadBefore(bend.v[i]);
            m[0] = _mm256_fmadd_ps(c, _mm256_sub_ps(p[i].x, q.x), m[0]);
            m[1] = _mm256_fmadd_ps(c, _mm256_sub_ps(p[i].y, q.y), m[1]);
            m[2] = _mm256_fmadd_ps(c, _mm256_sub_ps(p[i].z, q.z), m[2]);
        }
        const __m256 l2 = _mm256_fmadd_ps(d[2], d[2], _mm256_fmadd_ps(d[1], d[1], _mm256_mul_ps(d[0], d[0])));
        const __m256 l = _mm256_max_ps(_mm256_sqrt_ps(l2), _mm256_set1_ps(1e-30f));
        const __m256 beyond = _mm256_sub_ps(_mm256_set1_ps(1), _mm256_div_ps(lanesOf(bend.rest), l));
        const __m256 alpha = _mm256_mul_ps(_mm256_loadu_ps(bend.compliance), _mm256_set1_ps(inverseStep2));
        const __m256 share =
            _mm256_div_ps(_mm256_set1_ps(-1), _mm256_fmadd_ps(_mm256_set1_ps(1 + gamma), weight, alpha));
        __m256 delta[3];
        for (int k = 0; k < 3; ++k) {
            const int own = 24 * block + 8 * k;
            const __m256 force = forces.load(own);
            __m256 error = _mm256_fmadd_ps(alpha, force, _mm256_mul_ps(beyond, d[k]));
            error = _mm256_fmadd_ps(_mm256_set1_ps(gamma), m[k], error);
            delta[k] = _mm256_mul_ps(share, error);
            forces.store(own, _mm256_add_ps(force, delta[k]));
        }
        for (int i = 0; i < bend.points; ++i) {
            const __m256 on = _mm256_mul_ps(lanesOf(bend.c[i]), p[i].w);
            p[i].x = _mm256_fmadd_ps(on, delta[0], p[i].x);
            p[i].y = _mm256_fmadd_ps(on, delta[1], p[i].y);
            p[i].z = _mm256_fmadd_ps(on, delta[2], p[i].z);
            points.store(p[i], bend.v[i]);
        }
    }
};

// Eight numbers that may count as one.
bool areEven(const float* eight, float tolerance) {
    const auto [low, high] = std::minmax_element(eight, eight + 8);
    return *high - *low <= tolerance;
}
float meanOf(const float* eight) {
    float sum = 0;
    for (int lane = 0; lane < 8; ++lane) sum += eight[lane];
    return sum / 8;
}

// m: lengths that differ by so little do so by the rounding of the places they were measured between.
float roundingOf(const Fabric& fabric) {
    float farthest = 0;
    for (int i = 0; i < fabric.count(); ++i)
        for (int k = 0; k < 3; ++k) farthest = std::max(farthest, std::fabs(fabric.rest(i)[k]));
    return 4 * std::numeric_limits<float>::epsilon() * farthest;
}

bool isEven(const SpringBlock& block, float rounding) { return areEven(block.rest, rounding); }
// Weights are ratios of lengths.
bool isEven(const BendBlock& block, float rounding, float edge) {
    return areEven(block.rest, rounding) &&
           std::all_of(block.c, block.c + 4, [&](const float* weights) { return areEven(weights, rounding / edge); });
}
void shorten(const SpringBlock& block, EvenSprings& even) {
    even.a = block.a[0];
    even.b = block.b[0];
    even.rest = meanOf(block.rest);
    std::copy_n(block.compliance, 8, even.compliance);
}
void shorten(const BendBlock& block, EvenBends& even) {
    for (int k = 0; k < 4; ++k) {
        even.v[k] = block.v[k][0];
        even.c[k] = meanOf(block.c[k]);
    }
    even.rest = meanOf(block.rest);
    even.points = block.points;
    std::copy_n(block.compliance, 8, even.compliance);
}

// A point of no mass for each strip, behind the last point: strips are solved side by side, and lanes without an
// element are stored too. A cache line apart, so that threads do not share one.
constexpr int kPlaceholderStride = 16;
int placeholderOf(const Fabric& fabric, int strip) { return fabric.count() + kPlaceholderStride * strip; }
int countWithPlaceholders(const Fabric& fabric) { return placeholderOf(fabric, fabric.strips()); }

// fill(block, lane, element, strip), element −1 where there is none. `inRows`: runs may be taken for such.
template <class Even, class Block, int kForces, class IsEven, class Fill>
void toBlocks(const Colors& colors, bool inRows, Blocks<Even, Block, kForces>& blocks, const IsEven& isEven,
              const Fill& fill) {
    std::vector<Even> even;
    std::vector<Block> others;
    std::vector<int> evenFirst, otherFirst;
    blocks.cells.assign(colors.runEnds.size(), {});
    blocks.strips = colors.strips;
    blocks.within = colors.within;
    const auto takeCell = [&](int color, int strip) {
        const auto c = static_cast<size_t>(color * colors.strips + strip);
        auto& cell = blocks.cells[c];
        cell.even = static_cast<int>(even.size());
        cell.runs = static_cast<int>(others.size());
        const int end = colors.starts[c + 1], runEnd = inRows ? colors.runEnds[c] : colors.starts[c];
        const auto take = [&](int from, int to) {
            for (int e = from; e < to; e += 8) {
                Block block{};
                for (int lane = 0; lane < 8; ++lane) fill(block, lane, e + lane < to ? e + lane : -1, strip);
                if (e < runEnd && isEven(block)) {
                    even.emplace_back();
                    shorten(block, even.back());
                    evenFirst.push_back(e);
                } else {
                    others.push_back(block);
                    otherFirst.push_back(e);
                }
            }
        };
        take(colors.starts[c], runEnd);
        cell.evenEnd = static_cast<int>(even.size());
        cell.runsEnd = static_cast<int>(others.size());
        take(runEnd, end);
        cell.end = static_cast<int>(others.size());
    };
    // A strip's blocks lie one behind the other, as they are gone through.
    for (int strip = 0; strip < colors.strips; ++strip)
        for (int color = 0; color < colors.within; ++color) takeCell(color, strip);
    for (int strip = 0; strip < colors.strips; ++strip)
        for (int color = colors.within; color < colors.count(); ++color) takeCell(color, strip);
    const auto put = [](auto& buffer, const auto& values) {
        buffer.renew(static_cast<int>(values.size()));
        std::copy(values.begin(), values.end(), buffer.begin());
    };
    put(blocks.even, even);
    put(blocks.others, others);
    blocks.evenForces.renew(8 * kForces * blocks.even.size());
    blocks.otherForces.renew(8 * kForces * blocks.others.size());
    evenFirst.insert(evenFirst.end(), otherFirst.begin(), otherFirst.end());
    put(blocks.firstOf, evenFirst);
}

// Takes up compliances anew, from the stiffness of elements up to where their colour ends.
template <class Set, class Elements>
void takeCompliances(Set& blocks, const Elements& elements) {
    const int even = blocks.even.size();
    for (int b = 0; b < blocks.count(); ++b) {
        float* const compliance = b < even ? blocks.even[b].compliance : blocks.others[b - even].compliance;
        const int first = blocks.firstOf[b];
        // Lanes of nobody take what comes next: they move no one.
        for (int lane = 0; lane < 8 && first + lane < elements.size(); ++lane)
            compliance[lane] = 1 / elements[first + lane].stiffness;
    }
}

}  // namespace

void XpbdLanes::pack(const Fabric& fabric) {
    if (packed_ == fabric.version() && stiff_ == fabric.stiffnessVersion()) return;
    if (packed_ == fabric.version()) {
        takeCompliances(springs_, fabric.springs);
        takeCompliances(bends_, fabric.bends);
    } else {
        inRows_ = fabric.liesInRows();
        places_.renew(fabric.count());
        for (int i = 0; i < places_.size(); ++i) places_[i] = inRows_ ? fabric.places()[static_cast<size_t>(i)] : i;
        packSprings(fabric);
        packBends(fabric);
    }
    packed_ = fabric.version();
    stiff_ = fabric.stiffnessVersion();
}

void XpbdLanes::packSprings(const Fabric& fabric) {
    const float rounding = roundingOf(fabric);
    const auto even = [&](const SpringBlock& block) { return isEven(block, rounding); };
    toBlocks(fabric.springColors, inRows_, springs_, even, [&](SpringBlock& block, int lane, int e, int strip) {
        block.a[lane] = block.b[lane] = placeholderOf(fabric, strip);
        block.rest[lane] = block.compliance[lane] = 1;
        if (e < 0) return;
        const Spring& spring = fabric.springs[e];
        block.a[lane] = places_[spring.a];
        block.b[lane] = places_[spring.b];
        block.rest[lane] = spring.rest;
        block.compliance[lane] = 1 / spring.stiffness;
    });
}

void XpbdLanes::packBends(const Fabric& fabric) {
    const float rounding = roundingOf(fabric);
    const auto even = [&](const BendBlock& block) { return isEven(block, rounding, fabric.meanEdge()); };
    toBlocks(fabric.bendColors, inRows_, bends_, even, [&](BendBlock& block, int lane, int e, int strip) {
        if (lane == 0) block.points = 3;
        for (int k = 0; k < 4; ++k) {
            block.v[k][lane] = e < 0 ? placeholderOf(fabric, strip) : places_[fabric.bends[e].v[k]];
            block.c[k][lane] = e < 0 ? 0 : fabric.bends[e].c[k];
        }
        block.rest[lane] = e < 0 ? 0 : fabric.bends[e].rest;
        block.compliance[lane] = e < 0 ? 1 : 1 / fabric.bends[e].stiffness;
        if (block.c[3][lane] != 0) block.points = 4;
    });
}

void XpbdLanes::solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    pack(fabric);
    if (inRows_)
        solveRows(fabric, dt, iterations, xBefore, x);
    else
        solveGathered(fabric, dt, iterations, xBefore, x);
}

// `runs`: the points of blocks that are runs; `others`: of the rest.
template <class Runs, class Others>
void XpbdLanes::project(const Fabric& fabric, float dt, int iterations, const Runs& runs, const Others& others) {
    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    const float bendGamma = fabric.bendLag() * inverseStep, springGamma = fabric.springLag() * inverseStep;
    const auto forEachOf = [](int first, int last, const auto& kernel) {
        for (int block = first; block < last; ++block) kernel(block);
    };
    // First what lies within strips, then what crosses cuts.
    const int strips = fabric.strips(), stages = strips > 1 ? 2 : 1;
    forEachInPhases(fabric.springs.device(), "project", iterations * stages, strips, [&](int phase, int strip) {
        const int iteration = phase / stages;
        const bool crossing = phase % stages == 1, known = iteration > 0, kept = iteration + 1 < iterations;
        const Forces evenBends{bends_.evenForces.data(), known, kept},
            otherBends{bends_.otherForces.data(), known, kept};
        bends_.forEachCell(crossing, strip, [&](const auto& cell) {
            if constexpr (Runs::kInRuns)
                forEachOf(
                    cell.even, cell.evenEnd,
                    ProjectBendBlock<EvenBends, Runs>{bends_.even.data(), inverseStep2, bendGamma, runs, evenBends});
            forEachOf(
                cell.runs, cell.runsEnd,
                ProjectBendBlock<BendBlock, Runs>{bends_.others.data(), inverseStep2, bendGamma, runs, otherBends});
            forEachOf(
                cell.runsEnd, cell.end,
                ProjectBendBlock<BendBlock, Others>{bends_.others.data(), inverseStep2, bendGamma, others, otherBends});
        });
        const Forces evenSprings{springs_.evenForces.data(), known, kept},
            otherSprings{springs_.otherForces.data(), known, kept};
        springs_.forEachCell(crossing, strip, [&](const auto& cell) {
            if constexpr (Runs::kInRuns)
                forEachOf(cell.even, cell.evenEnd,
                          ProjectSpringBlock<EvenSprings, Runs>{springs_.even.data(), inverseStep2, springGamma, runs,
                                                                evenSprings});
            forEachOf(cell.runs, cell.runsEnd,
                      ProjectSpringBlock<SpringBlock, Runs>{springs_.others.data(), inverseStep2, springGamma, runs,
                                                            otherSprings});
            forEachOf(cell.runsEnd, cell.end,
                      ProjectSpringBlock<SpringBlock, Others>{springs_.others.data(), inverseStep2, springGamma, others,
                                                              otherSprings});
        });
    });
}

void XpbdLanes::solveGathered(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count(), all = countWithPlaceholders(fabric);
    points_.renew(all);
    before_.renew(all);
    forEach(device, "packPoints", count,
            PackPoints{fabric.inverseMass.span(), x, xBefore, points_.span(), before_.span()});
    for (int i = count; i < all; ++i) points_[i] = before_[i] = {};
    const Gathered points{points_.data(), before_.data()};
    project(fabric, dt, iterations, points, points);
    forEach(device, "unpackPoints", count, UnpackPoints{points_.span(), x});
}

void XpbdLanes::solveRows(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count(), all = countWithPlaceholders(fabric);
    const Rows points = rows_.of(all), before = rowsBefore_.of(all);
    forEach(device, "packRows", count,
            PackRows{std::as_const(places_).span(), fabric.inverseMass.span(), x, xBefore, points, before});
    for (int k = 0; k < 4; ++k)
        for (int i = count; i < all; ++i) points.row[k][i] = before.row[k][i] = 0;
    project(fabric, dt, iterations, SideBySide{points, before}, Scattered{points, before});
    forEach(device, "unpackRows", count, UnpackRows{std::as_const(places_).span(), points, x});
}

#endif

}  // namespace purl

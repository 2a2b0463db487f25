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
      slots_(device),
      soa_(device),
      soaBefore_(device) {}

#ifndef __AVX2__

void XpbdLanes::solve(const Fabric&, float, int, const Vec3*, Vec3*) { PURL_ASSERT(kHasLanes); }

#else

namespace {

// Position and inverse mass in one aligned load.
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

// Structure of arrays in slot order.
struct PackSoa {
    Span<const int> slots;
    Span<const float> w;
    const Vec3 *x, *xBefore;
    SoaPoints points, before;
    PURL_HD void operator()(int i) const {
        const int at = slots[i];
        for (int k = 0; k < 3; ++k) {
            points.channel[k][at] = x[i][k];
            before.channel[k][at] = xBefore[i][k];
        }
        points.channel[3][at] = w[i];
    }
};
struct UnpackSoa {
    Span<const int> slots;
    SoaPoints points;
    Vec3* x;
    PURL_HD void operator()(int i) const {
        for (int k = 0; k < 3; ++k) x[i][k] = points.channel[k][slots[i]];
    }
};

// Points in any order: gathers by index.
struct GatheredPoints {
    static constexpr bool kInRuns = false;
    Float4* points;
    const Float4* before;

    Lanes4 load(const int* list) const { return loadLanes(points, list); }
    Lanes4 loadBefore(const int* list) const { return loadLanes(before, list); }
    void store(const Lanes4& lanes, const int* list) const { storeLanes(lanes, points, list); }
};

// Eight contiguous points: the first index suffices.
struct ContiguousPoints {
    static constexpr bool kInRuns = true;
    SoaPoints points, before;

    static Lanes4 load(const SoaPoints& rows, int first) {
        return {_mm256_loadu_ps(rows.channel[0] + first), _mm256_loadu_ps(rows.channel[1] + first),
                _mm256_loadu_ps(rows.channel[2] + first), _mm256_loadu_ps(rows.channel[3] + first)};
    }
    Lanes4 load(int first) const { return load(points, first); }
    Lanes4 loadBefore(int first) const { return load(before, first); }
    void store(const Lanes4& lanes, int first) const {
        _mm256_storeu_ps(points.channel[0] + first, lanes.x);
        _mm256_storeu_ps(points.channel[1] + first, lanes.y);
        _mm256_storeu_ps(points.channel[2] + first, lanes.z);
    }
    Lanes4 load(const int* list) const { return load(list[0]); }
    Lanes4 loadBefore(const int* list) const { return loadBefore(list[0]); }
    void store(const Lanes4& lanes, const int* list) const { store(lanes, list[0]); }
};

// Scattered points in the structure of arrays.
struct ScatteredPoints {
    SoaPoints points, before;

    static Lanes4 load(const SoaPoints& rows, const int* list) {
        const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(list));
        return {_mm256_i32gather_ps(rows.channel[0], index, 4), _mm256_i32gather_ps(rows.channel[1], index, 4),
                _mm256_i32gather_ps(rows.channel[2], index, 4), _mm256_i32gather_ps(rows.channel[3], index, 4)};
    }
    Lanes4 load(const int* list) const { return load(points, list); }
    Lanes4 loadBefore(const int* list) const { return load(before, list); }
    void store(const Lanes4& lanes, const int* list) const {
        alignas(32) float channel[3][8];
        _mm256_store_ps(channel[0], lanes.x);
        _mm256_store_ps(channel[1], lanes.y);
        _mm256_store_ps(channel[2], lanes.z);
        for (int lane = 0; lane < 8; ++lane)
            for (int k = 0; k < 3; ++k) points.channel[k][list[lane]] = channel[k][lane];
    }
};

// A value shared by all eight elements, or one per lane.
__m256 lanesOf(float all) { return _mm256_set1_ps(all); }
__m256 lanesOf(const float* each) { return _mm256_load_ps(each); }

// Multipliers λ: not read in the first iteration, not written in the last.
struct Lambdas {
    float* values;
    bool readLambdas, writeLambdas;

    __m256 load(int at) const { return readLambdas ? _mm256_load_ps(values + at) : _mm256_setzero_ps(); }
    void store(int at, __m256 lambda) const {
        if (writeLambdas) _mm256_store_ps(values + at, lambda);
    }
};

template <class Block, class Points>
struct ProjectSpringBlock {
    const Block* blocks;
    float inverseStep2, gamma;
    Points points;
    Lambdas lambdas;  // eight per block

    void operator()(int block) const {
        const Block& spring = blocks[block];
        Lanes4 a = points.load(spring.a), b = points.load(spring.b);
        const __m256 dx = _mm256_sub_ps(a.x, b.x), dy = _mm256_sub_ps(a.y, b.y), dz = _mm256_sub_ps(a.z, b.z);
        const __m256 l2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
        const __m256 l = _mm256_sqrt_ps(l2);
        // Coincident ends have no direction and do not move.
        const __m256 perLength = _mm256_div_ps(_mm256_set1_ps(1), _mm256_max_ps(l, _mm256_set1_ps(1e-30f)));
        const __m256 alpha = _mm256_mul_ps(_mm256_loadu_ps(spring.compliance), _mm256_set1_ps(inverseStep2));
        const __m256 lambda = lambdas.load(8 * block);
        __m256 error = _mm256_fnmadd_ps(alpha, lambda, _mm256_sub_ps(lanesOf(spring.rest), l));
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
        lambdas.store(8 * block, _mm256_add_ps(lambda, delta));
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
    Lambdas lambdas;  // eight x, eight y, eight z per block

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
        const __m256 negativeInverse =
            _mm256_div_ps(_mm256_set1_ps(-1), _mm256_fmadd_ps(_mm256_set1_ps(1 + gamma), weight, alpha));
        __m256 delta[3];
        for (int k = 0; k < 3; ++k) {
            const int own = 24 * block + 8 * k;
            const __m256 lambda = lambdas.load(own);
            __m256 error = _mm256_fmadd_ps(alpha, lambda, _mm256_mul_ps(beyond, d[k]));
            error = _mm256_fmadd_ps(_mm256_set1_ps(gamma), m[k], error);
            delta[k] = _mm256_mul_ps(negativeInverse, error);
            lambdas.store(own, _mm256_add_ps(lambda, delta[k]));
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

// Whether eight values are equal within the tolerance.
bool areEqual(const float* eight, float tolerance) {
    const auto [low, high] = std::minmax_element(eight, eight + 8);
    return *high - *low <= tolerance;
}
float meanOf(const float* eight) {
    float sum = 0;
    for (int lane = 0; lane < 8; ++lane) sum += eight[lane];
    return sum / 8;
}

// m: differences in rest length below this come from rounding of the positions.
float lengthRounding(const Fabric& fabric) {
    float farthest = 0;
    for (int i = 0; i < fabric.count(); ++i)
        for (int k = 0; k < 3; ++k) farthest = std::max(farthest, std::fabs(fabric.rest(i)[k]));
    return 4 * std::numeric_limits<float>::epsilon() * farthest;
}

bool isUniform(const SpringBlock& block, float rounding) { return areEqual(block.rest, rounding); }
// Weights are ratios of lengths.
bool isUniform(const BendBlock& block, float rounding, float edge) {
    return areEqual(block.rest, rounding) &&
           std::all_of(block.c, block.c + 4, [&](const float* weights) { return areEqual(weights, rounding / edge); });
}
void compress(const SpringBlock& block, UniformSprings& uniform) {
    uniform.a = block.a[0];
    uniform.b = block.b[0];
    uniform.rest = meanOf(block.rest);
    std::copy_n(block.compliance, 8, uniform.compliance);
}
void compress(const BendBlock& block, UniformBends& uniform) {
    for (int k = 0; k < 4; ++k) {
        uniform.v[k] = block.v[k][0];
        uniform.c[k] = meanOf(block.c[k]);
    }
    uniform.rest = meanOf(block.rest);
    uniform.points = block.points;
    std::copy_n(block.compliance, 8, uniform.compliance);
}

// Point without mass for the unused lanes of each strip, after the last point: strips are solved in parallel, and
// unused lanes are stored too. A cache line apart to avoid false sharing.
constexpr int kDummyStride = 16;
int dummyPoint(const Fabric& fabric, int strip) { return fabric.count() + kDummyStride * strip; }
int countWithDummies(const Fabric& fabric) { return dummyPoint(fabric, fabric.strips()); }

// Packs elements into blocks with fill(block, lane, element, strip); element is −1 for unused lanes. `inRuns`: load
// runs contiguously.
template <class Uniform, class Block, int kLambdas, class IsUniform, class Fill>
void toBlocks(const Colors& colors, bool inRuns, ElementBlocks<Uniform, Block, kLambdas>& blocks,
              const IsUniform& isUniform, const Fill& fill) {
    std::vector<Uniform> uniform;
    std::vector<Block> others;
    std::vector<int> uniformFirst, otherFirst;
    blocks.cells.assign(colors.runEnds.size(), {});
    blocks.strips = colors.strips;
    blocks.interiorColors = colors.interiorColors;
    const auto takeCell = [&](int color, int strip) {
        const auto c = static_cast<size_t>(color * colors.strips + strip);
        auto& cell = blocks.cells[c];
        cell.uniform = static_cast<int>(uniform.size());
        cell.runs = static_cast<int>(others.size());
        const int end = colors.starts[c + 1], runEnd = inRuns ? colors.runEnds[c] : colors.starts[c];
        const auto take = [&](int from, int to) {
            for (int e = from; e < to; e += 8) {
                Block block{};
                for (int lane = 0; lane < 8; ++lane) fill(block, lane, e + lane < to ? e + lane : -1, strip);
                if (e < runEnd && isUniform(block)) {
                    uniform.emplace_back();
                    compress(block, uniform.back());
                    uniformFirst.push_back(e);
                } else {
                    others.push_back(block);
                    otherFirst.push_back(e);
                }
            }
        };
        take(colors.starts[c], runEnd);
        cell.uniformEnd = static_cast<int>(uniform.size());
        cell.runsEnd = static_cast<int>(others.size());
        take(runEnd, end);
        cell.end = static_cast<int>(others.size());
    };
    // Blocks are stored strip by strip, in the order of access.
    for (int strip = 0; strip < colors.strips; ++strip)
        for (int color = 0; color < colors.interiorColors; ++color) takeCell(color, strip);
    for (int strip = 0; strip < colors.strips; ++strip)
        for (int color = colors.interiorColors; color < colors.count(); ++color) takeCell(color, strip);
    const auto put = [](auto& buffer, const auto& values) {
        buffer.resizeDiscard(static_cast<int>(values.size()));
        std::copy(values.begin(), values.end(), buffer.begin());
    };
    put(blocks.uniform, uniform);
    put(blocks.others, others);
    blocks.uniformLambdas.resizeDiscard(8 * kLambdas * blocks.uniform.size());
    blocks.otherLambdas.resizeDiscard(8 * kLambdas * blocks.others.size());
    uniformFirst.insert(uniformFirst.end(), otherFirst.begin(), otherFirst.end());
    put(blocks.firstElement, uniformFirst);
}

// Updates compliances after a change of stiffness.
template <class Set, class Elements>
void updateCompliances(Set& blocks, const Elements& elements) {
    const int uniform = blocks.uniform.size();
    for (int b = 0; b < blocks.count(); ++b) {
        float* const compliance = b < uniform ? blocks.uniform[b].compliance : blocks.others[b - uniform].compliance;
        const int first = blocks.firstElement[b];
        // Unused lanes may take any value: they only move the dummy point.
        for (int lane = 0; lane < 8 && first + lane < elements.size(); ++lane)
            compliance[lane] = 1 / elements[first + lane].stiffness;
    }
}

}  // namespace

void XpbdLanes::pack(const Fabric& fabric) {
    if (packedVersion_ == fabric.version() && packedStiffness_ == fabric.stiffnessVersion()) return;
    if (packedVersion_ == fabric.version()) {
        updateCompliances(springs_, fabric.springs);
        updateCompliances(bends_, fabric.bends);
    } else {
        inRuns_ = fabric.mostlyInRuns();
        slots_.resizeDiscard(fabric.count());
        for (int i = 0; i < slots_.size(); ++i) slots_[i] = inRuns_ ? fabric.slots()[i] : i;
        packSprings(fabric);
        packBends(fabric);
    }
    packedVersion_ = fabric.version();
    packedStiffness_ = fabric.stiffnessVersion();
}

void XpbdLanes::packSprings(const Fabric& fabric) {
    const float rounding = lengthRounding(fabric);
    const auto uniform = [&](const SpringBlock& block) { return isUniform(block, rounding); };
    toBlocks(fabric.springColors, inRuns_, springs_, uniform, [&](SpringBlock& block, int lane, int e, int strip) {
        block.a[lane] = block.b[lane] = dummyPoint(fabric, strip);
        block.rest[lane] = block.compliance[lane] = 1;
        if (e < 0) return;
        const Spring& spring = fabric.springs[e];
        block.a[lane] = slots_[spring.a];
        block.b[lane] = slots_[spring.b];
        block.rest[lane] = spring.rest;
        block.compliance[lane] = 1 / spring.stiffness;
    });
}

void XpbdLanes::packBends(const Fabric& fabric) {
    const float rounding = lengthRounding(fabric);
    const auto uniform = [&](const BendBlock& block) { return isUniform(block, rounding, fabric.meanEdge()); };
    toBlocks(fabric.bendColors, inRuns_, bends_, uniform, [&](BendBlock& block, int lane, int e, int strip) {
        if (lane == 0) block.points = 3;
        for (int k = 0; k < 4; ++k) {
            block.v[k][lane] = e < 0 ? dummyPoint(fabric, strip) : slots_[fabric.bends[e].v[k]];
            block.c[k][lane] = e < 0 ? 0 : fabric.bends[e].c[k];
        }
        block.rest[lane] = e < 0 ? 0 : fabric.bends[e].rest;
        block.compliance[lane] = e < 0 ? 1 : 1 / fabric.bends[e].stiffness;
        if (block.c[3][lane] != 0) block.points = 4;
    });
}

void XpbdLanes::solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    pack(fabric);
    if (inRuns_)
        solveRuns(fabric, dt, iterations, xBefore, x);
    else
        solveGathered(fabric, dt, iterations, xBefore, x);
}

// `runs`: point access for runs; `others`: for scattered blocks.
template <class Runs, class Others>
void XpbdLanes::project(const Fabric& fabric, float dt, int iterations, const Runs& runs, const Others& others) {
    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    const float bendGamma = fabric.bendDampingTime() * inverseStep,
                springGamma = fabric.springDampingTime() * inverseStep;
    const auto forEachOf = [](int first, int last, const auto& kernel) {
        for (int block = first; block < last; ++block) kernel(block);
    };
    // Two phases per iteration: strip interiors, then what crosses cuts.
    const int strips = fabric.strips(), stages = strips > 1 ? 2 : 1;
    forEachInPhases(fabric.springs.device(), "project", iterations * stages, strips, [&](int phase, int strip) {
        const int iteration = phase / stages;
        const bool crossing = phase % stages == 1, readLambdas = iteration > 0,
                   writeLambdas = iteration + 1 < iterations;
        const Lambdas uniformBends{bends_.uniformLambdas.data(), readLambdas, writeLambdas},
            otherBends{bends_.otherLambdas.data(), readLambdas, writeLambdas};
        bends_.forEachCell(crossing, strip, [&](const auto& cell) {
            if constexpr (Runs::kInRuns)
                forEachOf(cell.uniform, cell.uniformEnd,
                          ProjectBendBlock<UniformBends, Runs>{bends_.uniform.data(), inverseStep2, bendGamma, runs,
                                                               uniformBends});
            forEachOf(
                cell.runs, cell.runsEnd,
                ProjectBendBlock<BendBlock, Runs>{bends_.others.data(), inverseStep2, bendGamma, runs, otherBends});
            forEachOf(
                cell.runsEnd, cell.end,
                ProjectBendBlock<BendBlock, Others>{bends_.others.data(), inverseStep2, bendGamma, others, otherBends});
        });
        const Lambdas uniformSprings{springs_.uniformLambdas.data(), readLambdas, writeLambdas},
            otherSprings{springs_.otherLambdas.data(), readLambdas, writeLambdas};
        springs_.forEachCell(crossing, strip, [&](const auto& cell) {
            if constexpr (Runs::kInRuns)
                forEachOf(cell.uniform, cell.uniformEnd,
                          ProjectSpringBlock<UniformSprings, Runs>{springs_.uniform.data(), inverseStep2, springGamma,
                                                                   runs, uniformSprings});
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
    const int count = fabric.count(), all = countWithDummies(fabric);
    points_.resizeDiscard(all);
    before_.resizeDiscard(all);
    forEach(device, "packPoints", count,
            PackPoints{fabric.inverseMass.span(), x, xBefore, points_.span(), before_.span()});
    for (int i = count; i < all; ++i) points_[i] = before_[i] = {};
    const GatheredPoints points{points_.data(), before_.data()};
    project(fabric, dt, iterations, points, points);
    forEach(device, "unpackPoints", count, UnpackPoints{points_.span(), x});
}

void XpbdLanes::solveRuns(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count(), all = countWithDummies(fabric);
    const SoaPoints points = soa_.resize(all), before = soaBefore_.resize(all);
    forEach(device, "packSoa", count,
            PackSoa{std::as_const(slots_).span(), fabric.inverseMass.span(), x, xBefore, points, before});
    for (int k = 0; k < 4; ++k)
        for (int i = count; i < all; ++i) points.channel[k][i] = before.channel[k][i] = 0;
    project(fabric, dt, iterations, ContiguousPoints{points, before}, ScatteredPoints{points, before});
    forEach(device, "unpackSoa", count, UnpackSoa{std::as_const(slots_).span(), points, x});
}

#endif

}  // namespace purl

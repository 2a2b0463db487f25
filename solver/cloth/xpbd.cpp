#include "solver/cloth/xpbd.h"

#include <type_traits>
#include <utility>

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Which elements of a block a projection handles: all at once, or one.
struct AllLanes {
    using Real = Lanes;
};
struct OneLane {
    using Real = float;
    int lane;
};

// A value shared by all eight elements, or one per element.
PURL_HD inline Lanes read(const float* each, AllLanes) { return load(each); }
PURL_HD inline Lanes read(float all, AllLanes) { return all; }
PURL_HD inline float read(const float* each, OneLane at) { return each[at.lane]; }
PURL_HD inline float read(float all, OneLane) { return all; }

// Points in any order: gathers by index. One at a time, the dummies behind the last point are not stored: several
// threads would write the same one.
struct GatheredPoints {
    static constexpr bool kInRuns = false;
    Float4* points;
    const Float4* before;
    int count;  // without dummies

    PURL_HD static Row<float> rowOf(const Float4& p) { return {p.x, p.y, p.z, p.w}; }
    PURL_HD Row<Lanes> load(const int* list, AllLanes) const { return loadRows(points, list); }
    PURL_HD Row<Lanes> loadBefore(const int* list, AllLanes) const { return loadRows(before, list); }
    PURL_HD void store(const Row<Lanes>& rows, const int* list, AllLanes) const { storeRows(rows, points, list); }
    PURL_HD Row<float> load(const int* list, OneLane at) const { return rowOf(points[list[at.lane]]); }
    PURL_HD Row<float> loadBefore(const int* list, OneLane at) const { return rowOf(before[list[at.lane]]); }
    PURL_HD void store(const Row<float>& row, const int* list, OneLane at) const {
        if (list[at.lane] < count) points[list[at.lane]] = {row.x, row.y, row.z, row.w};
    }
};

// Eight contiguous points of the structure of arrays: the first index suffices.
struct ContiguousPoints {
    static constexpr bool kInRuns = true;
    SoaPoints points, before;
    int count;

    PURL_HD static Row<Lanes> load(const SoaPoints& from, int first, AllLanes) {
        return {purl::load(from.channel[0] + first), purl::load(from.channel[1] + first),
                purl::load(from.channel[2] + first), purl::load(from.channel[3] + first)};
    }
    PURL_HD static Row<float> load(const SoaPoints& from, int first, OneLane at) {
        const int i = first + at.lane;
        return {from.channel[0][i], from.channel[1][i], from.channel[2][i], from.channel[3][i]};
    }
    template <class Where>
    PURL_HD auto load(int first, Where where) const {
        return load(points, first, where);
    }
    template <class Where>
    PURL_HD auto loadBefore(int first, Where where) const {
        return load(before, first, where);
    }
    PURL_HD void store(const Row<Lanes>& rows, int first, AllLanes) const {
        purl::store(rows.x, points.channel[0] + first);
        purl::store(rows.y, points.channel[1] + first);
        purl::store(rows.z, points.channel[2] + first);
    }
    PURL_HD void store(const Row<float>& row, int first, OneLane at) const {
        points.channel[0][first + at.lane] = row.x;
        points.channel[1][first + at.lane] = row.y;
        points.channel[2][first + at.lane] = row.z;
    }
    template <class Where>
    PURL_HD auto load(const int* list, Where where) const {
        return load(points, list[0], where);
    }
    template <class Where>
    PURL_HD auto loadBefore(const int* list, Where where) const {
        return load(before, list[0], where);
    }
    template <class Real, class Where>
    PURL_HD void store(const Row<Real>& rows, const int* list, Where where) const {
        store(rows, list[0], where);
    }
};

// Scattered points of the structure of arrays.
struct ScatteredPoints {
    SoaPoints points, before;
    int count;

    PURL_HD static Row<Lanes> load(const SoaPoints& from, const int* list, AllLanes) {
        return {gather(from.channel[0], list), gather(from.channel[1], list), gather(from.channel[2], list),
                gather(from.channel[3], list)};
    }
    PURL_HD static Row<float> load(const SoaPoints& from, const int* list, OneLane at) {
        return ContiguousPoints::load(from, list[at.lane], OneLane{0});
    }
    template <class Where>
    PURL_HD auto load(const int* list, Where where) const {
        return load(points, list, where);
    }
    template <class Where>
    PURL_HD auto loadBefore(const int* list, Where where) const {
        return load(before, list, where);
    }
    PURL_HD void store(const Row<Lanes>& rows, const int* list, AllLanes) const {
        float channel[3][kLanes];
        purl::store(rows.x, channel[0]);
        purl::store(rows.y, channel[1]);
        purl::store(rows.z, channel[2]);
        for (int lane = 0; lane < kLanes; ++lane)
            for (int k = 0; k < 3; ++k) points.channel[k][list[lane]] = channel[k][lane];
    }
    PURL_HD void store(const Row<float>& row, const int* list, OneLane at) const {
        const int i = list[at.lane];
        if (i >= count) return;
        points.channel[0][i] = row.x;
        points.channel[1][i] = row.y;
        points.channel[2][i] = row.z;
    }
};

// Multipliers λ: not read in the first iteration, not written in the last.
struct Lambdas {
    float* values;
    bool readLambdas, writeLambdas;

    template <class Where>
    PURL_HD auto load(int at, Where where) const {
        return readLambdas ? read(values + at, where) : read(0.0f, where);
    }
    PURL_HD void store(int at, Lanes lambda, AllLanes) const {
        if (writeLambdas) purl::store(lambda, values + at);
    }
    PURL_HD void store(int at, float lambda, OneLane to) const {
        if (writeLambdas) values[at + to.lane] = lambda;
    }
};

template <class Real>
PURL_HD inline void move(Row<Real>& point, const VecOf<Real>& to) {
    point.x = to.x;
    point.y = to.y;
    point.z = to.z;
}

// Δλ = (−C − α̃ λ − γ ∇C·(x − xₙ)) / ((1 + γ) Σ w |∇C|² + α̃),  x += w ∇C Δλ   Macklin 2016, eq. 26; with α̃ = 1/(k
// Δt²) and damping d = dampingTime · k:  γ = dampingTime/Δt
template <class Block, class Points>
struct ProjectSpringBlock {
    const Block* blocks;
    float inverseStep2, gamma;  // 1/s²
    Points points;
    Lambdas lambdas;  // eight per block

    template <class Where>
    PURL_HD void operator()(int block, Where where) const {
        using Real = typename Where::Real;
        const Block& spring = blocks[block];
        Row<Real> a = points.load(spring.a, where), b = points.load(spring.b, where);
        const VecOf<Real> d = a.xyz() - b.xyz();
        const Real l = sqrt(dot(d, d));
        // Coincident ends have no direction and do not move.
        const Real perLength = Real(1.0f) / max(l, Real(1e-30f));
        const Real alpha = read(spring.compliance, where) * Real(inverseStep2);
        const Real lambda = lambdas.load(kLanes * block, where);
        Real error = fnma(alpha, lambda, read(spring.rest, where) - l);
        if (gamma > 0) {
            const Row<Real> p = points.loadBefore(spring.a, where), q = points.loadBefore(spring.b, where);
            error = fnma(Real(gamma), perLength * dot(d - (p.xyz() - q.xyz()), d), error);
        }
        const Real delta = error / fma(Real(1 + gamma), a.w + b.w, alpha);
        lambdas.store(kLanes * block, lambda + delta, where);
        const Real scale = delta * perLength;
        move(a, fma(a.w * scale, d, a.xyz()));
        move(b, fma(-(b.w * scale), d, b.xyz()));
        points.store(a, spring.a, where);
        points.store(b, spring.b, where);
    }
};

// The same for the vector constraint C = d (1 − r/|d|),  d = Σ c x.
template <class Block, class Points>
struct ProjectBendBlock {
    const Block* blocks;
    float inverseStep2, gamma;
    Points points;
    Lambdas lambdas;  // eight x, eight y, eight z per block

    template <class Where>
    PURL_HD void operator()(int block, Where where) const {
        using Real = typename Where::Real;
        const Block& bend = blocks[block];
        Row<Real> p[4];
        VecOf<Real> d, moved;
        Real weight = 0.0f;
        for (int i = 0; i < bend.points; ++i) {
            const Real c = read(bend.c[i], where);
            p[i] = points.load(bend.v[i], where);
            d = fma(c, p[i].xyz(), d);
            weight = fma(c * c, p[i].w, weight);
            if (gamma > 0) moved = fma(c, p[i].xyz() - points.loadBefore(bend.v[i], where).xyz(), moved);
        }
        const Real size = max(sqrt(dot(d, d)), Real(1e-30f));
        const Real beyond = Real(1.0f) - read(bend.rest, where) / size;
        const Real alpha = read(bend.compliance, where) * Real(inverseStep2);
        const Real negativeInverse = Real(-1.0f) / fma(Real(1 + gamma), weight, alpha);
        const auto solveAxis = [&](int axis, Real along, Real movedAlong) {
            const int own = kLanes * (3 * block + axis);
            const Real lambda = lambdas.load(own, where);
            const Real error = fma(Real(gamma), movedAlong, fma(alpha, lambda, beyond * along));
            const Real delta = negativeInverse * error;
            lambdas.store(own, lambda + delta, where);
            return delta;
        };
        const Real dx = solveAxis(0, d.x, moved.x), dy = solveAxis(1, d.y, moved.y), dz = solveAxis(2, d.z, moved.z);
        for (int i = 0; i < bend.points; ++i) {
            move(p[i], fma(read(bend.c[i], where) * p[i].w, VecOf<Real>{dx, dy, dz}, p[i].xyz()));
            points.store(p[i], bend.v[i], where);
        }
    }
};

// One element of the blocks of a colour.
template <class OfUniform, class OfRun, class OfScattered>
struct ProjectElements {
    OfUniform uniform;
    OfRun run;
    OfScattered scattered;
    const int* blocks;  // kBlockForms × block + its form

    PURL_HD void operator()(int i) const {
        const int block = blocks[i / kLanes];
        const OneLane lane{i % kLanes};
        switch (static_cast<BlockForm>(block % kBlockForms)) {
            case BlockForm::uniform: return uniform(block / kBlockForms, lane);
            case BlockForm::run: return run(block / kBlockForms, lane);
            case BlockForm::scattered: return scattered(block / kBlockForms, lane);
        }
    }
};

// In place of uniform blocks where points are not in runs: there are none.
template <class Block, class Points>
struct NoBlocks {
    const Block* blocks;
    float inverseStep2, gamma;
    Points points;
    Lambdas lambdas;

    template <class Where>
    PURL_HD void operator()(int, Where) const {}
};

// The projections of the three forms of blocks in one iteration.
template <template <class, class> class ProjectBlock, class Uniform, class Block, int kLambdas, class Runs,
          class Others>
auto makeProjections(ElementBlocks<Uniform, Block, kLambdas>& blocks, float inverseStep2, float gamma, const Runs& runs,
                     const Others& others, bool readLambdas, bool writeLambdas) {
    const Lambdas ofUniform{blocks.uniformLambdas.data(), readLambdas, writeLambdas},
        ofOthers{blocks.otherLambdas.data(), readLambdas, writeLambdas};
    using OfUniform = std::conditional_t<Runs::kInRuns, ProjectBlock<Uniform, Runs>, NoBlocks<Uniform, Runs>>;
    return ProjectElements<OfUniform, ProjectBlock<Block, Runs>, ProjectBlock<Block, Others>>{
        {blocks.uniform.data(), inverseStep2, gamma, runs, ofUniform},
        {blocks.others.data(), inverseStep2, gamma, runs, ofOthers},
        {blocks.others.data(), inverseStep2, gamma, others, ofOthers},
        blocks.byColor.data()};
}

template <class Blocks, class Projections>
void projectStrip(const Blocks& blocks, const Projections& project, bool crossing, int strip) {
    const auto projectBlocks = [](int first, int last, const auto& kernel) {
        for (int block = first; block < last; ++block) kernel(block, AllLanes());
    };
    blocks.forEachCell(crossing, strip, [&](const auto& cell) {
        projectBlocks(cell.uniform, cell.uniformEnd, project.uniform);
        projectBlocks(cell.runs, cell.runsEnd, project.run);
        projectBlocks(cell.runsEnd, cell.end, project.scattered);
    });
}

template <class Blocks, class Projections>
void projectColors(const Device& device, const char* name, const Blocks& blocks, const Projections& project, int from,
                   int to) {
    Projections ofColor = project;
    for (int color = from; color < to; ++color) {
        const int first = blocks.colorStarts[color], end = blocks.colorStarts[color + 1];
        ofColor.blocks = project.blocks + first;
        forEach(device, name, kLanes * (end - first), ofColor);
    }
}

// Position and inverse mass in one aligned load. The dummies, from `count` on, are zeros.
struct PackPoints {
    Span<const float> w;
    const Vec3 *x, *xBefore;
    Float4 *points, *before;
    PURL_HD void operator()(int i) const {
        points[i] = before[i] = {0, 0, 0, 0};
        if (i >= w.count) return;
        points[i] = {x[i].x, x[i].y, x[i].z, w[i]};
        before[i] = {xBefore[i].x, xBefore[i].y, xBefore[i].z, 0};
    }
};
struct UnpackPoints {
    const Float4* points;
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
        const bool dummy = i >= w.count;
        const int at = dummy ? i : slots[i];
        for (int k = 0; k < 3; ++k) {
            points.channel[k][at] = dummy ? 0 : x[i][k];
            before.channel[k][at] = dummy ? 0 : xBefore[i][k];
        }
        points.channel[3][at] = dummy ? 0 : w[i];
        before.channel[3][at] = 0;
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

}  // namespace

Xpbd::Xpbd(const Device& device)
    : blocks_(device), points_(device), before_(device), soa_(device), soaBefore_(device) {}

template <class Project>
void Xpbd::withPoints(const Fabric& fabric, const Vec3* xBefore, Vec3* x, const Project& project) {
    const Device& device = fabric.springs.device();
    blocks_.pack(fabric);
    const int count = fabric.count(), all = XpbdBlocks::countWithDummies(fabric);
    const Span<const float> w{fabric.inverseMass.data(), count};
    if (blocks_.inRuns) {
        const Span<const int> slots = std::as_const(blocks_.slots).span();
        const SoaPoints points = soa_.resize(all), before = soaBefore_.resize(all);
        forEach(device, "packSoa", all, PackSoa{slots, w, x, xBefore, points, before});
        project(ContiguousPoints{points, before, count}, ScatteredPoints{points, before, count});
        forEach(device, "unpackSoa", count, UnpackSoa{slots, points, x});
    } else {
        points_.resizeDiscard(all);
        before_.resizeDiscard(all);
        forEach(device, "packPoints", all, PackPoints{w, x, xBefore, points_.data(), before_.data()});
        const GatheredPoints points{points_.data(), before_.data(), count};
        project(points, points);
        forEach(device, "unpackPoints", count, UnpackPoints{points_.data(), x});
    }
}

void Xpbd::solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    if (!fabric.springs.device().isCpu()) return solveByElement(fabric, dt, iterations, xBefore, x);
    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    const float bendGamma = fabric.bendDampingTime() * inverseStep,
                springGamma = fabric.springDampingTime() * inverseStep;
    withPoints(fabric, xBefore, x, [&](const auto& runs, const auto& others) {
        // Two phases per iteration: strip interiors, then what crosses cuts.
        const int strips = fabric.strips(), stages = strips > 1 ? 2 : 1;
        forEachInPhases(fabric.springs.device(), "project", iterations * stages, strips, [&](int phase, int strip) {
            const int iteration = phase / stages;
            const bool crossing = phase % stages == 1, readLambdas = iteration > 0,
                       writeLambdas = iteration + 1 < iterations;
            projectStrip(blocks_.bends,
                         makeProjections<ProjectBendBlock>(blocks_.bends, inverseStep2, bendGamma, runs, others,
                                                           readLambdas, writeLambdas),
                         crossing, strip);
            projectStrip(blocks_.springs,
                         makeProjections<ProjectSpringBlock>(blocks_.springs, inverseStep2, springGamma, runs, others,
                                                             readLambdas, writeLambdas),
                         crossing, strip);
        });
    });
}

void Xpbd::solveByElement(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    const float bendGamma = fabric.bendDampingTime() * inverseStep,
                springGamma = fabric.springDampingTime() * inverseStep;
    withPoints(fabric, xBefore, x, [&](const auto& runs, const auto& others) {
        for (int iteration = 0; iteration < iterations; ++iteration) {
            const bool readLambdas = iteration > 0, writeLambdas = iteration + 1 < iterations;
            const auto bends = makeProjections<ProjectBendBlock>(blocks_.bends, inverseStep2, bendGamma, runs, others,
                                                                 readLambdas, writeLambdas);
            const auto springs = makeProjections<ProjectSpringBlock>(blocks_.springs, inverseStep2, springGamma, runs,
                                                                     others, readLambdas, writeLambdas);
            const auto project = [&](int bendsFrom, int bendsTo, int springsFrom, int springsTo) {
                projectColors(device, "projectBends", blocks_.bends, bends, bendsFrom, bendsTo);
                projectColors(device, "projectSprings", blocks_.springs, springs, springsFrom, springsTo);
            };
            project(0, blocks_.bends.interiorColors, 0, blocks_.springs.interiorColors);
            project(blocks_.bends.interiorColors, blocks_.bends.colors(), blocks_.springs.interiorColors,
                    blocks_.springs.colors());
        }
    });
}

}  // namespace purl

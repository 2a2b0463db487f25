#include "solver/stepLength.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/cloth/tear.h"
#include "solver/colliders/rigid.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/hostView.h"
#include "solver/core/math.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

struct LengthSquared {
    Span<const Vec3> v;
    PURL_HD float operator()(int i) const { return lengthSquared(v[i]); }
};

// Square of the speed that limits the step, m²/s². A particle without neighbours may move half a support radius per
// step: it then becomes a neighbour before it is closer than a spacing, and one splashing drop does not slow down the
// whole scene.
struct LimitingSpeed {
    Span<const Vec3> v;
    Span<const float> density;
    Span<const int> body;
    Span<const float> alone;  // kg/m³, of each fluid: the density of a particle without neighbours
    float share;              // fraction of its speed that counts if it has no neighbours

    PURL_HD float operator()(int i) const {
        const bool hasNone = density[i] > 0 && density[i] <= alone[body[i]];
        return lengthSquared(v[i]) * (hasNone ? share * share : 1);
    }
};

// Squares of the largest speed and acceleration, together, so that the host waits for a device only once.
struct Fastest {
    float speed2 = 0, acceleration2 = 0;
};
template <class Speed>
struct FastestOf {
    Speed speed2;
    LengthSquared acceleration2;
    PURL_HD Fastest operator()(int i) const { return {speed2(i), acceleration2(i)}; }
};
struct JoinFastest {
    PURL_HD Fastest operator()(const Fastest& a, const Fastest& b) const {
        return {Largest()(a.speed2, b.speed2), Largest()(a.acceleration2, b.acceleration2)};
    }
};
template <class Speed>
FastestOf<Speed> fastestOf(const Particles& particles, const Speed& speed2) {
    return {speed2, {particles.a.span()}};
}

// How many particles are faster than 90 % of the fastest one, and than the least speed that may limit the step.
struct FastCounts {
    int near90 = 0, aboveLeast = 0;
};
struct AddFastCounts {
    PURL_HD FastCounts operator()(const FastCounts& a, const FastCounts& b) const {
        return {a.near90 + b.near90, a.aboveLeast + b.aboveLeast};
    }
};

// What the host needs of a scene with few outliers, in one piece.
struct SpeedSurvey {
    Fastest all;
    float near90 = 0, least = 0;  // m²/s²: the two limits
    FastCounts counts;
};
struct SetLimits {
    float share;
    SpeedSurvey* survey;
    PURL_HD void operator()(int) const {
        const double fastest = std::sqrt(double(survey->all.speed2)), near90 = 0.9 * fastest,
                     least = double(share) * fastest;
        survey->near90 = static_cast<float>(near90 * near90);
        survey->least = static_cast<float>(least * least);
    }
};
struct CountFast {
    LimitingSpeed speed2;
    const SpeedSurvey* survey;
    PURL_HD FastCounts operator()(int i) const {
        const float own = speed2(i);
        return {own > survey->near90, own > survey->least};
    }
};

// 1 for a particle above the limit.
struct IsFaster {
    LimitingSpeed speed2;
    float limit2;  // m²/s²
    PURL_HD int operator()(int i) const { return speed2(i) > limit2; }
};

struct DepthAlong {
    Vec3 down;
    Span<const Vec3> x;
    PURL_HD float operator()(int i) const { return dot(down, x[i]); }
};

// The column of a particle in a grid of nx × ny.
struct ColumnOf {
    Vec3 axisX, axisY;
    double lowX, lowY, width, nx, ny;
    Span<const Vec3> x;
    Span<uint64_t> columns;
    Span<int> order;

    PURL_HD uint64_t cellOf(double place, double low, double count) const {
        const double cell = (place - low) / width, above = cell > 0 ? cell : 0;
        return static_cast<uint64_t>(above < count - 1 ? above : count - 1);
    }
    PURL_HD void operator()(int i) const {
        columns[i] = cellOf(double(dot(axisX, x[i])), lowX, nx) +
                     static_cast<uint64_t>(nx) * cellOf(double(dot(axisY, x[i])), lowY, ny);
        order[i] = i;
    }
};

// m, of all particles in a column, which are sorted.
struct ColumnHeight {
    Span<const uint64_t> columns;
    Span<const int> order, body;
    Span<const float> ofParticle;  // per fluid

    PURL_HD float operator()(int column) const {
        const auto own = static_cast<uint64_t>(column);
        float height = 0;
        for (int at = firstAtLeast(columns, own); at < columns.count && columns[at] == own; ++at)
            height += ofParticle[body[order[at]]];
        return height;
    }
};

// Extent of the particles along an axis, m.
struct Extent {
    double low = 0, size = 0;
};
Extent extentAlong(Vec3 axis, const Particles& particles) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    const auto farthest = [&](Vec3 along) {
        return reduce(particles.x.device(), "farthestAlong", particles.count(), -kInfinite,
                      DepthAlong{along, particles.x.span()}, Largest{});
    };
    const float low = -farthest(-axis), high = farthest(axis);
    return {double(low), double(high) - double(low)};
}

// The speed that limits the step, m/s. A few outliers do not slow down all others: like a particle without neighbours
// they may move half a support radius per step, which is one spacing: the farthest at which pressure can still stop
// them before they pass another particle. Their motion is less accurate, but momentum is conserved.
// `acceleration`, m/s²: written, the largest.
double fastestParticle(const Scene& scene, const Particles& particles, const Materials& materials, Outliers& outliers,
                       double& acceleration) {
    const Device& device = particles.v.device();
    const int count = particles.count();
    acceleration = 0;
    if (count == 0) return 0;
    const PressureSolver solver = scene.solver.pressureSolver;
    const bool countNeighbors =
        (solver == PressureSolver::dfsph || solver == PressureSolver::pbf) && scene.solver.cfl > 0;
    if (!countNeighbors) {
        const Fastest all = reduce(device, "fastest", count, Fastest{},
                                   fastestOf(particles, LengthSquared{particles.v.span()}), JoinFastest{});
        acceleration = std::sqrt(double(all.acceleration2));
        return std::sqrt(double(all.speed2));
    }
    constexpr float kRounding = 1.0001f, kAloneCfl = 0.5f;  // support radii per step
    Mirrored<float> alone(device, "densities of lone particles");
    alone.onHost().resize(materials.fluids.size());
    for (int f = 0; f < alone.size(); ++f) {
        const FluidConstants& fluid = materials.fluids[f];
        alone.onHost()[f] = kRounding * fluid.restDensity * fluid.restVolume * materials.spline(0);
    }
    alone.upload();
    const float share = std::min(1.0f, scene.solver.cfl / kAloneCfl);
    const LimitingSpeed speed2{particles.v.span(), particles.density.span(), particles.body.span(), alone.span(),
                               share};
    constexpr int kMaxOutliers = 32, kOneIn = 2000;
    const int few = std::min(kMaxOutliers, count / kOneIn);
    Buffer<SpeedSurvey> surveyed(device, 1, "speeds of particles");
    SpeedSurvey* const survey = surveyed.data();
    reduceTo(&survey->all, device, "fastest", count, Fastest{}, fastestOf(particles, speed2), JoinFastest{});
    const bool seeksOutliers = few > 0 && share < 1;
    if (seeksOutliers) {
        forEach(device, "setLimits", 1, SetLimits{share, survey});
        reduceTo(&survey->counts, device, "faster", count, FastCounts{}, CountFast{speed2, survey}, AddFastCounts{});
    }
    const SpeedSurvey found = readElement(surveyed, 0);
    acceleration = std::sqrt(double(found.all.acceleration2));
    const double fastest = std::sqrt(double(found.all.speed2));
    double low = double(share) * fastest, high = fastest;
    if (!seeksOutliers || found.counts.near90 > few) return fastest;
    if (found.counts.aboveLeast <= few) {
        outliers = {found.counts.aboveLeast, fastest};
        return low;
    }
    const auto fasterThan = [&](double speed) {
        return reduce(device, "faster", count, 0, IsFaster{speed2, static_cast<float>(speed * speed)}, Sum{});
    };
    constexpr int kHalvings = 5;
    for (int pass = 0; pass < kHalvings; ++pass) {
        const double middle = 0.5 * (low + high);
        (fasterThan(middle) > few ? low : high) = middle;
    }
    return high;
}

// Longest next step, s. Fast particles and colliders shorten it; with wcsph only if maxTimeStep is automatic.
double nextStepLimit(const Scene& scene, const Extremes& extremes) {
    const SolverParams& solver = scene.solver;
    const bool wcsph = solver.pressureSolver == PressureSolver::wcsph;
    if (wcsph && solver.maxTimeStep > 0) return solver.maxTimeStep;
    double limit = solver.maxTimeStep > 0 ? double(solver.maxTimeStep) : stepLimit(scene);
    // A tear advances by one point per step.
    for (const Cloth& cloth : scene.cloths)
        if (cloth.params.tearStrain > 0 && mayTear(scene)) limit = std::min(limit, double(cloth.params.maxTimeStep));
    // Without fluids nothing else limits the step of rigid bodies. Free fall is integrated with first order: steps of
    // this length add one part in 125 to a fall of a quarter of a second. Cloths take substeps.
    constexpr double kRigidStep = 0.002;  // s
    if (scene.fluids.empty() && !(solver.maxTimeStep > 0) &&
        std::any_of(scene.colliders.begin(), scene.colliders.end(), isRigid))
        limit = std::min(limit, kRigidStep);
    limit = std::min(limit, speedStepLimit(scene, extremes.speed));
    return wcsph ? std::min(limit, accelerationStepLimit(scene, extremes.acceleration)) : limit;
}

int stepsFor(double duration, double limit) {
    // Rounding must not add a step: 0.01 s in steps of 0.001f are ten.
    const double needed = std::ceil(duration / limit * (1 - 1e-6));
    // Refuses steps that are too short for any plausible scene, if they would take hours.
    constexpr double kMaxSteps = 20000, kShortest = 2e-6;  // s
    if (!(needed <= kMaxSteps || limit >= kShortest))
        throw Error("solver: " + fourDigits(duration) + " s takes " + fourDigits(needed) + " steps of " +
                    fourDigits(limit) + " s, more than " + fourDigits(kMaxSteps) + " and shorter than " +
                    fourDigits(kShortest) +
                    " s; a longer maxTimeStep, less stiffness or viscosity, or a coarser particleSpacing helps");
    constexpr double kMaxAtOnce = 1e9;
    if (!(needed <= kMaxAtOnce)) throw Error("solver: " + fourDigits(duration) + " s is too long for one frame");
    return std::max(1, static_cast<int>(needed));
}

}  // namespace

double depthOf(const Scene& scene, const Particles& particles) {
    if (particles.count() == 0) return 0;
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const double height = extentAlong(down, particles).size;
    // Columns are two spacings wide: each contains four particles of a lattice layer, or up to nine.
    constexpr double kWidth = 2, kMaxColumns = 1 << 22;
    double width = 0;
    for (const Fluid& fluid : scene.fluids) width = std::max(width, kWidth * double(fluid.params.particleSpacing));
    const Vec3 axisX = normalized(cross(down, std::fabs(down.x) < 0.5f ? Vec3{1, 0, 0} : Vec3{0, 0, 1}));
    const Vec3 axisY = cross(down, axisX);
    const Extent alongX = extentAlong(axisX, particles), alongY = extentAlong(axisY, particles);
    const double nx = std::floor(alongX.size / width) + 1, ny = std::floor(alongY.size / width) + 1;
    if (!(nx * ny < kMaxColumns)) return height;  // too far apart for a grid of columns
    std::vector<float> ofParticle;                // m, height of a particle spread over its column; per fluid
    const int dimensions = scene.solver.dimensions;
    for (const Fluid& fluid : scene.fluids)
        ofParticle.push_back(
            static_cast<float>(pow(double(fluid.params.particleSpacing), dimensions) / pow(width, dimensions - 1)));
    const Device& device = particles.x.device();
    const int count = particles.count();
    Buffer<uint64_t> columns(device, "columns of particles");
    Buffer<int> order(device, "order of columns");
    Buffer<float> heights(device, "heights of particles");
    columns.resizeDiscard(count);
    order.resizeDiscard(count);
    upload(heights, ofParticle);
    forEach(device, "columnOf", count,
            ColumnOf{axisX, axisY, alongX.low, alongY.low, width, nx, ny, particles.x.span(), columns.span(),
                     order.span()});
    int bits = 1;
    while ((1 << bits) < static_cast<int>(nx * ny)) ++bits;
    sortByKey(columns, order, bits);
    const float deepest = reduce(device, "deepestColumn", static_cast<int>(nx * ny), 0.0f,
                                 ColumnHeight{std::as_const(columns).span(), std::as_const(order).span(),
                                              particles.body.span(), std::as_const(heights).span()},
                                 Largest{});
    return std::min(height, double(deepest));
}

double shallowWaterSpeed(const Scene& scene, double depth) {
    return std::sqrt(std::fabs(double(scene.solver.gravity)) * depth);
}

Extremes extremesOf(const Scene& scene, const State& state, const Materials& materials, double leastSpeed) {
    Extremes extremes;
    extremes.speed = fastestParticle(scene, state.particles, materials, extremes.outliers, extremes.acceleration);
    extremes.speed = std::max(extremes.speed, leastSpeed);
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters)
            if (!(emitter.params.endTime > 0) || state.time < double(emitter.params.endTime))
                extremes.speed = std::max(extremes.speed, double(emitter.params.speed));
    for (const ColliderPlace& place : state.colliders)
        if (place.rigid) extremes.speed = std::max(extremes.speed, double(length(place.velocity)));
    return extremes;
}

StepSpan StepPlan::next(double time) const {
    StepSpan span;
    span.dt = dt();
    span.timeAfter = left() == 1 ? time : begin + (time - begin) * (done + 1) / steps;
    span.shareBefore = static_cast<float>(passed(done));
    span.shareAfter = left() == 1 ? 1 : static_cast<float>(passed(done + 1));
    return span;
}

StepPlan StepPlan::updated(const Scene& scene, const Extremes& extremes, double frame, double now) const {
    const double limit = std::min(nextStepLimit(scene, extremes), frame / scene.solver.subSteps);
    StepPlan plan = *this;
    if (steps > 0) {
        plan.duration = dt() * left();
        plan.share = passed(done);
    }
    plan.steps = stepsFor(plan.duration, limit);
    if (plan.steps == left()) return *this;
    plan.begin = now;
    plan.done = 0;
    return plan;
}

}  // namespace purl

#include "solver/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "solver/cloth/tear.h"
#include "solver/contact/nearestWall.h"
#include "solver/contact/rigid.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/profile.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/nozzle.h"
#include "solver/frameOf.h"
#include "solver/guard.h"
#include "solver/knit/knits.h"
#include "solver/stateCheck.h"
#include "solver/stateFit.h"
#include "solver/step.h"

namespace purl {
namespace {

// ---- step length ----------------------------------------------------------------------------------------------

struct LengthSquared {
    Span<const Vec3> v;
    PURL_HD float operator()(int i) const { return lengthSquared(v[i]); }
};

// The square of the speed that shortens steps, m²/s². One particle alone in the air meets nothing within a support
// radius: it may move half as far in a step, so that it is seen before it has come closer than a spacing, and one drop
// that is flung up does not make the whole scene wait for it.
struct SpeedInCompany {
    Span<const Vec3> v;
    Span<const float> density;
    Span<const int> body;
    Span<const float> alone;  // kg/m³, of each fluid, what a particle without neighbours has
    float share;              // of its speed that counts where it is alone

    PURL_HD float operator()(int i) const {
        const bool hasNone = density[i] > 0 && density[i] <= alone[body[i]];
        return lengthSquared(v[i]) * (hasNone ? share * share : 1);
    }
};

// 1 where a particle is faster than this.
struct IsFaster {
    SpeedInCompany speed2;
    float limit2;  // m²/s²
    PURL_HD int operator()(int i) const { return speed2(i) > limit2; }
};

struct DepthAlong {
    Vec3 down;
    Span<const Vec3> x;
    PURL_HD float operator()(int i) const { return dot(down, x[i]); }
};

// From the least to the most of the particles' places along an axis, m.
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

// m, of the deepest column of fluid: as deep as all that is above one place would stand there. Water that falls past
// air is deep only by as much as there is of it.
double depthOf(const Scene& scene, const Particles& particles) {
    if (particles.count() == 0) return 0;
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const double height = extentAlong(down, particles).size;
    // Columns are two spacings wide: of a layer of a lattice each has four particles, or up to nine.
    constexpr double kWidth = 2, kMostColumns = 1 << 22;
    double width = 0;
    for (const Fluid& fluid : scene.fluids) width = std::max(width, kWidth * double(fluid.params.particleSpacing));
    const Vec3 axisX = normalized(cross(down, std::fabs(down.x) < 0.5f ? Vec3{1, 0, 0} : Vec3{0, 0, 1}));
    const Vec3 axisY = cross(down, axisX);
    const Extent alongX = extentAlong(axisX, particles), alongY = extentAlong(axisY, particles);
    const double nx = std::floor(alongX.size / width) + 1, ny = std::floor(alongY.size / width) + 1;
    if (!(nx * ny < kMostColumns)) return height;  // scattered far and wide
    std::vector<float> ofParticle;                 // m, spread over its column; one a fluid
    const int dimensions = scene.solver.dimensions;
    for (const Fluid& fluid : scene.fluids)
        ofParticle.push_back(static_cast<float>(std::pow(double(fluid.params.particleSpacing), dimensions) /
                                                std::pow(width, dimensions - 1)));
    const auto cellOf = [&](double place, const Extent& extent, double count) {
        return static_cast<size_t>(std::min(std::max(0.0, (place - extent.low) / width), count - 1));
    };
    std::vector<float> columns(static_cast<size_t>(nx * ny), 0.0f);
    particles.x.device().synchronize();
    for (int i = 0; i < particles.count(); ++i) {
        const Vec3 x = particles.x[i];
        const size_t column = cellOf(double(dot(axisX, x)), alongX, nx) +
                              static_cast<size_t>(nx) * cellOf(double(dot(axisY, x)), alongY, ny);
        columns[column] += ofParticle[static_cast<size_t>(particles.body[i])];
    }
    return std::min(height, double(*std::max_element(columns.begin(), columns.end())));
}

// √(g H) of the fluid's depth H, m/s. dfsph's forces grow with the pressure wherever particles shift against each
// other: in steps longer than this speed allows, a deep tank at rest shakes itself to pieces. The depth, not the
// pressure itself: that sways, and steps that sway with it are worse than long ones.
double speedOfDepth(const Scene& scene, double depth) {
    return std::sqrt(std::fabs(double(scene.solver.gravity)) * depth);
}

// Particles that are far faster than all others, such as a jet that is squeezed out of a corner.
struct Outliers {
    int count = 0;
    double fastest = 0;  // m/s
};

// What is fastest in a scene, and what is pushed hardest.
struct Extremes {
    double speed = 0;         // m/s, that the step is measured by
    double acceleration = 0;  // m/s², of the last step
    Outliers outliers;
};

// The speed that shortens steps, m/s. A few particles do not hold up all others: like one that is alone they may move
// half a support radius in a step, a spacing, which is as far as pressure can still stop them before they have passed
// another. Their motion is less exact for it; nothing of it is changed, and momentum is kept as ever.
double fastestParticle(const Scene& scene, const Particles& particles, const Materials& materials, Outliers& outliers) {
    const Device& device = particles.v.device();
    const int count = particles.count();
    const PressureSolver solver = scene.solver.pressureSolver;
    const bool lonely = (solver == PressureSolver::dfsph || solver == PressureSolver::pbf) && scene.solver.cfl > 0;
    if (!lonely)
        return std::sqrt(double(reduce(device, "largest", count, 0.0f, LengthSquared{particles.v.span()}, Largest{})));
    constexpr float kRounding = 1.0001f, kFarAlone = 0.5f;  // support radii a step
    Buffer<float> alone(device, materials.fluids.size());
    for (int f = 0; f < alone.size(); ++f) {
        const FluidConstants& fluid = materials.fluids[f];
        alone[f] = kRounding * fluid.restDensity * fluid.restVolume * materials.spline(0);
    }
    const float share = std::min(1.0f, scene.solver.cfl / kFarAlone);
    const SpeedInCompany speed2{particles.v.span(), particles.density.span(), particles.body.span(),
                                std::as_const(alone).span(), share};
    const double fastest = std::sqrt(double(reduce(device, "largest", count, 0.0f, speed2, Largest{})));
    constexpr int kMostOutliers = 32, kOneIn = 2000;
    const int few = std::min(kMostOutliers, count / kOneIn);
    const auto fasterThan = [&](double speed) {
        return reduce(device, "faster", count, 0, IsFaster{speed2, static_cast<float>(speed * speed)}, Sum{});
    };
    double low = double(share) * fastest, high = fastest;
    if (few == 0 || !(share < 1) || fasterThan(0.9 * fastest) > few) return fastest;
    const int faster = fasterThan(low);
    if (faster <= few) {
        outliers = {faster, fastest};
        return low;
    }
    constexpr int kHalvings = 5;
    for (int pass = 0; pass < kHalvings; ++pass) {
        const double middle = 0.5 * (low + high);
        (fasterThan(middle) > few ? low : high) = middle;
    }
    return high;
}

// `slowest`, m/s: of colliders and of the fluid's depth, which are known for the whole frame.
Extremes extremesOf(const Scene& scene, const State& state, const Materials& materials, double slowest) {
    const Buffer<Vec3>& a = state.particles.a;
    Extremes extremes;
    extremes.speed = fastestParticle(scene, state.particles, materials, extremes.outliers);
    extremes.acceleration =
        std::sqrt(double(reduce(a.device(), "largest", a.size(), 0.0f, LengthSquared{a.span()}, Largest{})));
    extremes.speed = std::max(extremes.speed, slowest);
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters)
            if (!(emitter.params.endTime > 0) || state.time < double(emitter.params.endTime))
                extremes.speed = std::max(extremes.speed, double(emitter.params.speed));
    for (const ColliderPlace& place : state.colliders)
        if (place.rigid) extremes.speed = std::max(extremes.speed, double(length(place.velocity)));
    return extremes;
}

// The longest next step, s. Fast particles and colliders shorten it, with wcsph only where nobody said how long it is
// to be.
double nextStepLimit(const Scene& scene, const Extremes& extremes) {
    const SolverParams& solver = scene.solver;
    const bool wcsph = solver.pressureSolver == PressureSolver::wcsph;
    if (wcsph && solver.maxTimeStep > 0) return solver.maxTimeStep;
    double limit = solver.maxTimeStep > 0 ? double(solver.maxTimeStep) : stepLimit(scene);
    // A tear goes on by a point a step.
    for (const Cloth& cloth : scene.cloths)
        if (cloth.params.tearStrain > 0 && mayTear(scene)) limit = std::min(limit, double(cloth.params.maxTimeStep));
    // Without fluids nothing else limits the step of rigid bodies. Their fall is of first order: in a quarter of a
    // second steps this long add one part in 125 to it. Cloths take as many steps by themselves.
    constexpr double kRigidStep = 0.002;  // s
    if (scene.fluids.empty() && !(solver.maxTimeStep > 0) &&
        std::any_of(scene.colliders.begin(), scene.colliders.end(), isRigid))
        limit = std::min(limit, kRigidStep);
    limit = std::min(limit, speedStepLimit(scene, extremes.speed));
    return wcsph ? std::min(limit, accelerationStepLimit(scene, extremes.acceleration)) : limit;
}

// Of a keyed collider over a frame; a mesh's is that of its vertices.
Vec3 meanVelocity(const ColliderPlace& from, const ColliderPlace& to, double duration) {
    Vec3 way = to.pose.position - from.pose.position;
    if (!to.vertices.empty() && from.vertices.size() == to.vertices.size()) {
        way = {};
        for (size_t i = 0; i < to.vertices.size(); ++i) way += to.vertices[i] - from.vertices[i];
        way = way / static_cast<float>(to.vertices.size());
    }
    return way / static_cast<float>(duration);
}

int stepsFor(double duration, double limit) {
    // A hair less than whole is whole: 0.01 s in steps of 0.001f must be ten.
    const double needed = std::ceil(duration / limit * (1 - 1e-6));
    // Refused are shorter steps than any scene means, where they would take hours.
    constexpr double kMaxSteps = 20000, kShortest = 2e-6;  // s
    if (!(needed <= kMaxSteps || limit >= kShortest))
        throw Error("solver: " + fourDigits(duration) + " s take " + fourDigits(needed) + " steps of " +
                    fourDigits(limit) + " s, more than " + fourDigits(kMaxSteps) + " and shorter than " +
                    fourDigits(kShortest) +
                    " s; a longer maxTimeStep, less stiffness or viscosity, or a coarser particleSpacing helps");
    constexpr double kMaxAtOnce = 1e9;
    if (!(needed <= kMaxAtOnce)) throw Error("solver: " + fourDigits(duration) + " s are too long for one frame");
    return std::max(1, static_cast<int>(needed));
}

}  // namespace

// ---- Simulator ------------------------------------------------------------------------------------------------

struct Simulator::Impl {
    explicit Impl(Device where) : device(std::move(where)), state(device), work(device), knits(device) {}

    Device device;
    State state;
    Workspace work;
    Knits knits;
    Frame frame;
    bool started = false;
    std::vector<float> spacings;   // of the fluids at the start
    std::vector<size_t> points;    // of the cloths at the start
    std::vector<size_t> vertices;  // of the soft bodies so far
    std::vector<size_t> knitted;   // points of the knits at the start
    int dimensions = 3;            // at the start
    std::vector<std::string> warnings;
    bool fastSaid = false;  // that particles are too fast
    bool outliersSaid = false;
    bool manyStepsSaid = false;
    bool workLost = false;   // the workspace is to be made again
    bool frameLost = false;  // the frame is not, or no longer, that of the state
    FrameStats sum;          // of the steps that led to the state
    std::function<void(const Progress&)> tell;

    void warn(const std::string& line) {
        if (std::find(warnings.begin(), warnings.end(), line) == warnings.end()) warnings.push_back(line);
    }

    // Remembers what may not change until the next start.
    void start(const Scene& scene) {
        started = true;
        dimensions = scene.solver.dimensions;
        warnings.clear();
        fastSaid = outliersSaid = manyStepsSaid = false;
        spacings.clear();
        for (const Fluid& fluid : scene.fluids) spacings.push_back(fluid.params.particleSpacing);
        points.clear();
        for (const Cloth& cloth : scene.cloths) points.push_back(cloth.points.size());
        knitted.clear();
        for (const Knit& knit : scene.knits) knitted.push_back(knit.points.size());
        for (const std::string& note : knits.notes()) warn(note);
        takeSoftBodies(scene);
        warnOfEmptyFluids(scene);
    }
    void warnOfEmptyFluids(const Scene& scene) {
        if (state.time > 0) return;
        std::vector<char> found(scene.fluids.size());
        for (const int body : state.particles.body) found[static_cast<size_t>(body)] = 1;
        for (size_t f = 0; f < found.size(); ++f)
            if (!found[f] && !scene.fluids[f].volumes.empty())
                warn(scene.fluids[f].name +
                     ": no particles: its volumes lie within colliders or other fluids; move one of them, or make the "
                     "collider a container");
    }
    void takeSoftBodies(const Scene& scene) {
        vertices.clear();
        for (const SoftBody& body : scene.softBodies) vertices.push_back(body.points.size());
    }

    // Any number may be edited while time runs, but not how much fluid a particle stands for.
    void checkUnchanged(const Scene& scene) const {
        if (scene.solver.dimensions != dimensions)
            throw Error("solver: dimensions changed from " + std::to_string(dimensions) + " to " +
                        std::to_string(scene.solver.dimensions) + " after the start; go back to the start frame");
        if (scene.fluids.size() != spacings.size())
            throw Error("solver: " + std::to_string(scene.fluids.size()) +
                        " fluids where the simulation started with " + std::to_string(spacings.size()) +
                        "; go back to the start frame");
        if (scene.cloths.size() != points.size())
            throw Error("solver: " + std::to_string(scene.cloths.size()) +
                        " cloths where the simulation started with " + std::to_string(points.size()) +
                        "; go back to the start frame");
        for (size_t i = 0; i < points.size(); ++i)
            if (scene.cloths[i].points.size() != points[i])
                throw Error(scene.cloths[i].name + ": mesh has " + std::to_string(scene.cloths[i].points.size()) +
                            " points where the simulation started with " + std::to_string(points[i]) +
                            "; go back to the start frame");
        if (scene.knits.size() != knitted.size())
            throw Error("solver: " + std::to_string(scene.knits.size()) + " knits where the simulation started with " +
                        std::to_string(knitted.size()) + "; go back to the start frame");
        for (size_t i = 0; i < knitted.size(); ++i)
            if (scene.knits[i].points.size() != knitted[i])
                throw Error(scene.knits[i].name + ": mesh has " + std::to_string(scene.knits[i].points.size()) +
                            " points where the simulation started with " + std::to_string(knitted[i]) +
                            "; go back to the start frame");
        if (scene.softBodies.size() < vertices.size())
            throw Error("solver: " + std::to_string(scene.softBodies.size()) + " soft bodies where there were " +
                        std::to_string(vertices.size()) + "; go back to the start frame");
        for (size_t i = 0; i < vertices.size(); ++i)
            if (scene.softBodies[i].points.size() != vertices[i])
                throw Error(scene.softBodies[i].name + ": has " + std::to_string(scene.softBodies[i].points.size()) +
                            " points where there were " + std::to_string(vertices[i]) +
                            "; go back to the start frame, and connect what is added while time runs last");
        for (size_t i = 0; i < spacings.size(); ++i)
            if (scene.fluids[i].params.particleSpacing != spacings[i])
                throw Error(scene.fluids[i].name + ": particleSpacing changed from " + fourDigits(spacings[i]) +
                            " to " + fourDigits(scene.fluids[i].params.particleSpacing) +
                            " m after the start; go back to the start frame, or back to the old spacing");
    }

    void warnOfLongSteps(const Scene& scene, double dt) {
        // Float parameters may exceed the guide by their rounding.
        const auto tooLong = [&](double limit) { return dt > limit * (1 + 1e-5); };
        for (const Fluid& fluid : scene.fluids) {
            const double stiff = stiffnessStepLimit(scene, fluid.params),
                         viscous = viscosityStepLimit(fluid.params, dimensions);
            if (tooLong(stiff) && scene.solver.pressureSolver == PressureSolver::wcsph)
                warn(fluid.name + ": steps of " + fourDigits(dt) + " s are longer than the " + fourDigits(stiff) +
                     " s its stiffness allows; a smaller maxTimeStep (0: automatic), more subSteps or less stiffness "
                     "helps");
            if (tooLong(viscous) && scene.solver.pressureSolver != PressureSolver::doubleDensity)
                warn(fluid.name + ": steps of " + fourDigits(dt) + " s are longer than the " + fourDigits(viscous) +
                     " s its viscosity allows; a smaller maxTimeStep (0: automatic), more subSteps or less viscosity "
                     "helps");
        }
    }

    // Frames that take long say why.
    void warnOfManySteps(int steps, double dt) {
        constexpr int kMany = 5000;
        constexpr double kShort = 1e-5;  // s
        if (manyStepsSaid || steps <= kMany || dt > kShort) return;
        manyStepsSaid = true;
        warn("solver: a frame takes " + std::to_string(steps) + " steps of " + fourDigits(dt) +
             " s; a longer maxTimeStep, less stiffness or viscosity, or a coarser particleSpacing makes it faster");
    }

    void warnOfLongMemory() {
        constexpr double kMuch = 1024;  // MB
        const double megabytes = 4e-6 * double(state.particles.history.values.size());
        if (megabytes > kMuch)
            warn("solver: past velocities take more than " + fourDigits(kMuch) +
                 " MB; a shorter fractionalMemory or hardeningMemory, or a longer hardeningStride helps");
    }

    // Nothing may cross more than its kernel in a step (α = 1 in Bayraktar 5.27), whoever chose the step.
    void warnOfFastParticles(const Scene& scene, double dt, const Extremes& extremes) {
        if (fastSaid || scene.fluids.empty()) return;
        double h = kUnbounded;
        for (const Fluid& fluid : scene.fluids) h = std::min(h, supportRadius(scene, fluid.params));
        if (dt * extremes.speed <= h) return;
        fastSaid = true;
        const SolverParams& solver = scene.solver;
        const std::string help = dt <= 1.001 * solver.minTimeStep ? "a smaller minTimeStep helps"
                                 : !(solver.cfl > 0)              ? "cfl above 0 lets fast particles shorten steps"
                                                     : "a smaller maxTimeStep (0: automatic) or more subSteps helps";
        warn("solver: at " + fourDigits(extremes.speed) + " m/s a particle moves " +
             fourDigits(dt * extremes.speed / h) + " support radii in a step of " + fourDigits(dt) + " s; " + help);
    }

    void warnOfOutliers(const Extremes& extremes) {
        const Outliers& outliers = extremes.outliers;
        if (outliersSaid || outliers.count == 0 || outliers.fastest < 2 * extremes.speed) return;
        outliersSaid = true;
        warn("solver: at " + fourDigits(state.time) + " s " + std::to_string(outliers.count) + " of " +
             std::to_string(state.particles.count()) + (outliers.count == 1 ? " particles moves" : " particles move") +
             " at up to " + fourDigits(outliers.fastest) + " m/s, all others below " + fourDigits(extremes.speed) +
             " m/s; steps are not shortened for so few. If they are not meant to, look for a gap between a fill and "
             "its walls, or for things that overlap");
    }

    // The state at time 0.
    void begin(const Scene& scene) {
        State fresh(device);
        Knits made(device);
        fresh.colliders = fresh.shapes = placesOf(scene);
        letGo(scene, fresh);
        startKnits(fresh, scene);
        made.make(scene, fresh);
        const Scene woven = made.woven(scene);
        startCloths(fresh, woven);
        beginSoftFrame(fresh, scene);
        fill(fresh, woven);
        fresh.emitters = emitterPlaces(scene);
        startWet(fresh, woven);
        work.set(woven, fresh);
        settle(fresh, work, woven, speedStepLimit(woven, speedOfDepth(woven, depthOf(woven, fresh.particles))));
        measure(fresh, work, woven);
        throwIfDiverged(fresh, woven);
        throwIfNotFinite(fresh, {});
        std::swap(state, fresh);
        std::swap(knits, made);
    }

    // Volumes of fluid, but for where solids are, and cloths that hang in them.
    void fill(State& fresh, const Scene& woven) {
        Skins skins;
        skins.set(woven, woven, fresh.colliders, fresh);
        const Scene& met = skins.empty() ? woven : skins.scene();
        work.colliders.moveTo(met, skins.empty() ? fresh.colliders : skins.from(), 1, 1, 0);
        const Span<const PlacedCollider> placed = work.colliders.placed();
        const auto solids = static_cast<int>(woven.colliders.size());
        fillVolumes(fresh, woven, {placed.data, solids}, {placed.data + solids, placed.count - solids});
    }

    // Even steps from the state's time on to the frame's end, planned anew whenever the particles' speed asks for
    // another number.
    struct Plan {
        double begin = 0;     // s, on the scene's clock
        double duration = 0;  // s, simulated
        double share = 0;     // of the frame that had passed
        int steps = 0, done = 0;

        int left() const { return steps - done; }
        double dt() const { return duration / steps; }
        double passed(double part) const { return share + (1 - share) * part / steps; }
        StepSpan next(double time) const {
            StepSpan span;
            span.dt = dt();
            span.timeAfter = left() == 1 ? time : begin + (time - begin) * (done + 1) / steps;
            span.shareBefore = static_cast<float>(passed(done));
            span.shareAfter = left() == 1 ? 1 : static_cast<float>(passed(done + 1));
            return span;
        }
    };

    Plan planned(const Plan& old, const Scene& scene, double duration, const Extremes& extremes) const {
        const double limit = std::min(nextStepLimit(scene, extremes), duration / scene.solver.subSteps);
        Plan plan = old;
        if (old.steps > 0) {
            plan.duration = old.dt() * old.left();
            plan.share = old.passed(old.done);
        }
        plan.steps = stepsFor(plan.duration, limit);
        if (plan.steps == old.left()) return old;
        plan.begin = state.time;
        plan.done = 0;
        return plan;
    }

    template <class Phase>
    void phase(const char* name, const Phase& run) {
        Profile{work.device, work.phases, work.recordLoops}(name, run);
    }

    // Runs it; where the system refuses memory or threads, that becomes an Error of one line. What the workspace keeps
    // from one frame to the next may then be half made, and is made again.
    template <class Run>
    void asErrors(const Run& run) {
        try {
            if (workLost) renewWorkspace();
            run();
        } catch (const Error&) { throw; } catch (const std::exception& refused) {
            workLost = true;
            const bool memory = dynamic_cast<const std::bad_alloc*>(&refused) != nullptr ||
                                dynamic_cast<const std::length_error*>(&refused) != nullptr;
            const std::string at = " at " + std::to_string(state.particles.count()) + " particles";
            throw Error(memory ? "solver: out of memory" + at + "; a coarser particleSpacing or coarser meshes help"
                               : "solver: " + std::string(refused.what()) + at);
        }
    }
    void renewWorkspace() {
        std::vector<PhaseTime> phases = work.phases;
        const bool record = work.recordLoops;
        work = Workspace(device);
        work.phases = std::move(phases);
        work.recordLoops = record;
        workLost = false;
    }

    // Changes the state while the frame's points, which can be had from it again, are out of memory.
    template <class Change>
    void withoutPoints(const Change& change) {
        const DropOrigins drops = std::move(frame.points.drops);
        std::vector<Vec3> walls = std::move(frame.points.wallOffsets);
        frame.points = {};
        const bool lost = std::exchange(frameLost, true);
        try {
            change();
        } catch (...) {
            try {
                frame.points = pointsOf(state, frame.bodies);
                frame.points.drops = drops;
                frame.points.wallOffsets = std::move(walls);
                frameLost = lost;
            } catch (const std::exception&) {
                // No memory for them either: whoever asks for the frame has it made then.
            }
            throw;
        }
    }

    // Changes the state, or leaves it as it was.
    template <class Change>
    void withRollback(const Change& change) {
        State before(device);
        phase("keepState", [&] { before = state; });
        try {
            change();
        } catch (...) {
            state = std::move(before);
            throw;
        }
    }

    // Of particles that a step, or a first look, found near each other.
    int64_t pairs() const { return state.particles.count() > 0 ? work.neighbors.pairCount() / 2 : 0; }

    // All steps to `time`; returns what they add up to.
    FrameStats advance(const Scene& scene, double time) {
        const double duration = (time - state.time) * scene.solver.timeScale;  // s, simulated
        std::vector<ColliderPlace> places = placesOf(scene);
        // A collider that has just come in stands where it is; nobody knows where it came from.
        if (state.colliders.size() != places.size()) state.colliders = state.shapes = places;
        letGo(scene, state);
        double slowest = fastestCollider(scene, state.colliders, duration);
        if (scene.solver.pressureSolver == PressureSolver::dfsph)
            slowest = std::max(slowest, speedOfDepth(scene, depthOf(scene, state.particles)));
        std::vector<ColliderPlace> emitters = emitterPlaces(scene);
        if (state.emitters.size() != emitters.size()) state.emitters = emitters;
        const Vec3 period = scene.solver.periodicSize;
        if (scene.solver.pressureSolver != PressureSolver::wcsph && !(period == Vec3{}))
            warn("solver: periodicSize holds with the pressureSolver wcsph only; the box is open");
        for (const Cloth& cloth : scene.cloths)
            if (cloth.params.tearStrain > 0 && !mayTear(scene))
                warn(cloth.name +
                     ": tears only where the solver has no fluids and no cloth soaks; its tearStrain is left aside");
        beginSoftFrame(state, scene);
        if (state.wet.count() == 0) startWet(state, scene);  // absorption may be turned on at any time
        phase("setScene", [&] { work.set(scene, state); });
        FrameStats sum;
        Plan plan;
        plan.begin = state.time;
        plan.duration = duration;
        while (duration > 0 && (plan.steps == 0 || plan.left() > 0)) {
            Extremes extremes;
            phase("planStep", [&] { extremes = extremesOf(scene, state, work.materials, slowest); });
            plan = planned(plan, scene, duration, extremes);
            warnOfLongSteps(scene, plan.dt());
            warnOfManySteps(plan.steps, plan.dt());
            warnOfFastParticles(scene, plan.dt(), extremes);
            warnOfOutliers(extremes);
            step(state, work, scene, plan.next(time));
            ++plan.done;
            ++sum.steps;
            sum.densityError += work.density.error;
            sum.iterations += work.density.iterations;
            sum.divergenceIterations += work.divergence.iterations;
            sum.viscosityIterations += work.viscous.iterations;
            sum.viscosityError += work.viscous.error;
            sum.clothIterations += work.cloths.report().iterations;
            sum.pairs = pairs();
            throwIfDiverged(state, scene);
            warnOfLongMemory();
            if (tell) tell({state.time, time, state.particles.count()});
        }
        state.time = time;
        for (size_t i = 0; i < places.size(); ++i) {
            if (isRigid(scene.colliders[i])) continue;
            if (duration > 0) places[i].velocity = meanVelocity(state.colliders[i], places[i], duration);
            state.colliders[i] = std::move(places[i]);
        }
        state.emitters = std::move(emitters);
        storeClothTargets(state, scene);
        storeSoftTargets(state, scene);
        moveKnits(state, scene, duration);
        sum.stepLength = duration;
        sum.maxStretch = 0;
        for (size_t c = 0; c < scene.cloths.size(); ++c) {
            const double stretch = work.cloths.maxStretch(state, static_cast<int>(c));
            sum.maxStretch = std::max(sum.maxStretch, stretch);
            const double limit = scene.cloths[c].params.strainLimit;
            // A tenth more is what passing from spring to spring leaves.
            if (limit > 0 && stretch > 1.1 * limit)
                warn(scene.cloths[c].name + ": stretches beyond its strainLimit of " + fourDigits(100 * limit) +
                     " %; a smaller maxTimeStep helps");
        }
        throwIfNotFinite(state, sum);
        return sum;
    }

    // Where the walls are that liquids touch, for their surfaces. The colliders must stand where the state has them.
    void findWalls() {
        Points& points = frame.points;
        const Span<const PlacedCollider> colliders = work.colliders.placed();
        if (colliders.count == 0 || points.count() == 0) return;
        std::vector<float> reach(points.count());
        for (size_t i = 0; i < points.count(); ++i) {
            const BodyInfo& body = frame.bodies[static_cast<size_t>(points.bodies[i])];
            reach[i] = body.kind == BodyKind::liquid ? kWallReach * body.spacing : 0;
        }
        points.wallOffsets = wallOffsets(device, points.positions, reach, colliders);
    }

    // The frame of the state.
    void show(const Scene& scene) {
        frameLost = true;
        frame = frameOf(state, scene, knits, work.wet);
        frame.stats.steps = sum.steps;
        frame.stats.pairs = sum.pairs;
        frameLost = false;
        if (sum.steps == 0) return;
        frame.stats.stepLength = sum.stepLength / sum.steps;
        frame.stats.iterations = sum.iterations / sum.steps;
        frame.stats.divergenceIterations = sum.divergenceIterations / sum.steps;
        frame.stats.viscosityIterations = sum.viscosityIterations / sum.steps;
        frame.stats.viscosityError = sum.viscosityError / sum.steps;
        frame.stats.clothIterations = sum.clothIterations / sum.steps;
        frame.stats.maxStretch = sum.maxStretch;
        if (solvesPressure(scene.solver.pressureSolver)) frame.stats.densityError = sum.densityError / sum.steps;
    }

    // The same, where the workspace may be of another moment.
    void showAgain(const Scene& scene) {
        const Scene woven = knits.woven(scene);
        work.set(woven, state);
        const Placed now = work.placed(state, woven);
        const bool bare = work.skins.empty();
        work.colliders.moveTo(bare ? *now.scene : work.skins.scene(), bare ? *now.from : work.skins.from(), 1, 1, 0);
        show(scene);
        findWalls();
    }
};

Simulator::Simulator(Device device) : impl_(std::make_unique<Impl>(std::move(device))) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Frame& Simulator::reset(const Scene& scene) {
    checkScene(scene);
    Impl& own = *impl_;
    own.asErrors([&] {
        own.withoutPoints([&] { own.begin(scene); });
        own.started = false;  // if the frame cannot be made, all is begun again
        own.sum = {};
        own.sum.pairs = own.pairs();
        own.show(scene);
        own.findWalls();
        own.start(scene);
    });
    return own.frame;
}

const Frame& Simulator::advanceTo(const Scene& scene, double time) {
    if (!std::isfinite(time)) throw Error("solver: time is not a finite number");
    if (time <= 0) return reset(scene);
    if (!impl_->started) reset(scene);
    Impl& own = *impl_;
    if (time <= own.state.time) {
        if (own.frameLost) own.asErrors([&] { own.showAgain(scene); });
        return own.frame;
    }
    checkScene(scene);
    own.checkUnchanged(scene);
    own.asErrors([&] {
        own.knits.update(scene, own.state);
        const Scene woven = own.knits.woven(scene);
        own.withoutPoints([&] { own.withRollback([&] { own.sum = own.advance(woven, time); }); });
        own.takeSoftBodies(scene);
        own.phase("makeFrame", [&] { own.show(scene); });
        own.phase("findWalls", [&] { own.findWalls(); });
    });
    return own.frame;
}

const Frame& Simulator::restore(State state, const Scene& scene) {
    checkScene(scene);
    try {
        checkState(state);
    } catch (const Error& error) { throw Error(std::string("solver: the state is ") + error.what()); }
    if (knitPointCount(scene) != state.knit.x.size())
        throw Error("solver: the state holds " + std::to_string(state.knit.x.size()) + " points of knits, the scene " +
                    std::to_string(knitPointCount(scene)) + "; restore the state with the scene it was saved from");
    Impl& own = *impl_;
    own.asErrors([&] {
        Knits knits(own.device);
        knits.make(scene, state);
        checkStateFits(state, knits.woven(scene));
        // The old one goes first: there need not be memory for three.
        own.started = false;
        own.frame = {};
        own.state = State(own.device);
        own.state = std::as_const(state);  // copied into this device's memory, wherever it was loaded
        state = State();
        own.knits = std::move(knits);
        own.sum = {};
        own.show(scene);
        own.start(scene);
    });
    return own.frame;
}

const State& Simulator::state() const { return impl_->state; }
const Frame& Simulator::frame() const { return impl_->frame; }
const Device& Simulator::device() const { return impl_->device; }
void Simulator::onCancel(std::function<bool()> asked) { impl_->device.onCancel(std::move(asked)); }
void Simulator::onProgress(std::function<void(const Progress&)> tell) { impl_->tell = std::move(tell); }
const std::vector<PhaseTime>& Simulator::timings() const { return impl_->work.phases; }
void Simulator::clearTimings() { impl_->work.phases.clear(); }
void Simulator::recordLoops(bool record) { impl_->work.recordLoops = record; }
const std::vector<std::string>& Simulator::warnings() const { return impl_->warnings; }

}  // namespace purl

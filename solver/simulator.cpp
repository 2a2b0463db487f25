#include "solver/simulator.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <utility>

#include "solver/colliders/nearestCollider.h"
#include "solver/colliders/rigid.h"
#include "solver/core/profile.h"
#include "solver/coupling/deformingColliders.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/nozzle.h"
#include "solver/guard.h"
#include "solver/initialCounts.h"
#include "solver/knit/knits.h"
#include "solver/makeFrame.h"
#include "solver/stateCheck.h"
#include "solver/stateFit.h"
#include "solver/step.h"
#include "solver/stepLength.h"
#include "solver/warnings.h"

namespace purl {
namespace {

// Mean velocity of a keyed collider over a frame; of a mesh, the mean of its vertices.
Vec3 meanVelocity(const ColliderPlace& from, const ColliderPlace& to, double duration) {
    Vec3 displacement = to.pose.position - from.pose.position;
    if (!to.vertices.empty() && from.vertices.size() == to.vertices.size()) {
        displacement = {};
        for (size_t i = 0; i < to.vertices.size(); ++i) displacement += to.vertices[i] - from.vertices[i];
        displacement = displacement / static_cast<float>(to.vertices.size());
    }
    return displacement / static_cast<float>(duration);
}

}  // namespace

// ---- Simulator ------------------------------------------------------------------------------------------------

struct Simulator::Impl {
    explicit Impl(Device where) : device(std::move(where)), state(device), work(device), knits(device.host()) {}

    Device device;
    State state;
    Workspace work;
    Knits knits;
    Frame frame;                   // in frameUnit
    double frameUnit = 1;          // m
    std::vector<BodyInfo> bodies;  // of the frame, in SI units
    bool started = false;
    InitialCounts counts;
    Warnings warnings;
    bool workspaceStale = false;  // the workspace must be rebuilt
    bool frameStale = false;      // the frame does not match the state
    FrameStats sum;               // over the steps that led to the state
    std::function<void(const Progress&)> report;

    void start(const Scene& scene) {
        started = true;
        counts.set(scene);
        warnings.clear();
        for (const std::string& note : knits.notes()) warnings.add(note);
        warnings.checkFill(scene, state);
    }

    // Builds the state at time 0.
    void begin(const Scene& scene) {
        State fresh(device);
        Knits made(device.host());
        fresh.colliders = fresh.shapes = placesOf(scene);
        updateRigidColliders(scene, fresh);
        startKnits(fresh, scene);
        made.make(scene, fresh);
        Scene storage;
        const Scene& simulated = made.withKnitCloths(scene, storage);
        startCloths(fresh, simulated);
        beginSoftFrame(fresh, scene);
        fill(fresh, simulated);
        fresh.emitters = emitterPlaces(scene);
        startWet(fresh, simulated);
        work.set(simulated, fresh);
        const Profile profile = work.profile();
        const FluidStep atRest = work.fluidStep(fresh, simulated, profile);
        work.fluidSolver->settle(
            atRest, speedStepLimit(simulated, shallowWaterSpeed(simulated, depthOf(simulated, fresh.particles))));
        work.fluidSolver->measure(atRest);
        throwIfDiverged(fresh, simulated);
        throwIfNotFinite(fresh, {});
        std::swap(state, fresh);
        std::swap(knits, made);
    }

    // Fills the volumes of fluids, leaving out solids and the cloths and soft bodies inside.
    void fill(State& fresh, const Scene& simulated) {
        StepColliders colliders(simulated, fresh.colliders);
        addDeformingColliders(simulated, fresh, colliders);
        work.placed.moveTo(colliders, colliders.forFluids, 1, 1, 0);
        const Span<const PlacedCollider> placed = work.placed.placed();
        const auto solids = static_cast<int>(simulated.colliders.size());
        fillVolumes(fresh, simulated, {placed.data, solids}, {placed.data + solids, placed.count - solids});
    }

    template <class Phase>
    void phase(const char* name, const Phase& run) {
        work.profile()(name, run);
    }

    // Calls run(). Converts exceptions of the system (out of memory, no more threads) to an Error with a one-line
    // message; the workspace may then be incomplete and is rebuilt before the next call.
    template <class Run>
    void convertingExceptions(const Run& run) {
        try {
            if (workspaceStale) renewWorkspace();
            run();
        } catch (const Error&) { throw; } catch (const std::exception& refused) {
            workspaceStale = true;
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
        workspaceStale = false;
    }

    // Changes the state with the frame's points freed, to save memory. If that fails, they are rebuilt from the state.
    template <class Change>
    void withPointsFreed(const Change& change) {
        DropOrigins drops = std::move(frame.points.drops);
        Channel<Vec3> walls = std::move(frame.points.wallOffsets);
        frame.points = {};
        const bool lost = std::exchange(frameStale, true);
        try {
            change();
        } catch (...) {
            try {
                Frame again;
                again.points = pointsOf(StateOnHost(state).state(), bodies);
                frame.points = inUnits(std::move(again), frameUnit).points;
                frame.points.drops = std::move(drops);
                frame.points.wallOffsets = std::move(walls);
                frameStale = lost;
            } catch (const std::exception&) {
                // Not enough memory for them either: the frame is rebuilt when it is requested.
            }
            throw;
        }
    }

    // Changes the state, or restores it if the change throws.
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

    // Neighbour pairs found by the last search.
    int64_t pairs() const { return state.particles.count() > 0 ? work.fluid.neighbors.pairCount() / 2 : 0; }

    // Runs all steps to `time`; returns their summed statistics.
    FrameStats advance(const Scene& scene, double time) {
        const double duration = (time - state.time) * scene.solver.timeScale;  // s, simulated
        std::vector<ColliderPlace> places = placesOf(scene);
        // If colliders were added, their previous positions are unknown: all start where they are.
        const size_t known = state.colliders.size();
        if (known != places.size()) state.colliders = state.shapes = places;
        updateRigidColliders(scene, state);
        double leastSpeed = fastestCollider(scene, state.colliders, duration);
        if (scene.solver.pressureSolver == PressureSolver::dfsph)
            leastSpeed = std::max(leastSpeed, shallowWaterSpeed(scene, depthOf(scene, state.particles)));
        std::vector<ColliderPlace> emitters = emitterPlaces(scene);
        if (state.emitters.size() != emitters.size()) state.emitters = emitters;
        warnings.checkScene(scene);
        beginSoftFrame(state, scene);
        if (state.wet.count() == 0) startWet(state, scene);  // absorption may be turned on at any time
        phase("setScene", [&] { work.set(scene, state); });
        if (known < places.size()) {
            work.placed.moveTo(work.colliders, work.colliders.forFluids, 0, 0, 0);
            warnings.checkAddedColliders(scene, state, work.placed, known);
        }
        FrameStats sum;
        StepPlan plan;
        plan.begin = state.time;
        plan.duration = duration;
        while (duration > 0 && (plan.steps == 0 || plan.left() > 0)) {
            Extremes extremes;
            phase("planStep", [&] { extremes = extremesOf(scene, state, work.materials, leastSpeed); });
            plan = plan.updated(scene, extremes, duration, state.time);
            warnings.checkStep(scene, state, plan, extremes);
            step(state, work, scene, plan.next(time));
            ++plan.done;
            ++sum.steps;
            sum.densityError += work.report.density.error;
            sum.iterations += work.report.density.iterations;
            sum.divergenceIterations += work.report.divergence.iterations;
            sum.viscosityIterations += work.report.viscosity.iterations;
            sum.viscosityError += work.report.viscosity.error;
            sum.clothIterations += work.cloths.report().iterations;
            sum.pairs = pairs();
            throwIfDiverged(state, scene);
            warnings.checkMemory(state);
            if (report) report({state.time, time, state.particles.count()});
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
            warnings.checkStretch(scene.cloths[c], stretch);
        }
        throwIfNotFinite(state, sum);
        return sum;
    }

    // Computes the offsets from liquid particles to nearby colliders, for surface reconstruction. work.placed must have
    // the colliders at the state's time.
    void findWalls() {
        Points& points = frame.points;
        const Span<const PlacedCollider> colliders = work.placed.placed();
        if (colliders.count == 0 || points.count() == 0) return;
        std::vector<float> reach(points.count());
        for (size_t i = 0; i < points.count(); ++i) {
            const BodyInfo& body = frame.bodies[static_cast<size_t>(points.bodies[i])];
            reach[i] = body.kind == BodyKind::liquid ? kWallReach * body.spacing : 0;
        }
        points.wallOffsets = wallOffsets(device.host(), points.positions, reach, colliders);
    }

    // Builds the frame from the state, in SI units, without the offsets to colliders.
    void buildFrame(const Scene& scene, const Scene& simulated) {
        frameStale = true;
        frame = makeFrame(state, scene, simulated, knits, work.wet);
        bodies = frame.bodies;
        frame.stats.steps = sum.steps;
        frame.stats.pairs = sum.pairs;
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

    // The last step of building a frame.
    void convertUnits() {
        frame = inUnits(std::move(frame), frameUnit);
        frameStale = false;
    }

    // Builds the whole frame if the workspace may belong to another time.
    void rebuildFrame(const Scene& scene) {
        Scene storage;
        const Scene& simulated = knits.withKnitCloths(scene, storage);
        work.set(simulated, state);
        work.placed.moveTo(work.colliders, work.colliders.forFluids, 1, 1, 0);
        buildFrame(scene, simulated);
        findWalls();
        convertUnits();
    }
};

Simulator::Simulator(Device device) : impl_(std::make_unique<Impl>(std::move(device))) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Frame& Simulator::reset(const Scene& scene) {
    checkScene(scene);
    Impl& own = *impl_;
    own.convertingExceptions([&] {
        own.withPointsFreed([&] { own.begin(scene); });
        own.started = false;  // if making the frame fails, the next call resets again
        own.sum = {};
        own.sum.pairs = own.pairs();
        Scene storage;
        own.buildFrame(scene, own.knits.withKnitCloths(scene, storage));
        own.findWalls();
        own.convertUnits();
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
        if (own.frameStale) own.convertingExceptions([&] { own.rebuildFrame(scene); });
        return own.frame;
    }
    checkScene(scene);
    own.counts.throwIfChanged(scene);
    own.convertingExceptions([&] {
        own.knits.update(scene, own.state);
        Scene storage;
        const Scene& simulated = own.knits.withKnitCloths(scene, storage);
        own.withPointsFreed([&] { own.withRollback([&] { own.sum = own.advance(simulated, time); }); });
        own.counts.setSoftBodies(scene);
        own.phase("makeFrame", [&] { own.buildFrame(scene, simulated); });
        own.phase("findWalls", [&] { own.findWalls(); });
        own.phase("makeFrame", [&] { own.convertUnits(); });
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
    own.convertingExceptions([&] {
        Knits knits(own.device.host());
        knits.make(scene, state);
        Scene storage;
        const Scene& simulated = knits.withKnitCloths(scene, storage);
        checkStateFits(state, simulated);
        // Frees the old state first, to avoid three states in memory.
        own.started = false;
        own.frame = {};
        own.state = State(own.device);
        own.state = std::as_const(state);  // copied into the memory of this device
        state = State();
        own.knits = std::move(knits);
        own.sum = {};
        own.buildFrame(scene, simulated);
        own.convertUnits();
        own.start(scene);
    });
    return own.frame;
}

void Simulator::setFrameUnit(double metersPerUnit) {
    impl_->frameUnit = metersPerUnit;
    impl_->frame = inUnits(std::move(impl_->frame), metersPerUnit);
}

const State& Simulator::state() const { return impl_->state; }
const Frame& Simulator::frame() const { return impl_->frame; }
const Device& Simulator::device() const { return impl_->device; }
void Simulator::onCancel(std::function<bool()> requested) { impl_->device.onCancel(std::move(requested)); }
void Simulator::onProgress(std::function<void(const Progress&)> report) { impl_->report = std::move(report); }
const std::vector<PhaseTime>& Simulator::timings() const { return impl_->work.phases; }
void Simulator::clearTimings() { impl_->work.phases.clear(); }
void Simulator::recordLoops(bool record) { impl_->work.recordLoops = record; }
const std::vector<std::string>& Simulator::warnings() const { return impl_->warnings.lines(); }

}  // namespace purl

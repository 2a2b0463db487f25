// ★ What happens in a time step, in order. Each line is one function and one entry of the profile.
#include "solver/step.h"

#include <algorithm>

#include "solver/clothPushes.h"
#include "solver/core/copy.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/profile.h"
#include "solver/fluid/adhesion.h"
#include "solver/fluid/cohesion.h"
#include "solver/fluid/density.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/external.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/integrate.h"
#include "solver/fluid/mixing.h"
#include "solver/fluid/outerForces.h"
#include "solver/fluid/periodic.h"
#include "solver/fluid/separate.h"
#include "solver/fluid/wallForces.h"
#include "solver/fluid/walls.h"
#include "solver/ladenCloths.h"

namespace purl {
namespace {

// Into the order of the cells they have at x. False where it was theirs already.
bool sortParticles(Particles& particles, const Buffer<Vec3>& x, Workspace& work, Method method) {
    work.cells.build(x, Neighbors::cellSize(work.materials.searchRadius));
    if (work.cells.wasSorted()) return false;
    particles.reorder(work.cells.order(), work.spare(), method);
    work.cells.pointsReordered();
    return true;
}

void findNeighbors(const Particles& particles, Workspace& work) {
    work.neighbors.build(particles.x, work.materials.searchRadius, work.cells);
    for (Walls* walls : work.allWalls()) walls->findNeighbors(particles.x);
}

// Everything a step of any kind knows.
struct Context {
    State& state;
    Workspace& work;
    const Scene& scene;
    Timing timing;
    Profile phase;

    Particles& particles() const { return state.particles; }
    void sortAndSearch() const {
        phase("sortParticles", [&] { sortParticles(particles(), particles().x, work, methodOf(scene.solver)); });
        phase("findNeighbors", [&] { findNeighbors(particles(), work); });
        mix();
    }
    // Colours spread between neighbours.
    void mix() const {
        if (work.materials.dispersion > 0 && timing.dt > 0)
            phase("disperse", [&] { disperse(particles(), work.neighbors, work.materials, timing.dt); });
    }
    const Boundary* walls() const { return work.walls.seen(); }
    // v, m/s, as implicit viscosity leaves it.
    void solveViscosity(Buffer<Vec3>& v) const {
        work.viscous = work.implicitViscosity.solve(particles(), work.neighbors, walls(), work.materials, scene.solver,
                                                    timing.dt, work.volume, v);
        dragBodies(Reaction::Viscous::solved, v);
    }
    // Viscosity pulls at bodies: by v, m/s, that it acted on, or that it made, for a share of the step.
    void dragBodies(Reaction::Viscous when, const Buffer<Vec3>& v, float share = 1) const {
        if (reacts() && work.walls.any)
            work.reaction.addViscosity(particles(), work.walls.boundary, work.materials, when, share * timing.dt,
                                       work.volume, v);
    }
    // What morris and xsph do by v, in a share of the step.
    void rubTogether(const Buffer<Vec3>& v, float share = 1) const {
        addFriction(particles(), work.neighbors, walls(), work.materials, timing.dt, v, work.volume, work.lanes);
        if (work.materials.frictionPass) dragBodies(Reaction::Viscous::before, v, share);
    }
    // Fractional viscosity's view of v, m/s; empty without.
    Span<const Vec3> remember(double interval, const Buffer<Vec3>& v) const {
        if (!work.materials.fractional) {
            if (state.history.pushed > 0) clearHistory(state.particles.history, state.history);
            return {};
        }
        work.fractional.remember(state, scene, interval, v);
        return work.fractional.past().span();
    }
    double lastInterval() const { return timing.lastStep > 0 ? state.lastStep : double(timing.dt); }
    // Something is pushed by fluids.
    bool reacts() const { return !work.rigids.empty() || !work.skins.empty(); }
    // `grip`: how much walls hold each particle beside their friction.
    void resolve(Span<const float> grip = {}) const {
        if (reacts()) work.reaction.remember(work.vNew);
        resolveContacts(particles(), work.xBefore, work.colliders, scene, work.vNew, timing.dt,
                        reacts() ? &work.touched : nullptr, grip);
        if (reacts()) work.reaction.addContact(particles(), work.touched, work.colliders, work.materials, work.vNew);
        if (scene.solver.dimensions == 3) return;
        holdInPlane(particles().x);
        holdInPlane(work.vNew);
    }
    void rub() const {
        if (!work.walls.any) return;
        const Boundary& walls = work.walls.boundary;
        phase("applyWallFriction", [&] {
            if (reacts()) work.reaction.remember(work.vNew);
            applyWallFriction(particles(), walls, work.materials, timing.dt, work.vNew);
            if (reacts()) work.reaction.addFriction(particles(), walls, work.materials, work.vNew);
        });
    }
    // With the pressures of this step known, and before the fluid moves.
    void pushBodies() const {
        if (!reacts() || !work.walls.any) return;
        phase("pushBodies", [&] {
            work.reaction.addPressure(particles(), work.walls.boundary, work.materials, scene.solver.pressureSolver,
                                      timing.dt);
        });
    }
    // What came into a kill volume ends with the step; xBefore must still be in the particles' order.
    void kill() const {
        if (!work.colliders.anyKills()) return;
        phase("kill", [&] {
            const double before = liquid();
            state.killed += killInside(particles(), work.xBefore, work.colliders);
            state.wet.drained += before - liquid();
        });
    }
    // kg, for the books of scenes where fabrics soak.
    double liquid() const { return work.wet.empty() ? 0 : WetFabrics::liquidMass(state, scene); }
    bool adhesive() const {
        return std::any_of(scene.colliders.begin(), scene.colliders.end(),
                           [](const Collider& collider) { return collider.params.adhesion > 0; });
    }
    // What holds fluids together and to walls, on top of the accelerations there are.
    void applyBonds() const {
        if (work.materials.cohesive)
            phase("applyCohesion", [&] { applyCohesion(particles(), work.neighbors, work.materials, work.lanes); });
        if (adhesive()) phase("applyAdhesion", [&] { applyAdhesion(particles(), work.colliders, work.materials); });
    }
};

// What walls do by forces alone; see WallModel.
void pushOffWalls(const Context& c) {
    Workspace& work = c.work;
    const SolverParams& params = c.scene.solver;
    if (work.repelling.any)
        c.phase("repelFromWalls", [&] {
            repelFromWalls(c.particles(), work.repelling.boundary, work.materials, params.wallRange,
                           params.wallRepulsion);
        });
    if (work.touching.any)
        c.phase("touchWalls", [&] {
            touchWalls(c.particles(), work.touching.boundary, work.materials, params.wallStiffness, params.wallDamping,
                       c.timing.dt);
        });
    if (!(params.wallAdhesion > 0)) return;
    for (const Walls* walls : work.allWalls())
        if (walls->any)
            c.phase("adhereToWalls",
                    [&] { adhereToWalls(c.particles(), walls->boundary, work.materials, params.wallAdhesion); });
}

// Densities, pressures and all accelerations of wcsph where the particles stand. `past`: see FractionalViscosity.
// `share`: of the step that they act.
void measureForces(const Context& c, Span<const Vec3> past = {}, float share = 1) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const Boundary* const walls = work.walls.seen();
    c.phase("computeDensity",
            [&] { computeDensity(particles, work.neighbors, work.materials, work.volume, work.lanes); });
    if (walls) c.phase("addWallDensity", [&] { addWallDensity(particles, *walls, work.materials, work.volume); });
    c.phase("applyForces",
            [&] { applyForces(particles, work.neighbors, work.materials, work.volume, work.lanes, past); });
    c.applyBonds();
    if (walls) c.phase("addWallPressure", [&] { addWallPressure(particles, *walls, work.materials); });
    pushOffWalls(c);
    if (work.materials.frictionPass && c.timing.dt > 0)
        c.phase("addFriction", [&] { c.rubTogether(particles.v, share); });
    if (c.scene.solver.dimensions == 2) holdInPlane(particles.a);
}

void separateNew(const Context& c) {
    if (c.state.nextId == c.timing.firstNewId) return;
    c.phase("separateNew",
            [&] { separateCoincident(c.particles(), c.work.neighbors, c.work.materials, c.timing.firstNewId); });
}

// Weakly compressible: pressures follow from densities (Kelager 2006).
void stepWcsph(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const Integrator integrator = c.scene.solver.integrator;
    const auto& phase = c.phase;

    c.sortAndSearch();
    separateNew(c);
    Span<const Vec3> past;
    if (work.materials.fractional || c.state.history.pushed > 0)
        phase("rememberVelocity", [&] { past = c.remember(c.lastInterval(), particles.v); });
    measureForces(c, past);
    if (work.materials.implicitViscosity)
        phase("solveViscosity", [&] {
            foreseeVelocity(particles, integrator, c.timing, work.vNew);
            c.solveViscosity(work.vNew);
            accelerateTo(particles, integrator, c.timing, work.vNew);
        });
    c.pushBodies();
    phase("integrate", [&] { integrate(particles, integrator, c.timing, work.xBefore, work.vNew); });
    c.rub();
    phase("resolveContacts", [&] { c.resolve(); });
    phase("finishVelocity", [&] { finishVelocity(particles, integrator, c.timing, work.xBefore, work.vNew); });
    c.kill();
}

// The same, but forces are measured where the step ends: particles move by those of the step before.
void stepVelocityVerlet(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const float dt = c.timing.dt;

    c.phase("integrate", [&] { kickAndDrift(particles, dt, work.xBefore, work.vNew); });
    c.phase("resolveContacts", [&] { c.resolve(); });
    c.phase("takeHalfVelocity", [&] { takeHalfVelocity(particles, work.vNew); });
    c.kill();
    c.sortAndSearch();
    separateNew(c);
    measureForces(c);
    c.phase("kick", [&] {
        kick(particles, dt);
        copyTo(work.vNew, particles.v);
    });
    if (work.materials.implicitViscosity) c.phase("solveViscosity", [&] { c.solveViscosity(work.vNew); });
    c.pushBodies();
    c.rub();
    c.phase("finishVelocity", [&] { takeHalfVelocity(particles, work.vNew); });
}

// The same by Runge-Kutta: forces are measured four times, and the neighbours with them.
void stepRungeKutta4(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;

    const auto forces = [&](int stage) {
        if (stage == 0) {
            c.sortAndSearch();
            separateNew(c);
        } else {
            c.phase("findNeighbors", [&] {
                work.neighbors.build(particles.x, work.materials.searchRadius);
                for (Walls* walls : work.allWalls()) walls->findNeighbors(particles.x);
            });
        }
        measureForces(c, {}, stage == 0 || stage == 3 ? 1.0f / 6 : 1.0f / 3);
    };
    rungeKutta4(particles, c.timing.dt, forces, work.rungeKutta, work.xBefore, work.vNew);
    if (work.materials.implicitViscosity) c.phase("solveViscosity", [&] { c.solveViscosity(work.vNew); });
    c.pushBodies();
    c.rub();
    c.phase("resolveContacts", [&] { c.resolve(); });
    c.phase("finishVelocity", [&] { takeHalfVelocity(particles, work.vNew); });
    c.kill();
}

// Divergence-free: pressures are solved for, first for velocities that do not compress, then for the density.
void stepDfsph(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const SolverParams& params = c.scene.solver;
    const Boundary* const walls = work.walls.seen();
    const float dt = c.timing.dt;
    const auto& phase = c.phase;

    c.sortAndSearch();
    separateNew(c);
    phase("computeDensity", [&] { work.dfsph.measure(particles, work.neighbors, walls, work.materials, work.volume); });
    phase("solveDivergence", [&] {
        copyTo(work.vNew, particles.v);
        work.divergence = work.dfsph.solveDivergence(particles, work.neighbors, work.materials, params, dt, work.vNew);
    });
    work.dfsph.lendTo(work.lanes);
    phase("applyForces", [&] {
        const Span<const Vec3> past = c.remember(c.lastInterval(), work.vNew);
        applyOuterForces(particles, work.neighbors, walls, work.materials, params, dt, Weight::included, work.vNew,
                         work.volume, work.omega, work.lanes, true, past);
        c.rubTogether(work.vNew);
    });
    c.applyBonds();
    work.dfsph.lendTo(work.lanes);
    phase("accelerate", [&] { accelerate(particles, dt, work.vNew); });
    phase("solveDensity", [&] {
        work.density = work.dfsph.solveDensity(particles, work.neighbors, work.materials, params, dt, work.vNew);
    });
    // After the pressures: before them it would not see the flow that they set going, which moves the particles.
    if (work.materials.implicitViscosity) phase("solveViscosity", [&] { c.solveViscosity(work.vNew); });
    c.pushBodies();
    c.rub();
    phase("moveParticles", [&] { move(particles, dt, work.vNew, work.xBefore); });
    phase("resolveContacts", [&] { c.resolve(); });
    phase("finishVelocity", [&] { takeVelocity(particles, dt, work.vNew); });
    c.kill();
}

// Position-based: particles move as if nothing held them, are put where the density is right, and have moved with the
// velocity that took them there.
void stepPbf(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const SolverParams& params = c.scene.solver;
    const Boundary* const walls = work.walls.seen();
    const float dt = c.timing.dt;
    const auto& phase = c.phase;
    // Contacts hold what the density does not see.
    const std::function<void()> hold =
        work.walls.all ? std::function<void()>() : std::function<void()>([&] { c.resolve(); });

    // Sorted by where they are going; the prediction itself is sooner made again than brought along.
    const auto predictMove = [&] { predict(particles, work.materials, dt, work.xBefore, work.vNew); };
    phase("predict", predictMove);
    phase("sortParticles", [&] {
        if (sortParticles(particles, work.xBefore, work, kPbf)) predictMove();
        particles.x.swap(work.xBefore);
    });
    phase("findNeighbors", [&] { findNeighbors(particles, work); });
    c.mix();
    separateNew(c);
    phase("solveDensity", [&] {
        work.density =
            work.pbf.solve(particles, work.neighbors, walls, work.materials, params, dt, hold, work.vNew, work.volume);
    });
    c.pushBodies();
    phase("resolveContacts", [&] { c.resolve(); });
    work.pbf.lendTo(work.lanes);
    phase("applyForces", [&] {
        const Span<const Vec3> past = c.remember(double(dt), work.vNew);
        applyOuterForces(particles, work.neighbors, walls, work.materials, params, dt, Weight::actedBefore, work.vNew,
                         work.volume, work.omega, work.lanes, true, past);
        c.rubTogether(work.vNew);
    });
    c.applyBonds();
    work.pbf.lendTo(work.lanes);
    phase("accelerate", [&] { accelerate(particles, dt, work.vNew); });
    if (work.materials.implicitViscosity) phase("solveViscosity", [&] { c.solveViscosity(work.vNew); });
    c.rub();
    phase("finishVelocity", [&] { takeVelocity(particles, dt, work.vNew); });
    c.kill();
}

// Two densities and springs, for pastes and what hardens under blows: velocities act, then all that holds the fluid
// together moves positions, then contacts, and velocities follow (Özgen 2013, algorithm 2).
void stepDoubleDensity(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    DoubleDensity& paste = work.doubleDensity;
    const float dt = c.timing.dt;
    const auto& phase = c.phase;
    const auto searchUnsorted = [&] {
        work.cells.build(particles.x, Neighbors::cellSize(work.materials.searchRadius));
        work.neighbors.build(particles.x, work.materials.searchRadius, work.cells);
    };

    // The past weighs more than all else of a particle: it is moved about only as often as it grows.
    if (c.state.history.waited == 0) {
        c.sortAndSearch();
    } else {
        phase("findNeighbors", searchUnsorted);
        c.mix();
    }
    separateNew(c);
    phase("applyForces", [&] { paste.accelerate(particles, work.materials, dt, work.vNew); });
    phase("dampApproach", [&] { paste.damp(particles, work.neighbors, dt, work.vNew); });
    phase("moveParticles", [&] { move(particles, dt, work.vNew, work.xBefore); });
    phase("findNeighbors", searchUnsorted);
    phase("adjustSprings", [&] { paste.adjustSprings(c.state, work.neighbors, dt); });
    phase("pullSprings", [&] { paste.pullSprings(c.state, work.neighbors, dt); });
    phase("relaxDensity", [&] { paste.relax(particles, work.neighbors, dt); });
    phase("resolveContacts", [&] {
        paste.beforeContact(particles, work.xBefore, dt, work.vNew);
        c.resolve(paste.grip().span());
        paste.holdAtWalls(particles, work.vNew, dt);
    });
    phase("finishVelocity", [&] { takeVelocity(particles, dt, work.vNew); });
    phase("rememberVelocity", [&] { paste.rememberVelocity(c.state, c.scene, double(dt)); });
    c.kill();
}

// Rigid bodies fall and collide as if there were no fluid; the fluid then meets them on their way.
void moveRigids(State& state, Workspace& work, const StepSpan& span) {
    const auto dt = static_cast<float>(span.dt);
    RigidBodies& rigids = work.rigids;
    rigids.beginStep();
    work.colliders.moveTo(rigids.scene(), rigids.from(), span.shareBefore, span.shareAfter, dt);
    std::vector<Vec3> pulls;
    for (int b = 0; b < rigids.count(); ++b)
        pulls.push_back(work.materials.gravity +
                        fieldsAt(state.colliders[static_cast<size_t>(rigids.colliderOf(b))].pose.position,
                                 work.materials.fields.span()));
    rigids.move(state, work.colliders.placed(), pulls, dt);
    for (size_t k = 0; k < work.walls.members.size(); ++k) {
        const auto c = static_cast<size_t>(work.walls.members[k]);
        if (work.walls.members[k] < 0 || !isRigid(rigids.scene().colliders[c])) continue;
        work.walls.scene.colliders[k] = rigids.scene().colliders[c];
        work.walls.from[k] = rigids.from()[c];
    }
}

struct PullOn {
    Vec3 gravity;
    Span<const FieldConstants> fields;
    Span<const Vec3> x;
    Span<Vec3> pull;
    PURL_HD void operator()(int i) const { pull[i] = gravity + fieldsAt(x[i], fields); }
};

void pullOn(const Buffer<Vec3>& x, Workspace& work) {
    work.pull.renew(x.size());
    forEach(work.device, "pullOn", x.size(),
            PullOn{work.materials.gravity, work.materials.fields.span(), x.span(), work.pull.span()});
}

BodyStep bodyStep(const Placed& placed, const StepSpan& span) {
    return {static_cast<float>(span.dt), {span.shareBefore, span.shareAfter}, placed.scene, placed.from};
}

// Cloths, and the fluid that lies on them.
void moveCloths(const Context& c, const StepSpan& span) {
    State& state = c.state;
    Workspace& work = c.work;
    const bool laden = !work.skins.empty();
    LadenCloths cloths{state, work, {}};
    pullOn(state.cloth.x, work);
    if (laden) c.phase("feelFluid", [&] { cloths.feel(c.scene, span); });
    c.phase("moveCloths", [&] {
        Placed placed = work.placed(state, c.scene);
        if (!work.softSkins.empty()) {
            work.softSkins.beginStep();
            work.softSkins.endStep(state, *placed.scene, *placed.from);
            placed = {&work.softSkins.scene(), &work.softSkins.from()};
        }
        const bool moveWhatTheyTouch = !work.rigids.empty() || !work.softSkins.empty();
        work.cloths.move(state, c.scene, bodyStep(placed, span), work.pull,
                         laden ? std::as_const(work.burden).span() : work.wet.load(state, c.scene),
                         work.wet.saturation(), moveWhatTheyTouch);
        if (moveWhatTheyTouch) deliverClothPushes(state, work);
    });
    if (laden) c.phase("takeFluidAlong", [&] { cloths.takeAlong(); });
}

// Water into fabrics. The walls' lists are those that the cloths felt the fluid by.
void soakFabrics(State& state, Workspace& work, const Scene& scene, double dt) {
    const FabricContact contact{work.walls.boundary, work.walls.firstSkin, work.skins};
    std::vector<float> masses;
    for (size_t c = 0; c < scene.cloths.size(); ++c)
        for (const float mass : work.cloths.masses(static_cast<int>(c))) masses.push_back(mass);
    const bool felt = !work.skins.empty() && work.walls.any;
    work.wet.soak(state, scene, work.materials, felt ? &contact : nullptr, masses, dt);
}

// Water along fabrics, and what drips from them. Their own skins, which come behind the scene's colliders, are no walls
// to it, and press on nothing.
void dripFabrics(State& state, Workspace& work, const Scene& scene, double dt) {
    const Span<const PlacedCollider> placed = work.colliders.placed();
    const auto own = static_cast<int>(scene.colliders.size());
    const Span<const PlacedCollider> walls{placed.data, std::min(own, placed.count)};
    const Span<const PlacedCollider> surfaces{placed.data + walls.count, placed.count - walls.count};
    work.wet.spread(state, scene, work.materials, walls, dt);
    work.wet.drip(state, scene, walls, surfaces, work.skins);
}

void moveSoftBodies(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    pullOn(state.soft.x, work);
    work.softBodies.move(state, scene, bodyStep(work.placed(state, scene), span), work.pull);
}

// All that fluids meet, where the step takes it.
void moveColliders(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const auto dt = static_cast<float>(span.dt);
    Placed placed = work.placed(state, scene);
    if (!work.skins.empty()) {
        work.skins.endStep(state, *placed.scene, *placed.from);
        placed = {&work.skins.scene(), &work.skins.from()};
    }
    work.colliders.moveTo(*placed.scene, *placed.from, span.shareBefore, span.shareAfter, dt);
    Walls& walls = work.walls;
    for (size_t s = 0, w = static_cast<size_t>(walls.firstSkin); w < walls.from.size(); ++s, ++w) {
        walls.scene.colliders[w].mesh.vertices = work.skins.all()[s].shape.mesh.vertices;
        walls.from[w] = work.skins.all()[s].from;
    }
    // pbf solves where the particles have come to.
    const bool ahead = scene.solver.pressureSolver == PressureSolver::pbf;
    for (Walls* each : work.allWalls())
        each->moveTo(span.shareBefore, span.shareAfter, dt, ahead ? WallsAt::end : WallsAt::start);
    if (walls.any && !work.skins.empty())
        work.rides.set(work.skins, walls.firstSkin, walls.boundary, state);
    else
        work.rides.clear();
    work.reaction.begin(work.rigids, state, walls.members, work.skins, work.rides);
}

// What fluids did in the step, to those they did it to.
void deliverPushes(State& state, Workspace& work, const SolverParams& params, float dt) {
    work.reaction.deliver(work.rigids, state);
    if (work.skins.empty()) return;
    pushCloths(state, work, params, dt);
    if (work.softBodies.empty()) return;
    // A particle may outweigh a light body: it does not throw it farther than a part of its spacing.
    constexpr float kMostKick = 0.05f;
    const Vec3 fall = dt * work.materials.gravity;
    FluidAround fluid{0, fall, std::max(kMostKick * work.materials.spacing / dt, 2 * length(fall))};
    for (const FluidConstants& each : work.materials.fluids) fluid.density = std::max(fluid.density, each.restDensity);
    work.softBodies.push(state, work.reaction.onPoints().data() + state.cloth.count(), fluid);
}

struct WallsSeen {
    Boundary::View walls;
    PURL_HD int operator()(int i) const { return walls.count(i); }
};

struct Way {
    Span<const Vec3> from, to;
    PURL_HD double operator()(int i) const { return double(length(to[i] - from[i])); }
};

struct AtRest {
    Span<Vec3> v;
    PURL_HD void operator()(int i) const { v[i] = {}; }
};
struct LimitSpeed {
    float most;  // m/s
    Span<Vec3> v;
    PURL_HD void operator()(int i) const {
        const float speed = length(v[i]);
        if (speed > most) v[i] *= most / speed;
    }
};

// The box that wcsph's particles wrap around in.
PeriodicBox periodicOf(const SolverParams& params) {
    return params.pressureSolver == PressureSolver::wcsph ? makePeriodicBox(params) : PeriodicBox{};
}

// A force needs the densities and normals of neighbours, and those need theirs; Runge-Kutta asks four times over.
float reachOfForces(const Workspace& work, const SolverParams& params) {
    return (params.integrator == Integrator::rungeKutta4 ? 12.0f : 3.0f) * work.materials.searchRadius;
}

}  // namespace

Method methodOf(const SolverParams& params) {
    if (params.pressureSolver == PressureSolver::dfsph) return kDfsph;
    // doubleDensity reads what pbf does.
    if (params.pressureSolver != PressureSolver::wcsph) return kPbf;
    const bool half = params.integrator == Integrator::leapFrog || params.integrator == Integrator::verlet;
    return half ? kWcsphHalfStep : kWcsph;
}

void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const Timing timing{static_cast<float>(span.dt), static_cast<float>(state.lastStep), state.nextId};
    const Context context{state, work, scene, timing, Profile{work.device, work.phases, work.recordLoops}};
    const Profile& phase = context.phase;
    work.density = work.divergence = {};
    work.viscous = {};

    if (!work.rigids.empty()) phase("moveRigids", [&] { moveRigids(state, work, span); });
    work.skins.beginStep();
    // First, for cloths lie on them.
    if (!work.softBodies.empty()) phase("moveSoftBodies", [&] { moveSoftBodies(state, work, scene, span); });
    if (!work.cloths.empty()) moveCloths(context, span);
    if (!work.wet.empty()) phase("soakFabrics", [&] { soakFabrics(state, work, scene, span.dt); });
    phase("moveColliders", [&] { moveColliders(state, work, scene, span); });
    if (!work.wet.empty()) phase("dripFabrics", [&] { dripFabrics(state, work, scene, span.dt); });
    phase("emit", [&] {
        const double before = context.liquid();
        emit(state, scene, span.dt, span.shareBefore, span.shareAfter, work.colliders.placed());
        state.wet.supplied += context.liquid() - before;
        state.particles.holdFor(methodOf(scene.solver));
        takeUpColors(state.particles, work.materials);
    });
    const PeriodicBox box = periodicOf(scene.solver);
    if (box.any())
        phase("addCopies", [&] {
            wrap(state.particles, box);
            addGhosts(state.particles, box, reachOfForces(work, scene.solver));
        });
    switch (scene.solver.pressureSolver) {
        case PressureSolver::wcsph:
            switch (scene.solver.integrator) {
                case Integrator::velocityVerlet: stepVelocityVerlet(context); break;
                case Integrator::rungeKutta4: stepRungeKutta4(context); break;
                default: stepWcsph(context); break;
            }
            break;
        case PressureSolver::pbf: stepPbf(context); break;
        case PressureSolver::dfsph: stepDfsph(context); break;
        case PressureSolver::doubleDensity: stepDoubleDensity(context); break;
    }
    if (context.reacts()) phase("deliverPushes", [&] { deliverPushes(state, work, scene.solver, timing.dt); });
    if (box.any())
        phase("dropCopies", [&] {
            removeGhosts(state.particles);
            wrap(state.particles, box);
        });
    state.time = span.timeAfter;
    state.lastStep = span.dt;
}

void settle(State& state, Workspace& work, const Scene& scene, double longestStep) {
    // What stands free falls by at most kFall spacings a step. No particle moves by more than kFarthest spacings in
    // one.
    constexpr float kFall = 0.03f, kFarthest = 0.1f;
    constexpr int kFewest = 6, kMost = 160, kPolish = 6;
    constexpr float kPolishShare = 0.25f;  // of a step's length
    // Mean way in a step over that of free fall: where it ends, what is good enough after all steps, and what means
    // that the fluid will not come to rest, if it is so after kGap spacings of free fall.
    constexpr double kAtRest = 0.1, kEnough = 0.3, kFree = 0.6, kGap = 1.25;
    Particles& particles = state.particles;
    const float gravity = length(work.materials.gravity), spacing = work.materials.spacing;
    if (scene.solver.pressureSolver != PressureSolver::dfsph || particles.count() == 0 || !work.walls.any) return;
    if (!(gravity > 0)) return;
    const Context c{state, work, scene, {}, Profile{work.device, work.phases, work.recordLoops}};
    const Boundary& walls = work.walls.boundary;
    particles.holdFor(kDfsph);
    for (Walls* each : work.allWalls()) each->moveTo(1, 1, 0);
    c.sortAndSearch();
    if (reduce(work.device, "wallsSeen", particles.count(), 0, WallsSeen{walls.view()}, Largest{}) == 0) return;
    // One step; the mean way of a particle, m.
    const auto relax = [&](float dt) {
        c.sortAndSearch();
        c.phase("settle", [&] {
            work.dfsph.measure(particles, work.neighbors, &walls, work.materials, work.volume);
            work.dfsph.lendTo(work.lanes);
            work.vNew.renew(particles.count());
            forEach(work.device, "atRest", particles.count(), AtRest{work.vNew.span()}, 8192);
            applyOuterForces(particles, work.neighbors, &walls, work.materials, scene.solver, dt, Weight::included,
                             work.vNew, work.volume, work.omega, work.lanes);
            c.applyBonds();
            work.dfsph.lendTo(work.lanes);
            accelerate(particles, dt, work.vNew);
            work.dfsph.solveDensity(particles, work.neighbors, work.materials, scene.solver, dt, work.vNew);
            forEach(work.device, "limitSpeed", particles.count(),
                    LimitSpeed{kFarthest * spacing / dt, work.vNew.span()});
            move(particles, dt, work.vNew, work.xBefore);
            resolveContacts(particles, work.xBefore, work.colliders, scene, work.vNew, dt);
            if (scene.solver.dimensions == 2) holdInPlane(particles.x);
        });
        return reduce(work.device, "way", particles.count(), 0.0,
                      Way{std::as_const(work.xBefore).span(), std::as_const(particles.x).span()}, Sum{}) /
               particles.count();
    };
    const float dt = std::min(std::sqrt(kFall * spacing / gravity), static_cast<float>(longestStep));
    const double freeFall = double(gravity * dt * dt);
    const int untilFree = static_cast<int>(std::min(double(kMost), kGap * double(spacing) / freeFall));
    Particles early(work.device);
    double way = 1;
    for (int k = 0; k < kMost && (k < kFewest || way > kAtRest) && !(k == untilFree && way > kFree); ++k) {
        if (k == kFewest) early = particles;
        way = relax(dt) / freeFall;
    }
    if (!(way <= kEnough)) std::swap(particles, early);
    for (int k = 0; k < kPolish; ++k) relax(kPolishShare * dt);
}

void measure(State& state, Workspace& work, const Scene& scene) {
    Particles& particles = state.particles;
    const Boundary* const walls = work.walls.seen();
    const Context c{state, work, scene, {}, Profile{work.device, work.phases, work.recordLoops}};

    particles.holdFor(methodOf(scene.solver));
    takeUpColors(particles, work.materials);
    for (Walls* each : work.allWalls()) each->moveTo(1, 1, 0);
    const PeriodicBox box = periodicOf(scene.solver);
    if (box.any()) {
        wrap(particles, box);
        addGhosts(particles, box, reachOfForces(work, scene.solver));
    }
    c.sortAndSearch();
    if (scene.solver.pressureSolver == PressureSolver::wcsph) {
        measureForces(c);
        if (box.any()) removeGhosts(particles);
        return;
    }
    // One of its own, for its memory is not wanted for long.
    Pbf pbf(work.device);
    c.phase("computeDensity", [&] { pbf.measure(particles, work.neighbors, walls, work.materials, work.volume); });
    pbf.lendTo(work.lanes);
    c.phase("applyForces", [&] {
        applyOuterForces(particles, work.neighbors, walls, work.materials, scene.solver, 0, Weight::included,
                         particles.v, work.volume, work.omega, work.lanes);
    });
    c.applyBonds();
    pbf.lendTo(work.lanes);
}

}  // namespace purl

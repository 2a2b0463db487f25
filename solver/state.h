// State: everything that carries over to the next step, and nothing else. It can be hashed, saved (cache/stateFile.h)
// and resumed from.
#pragma once
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

// Position of a collider or emitter at the state's time, where its motion over the next step begins. The pose of a
// rigid body, mesh or not, is that of its centre of mass.
struct ColliderPlace {
    Pose pose;
    Channel<Vec3> vertices;  // of its mesh or curve
    Vec3 velocity, spin;     // m/s, rad/s: of rigid bodies; of keyed ones, what they would have when released
    int rigid = 0;           // whether it is a rigid body
};

// Springs between particles, by id: a < b, unique, grouped by a.
struct Springs {
    explicit Springs(const Device& device)
        : a(device, "springs.a"),
          b(device, "springs.b"),
          rest(device, "springs.rest"),
          shear(device, "springs.shear") {}

    Buffer<int64_t> a, b;
    Buffer<float> rest;   // m, rest length
    Buffer<float> shear;  // fractional shear of its end points at the last history sample; see pastShear
    int outdated = 1;     // 1 if a sample was taken since: `shear` must be recomputed

    int count() const { return rest.size(); }
};

// The points of all cloths, in the order of the scene's cloths and of their mesh vertices.
struct ClothPoints {
    explicit ClothPoints(const Device& device)
        : x(device, "cloth.x"),
          v(device, "cloth.v"),
          rest(device, "cloth.rest"),
          target(device, "cloth.target"),
          past(device, "cloth.past"),
          reaction(device, "cloth.reaction"),
          addedMass(device, "cloth.addedMass"),
          counts(device.host()),
          origins(device.host()),
          corners(device.host()),
          cornerCounts(device.host()) {}

    Buffer<Vec3> x, v;    // m, m/s
    Buffer<Vec3> rest;    // m, rest positions, without strain
    Buffer<Vec3> target;  // m, positions in the scene's meshes at the state's time; pins follow them
    WideChannel past;     // m/s, past velocities if any cloth is immersed; see fractional/history.h
    HistoryClock clock;   // times of those samples
    // Of the last step, for cloth in contact with fluids: reaction impulse, and the mass of the fluid behind it.
    Buffer<Vec3> reaction;    // N s
    Buffer<float> addedMass;  // kg
    // Structure of the cloths, on the host.
    Buffer<int> counts;  // number of points of each cloth
    // After tearing: for each point its original vertex in the scene's mesh; the corners of all faces, cloth by cloth,
    // as point indices within the cloth; and the number of corners of each cloth. Empty before.
    Buffer<int> origins, corners, cornerCounts;

    int count() const { return x.size(); }
    void resize(int points) {
        for (Buffer<Vec3>* channel : {&x, &v, &rest, &target, &reaction}) channel->resize(points);
        addedMass.resize(points);
    }
    // Index of the first point of a cloth.
    int firstOf(int cloth) const {
        int first = 0;
        for (int c = 0; c < cloth; ++c) first += counts[c];
        return first;
    }
};

// The points of all soft bodies, in the order of the scene's bodies: for each its vertices (or points), then the points
// that fill it.
struct SoftPoints {
    explicit SoftPoints(const Device& device)
        : x(device, "soft.x"),
          v(device, "soft.v"),
          rest(device, "soft.rest"),
          target(device, "soft.target"),
          counts(device.host()),
          held(device.host()),
          dragAt(device.host()),
          clusters(device.host()),
          plastic(device, "soft.plastic") {}

    Buffer<Vec3> x, v;    // m, m/s
    Buffer<Vec3> rest;    // m, rest positions
    Buffer<Vec3> target;  // m, vertices of the scene's meshes at the state's time; pins follow them
    // Per body, on the host.
    Buffer<int> counts;    // number of points of each body
    Buffer<int> held;      // per body: the dragged vertex, or -1
    Buffer<Vec3> dragAt;   // m, per body: position of the dragging handle at the state's time
    Buffer<int> clusters;  // number of clusters of each body; 0 before its first step
    Buffer<Mat3> plastic;  // per cluster: plastic deformation

    int count() const { return x.size(); }
    int bodies() const { return counts.size(); }
    void resize(int points) {
        for (Buffer<Vec3>* channel : {&x, &v, &rest, &target}) channel->resize(points);
    }
    void addBody(int points, Vec3 draggedFrom) {
        const int b = bodies();
        for (Buffer<int>* channel : {&counts, &held, &clusters}) channel->resize(b + 1);
        dragAt.resize(b + 1);
        counts[b] = points;
        held[b] = -1;
        dragAt[b] = draggedFrom;
    }
};

// The meshes that knits follow, in the order of the scene's knits.
struct KnitPoints {
    explicit KnitPoints(const Device& device) : x(device), v(device), rest(device) {}

    Buffer<Vec3> x, v;  // m, m/s; at the state's time
    Buffer<Vec3> rest;  // m, at the start
};

// Water in fabrics, one cell per cloth point; empty if no fabric absorbs.
struct WetCells {
    explicit WetCells(const Device& device) : contents(device), wetAt(device) {}

    int width = 0;            // values per cell
    Buffer<double> contents;  // kg of each of the scene's fluids (of one, if the scene has none), then of dyes
    Buffer<float> wetAt;      // s, time of the last wetting; -1: never
    double waited = 0;        // s, since the last wicking step
    // Since the start.
    double evaporated = 0;  // kg
    double supplied = 0;    // kg, by emitters
    double drained = 0;     // kg, deleted in kill volumes
    int64_t absorbed = 0;   // particles absorbed by fabrics
    int64_t dripped = 0;    // particles dripped from fabrics

    int count() const { return wetAt.size(); }
};

struct State {
    // Fluids, cloths and soft bodies live on the device, the water in fabrics on the host.
    explicit State(const Device& device = Device::cpu())
        : particles(device), springs(device), cloth(device), soft(device), knit(device.host()), wet(device.host()) {}

    double time = 0;      // s since the simulation's start
    double lastStep = 0;  // s, length of the last step; 0 before the first
    int64_t nextId = 0;
    int64_t filled = 0;  // particles at the start; later ids come from emitters
    int64_t killed = 0;  // particles deleted so far
    Particles particles;
    HistoryClock history;  // times of the particles' velocity history
    Springs springs;       // between particles, for doubleDensity
    ClothPoints cloth;
    SoftPoints soft;
    KnitPoints knit;
    WetCells wet;
    std::vector<ColliderPlace> colliders;  // one for each of Scene::colliders
    std::vector<ColliderPlace> shapes;     // the colliders at the start, on which boundary samples are created
    std::vector<ColliderPlace> emitters;   // fluid by fluid
    std::vector<double> emitted;           // m³ emitted so far, one per emitter, fluid by fluid
};

// A state in host memory: the state itself on the CPU, else a copy, which is counted.
class StateOnHost {
  public:
    explicit StateOnHost(const State& state);
    const State& state() const { return copy_ ? *copy_ : state_; }

  private:
    const State& state_;
    std::optional<State> copy_;
};

// Calls visit(field) for every field of a state, in a fixed order, for hashing, saving and comparing. Fields are
// numbers, vectors of plain values, buffers, and the number of collider places, which a reading visitor sets before the
// places are visited.
template <class StateRef, class Visit>
void visitFields(StateRef& state, Visit&& visit) {
    visit(state.time);
    visit(state.lastStep);
    visit(state.nextId);
    visit(state.filled);
    visit(state.killed);
    state.particles.channels([&](const char*, auto& channel, unsigned) { visit(channel); });
    state.particles.wideChannels([&](const char*, auto& wide) {
        visit(wide.width);
        visit(wide.values);
    });
    visit(state.history.sampleCount);
    visit(state.history.interval);
    visit(state.history.waited);
    visit(state.springs.a);
    visit(state.springs.b);
    visit(state.springs.rest);
    visit(state.springs.shear);
    visit(state.springs.outdated);
    visit(state.cloth.x);
    visit(state.cloth.v);
    visit(state.cloth.rest);
    visit(state.cloth.target);
    visit(state.cloth.counts);
    visit(state.cloth.origins);
    visit(state.cloth.corners);
    visit(state.cloth.cornerCounts);
    visit(state.cloth.past.width);
    visit(state.cloth.past.values);
    visit(state.cloth.clock.sampleCount);
    visit(state.cloth.clock.interval);
    visit(state.cloth.clock.waited);
    visit(state.cloth.reaction);
    visit(state.cloth.addedMass);
    visit(state.soft.x);
    visit(state.soft.v);
    visit(state.soft.rest);
    visit(state.soft.target);
    visit(state.soft.counts);
    visit(state.soft.held);
    visit(state.soft.dragAt);
    visit(state.soft.clusters);
    visit(state.soft.plastic);
    visit(state.knit.x);
    visit(state.knit.v);
    visit(state.knit.rest);
    visit(state.wet.width);
    visit(state.wet.contents);
    visit(state.wet.wetAt);
    visit(state.wet.waited);
    visit(state.wet.evaporated);
    visit(state.wet.supplied);
    visit(state.wet.drained);
    visit(state.wet.absorbed);
    visit(state.wet.dripped);
    const auto visitPlaces = [&](auto& places) {
        auto count = places.size();
        visit(count);
        if constexpr (!std::is_const_v<StateRef>) places.resize(count);
        for (auto& place : places) {
            visit(place.pose.position);
            visit(place.pose.axes);
            if constexpr (std::is_const_v<StateRef>)
                visit(place.vertices.vector());
            else
                visit(place.vertices.edit());
            visit(place.velocity);
            visit(place.spin);
            visit(place.rigid);
        }
    };
    visitPlaces(state.colliders);
    visitPlaces(state.shapes);
    visitPlaces(state.emitters);
    visit(state.emitted);
}

uint64_t hashOf(const State& state);

}  // namespace purl

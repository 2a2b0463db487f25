// State: everything that carries over to the next step, and nothing else. Hash it, save it (cache/stateFile.h), resume
// from it.
#pragma once
#include <cstdint>
#include <type_traits>
#include <vector>

#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

// Where a collider or an emitter was at the state's time: its motion over the next step begins there. A rigid body's
// pose is of its centre of mass, a mesh's too.
struct ColliderPlace {
    Pose pose;
    std::vector<Vec3> vertices;  // of its mesh or curve
    Vec3 velocity, spin;         // m/s, rad/s: of rigid bodies, and what a keyed one would have on being let go
    int rigid = 0;               // whether it is a rigid body
};

// Springs between particles, by their ids: a < b, none twice, those of one a side by side.
struct Springs {
    explicit Springs(const Device& device) : a(device), b(device), rest(device), shear(device) {}

    Buffer<int64_t> a, b;
    Buffer<float> rest;   // m, length at rest
    Buffer<float> shear;  // what the past of its ends comes to, as of the last sample; see pastShear
    int outdated = 1;     // whether there was a sample since

    int count() const { return rest.size(); }
};

// The points of all cloths, cloth by cloth in the scene's order and in the order of their meshes.
struct ClothPoints {
    explicit ClothPoints(const Device& device)
        : x(device),
          v(device),
          rest(device),
          target(device),
          past(device),
          push(device),
          burden(device),
          counts(device),
          origins(device),
          corners(device),
          cornerCounts(device) {}

    Buffer<Vec3> x, v;    // m, m/s
    Buffer<Vec3> rest;    // m, where they stood at the start, without strain
    Buffer<Vec3> target;  // m, where the scene's meshes had them at the state's time; pins follow those
    WideChannel past;     // m/s, past velocities where any cloth is immersed; see fractional/history.h
    HistoryClock clock;   // when those were taken
    // Of the last step, where fluids meet them: what those gave, and how much fluid seemed to stand behind it.
    Buffer<Vec3> push;     // N s
    Buffer<float> burden;  // kg
    Buffer<int> counts;    // one a cloth: its points
    // Once something is torn: of each point the vertex of the scene's mesh that it was; the corners of all faces,
    // cloth by cloth, as points counted from their cloth's first; and how many those are, one a cloth. Empty before.
    Buffer<int> origins, corners, cornerCounts;

    int count() const { return x.size(); }
    void resize(int points) {
        for (Buffer<Vec3>* channel : {&x, &v, &rest, &target, &push}) channel->resize(points);
        burden.resize(points);
    }
    // The first point of a cloth, in the scene's order.
    int firstOf(int cloth) const {
        int first = 0;
        for (int c = 0; c < cloth; ++c) first += counts[c];
        return first;
    }
};

// The points of all soft bodies, body by body in the scene's order: of each its vertices (or points) and then those
// that fill it.
struct SoftPoints {
    explicit SoftPoints(const Device& device)
        : x(device),
          v(device),
          rest(device),
          target(device),
          counts(device),
          held(device),
          dragAt(device),
          clusters(device),
          plastic(device) {}

    Buffer<Vec3> x, v;     // m, m/s
    Buffer<Vec3> rest;     // m, where they came in, undeformed
    Buffer<Vec3> target;   // m, where the scene's meshes had the vertices at the state's time; pins follow those
    Buffer<int> counts;    // one a body: its points
    Buffer<int> held;      // one a body: the vertex that is dragged, or -1
    Buffer<Vec3> dragAt;   // m, one a body: where what drags it was at the state's time
    Buffer<int> clusters;  // one a body: how many; 0 before its first step
    Buffer<Mat3> plastic;  // one a cluster: the stretch that has come to stay

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

// The meshes that knits follow, knit by knit in the scene's order.
struct KnitPoints {
    explicit KnitPoints(const Device& device) : x(device), v(device), rest(device) {}

    Buffer<Vec3> x, v;  // m, m/s; at the state's time
    Buffer<Vec3> rest;  // m, where they stood at the start
};

// Water in fabrics, a cell at each of the cloths' points; no cells where no fabric absorbs.
struct WetCells {
    explicit WetCells(const Device& device) : contents(device), wetAt(device) {}

    int width = 0;  // numbers a cell
    Buffer<double>
        contents;         // kg, of each of the scene's fluids (or of one, if there is none), then of what colours it
    Buffer<float> wetAt;  // s, when water last came to it; -1: never
    double waited = 0;    // s, since water last moved along the fabrics
    // Since the start.
    double evaporated = 0;  // kg, into the air
    double supplied = 0;    // kg, by emitters
    double drained = 0;     // kg, deleted in kill volumes
    int64_t absorbed = 0;   // particles that fabrics have taken up
    int64_t dripped = 0;    // particles that have dripped from them

    int count() const { return wetAt.size(); }
};

struct State {
    explicit State(const Device& device = Device::cpu())
        : particles(device), springs(device), cloth(device), soft(device), knit(device), wet(device) {}

    double time = 0;      // s since the simulation's start
    double lastStep = 0;  // s, length of the last step; 0 before the first
    int64_t nextId = 0;
    int64_t filled = 0;  // particles there were at the start; the others up to nextId came out of emitters
    int64_t killed = 0;  // particles deleted so far
    Particles particles;
    HistoryClock history;  // of the particles' past velocities
    Springs springs;       // between particles, of doubleDensity
    ClothPoints cloth;
    SoftPoints soft;
    KnitPoints knit;
    WetCells wet;
    std::vector<ColliderPlace> colliders;  // one for each of Scene::colliders
    std::vector<ColliderPlace> shapes;     // the colliders' places at the start, which wall points are made on
    std::vector<ColliderPlace> emitters;   // fluid by fluid
    std::vector<double> emitted;           // m³ let out so far, one for each emitter, fluid by fluid
};

// visit(field) for every field of a state, in one fixed order: what is hashed, saved and compared. Numbers, vectors of
// plain values, buffers, and the number of places, which a visitor that reads sets before they come.
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
    visit(state.history.pushed);
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
    visit(state.cloth.clock.pushed);
    visit(state.cloth.clock.interval);
    visit(state.cloth.clock.waited);
    visit(state.cloth.push);
    visit(state.cloth.burden);
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
            visit(place.vertices);
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

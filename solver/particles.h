// Particles: the one per-particle store. Sorting, emitting, deleting, saving and hashing loop over its channels, so
// that no force ever does.
#pragma once
#include <cstdint>
#include <tuple>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

// The ways to step that differ in what they read of the step before.
enum Method : unsigned {
    kWcsph = 1,          // of one velocity: semi-implicit Euler, velocity Verlet, Runge-Kutta
    kWcsphHalfStep = 2,  // of two: leap-frog and Verlet
    kPbf = 4,
    kDfsph = 8,
    kShown = 16,  // no method, but what a frame shows
    kAllMethods = 31
};

// A channel of several floats a particle, or of none while nobody wants it.
struct WideChannel {
    explicit WideChannel(const Device& device) : values(device), spare(device) {}

    int width = 0;         // floats a particle
    Buffer<float> values;  // particle i's are those from width · i on
    Buffer<float> spare;   // memory to reorder into

    void resize(int count);
    // Zeros of this width for each of `count` particles, unless it has them.
    void widen(int width, int count);
};

// When the velocities in Particles::history were taken.
struct HistoryClock {
    int64_t pushed = 0;   // so many samples, in all
    double interval = 0;  // s, between them
    int64_t waited = 0;   // steps since the last one
};

// The numbers of Particles::soaking.
enum Soaking {
    kGiven,     // kg, of its mass that a fabric has taken already; it stays a particle until all is
    kTouched,   // s, when it last touched a fabric; 0: never
    kWetness,   // saturation of what it touches; 0: nothing
    kFilm,      // m, the film upon that
    kSoakings,  // how many these are
};

// Channels are as long as x, or empty where the method at hand has no use for them; see holdFor.
struct Particles {
    explicit Particles(const Device& device = Device::cpu());

    Buffer<Vec3> x;                    // m, at the state's time
    Buffer<Vec3> v;                    // m/s, at the state's time: what forces read and artists see
    Buffer<Vec3> vHalf;                // m/s, half a step earlier (leap-frog's own velocity, Kelager 4.65)
    Buffer<Vec3> a;                    // m/s², of the last step
    Buffer<Vec3> normal;               // unit, outward, of surface particles; zero inside
    Buffer<float> density;             // kg/m³
    Buffer<float> pressure;            // Pa
    Buffer<float> divergencePressure;  // Pa, of dfsph's first solver; like pressure the next step's first guess
    Buffer<float> birth;               // s, when it came into the simulation
    Buffer<int64_t> id;                // never reused
    Buffer<int> body;                  // index into Scene::fluids
    // Where they are wanted, else empty; see SolverParams::origins.
    Buffer<int> source;         // which of its fluid's volumes let it in, or, counted on from them, emitters
    Buffer<Vec3> rest;          // m, where it was let in
    WideChannel history;        // m/s, past velocities; see fractional/history.h
    WideChannel color;          // three of it, rgb, of fluids that mix
    WideChannel viscousChange;  // m/s, by implicit viscosity in the last step: the next one's first guess
    WideChannel soaking;        // where fabrics soak, what they did to it: see Soaking

    int count() const { return x.size(); }

    // visit(name, buffer, readers) for every channel. `readers` are the methods that read the values of the previous
    // step; all others recompute them first, so that sorting can skip the channel.
    template <class Visit>
    void channels(Visit&& visit) {
        visit("position", x, kAllMethods);
        visit("velocity", v, kAllMethods);
        visit("halfVelocity", vHalf, kWcsphHalfStep);
        visit("acceleration", a, kShown);
        visit("normal", normal, kShown);
        visit("density", density, kPbf | kShown);  // weighs a gas before it is moved
        visit("pressure", pressure, kDfsph | kShown);
        visit("divergencePressure", divergencePressure, kDfsph);
        visit("birth", birth, kAllMethods);
        visit("id", id, kAllMethods);
        visit("body", body, kAllMethods);
        visit("source", source, kAllMethods);
        visit("rest", rest, kAllMethods);
    }
    template <class Visit>
    void channels(Visit&& visit) const {
        const_cast<Particles*>(this)->channels(
            [&](const char* name, const auto& buffer, unsigned readers) { visit(name, buffer, readers); });
    }

    // visit(name, channel) for every wide one; sorting brings them all along.
    template <class Visit>
    void wideChannels(Visit&& visit) {
        visit("history", history);
        visit("color", color);
        visit("viscousChange", viscousChange);
        visit("soaking", soaking);
    }
    template <class Visit>
    void wideChannels(Visit&& visit) const {
        const_cast<Particles*>(this)->wideChannels([&](const char* name, const auto& wide) { visit(name, wide); });
    }

    void forgetOrigins();
    // Frees the channels that neither the method nor a frame asks for, and sets up those it asks for that were freed.
    void holdFor(Method method);

    void resize(int count);
    // Scratch memory for reordering, one array of each type; its content is lost.
    using Spare = std::tuple<Buffer<Vec3>&, Buffer<float>&, Buffer<int>&, Buffer<int64_t>&>;
    // Channel by channel, element i becomes the old element order[i]; order may be shorter (that deletes) but not
    // longer. Channels that the method recomputes are only resized.
    void reorder(const Buffer<int>& order, const Spare& spare, Method method = kAllMethods);
    void reorder(const Buffer<int>& order);
    // Keeps the particles with keep[i] != 0, in their order.
    void keepOnly(const Buffer<int>& keep);
};

}  // namespace purl

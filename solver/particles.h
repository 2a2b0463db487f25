// Particles: the one per-particle store. Sorting, emitting, deleting, saving and hashing loop over its channels, so
// that no force ever does.
#pragma once
#include <cstdint>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

// A channel of several floats a particle, or of none while nobody wants it.
struct WideChannel {
    explicit WideChannel(const Device& device) : values(device) {}

    int width = 0;         // floats a particle
    Buffer<float> values;  // particle i's are those from width · i on

    void resize(int count);
    // Zeros of this width for each of `count` particles, unless it has them.
    void widen(int width, int count);
};

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
    WideChannel viscousChange;         // m/s, by implicit viscosity in the last step: the next one's first guess

    int count() const { return x.size(); }

    // visit(name, buffer) for every channel.
    template <class Visit>
    void channels(Visit&& visit) {
        visit("position", x);
        visit("velocity", v);
        visit("halfVelocity", vHalf);
        visit("acceleration", a);
        visit("normal", normal);
        visit("density", density);
        visit("pressure", pressure);
        visit("divergencePressure", divergencePressure);
        visit("birth", birth);
        visit("id", id);
        visit("body", body);
    }
    // visit(name, channel) for every wide one.
    template <class Visit>
    void wideChannels(Visit&& visit) {
        visit("viscousChange", viscousChange);
    }
    template <class Visit>
    void wideChannels(Visit&& visit) const {
        const_cast<Particles*>(this)->wideChannels([&](const char* name, const auto& wide) { visit(name, wide); });
    }
    template <class Visit>
    void channels(Visit&& visit) const {
        const_cast<Particles*>(this)->channels([&](const char* name, const auto& buffer) { visit(name, buffer); });
    }

    void resize(int count);
    // Channel by channel, element i becomes the old element order[i]; order may be shorter (that deletes) but not
    // longer. The old particles are left in `spare`, whose memory serves for the new ones.
    void reorder(const Buffer<int>& order, Particles& spare);
    void reorder(const Buffer<int>& order);
    // Keeps the particles with keep[i] != 0, in their order.
    void keepOnly(const Buffer<int>& keep);
};

}  // namespace purl

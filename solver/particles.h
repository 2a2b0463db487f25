// Particles: all per-particle data, as named channels. Sorting, emission, deletion, saving and hashing loop over the
// channels, so that forces need not.
#pragma once
#include <cstdint>
#include <tuple>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

// Methods that differ in the channels they read from the previous step.
enum Method : unsigned {
    kWcsph = 1,          // one velocity: semi-implicit Euler, velocity Verlet, Runge-Kutta
    kWcsphHalfStep = 2,  // two velocities: leap-frog and Verlet
    kPbf = 4,
    kDfsph = 8,
    kShown = 16,  // not a method: channels that a frame outputs
    kAllMethods = 31
};

// A channel of several floats per particle; zero while unused.
struct WideChannel {
    explicit WideChannel(const Device& device, const char* name = "a wide channel")
        : values(device, name), spare(device, name) {}

    int width = 0;         // floats per particle
    Buffer<float> values;  // those of particle i start at width · i
    Buffer<float> spare;   // scratch memory for reordering

    void resize(int count);
    // Sets the width and fills with zeros, unless it has that width already.
    void widen(int width, int count);
};

// Times of the velocities in Particles::history.
struct HistoryClock {
    int64_t sampleCount = 0;  // number of samples so far
    double interval = 0;      // s, between them
    int64_t waited = 0;       // steps since the last one
};

// The values of Particles::soaking.
enum Soaking {
    kGiven,     // kg, mass already absorbed by a fabric; it stays a particle until all is absorbed
    kTouched,   // s, when it last touched a fabric; 0: never
    kWetness,   // saturation of the fabric it touches; 0: none
    kFilm,      // m, film thickness on that fabric
    kSoakings,  // number of values
};

// Channels are as long as x, or empty if the current method does not use them; see holdFor.
struct Particles {
    explicit Particles(const Device& device = Device::cpu());

    Buffer<Vec3> x;                    // m, at the state's time
    Buffer<Vec3> v;                    // m/s, at the state's time; read by forces, and output
    Buffer<Vec3> vHalf;                // m/s, half a step earlier (leap-frog's own velocity, Kelager 4.65)
    Buffer<Vec3> a;                    // m/s², of the last step
    Buffer<Vec3> normal;               // unit, outward, of surface particles; zero inside
    Buffer<float> density;             // kg/m³
    Buffer<float> pressure;            // Pa
    Buffer<float> divergencePressure;  // Pa, of dfsph's divergence solver; warm start of the next step, like pressure
    Buffer<float> birth;               // s, time of birth
    Buffer<int64_t> id;                // never reused
    Buffer<int> body;                  // index into Scene::fluids
    // Empty unless requested by SolverParams::origins.
    Buffer<int> source;         // index into its fluid's volumes, then its emitters
    Buffer<Vec3> rest;          // m, position at birth
    WideChannel history;        // m/s, past velocities; see fractional/history.h
    WideChannel color;          // rgb, of fluids that mix
    WideChannel viscousChange;  // m/s, by implicit viscosity in the last step; warm start of the next
    WideChannel soaking;        // if fabrics absorb; see Soaking

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
        visit("density", density, kPbf | kShown);  // for the buoyancy of gases in the prediction
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

    // visit(name, channel) for every wide channel; sorting reorders them all.
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
    // Frees the channels that neither the method nor a frame needs, and allocates those that are missing.
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

// During its lifetime the particles are in host memory, for rooms that change them there. Their channels cross twice,
// and are counted, where the device is not the CPU.
class ParticlesOnHost {
  public:
    explicit ParticlesOnHost(Particles& particles);
    ~ParticlesOnHost();
    ParticlesOnHost(const ParticlesOnHost&) = delete;
    ParticlesOnHost& operator=(const ParticlesOnHost&) = delete;

  private:
    Particles& particles_;
    Particles onDevice_;  // meanwhile
};

}  // namespace purl

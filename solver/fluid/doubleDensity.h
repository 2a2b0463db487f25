// A fluid of particles that push each other apart by two densities (Clavet, Beaudoin and Poulin 2005) and hold on to
// each other by springs that flow; and that hardens where neighbours have moved against each other of late, like
// cornstarch in water (Özgen 2013, chapter 5). Works on positions. What is done to a pair is done to both sides by what
// was there before, so that it makes no difference who comes first.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/fractional/history.h"
#include "solver/search/neighbors.h"
#include "solver/state.h"

namespace purl {

// One such fluid, as kernels see it; H is the support radius.
struct PasteConstants {
    float mass;              // kg
    float push, pushNear;    // m/s², k and k_near over H
    float restDensity;       // of a lattice, and a little more for what k_near adds: then it stays as it is
    float latticeDensity;    // Σ (1 − r/H)² there
    float damping, impact;   // 1/s, 1/m
    float spring;            // 1/s², k_min
    float hardening;         // 1/s², most that motion adds
    float historyStiffness;  // k_hist
    float yield, flow;       // γ; 1/s, α
    float grip;
    SpringRest springRest;
    float stiffness, density;  // m²/s², kg/m³, for what is told outside
};
PasteConstants pasteOf(const FluidParams& params, double radius);
// k_hist such that relative motion at hardeningSpeed, kept up for all of the memory, adds `hardening` times k_min.
double historyStiffness(const FluidParams& params);
// Steps from one remembered velocity to the next: as many as leave a hundred of them, as the thesis has at its own step
// of 0.01 s, unless the fluid says how many.
int hardeningStride(const FluidParams& params, double dt);
// Velocities remembered: d + 1 for d = memory / (stride Δt)   Özgen 5.3
int hardeningSamples(const FluidParams& params, double dt, int stride);
// The longest step that springs and double density bear.
double pasteStepLimit(const FluidParams& params, double radius);

// Σ row[slot] |vᵢ − vⱼ| over the ring: of magnitudes, so that shaking adds up   Özgen 5.13
PURL_HD inline float pastShear(const PastVelocities& past, const float* row, int i, int j) {
    const float *const a = past.of(i), *const b = past.of(j);
    const int n = past.samples;
    float sum = 0;
    for (int slot = 0; slot < n; ++slot)
        sum += row[slot] * std::sqrt(square(a[slot] - b[slot]) + square(a[n + slot] - b[n + slot]) +
                                     square(a[2 * n + slot] - b[2 * n + slot]));
    return sum;
}

class DoubleDensity {
  public:
    // On a CPU tuned loops sum up the past, and what neighbours of one fluid do, unless not wanted.
    explicit DoubleDensity(const Device& device = Device::cpu(), bool tuned = true);

    void set(const Scene& scene, const Materials& materials);
    // Weight and fields: v, m/s, from the particles' own.
    void accelerate(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& v);
    // Takes from v what particles that approach each other lose.
    void damp(const Particles& particles, const Neighbors& neighbors, float dt, Buffer<Vec3>& v);
    // Springs for all that are near, none for the others; those strained beyond their yield flow.
    void adjustSprings(State& state, const Neighbors& neighbors, float dt);
    // Move positions.
    void pullSprings(State& state, const Neighbors& neighbors, float dt);
    void relax(Particles& particles, const Neighbors& neighbors, float dt);
    // How much walls grip each particle, 0 … 1.
    const Buffer<float>& grip() const { return grip_; }
    // What contact took from the velocity along a wall, it also takes from the way. xFree, vFree: before contact.
    void holdAtWalls(Particles& particles, const Buffer<Vec3>& v, float dt);
    // vFree = (x − xBefore)/Δt, into v too; and remembers x.
    void beforeContact(const Particles& particles, const Buffer<Vec3>& xBefore, float dt, Buffer<Vec3>& v);
    void rememberVelocity(State& state, const Scene& scene, double dt);

    // Of each spring, in their order: stiffness, 1/s²; of each particle: mean share of the most hardening.
    const Buffer<float>& stiffness() const { return stiffness_; }
    const Buffer<float>& hardness() const { return hardness_; }

  private:
    void stiffen(State& state);
    void take(Particles& particles);
    bool inLanes() const { return kHasLanes && tuned_ && fluids_.size() == 1; }

    Device device_;
    [[maybe_unused]] bool tuned_;
    float radius_ = 1;  // m
    Buffer<PasteConstants> fluids_;
    std::vector<double> orders_;
    Buffer<int> byId_, counts_, starts_, endA_, endB_;
    Buffer<uint64_t> ids_;
    Buffer<int> first_, run_;  // of each particle: where its springs begin, and how many there are
    Springs next_;
    Buffer<float> rows_, stiffness_, hardness_, grip_;
    Buffer<Vec3> moved_, vFree_, xFree_;
    Buffer<float> pressure_, pressureNear_;
    LaneMemory lanes_;
};

}  // namespace purl

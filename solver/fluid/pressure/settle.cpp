#include "solver/fluid/pressure/settle.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct BoundaryNeighbors {
    Boundary::View boundary;
    PURL_HD int operator()(int i) const { return boundary.count(i); }
};

struct Distance {
    Span<const Vec3> from, to;
    PURL_HD double operator()(int i) const { return double(length(to[i] - from[i])); }
};

struct SetZero {
    Span<Vec3> v;
    PURL_HD void operator()(int i) const { v[i] = {}; }
};

struct LimitSpeed {
    float maxSpeed;  // m/s
    Span<Vec3> v;
    PURL_HD void operator()(int i) const {
        const float speed = length(v[i]);
        if (speed > maxSpeed) v[i] *= maxSpeed / speed;
    }
};

constexpr float kMaxDisplacement = 0.1f;  // spacings in one step

// One step from rest. Returns the mean displacement of a particle, m.
double relax(const FluidStep& s, Dfsph& dfsph, float dt) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    const Materials& materials = s.materials;
    const SolverParams& params = s.params();
    const Device& device = s.device();
    s.sortAndSearch();
    s.phase("settle", [&] {
        dfsph.measure(particles, memory.neighbors, s.boundary(), materials, memory.volume);
        dfsph.lendTo(memory.lanes);
        memory.vNew.resizeDiscard(particles.count());
        forEach(device, "atRest", particles.count(), SetZero{memory.vNew.span()}, 8192);
        applyNonPressureForces(particles, memory.neighbors, s.boundary(), materials, params, dt, Gravity::include,
                               memory.vNew, memory.volume, memory.lanes);
        s.addCohesionAndAdhesion();
        dfsph.lendTo(memory.lanes);
        accelerate(particles, dt, memory.vNew);
        dfsph.solveDensity(particles, memory.neighbors, materials, params, dt, memory.vNew);
        forEach(device, "limitSpeed", particles.count(),
                LimitSpeed{kMaxDisplacement * materials.spacing / dt, memory.vNew.span()});
        move(particles, dt, memory.vNew, memory.xBefore);
        resolveContacts(particles, memory.xBefore, s.placed, s.scene, memory.vNew, dt);
        if (params.dimensions == 2) projectToPlane(particles.x);
    });
    return reduce(device, "displacement", particles.count(), 0.0,
                  Distance{std::as_const(memory.xBefore).span(), std::as_const(particles.x).span()}, Sum{}) /
           particles.count();
}

}  // namespace

void settle(const FluidStep& s, Dfsph& dfsph, double maxStep) {
    constexpr float kFall = 0.03f;  // spacings that a particle falls freely in one step
    constexpr int kMinSteps = 6, kMaxSteps = 160, kPolishSteps = 6;
    constexpr float kPolishShare = 0.25f;  // step length of the last steps, relative to the others
    // Mean displacement per step relative to free fall: below kAtRest the fluid is at rest, below kEnough at the end it
    // is good enough; above kFree after kGap spacings of free fall it will not come to rest.
    constexpr double kAtRest = 0.1, kEnough = 0.3, kFree = 0.6, kGap = 1.25;
    Particles& particles = s.particles();
    const float gravity = length(s.materials.gravity), spacing = s.materials.spacing;
    if (particles.count() == 0 || !s.boundary() || !(gravity > 0)) return;
    particles.holdFor(kDfsph);
    s.boundaries.moveTo(s.colliders, 1, 1, 0);
    s.sortAndSearch();
    if (reduce(s.device(), "boundaryNeighbors", particles.count(), 0, BoundaryNeighbors{s.boundary()->view()},
               Largest{}) == 0)
        return;
    const float dt = std::min(std::sqrt(kFall * spacing / gravity), static_cast<float>(maxStep));
    const double freeFall = double(gravity * dt * dt);
    const int untilFree = static_cast<int>(std::min(double(kMaxSteps), kGap * double(spacing) / freeFall));
    Particles early(s.device());
    double ratio = 1;
    for (int k = 0; k < kMaxSteps && (k < kMinSteps || ratio > kAtRest) && !(k == untilFree && ratio > kFree); ++k) {
        if (k == kMinSteps) early = particles;
        ratio = relax(s, dfsph, dt) / freeFall;
    }
    if (!(ratio <= kEnough)) std::swap(particles, early);
    for (int k = 0; k < kPolishSteps; ++k) relax(s, dfsph, kPolishShare * dt);
}

}  // namespace purl

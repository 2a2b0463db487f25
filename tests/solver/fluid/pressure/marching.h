// One particle moved step by step, for tests of time integration.
#pragma once
#include "solver/fluid/pressure/integrate.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl::test {

inline Vec3 falling(Vec3) { return {0, 0, -9.82f}; }
inline Vec3 spring(Vec3 x) { return -x; }
inline const auto kIgnore = [](double, const Particles&) {};

// A particle at x0 with v0 and steps of the given lengths. finish(particles, timing, xBefore, vNew) completes a step;
// visit(time, particles) follows it.
template <class Lengths, class Acceleration, class Finish, class Visit>
Particles march(Integrator integrator, Vec3 x0, Vec3 v0, const Lengths& lengths, Acceleration&& acceleration,
                Finish&& finish, Visit&& visit) {
    Particles particles = stateOf({x0}, v0).particles;
    Buffer<Vec3> xBefore(oneThread()), vNew(oneThread());
    Timing timing;
    timing.firstNewId = 1;
    double time = 0;
    for (const float dt : lengths) {
        timing.dt = dt;
        particles.a[0] = acceleration(particles.x[0]);
        integrate(particles, integrator, timing, xBefore, vNew);
        finish(particles, timing, xBefore, vNew);
        timing.lastStep = dt;
        time += double(dt);
        visit(time, particles);
    }
    return particles;
}

inline std::vector<float> equalSteps(double dt, int count) {
    return std::vector<float>(static_cast<size_t>(count), static_cast<float>(dt));
}

}  // namespace purl::test

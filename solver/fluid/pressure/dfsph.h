// Divergence-free SPH (Bender and Koschier 2015): two pressure solvers a step, one that keeps velocities from
// compressing the fluid, one that keeps its density. Both are Jacobi iterations on the same system, from the last
// step's pressures on.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/pressureSystem.h"

namespace purl {

// How a pressure solver fared.
struct PressureReport {
    int iterations = 0;
    double error = 0;  // %, mean of what δ is above 1, or of dfsph off 1 where pressure acts
};

class Dfsph {
  public:
    // On a CPU tuned loops take the plain kernels' place, unless not wanted.
    explicit Dfsph(const Device& device = Device::cpu(), bool tuned = true);

    // Lays out the system where the particles stand, writes their densities, and m/ρ (m³) into `volume`.
    void measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary, const Materials& materials,
                 Buffer<float>& volume);
    // Edit v, m/s, and leave their pressures with the particles.
    PressureReport solveDivergence(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                                   const SolverParams& params, float dt, Buffer<Vec3>& v);
    PressureReport solveDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                                const SolverParams& params, float dt, Buffer<Vec3>& v);
    // Its points are idle but while it measures and solves: memory for others' loops meanwhile. Called again, they come
    // back.
    void lendTo(LaneMemory& lanes) { points_.swap(lanes.points); }

  private:
    enum class Aim { divergence, density };
    PressureReport solve(Aim aim, Buffer<float>& pressure, const Particles& particles, const Neighbors& neighbors,
                         const Materials& materials, const SolverParams& params, float dt, Buffer<Vec3>& v);

    Device device_;
    bool tuned_;
    Span<PressurePoint> roomForPoints(int count);

    Buffer<Float4> points_;  // two a PressurePoint, so that they may be lent
    Buffer<Packed> wall_;    // empty where there are no walls
    Buffer<float> pairs_, delta_, diagonal_;
    Buffer<float> source_, excess_;  // δ left over before the pressures at hand; how far off it is, for plain loops
};

}  // namespace purl

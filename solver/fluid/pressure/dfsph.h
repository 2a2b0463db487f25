// Divergence-free SPH (Bender and Koschier 2015): two pressure solvers per step. One makes the velocity field
// divergence-free, the other removes density errors. Both run accelerated Jacobi iterations on the same system,
// warm-started with the pressures of the last step.
#pragma once
#include "solver/core/iterations.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/pressureSystem.h"

namespace purl {

// Convergence of a pressure solver.
struct PressureReport {
    int iterations = 0;
    double error = 0;  // %, mean excess of δ over 1; dfsph also counts deficits where pressure acts
};

// Of the iterations of dfsph, on the device.
struct DfsphProgress : IterationState {
    int sinceRestart = 0;  // of the acceleration
    float momentum = 0;    // β, see Relax
    double sum = 0;        // of the errors of δ
    double error = 0;      // %, see PressureReport
};

class Dfsph {
  public:
    explicit Dfsph(const Device& device = Device::cpu());

    // Assembles the system at the particles' positions. Writes densities, and m/ρ (m³) into `volume`.
    void measure(Particles& particles, const Neighbors& neighbors, const Boundary* boundary, const Materials& materials,
                 Buffer<float>& volume);
    // Change v, m/s, and store the pressures in the particles.
    PressureReport solveDivergence(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                                   const SolverParams& params, float dt, Buffer<Vec3>& v);
    PressureReport solveDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                                const SolverParams& params, float dt, Buffer<Vec3>& v);
    // Swaps the point buffer, which is unused outside measure and solve, with that of `lanes`, so that other loops can
    // use its memory. A second call swaps it back.
    void lendTo(LaneMemory& lanes) { points_.swap(lanes.points); }

  private:
    enum class Aim { divergence, density };
    PressurePoint* allocatePoints(int count);
    PressureReport solve(Aim aim, Buffer<float>& pressure, const Particles& particles, const Neighbors& neighbors,
                         const Materials& materials, const SolverParams& params, float dt, Buffer<Vec3>& v);

    Device device_;
    Buffer<Float4> points_;  // two per PressurePoint; of this type so that lendTo can swap them
    Buffer<Packed> wall_;    // empty without boundary samples
    Buffer<float> pairs_, delta_, diagonal_;
    Buffer<float> inverseMass_;      // 1/kg, with a padding element; empty if all are equal
    Buffer<float> source_, excess_;  // error of δ without pressure; its size with the current pressures
    Buffer<DfsphProgress> progress_;
    int expected_[2] = {8, 8};  // iterations, per aim
};

}  // namespace purl

// Warnings: one line each, about settings that were changed or look unwise.
#pragma once
#include <string>
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/stepLength.h"

namespace purl {

class Warnings {
  public:
    void clear() { *this = {}; }
    // Each line is reported once.
    void add(const std::string& line);
    const std::vector<std::string>& lines() const { return lines_; }

    // At the start: fluids without any particle in their volumes.
    void checkFill(const Scene& scene, const State& state);
    // Before a frame: settings that this scene cannot honour.
    void checkScene(const Scene& scene);
    // Before a frame: colliders from number `first` on, which were added since the last, with particles inside.
    void checkAddedColliders(const Scene& scene, const State& state, const Colliders& placed, size_t first);
    // Before a step: too long for stiffness, viscosity or speed, or so short that a frame takes very many steps.
    void checkStep(const Scene& scene, const State& state, const StepPlan& plan, const Extremes& extremes);
    // After a step: memory use of the velocity history.
    void checkMemory(const State& state);
    // After a frame: a cloth stretched beyond its limit.
    void checkStretch(const Cloth& cloth, double stretch);

  private:
    void checkStepLength(const Scene& scene, double dt);
    void checkStepCount(int steps, double dt);
    void checkSpeed(const Scene& scene, double dt, double speed);
    void checkOutliers(const State& state, const Extremes& extremes);

    std::vector<std::string> lines_;
    // Reported at most once between two starts, whatever the numbers.
    bool fast_ = false, outliers_ = false, manySteps_ = false;
};

}  // namespace purl

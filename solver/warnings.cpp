#include "solver/warnings.h"

#include <algorithm>

#include "solver/cloth/tear.h"
#include "solver/core/fourDigits.h"
#include "solver/core/hostView.h"

namespace purl {

void Warnings::add(const std::string& line) {
    if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(line);
}

void Warnings::checkFill(const Scene& scene, const State& state) {
    if (state.time > 0) return;
    std::vector<char> found(scene.fluids.size());
    for (const int body : readOnHost(state.particles.body)) found[body] = 1;
    for (size_t f = 0; f < found.size(); ++f)
        if (!found[f] && !scene.fluids[f].volumes.empty())
            add(scene.fluids[f].name +
                ": no particles: its volumes lie within colliders or other fluids; move one of them, or make the "
                "collider a container");
}

void Warnings::checkScene(const Scene& scene) {
    if (scene.solver.pressureSolver != PressureSolver::wcsph && !(scene.solver.wcsph.periodicSize == Vec3{}))
        add("solver: periodicSize works only with the pressureSolver wcsph; it is ignored");
    for (const Cloth& cloth : scene.cloths)
        if (cloth.params.tearStrain > 0 && !mayTear(scene))
            add(cloth.name +
                ": cloths tear only in scenes without fluids or absorbing cloths; its tearStrain is ignored");
}

void Warnings::checkAddedColliders(const Scene& scene, const State& state, const Colliders& placed, size_t first) {
    float spacing = 0;
    for (const Fluid& fluid : scene.fluids) spacing = std::max(spacing, fluid.params.particleSpacing);
    for (size_t c = first; c < scene.colliders.size(); ++c) {
        const Collider& collider = scene.colliders[c];
        if (collider.params.effect == ColliderEffect::kill) continue;
        // Contact can move a particle by a spacing without passing others.
        const int inside = countInside(state.particles, placed, static_cast<int>(c), spacing);
        if (inside > 0)
            add(collider.name + ": appears at " + fourDigits(state.time) + " s with " + std::to_string(inside) +
                " particles inside, which are thrown out at once; connect it at the start frame, or let it move or "
                "grow into the fluid");
    }
}

void Warnings::checkStep(const Scene& scene, const State& state, const StepPlan& plan, const Extremes& extremes) {
    checkStepLength(scene, plan.dt());
    checkStepCount(plan.steps, plan.dt());
    checkSpeed(scene, plan.dt(), extremes.speed);
    checkOutliers(state, extremes);
}

void Warnings::checkStepLength(const Scene& scene, double dt) {
    // Float parameters may exceed the limit by rounding.
    const auto tooLong = [&](double limit) { return dt > limit * (1 + 1e-5); };
    for (const Fluid& fluid : scene.fluids) {
        const double stiff = stiffnessStepLimit(scene, fluid.params),
                     viscous = viscosityStepLimit(fluid.params, scene.solver.dimensions);
        if (tooLong(stiff) && scene.solver.pressureSolver == PressureSolver::wcsph)
            add(fluid.name + ": steps of " + fourDigits(dt) + " s are longer than the " + fourDigits(stiff) +
                " s its stiffness allows; a smaller maxTimeStep (0: automatic), more subSteps or less stiffness "
                "helps");
        if (tooLong(viscous) && scene.solver.pressureSolver != PressureSolver::doubleDensity)
            add(fluid.name + ": steps of " + fourDigits(dt) + " s are longer than the " + fourDigits(viscous) +
                " s its viscosity allows; a smaller maxTimeStep (0: automatic), more subSteps or less viscosity "
                "helps");
    }
}

// Explains why frames take long.
void Warnings::checkStepCount(int steps, double dt) {
    constexpr int kManySteps = 5000;
    constexpr double kShortStep = 1e-5;  // s
    if (manySteps_ || steps <= kManySteps || dt > kShortStep) return;
    manySteps_ = true;
    add("solver: a frame takes " + std::to_string(steps) + " steps of " + fourDigits(dt) +
        " s; a longer maxTimeStep, less stiffness or viscosity, or a coarser particleSpacing makes it faster");
}

// No particle may move more than its support radius in a step (α = 1 in Bayraktar 5.27), even if the user set the step.
void Warnings::checkSpeed(const Scene& scene, double dt, double speed) {
    if (fast_ || scene.fluids.empty()) return;
    double h = kUnbounded;
    for (const Fluid& fluid : scene.fluids) h = std::min(h, supportRadius(scene, fluid.params));
    if (dt * speed <= h) return;
    fast_ = true;
    const SolverParams& solver = scene.solver;
    const std::string help = dt <= 1.001 * solver.minTimeStep ? "a smaller minTimeStep helps"
                             : !(solver.cfl > 0)              ? "cfl above 0 lets fast particles shorten steps"
                                                 : "a smaller maxTimeStep (0: automatic) or more subSteps helps";
    add("solver: at " + fourDigits(speed) + " m/s a particle moves " + fourDigits(dt * speed / h) +
        " support radii in a step of " + fourDigits(dt) + " s; " + help);
}

void Warnings::checkOutliers(const State& state, const Extremes& extremes) {
    const Outliers& outliers = extremes.outliers;
    if (outliers_ || outliers.count == 0 || outliers.fastest < 2 * extremes.speed) return;
    outliers_ = true;
    add("solver: at " + fourDigits(state.time) + " s " + std::to_string(outliers.count) + " of " +
        std::to_string(state.particles.count()) + (outliers.count == 1 ? " particles moves" : " particles move") +
        " at up to " + fourDigits(outliers.fastest) + " m/s, all others below " + fourDigits(extremes.speed) +
        " m/s; steps are not shortened for so few. If this is not intended, look for a gap between a fill and "
        "its container, or for overlapping objects");
}

void Warnings::checkMemory(const State& state) {
    constexpr double kMaxMegabytes = 1024;
    const double megabytes = 4e-6 * double(state.particles.history.values.size());
    if (megabytes > kMaxMegabytes)
        add("solver: past velocities take more than " + fourDigits(kMaxMegabytes) +
            " MB; a shorter fractionalMemory or hardeningMemory, or a longer hardeningStride helps");
}

void Warnings::checkStretch(const Cloth& cloth, double stretch) {
    const double limit = cloth.params.strainLimit;
    // Strain limiting per spring leaves up to a tenth more.
    if (limit > 0 && stretch > 1.1 * limit)
        add(cloth.name + ": stretches beyond its strainLimit of " + fourDigits(100 * limit) +
            " %; a smaller maxTimeStep helps");
}

}  // namespace purl

#include "nodes/doctor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "nodes/doctorChecks.h"
#include "nodes/mayaYear.h"

namespace purl {
namespace {

constexpr double kEarthGravity = 9.81;  // m/s²

void checkSolver(const Patient& patient, Problems& found) {
    if (!patient.followsTime) {
        Problem problem = problemOf(Harm::error, patient.name, "does not follow time: nothing would move");
        problem.remedy = "connect time1.outTime to it";
        problem.connections = {{"time1.outTime", patient.name + ".currentTime"}};
        found.push_back(problem);
    }
    if (!patient.enabled)
        found.push_back(remedied(problemOf(Harm::warning, patient.name, "is switched off: it keeps its last frame"),
                                 "switch it on", {patient.name + ".enable=on"}));
    const int start = patient.startFrame;
    if (start > patient.last || start < patient.first)
        found.push_back(
            remedied(problemOf(Harm::warning, patient.name,
                               "starts at frame " + std::to_string(start) + ", outside the playback range " +
                                   std::to_string(patient.first) + " to " + std::to_string(patient.last)),
                     "start at frame " + std::to_string(patient.first),
                     {patient.name + ".startFrame=" + std::to_string(patient.first)}));
    const double gravity = std::abs(double(patient.bodies.solver.gravity));
    if (gravity > 20 * kEarthGravity)
        found.push_back(
            remedied(problemOf(Harm::warning, patient.name,
                               "has a gravity of " + text(gravity) + " m/s², " + text(gravity / kEarthGravity) +
                                   " times that of the earth; gravity is in m/s², not in the scene's units"),
                     "set it to 9.81", {patient.name + ".gravity=9.81"}));
    const Vec3 down = patient.bodies.solver.gravityDirection;
    if (gravity > 0 && patient.zUp && std::abs(down.z) < std::abs(down.y))
        found.push_back(
            remedied(problemOf(Harm::warning, patient.name,
                               "has gravity along y, but the scene's up axis is z: everything falls sideways"),
                     "let gravity point along -z", {patient.name + ".gravityDirection=0 0 -1"}));
    const double cached = patient.bytesPerFrame * (patient.last - patient.first + 1);
    if (cached > kMaxCachedBytes)
        found.push_back(problemOf(Harm::note, patient.name,
                                  "would take " + text(1e-9 * cached) +
                                      " GB in cached playback, which therefore is off; write a cache to disk"));
    if (patient.bodies.fluids.empty() && patient.bodies.cloths.empty() && patient.bodies.knits.empty() &&
        patient.bodies.softBodies.empty())
        found.push_back(problemOf(Harm::error, patient.name,
                                  "has nothing to simulate: connect a fluid, cloth, knit or soft body to its bodies"));
}

// Time steps that are unstable for any material, because particles overtake their neighbours.
void checkSteps(const Patient& patient, Problems& found) {
    const double step = double(patient.bodies.solver.maxTimeStep);
    const double frame = 1 / patient.fps;
    const double sub = frame / std::max(1, patient.bodies.solver.subSteps);
    const bool wcsph = patient.bodies.solver.pressureSolver == PressureSolver::wcsph;
    for (const Fluid& fluid : patient.bodies.fluids) {
        // A rule of thumb, wider than the solver's own bound: with wcsph, sound travels at most two spacings per step;
        // c² = stiffness.
        const double sound = std::sqrt(double(fluid.params.stiffness));
        const double spacing = patient.meters * double(fluid.params.particleSpacing);
        const double limit = wcsph && sound > 0 ? 2 * spacing / sound : 0.01;
        const double taken = std::min(step, sub);
        if (step > 0 && taken > limit)
            found.push_back(remedied(problemOf(Harm::warning, patient.name,
                                               "takes steps of " + text(taken) + " s, but " + fluid.name +
                                                   " is stable up to about " + text(limit) + " s only: it may explode"),
                                     "let the solver choose the time step", {patient.name + ".maxTimeStep=0"}));
    }
    if (!patient.bodies.fluids.empty() && patient.bodies.solver.cfl == 0)
        found.push_back(remedied(
            problemOf(Harm::warning, patient.name,
                      "does not shorten the time step for fast particles (cfl is 0): they pass through colliders"),
            "set cfl to 0.2", {patient.name + ".cfl=0.2"}));
    for (const Cloth& cloth : patient.bodies.cloths)
        if (cloth.params.maxTimeStep > 0.02f)
            found.push_back(remedied(problemOf(Harm::warning, cloth.name,
                                               "takes steps of " + text(double(cloth.params.maxTimeStep)) +
                                                   " s: it stretches like rubber and misses collisions"),
                                     "set its maxTimeStep to 0.004", {cloth.name + ".maxTimeStep=0.004"}));
}

}  // namespace

std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3g", value);
    return buffer;
}

std::string typed(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2g", value);
    return buffer;
}

std::string lengthText(const Patient& patient, double length) { return text(length) + " " + patient.lengthUnit; }

double largestSpacing(const Patient& patient) {
    double spacing = 0;
    for (const Fluid& fluid : patient.bodies.fluids)
        if (fluid.params.kind == FluidKind::liquid) spacing = std::max(spacing, double(fluid.params.particleSpacing));
    return spacing;
}

Problem problemOf(Harm harm, const std::string& node, const std::string& what) {
    Problem problem;
    problem.harm = harm;
    problem.node = node;
    problem.what = what;
    return problem;
}

Problem remedied(Problem problem, const std::string& remedy, std::vector<std::string> assignments) {
    problem.remedy = remedy;
    problem.assignments = std::move(assignments);
    return problem;
}

std::vector<Problem> examine(const Patient& patient) {
    Problems found;
    checkSolver(patient, found);
    checkSteps(patient, found);
    checkUnits(patient, found);
    checkColliders(patient, found);
    checkFluids(patient, found);
    checkFills(patient, found);
    checkEmitters(patient, found);
    checkFabrics(patient, found);
    return found;
}

}  // namespace purl

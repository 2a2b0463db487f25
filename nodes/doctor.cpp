#include "nodes/doctor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace purl {
namespace {

constexpr double kLargestGarment = 12, kSmallestGarment = 0.01;  // m: a stage curtain, a doll's sock
constexpr double kManyParticles = 3e6, kFewParticles = 60;
constexpr double kUsualParticles = 2e5;  // what a remedy aims at
constexpr double kEarth = 9.81;

std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3g", value);
    return buffer;
}

// In two digits: a value that a person might have typed.
std::string typed(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2g", value);
    return buffer;
}

// Edges of one face only.
int openEdges(const TriangleMesh& mesh) {
    std::vector<std::pair<int, int>> sides;
    sides.reserve(mesh.triangles.size());
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t + k], b = mesh.triangles[t + (k + 1) % 3];
            sides.emplace_back(std::min(a, b), std::max(a, b));
        }
    std::sort(sides.begin(), sides.end());
    int open = 0;
    for (size_t i = 0, end = 0; i < sides.size(); i = end) {
        while (end < sides.size() && sides[end] == sides[i]) ++end;
        if (end - i == 1) ++open;
    }
    return open;
}

// V = Σ a · (b × c) / 6; below zero where the faces look inwards.
double volumeOf(const TriangleMesh& mesh) {
    double sum = 0;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const auto at = [&](size_t k) { return mesh.vertices[static_cast<size_t>(mesh.triangles[t + k])]; };
        sum += double(dot(at(0), cross(at(1), at(2)))) / 6;
    }
    return sum;
}

Bounds boundsOf(const std::vector<Vec3>& points) {
    Bounds bounds;
    for (const Vec3 p : points) bounds.include(p);
    return bounds;
}

double largestSide(const Bounds& bounds) {
    if (bounds.empty()) return 0;
    const Vec3 size = bounds.size();
    return std::max({size.x, size.y, size.z});
}

using Problems = std::vector<Problem>;

void checkSolver(const Patient& patient, Problems& found) {
    if (!patient.followsTime) {
        Problem problem = problemOf(Harm::error, patient.name, "does not follow time: nothing would move");
        problem.remedy = "connect time1.outTime to it";
        problem.connections = {{"time1.outTime", patient.name + ".currentTime"}};
        found.push_back(problem);
    }
    if (!patient.enabled)
        found.push_back(remedied(problemOf(Harm::warning, patient.name, "is switched off: frames stay as they are"),
                                 "switch it on", {patient.name + ".enable=on"}));
    const int start = patient.startFrame;
    if (start > patient.last || start < patient.first)
        found.push_back(
            remedied(problemOf(Harm::warning, patient.name,
                               "starts at frame " + std::to_string(start) + ", outside of the playback range " +
                                   std::to_string(patient.first) + " to " + std::to_string(patient.last)),
                     "start at frame " + std::to_string(patient.first),
                     {patient.name + ".startFrame=" + std::to_string(patient.first)}));
    const double gravity = std::abs(double(patient.bodies.solver.gravity));
    if (gravity > 20 * kEarth)
        found.push_back(remedied(problemOf(Harm::warning, patient.name,
                                           "has a gravity of " + text(gravity) + " m/s², " + text(gravity / kEarth) +
                                               " times the earth's; it is not in the scene's units"),
                                 "set it to 9.81", {patient.name + ".gravity=9.81"}));
    if (patient.bodies.fluids.empty() && patient.bodies.cloths.empty() && patient.bodies.knits.empty() &&
        patient.bodies.softBodies.empty())
        found.push_back(
            problemOf(Harm::error, patient.name,
                      "has nothing to simulate: connect a fluid, a cloth, a knit or a soft body to its bodies"));
}

// Longer steps than that were never stable, whatever the material: a fluid's particles cross their neighbours.
void checkSteps(const Patient& patient, Problems& found) {
    const double step = double(patient.bodies.solver.maxTimeStep);
    const double frame = 1 / patient.fps;
    const double sub = frame / std::max(1, patient.bodies.solver.subSteps);
    const bool wcsph = patient.bodies.solver.pressureSolver == PressureSolver::wcsph;
    for (const Fluid& fluid : patient.bodies.fluids) {
        // A rule of thumb, wider than the solver's own bound: in wcsph sound crosses no more than two spacings in a
        // step; c² = stiffness.
        const double sound = std::sqrt(double(fluid.params.stiffness));
        const double spacing = patient.meters * double(fluid.params.particleSpacing);
        const double limit = wcsph && sound > 0 ? 2 * spacing / sound : 0.01;
        const double taken = std::min(step, sub);
        if (step > 0 && taken > limit)
            found.push_back(remedied(problemOf(Harm::warning, patient.name,
                                               "takes steps of " + text(taken) + " s, where " + fluid.name +
                                                   " bears about " + text(limit) + " s: it may blow up"),
                                     "let the solver choose its steps", {patient.name + ".maxTimeStep=0"}));
    }
    if (!patient.bodies.fluids.empty() && patient.bodies.solver.cfl == 0)
        found.push_back(
            remedied(problemOf(Harm::warning, patient.name,
                               "does not shorten steps for fast particles (cfl is 0): they go through walls"),
                     "set cfl to 0.2", {patient.name + ".cfl=0.2"}));
    for (const Cloth& cloth : patient.bodies.cloths)
        if (cloth.params.maxTimeStep > 0.02f)
            found.push_back(remedied(problemOf(Harm::warning, cloth.name,
                                               "takes steps of " + text(double(cloth.params.maxTimeStep)) +
                                                   " s: it stretches like rubber and misses what it should touch"),
                                     "set its maxTimeStep to 0.004", {cloth.name + ".maxTimeStep=0.004"}));
}

// Garments tell the scale of a scene: people are of one size.
void checkScale(const Patient& patient, Problems& found) {
    double largest = 0;
    std::string whose;
    const auto measure = [&](const std::string& name, const std::vector<Vec3>& points) {
        const double side = largestSide(boundsOf(points));
        if (side <= largest) return;
        largest = side;
        whose = name;
    };
    for (const Cloth& cloth : patient.bodies.cloths) measure(cloth.name, cloth.points);
    for (const Knit& knit : patient.bodies.knits) measure(knit.name, knit.points);
    const double size = largest * patient.meters;
    if (largest <= 0 || (size <= kLargestGarment && size >= kSmallestGarment)) return;
    // The power of ten that makes it between a hand's breadth and as tall as a person.
    const double scale = std::pow(10, std::floor(std::log10(2 / largest)));
    found.push_back(remedied(problemOf(Harm::warning, whose,
                                       "is " + text(size) + " m large: it would move as " +
                                           (size > 1 ? "slowly as something huge" : "fast as something tiny")),
                             "read a unit of the scene as " + typed(scale) + " m",
                             {patient.name + ".spaceScale=" + typed(scale)}));
}

void checkColliders(const Patient& patient, Problems& found) {
    for (const Collider& collider : patient.bodies.colliders) {
        if (collider.params.shape != ColliderShape::mesh) continue;
        if (collider.mesh.empty()) {
            found.push_back(problemOf(Harm::error, collider.name, "has no faces: nothing collides with it"));
            continue;
        }
        const int open = openEdges(collider.mesh);
        const bool dynamic = collider.params.motion == ColliderMotion::dynamic;
        if (open > 0 && (dynamic || collider.params.container)) {
            found.push_back(problemOf(Harm::error, collider.name,
                                      "has " + std::to_string(open) + " open edges: it has no inside, and so cannot " +
                                          (dynamic ? "be a rigid body" : "hold anything") + "; fill the holes"));
        } else if (open > 0) {
            // A sheet needs some thickness, or what comes fast and from both sides is let through.
            double spacing = 0;
            for (const Fluid& fluid : patient.bodies.fluids)
                spacing = std::max(spacing, double(fluid.params.particleSpacing));
            Problem problem = problemOf(Harm::note, collider.name,
                                        "is open (" + std::to_string(open) + " edges): it counts as a thin sheet");
            if (spacing > 0 && double(collider.params.thickness) < 0.25 * spacing)
                problem = remedied(problem, "keep particles half a spacing off it",
                                   {collider.name + ".thickness=" + typed(0.5 * spacing)});
            found.push_back(problem);
        } else if (volumeOf(collider.mesh) < 0) {
            found.push_back(
                problemOf(Harm::warning, collider.name, "is inside out: its faces look inwards; reverse its normals"));
        } else {
            const double side = largestSide(boundsOf(collider.mesh.vertices));
            if (volumeOf(collider.mesh) < 1e-9 * side * side * side)
                found.push_back(problemOf(Harm::warning, collider.name,
                                          "is closed but has no volume: nothing is inside of it; give it some depth"));
        }
    }
}

void checkFluids(const Patient& patient, Problems& found) {
    const auto soaks = [](const auto& fabric) { return fabric.pores.absorb(); };
    const bool drips = std::any_of(patient.bodies.cloths.begin(), patient.bodies.cloths.end(), soaks) ||
                       std::any_of(patient.bodies.knits.begin(), patient.bodies.knits.end(), soaks);
    for (const Fluid& fluid : patient.bodies.fluids) {
        if (fluid.volumes.empty() && fluid.emitters.empty()) {
            if (drips) continue;  // what falls off fabrics is of it
            found.push_back(
                problemOf(Harm::error, fluid.name,
                          "has no particles: connect a closed mesh to its inMesh, or an emitter to its inEmitter"));
            continue;
        }
        double volume = 0;
        for (const TriangleMesh& mesh : fluid.volumes) {
            const int open = openEdges(mesh);
            if (open > 0)
                found.push_back(problemOf(Harm::error, fluid.name,
                                          "is to fill a mesh with " + std::to_string(open) +
                                              " open edges: it has no inside; fill the holes"));
            volume += std::abs(volumeOf(mesh));
        }
        if (fluid.volumes.empty()) continue;
        const double spacing = double(fluid.params.particleSpacing);
        const double count = volume / (spacing * spacing * spacing);
        if (count <= kManyParticles && count >= kFewParticles) continue;
        const double better = std::cbrt(volume / (count > kManyParticles ? kUsualParticles : 2e4));
        found.push_back(remedied(
            problemOf(Harm::warning, fluid.name,
                      "would have about " + text(count) + " particles: " +
                          (count > kManyParticles ? "frames take minutes and much memory" : "too few to flow")),
            "set its particleSpacing to " + typed(better), {fluid.name + ".particleSpacing=" + typed(better)}));
    }
}

}  // namespace

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
    checkScale(patient, found);
    checkColliders(patient, found);
    checkFluids(patient, found);
    return found;
}

}  // namespace purl

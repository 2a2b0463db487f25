#include "farm/estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "nodes/doctorGeometry.h"
#include "solver/core/error.h"
#include "solver/core/threadPool.h"

namespace purl {
namespace {

// Measured costs (docs/performance.md). Time: nanoseconds of one core per particle and step, from the 30 k and 125 k
// dam breaks with two threads. Memory: peak bytes of the solver per particle.
struct SolverCost {
    double nanoseconds, bytes;
};
SolverCost costOf(PressureSolver solver) {
    switch (solver) {
        case PressureSolver::wcsph: return {500, 400};
        case PressureSolver::dfsph: return {1200, 575};
        case PressureSolver::pbf: return {2500, 620};
        case PressureSolver::doubleDensity: return {2500, 620};
    }
    return {1200, 575};
}
// Frames, surfaces and files being written: damBreak with 998,752 particles peaked at 1285 bytes per particle.
constexpr double kFrameBytes = 710;
constexpr double kProgramMegabytes = 40;     // with an empty scene
constexpr double kClothNanoseconds = 220;    // per vertex and step (docs/performance.md)
constexpr double kClothBytes = 1100;         // per vertex: drape peaked at 56 MB
constexpr double kStitchPoints = 3;          // mass points per stitch of a simulated knit
constexpr double kSpeedOfFreeFall = 0.7;     // mean over the range of the largest particle speed, relative to free fall
constexpr double kSupportRadius = 2;         // spacings
constexpr double kMemoryWarningShare = 0.8;  // share of the machine's memory that triggers a warning
constexpr double kLitre = 1e-3;              // m³

// With thousands separators.
std::string grouped(double value) {
    std::string text = std::to_string(static_cast<long long>(std::llround(value)));
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<size_t>(at), ",");
    return text;
}

// The same, rounded to three significant digits.
std::string about(double value) {
    const double unit = value >= 1000 ? std::pow(10, std::floor(std::log10(value)) - 2) : 1;
    return grouped(unit * std::round(value / unit));
}

std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.1g" : "%.0f", value);
    return text;
}

std::string memoryText(double megabytes) {
    char text[32];
    std::snprintf(text, sizeof text, megabytes < 1000 ? "%.0f MB" : "%.1f GB",
                  megabytes < 1000 ? megabytes : megabytes / 1000);
    return text;
}

std::string timeText(double minutes) {
    if (minutes < 1) return "less than a minute";
    return minutes < 120 ? rounded(minutes) + " min" : rounded(minutes / 60) + " h";
}

std::string spacingText(const Patient& patient, const Fluid& fluid) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", double(fluid.params.particleSpacing));
    return text + (" " + patient.lengthUnit);
}

// Volume of a particle in m³, or area in m² in two dimensions.
double particleSize(const Patient& patient, const Fluid& fluid) {
    const double spacing = patient.meters * double(fluid.params.particleSpacing);
    return patient.bodies.solver.dimensions == 2 ? spacing * spacing : spacing * spacing * spacing;
}

double filledParticles(const Patient& patient, const Fluid& fluid) {
    double count = 0;
    for (const TriangleMesh& mesh : fluid.volumes) {
        if (patient.bodies.solver.dimensions == 2) {
            const Bounds box = boundsOf(mesh.vertices);  // upper bound: its bounding box in the plane z = 0
            count += patient.meters * patient.meters * double(box.size().x) * double(box.size().y) /
                     particleSize(patient, fluid);
        } else {
            count += std::pow(patient.meters, 3) * std::abs(volumeOf(mesh)) / particleSize(patient, fluid);
        }
    }
    return count;
}

// Particles emitted after so many seconds.
double emittedParticles(const Patient& patient, const Fluid& fluid, double seconds) {
    double litres = 0;
    for (const Emitter& emitter : fluid.emitters) {
        const EmitterParams& p = emitter.params;
        const double end = p.endTime > 0 ? std::min(seconds, double(p.endTime)) : seconds;
        double own = double(p.rate) * std::max(0.0, end - double(p.startTime));
        if (p.maxVolume > 0) own = std::min(own, double(p.maxVolume));
        litres += own;
    }
    return kLitre * litres / particleSize(patient, fluid);
}

// Time steps per frame: no particle may move farther than cfl support radii, at the speed of a fall over the height of
// the scene.
double stepsPerFrame(const Patient& patient, double spacing) {
    const SolverParams& solver = patient.bodies.solver;
    Bounds box;
    double speed = 0;
    for (const Fluid& fluid : patient.bodies.fluids) {
        for (const TriangleMesh& mesh : fluid.volumes)
            for (const Vec3 p : mesh.vertices) box.include(p);
        for (const Emitter& emitter : fluid.emitters) {
            box.include(emitter.pose.position);
            speed = std::max(speed, double(emitter.params.speed));
        }
    }
    for (const Collider& collider : patient.bodies.colliders) {
        if (collider.params.shape == ColliderShape::mesh)
            for (const Vec3 p : collider.mesh.vertices) box.include(p);
        else if (collider.params.shape == ColliderShape::plane)
            box.include(collider.pose.position);
    }
    const double height = box.empty() ? 0 : patient.meters * double(box.size().y);
    speed += kSpeedOfFreeFall * std::sqrt(2 * std::abs(double(solver.gravity)) * height);
    const double support = kSupportRadius * spacing;
    double step = 1 / patient.fps / std::max(1, solver.subSteps);
    if (solver.pressureSolver == PressureSolver::wcsph) {
        for (const Fluid& fluid : patient.bodies.fluids)  // c² = stiffness
            step = std::min(step, 0.5 * support / std::max(1.0, std::sqrt(double(fluid.params.stiffness))));
    } else if (solver.cfl > 0 && speed > 0) {
        step = std::min(step, double(solver.cfl) * support / speed);
    }
    if (solver.maxTimeStep > 0) step = std::min(step, double(solver.maxTimeStep));
    step = std::max(step, double(solver.minTimeStep));
    return std::max(1.0, std::ceil(1 / patient.fps / step));
}

double fabricPoints(const Patient& patient) {
    double points = 0;
    for (const Cloth& cloth : patient.bodies.cloths) points += double(cloth.points.size());
    for (const SoftBody& body : patient.bodies.softBodies) points += double(body.points.size());
    for (const Knit& knit : patient.bodies.knits) {
        if (knit.params.motion != KnitMotion::simulated) continue;
        const double stitch = double(knit.params.stitchWidth) * double(knit.params.stitchHeight);
        points += kStitchPoints * areaOf(meshOf(knit.points, knit.faces)) / std::max(1e-12, stitch);
    }
    return points;
}

}  // namespace

std::string Estimate::text() const {
    return "about " + about(particles) + " particles, " + memoryText(megabytes) + ", " + timeText(minutes);
}

Estimate estimateRun(const Patient& patient, int last, int threads, double machineMegabytes) {
    const Scene& bodies = patient.bodies;
    const double limit = double(bodies.solver.maxParticles);
    const int frames = std::max(0, last - patient.startFrame);
    const double seconds = frames / patient.fps * double(bodies.solver.timeScale);
    const double cores = threads > 0 ? threads : processorCount();
    const SolverCost cost = costOf(bodies.solver.pressureSolver);

    Estimate estimate;
    double filled = 0, spacing = 0;
    for (const Fluid& fluid : bodies.fluids) {
        const double own = filledParticles(patient, fluid);
        filled += own;
        // Tolerate 10 %: the exact number depends on the lattice.
        if (filled > 1.1 * limit)
            throw Error(fluid.name + ": its meshes hold about " + about(own) + " particles at particleSpacing " +
                        spacingText(patient, fluid) + ", more than " + patient.name + ".maxParticles " +
                        grouped(limit) + "; use a larger particleSpacing or a larger maxParticles");
        estimate.wanted += own + emittedParticles(patient, fluid, seconds);
        const double meters = patient.meters * double(fluid.params.particleSpacing);
        spacing = spacing > 0 ? std::min(spacing, meters) : meters;
    }
    estimate.particles = std::min(estimate.wanted, std::max(limit, filled));

    const double fabric = fabricPoints(patient);
    double coreSeconds = 0;
    const double steps = bodies.fluids.empty() ? 1 : stepsPerFrame(patient, spacing);
    double clothStep = 0.004;
    for (const Cloth& cloth : bodies.cloths) clothStep = std::min(clothStep, double(cloth.params.maxTimeStep));
    int full = 0;  // first frame in which maxParticles limits emission
    for (int frame = 1; frame <= frames; ++frame) {
        double count = filled;
        for (const Fluid& fluid : bodies.fluids)
            count += emittedParticles(patient, fluid, frame / patient.fps * double(bodies.solver.timeScale));
        if (count > limit && full == 0) full = patient.startFrame + frame;
        coreSeconds += 1e-9 * cost.nanoseconds * std::min(count, limit) * steps;
        coreSeconds += 1e-9 * kClothNanoseconds * fabric * std::max(steps, 1 / patient.fps / clothStep);
    }
    estimate.minutes = coreSeconds / cores / 60;
    estimate.megabytes =
        kProgramMegabytes + 1e-6 * ((cost.bytes + kFrameBytes) * estimate.particles + kClothBytes * fabric);

    if (full > 0)
        estimate.warnings.push_back("the emitters would emit " + about(estimate.wanted - filled) +
                                    " particles; emission stops at " + patient.name + ".maxParticles " +
                                    grouped(limit) + " in frame " + std::to_string(full) +
                                    "; a larger particleSpacing needs fewer");
    if (estimate.megabytes > kMemoryWarningShare * machineMegabytes)
        estimate.warnings.push_back("the run needs about " + memoryText(estimate.megabytes) + ", this machine has " +
                                    memoryText(machineMegabytes) + "; a larger particleSpacing needs less");
    return estimate;
}

}  // namespace purl

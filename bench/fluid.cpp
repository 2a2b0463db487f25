// A dam break in a closed box, timed step by step: the scene that bench/fluid runs in the rival too. Prints one JSON
// object: times in milliseconds a step (cpu: of all threads), compression as the mean over particles and steps of
// what δ is above 1.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/shapes.h"
#include "solver/core/error.h"
#include "solver/fluid/material.h"
#include "solver/reference/registry.h"
#include "solver/simulator.h"

namespace {

using namespace purl;

struct Options {
    std::string solver = "wcsph", walls = "automatic";
    int side = 50;         // particles along an edge of the water cube
    float radius = 0.01f;  // m, half the spacing
    double dt = 0.0005;    // s
    int warm = 5, steps = 50, threads = 2, iterations = 0;
    int fluids = 1;        // 2: the upper half is oil
    float error = 0;       // %, mean compression allowed; 0: as asked of the rival
    bool predict = false;  // how much faster the steps are on more cores
    // Any other parameter of the solver, the water or the box: name and value.
    std::vector<std::pair<std::string, std::string>> set;
};

Options optionsOf(int count, char** words) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i];
        const char* const value = words[i + 1];
        if (name == "--solver")
            options.solver = value;
        else if (name == "--walls")
            options.walls = value;
        else if (name == "--side")
            options.side = std::atoi(value);
        else if (name == "--radius")
            options.radius = std::strtof(value, nullptr);
        else if (name == "--dt")
            options.dt = std::atof(value);
        else if (name == "--warm")
            options.warm = std::atoi(value);
        else if (name == "--steps")
            options.steps = std::atoi(value);
        else if (name == "--threads")
            options.threads = std::atoi(value);
        else if (name == "--iterations")
            options.iterations = std::atoi(value);
        else if (name == "--fluids")
            options.fluids = std::atoi(value);
        else if (name == "--error")
            options.error = std::strtof(value, nullptr);
        else if (name == "--predict")
            options.predict = std::atoi(value) != 0;
        else if (name == "--set" && std::strchr(value, '='))
            options.set.emplace_back(std::string(value, std::strchr(value, '=')), std::strchr(value, '=') + 1);
        else
            throw Error(
                "no option " + name +
                "; there are solver walls side radius dt warm steps threads iterations fluids error predict set "
                "(name=value)");
    }
    return options;
}

template <class Choice>
Choice choiceOf(const std::string& name) {
    int index = 0;
    for (const auto& choice : choicesOf(Choice{})) {
        if (*choice && name == choice) return static_cast<Choice>(index);
        ++index;
    }
    throw Error("no choice " + name);
}

// True if one of the parameters has the name.
template <class Params>
bool setParam(Params& params, const std::string& name, const std::string& value) {
    bool found = false;
    describe(
        [&](auto& field, const About& about) {
            using Field = std::remove_reference_t<decltype(field)>;
            if (name != about.name) return;
            found = true;
            if constexpr (std::is_enum_v<Field>)
                field = choiceOf<Field>(value);
            else if constexpr (std::is_arithmetic_v<Field>)
                field = static_cast<Field>(std::atof(value.c_str()));
            else
                throw Error(name + " is not one number");
        },
        params);
    return found;
}

Scene damBreak(const Options& options) {
    Scene scene;
    scene.solver.pressureSolver = choiceOf<PressureSolver>(options.solver);
    scene.solver.maxTimeStep = static_cast<float>(options.dt);
    scene.solver.cfl = 0;
    scene.solver.maxDensityError = scene.solver.pressureSolver == PressureSolver::pbf ? 0.1f : 0.05f;  // as the rival
    if (options.error > 0) scene.solver.maxDensityError = options.error;
    scene.solver.dfsph.maxDivergenceError = 0.1f;
    scene.solver.xsph = scene.solver.pbf.artificialPressure = 0;  // the rival has neither
    scene.solver.pbf.iterations = 100;
    if (options.iterations > 0) {
        scene.solver.pbf.iterations = scene.solver.dfsph.minIterations = scene.solver.dfsph.maxIterations =
            options.iterations;
        scene.solver.maxDensityError = 1e-5f;
    }

    const float spacing = 2 * options.radius, edge = spacing * static_cast<float>(options.side + 1);
    Fluid water;
    water.name = "water";
    water.params.restDensity = 1000;
    water.params.particleSpacing = spacing;
    water.params.wcsph.kernelParticles = static_cast<float>(4 * kPi / 3 * 8);  // a support of two spacings
    water.params.wcsph.stateEquation = StateEquation::tait;
    water.params.stiffness = 350;  // p = 50 kPa ((ρ/ρ₀)⁷ − 1)
    water.params.wcsph.attraction = 0;
    water.params.viscosity = 10;  // ν = 0.01 m²/s
    water.params.surfaceTension = 0;
    const float r = options.radius;
    const float split = options.fluids > 1 ? spacing * static_cast<float>((options.side + 1) / 2) : edge;
    water.volumes.push_back(boxMesh({r, r, r}, {edge - r, split - r, edge - r}));
    scene.fluids.push_back(water);
    if (options.fluids > 1) {
        Fluid oil = water;
        oil.name = "oil";
        oil.params.restDensity = 900;
        oil.params.viscosity = 20;
        oil.volumes = {boxMesh({r, split + r, r}, {edge - r, edge - r, edge - r})};
        scene.fluids.push_back(oil);
    }

    Collider box;
    box.name = "box";
    box.params.shape = ColliderShape::box;
    box.params.container = true;
    if (formerVariant("boundary", options.walls))
        box.params.reference.boundary = choiceOf<ReferenceBoundary>(options.walls);
    else
        box.params.boundary = choiceOf<WallModel>(options.walls);
    box.params.halfSize = {1.25f, 1, edge / 2};
    box.pose.position = box.params.halfSize;
    scene.colliders.push_back(box);
    for (const auto& [name, value] : options.set) {
        bool found = setParam(scene.solver, name, value) || setParam(scene.colliders[0].params, name, value);
        for (Fluid& fluid : scene.fluids) found = setParam(fluid.params, name, value) || found;
        if (!found) throw Error("no parameter " + name);
    }
    return scene;
}

// Milliseconds: of the clock, and of all threads at work.
struct Stamp {
    double clock, work;
};

Stamp now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto ms = [](const timeval& time) { return 1e3 * double(time.tv_sec) + 1e-3 * double(time.tv_usec); };
    return {1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            ms(usage.ru_utime) + ms(usage.ru_stime)};
}

// How far above its rest density a fluid is: the mean over all particles, and the largest δ.
struct Compression {
    double mean = 0, largest = 0;
};

Compression compressionOf(const Buffer<float>& densities, float restDensity) {
    Compression compression;
    for (const float density : densities) {
        const double ratio = double(density) / restDensity;
        compression.mean += std::max(ratio - 1, 0.0);
        compression.largest = std::max(compression.largest, ratio);
    }
    compression.mean /= densities.size();
    return compression;
}

// By how much the recorded phases are sped up by 2 to 64 threads.
void printPrediction(const std::vector<PhaseTime>& phases) {
    double one = 0, many[LoopRecord::kPredictions] = {};
    for (const PhaseTime& phase : phases) {
        one += phase.processor();
        for (int k = 0; k < LoopRecord::kPredictions; ++k) many[k] += phase.predicted(k);
    }
    std::printf(", \"predictedGain\": {");
    for (int k = 0; k < LoopRecord::kPredictions; ++k)
        std::printf("%s\"%d\": %.2f", k ? ", " : "", LoopRecord::kCores[k], one / many[k]);
    std::printf("}");
}

int run(const Options& options) {
    const Scene scene = damBreak(options);
    Simulator simulator(Device::cpu(options.threads));
    simulator.reset(scene);
    if (options.warm > 0) simulator.advanceTo(scene, options.warm * options.dt);
    simulator.clearTimings();
    simulator.recordLoops(options.predict);

    std::vector<double> times;
    double work = 0, compression = 0, largest = 0;
    Stamp last{};
    simulator.onProgress([&](const Progress&) {
        const Stamp stamp = now();
        // The first carries the copy of the state made for the frame.
        if (last.clock > 0) {
            times.push_back(stamp.clock - last.clock);
            work += stamp.work - last.work;
        }
        const Compression here = compressionOf(simulator.state().particles.density, scene.fluids[0].params.restDensity);
        compression += here.mean / options.steps;
        largest = std::max(largest, here.largest);
        last = now();
    });
    const Frame& frame = simulator.advanceTo(scene, (options.warm + options.steps) * options.dt);

    const auto particles = static_cast<double>(frame.points.count());
    std::vector<double> ordered = times;
    std::sort(ordered.begin(), ordered.end());
    double sum = 0;
    for (const double time : times) sum += time;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);

    std::printf("{\"solver\": \"%s\", \"walls\": \"%s\", \"particles\": %.0f, \"steps\": %zu, ", options.solver.c_str(),
                options.walls.c_str(), particles, times.size());
    std::printf("\"mean\": %.3f, \"median\": %.3f, \"best\": %.3f, \"cpu\": %.3f, ", sum / double(times.size()),
                ordered[ordered.size() / 2], ordered[0], work / double(times.size()));
    std::printf("\"compression\": %.6f, \"largest\": %.5f, \"iterations\": %.2f, \"divergenceIterations\": %.2f, ",
                compression, largest, frame.stats.iterations, frame.stats.divergenceIterations);
    std::printf("\"bytesPerParticle\": %.0f, \"phases\": {", 1024.0 * double(usage.ru_maxrss) / particles);
    const char* comma = "";
    for (const PhaseTime& phase : simulator.timings()) {
        std::printf("%s\"%s\": %.3f", comma, phase.phase.c_str(), 1e3 * phase.seconds / options.steps);
        comma = ", ";
    }
    std::printf("}");
    if (options.predict) printPrediction(simulator.timings());
    std::printf("}\n");
    for (const std::string& warning : simulator.warnings()) std::fprintf(stderr, "%s\n", warning.c_str());
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(optionsOf(count, words));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "purl_bench_fluid: %s\n", error.what());
        return 2;
    }
}

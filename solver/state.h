// State: everything that carries over to the next step, and nothing else. Hash it, save it, resume from it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/particles.h"
#include "solver/scene.h"

namespace purl {

// Where a collider was at the state's time: its motion over the next step begins there.
struct ColliderPlace {
    Pose pose;
    std::vector<Vec3> vertices;
};

struct State {
    explicit State(const Device& device = Device::cpu()) : particles(device) {}

    double time = 0;      // s since the simulation's start
    double lastStep = 0;  // s, length of the last step; 0 before the first
    int64_t nextId = 0;
    Particles particles;
    std::vector<ColliderPlace> colliders;  // one for each of Scene::colliders
    std::vector<double> emitted;           // m³ let out so far, one for each emitter, fluid by fluid
};

uint64_t hashOf(const State& state);

// A state file is whole or absent (written aside, then renamed); loading checks its hash. Both throw Error.
void saveState(const State& state, const std::string& path);
State loadState(const std::string& path, const Device& device = Device::cpu());

}  // namespace purl

// Doctor: finds likely mistakes in a scene, explains their effect and suggests fixes. It inspects the bodies without
// simulating them, in Maya and headless (farm/doctor.h).
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solver/scene.h"

namespace purl {

enum class Harm { note, warning, error };  // error: the scene cannot be simulated

struct NewNode {
    std::string type, name;
    std::string parent;  // of a shape; empty: no parent
};

struct Problem {
    Harm harm = Harm::warning;
    std::string node;  // the node concerned
    std::string what;  // what is wrong, and its effect
    // The fix in words, and as actions; empty if it cannot be automated. Nodes are created first, then values are set,
    // then plugs connected.
    std::string remedy;
    std::vector<NewNode> nodes;
    std::vector<std::string> assignments;                          // "solver.spaceScale=0.01"
    std::vector<std::pair<std::string, std::string>> connections;  // "time1.outTime" → "solver.currentTime"

    bool curable() const { return !nodes.empty() || !assignments.empty() || !connections.empty(); }
};

Problem problemOf(Harm harm, const std::string& node, const std::string& what);
Problem remedied(Problem problem, const std::string& remedy, std::vector<std::string> assignments);

// A solver node and its bodies, as input of the checks.
struct Patient {
    std::string name;               // the solver's
    Scene bodies;                   // in the scene's units, with the settings of the solver
    double meters = 0.01;           // per unit of the scene
    std::string lengthUnit = "cm";  // name of that unit
    bool followsTime = true, enabled = true;
    bool zUp = false;                         // the up axis of the scene
    double bytesPerFrame = 0;                 // that cached playback would keep; 0: unknown
    int startFrame = 1, first = 1, last = 1;  // playback range
    double fps = 24;
};
std::vector<Problem> examine(const Patient& patient);

}  // namespace purl

// Doctor: what is likely wrong with a scene, why it matters, and what would put it right. It looks at the bodies as
// they are and simulates nothing; in Maya, and without it (farm/doctor.h).
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solver/scene.h"

namespace purl {

enum class Harm { note, warning, error };  // error: it cannot be simulated as it is

struct NewNode {
    std::string type, name;
    std::string parent;  // of a shape; empty: none
};

struct Problem {
    Harm harm = Harm::warning;
    std::string node;  // whom it concerns
    std::string what;  // a sentence: what is wrong, and what comes of it
    // What would put it right, in words, and as what is to be done; empty: nothing that we could do.
    // Nodes are made first, then values set, then plugs connected.
    std::string remedy;
    std::vector<NewNode> nodes;
    std::vector<std::string> assignments;                          // "solver.spaceScale=0.01"
    std::vector<std::pair<std::string, std::string>> connections;  // "time1.outTime" → "solver.currentTime"

    bool curable() const { return !nodes.empty() || !assignments.empty() || !connections.empty(); }
};

Problem problemOf(Harm harm, const std::string& node, const std::string& what);
Problem remedied(Problem problem, const std::string& remedy, std::vector<std::string> assignments);

// What a solver node says of itself.
struct Patient {
    std::string name;               // the solver's
    Scene bodies;                   // in the scene's units, with the solver's own settings
    double meters = 0.01;           // in one of those units
    std::string lengthUnit = "cm";  // its name
    bool followsTime = true, enabled = true;
    int startFrame = 1, first = 1, last = 1;  // playback range
    double fps = 24;
};
std::vector<Problem> examine(const Patient& patient);

}  // namespace purl

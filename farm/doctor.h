// Doctor: what is likely wrong with a scene, why it matters, and what would put it right. It looks at the first frame
// and simulates nothing.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "farm/session.h"

namespace purl {

enum class Harm { note, warning, error };  // error: it cannot be simulated as it is

struct Problem {
    Harm harm = Harm::warning;
    std::string node;  // whom it concerns
    std::string what;  // a sentence: what is wrong, and what comes of it
    // What would put it right, in words, and as what is to be done; empty: nothing that we could do.
    std::string remedy;
    std::vector<std::string> assignments;                          // "solver.spaceScale=0.01"
    std::vector<std::pair<std::string, std::string>> connections;  // "time1.outTime" → "solver.currentTime"

    bool curable() const { return !assignments.empty() || !connections.empty(); }
};

// The worst first.
std::vector<Problem> examine(Session& session);
// Throws Error where the scene has changed so that it no longer fits.
void cure(Session& session, const Problem& problem);

}  // namespace purl

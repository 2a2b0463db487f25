// A small plugin for the tests of host/: nodes that count computes, data that counts instances, a command.
#pragma once
#include <maya/MStatus.h>

#include <string>
#include <vector>

#include "host/host.h"

namespace purl::host {

// Loads the plugin on the first call.
void loadTestPlugin();

// Number of computes of sum nodes, and of existing TestData objects.
extern int sumComputes;
extern int testDataAlive;
extern std::vector<std::string> evaluationLog;  // "pre sum1 a", "post sum1"

// Collects the messages of a graph, in order.
struct Said {
    std::vector<std::string> errors, warnings, infos;
    explicit Said(Graph& graph) {
        graph.sink = [this](Severity s, const std::string& text) {
            (s == Severity::Error ? errors : s == Severity::Warning ? warnings : infos).push_back(text);
        };
    }
};

// The message of the Error thrown by an edit; empty if it does not throw.
template <class Edit>
std::string errorOf(Edit edit) {
    try {
        edit();
    } catch (const Error& e) { return e.what(); }
    return "";
}

}  // namespace purl::host

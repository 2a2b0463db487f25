// A small plugin for the tests of host/: nodes that count their computes, data that counts its objects, a command.
#pragma once
#include <maya/MStatus.h>

#include <string>
#include <vector>

#include "host/host.h"

namespace purl::host {

// Loads the plugin once; tests may call it as often as they like.
void loadTestPlugin();

// How often sum nodes computed, and how many TestData objects exist.
extern int sumComputes;
extern int testDataAlive;
extern std::vector<std::string> evaluationLog;  // "pre sum1 a", "post sum1"

// Everything a graph says, in order.
struct Said {
    std::vector<std::string> errors, warnings, infos;
    explicit Said(Graph& graph) {
        graph.sink = [this](Severity s, const std::string& text) {
            (s == Severity::Error ? errors : s == Severity::Warning ? warnings : infos).push_back(text);
        };
    }
};

// What an edit throws; empty if it does not.
template <class Edit>
std::string errorOf(Edit edit) {
    try {
        edit();
    } catch (const Error& e) { return e.what(); }
    return "";
}

}  // namespace purl::host

#include "farm/doctor.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace purl {
namespace {

using Problems = std::vector<Problem>;

// The solver's settings that the doctor looks at.
void readSettings(const host::NodePtr& node, SolverParams& settings) {
    const auto number = [&](const char* attribute) { return node->plug(attribute).number(); };
    settings.gravity = static_cast<float>(number("gravity"));
    settings.maxTimeStep = static_cast<float>(number("maxTimeStep"));
    settings.cfl = static_cast<float>(number("cfl"));
    settings.subSteps = static_cast<int>(number("subSteps"));
    settings.pressureSolver = static_cast<PressureSolver>(static_cast<int>(number("pressureSolver")));
}

// What lies around the solver.
struct Chart {
    Session& session;
    host::Graph& graph;
    host::NodePtr solver;
    std::string name;  // the solver's
};

// What was made and left lying.
void checkConnections(const Chart& chart, Problems& found) {
    int next = 0;
    for (const int index : chart.solver->plug("bodies").elements()) next = std::max(next, index + 1);
    for (const char* type : {"purlFluid", "purlCloth", "purlKnit", "purlSoftBody", "purlCollider", "purlField"})
        for (const host::NodePtr& node : chart.graph.nodesOfType(type)) {
            if (!node->plug("outBody").destinations().empty()) continue;
            Problem problem = problemOf(Harm::warning, node->name, "is connected to no solver: it takes no part");
            problem.remedy = "connect it to " + chart.name;
            problem.connections = {{node->name + ".outBody", chart.name + ".bodies[" + std::to_string(next++) + "]"}};
            found.push_back(problem);
        }
    const auto fluids = chart.graph.nodesOfType("purlFluid");
    for (const host::NodePtr& node : chart.graph.nodesOfType("purlEmitter")) {
        if (!node->plug("outEmitter").destinations().empty()) continue;
        Problem problem = problemOf(Harm::warning, node->name, "feeds no fluid: nothing comes out of it");
        if (fluids.size() == 1) {
            int free = 0;
            for (const int index : fluids[0]->plug("inEmitter").elements()) free = std::max(free, index + 1);
            problem.remedy = "connect it to " + fluids[0]->name;
            problem.connections = {
                {node->name + ".outEmitter", fluids[0]->name + ".inEmitter[" + std::to_string(free) + "]"}};
        }
        found.push_back(problem);
    }
}

void checkCaches(const Chart& chart, Problems& found) {
    bool reads = false;
    for (const host::NodePtr& node : chart.graph.nodesOfType("purlCache")) {
        const std::string mode = node->plug("mode").asText(), folder = node->plug("directory").text();
        reads = reads || mode == "read";
        if (mode == "read" && !fs::exists(fs::path(folder) / "manifest.json"))
            found.push_back(
                remedied(problemOf(Harm::error, node->name, "is to read \"" + folder + "\", where no cache is"),
                         "simulate instead", {node->name + ".mode=pass"}));
        if (mode == "write" && folder.empty())
            found.push_back(remedied(problemOf(Harm::error, node->name, "is to write frames, but names no folder"),
                                     "write to " + defaultOutput(chart.session.path()),
                                     {node->name + ".directory=" + defaultOutput(chart.session.path())}));
    }
    if (!reads && chart.solver->plug("playFromCache").flag())
        found.push_back(
            remedied(problemOf(Harm::error, chart.name,
                               "is to rest while a cache plays, but no purlCache reads one: it stays empty"),
                     "simulate instead", {chart.name + ".playFromCache=off"}));
}

}  // namespace

std::vector<Problem> examine(Session& session) {
    Problems found;
    host::Graph& graph = session.graph();
    const host::Graph::Scope scope(graph);
    const host::NodePtr solver = graph.find(session.solverName());
    const Chart chart{session, graph, solver, session.solverName()};
    session.showFrame(session.startFrame());
    try {
        Patient patient;
        patient.name = chart.name;
        patient.bodies = session.bodies();
        readSettings(solver, patient.bodies.solver);
        patient.meters = solver->plug("spaceScale").number();
        patient.followsTime = solver->plug("currentTime").isConnected();
        patient.enabled = solver->plug("enable").flag();
        patient.startFrame = session.startFrame();
        patient.first = session.playbackRange().first;
        patient.last = session.playbackRange().last;
        patient.fps = session.fps();
        found = examine(patient);
    } catch (const Error& error) {
        // A node's own words, "collider1: …".
        const std::string text = error.what();
        const size_t colon = text.find(": ");
        const bool named = colon != std::string::npos && graph.find(text.substr(0, colon)) != nullptr;
        found.push_back(
            problemOf(Harm::error, named ? text.substr(0, colon) : "", named ? text.substr(colon + 2) : text));
    }
    checkConnections(chart, found);
    checkCaches(chart, found);
    std::stable_sort(found.begin(), found.end(), [](const Problem& a, const Problem& b) { return a.harm > b.harm; });
    return found;
}

void cure(Session& session, const Problem& problem) {
    for (const std::string& assignment : problem.assignments) session.set(assignment);
    const host::Graph::Scope scope(session.graph());
    try {
        for (const auto& [source, destination] : problem.connections)
            session.graph().connect(session.graph().plug(source), session.graph().plug(destination));
    } catch (const host::Error& error) { throw Error(error.what()); }
}

}  // namespace purl

#include "plugin/infoCommand.h"

#include <maya/MAnimControl.h>
#include <maya/MDoubleArray.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>

#include <cstdio>

#include "nodes/data.h"
#include "nodes/solverNode.h"
#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

// Names and particle counts of a frame's bodies, with its cloths and yarns.
MStringArray bodiesOf(const Frame& frame) {
    MStringArray names;
    for (const BodyInfo& body : frame.bodies) names.append(body.name.c_str());
    for (const Mesh& mesh : frame.meshes) names.append(mesh.name.c_str());
    for (const Curves& curves : frame.curves) names.append(curves.name.c_str());
    return names;
}

}  // namespace

CommandAbout InfoCommand::about() {
    return {kName,
            "Prints contents and cost of a solver at the current time; with query, returns one of the values below.",
            {{"b", "bodies", MSyntax::kNoArg, "Names of the fluids, cloths, soft bodies, surfaces and knits."},
             {"p", "particles", MSyntax::kNoArg, "Number of particles."},
             {"h", "hash", MSyntax::kNoArg, "Hash of the state, the same in every run of this build."},
             {"ph", "phases", MSyntax::kNoArg, "Names of the phases of a time step."},
             {"ms", "milliseconds", MSyntax::kNoArg, "Time spent in each of these phases."},
             {"de", "densityError", MSyntax::kNoArg, "Mean compression of the liquids; 0.01 is one percent."},
             {"str", "maxStretch", MSyntax::kNoArg, "Largest stretch of a cloth's edges; 0.01 is one percent."},
             {"sol", "solvers", MSyntax::kNoArg, "Names of all solvers of the scene."},
             kSolverFlag},
            true,
            true};
}

void InfoCommand::run(const MArgDatabase& arguments) {
    if (arguments.isQuery() && arguments.isFlagSet("-solvers")) {
        MStringArray names;
        for (const MObject& solver : nodesOfType(SolverNode::kName)) names.append(nameOf(solver));
        return setResult(names);
    }
    const MObject solver = requireSolver(arguments);
    MObject data;
    const MStatus status = frameSource(solver).getValue(data);
    const auto frame = status ? FrameData::get(data) : nullptr;
    if (!frame) throw Error(std::string(nameOf(solver).asChar()) + ": produced no frame; see the previous message");
    const auto result = solverNode(solver).result();
    double seconds = 0;
    MStringArray phases;
    MDoubleArray times;
    for (const PhaseTime& phase : result ? result->timings : std::vector<PhaseTime>()) {
        seconds += phase.seconds;
        phases.append(phase.phase.c_str());
        times.append(1000 * phase.seconds);
    }
    if (arguments.isQuery()) {
        if (arguments.isFlagSet("-bodies")) return setResult(bodiesOf(*frame));
        if (arguments.isFlagSet("-particles")) return setResult(static_cast<int>(frame->points.count()));
        if (arguments.isFlagSet("-hash")) return setResult(MString(toHex(frame->stateHash).c_str()));
        if (arguments.isFlagSet("-phases")) return setResult(phases);
        if (arguments.isFlagSet("-milliseconds")) return setResult(times);
        if (arguments.isFlagSet("-densityError")) return setResult(frame->stats.densityError);
        if (arguments.isFlagSet("-maxStretch")) return setResult(frame->stats.maxStretch);
        throw Error("no query flag given");
    }
    char line[200];
    std::snprintf(line, sizeof line, ": frame %g, %d particles, %zu cloths and surfaces, %zu knits, %.0f ms in total\n",
                  MAnimControl::currentTime().as(MTime::uiUnit()), static_cast<int>(frame->points.count()),
                  frame->meshes.size(), frame->curves.size(), 1000 * seconds);
    MString text = nameOf(solver) + line;
    const MStringArray names = bodiesOf(*frame);
    for (unsigned i = 0; i < names.length(); ++i) text += MString("  ") + names[i] + "\n";
    setResult(text + "  state " + toHex(frame->stateHash).c_str());
}

}  // namespace purl

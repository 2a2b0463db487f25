#include "plugin/maya/panelModel.h"

#include <maya/MAnimControl.h>
#include <maya/MFileIO.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MSelectionList.h>
#include <maya/MTime.h>

#include <algorithm>
#include <cmath>

#include "nodes/doctor.h"
#include "nodes/reference.h"
#include "nodes/scenePlayer.h"
#include "nodes/solverNode.h"
#include "plugin/command.h"
#include "plugin/panelNodes.h"
#include "plugin/panelSamples.h"
#include "solver/core/error.h"

namespace purl {
namespace {

bool isSolver(const MObject& object) { return MFnDependencyNode(object).typeId() == MTypeId(SolverNode::kId); }

// The selected solver, or the scene's first.
MObject currentSolver() {
    MSelectionList selection;
    MGlobal::getActiveSelectionList(selection);
    for (unsigned i = 0; i < selection.length(); ++i) {
        MObject object;
        if (selection.getDependNode(i, object) && isSolver(object)) return object;
    }
    for (MItDependencyNodes each(MFn::kPluginDependNode); !each.isDone(); each.next())
        if (isSolver(each.thisNode())) return each.thisNode();
    return MObject::kNullObj;
}

bool sameValues(const std::vector<PanelNode>& a, const std::vector<PanelNode>& b) {
    if (a.size() != b.size()) return false;
    for (size_t n = 0; n < a.size(); ++n) {
        if (a[n].name != b[n].name || a[n].attributes.size() != b[n].attributes.size()) return false;
        for (size_t k = 0; k < a[n].attributes.size(); ++k)
            if (a[n].attributes[k].value != b[n].attributes[k].value) return false;
    }
    return true;
}

// Undoable, and echoed in the script editor.
void run(const std::string& mel) { MGlobal::executeCommand(MString(mel.c_str()), true, true); }

}  // namespace

PanelState MayaPanelModel::state() const { return shown_; }

// Called by a timer, which no exception may leave.
void MayaPanelModel::watch() {
    shown_.messages.clear();
    try {
        readScene();
    } catch (const Error& error) { shown_.messages.push_back({PanelSeverity::error, error.what()}); }
}

void MayaPanelModel::readScene() {
    shown_.title = "Purl";
    shown_.scenePath = MFileIO::currentFile().asUTF8();
    int modified = 0;
    MGlobal::executeCommand("file -q -modified", modified);
    shown_.changed = modified != 0;
    const FrameRange range = playbackRange();
    shown_.firstFrame = range.first;
    shown_.lastFrame = range.last;
    shown_.fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
    const MObject solver = currentSolver();
    std::vector<PanelNode> nodes = panelNodes(solver);
    if (!sameValues(nodes, *shown_.nodes)) {
        shown_.nodes = std::make_shared<const std::vector<PanelNode>>(std::move(nodes));
        ++shown_.edits;
    }
    shown_.activity = MAnimControl::isPlaying() ? PanelActivity::simulating : PanelActivity::idle;
    const int now = static_cast<int>(std::floor(MAnimControl::currentTime().as(MTime::uiUnit())));
    shown_.progress = double(now - shown_.firstFrame + 1) / std::max(1, shown_.lastFrame - shown_.firstFrame + 1);
    shown_.memory = megabytesInUse();
    listProblems(solver);
    if (!solver.isNull()) recordSample(solver, now);
    listFrames(solver);
}

void MayaPanelModel::recordSample(const MObject& solver, int now) {
    const auto result = solverNode(solver).result();
    if (!result || cachePlays(solver)) return;  // its last simulated frame is not the current one
    shown_.phases.clear();
    double milliseconds = 0;
    for (const PhaseTime& phase : result->timings) {
        shown_.phases.push_back({phase.phase, 1000 * phase.seconds});
        milliseconds += 1000 * phase.seconds;
    }
    const Frame& frame = result->frame;
    if (now <= startFrameOf(solver)) balance_ = balanceOf(frame.stats);
    PanelSample sample = sampleOf(now, frame, balance_);
    sample.milliseconds = milliseconds;
    auto& samples = shown_.samples;
    // Going back in time discards later samples.
    samples.erase(std::remove_if(samples.begin(), samples.end(), [now](const auto& s) { return s.frame >= now; }),
                  samples.end());
    samples.push_back(sample);
}

// Lists the frames seen so far and the branches of the solver's cache.
void MayaPanelModel::listFrames(const MObject& solver) {
    shown_.frames.assign(static_cast<size_t>(std::max(0, shown_.lastFrame - shown_.firstFrame + 1)),
                         PanelFrame::missing);
    const auto markAvailable = [&](int frame) {
        const int index = frame - shown_.firstFrame;
        if (index >= 0 && index < static_cast<int>(shown_.frames.size())) shown_.frames[index] = PanelFrame::upToDate;
    };
    shown_.openCache.clear();
    const MObject cache = solver.isNull() ? MObject() : cacheBehind(solver);
    const std::string folder = cache.isNull() ? "" : plugOf(cache, "directory").asString().asUTF8();
    if (folder != listedCache_) {
        listedCache_ = folder;
        try {
            shown_.caches = folder.empty() ? std::vector<PanelCache>() : panelCaches(rootOfBranches(folder));
        } catch (const std::exception&) { shown_.caches.clear(); }  // reported by the doctor
    }
    if (folder.empty() || !cachePlays(solver)) {
        for (const PanelSample& sample : shown_.samples) markAvailable(sample.frame);
        return;
    }
    shown_.openCache = folder;
    for (const PanelCache& each : shown_.caches)
        if (each.folder == folder)
            for (int frame = each.firstFrame; frame <= each.lastFrame; ++frame) markAvailable(frame);
}

void MayaPanelModel::listProblems(const MObject& solver) {
    problems_.clear();
    shown_.problems.clear();
    const auto result = solver.isNull() ? nullptr : solverNode(solver).result();
    if (!result) return;  // no bodies gathered yet
    const MFnDependencyNode dependency(solver);
    Patient patient;
    patient.name = dependency.name().asUTF8();
    patient.meters = dependency.findPlug("spaceScale", false).asDouble();
    patient.bodies = result->scene;
    scaleLengths(patient.bodies, static_cast<float>(1 / patient.meters));
    patient.followsTime = dependency.findPlug("currentTime", false).isConnected();
    patient.enabled = dependency.findPlug("enable", false).asBool();
    patient.startFrame = startFrameOf(solver);
    patient.first = shown_.firstFrame;
    patient.last = shown_.lastFrame;
    patient.fps = shown_.fps;
    patient.zUp = MGlobal::isZAxisUp();
    patient.bytesPerFrame = result->bytes;
    problems_ = examine(patient);
    for (const Problem& problem : problems_)
        shown_.problems.push_back(
            {static_cast<PanelSeverity>(problem.harm), problem.node, problem.what, problem.remedy});
}

void MayaPanelModel::set(const std::string& node, const std::string& attribute, const std::string& value) {
    for (const PanelNode& each : *shown_.nodes) {
        const PanelAttribute* row = each.name == node ? each.find(attribute) : nullptr;
        if (!row) continue;
        const std::string plug = quoted(node + "." + attribute);
        if (row->type == "enum") {
            const auto choice = std::find(row->choices.begin(), row->choices.end(), value);
            if (choice == row->choices.end()) continue;
            run("setAttr " + plug + " " + std::to_string(row->choiceIndices[choice - row->choices.begin()]));
        } else if (row->type == "string") {
            run("setAttr -type \"string\" " + plug + " " + quoted(value));
        } else if (row->type == "color" || row->type == "float3" || row->type == "distance3") {
            run("setAttr -type \"double3\" " + plug + " " + value);
        } else {
            run("setAttr " + plug + " " + value);
        }
    }
}

void MayaPanelModel::simulateTo(int) { run("play -forward on"); }
void MayaPanelModel::cancel() { run("play -state off"); }
void MayaPanelModel::writeCache(const std::string& folder) {
    // Without a folder: like the menu item, with its option box settings.
    run(folder.empty() ? "performPurlCache(0)" : "purlCacheSim -directory " + quoted(folder));
    listedCache_.clear();
}

// As one undo step. The problem is identified by its text: the list may have changed since.
void MayaPanelModel::fix(const PanelProblem& shown) {
    for (const Problem& problem : problems_) {
        if (problem.node != shown.node || problem.what != shown.text) continue;
        run("undoInfo -openChunk");
        for (const std::string& assignment : problem.assignments) {
            const size_t dot = assignment.find('.'), equal = assignment.find('=');
            set(assignment.substr(0, dot), assignment.substr(dot + 1, equal - dot - 1), assignment.substr(equal + 1));
        }
        for (const auto& connection : problem.connections)
            run("connectAttr " + quoted(connection.first) + " " + quoted(connection.second));
        run("undoInfo -closeChunk");
        return;
    }
}

void MayaPanelModel::openCache(const std::string& folder) {
    run(folder.empty() ? "purlCacheSim -edit -enable off" : "purlCacheSim -edit -directory " + quoted(folder));
}

}  // namespace purl

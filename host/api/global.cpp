#include <maya/MComputation.h>
#include <maya/MFileIO.h>
#include <maya/MGlobal.h>
#include <maya/MQtUtil.h>
#include <maya/MStringArray.h>
#include <maya/MThreadUtils.h>

#include <algorithm>
#include <thread>

#include "host/api/access.h"
#include "host/graph/context.h"
#include "host/host.h"
#include "solver/core/path.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

void MGlobal::displayInfo(const MString& text) { report(Severity::Info, text.asChar()); }
void MGlobal::displayWarning(const MString& text, bool) { report(Severity::Warning, text.asChar()); }
void MGlobal::displayError(const MString& text, bool) { report(Severity::Error, text.asChar()); }

MGlobal::MMayaState MGlobal::mayaState(MStatus* s) {
    setStatus(s, MStatus::kSuccess);
    const Graph* g = Graph::current();
    return g && g->ui ? kInteractive : kBatch;
}
MStatus MGlobal::executeCommand(const MString& command, bool, bool) {
    const Graph* g = needGraph("MGlobal::executeCommand");
    if (!g) return MStatus::kFailure;
    const std::shared_ptr<MayaUi> ui = g->ui;
    try {
        if (!ui || !ui->script) throw Error("MGlobal::executeCommand: MEL is not available in this session");
        ui->script(command.asUTF8());
        return MStatus::kSuccess;
    } catch (const Error& e) { report(Severity::Error, e.what()); }
    return MStatus::kFailure;
}
QWidget* MQtUtil::findControl(const MString& name, const QWidget*) {
    const Graph* g = Graph::current();
    if (!g || !g->ui) return nullptr;
    const auto found = g->ui->controls.find(name.asUTF8());
    return found == g->ui->controls.end() ? nullptr : static_cast<QWidget*>(found->second);
}
static std::string upAxisOf(MStatus* s) {
    const Graph* g = needGraph("MGlobal::upAxis");
    setStatus(s, g ? MStatus::kSuccess : MStatus::kFailure);
    return g ? g->upAxis() : "y";
}
static MStatus setUpAxis(const char* axis) {
    Graph* g = needGraph("MGlobal::upAxis");
    if (!g) return MStatus::kFailure;
    g->fileInfo["upAxis"] = axis;
    return MStatus::kSuccess;
}
bool MGlobal::isYAxisUp(MStatus* s) { return upAxisOf(s) == "y"; }
bool MGlobal::isZAxisUp(MStatus* s) { return upAxisOf(s) == "z"; }
MVector MGlobal::upAxis(MStatus* s) { return upAxisOf(s) == "z" ? MVector(0, 0, 1) : MVector(0, 1, 0); }
MStatus MGlobal::setYAxisUp(bool) { return setUpAxis("y"); }
MStatus MGlobal::setZAxisUp(bool) { return setUpAxis("z"); }
int MGlobal::apiVersion() { return MAYA_API_VERSION; }
MString MGlobal::mayaVersion() { return MString() + MAYA_API_VERSION / 10000; }
bool MGlobal::isUndoing() { return undoState() == UndoState::Undoing; }
bool MGlobal::isRedoing() { return undoState() == UndoState::Redoing; }

MStatus MGlobal::getSelectionListByName(const MString& name, MSelectionList& list) { return list.add(name); }
MStatus MGlobal::getActiveSelectionList(MSelectionList& list, bool) {
    const Graph* g = needGraph("MGlobal::getActiveSelectionList");
    list.clear();
    if (!g) return MStatus::kFailure;
    for (const std::string& name : g->selection) list.add(name.c_str());
    return MStatus::kSuccess;
}
MStatus MGlobal::setActiveSelectionList(const MSelectionList& list, ListAdjustment how) {
    Graph* g = needGraph("MGlobal::setActiveSelectionList");
    if (!g) return MStatus::kFailure;
    MStringArray names;
    list.getSelectionStrings(names);
    std::vector<std::string> given;
    for (unsigned int i = 0; i < names.length(); ++i) given.push_back(names[i].asChar());
    std::vector<std::string>& now = g->selection;
    auto has = [&](const std::string& n) { return std::find(now.begin(), now.end(), n) != now.end(); };
    auto drop = [&](const std::string& n) { now.erase(std::remove(now.begin(), now.end(), n), now.end()); };
    if (how == kReplaceList) now.clear();
    std::vector<std::string> head;
    for (const std::string& n : given) {
        const bool there = has(n);
        if (there) drop(n);
        if (how == kRemoveFromList || (how == kXORWithList && there)) continue;
        (how == kAddToHeadOfList ? head : now).push_back(n);
    }
    now.insert(now.begin(), head.begin(), head.end());
    return MStatus::kSuccess;
}
MStatus MGlobal::clearSelectionList() { return setActiveSelectionList(MSelectionList()); }

// --- MFileIO

MString MFileIO::currentFile() {
    const Graph* g = Graph::current();
    if (!g || g->scenePath.empty()) return {};
    return purl::absolutePath(g->scenePath).c_str();
}

// --- MComputation

MComputation::~MComputation() {
    if (running_) endComputation();
}
void MComputation::beginComputation(bool, bool interruptable, bool) {
    if (Context::current())
        report(Severity::Error,
               "MComputation belongs to the main thread and the normal context; it is used in another");
    running_ = true;
    interruptable_ = interruptable;
}
bool MComputation::isInterruptRequested() { return running_ && interruptable_ && interruptRequested(); }
void MComputation::endComputation() { running_ = false; }
void MComputation::setProgressRange(int min, int max) {
    min_ = min;
    max_ = max;
}
void MComputation::setProgress(int p) {
    progress_ = p;
    const Graph* g = Graph::current();
    if (running_ && g && g->progress) g->progress(p, min_, max_, "");
}
void MComputation::setProgressStatus(const MString& text) {
    const Graph* g = Graph::current();
    if (running_ && g && g->progress) g->progress(progress_, min_, max_, text.asChar());
}

int MThreadUtils::getNumThreads() {
    if (threadCount() > 0) return threadCount();
    return std::max(1, int(std::thread::hardware_concurrency()));
}

}  // namespace Autodesk::Maya::OpenMayaHost

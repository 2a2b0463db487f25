#include "farm/playback.h"

#include <maya/MFnDependencyNode.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "farm/commands.h"
#include "farm/units.h"
#include "host/api/access.h"
#include "host/host.h"
#include "host/ma/load.h"
#include "host/ma/save.h"
#include "nodes/cacheNode.h"
#include "nodes/data.h"
#include "nodes/surfaceNode.h"
#include "solver/cache/cacheWriter.h"
#include "solver/core/path.h"
#include "solver/core/threadPool.h"

namespace purl {
namespace {

// Whether a skipped statement is a display or render setting: the simulation does not need it, and saving preserves it.
bool isHarmless(const std::string& skipped) {
    for (const char* start :
         {"setAttr mesh.", "setAttr camera.", "setAttr nurbsCurve.", "setAttr locator.", "relationship"})
        if (skipped.rfind(start, 0) == 0) return true;
    return false;
}

// Lists skipped statements and unknown node types that may matter.
void addLoadNotes(const host::LoadReport& report, std::vector<std::string>& notes) {
    const auto listed = [](const std::map<std::string, int>& counts, bool (*leftOut)(const std::string&)) {
        std::string text;
        for (const auto& [what, count] : counts)
            if (!leftOut(what)) text += (text.empty() ? "" : ", ") + what + " (" + std::to_string(count) + ")";
        return text;
    };
    const std::string skipped = listed(report.skipped, isHarmless);
    const std::string unknown = listed(report.unknownTypes, [](const std::string&) { return false; });
    if (!skipped.empty()) notes.push_back("not understood and skipped: " + skipped);
    if (!unknown.empty()) notes.push_back("nodes of unknown types have no effect: " + unknown);
    if (report.moreWarnings > 0) notes.push_back(std::to_string(report.moreWarnings) + " more warnings");
}

// "water.viscosity" of "water.viscosity = 2".
std::string assignedName(const std::string& assignment) {
    std::string name = assignment.substr(0, assignment.find('='));
    name.erase(name.find_last_not_of(" \t") + 1);
    name.erase(0, name.find_first_not_of(" \t"));
    return name;
}

// Its default frame rate and units are those of Maya.
void makeNewScene(host::Session& session, double& firstFrame, double& lastFrame) {
    firstFrame = 1;
    lastFrame = 120;
    session.command("purlCreate", {"-type", "solver", "-name", "solver1"});
    session.command("playbackOptions", {"-minTime", "1", "-maxTime", "120"});
    session.forgetHistory();
}

// Maps every file name that the scene stores.
void mapFileAttributes(host::Graph& graph, const PathMap& paths) {
    for (const host::NodePtr& node : graph.nodes())
        for (const host::AttrPtr& attribute : node->attributes()) {
            if (!attribute->usedAsFilename || attribute->array) continue;
            const host::Plug plug = node->plug(attribute);
            const std::string path = plug.text(), mapped = paths(path);
            if (mapped != path) plug.setFromText(mapped);
        }
}

CacheNode& cacheAt(const host::NodePtr& node) { return *static_cast<CacheNode*>(node->user); }

}  // namespace

std::string defaultOutput(const std::string& scene) { return toText("out" / toPath(scene).stem()); }

Playback::Playback(const std::string& scenePath, Listener listener, const std::string& solver, const PathMap& paths)
    : path_(scenePath) {
    loadPurl();
    if (host::threadCount() == 0) host::setThreadCount(processorCount());
    session_ = std::make_unique<host::Session>();
    if (path_.empty()) session_->newScene();
    const host::Graph::Scope scope(graph());
    graph().sink = [this, listener = std::move(listener)](host::Severity severity, const std::string& text) {
        if (severity == host::Severity::Error && firstError_.empty()) firstError_ = text;
        if (listener) listener(severity, text);
    };
    if (path_.empty())
        makeNewScene(*session_, firstFrame_, lastFrame_);
    else
        load(paths);
    const auto solvers = graph().nodesOfType("purlSolver");
    if (solvers.empty()) throw Error(scenePath + ": has no purlSolver node; create one and connect bodies to it");
    std::string names;
    for (const auto& node : solvers) {
        if (solver.empty() ? solvers.size() == 1 : node->name == solver) solver_ = node;
        names += (names.empty() ? "" : ", ") + node->name;
    }
    if (!solver_)
        throw Error(scenePath +
                    (solver.empty() ? ": has several solvers; choose one with --solver: "
                                    : ": has no solver \"" + solver + "\"; there are: ") +
                    names);
    followChain();
    for (const host::NodePtr& node : graph().nodesOfType(CacheNode::kName)) cacheAt(node).allowWriting(false);
    this->solver().keepStates(false);  // going back restarts from the start frame
}

Playback::~Playback() {
    const host::Graph::Scope scope(graph());
    player_.reset();
    solver_.reset();
    session_.reset();
}

void Playback::load(const PathMap& paths) {
    try {
        if (!paths.empty()) graph().mapPath = paths;
        const host::LoadReport report = host::loadScene(graph(), path_);
        references_ = report.references;
        firstFrame_ = report.firstFrame;
        lastFrame_ = report.lastFrame;
        if (!paths.empty()) mapFileAttributes(graph(), paths);
        for (const std::string& warning : report.warnings) loadNotes_.push_back(warning);
        addLoadNotes(report, loadNotes_);
    } catch (const host::Interrupted&) { throw Cancelled(); } catch (const host::Error& error) {
        throw Error(error.what());
    }
}

std::string Playback::set(const std::string& assignment) {
    const std::string done = assign(assignment);
    // Threads and device do not change the result, so they are not part of the run's identity.
    for (const char* attribute : {".threads", ".device"})
        if (assignedName(assignment) == solver_->name + attribute) return done;
    assignments_.push_back(assignment);
    return done;
}

void Playback::repeatAssignments(const RunIdentity& run) {
    for (const std::string& assignment : run.assignments) try {
            set(assignment);
        } catch (const Error& error) {
            graph().sink(host::Severity::Warning,
                         path_ + ": " + assignment + ", as set for the cache, is ignored: " + error.what());
        }
}

void Playback::save(const std::string& path) const {
    const host::Graph::Scope scope(graph());
    try {
        host::saveScene(graph(), path);
    } catch (const host::Error& error) { throw Error(error.what()); }
}

void Playback::saveAs(const std::string& path) {
    save(path);
    path_ = path;
    assignments_.clear();
}

void Playback::followChain() {
    const host::Graph::Scope scope(graph());
    const MObject object = host::Api::make(solver_);
    const FrameChain chain = frameChain(object);
    cache_ = chain.cache;
    player_ = std::make_unique<ScenePlayer>(object, cache_.isNull() ? chain.end : plugOf(cache_, "outFrame"));
    player_->takeErrorsFrom([this] { return std::exchange(firstError_, {}); });
}

void Playback::setPlaybackRange(const FrameRange& range) {
    firstFrame_ = range.first;
    lastFrame_ = range.last;
    host::Graph& scene = graph();
    scene.minTicks = range.first * scene.units.ticksPerFrame;
    scene.maxTicks = range.last * scene.units.ticksPerFrame;
    scene.startTicks = std::min(scene.startTicks, scene.minTicks);
    scene.endTicks = std::max(scene.endTicks, scene.maxTicks);
}

void Playback::setDevice(const std::string& device, int threads) {
    if (!device.empty()) assign(solver_->name + ".device=" + device);
    assign(solver_->name + ".threads=" + std::to_string(threads));
    host::setThreadCount(threads > 0 ? threads : processorCount());
}

Device Playback::device() const {
    const auto choice = static_cast<DeviceChoice>(std::lround(solver_->plug("device").number()));
    const int threads = static_cast<int>(std::lround(solver_->plug("threads").number()));
    return Device::named(choicesOf(choice)[static_cast<size_t>(choice)], threads);
}

std::string Playback::assign(const std::string& assignment) {
    const host::Graph::Scope scope(graph());
    const size_t equal = assignment.find('=');
    try {
        if (equal == std::string::npos || equal == 0)
            host::setAttribute(graph(), assignment);  // throws the explanation
        const std::string name = assignedName(assignment);
        const host::Plug plug = graph().plug(name);
        host::setAttribute(graph(), name + "=" + withoutUnits(plug, assignment.substr(equal + 1)));
        return valueWithUnit(plug);
    } catch (const host::Error& error) { throw Error(error.what()); }
}

double Playback::fps() const {
    constexpr double kMinFps = 0.01, kMaxFps = 100000;
    const double fps = host::kTicksPerSecond / graph().units.ticksPerFrame;
    if (!(fps >= kMinFps && fps <= kMaxFps))
        throw Error(path_ +
                    ": the frame rate is not between 0.01 and 100,000 frames per second; choose another time unit");
    return fps;
}

FrameRange Playback::playbackRange() const {
    const std::string who = path_ + ": playback range";
    const FrameRange range{checkedFrame(firstFrame_, who), checkedFrame(lastFrame_, who)};
    if (range.last < range.first)
        throw Error(who + " " + std::to_string(range.first) + " to " + std::to_string(range.last) +
                    ": the last frame is before the first; change it in the scene, or use --frames");
    return range;
}

FramePtr Playback::frame(int number) {
    const host::Graph::Scope scope(graph());
    return player_->frame(number);
}

ScenePlayer::Played Playback::play(const FrameRange& range,
                                   const std::function<bool(int number, const FrameFuture& frame)>& played) {
    const host::Graph::Scope scope(graph());
    return player_->play(range, played);
}

void Playback::deferSurfaces() {
    const host::Graph::Scope scope(graph());
    player_->deferSurfaces();
}

void Playback::recordLoops() {
    const host::Graph::Scope scope(graph());
    player_->recordLoops();
}

Scene Playback::bodies() {
    const host::Graph::Scope scope(graph());
    Scene scene;
    const host::Plug bodies = solver_->plug("bodies");
    for (const int index : bodies.elements()) {
        const host::Plug source = bodies.element(index).source();
        if (!source) continue;
        firstError_.clear();
        if (source.evaluate() == host::Result::Failed)
            throw Error(firstError_.empty() ? source.name() + ": could not be computed" : firstError_);
        if (const auto part = BodyData::get(host::Api::make(source).asMObject())) append(scene, *part);
    }
    return scene;
}

void Playback::makeSurfaces(Frame& frame) {
    const host::Graph::Scope scope(graph());
    std::vector<MPlug> surfaces;  // from the end of the chain to its start
    for (MPlug at = frameChain(player_->solver().thisMObject()).end; !at.isNull() && typeOf(at.node()) != "purlSolver";
         at = sourceOf(plugOf(at.node(), "inFrame")))
        if (typeOf(at.node()) == SurfaceNode::kName) surfaces.push_back(at);
    if (surfaces.empty())
        throw Error(path_ + ": has no purlSurface node after " + solver_->name + "; add one to make surfaces");
    frame.meshes.erase(std::remove_if(frame.meshes.begin(), frame.meshes.end(),
                                      [](const Mesh& mesh) { return mesh.kind == MeshKind::liquid; }),
                       frame.meshes.end());
    frame.stats.volumeRatio = 0;
    for (auto surface = surfaces.rbegin(); surface != surfaces.rend(); ++surface) {
        const MObject node = surface->node();
        try {
            static_cast<SurfaceNode*>(MFnDependencyNode(node).userNode())->addTo(frame);
        } catch (const Error& error) { throw Error(nameOf(node).asUTF8() + std::string(": ") + error.what()); }
    }
}

void Playback::showFrame(int number) {
    const host::Graph::Scope scope(graph());
    graph().setFrame(number);
}

SceneSource Playback::source() const {
    SceneSource source;
    source.path = absolutePath(path_);
    source.files.push_back(inputFileAt("scene", path_));
    for (const std::string& file : references_) source.files.push_back(inputFileAt("reference", file));
    for (InputFile& file : source.files) file.path = absolutePath(file.path);
    source.assignments = assignments_;
    return source;
}

RunIdentity Playback::identity() {
    const host::Graph::Scope scope(graph());
    return player_->identity(source());
}

void Playback::writeCache(CacheTarget target) {
    const host::Graph::Scope scope(graph());
    passThroughCaches();
    const std::string formats = cache_.isNull() ? "" : plugOf(cache_, "formats").asString().asUTF8();
    if (target.formats.empty() && !formats.empty()) target.formats = splitFormats(formats);
    const std::string channels = cache_.isNull() ? "" : plugOf(cache_, "channels").asString().asUTF8();
    if (target.channels.empty() && !channels.empty()) target.channels = splitChannels(channels);
    player_->writeCache(source(), std::move(target));
}

void Playback::writeNothing() {
    const host::Graph::Scope scope(graph());
    passThroughCaches();
    player_->stopWriting();
}

void Playback::passThroughCaches() {
    solver().simulateLive(true);
    graph().dirty(solver_->plug("outFrame"));
    for (const host::NodePtr& node : graph().nodesOfType(CacheNode::kName)) {
        cacheAt(node).bypass();
        graph().dirty(node->plug("outFrame"));
    }
}

void Playback::enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun,
                           int first) {
    player_->enterBranch(name, parent, parentRun, first);
}

int Playback::resume(const FrameRange& wanted) {
    const host::Graph::Scope scope(graph());
    return player_->resume(wanted);
}

int Playback::restore(const std::string& directory, int last) {
    const host::Graph::Scope scope(graph());
    return player_->restore(directory, last);
}

void Playback::finishCache() {
    const host::Graph::Scope scope(graph());
    player_->finishCache();
}

}  // namespace purl

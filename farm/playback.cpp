#include "farm/playback.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "farm/commands.h"
#include "farm/units.h"
#include "host/api/access.h"
#include "host/host.h"
#include "host/ma/load.h"
#include "host/ma/save.h"
#include "nodes/data.h"
#include "nodes/nodes.h"
#include "nodes/surfaceNode.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/stateFolder.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

int parseInt(const std::string& text, const std::string& whole) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string who = "frames \"" + whole + "\"";
    if (error == std::errc::result_out_of_range) return checkedFrame(HUGE_VAL, who);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        throw Error(who + ": a frame or a range like 1-120 expected");
    return checkedFrame(value, who);
}

// The end of the chain solver → purlCache → purlFoam → purlSurface …: the frame with all meshes. A purlCache belongs to
// the chain if another node follows it; otherwise frames are written there.
host::Plug endOfChain(host::Plug plug) {
    for (bool moved = true; moved;) {
        moved = false;
        for (const host::Plug& next : plug.destinations()) {
            if (next.attr->name != "inFrame") continue;
            const std::string& type = next.node->type->name;
            const host::Plug out = isFrameFilter(type) ? next.node->plug("outFrame") : host::Plug();
            if (!out || (type == CacheNode::kName && out.destinations().empty())) continue;
            plug = out;
            moved = true;
            break;
        }
    }
    return plug;
}

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

CacheNode& cacheAt(const host::NodePtr& node) { return *static_cast<CacheNode*>(node->user); }

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    stream.exceptions(std::ios::badbit);  // otherwise running out of memory would silently truncate the text
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace

int checkedFrame(double frame, const std::string& who) {
    if (!(std::abs(frame) <= kMaxFrame))
        throw Error(who + ": frames go from -" + std::to_string(kMaxFrame) + " to " + std::to_string(kMaxFrame));
    return static_cast<int>(std::floor(frame));
}

FrameRange parseFrames(const std::string& text) {
    // Skip the first character: it may be a minus sign.
    const size_t dash = text.find('-', 1);
    FrameRange range;
    range.first = parseInt(text.substr(0, dash), text);
    range.last = dash == std::string::npos ? range.first : parseInt(text.substr(dash + 1), text);
    if (range.last < range.first) throw Error("frames \"" + text + "\": the last frame is before the first");
    return range;
}

std::string defaultOutput(const std::string& scene) { return (fs::path("out") / fs::path(scene).stem()).string(); }

Playback::Playback(const std::string& scenePath, Listener listener, const std::string& solver)
    : path_(scenePath), graph_(std::make_unique<host::Graph>()) {
    const host::Graph::Scope scope(*graph_);
    graph_->sink = [this, listener = std::move(listener)](host::Severity severity, const std::string& text) {
        if (severity == host::Severity::Error && firstError_.empty()) firstError_ = text;
        if (listener) listener(severity, text);
    };
    loadPurl();
    try {
        const host::LoadReport report = host::loadScene(*graph_, scenePath);
        references_ = report.references;
        firstFrame_ = report.firstFrame;
        lastFrame_ = report.lastFrame;
        for (const std::string& warning : report.warnings) loadNotes_.push_back(warning);
        addLoadNotes(report, loadNotes_);
    } catch (const host::Interrupted&) { throw Cancelled(); } catch (const host::Error& error) {
        throw Error(error.what());
    }
    const auto solvers = graph_->nodesOfType("purlSolver");
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
    output_ = endOfChain(solver_->plug("outFrame"));
    for (const host::Plug& next : output_.destinations())
        if (next.node->type->name == "purlCache" && next.attr->name == "inFrame") cache_ = next.node;
    for (const host::NodePtr& node : graph_->nodesOfType(CacheNode::kName)) cacheAt(node).allowWriting(false);
    this->solver().keepStates(false);  // going back restarts from the start frame
}

Playback::~Playback() {
    const host::Graph::Scope scope(*graph_);
    graph_.reset();
}

std::string Playback::set(const std::string& assignment) {
    const std::string done = assign(assignment);
    // Threads and device do not change the result, so they are not part of the run's identity.
    for (const char* attribute : {".threads", ".device"})
        if (assignedName(assignment) == solver_->name + attribute) return done;
    assignments_.push_back(assignment);
    return done;
}

void Playback::save(const std::string& path) const {
    const host::Graph::Scope scope(*graph_);
    try {
        host::saveScene(*graph_, path);
    } catch (const host::Error& error) { throw Error(error.what()); }
}

void Playback::setDevice(const std::string& device, int threads) {
    if (!device.empty()) assign(solver_->name + ".device=" + device);
    assign(solver_->name + ".threads=" + std::to_string(threads));
    host::setThreadCount(threads);
}

Device Playback::device() const {
    const auto choice = static_cast<DeviceChoice>(std::lround(solver_->plug("device").number()));
    const int threads = static_cast<int>(std::lround(solver_->plug("threads").number()));
    return Device::named(choicesOf(choice)[static_cast<size_t>(choice)], threads);
}

std::string Playback::assign(const std::string& assignment) {
    const host::Graph::Scope scope(*graph_);
    const size_t equal = assignment.find('=');
    try {
        if (equal == std::string::npos || equal == 0)
            host::setAttribute(*graph_, assignment);  // throws the explanation
        const std::string name = assignedName(assignment);
        const host::Plug plug = graph_->plug(name);
        host::setAttribute(*graph_, name + "=" + withoutUnits(plug, assignment.substr(equal + 1)));
        return valueWithUnit(plug);
    } catch (const host::Error& error) { throw Error(error.what()); }
}

double Playback::fps() const {
    constexpr double kMinFps = 0.01, kMaxFps = 100000;
    const double fps = host::kTicksPerSecond / graph_->units.ticksPerFrame;
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

int Playback::startFrame() const {
    return checkedFrame(solver_->plug("startFrame").number(), solver_->name + ".startFrame");
}

SolverNode& Playback::solver() { return *static_cast<SolverNode*>(solver_->user); }

CacheNode* Playback::cacheNode() const { return cache_ ? &cacheAt(cache_) : nullptr; }

void Playback::setCacheMode(CacheMode mode) {
    if (writes_->mode == mode) return;
    writes_->mode = mode;
    cacheNode()->override(writes_);
    graph_->dirty(cache_->plug("outFrame"));
}

std::shared_ptr<const Frame> Playback::frame(int number) {
    const host::Graph::Scope scope(*graph_);
    // Going back means restarting, because only then are all inputs what they were.
    int next = started_ && number >= played_ ? played_ : std::min(number, startFrame());
    if (started_ && next == played_ && number > played_) ++next;
    std::shared_ptr<const Frame> result;
    for (; next <= number; ++next) result = pull(next);
    return result;
}

std::shared_ptr<const Frame> Playback::pull(int number) {
    firstError_.clear();
    graph_->setFrame(number);
    if (writes_) setCacheMode(number < firstWritten_ ? CacheMode::pass : CacheMode::write);
    const host::Plug plug = cache_ ? cache_->plug("outFrame") : output_;
    host::Result result;
    try {
        result = plug.evaluate();
    } catch (const host::Error& error) { throw Error(error.what()); }
    if (result == host::Result::Failed || !firstError_.empty()) {
        if (host::interruptRequested()) throw Cancelled();
        throw Error(firstError_.empty() ? plug.name() + ": could not be computed" : firstError_);
    }
    played_ = number;
    started_ = true;
    const auto frame = FrameData::get(host::Api::make(plug).asMObject());
    if (!frame) throw Error(plug.name() + ": has no frame");
    return frame;
}

std::vector<SurfaceNode*> Playback::surfaces() const {
    std::vector<SurfaceNode*> nodes;
    for (const host::NodePtr& node : graph_->nodesOfType(SurfaceNode::kName))
        nodes.push_back(static_cast<SurfaceNode*>(node->user));
    return nodes;
}

void Playback::deferSurfaces() {
    for (SurfaceNode* node : surfaces()) node->defer(true);
}

std::shared_future<std::shared_ptr<const Frame>> Playback::whole() const { return cacheNode()->whole(); }

void Playback::recordLoops() {
    solver().recordLoops(true);
    for (SurfaceNode* node : surfaces()) node->recordLoops(true);
}

Scene Playback::bodies() {
    const host::Graph::Scope scope(*graph_);
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

void Playback::showFrame(int number) {
    const host::Graph::Scope scope(*graph_);
    graph_->setFrame(number);
}

void Playback::writeCache(const std::string& directory, const std::string& formats, bool oneFile, int first) {
    const host::Graph::Scope scope(*graph_);
    passThroughCaches();
    if (!cache_) {
        cache_ = graph_->create(CacheNode::kName, "cache");
        graph_->connect(output_, cache_->plug("inFrame"));
        graph_->connect(graph_->time1()->plug("outTime"), cache_->plug("currentTime"));
    }
    firstWritten_ = first;
    writes_ = CacheParams();
    writes_->directory = directory;
    writes_->formats = formats.empty() ? cache_->plug("formats").text() : formats;
    writes_->oneFile = oneFile;
    cacheNode()->override(writes_);
    cacheNode()->resumeAfter(std::nullopt);
    CacheNode::Origin origin;
    origin.scenePath = fs::absolute(path_).lexically_normal().string();
    origin.run = identity();
    origin.values = [this] { return linesOf(toString(solver().scene())); };
    origin.branch = branch_;
    origin.parent = parent_;
    origin.branchFrame = branchFrame_;
    cacheNode()->setOrigin(std::move(origin));
}

RunIdentity Playback::identity() {
    const host::Graph::Scope scope(*graph_);
    RunIdentity run;
    run.toolVersion = toolVersion();
    run.solver = solver_->name;
    run.inputs.push_back(inputFileAt("scene", path_));
    for (const std::string& file : references_) run.inputs.push_back(inputFileAt("reference", file));
    for (InputFile& file : inputFilesOfScene()) run.inputs.push_back(std::move(file));
    for (InputFile& file : run.inputs) file.path = fs::absolute(file.path).lexically_normal().string();
    run.assignments = assignments_;
    run.origin = origin_;
    return run;
}

void Playback::enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun,
                           int first) {
    branch_ = name;
    parent_ = parent;
    branchFrame_ = first;
    origin_ = originOf(parentRun, first);
}

void Playback::passThroughCaches() {
    solver().simulateLive(true);
    graph_->dirty(solver_->plug("outFrame"));
    for (const host::NodePtr& node : graph_->nodesOfType(CacheNode::kName)) {
        cacheAt(node).override(CacheParams());
        graph_->dirty(node->plug("outFrame"));
    }
}

void Playback::writeNothing() {
    const host::Graph::Scope scope(*graph_);
    passThroughCaches();
    writes_.reset();
}

void Playback::report(const std::string& note) {
    if (graph_->sink) graph_->sink(host::Severity::Warning, note);
}

int Playback::restore(const std::string& directory, int last) {
    if (!hasManifest(directory)) return startFrame() - 1;
    std::vector<std::string> skipped;
    std::optional<SavedState> saved = newestState(directory, CacheReader(directory).manifest(), last, skipped);
    for (const std::string& line : skipped) report(line);
    if (!saved) return startFrame() - 1;
    continueFrom(std::move(saved->state), saved->frame);
    return saved->frame;
}

void Playback::continueFrom(State state, int number) {
    solver().resumeFrom(std::move(state));
    played_ = number;
    started_ = true;
}

int Playback::resume(const FrameRange& wanted) {
    const std::string& directory = writes_->directory;
    const int none = startFrame() - 1;
    if (!hasManifest(directory)) return none;
    const Manifest manifest = CacheReader(directory).manifest();
    if (manifest.frames.empty()) return none;
    {
        const host::Graph::Scope scope(*graph_);
        cacheNode()->checkSameRun(manifest);
    }
    // Frames after a missing one do not count.
    int next = wanted.first;
    for (const FrameRecord& record : manifest.frames) next += record.number == next;
    const int frame = restore(directory, next > wanted.last ? INT_MAX : next - 1);
    if (frame > none) cacheNode()->resumeAfter(frame);
    return frame;
}

void Playback::saveResumePoint(const std::string& directory, int frame, int every) {
    // A copy, because the simulation continues while the state is hashed and written.
    const auto state = std::make_shared<const State>(solver().simulator()->state());
    const int start = startFrame();
    cacheNode()->addJob(
        [state, directory, frame, every, start] { keepState(encodeState(*state), directory, frame, every, start); });
}

void Playback::finishCache() {
    if (CacheNode* node = cacheNode()) node->finish();
}

void Playback::waitForDisk() {
    if (CacheNode* node = cacheNode()) node->waitForDisk();
}

}  // namespace purl

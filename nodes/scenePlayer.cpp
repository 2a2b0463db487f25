#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/scenePlayer.h"

#include <maya/MAnimControl.h>
#include <maya/MComputation.h>
#include <maya/MFileIO.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <sstream>

#include "nodes/data.h"
#include "nodes/nodes.h"
#include "nodes/surfaceNode.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/stateFolder.h"
#include "solver/core/path.h"

namespace purl {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    stream.exceptions(std::ios::badbit);  // otherwise running out of memory would silently truncate the text
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

template <class Node, class Visit>
void forEachNode(Visit&& visit) {
    for (const MObject& node : nodesOfType(Node::kName)) visit(*static_cast<Node*>(MFnDependencyNode(node).userNode()));
}

bool escapePressed() {
    MComputation computation;
    computation.beginComputation();
    const bool pressed = computation.isInterruptRequested();
    computation.endComputation();
    return pressed;
}

FramePtr frameAt(const MPlug& frames, int number) {
    MAnimControl::setCurrentTime(MTime(number, MTime::uiUnit()));
    MObject data;
    const MStatus status = frames.getValue(data);
    return status ? FrameData::get(data) : nullptr;
}

void throwFailure(int number, const std::string& error) {
    if (escapePressed()) throw Cancelled();
    throw Error(error.empty() ? "frame " + std::to_string(number) + " could not be computed; see the previous message"
                              : error);
}

}  // namespace

int checkedFrame(double frame, const std::string& who) {
    if (!(std::abs(frame) <= kMaxFrame))
        throw Error(who + ": frames go from -" + std::to_string(kMaxFrame) + " to " + std::to_string(kMaxFrame));
    return static_cast<int>(std::floor(frame));
}

int startFrameOf(const MObject& solver) {
    return checkedFrame(plugOf(solver, "startFrame").asDouble(), nameOf(solver).asUTF8() + std::string(".startFrame"));
}

FrameRange playbackRange() {
    const auto checked = [](const MTime& time) { return checkedFrame(time.as(MTime::uiUnit()), "playback range"); };
    return {checked(MAnimControl::minTime()), checked(MAnimControl::maxTime())};
}

RestoreTime::RestoreTime() : was_(MAnimControl::currentTime()) {}
RestoreTime::~RestoreTime() { MAnimControl::setCurrentTime(was_); }

FramePtr evaluateFrame(const MPlug& frames, int number) {
    FramePtr frame = frameAt(frames, number);
    if (!frame) throwFailure(number, "");
    return frame;
}

SceneSource openScene(const MObject& solver) {
    const RestoreTime restoreTime;
    evaluateFrame(plugOf(solver, "outFrame"), startFrameOf(solver));
    SceneSource source;
    source.path = MFileIO::currentFile().asUTF8();
    const auto result = solverNode(solver).result();
    source.files.push_back({"scene", source.path, receiptOf(toString(result ? result->scene : Scene()))});
    return source;
}

ScenePlayer::ScenePlayer(const MObject& solver, const MPlug& output) : solver_(solver), output_(output) {}

// --- playing

FramePtr ScenePlayer::frame(int number) {
    if (kept_ && played_ && number != *played_ + 1) {
        const StateStore::Kept kept = kept_->latest(number - 1);
        if (kept.state && (number < *played_ || kept.frame > *played_)) continueFrom(kept.state, kept.frame);
    }
    FramePtr result;
    for (int next = nextFrame(number); next <= number; ++next) result = evaluate(next);
    return result;
}

int ScenePlayer::nextFrame(int number) const {
    // Going back without a state means restarting, because only then are all inputs what they were.
    return std::min(number, played_ && number >= *played_ ? *played_ + 1 : startFrame());
}

FramePtr ScenePlayer::evaluate(int number) {
    if (takeError_) takeError_();
    if (kept_ || (target_ && target_->checkpoints)) solver().wantState();
    FramePtr frame = frameAt(output_, number);
    const std::string error = takeError_ ? takeError_() : "";
    if (!frame || !error.empty()) {
        if (solver().wasCancelled()) throw Cancelled();
        throwFailure(number, error);
    }
    played_ = number;
    // Frames that a purlCache plays have no state.
    const std::shared_ptr<const State> state = kept_ ? solver().state() : nullptr;
    if (state) kept_->keep(number, state);
    if (target_ && target_->takes(number))
        write(number, frame);
    else
        finished_ = readyFrame(frame);
    return frame;
}

ScenePlayer::Played ScenePlayer::play(const FrameRange& range,
                                      const std::function<bool(int number, const FrameFuture& frame)>& played) {
    Played done{range.first - 1, false};
    try {
        for (int number = range.first; number <= range.last && !done.cancelled; ++number) {
            frame(number);
            done.last = number;
            done.cancelled = !played(number, finished_);
        }
    } catch (const Cancelled&) { done.cancelled = true; }
    if (!done.cancelled)
        finishCache();
    else if (recorder_)
        recorder_->wait();
    return done;
}

void ScenePlayer::deferSurfaces() {
    forEachNode<SurfaceNode>([](SurfaceNode& node) { node.defer(true); });
}

void ScenePlayer::recordLoops() {
    solver().recordLoops(true);
    forEachNode<SurfaceNode>([](SurfaceNode& node) { node.recordLoops(true); });
}

// --- going back

void ScenePlayer::restart() {
    played_.reset();
    if (kept_) kept_->clear();
}

void ScenePlayer::continueFrom(std::shared_ptr<const State> state, int number) {
    solver().resumeFrom(std::move(state));
    played_ = number;
}

void ScenePlayer::continueAfter(int number) { played_ = number; }

std::optional<int> ScenePlayer::continueBefore(int frame) {
    const StateStore::Kept kept = kept_ ? kept_->latest(frame - 1) : StateStore::Kept();
    if (!kept.state) {
        restart();
        return std::nullopt;
    }
    kept_->dropAfter(kept.frame);
    continueFrom(kept.state, kept.frame);
    return kept.frame;
}

// --- the cache

RunIdentity ScenePlayer::identity(const SceneSource& source) const {
    RunIdentity run;
    run.toolVersion = toolVersion();
    run.solver = nameOf(solver_).asUTF8();
    run.inputs = source.files;
    for (InputFile& file : inputFilesOfScene()) {
        file.path = absolutePath(file.path);
        run.inputs.push_back(std::move(file));
    }
    run.assignments = source.assignments;
    run.origin = origin_.run.origin;
    return run;
}

void ScenePlayer::enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun,
                              int first) {
    origin_.branch = name;
    origin_.parent = parent;
    origin_.branchFrame = first;
    origin_.run.origin = originOf(parentRun, first);
}

void ScenePlayer::writeCache(const SceneSource& source, CacheTarget target) {
    stopWriting();
    origin_.scenePath = source.path;
    origin_.fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
    origin_.run = identity(source);
    target_ = std::move(target);
}

void ScenePlayer::stopWriting() {
    target_.reset();
    resumeAfter_.reset();
    recorder_.reset();
}

CacheSettings ScenePlayer::settings() const {
    CacheSettings settings{origin_};
    if (!target_->formats.empty()) settings.formats = target_->formats;
    settings.channels = target_->channels;
    settings.oneFile = target_->oneFile;
    settings.frameList = target_->frames.text();
    return settings;
}

void ScenePlayer::openCache(int startFrame) {
    origin_.startFrame = startFrame;
    const auto result = solver().result();  // null if a purlCache plays the frames
    origin_.parameters = linesOf(toString(result ? result->scene : Scene()));
    CacheSettings opened = settings();
    opened.lock = std::move(target_->lock);
    recorder_ = std::make_unique<CacheRecorder>(target_->directory, std::move(opened), resumeAfter_);
    if (!recorder_->note().empty()) MGlobal::displayWarning(recorder_->note().c_str());
}

void ScenePlayer::write(int number, const FramePtr& frame) {
    // The cache starts at the frame of time 0.
    if (!recorder_) openCache(static_cast<int>(std::lround(number - frame->time * origin_.fps)));
    finished_ = recorder_->write(number, frame);
    if (!target_->checkpoints) return;
    if (const auto state = solver().state()) recorder_->saveState(number, state, *target_->checkpoints, startFrame());
}

int ScenePlayer::restore(const std::string& directory, int last) {
    if (!hasManifest(directory)) return startFrame() - 1;
    std::vector<std::string> skipped;
    std::optional<SavedState> saved = newestState(directory, CacheReader(directory).manifest(), last, skipped);
    for (const std::string& line : skipped) MGlobal::displayWarning(line.c_str());
    if (!saved) return startFrame() - 1;
    continueFrom(std::make_shared<const State>(std::move(saved->state)), saved->frame);
    return saved->frame;
}

int ScenePlayer::resume(const FrameRange& wanted) {
    const std::string& directory = target_->directory;
    const int none = startFrame() - 1;
    if (!hasManifest(directory)) return none;
    const Manifest manifest = CacheReader(directory).manifest();
    if (manifest.frames.empty()) return none;
    checkSameRun(manifest, settings(), directory);
    // Frames after a missing one do not count.
    int next = wanted.first;
    while (next <= wanted.last && (!target_->takes(next) || manifest.find(next))) ++next;
    const int frame = restore(directory, next > wanted.last ? INT_MAX : next - 1);
    if (frame > none) resumeAfter_ = frame;
    return frame;
}

void ScenePlayer::finishCache() {
    if (!recorder_ && resumeAfter_) openCache(CacheReader(target_->directory).manifest().startFrame);
    if (recorder_) recorder_->finish();
}

}  // namespace purl

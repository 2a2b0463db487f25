#include "nodes/solverNode.h"

#include <maya/MComputation.h>
#include <maya/MDGContext.h>
#include <maya/MDataBlock.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MThreadUtils.h>
#include <maya/MTime.h>

#include <cmath>
#include <optional>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/mainThread.h"
#include "nodes/names.h"
#include "solver/cache/stateFile.h"

namespace purl {
namespace {

// A state is kept every kKeepInterval frames, so that scrubbing back re-simulates at most that many, as long as they
// take less than kMaxKeptBytes.
constexpr int kKeepInterval = 10;
constexpr size_t kMaxKeptBytes = size_t(256) << 20;

// Lets onCancel or, where Maya may be asked, the Escape key cancel the simulation between kernels.
class Interruptible {
  public:
    Interruptible(Simulator& simulator, const std::function<bool()>& isCancelled, bool asksMaya)
        : simulator_(simulator) {
        if (asksMaya) computation_.emplace().beginComputation();
        simulator_.onCancel([this, isCancelled] {
            return (computation_ && computation_->isInterruptRequested()) || (isCancelled && isCancelled());
        });
    }
    ~Interruptible() {
        simulator_.onCancel({});
        if (computation_) computation_->endComputation();
    }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

  private:
    Simulator& simulator_;
    std::optional<MComputation> computation_;
};

double bytesOf(const Simulator& simulator) {
    double bytes = static_cast<double>(sizeOf(simulator.state()));
    const Frame& frame = simulator.frame();
    const auto add = [&](const auto& channels) {
        std::decay_t<decltype(channels)>::channels(channels, [&](const char*, const auto& values, bool) {
            bytes += static_cast<double>(values.size() * sizeof(*values.begin()));
        });
    };
    add(frame.points);
    for (const Mesh& mesh : frame.meshes) add(mesh);
    for (const Curves& curves : frame.curves) add(curves);
    return bytes;
}

}  // namespace

SolverNode& solverNode(const MObject& solver) {
    return *static_cast<SolverNode*>(MFnDependencyNode(solver).userNode());
}

SolverNode::SolverNode() : kept_(kMaxKeptBytes) {}

MStatus SolverNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<SolverNode>(plug)) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        PlaybackParams playback = playback_.read(block);
        if (live_) playback.playFromCache = false;
        const MTime now = block.inputValue(currentTime_).asTime();
        const MTime start(playback.startFrame, MTime::uiUnit());
        const double frameLength = MTime(1.0, MTime::uiUnit()).as(MTime::kSeconds);
        const bool plays = (playback.enable || !simulator_) && !playback.playFromCache;
        Scene scene = plays ? gather(block, playback) : Scene();
        // No other node is evaluated while the lock is held: it might be waiting for this one.
        const std::lock_guard<std::mutex> computing(computing_);
        wasCancelled_ = false;
        if (plays) {
            scene_ = std::move(scene);
            copy_.reset();
            loadInitialState(playback.initialState);
            prepareSimulator(playback);
            // MComputation belongs to the main thread, and Escape does not end frames computed in the background.
            const bool asksMaya = onMainThread() && block.context().isNormal();
            const Interruptible interruptible(*simulator_, cancel_, asksMaya);
            try {
                play((now - start).as(MTime::kSeconds), frameLength, playback.frameJumpLimit,
                     StateData::get(block.outputValue(outState_)));
            } catch (const Cancelled&) {
                wasCancelled_ = true;
                throw;
            }
            const auto& warnings = simulator_->warnings();
            for (warningsShown_ = std::min(warningsShown_, warnings.size()); warningsShown_ < warnings.size();
                 ++warningsShown_)
                MGlobal::displayWarning(messageOf(*this, warnings[warningsShown_]));
        }
        publish(block, playback, isCached() || stateWanted_.exchange(false) || plug == outState_);
    });
}

void SolverNode::publish(MDataBlock& block, const PlaybackParams& playback, bool withState) {
    // With playFromCache, the simulator's frame would be of another time: output an empty one.
    const bool live = !playback.playFromCache;
    const auto frame = live ? std::make_shared<const Frame>(inUnits(simulator_->frame(), asTyped(playback.spaceScale)))
                            : std::make_shared<const Frame>();
    FrameData::set(block.outputValue(outFrame_), frame);
    block.setClean(outFrame_);
    if (live)
        std::atomic_store(&result_, std::make_shared<const Result>(Result{
                                        scene_, simulator_->frame(), simulator_->timings(), bytesOf(*simulator_)}));
    if (!withState) return;
    published_ = !live ? nullptr : wholeFrame_ ? wholeFrame_ : copyOfState();
    StateData::set(block.outputValue(outState_), published_);
    block.setClean(outState_);
}

std::shared_ptr<const SolverNode::Result> SolverNode::result() const { return std::atomic_load(&result_); }

double SolverNode::bytesPerFrame() const {
    const auto last = result();
    return last ? last->bytes : 0;
}

std::shared_ptr<const State> SolverNode::state() {
    // If something else provides the frames, like a purlCache, nothing is simulated just for the state.
    if (!forceCache().isClean(outFrame_)) return nullptr;
    MObject data;
    if (!MPlug(thisMObject(), outState_).getValue(data))
        throw Error(name().asUTF8() + std::string(": no state at this frame; see the previous message"));
    return StateData::get(data);
}

void SolverNode::resumeFrom(std::shared_ptr<const State> state) {
    const std::lock_guard<std::mutex> computing(computing_);
    resume_ = std::move(state);
}

bool SolverNode::simulates() const {
    const auto isOn = [&](const char* name) { return MPlug(thisMObject(), playback_.attribute(name)).asBool(); };
    return isOn("enable") && !isOn("playFromCache");
}

std::vector<MObject> SolverNode::switches() const {
    return {playback_.attribute("enable"), playback_.attribute("playFromCache")};
}

Scene SolverNode::gather(MDataBlock& block, const PlaybackParams& playback) {
    Scene scene;
    scene.solver = params_.read(block, &former_);
    appendBodies(scene, block.inputArrayValue(bodies_));
    resolveAttachments(scene);
    addWindAndGround(scene, world_.read(block), name().asUTF8() + std::string("Plane"));
    scaleLengths(scene, playback.spaceScale);
    return scene;
}

void SolverNode::prepareSimulator(const PlaybackParams& playback) {
    const int threads = playback.threads > 0 ? playback.threads : MThreadUtils::getNumThreads();
    const std::string device = choicesOf(playback.device)[static_cast<size_t>(playback.device)];
    const bool fits =
        simulator_ && simulator_->device().threads() == threads && simulator_->device().name().rfind(device, 0) == 0;
    if (!fits) {
        auto simulator = std::make_unique<Simulator>(Device::named(device, threads));
        if (simulator_) simulator->restore(simulator_->state(), scene_);
        simulator_ = std::move(simulator);
    }
    simulator_->setFrameUnit(asTyped(playback.spaceScale));
    simulator_->onProgress(progress_);
    simulator_->recordLoops(recordLoops_);
    if (resume_) {
        restore(*resume_);
        resume_.reset();
        started_ = true;
    }
}

std::vector<std::string> SolverNode::inputFiles() const {
    const std::string file = textOf(*this, kFileAttribute);
    return file.empty() ? std::vector<std::string>() : std::vector<std::string>{file};
}

void SolverNode::loadInitialState(const std::string& file) {
    if (file == initialFile_) return;
    auto state = file.empty() ? nullptr : std::make_unique<State>(loadState(file));
    initial_ = std::move(state);
    initialFile_ = file;
    started_ = false;
}

void SolverNode::reloadInitialState() {
    const std::lock_guard<std::mutex> computing(computing_);
    initial_.reset();
    initialFile_.clear();
    started_ = false;
}

void SolverNode::restore(const State& state) {
    simulator_->restore(state, scene_);
    copy_.reset();
    wholeFrame_.reset();
}

void SolverNode::begin() {
    kept_.clear();
    if (initial_) {
        restore(*initial_);
    } else {
        simulator_->reset(scene_);
        copy_.reset();
        wholeFrame_.reset();
    }
    started_ = true;
}

// Simulates up to `time`, in seconds since the start, frame by frame, so that a jump gives the same bits as playback.
// `held` is the state in the data block; it is not the simulator's if another data block was computed since. Times
// between frames, which motion blur asks for, are simulated from the frame before, and forgotten when time goes on.
const Frame& SolverNode::play(double time, double frameLength, int jumpLimit,
                              const std::shared_ptr<const State>& held) {
    constexpr double kTolerance = 1e-9;  // in frames
    const int framesPerSecond = static_cast<int>(std::lround(1 / frameLength));
    const bool wholeRate = std::abs(framesPerSecond * frameLength - 1) < 1e-12;
    const auto boundaryOf = [&](int frame) {
        return wholeRate ? double(frame) / framesPerSecond : frame * frameLength;
    };
    const bool atStart = time <= 0;
    if (initial_) {
        // Continues from the time of the state, snapped to whole frames as in an uninterrupted run.
        time += initial_->time;
        const auto nearest = static_cast<int>(std::lround(time / frameLength));
        if (std::abs(time - boundaryOf(nearest)) < kTolerance * frameLength) time = boundaryOf(nearest);
    }
    if (atStart || !started_) {
        begin();
        if (atStart) return simulator_->frame();
    } else if (held && held != published_ && held->time <= time + kTolerance * frameLength) {
        restore(*held);
    } else if (wholeFrame_ && std::abs(time - simulator_->state().time) > kTolerance * frameLength &&
               time >= wholeFrame_->time - kTolerance * frameLength) {
        restore(*std::shared_ptr<const State>(wholeFrame_));
    }
    if (time < simulator_->state().time - kTolerance * frameLength) {
        const auto kept = kept_.latest(static_cast<int>(std::floor(time / frameLength + kTolerance)));
        if (kept.state)
            restore(*kept.state);
        else
            begin();
    }
    const double jump = (time - simulator_->state().time) / frameLength;
    if (jumpLimit > 0 && jump > jumpLimit + kTolerance) return simulator_->frame();
    int frame = static_cast<int>(std::floor(simulator_->state().time / frameLength + kTolerance)) + 1;
    for (;; ++frame) {
        const double boundary = boundaryOf(frame);
        const bool last = boundary >= time - kTolerance * frameLength;
        const bool between = last && boundary > time + kTolerance * frameLength &&
                             time > simulator_->state().time + kTolerance * frameLength;
        if (between && !wholeFrame_) wholeFrame_ = copyOfState();
        simulator_->advanceTo(scene_, last ? time : boundary);
        copy_.reset();
        if (keepStates_ && frame % kKeepInterval == 0 &&
            simulator_->state().time >= boundary - kTolerance * frameLength)
            kept_.keep(frame, copyOfState());
        if (last) return simulator_->frame();
    }
}

std::shared_ptr<const State> SolverNode::copyOfState() {
    if (!copy_ && simulator_) {
        // In host memory: kept states are saved by other threads.
        auto copy = std::make_shared<State>(simulator_->device().host());
        *copy = simulator_->state();
        copy_ = std::move(copy);
    }
    return copy_;
}

}  // namespace purl

#include "nodes/solverNode.h"

#include <maya/MComputation.h>
#include <maya/MThreadUtils.h>
#include <maya/MTime.h>

#include <cmath>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "solver/cache/stateFile.h"

namespace purl {
namespace {

// Every so many frames a state is kept, so that scrubbing back costs about that many frames anew; the oldest but the
// first go when all are larger than this, in bytes.
constexpr int kKeepEvery = 10;
constexpr size_t kMostKept = size_t(256) << 20;

struct SizeOfFields {
    size_t bytes = 0;
    template <class T>
    void operator()(const Buffer<T>& values) {
        bytes += sizeof(T) * static_cast<size_t>(values.size());
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        bytes += sizeof(T) * values.size();
    }
    template <class T>
    void operator()(const T&) {
        bytes += sizeof(T);
    }
};
size_t sizeOf(const State& state) {
    SizeOfFields size;
    visitFields(state, size);
    return size.bytes;
}

// Lets Escape, or whoever asked to be asked, stop the simulation between kernels.
class Interruptible {
  public:
    Interruptible(Simulator& simulator, const std::function<bool()>& asked) : simulator_(simulator) {
        computation_.beginComputation();
        simulator_.onCancel([this, asked] { return computation_.isInterruptRequested() || (asked && asked()); });
    }
    ~Interruptible() {
        simulator_.onCancel({});
        computation_.endComputation();
    }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

  private:
    Simulator& simulator_;
    MComputation computation_;
};

}  // namespace

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
        // From here on nothing is asked of other nodes, which might be waiting for this one.
        const std::lock_guard<std::mutex> alone(alone_);
        if (plays) {
            scene_ = std::move(scene);
            takeInitialState(playback.initialState);
            prepareSimulator(playback);
            const Interruptible interruptible(*simulator_, cancel_);
            play((now - start).as(MTime::kSeconds), frameLength, playback.frameJumpLimit,
                 StateData::get(block.outputValue(outState_)));
            const auto& warnings = simulator_->warnings();
            for (warningsSaid_ = std::min(warningsSaid_, warnings.size()); warningsSaid_ < warnings.size();
                 ++warningsSaid_)
                MGlobal::displayWarning(name() + ": " + warnings[warningsSaid_].c_str());
        }
        publish(block, playback, remembers() || plug == outState_);
    });
}

void SolverNode::publish(MDataBlock& block, const PlaybackParams& playback, bool withState) {
    // Whoever plays from a cache has the frames from there: this one would be of another time.
    const bool live = !playback.playFromCache;
    FrameData::set(block.outputValue(outFrame_),
                   live ? std::make_shared<Frame>(inUnits(simulator_->frame(), asTyped(playback.spaceScale)))
                        : std::make_shared<Frame>());
    block.setClean(outFrame_);
    if (!withState) return;
    if (live) {
        published_ = std::make_shared<const State>(simulator_->state());
        StateData::set(block.outputValue(outState_), published_);
    }
    block.setClean(outState_);
}

Scene SolverNode::gather(MDataBlock& block, const PlaybackParams& playback) {
    Scene scene;
    scene.solver = params_.read(block);
    appendBodies(scene, block.inputArrayValue(bodies_));
    furnish(scene, world_.read(block), name().asUTF8() + std::string("Plane"));
    scaleLengths(scene, playback.spaceScale);
    return scene;
}

void SolverNode::prepareSimulator(const PlaybackParams& playback) {
    const int threads = playback.threads > 0 ? playback.threads : MThreadUtils::getNumThreads();
    const std::string device = choicesOf(playback.device)[static_cast<size_t>(playback.device)];
    const bool fits = simulator_ && simulator_->device().threads() == threads &&
                      simulator_->device().isCuda() == (playback.device == DeviceChoice::cuda);
    if (!fits) {
        auto simulator = std::make_unique<Simulator>(Device::named(device, threads));
        if (simulator_) simulator->restore(simulator_->state(), scene_);
        simulator_ = std::move(simulator);
    }
    simulator_->onProgress(progress_);
    simulator_->recordLoops(recordLoops_);
    if (resume_) {
        simulator_->restore(std::move(*resume_), scene_);
        resume_.reset();
        started_ = true;
    }
}

std::vector<std::string> SolverNode::inputFiles() const {
    const std::string file = textOf(*this, kFileAttribute);
    return file.empty() ? std::vector<std::string>() : std::vector<std::string>{file};
}

void SolverNode::takeInitialState(const std::string& file) {
    if (file == initialFile_) return;
    auto state = file.empty() ? nullptr : std::make_unique<State>(loadState(file));
    initial_ = std::move(state);
    initialFile_ = file;
    started_ = false;
}

void SolverNode::reloadInitialState() {
    const std::lock_guard<std::mutex> alone(alone_);
    initial_.reset();
    initialFile_.clear();
    started_ = false;
}

void SolverNode::begin() {
    kept_.clear();
    if (initial_)
        simulator_->restore(*initial_, scene_);
    else
        simulator_->reset(scene_);
    started_ = true;
}

// Goes to `time`, in seconds since the start, frame by frame: a jump gives the same bits as playing there. `held` is
// the state that the data block stands at, which is not the simulator's when another block was computed since.
const Frame& SolverNode::play(double time, double frameLength, int jumpLimit,
                              const std::shared_ptr<const State>& held) {
    constexpr double kSlack = 1e-9;  // of a frame
    const int framesPerSecond = static_cast<int>(std::lround(1 / frameLength));
    const bool wholeRate = std::abs(framesPerSecond * frameLength - 1) < 1e-12;
    const auto boundaryOf = [&](int frame) {
        return wholeRate ? double(frame) / framesPerSecond : frame * frameLength;
    };
    const bool atStart = time <= 0;
    if (initial_) {
        // It goes on at the state's own time, and on whole frames as it would have without a break.
        time += initial_->time;
        const auto nearest = static_cast<int>(std::lround(time / frameLength));
        if (std::abs(time - boundaryOf(nearest)) < kSlack * frameLength) time = boundaryOf(nearest);
    }
    if (atStart || !started_) {
        begin();
        if (atStart) return simulator_->frame();
    } else if (held && held != published_ && held->time <= time + kSlack * frameLength) {
        simulator_->restore(*held, scene_);
    }
    if (time < simulator_->state().time - kSlack * frameLength) {
        const auto after = kept_.upper_bound(static_cast<int>(std::floor(time / frameLength + kSlack)));
        if (after == kept_.begin())
            begin();
        else
            simulator_->restore(std::prev(after)->second, scene_);
    }
    const double jump = (time - simulator_->state().time) / frameLength;
    if (jumpLimit > 0 && jump > jumpLimit + kSlack) return simulator_->frame();
    int frame = static_cast<int>(std::floor(simulator_->state().time / frameLength + kSlack)) + 1;
    for (;; ++frame) {
        const double boundary = boundaryOf(frame);
        const bool last = boundary >= time - kSlack * frameLength;
        simulator_->advanceTo(scene_, last ? time : boundary);
        if (keepStates_ && frame % kKeepEvery == 0 && simulator_->state().time >= boundary - kSlack * frameLength)
            keep(frame);
        if (last) return simulator_->frame();
    }
}

void SolverNode::keep(int frame) {
    kept_.insert_or_assign(frame, simulator_->state());
    size_t bytes = 0;
    for (const auto& each : kept_) bytes += sizeOf(each.second);
    while (bytes > kMostKept && kept_.size() > 2) {
        const auto oldest = std::next(kept_.begin());
        bytes -= sizeOf(oldest->second);
        kept_.erase(oldest);
    }
}

void SolverNode::resumeFrom(State state) { resume_ = std::make_unique<State>(std::move(state)); }

}  // namespace purl

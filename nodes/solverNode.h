// purlSolver: collects the bodies into a Scene in SI units, advances the Simulator to the current time and outputs its
// Frame in the scene's units.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "nodes/ids.h"
#include "nodes/mayaYear.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/stateStore.h"
#include "nodes/world.h"
#include "solver/simulator.h"

namespace purl {

enum class DeviceChoice { cpu, cuda, rehearsal };
inline Choices choicesOf(DeviceChoice) { return {"cpu", "cuda", "rehearsal"}; }

struct PlaybackParams {
    bool enable = true;
    bool playFromCache = false;
    float startFrame = 1;
    int frameJumpLimit = 0;
    std::string initialState;
    float spaceScale = 0.01f;
    DeviceChoice device = DeviceChoice::cpu;
    int threads = 0;
};
template <class Visit>
void describe(Visit&& visit, PlaybackParams& p) {
    visit(p.enable, About{"enable", "ena", "", "Off: the solver keeps its last frame."}.section(
                        "Playback", SectionPlace::identity));
    visit(p.playFromCache, About{"playFromCache", "pfc", "",
                                 "The purlCache connected to the solver supplies the frames; nothing is simulated. Set "
                                 "by purlCacheSim."});
    visit(p.startFrame,
          About{"startFrame", "stf", "", "First frame of the simulation; going back to it restarts the simulation."}
              .initialOnly());
    visit(p.frameJumpLimit, About{"frameJumpLimit", "fjl", "",
                                  "A jump forward by more frames than this is not simulated: the last frame stays, as "
                                  "with nucleus, until playback reaches the new time. 0: every jump is simulated.",
                                  0, 1e6, 0, 100});
    visit(p.initialState, About{"initialState", "ini", "",
                                "State file to start from in place of the bodies, as saved by purlInitialState. Empty: "
                                "none."}
                              .initialOnly());
    visit(p.spaceScale,
          About{"spaceScale", "spsc", "",
                "Metres per centimetre of the scene: 0.01 is true to scale, 1 treats a centimetre as a metre.", 1e-6,
                1e6, 0.001, 1}
              .initialOnly());
    visit(p.device, About{"device", "dev", "",
                          "Device that runs the simulation. rehearsal: the code path of a GPU on the CPU, for tests."});
    visit(p.threads,
          About{"threads", "thr", "", "CPU threads; the result does not depend on them. 0: all.", 0, 1024, 0, 32});
}

class SolverNode : public MemoryNode {
  public:
    SolverNode();
    static constexpr const char* kName = "purlSolver";
    static constexpr unsigned kId = id::kSolver;
    static constexpr const char* kSentence = "Simulates the bodies connected to it up to the current time.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(currentTime_, PlugAbout{"currentTime", "cti", PlugType::time, PlugUse::in, "From time1.outTime."});
        visit(bodies_, PlugAbout{"bodies", "bod", PlugType::body, PlugUse::inArray,
                                 "Fluids, cloths, soft bodies, knits, colliders and fields."});
        visit(outFrame_, PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out,
                                   "Particles, cloths, soft bodies and yarns at the current time."});
        visit(outState_,
              PlugAbout{"outState", "ost", PlugType::state, PlugUse::out,
                        "State that the next frame continues from; stored with every frame by cached playback."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(playback_);
        visit(world_);
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;
    static constexpr const char* kFileAttribute = "initialState";
    std::vector<std::string> inputFiles() const;
    MStringArray getFilesToArchive(bool, bool, bool) const override { return archived(inputFiles()); }

    // --- for commands, the command line and Python, which get the node from MFnDependencyNode::userNode
    // What the last frame was computed from and gave. Cached playback computes in the background, so that in Maya only
    // these copies may be read: they never change, and getting them does not wait for a frame.
    struct Result {
        Scene scene;  // in SI units
        Frame frame;
        std::vector<PhaseTime> timings;
        double bytes = 0;  // of the frame and its state
    };
    std::shared_ptr<const Result> result() const;  // null before the first frame
    // The state that the frame after the current one continues from, from the outState of the current time; null if
    // nothing was simulated. Throws Error if it cannot be computed.
    std::shared_ptr<const State> state();
    // The next frame is computed together with its state: otherwise state() gathers the bodies and computes it again.
    void wantState() { stateWanted_ = true; }
    double bytesPerFrame() const override;

    // For programs that compute in one thread: the last scene and its simulator (null before the first frame).
    const Scene& scene() const { return scene_; }
    Simulator* simulator() { return simulator_.get(); }
    // The next frame continues from `state` instead of from the current one.
    void resumeFrom(std::shared_ptr<const State> state);
    // Simulates even if playFromCache is on.
    void simulateLive(bool live) { live_ = live; }
    // Whether to keep states in memory for scrubbing back; not needed if time only moves forward.
    void keepStates(bool keep) { keepStates_ = keep; }
    size_t keptStates() const { return kept_.count(); }
    // Reads the initial state again after its file was overwritten.
    void reloadInitialState();
    void onProgress(std::function<void(const Progress&)> report) { progress_ = std::move(report); }
    // See Simulator::recordLoops.
    void recordLoops(bool record) { recordLoops_ = record; }
    // Polled between kernels, in addition to Maya's Escape key: true cancels the current frame.
    void onCancel(std::function<bool()> isCancelled) { cancel_ = std::move(isCancelled); }
    // Whether the last frame was cancelled.
    bool wasCancelled() const { return wasCancelled_; }

  protected:
    std::vector<MObject> cachedAttributes() const override { return {outFrame_, outState_}; }
    bool simulates() const override;
    std::vector<MObject> switches() const override;

  private:
    std::shared_ptr<const State> copyOfState();
    void restore(const State& state);
    Scene gather(MDataBlock& block, const PlaybackParams& playback);
    void prepareSimulator(const PlaybackParams& playback);
    void loadInitialState(const std::string& file);
    void begin();
    const Frame& play(double time, double frameLength, int jumpLimit, const std::shared_ptr<const State>& held);
    void publish(MDataBlock& block, const PlaybackParams& playback, bool withState);

    static inline MObject currentTime_, bodies_, outFrame_, outState_;
    static inline ParamAttributes<PlaybackParams> playback_;
    static inline ParamAttributes<WorldParams> world_;
    static inline ParamAttributes<SolverParams> params_;
    FormerValues former_{*this};

    Scene scene_;
    std::unique_ptr<Simulator> simulator_;
    std::unique_ptr<State> initial_;
    std::string initialFile_;              // file of initial_
    std::shared_ptr<const State> resume_;  // to continue from
    std::shared_ptr<const State> copy_;    // of the simulator's state; null if that has changed since
    std::shared_ptr<const State>
        wholeFrame_;                          // while the simulator is between two frames: its state at the earlier one
    std::shared_ptr<const State> published_;  // the last state set on a data block
    bool started_ = false;                    // the simulator has a state of this scene
    StateStore kept_;                         // by frame since the start, for scrubbing back
    std::function<void(const Progress&)> progress_;
    std::function<bool()> cancel_;
    size_t warningsShown_ = 0;
    bool recordLoops_ = false, live_ = false, keepStates_ = true;
    std::atomic<bool> wasCancelled_{false}, stateWanted_{false};
    std::shared_ptr<const Result> result_;  // accessed with std::atomic_load and std::atomic_store
    // Cached playback computes in the background, with its own data blocks but this one simulator.
    std::mutex computing_;
};

SolverNode& solverNode(const MObject& solver);

}  // namespace purl

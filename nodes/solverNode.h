// purlSolver: the one node with memory. Gathers the bodies into a Scene, converts to SI, advances the Simulator to the
// current time and publishes its Frame in the scene's units.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "nodes/ids.h"
#include "nodes/mayaYear.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/world.h"
#include "solver/simulator.h"

namespace purl {

enum class DeviceChoice { cpu, cuda };
inline Choices choicesOf(DeviceChoice) { return {"cpu", "cuda"}; }

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
    visit(p.enable, About{"enable", "ena", "", "Off: the last frame stays as it is."});
    visit(p.playFromCache,
          About{"playFromCache", "pfc", "",
                "A purlCache behind it has the frames: nothing is simulated. purlCacheSim sets it with the cache."});
    visit(p.startFrame, About{"startFrame", "stf", "", "The simulation begins here; going back to it starts anew."});
    visit(p.frameJumpLimit,
          About{"frameJumpLimit", "fjl", "",
                "A jump ahead of more frames than this is not simulated: the last frame stays until the time is "
                "reached by playing, as nucleus has it. 0: any jump is played through.",
                0, 1e6, 0, 100});
    visit(p.initialState, About{"initialState", "ini", "",
                                "File of a state to begin from, in place of what the bodies say, as "
                                "purlInitialState keeps it. Empty: none."});
    visit(p.spaceScale,
          About{"spaceScale", "spsc", "",
                "Metres in one of Maya's centimetres: 0.01 is true to scale, 1 reads a centimetre as a metre.", 1e-6,
                1e6, 0.001, 1});
    visit(p.device, About{"device", "dev", "", "Where the simulation runs."});
    visit(p.threads,
          About{"threads", "thr", "", "CPU threads; the result is the same for any number. 0: all.", 0, 1024, 0, 32});
}

class SolverNode : public MemoryNode {
  public:
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
        visit(outState_, PlugAbout{"outState", "ost", PlugType::state, PlugUse::out,
                                   "What the next frame goes on from; cached playback keeps it with every frame."});
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

    // For commands, the command line and Python, which reach the node through MFnDependencyNode::userNode.
    // The last scene gathered, in SI units, and the simulator that played it (null before the first frame).
    const Scene& scene() const { return scene_; }
    Simulator* simulator() { return simulator_.get(); }
    // The next frame pulled goes on from `state` instead of from what was simulated so far.
    void resumeFrom(State state);
    // Simulates even where playFromCache is on.
    void simulateLive(bool live) { live_ = live; }
    // Keeps states in memory, for scrubbing back. Those who play forward only do without.
    void keepStates(bool keep) { keepStates_ = keep; }
    size_t keptStates() const { return kept_.size(); }
    // Reads the file of the initial state again: it was written under the same name.
    void reloadInitialState();
    void onProgress(std::function<void(const Progress&)> tell) { progress_ = std::move(tell); }
    // See Simulator::recordLoops.
    void recordLoops(bool record) { recordLoops_ = record; }
    // Asked between kernels, beside Maya's Escape: true stops the frame under way.
    void onCancel(std::function<bool()> asked) { cancel_ = std::move(asked); }

  protected:
    std::vector<MObject> rememberedAttributes() const override { return {outFrame_, outState_}; }

  private:
    Scene gather(MDataBlock& block, const PlaybackParams& playback);
    void prepareSimulator(const PlaybackParams& playback);
    void takeInitialState(const std::string& file);
    void begin();
    const Frame& play(double time, double frameLength, int jumpLimit, const std::shared_ptr<const State>& held);
    void keep(int frame);
    void publish(MDataBlock& block, const PlaybackParams& playback, bool withState);

    static inline MObject currentTime_, bodies_, outFrame_, outState_;
    static inline ParamAttributes<PlaybackParams> playback_;
    static inline ParamAttributes<WorldParams> world_;
    static inline ParamAttributes<SolverParams> params_;

    Scene scene_;
    std::unique_ptr<Simulator> simulator_;
    std::unique_ptr<State> resume_, initial_;
    std::string initialFile_;                 // that initial_ was read from
    std::shared_ptr<const State> published_;  // the last one put into a data block
    bool started_ = false;                    // the simulator holds a state of this scene
    std::map<int, State> kept_;               // states by frames since the start, for scrubbing back
    std::function<void(const Progress&)> progress_;
    std::function<bool()> cancel_;
    size_t warningsSaid_ = 0;
    bool recordLoops_ = false, live_ = false, keepStates_ = true;
    std::mutex
        alone_;  // cached playback computes in the background, with data blocks of its own but this one simulator
};

}  // namespace purl

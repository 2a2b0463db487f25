// ScenePlayer: plays the frames of a solver in order, in Maya and without it: evaluates them, writes them to a cache
// with checkpoints and provenance, resumes, and keeps states in memory to go back to.
#pragma once
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MTime.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/cacheRecorder.h"
#include "nodes/connections.h"
#include "nodes/solverNode.h"
#include "nodes/stateStore.h"
#include "solver/cache/frameList.h"

namespace purl {

struct FrameRange {
    int first = 1, last = 1;
};
// Rounds down. Throws Error that begins with `who` if the number is not finite or beyond kMaxFrame.
int checkedFrame(double frame, const std::string& who);
int startFrameOf(const MObject& solver);
// Of the scene; its last frame may be before the first.
FrameRange playbackRange();
// Restores the current time.
class RestoreTime {
  public:
    RestoreTime();
    ~RestoreTime();
    RestoreTime(const RestoreTime&) = delete;
    RestoreTime& operator=(const RestoreTime&) = delete;

  private:
    MTime was_;
};

// Evaluates a frame plug at frame `number`, by itself. Throws Error, or Cancelled after Escape.
FramePtr evaluateFrame(const MPlug& frames, int number);

// The scene that is played, for the identity of a run.
struct SceneSource {
    std::string path;
    std::vector<InputFile> files;          // the scene itself first
    std::vector<std::string> assignments;  // made since it was read
};
// The scene open in Maya, which may be unsaved: identified by what the solver gathers at its start frame. Evaluates
// that frame, and restores the current time.
SceneSource openScene(const MObject& solver);

// Where and how a cache is written.
struct CacheTarget {
    std::string directory;
    std::vector<std::string> formats;  // empty: the default ones
    bool oneFile = false;
    int first = 1;  // earlier frames are simulated, but not written
    // Interval of checkpoints in frames. A checkpoint of the last frame is always saved; 0: only that. Nullopt: none.
    std::optional<int> checkpoints = {};
    std::vector<std::string> channels = {};  // of particles; empty: all
    FrameList frames = {};                   // the only frames written; empty: all from `first` on
    std::shared_ptr<FolderLock> lock = {};   // of the directory, if the caller has it already

    bool takes(int number) const { return number >= first && (frames.empty() || frames.contains(number)); }
};

class ScenePlayer {
  public:
    // `output` is the frame plug to play: of the solver, or of a node of its chain.
    ScenePlayer(const MObject& solver, const MPlug& output);

    SolverNode& solver() const { return solverNode(solver_); }
    int startFrame() const { return startFrameOf(solver_); }
    // How errors of nodes become known: returns the first one since the last call, and forgets it. Without it, errors
    // refer to Maya's script editor.
    void takeErrorsFrom(std::function<std::string()> takeError) { takeError_ = std::move(takeError); }

    // --- playing
    // The frame at the output. Simulates all frames up to it if necessary, so that calls in any order give the same
    // bits as playing from the start, and writes them if a cache is being written. Throws Error with the message of a
    // node that fails, or Cancelled.
    FramePtr frame(int number);
    // The first frame that has to be played to reach `number`.
    int nextFrame(int number) const;
    // Plays a range, and finishes the cache being written, if any. `played` is called after each frame, with its number
    // and the frame, once its deferred surfaces are built; false stops, like Escape. A cache stays unfinished then, to
    // be resumed.
    struct Played {
        int last;  // first - 1: none
        bool cancelled = false;
    };
    Played play(const FrameRange& range, const std::function<bool(int number, const FrameFuture& frame)>& played);
    // For caching a range: surfaces are built while the next frame is simulated. frame() then returns frames without
    // them, and play() passes on those with them.
    void deferSurfaces();
    // For the simulation and the surfaces; see Simulator::recordLoops.
    void recordLoops();

    // --- going back
    // The next frame is played from the start.
    void restart();
    // Plays on from `state`, the state after frame `number`.
    void continueFrom(std::shared_ptr<const State> state, int number);
    // Plays on after frame `number` without a state: something else provides the frames, like a purlCache.
    void continueAfter(int number);
    // Keeps the state of every played frame, up to a memory limit. Going back then continues from the nearest one.
    void keepStates(size_t maxBytes) { kept_.emplace(maxBytes); }
    // After an edit that takes effect at `frame`: continues from the latest kept state before it, and drops later ones.
    // Returns the frame of that state. If there is none, restarts and returns nullopt.
    std::optional<int> continueBefore(int frame);

    // --- the cache
    // Everything that determines the result with the current settings. Hashes all input files of the scene.
    RunIdentity identity(const SceneSource& source) const;
    // Writes frames from now on.
    void writeCache(const SceneSource& source, CacheTarget target);
    void stopWriting();
    // The run is a branch from now on. It starts at frame `first` of the run `parentRun`, cached in `parent`, a path
    // relative to the folder of the branch.
    void enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun, int first);
    // After writeCache: continues an existing cache after its last frame with a checkpoint, provided that all frames of
    // `wanted` up to it exist. Returns that frame, or startFrame() − 1 if there is none. Throws Error with the
    // difference if the cache belongs to another run.
    int resume(const FrameRange& wanted);
    // Restores the latest checkpoint in `directory` up to frame `last` that is intact and matches its frame's receipt;
    // warns of those that are not. Returns its frame, or startFrame() − 1 if there is none.
    int restore(const std::string& directory, int last);
    // Waits until everything is on disk and finishes the cache (packs one-file caches). This includes a resumed cache
    // that had no frame to add: the earlier run may have been killed before finishing it. Rethrows errors that occurred
    // while writing.
    void finishCache();

  private:
    FramePtr evaluate(int number);
    void write(int number, const FramePtr& frame);
    CacheSettings settings() const;
    void openCache(int startFrame);

    MObject solver_;
    MPlug output_;
    std::function<std::string()> takeError_;
    std::optional<int> played_;  // last frame played
    FrameFuture finished_;       // that frame, with its deferred surfaces
    std::optional<StateStore> kept_;

    CacheOrigin origin_;  // of the run
    std::optional<CacheTarget> target_;
    std::optional<int> resumeAfter_;
    std::unique_ptr<CacheRecorder> recorder_;
};

}  // namespace purl

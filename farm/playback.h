// Playback: plays a Maya scene without Maya. The command line, Python and the tests use it to load a scene, set
// attributes, evaluate frames in order, cache them, and resume.
#pragma once
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/graph/graph.h"
#include "nodes/cacheNode.h"
#include "nodes/solverNode.h"
#include "solver/frame.h"

namespace purl {

class SurfaceNode;

struct FrameRange {
    int first = 1, last = 1;
};
// Largest frame number, positive or negative, that is accepted anywhere.
constexpr int kMaxFrame = 10000000;
// Rounds down. Throws Error that begins with `who` if the number is not finite or beyond kMaxFrame.
int checkedFrame(double frame, const std::string& who);
// "10-20" or "5"; throws Error on anything else.
FrameRange parseFrames(const std::string& text);
// Default cache folder of a scene: "out/damBreak" for "scenes/damBreak.ma".
std::string defaultOutput(const std::string& scene);

class Playback {
  public:
    // Receives messages as they occur: warnings while loading, errors of nodes, information.
    using Listener = std::function<void(host::Severity, const std::string&)>;

    // Loads a .ma scene; throws Error with file and line if it is invalid. `solver` names the purlSolver to play if the
    // scene has several. Nothing is written to disk, whatever mode the scene's purlCaches have, except by save() and
    // after writeCache().
    explicit Playback(const std::string& scenePath, Listener listener = {}, const std::string& solver = {});
    ~Playback();
    Playback(Playback&&) = delete;

    // Sets an attribute: "water.particleSpacing=0.4" in scene units, or with a unit: 4mm. Returns the new value with
    // its unit: "water.particleSpacing = 0.4 cm". Throws Error on an invalid assignment.
    std::string set(const std::string& assignment);
    // Where the solver runs; the result does not depend on it. Threads 0: all cores. Empty device: as set in the scene.
    void setDevice(const std::string& device, int threads);
    Device device() const;

    // Writes the current scene as Maya ASCII. Throws Error with the path if it cannot be written.
    void save(const std::string& path) const;

    // These throw Error if the scene's values exceed kMaxFrame or the other limits, or if the range is empty.
    double fps() const;
    FrameRange playbackRange() const;  // as set in the scene
    int startFrame() const;            // of the solver
    // One line for everything that was skipped or replaced while loading.
    const std::vector<std::string>& loadNotes() const { return loadNotes_; }

    // The frame with its meshes, in scene units. Simulates all frames up to it if necessary, so that calls in any order
    // give the same bits as playing from the start. Throws Error with the message of a node that fails, or Cancelled.
    std::shared_ptr<const Frame> frame(int number);

    // For caching a range: surfaces are built while the next frame is simulated. frame() then returns frames without
    // them; whole() is the future of the last one with its surfaces.
    void deferSurfaces();
    std::shared_future<std::shared_ptr<const Frame>> whole() const;
    // For the simulation and the surfaces; see Simulator::recordLoops.
    void recordLoops();

    // The bodies connected to the solver at the current frame, in scene units, without simulating.
    Scene bodies();
    // Sets the current frame without simulating: for cameras and colliders shown with a cache.
    void showFrame(int number);

    // Everything that determines the result with the current settings. Hashes all input files of the scene.
    RunIdentity identity();

    // Writes frames from `first` on to `directory`, and nowhere else. Uses the scene's purlCache, or creates one. Empty
    // formats: those of the node.
    void writeCache(const std::string& directory, const std::string& formats, bool oneFile, int first);
    // Simulates and writes a branch from now on. It starts at frame `first` of the run `parentRun`, cached in `parent`,
    // a path relative to the folder of the branch.
    void enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun, int first);
    // Simulates without writing; no purlCache replaces the simulation by its frames.
    void writeNothing();
    // After writeCache: continues an existing cache after its last frame with a checkpoint, provided that all frames of
    // `wanted` up to it exist. Returns that frame, or startFrame() − 1 if there is none. Throws Error with the
    // difference if the cache belongs to another run.
    int resume(const FrameRange& wanted);
    // Restores the latest checkpoint in `directory` up to frame `last` that is intact and matches its frame's receipt;
    // reports those that are not. Returns its frame, or startFrame() − 1 if there is none.
    int restore(const std::string& directory, int last);
    // Continues from `state`, the state after frame `number`; for callers that keep states in memory.
    void continueFrom(State state, int number);
    // Saves a checkpoint for resume() after the frame just written. Of the earlier ones, only those of every `every`-th
    // frame are kept (0: none).
    void saveResumePoint(const std::string& directory, int frame, int every);
    // Waits until everything is on disk and finishes the cache (packs one-file caches).
    void finishCache();
    // Only waits. Both rethrow errors that occurred while writing.
    void waitForDisk();
    const std::vector<std::string>& assignments() const { return assignments_; }

    SolverNode& solver();
    const std::string& solverName() const { return solver_->name; }
    host::Graph& graph() { return *graph_; }
    const std::string& path() const { return path_; }

  private:
    std::string assign(const std::string& assignment);
    // Makes all purlCaches pass frames through, without changing their attributes.
    void passThroughCaches();
    void setCacheMode(CacheMode mode);
    void report(const std::string& note);
    std::vector<SurfaceNode*> surfaces() const;
    std::shared_ptr<const Frame> pull(int number);
    CacheNode* cacheNode() const;

    std::string path_;
    std::vector<std::string> assignments_;
    std::vector<std::string> references_;  // files
    std::string branch_, parent_;
    int branchFrame_ = 0;
    uint64_t origin_ = 0;  // hash of a branch's parent run; see originOf
    std::unique_ptr<host::Graph> graph_;
    host::NodePtr solver_, cache_;
    host::Plug output_;  // the frame with all meshes: the end of the chain that starts at the solver
    double firstFrame_ = 1, lastFrame_ = 1;  // playback range of the scene
    std::vector<std::string> loadNotes_;
    std::string firstError_;             // of the current frame; later errors are consequences
    std::optional<CacheParams> writes_;  // what cache_ writes from firstWritten_ on, if anything
    int firstWritten_ = 0;
    int played_ = 0;  // last frame evaluated
    bool started_ = false;
};

}  // namespace purl

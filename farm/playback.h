// Playback: a Maya scene played without Maya. What the command line, Python and the tests share: load, set, pull frames
// in order, cache them, resume.
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
// Frames beyond this, either way, are refused wherever they come from.
constexpr int kMaxFrame = 10000000;
// Throws Error that begins with `who` where it is none, or beyond kMaxFrame.
int checkedFrame(double frame, const std::string& who);
// "10-20" or "5"; throws Error on anything else.
FrameRange parseFrames(const std::string& text);
// Where a scene's cache goes: "out/damBreak" for "scenes/damBreak.ma".
std::string defaultOutput(const std::string& scene);

class Playback {
  public:
    // Called as they come up: warnings while loading, errors of nodes, infos.
    using Listener = std::function<void(host::Severity, const std::string&)>;

    // Loads a .ma scene; throws Error with file and line on one that is not. `solver` names the purlSolver to play
    // where the scene has several. Nothing is written to disk, whatever the scene's purlCaches say, but by save and
    // after writeCache.
    explicit Playback(const std::string& scenePath, Listener listener = {}, const std::string& solver = {});
    ~Playback();
    Playback(Playback&&) = delete;

    // "water.particleSpacing=0.4", in the scene's units, or with a unit: 4mm. Returns what was set, with its unit:
    // "water.particleSpacing = 0.4 cm". Throws Error naming what is wrong.
    std::string set(const std::string& assignment);
    // Where the solver runs; the result does not depend on it. Threads 0: all; an empty device: the scene's own.
    void setDevice(const std::string& device, int threads);
    Device device() const;

    // The scene as it is now, as Maya ASCII. Throws Error naming the path where it cannot be written.
    void save(const std::string& path) const;

    // All throw Error where the scene's are beyond kMaxFrame or the other limits, or end before they begin.
    double fps() const;
    FrameRange playbackRange() const;  // as the scene has it
    int startFrame() const;            // of the solver
    // Everything the load skipped or replaced, a line each.
    const std::vector<std::string>& loadNotes() const { return loadNotes_; }

    // The frame with its meshes, in scene units. Plays there frame by frame where needed, so that any order of calls
    // gives the same bits as playing from the start. Throws Error with the node's own message, or Cancelled.
    std::shared_ptr<const Frame> frame(int number);

    // For whole ranges into a cache: surfaces are made while the next frame is simulated, so that frame() gives frames
    // without them; whole() is the last of these when it has all.
    void deferSurfaces();
    std::shared_future<std::shared_ptr<const Frame>> whole() const;
    // Of the simulation and of surfaces; see Simulator::recordLoops.
    void recordLoops();

    // The bodies connected to the solver at the frame shown, in scene units, without simulating.
    Scene bodies();
    // Moves the scene to a frame without simulating: for cameras and colliders beside a cache.
    void showFrame(int number);

    // What decides the result of playing this scene as it is set now. Reads all files that the scene reads.
    RunIdentity identity();

    // From frame `first` on, frames are written to `directory`, and there only. Uses the scene's purlCache, or puts one
    // in. Empty formats: the node's own.
    void writeCache(const std::string& directory, const std::string& formats, bool oneFile, int first);
    // What is simulated and written is a branch: it left the cache of `parentRun` in `parent`, a path from the branch's
    // folder, at frame `first`.
    void enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun, int first);
    // Simulates, and writes nothing: no purlCache plays its frames in the simulation's place.
    void writeNothing();
    // After writeCache: goes on after the last frame of the cache there that has a saved state, if all of `wanted` up
    // to it is there; returns that frame, or startFrame() − 1 where there is none. Throws Error where the cache is of
    // another run, and says what differs.
    int resume(const FrameRange& wanted);
    // Takes the latest saved state of the cache in `directory` that is of frame `last` or before, is whole and is its
    // frame's; reports those that are not. Returns its frame, or startFrame() − 1 where there is none.
    int restore(const std::string& directory, int last);
    // Goes on from `state`, which is that of frame `number`; for who keeps states in memory.
    void goOnFrom(State state, int number);
    // Saves what resume needs behind the frame just written. Of the states before it only every `every`-th frame's
    // is kept (0: none).
    void saveResumePoint(const std::string& directory, int frame, int every);
    // Waits until all is on disk and ends the cache (puts one-file caches together).
    void finishCache();
    // Waits only. Both throw what went wrong in writing.
    void waitForDisk();
    const std::vector<std::string>& assignments() const { return assignments_; }

    SolverNode& solver();
    const std::string& solverName() const { return solver_->name; }
    host::Graph& graph() { return *graph_; }
    const std::string& path() const { return path_; }

  private:
    std::string assign(const std::string& assignment);
    // All purlCaches let frames pass, whatever their attributes say; the scene's own keep theirs.
    void passAll();
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
    uint64_t origin_ = 0;  // of a branch; see originOf
    std::unique_ptr<host::Graph> graph_;
    host::NodePtr solver_, cache_;
    host::Plug output_;                      // the frame with all meshes: the last of the chain from the solver
    double firstFrame_ = 1, lastFrame_ = 1;  // of the playback range, as the scene says it
    std::vector<std::string> loadNotes_;
    std::string firstError_;             // of the frame under way: the later ones follow from it
    std::optional<CacheParams> writes_;  // what cache_ writes from firstWritten_ on; none: nothing
    int firstWritten_ = 0;
    int played_ = 0;  // last frame pulled
    bool started_ = false;
};

}  // namespace purl

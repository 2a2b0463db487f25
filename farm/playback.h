// Playback: a ScenePlayer without Maya. Loads a scene for the command line, Python and the tests, sets attributes, and
// collects messages.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "farm/pathMap.h"
#include "host/host.h"
#include "nodes/scenePlayer.h"

namespace purl {

// Default cache folder of a scene: "out/damBreak" for "scenes/damBreak.ma".
std::string defaultOutput(const std::string& scene);

class Playback {
  public:
    // Receives messages as they occur: warnings while loading, errors of nodes, information.
    using Listener = std::function<void(host::Severity, const std::string&)>;

    // Loads a .ma scene; throws Error with file and line if it is invalid. An empty path makes a new scene with a
    // purlSolver. `solver` names the purlSolver to play if the scene has several. Nothing is written to disk, whatever
    // mode the scene's purlCaches have, except by save() and after writeCache(). `paths` maps the files that the scene
    // names: its references, and its attributes that hold file names.
    explicit Playback(const std::string& scenePath, Listener listener = {}, const std::string& solver = {},
                      const PathMap& paths = {});
    ~Playback();
    Playback(Playback&&) = delete;

    // Sets an attribute: "water.particleSpacing=0.4" in scene units, or with a unit: 4mm. Returns the new value with
    // its unit: "water.particleSpacing = 0.4 cm". Throws Error on an invalid assignment.
    std::string set(const std::string& assignment);
    // Repeats the assignments of the run that made a cache, so that its colliders, cameras and surfaces are shown as
    // they were. Reports those that no longer apply to the scene as warnings.
    void repeatAssignments(const RunIdentity& run);
    // Where the solver runs; the result does not depend on it. Threads 0: all cores. Empty device: as set in the scene.
    void setDevice(const std::string& device, int threads);
    Device device() const;

    // Writes the current scene as Maya ASCII. Throws Error with the path if it cannot be written.
    void save(const std::string& path) const;
    // Saves, and plays that file from now on: it replaces the former scene and assignments in the identity of runs.
    void saveAs(const std::string& path);
    // Call after commands have created, connected or deleted nodes. Restarts; keepStates has to be called again.
    void followChain();

    // These throw Error if the scene's values exceed kMaxFrame or the other limits, or if the range is empty.
    double fps() const;
    FrameRange playbackRange() const;  // as set in the scene
    void setPlaybackRange(const FrameRange& range);
    int startFrame() const { return player_->startFrame(); }
    // One line for everything that was skipped or replaced while loading.
    const std::vector<std::string>& loadNotes() const { return loadNotes_; }

    // --- see ScenePlayer. Frames are those at the end of the solver's chain, with all meshes, in scene units.
    FramePtr frame(int number);
    ScenePlayer::Played play(const FrameRange& range,
                             const std::function<bool(int number, const FrameFuture& frame)>& played);
    void deferSurfaces();
    void recordLoops();
    void restart() { player_->restart(); }
    void keepStates(size_t maxBytes) { player_->keepStates(maxBytes); }
    std::optional<int> continueBefore(int frame) { return player_->continueBefore(frame); }
    RunIdentity identity();
    int resume(const FrameRange& wanted);
    int restore(const std::string& directory, int last);
    void enterBranch(const std::string& name, const std::string& parent, const RunIdentity& parentRun, int first);
    void finishCache();
    // Simulates and writes from now on, to this folder and nowhere else. Formats and channels, if empty, are those of
    // the scene's purlCache.
    void writeCache(CacheTarget target);
    // Simulates without writing; no purlCache replaces the simulation by its frames.
    void writeNothing();

    // Replaces the surfaces of liquids in a frame of this scene, with the purlSurface nodes of the chain at the current
    // frame. Throws Error if there is none.
    void makeSurfaces(Frame& frame);

    // The bodies connected to the solver at the current frame, in scene units, without simulating.
    Scene bodies();
    // Sets the current frame without simulating: for cameras and colliders shown with a cache.
    void showFrame(int number);

    const std::vector<std::string>& assignments() const { return assignments_; }

    SolverNode& solver() { return player_->solver(); }
    const std::string& solverName() const { return solver_->name; }
    host::Graph& graph() const { return session_->graph(); }
    // Runs commands on the scene, with undo.
    host::Session& session() { return *session_; }
    const std::string& path() const { return path_; }

  private:
    std::string assign(const std::string& assignment);
    // Makes all purlCaches pass frames through, without changing their attributes.
    void passThroughCaches();
    SceneSource source() const;
    void load(const PathMap& paths);

    std::string path_;
    std::vector<std::string> assignments_;
    std::vector<std::string> references_;     // files
    std::unique_ptr<host::Session> session_;  // owns the scene's graph
    host::NodePtr solver_;
    MObject cache_;                          // the purlCache after the end of the solver's chain, if any
    double firstFrame_ = 1, lastFrame_ = 1;  // playback range of the scene
    std::vector<std::string> loadNotes_;
    std::string firstError_;               // of the current frame; later errors are consequences
    std::unique_ptr<ScenePlayer> player_;  // plays solver_
};

}  // namespace purl

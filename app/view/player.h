// Player: simulates a scene or reads a cache on a background thread; the window requests frames and shows those
// available. Independent of Qt. Public functions return immediately and may be called from one thread at a time.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/shot.h"
#include "app/view/objects.h"
#include "farm/doctor.h"
#include "panel/model.h"
#include "solver/cache/cache.h"

namespace purl {

struct NamedCamera {
    std::string name;  // of the transform
    Surroundings::SceneCamera camera;
};
// The scene at a frame, as far as it can be selected and moved.
struct Stage {
    Objects objects;
    std::vector<NamedCamera> cameras;  // the one `purl render` takes first
    std::string shot;                  // that camera; empty: there is none
};
using StagePtr = std::shared_ptr<const Stage>;

// A frame and its surroundings, independent of the scene.
struct Moment {
    int number = 0;
    std::shared_ptr<const Frame> frame;
    Surroundings around;
    StagePtr stage;
};
using MomentPtr = std::shared_ptr<const Moment>;

// Frame from which edits take effect.
enum class EditFrom { thisFrame, start };

class Player : public PanelModel {
  public:
    // Opens a .ma scene or a cache folder, or a new scene if `source` is empty; throws Error on failure. `changed` is
    // called on the player's thread whenever there is something new to show.
    Player(const std::string& source, std::function<void()> changed);
    ~Player() override;

    PanelState state() const override;
    // Null if the frame is not available (yet).
    MomentPtr moment(int frame) const;
    // The first available frame; the reference of strains.
    MomentPtr firstMoment() const;

    void set(const std::string& node, const std::string& attribute, const std::string& value) override;
    void simulateTo(int frame) override;
    void writeCache(const std::string& folder) override;
    void cancel() override;
    void fix(const PanelProblem& problem) override;
    void openCache(const std::string& folder) override;  // empty: back to the simulation
    // Formats: separated by commas; empty: those of the scene. A folder with frames is not replaced: the next version
    // of it is written, NAME_v002.
    void writeCache(const std::string& folder, const std::string& formats, bool oneFile);
    // Saves the scene, which is that file from now on.
    void save(const std::string& path);
    // The error that stands: of the last edit or request, or else of the last frame. Empty once its cause is gone.
    std::string error() const;
    std::string requestError() const;  // of the last edit or request only
    // Whether a frame is missing, but requested.
    bool isPending(int frame) const;
    // Whether the open cache has no such frame, or it could not be read.
    bool isAbsent(int frame) const;
    // The scene's file; empty: never saved, or only a cache is open.
    std::string path() const;
    void restart();  // discards all frames
    // The scene's playback range, saved with it.
    void setRange(const FrameRange& range);

    // --- edits. An edit of a running simulation interrupts the frame in progress.
    void undo();
    void redo();
    // Runs commands of maya.cmds on the player's thread, as one undo step, and restarts. They return the name of the
    // node to select, or nothing.
    using Commands = std::function<std::string(host::Session&)>;
    void run(Commands commands);
    // Consecutive calls of `set` for one attribute are one undo step, until this is called.
    void finishEdit();
    // The scene at a frame: at that of the latest edit if the frame is not available. Null before the first.
    StagePtr stage(int frame) const;
    // The node that the latest `run` wants to be selected, and the number of such requests.
    std::pair<std::string, long> created() const;
    // The kinds that purlCreate makes, but for the solver.
    const std::vector<std::string>& creatable() const { return creatable_; }

    // Sets the current frame, where edits of `thisFrame` take effect.
    void look(int frame);
    void editFrom(EditFrom from);
    // Memory limit for frames. Above it the frames farthest from the current one are dropped, and simulated again when
    // needed.
    void keepAtMost(size_t frameBytes);
    // Waits until idle; for tests and screenshots.
    void wait();

  private:
    // A value, or commands in the session's history.
    struct Edit {
        std::string plug, before, after;
        long commands = 0;  // number of these commands; 0: a value
    };
    using Job = std::function<void()>;

    void post(Job job);
    void work();
    void open(const std::string& folder);
    Playback& requirePlayback();  // throws if only a cache is open
    Playback& requireEditable();  // throws if a cache is open
    bool step();                  // simulates or reads one requested frame; false: none is pending
    void simulate(int number);
    void record(int number, std::shared_ptr<const Frame> frame, double seconds);
    void assign(const std::string& plug, const std::string& value);
    void discardFrom(int frame);
    void restructure();  // after commands have changed nodes
    std::vector<long> commandsDone() const;
    StagePtr readStage();  // at the current frame of the scene
    void readEdited();     // the scene at the current frame of the window
    void store(int number, std::shared_ptr<const Frame> frame);
    void listNodes();
    void listCaches();
    void listProblems();
    void addMessage(PanelSeverity severity, const std::string& text);
    void publish();
    int nextMissing() const;  // the first requested frame that is missing, or kNone; call with the lock held

    static constexpr int kNone = -1000000000;
    // Memory limit for states to continue from.
    static constexpr size_t kMaxStateBytes = size_t(768) << 20;

    // Used by the player's thread only.
    std::unique_ptr<Playback> playback_;
    std::unique_ptr<CacheReader> reader_;  // the open cache, if any
    double balance_ = 0;                   // kg: see PanelSample::massError
    std::string cacheFolder_;              // output folder, and root of the listed cache tree
    std::vector<Edit> done_, undone_;
    bool finished_ = true;             // the next value is a new undo step
    long commandCount_ = 0;            // commands run
    std::vector<long> savedCommands_;  // in the file
    std::vector<std::string> creatable_;
    std::vector<Problem> problems_;  // as displayed
    bool simulating_ = false;        // a frame is being evaluated

    std::function<void()> changed_;
    mutable std::mutex mutex_;  // guards everything below
    std::condition_variable wake_, idle_;
    std::deque<Job> jobs_;
    bool ending_ = false, busy_ = false;
    int requested_ = kNone;  // last requested frame
    int current_ = 1;
    EditFrom editFrom_ = EditFrom::thisFrame;
    std::map<int, MomentPtr> moments_;
    std::set<int> dropped_;  // frames dropped to limit memory
    std::set<int> absent_;   // frames that the open cache does not have, or that could not be read
    size_t maxFrameBytes_ = size_t(2048) << 20;
    int staleBefore_ = kNone;  // earlier frames were computed with settings that have changed since
    PanelState shown_;
    StagePtr edited_;      // after the latest edit
    std::string path_;     // of the scene
    std::string created_;  // see created()
    long createdCount_ = 0;
    std::string frameError_, requestError_;  // of the last frame and the last edit or request; empty: it succeeded
    // Values to be set, by plug and `order_`: a slider may be faster than the solver.
    std::map<std::pair<long, std::string>, std::string> pending_;
    long order_ = 0;  // later values of a plug are not set before other requests made meanwhile

    std::atomic<bool> stop_{false};
    std::thread thread_;  // last: the thread uses the members above
};

}  // namespace purl

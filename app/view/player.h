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
#include "farm/doctor.h"
#include "panel/model.h"
#include "solver/cache/cache.h"

namespace purl {

// A frame and its surroundings, independent of the scene.
struct Moment {
    int number = 0;
    std::shared_ptr<const Frame> frame;
    Surroundings around;
};
using MomentPtr = std::shared_ptr<const Moment>;

// Frame from which edits take effect.
enum class EditFrom { thisFrame, start };

class Player : public PanelModel {
  public:
    // Opens a .ma scene or a cache folder; throws Error on failure. `changed` is called on the player's thread whenever
    // there is something new to show.
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
    void save(const std::string& path);
    void undo();
    void redo();
    void restart();  // discards all frames

    // Sets the current frame, where edits of `thisFrame` take effect.
    void look(int frame);
    void editFrom(EditFrom from);
    // Memory limit for frames. Above it the frames farthest from the current one are dropped, and simulated again when
    // needed.
    void keepAtMost(size_t frameBytes);
    // Waits until idle; for tests and screenshots.
    void wait();

  private:
    struct Edit {
        std::string plug, before, after;
    };
    using Job = std::function<void()>;

    void post(Job job);
    void work();
    void open(const std::string& folder);
    Playback& requirePlayback();  // throws if only a cache is open
    bool step();                  // simulates or reads one requested frame; false: none is pending
    void simulate(int number);
    void record(int number, std::shared_ptr<const Frame> frame, double seconds);
    void assign(const std::string& plug, const std::string& value);
    void discardFrom(int frame);
    void store(int number, std::shared_ptr<const Frame> frame);
    void listNodes();
    void listCaches();
    void listProblems();
    void addMessage(PanelSeverity severity, const std::string& text);
    void publish();
    int nextMissing() const;  // the first requested frame that is missing, or kNone; call with the lock held

    static constexpr int kNone = -1000000000;

    // Used by the player's thread only.
    std::unique_ptr<Playback> playback_;
    std::unique_ptr<CacheReader> reader_;  // the open cache, if any
    host::NodePtr camera_;
    double balance_ = 0;       // kg: see PanelSample::massError
    std::string cacheFolder_;  // output folder, and root of the listed cache tree
    std::vector<Edit> done_, undone_;
    std::vector<Problem> problems_;  // as displayed

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
    size_t maxFrameBytes_ = size_t(2048) << 20;
    int staleBefore_ = kNone;  // earlier frames were computed with settings that have changed since
    PanelState shown_;
    std::map<std::string, std::string> pending_;  // values to be set, by plug: a slider may be faster than the solver

    std::atomic<bool> stop_{false};
    std::thread thread_;  // last: the thread uses the members above
};

}  // namespace purl

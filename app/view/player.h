// Player: a scene simulated, or a cache read, on a thread of its own; the window asks for frames and shows those that
// are there. Knows nothing of Qt. Everything public may be called from any one thread at a time, and returns at once.
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

// A frame and what stands around it, apart from the scene they came from.
struct Moment {
    int number = 0;
    std::shared_ptr<const Frame> frame;
    Surroundings around;
};
using MomentPtr = std::shared_ptr<const Moment>;

// Where an edit takes effect.
enum class EditFrom { thisFrame, start };

class Player : public PanelModel {
  public:
    // A .ma scene or a cache's folder. Throws Error where it cannot be opened. `changed` is called on the player's own
    // thread whenever there is something new to show.
    Player(const std::string& source, std::function<void()> changed);
    ~Player() override;

    PanelState state() const override;
    // Null where the frame is not there (yet).
    MomentPtr moment(int frame) const;
    // The first frame that is there; colours by strain compare with it.
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
    void restart();  // forgets every frame

    // The frame that is looked at, where edits of `thisFrame` take effect.
    void look(int frame);
    void editFrom(EditFrom from);
    // Of frames in memory; above it those farthest from the one looked at are dropped, and simulated again when that is
    // looked at.
    void keepAtMost(size_t frameBytes);
    // Waits until nothing is under way; for tests and screenshots.
    void wait();

  private:
    struct Edit {
        std::string plug, before, after;
    };
    using Job = std::function<void()>;

    void post(Job job);
    void work();
    void open(const std::string& folder);
    Playback& needPlayback();  // throws where there is only a cache
    bool step();               // simulates or reads one frame that is wanted; false: none is
    void simulate(int number);
    void keepState(int number);
    void assign(const std::string& plug, const std::string& value);
    void forgetFrom(int frame);
    void put(int number, std::shared_ptr<const Frame> frame);
    void listNodes();
    void listCaches();
    void listProblems();
    void say(PanelSeverity severity, const std::string& text);
    void publish();
    int missing() const;  // the first frame wanted that is not there, or kNone; with the lock held

    static constexpr int kNone = -1000000000;

    // Of the player's thread.
    std::unique_ptr<Playback> playback_;
    std::unique_ptr<CacheReader> reader_;  // what is looked at, where it is a cache
    host::NodePtr camera_;
    std::map<int, State> states_;  // by frame, to go on from
    size_t stateBytes_ = 0;
    int played_ = kNone;       // the frame that the playback stands at
    double balance_ = 0;       // kg: see PanelSample::massError
    std::string cacheFolder_;  // where caches go, and where the tree of those that are there begins
    std::vector<Edit> done_, undone_;
    std::vector<Problem> problems_;  // as they are shown

    std::function<void()> changed_;
    mutable std::mutex mutex_;  // guards all below
    std::condition_variable wake_, rest_;
    std::deque<Job> jobs_;
    bool ending_ = false, busy_ = false;
    int wanted_ = kNone;  // simulate up to here
    int looked_ = 1;
    EditFrom editFrom_ = EditFrom::thisFrame;
    std::map<int, MomentPtr> moments_;
    std::set<int> dropped_;  // frames that were there, and had to make room
    size_t mostMomentBytes_ = size_t(2048) << 20;
    int olderBefore_ = kNone;  // frames before this one are of values that have changed since
    PanelState shown_;
    std::map<std::string, std::string> pending_;  // values not yet set, by plug: a slider may be faster than the solver

    std::atomic<bool> stop_{false};
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace purl

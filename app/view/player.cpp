#include "app/view/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/target.h"
#include "host/api/access.h"
#include "plugin/panelNodes.h"
#include "plugin/panelSamples.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxMessages = 200;
const std::string kUntitled = "untitled";

std::string titleOf(const std::string& path) { return path.empty() ? kUntitled : toText(toPath(path).filename()); }

template <class T>
size_t bytesOf(const std::vector<T>& values) {
    return sizeof(T) * values.size();
}
template <class T>
size_t bytesOf(const Channel<T>& values) {
    return sizeof(T) * values.size();
}

size_t bytesOf(const Frame& frame) {
    size_t bytes = 0;
    const auto add = [&](const char*, const auto& values, bool) { bytes += bytesOf(values); };
    Points::channels(frame.points, add);
    for (const Mesh& mesh : frame.meshes) {
        Mesh::channels(mesh, add);
        bytes += bytesOf(mesh.triangles);
    }
    for (const Curves& curves : frame.curves) Curves::channels(curves, add);
    return bytes;
}

// Sets a flag for the duration of a scope.
class Simulating {
  public:
    explicit Simulating(bool& flag) : flag_(flag) { flag_ = true; }
    ~Simulating() { flag_ = false; }
    Simulating(const Simulating&) = delete;
    Simulating& operator=(const Simulating&) = delete;

  private:
    bool& flag_;
};

PanelSeverity panelSeverity(host::Severity severity) {
    return severity == host::Severity::Error     ? PanelSeverity::error
           : severity == host::Severity::Warning ? PanelSeverity::warning
                                                 : PanelSeverity::note;
}

}  // namespace

Player::Player(const std::string& source, std::function<void()> changed) : changed_(std::move(changed)) {
    const bool scene = source.empty() || toPath(source).extension() == ".ma";
    if (!scene) reader_ = std::make_unique<CacheReader>(source);
    const std::string path = scene ? source : reader_->manifest().scenePath;
    if (source.empty() || fs::exists(toPath(path)) || scene) {
        playback_ = std::make_unique<Playback>(path, [this](host::Severity severity, const std::string& text) {
            // What nodes report about a cancelled frame only repeats that it was cancelled.
            if (simulating_ && playback_->solver().wasCancelled()) return;
            addMessage(panelSeverity(severity), text);
        });
        if (reader_) playback_->repeatAssignments(reader_->manifest().run);
        playback_->writeNothing();
        playback_->keepStates(kMaxStateBytes);
        playback_->solver().onCancel([this] { return stop_.load(std::memory_order_relaxed); });
        creatable_ =
            std::get<std::vector<std::string>>(playback_->session().command("purlCreate", {"-query", "-type"}));
        // A scene of the window has one solver, the one that is played.
        creatable_.erase(std::remove(creatable_.begin(), creatable_.end(), "solver"), creatable_.end());
        for (const std::string& note : playback_->loadNotes()) addMessage(PanelSeverity::note, note);
        shown_.firstFrame = playback_->playbackRange().first;
        shown_.lastFrame = playback_->playbackRange().last;
        shown_.fps = playback_->fps();
        shown_.title = titleOf(path);
        path_ = path;
        cacheFolder_ = defaultOutput(path.empty() ? kUntitled : path);
        playback_->solver().onProgress([this](const Progress& at) {
            const std::lock_guard<std::mutex> lock(mutex_);
            const double frame = playback_->startFrame() + at.time * shown_.fps;
            const double span = std::max(1, requested_ - shown_.firstFrame + 1);
            shown_.progress = std::clamp((frame - shown_.firstFrame + 1) / span, 0.0, 1.0);
        });
        current_ = shown_.firstFrame;
        readEdited();
        listNodes();
        listProblems();
    } else {
        addMessage(PanelSeverity::warning,
                   source + ": its scene \"" + path + "\" was not found; colliders are not shown");
    }
    if (reader_) open(absolutePath(source));
    requested_ = shown_.firstFrame;
    current_ = shown_.firstFrame;
    listCaches();
    thread_ = std::thread([this] { work(); });
}

Player::~Player() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

PanelState Player::state() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    PanelState state = shown_;
    state.scenePath = path_;
    state.frames.assign(static_cast<size_t>(std::max(0, state.lastFrame - state.firstFrame + 1)), PanelFrame::missing);
    for (const auto& moment : moments_) {
        const int index = moment.first - state.firstFrame;
        if (index < 0 || index >= static_cast<int>(state.frames.size())) continue;
        state.frames[index] = moment.first < staleBefore_ ? PanelFrame::stale : PanelFrame::upToDate;
    }
    return state;
}

MomentPtr Player::moment(int frame) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = moments_.find(frame);
    return found == moments_.end() ? nullptr : found->second;
}

StagePtr Player::stage(int frame) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = moments_.find(frame);
    return found == moments_.end() || !found->second->stage ? edited_ : found->second->stage;
}

std::pair<std::string, long> Player::created() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {created_, createdCount_};
}

std::string Player::error() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return requestError_.empty() ? frameError_ : requestError_;
}

std::string Player::requestError() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return requestError_;
}

bool Player::isPending(int frame) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return requested_ >= frame && frame >= shown_.firstFrame && !moments_.count(frame) && !absent_.count(frame);
}

bool Player::isAbsent(int frame) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return absent_.count(frame) > 0;
}

std::string Player::path() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return path_;
}

MomentPtr Player::firstMoment() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return moments_.empty() ? nullptr : moments_.begin()->second;
}

// Interrupts the frame in progress, which the job invalidates.
void Player::post(Job job) {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
    ++order_;
    stop_ = true;
    wake_.notify_all();
}

Playback& Player::requirePlayback() {
    if (!playback_) throw Error("only a cache is open; its scene file is missing");
    return *playback_;
}

Playback& Player::requireEditable() {
    requirePlayback();
    if (reader_) throw Error("a cache is open; return to the simulation to edit the scene");
    return *playback_;
}

void Player::simulateTo(int frame) {
    const std::lock_guard<std::mutex> lock(mutex_);
    requested_ = std::min(frame, shown_.lastFrame);
    wake_.notify_all();
}

void Player::cancel() {
    const std::lock_guard<std::mutex> lock(mutex_);
    requested_ = kNone;
    stop_ = true;
}

void Player::restart() {
    post([this] {
        if (reader_)
            open(reader_->directory());  // it may have other frames now
        else
            discardFrom(kNone);
    });
}

void Player::look(int frame) {
    const std::lock_guard<std::mutex> lock(mutex_);
    current_ = frame;
    wake_.notify_all();
}

void Player::keepAtMost(size_t frameBytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    maxFrameBytes_ = frameBytes;
}

void Player::wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return !busy_ && jobs_.empty() && nextMissing() == kNone; });
}

void Player::openCache(const std::string& folder) {
    post([this, folder] { open(folder); });
}

void Player::open(const std::string& folder) {
    std::unique_ptr<CacheReader> reader;
    if (!folder.empty()) reader = std::make_unique<CacheReader>(folder);
    const std::vector<int> numbers = reader ? reader->frames() : std::vector<int>();
    if (reader && numbers.empty()) throw Error(folder + ": the cache holds no frames");
    if (!reader) requirePlayback();
    std::vector<PanelSample> samples;
    const CacheReader* root = reader.get();
    while (root && root->parent()) root = root->parent();
    if (root && !root->manifest().frames.empty()) balance_ = balanceOf(root->manifest().frames.front().stats);
    // Frames before the branch point are the parent's.
    for (const CacheReader* each = reader.get(); each; each = each->parent())
        for (const FrameRecord& record : each->manifest().frames)
            if (samples.empty() || each == reader.get() || record.number < samples.front().frame)
                insert(samples, sampleOf(record.number, record.stats, double(record.particles), balance_));
    reader_ = std::move(reader);
    // List the whole branch tree, from its root.
    if (reader_) cacheFolder_ = rootOfBranches(folder);
    listCaches();
    discardFrom(kNone);
    const std::lock_guard<std::mutex> lock(mutex_);
    shown_.editable = !reader_;
    shown_.openCache = folder;
    shown_.samples = std::move(samples);
    if (reader_) {
        shown_.firstFrame = numbers.front();
        shown_.lastFrame = numbers.back();
        shown_.fps = reader_->manifest().fps;
        shown_.title = toText(toPath(folder).filename());
    } else {
        shown_.firstFrame = playback_->playbackRange().first;
        shown_.lastFrame = playback_->playbackRange().last;
        shown_.fps = playback_->fps();
        shown_.title = titleOf(playback_->path());
    }
    absent_.clear();
    for (int number = shown_.firstFrame; reader_ && number <= shown_.lastFrame; ++number)
        if (!std::binary_search(numbers.begin(), numbers.end(), number)) absent_.insert(number);
    requested_ = std::clamp(requested_, shown_.firstFrame, shown_.lastFrame);
}

void Player::work() {
    for (;;) {
        Job job;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            busy_ = false;
            if (jobs_.empty() && nextMissing() == kNone) {
                shown_.activity = PanelActivity::idle;
                idle_.notify_all();
                lock.unlock();
                publish();
                lock.lock();
            }
            wake_.wait(lock, [this] { return ending_ || !jobs_.empty() || nextMissing() != kNone; });
            if (ending_) return;
            busy_ = true;
            stop_ = false;
            if (!jobs_.empty()) {
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
        }
        std::string error;
        bool cancelled = false;
        try {
            if (job)
                job();
            else
                step();
        } catch (const Cancelled&) {
            cancelled = true;  // requested by post() or cancel()
        } catch (const std::exception& thrown) { error = thrown.what(); }
        if (!error.empty()) addMessage(PanelSeverity::error, error);
        if (!cancelled) {
            const std::lock_guard<std::mutex> lock(mutex_);
            // A rejected edit does not end the simulation; a frame that fails does. Other frames of a cache can be
            // read.
            if (!job && !error.empty() && !reader_) requested_ = kNone;
            (job ? requestError_ : frameError_) = error;
        }
        publish();
    }
}

int Player::nextMissing() const {
    if (requested_ == kNone) return kNone;
    // A dropped frame is simulated again when it is shown.
    if (current_ <= requested_ && dropped_.count(current_)) return current_;
    for (int number = shown_.firstFrame; number <= requested_; ++number)
        if (!moments_.count(number) && !dropped_.count(number) && !absent_.count(number)) return number;
    return kNone;
}

bool Player::step() {
    int number = kNone;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        number = nextMissing();
        if (number == kNone) return false;
        if (!reader_) shown_.activity = PanelActivity::simulating;
    }
    if (!reader_) {
        simulate(number);
        return true;
    }
    std::shared_ptr<const Frame> frame;
    try {
        frame = std::make_shared<const Frame>(reader_->read(number));
    } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        absent_.insert(number);
        throw;
    }
    store(number, std::move(frame));
    return true;
}

void Player::simulate(int number) {
    const auto began = Clock::now();
    if (Simulator* simulator = playback_->solver().simulator()) simulator->clearTimings();
    const Simulating simulating(simulating_);
    const auto frame = playback_->frame(number);
    record(number, frame, std::chrono::duration<double>(Clock::now() - began).count());
}

void Player::record(int number, std::shared_ptr<const Frame> frame, double seconds) {
    std::vector<PanelPhase> phases;
    for (const PhaseTime& phase : playback_->solver().simulator()->timings())
        phases.push_back({phase.phase, 1000 * phase.seconds});
    if (number <= playback_->startFrame()) balance_ = balanceOf(frame->stats);
    PanelSample sample = sampleOf(number, *frame, balance_);
    sample.milliseconds = 1000 * seconds;
    store(number, std::move(frame));
    const std::lock_guard<std::mutex> lock(mutex_);
    insert(shown_.samples, sample);
    shown_.phases = std::move(phases);
    shown_.memory = megabytesInUse();
}

void Player::store(int number, std::shared_ptr<const Frame> frame) {
    auto moment = std::make_shared<Moment>();
    moment->number = number;
    moment->frame = std::move(frame);
    if (playback_) {
        try {
            moment->around = surroundingsAt(*playback_, chooseCamera(playback_->graph(), ""), number);
            moment->stage = readStage();
        } catch (const Cancelled&) { throw; } catch (const std::exception& error) {
            // The frames of a cache can be shown when an input file of its scene is gone.
            if (!reader_) throw;
            addMessage(PanelSeverity::warning, error.what());
        }
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    moments_[number] = std::move(moment);
    dropped_.erase(number);
    size_t bytes = 0;
    for (const auto& each : moments_) bytes += bytesOf(*each.second->frame);
    while (bytes > maxFrameBytes_ && moments_.size() > 2) {
        auto farthest = moments_.begin();
        for (auto each = moments_.begin(); each != moments_.end(); ++each)
            if (std::abs(each->first - current_) > std::abs(farthest->first - current_)) farthest = each;
        bytes -= bytesOf(*farthest->second->frame);
        dropped_.insert(farthest->first);
        moments_.erase(farthest);
    }
}

void Player::writeCache(const std::string& folder) { writeCache(folder, "", false); }

void Player::writeCache(const std::string& folder, const std::string& formats, bool oneFile) {
    post([this, folder, formats, oneFile] {
        if (reader_) throw Error("a cache is open; return to the simulation to write another one");
        requirePlayback();
        if (playback_->path().empty()) throw Error("save the scene first: a cache names the scene it is made of");
        if (commandsDone() != savedCommands_)
            throw Error("nodes were created or deleted; save the scene first, so that the cache can be made again");
        TargetFolder claimed = claimFolder(folder.empty() ? cacheFolder_ : folder, {false, true}, false);
        cacheFolder_ = claimed.path;
        discardFrom(kNone);
        FrameRange range;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            shown_.activity = PanelActivity::caching;
            range = {shown_.firstFrame, shown_.lastFrame};
            requested_ = range.last;
        }
        const auto end = [this] {
            playback_->writeNothing();
            listCaches();
        };
        CacheTarget target;
        target.directory = cacheFolder_;
        target.lock = std::move(claimed.lock);
        if (!formats.empty()) target.formats = splitFormats(formats);
        target.oneFile = oneFile;
        target.first = range.first;
        target.checkpoints = 24;
        playback_->writeCache(target);
        if (Simulator* simulator = playback_->solver().simulator()) simulator->clearTimings();
        const Simulating simulating(simulating_);
        try {
            auto began = Clock::now();
            const auto played = [&](int number, const FrameFuture& frame) {
                record(number, frame.get(), std::chrono::duration<double>(Clock::now() - began).count());
                playback_->solver().simulator()->clearTimings();
                {
                    const std::lock_guard<std::mutex> lock(mutex_);
                    shown_.progressText = "frame " + std::to_string(number) + " of " + std::to_string(range.last);
                }
                publish();
                began = Clock::now();
                return true;
            };
            const ScenePlayer::Played done = playback_->play(range, played);
            const std::string written =
                done.last < range.first ? "no frames" : fmt::format("frames {} to {}", range.first, done.last);
            if (done.cancelled)
                addMessage(PanelSeverity::warning,
                           fmt::format("{}: {} written of {} to {}; stopped, as by every edit of the scene",
                                       cacheFolder_, written, range.first, range.last));
            else
                addMessage(PanelSeverity::note, fmt::format("{}: {} written", cacheFolder_, written));
        } catch (...) {
            end();
            const std::lock_guard<std::mutex> lock(mutex_);
            requested_ = kNone;
            throw;
        }
        end();
    });
}

void Player::listCaches() {
    std::vector<PanelCache> caches = panelCaches(cacheFolder_);
    const std::lock_guard<std::mutex> lock(mutex_);
    shown_.caches = std::move(caches);
}

void Player::addMessage(PanelSeverity severity, const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& messages = shown_.messages;
    if (!messages.empty() && messages.back().text == text) return;
    messages.push_back({severity, text});
    if (messages.size() > kMaxMessages) messages.erase(messages.begin());
}

void Player::publish() { changed_(); }

}  // namespace purl

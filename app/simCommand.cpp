// purl sim: simulates a scene and caches every frame.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "app/commands.h"
#include "app/progress.h"
#include "app/target.h"
#include "app/volumeWatch.h"
#include "farm/doctor.h"
#include "farm/estimate.h"
#include "farm/playback.h"
#include "farm/replay.h"
#include "host/host.h"
#include "solver/cache/cache.h"
#include "solver/cache/file.h"
#include "solver/cache/manifestFile.h"
#include "solver/core/hash.h"
#include "solver/core/machine.h"
#include "solver/core/path.h"
#include "solver/core/system.h"
#include "solver/core/threadPool.h"
#include "solver/surface/flicker.h"

namespace purl {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A simulated frame; its surfaces may still be in progress.
struct SimulatedFrame {
    int number;
    double seconds;  // simulation time
    std::vector<PhaseTime> phases;
    LoopRecord loops;   // loops outside the phases
    double callerBusy;  // CPU time of the calling thread in s, phases included
    FrameFuture finished;

    bool isReady() const { return finished.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
};

// Collects the statistics for --stats.
class StatsLog {
  public:
    StatsLog(const SimOptions& options, const Device& device) : file_(options.stats), threads_(device.threads()) {
        document_["scene"] = options.scene;
        document_["system"] = os::systemName();
        document_["processor"] = os::processorName();
        document_["cores"] = processorCount();
        document_["memoryMegabytes"] = availableMegabytes();
        document_["device"] = device.name();
        document_["threads"] = threads_;
        document_["frames"] = nlohmann::json::array();
    }

    void add(const SimulatedFrame& played, const std::shared_ptr<const Frame>& now) {
        if (file_.empty()) return;
        const Frame& frame = *now;
        nlohmann::json phases = nlohmann::json::object();
        double inPhases = 0, busyInPhases = 0;
        for (const PhaseTime& phase : played.phases) {
            phases[phase.phase] = 1000 * phase.seconds;
            inPhases += phase.seconds;
            busyInPhases += phase.callerBusy;
            addTo(simulation_, phase);
        }
        const bool overlaps = threads_ > 1;
        for (const PhaseTime& phase : frame.phases) {
            phases[phase.phase] = 1000 * phase.seconds;
            addTo(surfaces_, phase);
            if (overlaps) continue;
            inPhases += phase.seconds;
            busyInPhases += phase.callerBusy;
        }
        addTo(simulation_, {"other",
                            std::max(0.0, played.seconds - inPhases),
                            1,
                            played.loops,
                            std::max(0.0, played.callerBusy - busyInPhases),
                            {}});
        std::vector<int64_t> counts(frame.bodies.size());
        for (const int body : frame.points.bodies) ++counts[body];
        nlohmann::json bodies = nlohmann::json::object();
        for (size_t i = 0; i < counts.size(); ++i) bodies[frame.bodies[i].name] = counts[i];
        const FrameStats& stats = frame.stats;
        const Flicker flicker = before_ ? measureFlicker(*before_, frame) : Flicker{};
        before_ = now;
        nlohmann::json record = {{"frame", played.number},
                                 {"ms", 1000 * played.seconds},
                                 {"particles", frame.points.count()},
                                 {"bodies", bodies},
                                 {"surfaceMegabytes", stats.surfaceMemory},
                                 {"flicker", flicker.rms},
                                 {"surfaceChanged", flicker.changed},
                                 {"hash", toHex(frame.stateHash)},
                                 {"phases", phases}};
        FrameStats::fields(stats, [&](const char* name, const auto& value) { record[name] = value; });
        record["volumeRatios"] = nlohmann::json::object();
        for (const Mesh& mesh : frame.meshes)
            if (mesh.volumeRatio > 0) record["volumeRatios"][mesh.name] = mesh.volumeRatio;
        document_["frames"].push_back(std::move(record));
    }

    // `massPoints`: number of mass points of cloths, knits and soft bodies.
    void save(int massPoints) {
        if (file_.empty()) return;
        document_["peakMegabytes"] = 1e-6 * os::peakResidentBytes();
        document_["massPoints"] = massPoints;
        nlohmann::json phases = nlohmann::json::object();
        for (const auto* list : {&simulation_, &surfaces_})
            for (const PhaseTime& phase : *list) phases[phase.phase] = toJson(phase);
        document_["phases"] = std::move(phases);
        nlohmann::json prediction = {{"1", processor(simulation_) + processor(surfaces_)}};
        for (int k = 0; k < LoopRecord::kPredictions; ++k)
            prediction[std::to_string(LoopRecord::kCores[k])] = predicted(k);
        document_["prediction"] = std::move(prediction);
        // File names need not be valid UTF-8.
        writeFile(file_, document_.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    }

    // Timing table for the terminal.
    std::string table() const {
        if (file_.empty()) return "";
        std::string text = fmt::format("{:<20}{:>9}{:>11}{:>9}{:>9}{:>12}", "phase", "clock s", "processor", "serial",
                                       "chunks", "longest ms");
        for (const auto* list : {&simulation_, &surfaces_})
            for (const PhaseTime& phase : *list)
                text +=
                    fmt::format("\n{:<20}{:>9.3f}{:>11.3f}{:>9.3f}{:>9}{:>12.3f}", phase.phase, phase.seconds,
                                phase.processor(), phase.serial(), phase.loops.claims, 1000 * phase.loops.longestClaim);
        text += fmt::format("\npredicted: {:.2f} s with 1 thread", processor(simulation_) + processor(surfaces_));
        for (int k = 0; k < LoopRecord::kPredictions; ++k)
            text += fmt::format(", {:.2f} with {}", predicted(k), LoopRecord::kCores[k]);
        return text + deviceTable();
    }

  private:
    // What crossed between host and device, per phase; empty on the CPU.
    std::string deviceTable() const {
        PhaseTime all;
        all.phase = "all";
        for (const PhaseTime& phase : simulation_) all.device += phase.device;
        if (all.device.launches == 0) return "";
        std::string text = fmt::format("\n{:<20}{:>9}{:>9}{:>12}{:>10}{:>12}{:>7}{:>12}", "phase", "launches",
                                       "uploads", "bytes", "downloads", "bytes", "waits", "allocations");
        const auto add = [&](const PhaseTime& phase) {
            const DeviceCounts& d = phase.device;
            text += fmt::format("\n{:<20}{:>9}{:>9}{:>12}{:>10}{:>12}{:>7}{:>12}", phase.phase, d.launches, d.uploads,
                                d.uploadedBytes, d.downloads, d.downloadedBytes, d.synchronizations, d.allocations);
        };
        for (const PhaseTime& phase : simulation_) add(phase);
        add(all);
        return text;
    }
    static void addTo(std::vector<PhaseTime>& list, const PhaseTime& phase) {
        auto entry = std::find_if(list.begin(), list.end(), [&](const PhaseTime& e) { return e.phase == phase.phase; });
        if (entry == list.end()) entry = list.insert(list.end(), PhaseTime{phase.phase, 0, 0, {}, 0, {}});
        entry->seconds += phase.seconds;
        entry->callerBusy += phase.callerBusy;
        entry->calls += phase.calls;
        entry->loops.add(phase.loops);
        entry->device += phase.device;
    }
    static nlohmann::json toJson(const PhaseTime& phase) {
        nlohmann::json all = {{"clock", phase.seconds},
                              {"processor", phase.processor()},
                              {"serial", phase.serial()},
                              {"calls", phase.calls},
                              {"loops", phase.loops.loops},
                              {"chunks", phase.loops.claims},
                              {"longestChunk", phase.loops.longestClaim},
                              {"predicted", nlohmann::json::object()}};
        DeviceCounts::fields(phase.device, [&](const char* name, const auto& count) { all["device"][name] = count; });
        for (int k = 0; k < LoopRecord::kPredictions; ++k)
            all["predicted"][std::to_string(LoopRecord::kCores[k])] = phase.predicted(k);
        return all;
    }
    static double processor(const std::vector<PhaseTime>& list) {
        double sum = 0;
        for (const PhaseTime& phase : list) sum += phase.processor();
        return sum;
    }
    // Predicted time in s with kCores[k] threads. Surfaces are built concurrently by another thread, helped by
    // idle ones: while it works, the simulation has one thread less.
    double predicted(int k) const {
        double simulation = 0, surfaces = 0;
        for (const PhaseTime& phase : simulation_) simulation += phase.predicted(k);
        for (const PhaseTime& phase : surfaces_) surfaces += phase.predicted(k);
        const double work = processor(simulation_), alone = processor(surfaces_), cores = LoopRecord::kCores[k];
        const double gain = work / simulation, gainBeside = std::max(1.0, gain * (cores - 1) / cores);
        // Either the simulation ends last, with all threads after the last surface, or surfaces are the bottleneck.
        const double together = std::min(alone, work / gainBeside);
        const double simulated = together + (work - together * gainBeside) / gain;
        return std::max({simulated, surfaces, (work + alone) / cores});
    }

    std::string file_;
    int threads_;
    nlohmann::json document_;
    std::vector<PhaseTime> simulation_, surfaces_;  // totals over all frames
    std::shared_ptr<const Frame> before_;
};

// Advances the simulation of the cache in `root` to the frame before the branch, starting from the nearest checkpoint.
void advanceToBranch(Replay& replay, const std::string& root, int from, int start, ProgressLine& progress) {
    const int done = replay.restore(from - 1);
    progress.line(done < start ? fmt::format("{}: no checkpoint before frame {}; simulating from the start", root, from)
                               : fmt::format("{}: continuing from frame {}", root, done));
    if (done == from - 1) return;
    const auto last = replay.frame(from - 1);
    const FrameRecord* record = replay.record(from - 1);
    if (record && record->stateHash != last->stateHash)
        throw Error(fmt::format("{}: frame {} now gives a different result; simulate the cache again", root, from - 1));
}

CacheTarget targetOf(const SimOptions& options, const TargetFolder& folder, const FrameList& frames) {
    CacheTarget target;
    target.directory = folder.path;
    target.lock = folder.lock;
    if (!options.formats.empty()) target.formats = splitFormats(options.formats);
    if (!options.channels.empty()) target.channels = splitChannels(options.channels);
    target.oneFile = options.oneFile;
    target.first = frames.first();
    target.frames = frames;
    target.checkpoints = options.checkpoints;
    return target;
}

// Applies the branch's assignments and redirects output to it. Returns the last finished frame, or nullopt if the
// branch should be resumed but has no checkpoint.
std::optional<int> beginBranch(Playback& playback, const SimOptions& options, const std::string& root,
                               const TargetFolder& out, const FrameList& frames, ProgressLine& progress) {
    const CacheReader parent(root);
    parent.checkCanBranch();
    const Manifest& manifest = parent.manifest();
    const int first = std::max(playback.startFrame(), manifest.branchFrame);
    if (options.from <= first || frames.empty())
        throw Error(fmt::format("{}: a branch must start after frame {} and not after the last frame", root, first));
    Replay replay(playback, parent);
    const bool resumes = options.resume && hasManifest(out.path);
    if (!resumes) advanceToBranch(replay, root, options.from, playback.startFrame(), progress);
    replay.enterBranches(options.from - 1);
    for (const std::string& assignment : options.assignments) progress.line(playback.set(assignment));
    playback.enterBranch(options.branch, "../..", manifest.run, options.from);
    CacheTarget target = targetOf(options, out, frames);
    if (options.formats.empty()) target.formats = manifest.formats;
    if (options.channels.empty()) target.channels = manifest.channels;
    playback.writeCache(std::move(target));
    if (!resumes) return options.from - 1;
    const int done = playback.resume({options.from, frames.last()});
    return done < options.from ? std::nullopt : std::optional<int>(done);
}

std::string textOf(const FrameRange& range) { return FrameList(range.first, range.last).text(); }

// The frames of a branch: a range begins at its first frame, of a list those from there on. May be empty.
FrameList framesFrom(int first, const FrameList& frames) {
    const bool isRange = frames.last() - frames.first() + 1 == static_cast<int>(frames.size());
    if (isRange) return {first, frames.last()};
    FrameList later;
    for (const int number : frames.numbers())
        if (number >= first) later.add(number);
    return later;
}

// Throws Error early if the file could not be written at the end.
void checkStatsFile(const std::string& file) {
    if (file.empty()) return;
    const std::filesystem::path path = toPath(file), folder = path.has_parent_path() ? path.parent_path() : ".";
    if (os::kindOf(toText(folder)) != os::Kind::folder)
        throw Error(file + ": its folder does not exist; create it first");
    if (os::kindOf(file) == os::Kind::folder) throw Error(file + ": is a folder; expected a file name");
    const AtomicFile probe(file);  // throws if it cannot be written, and leaves nothing
}

// Prints the estimated cost. Warns if it exceeds the machine or the solver's maxParticles, and asks for confirmation on
// a terminal only.
bool confirmRun(Playback& playback, const SimOptions& options, int last, ProgressLine& progress) {
    const Estimate estimate =
        estimateRun(patientOf(playback), last, std::max(options.threads, 0), availableMegabytes());
    if (options.memoryLimit > 0 && estimate.megabytes > 1000 * options.memoryLimit)
        throw Error(
            fmt::format("{}: needs {}, more than --memory-limit {} GB; ask for more memory, or use a larger "
                        "particleSpacing",
                        options.scene, estimate.text(), options.memoryLimit));
    progress.line("estimate: " + estimate.text());
    for (const std::string& warning : estimate.warnings) progress.warning(warning);
    return estimate.warnings.empty() || options.yes || progress.confirm("simulate anyway?");
}

// Progress within a frame.
class FrameProgress {
  public:
    void step(const Progress& at) {
        if (at.until != until_) {
            until_ = at.until;
            begin_ = reached_;
            steps_ = 0;
        }
        reached_ = at.time;
        ++steps_;
    }
    // For resumed simulations.
    void beginAt(double time) { reached_ = time; }
    std::string text() const {
        const double span = until_ - begin_;
        return fmt::format("{} steps, {:.0f} %", steps_, span > 0 ? 100 * (reached_ - begin_) / span : 100);
    }

  private:
    double until_ = -1, begin_ = 0, reached_ = 0;
    int steps_ = 0;
};

// Compression above the rest density; free surfaces and isolated drops, which are below it, do not count.
std::string compressionText(const Frame& frame) {
    if (frame.points.count() == 0) return "";
    return fmt::format(", compressed {:.2f} % mean {:.1f} % max", frame.stats.densityError,
                       100 * std::max(0.0, frame.stats.maxCompression - 1));
}

int simulateScene(const SimOptions& options, RunReport& farm) {
    ProgressLine progress(options.quiet, progressSeconds(options.farm));
    checkStatsFile(options.stats);
    const std::string root = options.out.empty() ? defaultOutput(options.scene) : options.out;
    // A branch is named when it is begun: it is inside of another cache, which a run that is refused leaves alone.
    if (options.branch.empty()) farm.setCache(root);
    Playback playback(
        options.scene, [&](auto severity, const auto& text) { progress.message(severity, text); }, options.solver,
        pathMapOf(options.farm));
    for (const std::string& note : playback.loadNotes()) progress.line("note: " + note);
    if (options.threads >= 0 || !options.device.empty())
        playback.setDevice(options.device, std::max(options.threads, 0));

    FrameList frames = FrameList::parse(options.frames.empty() ? textOf(playback.playbackRange()) : options.frames);
    const int start = playback.startFrame();
    std::string out = root;
    int done = start - 1;
    // A resumed cache is checked by its identity; a new one replaces nothing that the user did not name.
    const auto claimed = [&](const std::string& folder) {
        return options.resume ? TargetFolder{folder, nullptr} : claimFolder(folder, options.overwrite, true);
    };
    if (!options.branch.empty()) {
        frames = framesFrom(checkedFrame(options.from, "--from"), frames);
        const TargetFolder folder = claimed(branchFolder(root, options.branch));
        out = folder.path;
        const std::optional<int> begun = beginBranch(playback, options, root, folder, frames, progress);
        if (!begun) {
            progress.line(out + ": nothing to resume from; starting over");
            SimOptions fresh = options;
            fresh.resume = false;
            fresh.overwrite.force = true;
            return simulateScene(fresh, farm);
        }
        done = *begun;
    } else {
        for (const std::string& assignment : options.assignments) progress.line(playback.set(assignment));
        if (options.resume) {
            playback.writeCache(targetOf(options, claimed(root), frames));
            done = playback.resume({frames.first(), frames.last()});
            progress.line(done < start ? out + ": nothing to resume from; starting over"
                                       : fmt::format("{}: resuming after frame {}", out, done));
        }
        if (!confirmRun(playback, options, frames.last(), progress)) return kCancelled;
        if (!options.resume) {
            const TargetFolder folder = claimed(root);
            out = folder.path;
            if (out != root) progress.line("writing " + out);
            playback.writeCache(targetOf(options, folder, frames));
        }
    }
    farm.setCache(out);
    farm.beginWriting();
    const FrameRange wanted{frames.first(), frames.last()};
    const int first = std::max(done + 1, std::min(start, wanted.first));

    if (!options.stats.empty()) playback.recordLoops();
    const Device device = playback.device();
    // Nothing to overlap with a single thread.
    if (device.threads() > 1) playback.deferSurfaces();
    StatsLog log(options, device);
    VolumeWatch volumes;
    const auto began = Clock::now();
    FrameProgress within;
    within.beginAt((first - 1 - start) / playback.fps());
    // Of all wanted frames, so that a resumed run goes on where it was.
    const auto share = [&](double passed) { return (passed - start + 1) / (wanted.last - start + 1); };
    auto reported = Clock::now();
    const auto reportToFarm = [&](double passed, int64_t particles, double left) {
        constexpr double kInterval = 2;  // s
        if (since(reported) < kInterval) return;
        reported = Clock::now();
        farm.progress({static_cast<int>(passed), wanted.last, share(passed), particles, left});
    };
    playback.solver().onProgress([&](const Progress& at) {
        within.step(at);
        const double frames = at.until * playback.fps() + start;
        const double passed = at.time * playback.fps() + start;
        const double left = since(began) / std::max(0.05, passed - first + 1) * (wanted.last - passed);
        progress.live(fmt::format("frame {:.0f} of {}: {}, {} particles, {} left", frames, wanted.last, within.text(),
                                  at.particles, duration(left)));
        reportToFarm(passed, at.particles, left);
    });
    std::deque<SimulatedFrame> played;
    // Reports finished frames in order: those ready now, or all.
    const auto report = [&](bool all) {
        for (; !played.empty() && (all || played.front().isReady()); played.pop_front()) {
            const SimulatedFrame& at = played.front();
            const FramePtr frame = at.finished.get();
            log.add(at, frame);
            volumes.add(at.number, *frame);
            progress.line(fmt::format("frame {}: {} particles, {} steps, {:.0f} ms{}, {}", at.number,
                                      frame->points.count(), frame->stats.steps, 1000 * at.seconds,
                                      compressionText(*frame), toHex(frame->stateHash)));
            const double left = since(began) / (at.number - first + 1) * (wanted.last - at.number);
            farm.progress({at.number, wanted.last, share(at.number), int64_t(frame->points.count()), left,
                           toHex(frame->stateHash)});
        }
    };
    const auto massPoints = [&] {
        const Simulator* const simulator = playback.solver().simulator();
        return simulator ? simulator->state().cloth.count() + simulator->state().soft.count() : 0;
    };
    LoopRecord loops;
    std::optional<ScopedLoopRecord> recording;
    if (!options.stats.empty()) recording.emplace(loops);
    auto frameBegan = Clock::now();
    double busyBefore = threadSeconds();
    const ScenePlayer::Played result =
        playback.play({first, wanted.last}, [&](int number, const FrameFuture& finished) {
            Simulator& simulator = *playback.solver().simulator();
            played.push_back(
                {number, since(frameBegan), simulator.timings(), loops, threadSeconds() - busyBefore, finished});
            simulator.clearTimings();
            report(false);
            loops = {};
            frameBegan = Clock::now();
            busyBefore = threadSeconds();
            return true;
        });
    recording.reset();
    report(true);
    const auto writtenUpTo = [&](int last) {
        FrameList written;
        for (const int number : frames.numbers())
            if (number <= last) written.add(number);
        return written;
    };
    if (result.cancelled) {
        log.save(massPoints());
        progress.line(result.last < wanted.first
                          ? std::string("cancelled before the first frame was finished")
                          : fmt::format("cancelled: {} contains frames {}; continue with --resume", out,
                                        writtenUpTo(result.last).text()));
        return kCancelled;
    }
    log.save(massPoints());
    if (!options.stats.empty()) progress.line(log.table());
    for (const std::string& warning : volumes.warnings()) progress.line("warning: " + warning);
    progress.line(fmt::format("{}: frames {} in {}", out, frames.text(), duration(since(began))));
    return kDone;
}

}  // namespace

int simulate(const SimOptions& options) {
    RunReport farm(options.farm);
    return farm.run([&] { return simulateScene(options, farm); });
}

}  // namespace purl

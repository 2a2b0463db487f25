// purl sim: plays a scene and caches every frame.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands.h"
#include "app/progress.h"
#include "app/volumeWatch.h"
#include "farm/doctor.h"
#include "farm/estimate.h"
#include "farm/session.h"
#include "host/host.h"
#include "solver/cache/cache.h"
#include "solver/cache/file.h"
#include "solver/core/hash.h"
#include "solver/surface/flicker.h"

namespace purl {
namespace {

using Clock = std::chrono::steady_clock;

// As Linux calls it; empty elsewhere.
std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.find(':') + 2, line.size()));
    return "";
}

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Keeps the numbers of every frame for --stats, and the pace for the time left.
class Log {
  public:
    explicit Log(const SimOptions& options) : file_(options.stats) {
        document_["scene"] = options.scene;
        utsname system;
        if (uname(&system) == 0) document_["system"] = fmt::format("{} {}", system.sysname, system.machine);
        document_["processor"] = processorName();
        document_["cores"] = std::thread::hardware_concurrency();
        document_["memoryMegabytes"] = physicalMegabytes();
        document_["frames"] = nlohmann::json::array();
    }

    void add(int number, const std::shared_ptr<const Frame>& now, double seconds, Simulator& simulator) {
        const Frame& frame = *now;
        document_["device"] = simulator.device().name();
        document_["threads"] = simulator.device().threads();
        nlohmann::json phases = nlohmann::json::object();
        for (const PhaseTime& phase : simulator.timings()) phases[phase.phase] = 1000 * phase.seconds;
        std::vector<int64_t> counts(frame.bodies.size());
        for (const int body : frame.points.bodies) ++counts[static_cast<size_t>(body)];
        nlohmann::json bodies = nlohmann::json::object();
        for (size_t i = 0; i < counts.size(); ++i) bodies[frame.bodies[i].name] = counts[i];
        const FrameStats& stats = frame.stats;
        const Flicker flicker = before_ && !file_.empty() ? flickerBetween(*before_, frame) : Flicker{};
        before_ = now;
        nlohmann::json record = {{"frame", number},
                                 {"ms", 1000 * seconds},
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
        simulator.clearTimings();
    }
    void save() {
        rusage usage;
        // Linux tells it in kilobytes.
        if (getrusage(RUSAGE_SELF, &usage) == 0) document_["peakMegabytes"] = 1e-3 * double(usage.ru_maxrss);
        if (!file_.empty()) writeFile(file_, document_.dump(1) + "\n");
    }

  private:
    std::string file_;
    nlohmann::json document_;
    std::shared_ptr<const Frame> before_;
};

// Takes the simulation of the cache in `root` to the frame before the branch's first, from the nearest state that was
// kept, and then sets what the branch changes. Returns the last frame that is done.
int beginBranch(Session& session, const SimOptions& options, const std::string& root, const std::string& out,
                ProgressLine& progress) {
    const CacheReader parent(root);
    const Manifest& manifest = parent.manifest();
    if (session.sceneHash() != manifest.sceneHash)
        throw Error(root + ": was made from another scene than " + options.scene + "; simulate it anew");
    if (options.from <= session.startFrame())
        throw Error(root + ": a branch begins after frame " + std::to_string(session.startFrame()));
    std::string formats = options.formats;
    for (const std::string& name : manifest.formats)
        if (options.formats.empty()) formats += (formats.empty() ? "" : ",") + name;
    for (const std::string& assignment : manifest.assignments) session.set(assignment);
    session.writeBranch(options.branch, "../..", options.from);
    const bool goesOn = options.resume && std::filesystem::exists(std::filesystem::path(out) / "manifest.json");
    int done = options.from - 1;
    if (!goesOn) {
        session.writeNothing();
        done = session.restore(root, options.from - 1);
        progress.line(done < session.startFrame()
                          ? fmt::format("{}: no state kept before frame {}; playing from the start", root, options.from)
                          : fmt::format("{}: going on from frame {}", root, done));
        if (done < options.from - 1) {
            const auto last = session.frame(options.from - 1);
            const FrameRecord* record = manifest.find(options.from - 1);
            if (record && record->stateHash != last->stateHash)
                throw Error(root + ": frame " + std::to_string(options.from - 1) +
                            " comes out otherwise now; it was made by another version of Purl");
        }
        done = options.from - 1;
    }
    for (const std::string& assignment : options.assignments) progress.line(session.set(assignment));
    session.writeCache(out, formats, options.oneFile, options.from);
    if (goesOn) done = std::max(done, session.resume(out));
    return done;
}

// Says what the run will take. Where that is beyond the machine or the solver's maxParticles it warns, and on a
// terminal asks; whoever is no person is never waited for.
bool mayRun(Session& session, const SimOptions& options, int last, ProgressLine& progress) {
    const Estimate estimate = estimateRun(patientOf(session), last, std::max(options.threads, 0), physicalMegabytes());
    progress.line("estimate: " + estimate.text());
    for (const std::string& warning : estimate.warnings) progress.warning(warning);
    return estimate.warnings.empty() || options.yes || progress.confirm("simulate all the same?");
}

// Where a frame stands, step by step.
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
    // A simulation that was resumed begins in its midst.
    void beginAt(double time) { reached_ = time; }
    std::string text() const {
        const double span = until_ - begin_;
        return fmt::format("{} steps, {:.0f} %", steps_, span > 0 ? 100 * (reached_ - begin_) / span : 100);
    }

  private:
    double until_ = -1, begin_ = 0, reached_ = 0;
    int steps_ = 0;
};

// The excess over the rest density; a free surface and lone drops have less than that, and do not count.
std::string compressionText(const Frame& frame) {
    if (frame.points.count() == 0) return "";
    return fmt::format(", compressed {:.2f} % mean {:.1f} % max", frame.stats.densityError,
                       100 * std::max(0.0, frame.stats.maxCompression - 1));
}

}  // namespace

int simulate(const SimOptions& options) {
    ProgressLine progress(options.quiet, options.progressSeconds);
    Session session(
        options.scene, [&](auto severity, const auto& text) { progress.message(severity, text); }, options.solver);
    for (const std::string& note : session.loadNotes()) progress.line("note: " + note);
    if (options.threads >= 0 || !options.device.empty())
        session.setDevice(options.device, std::max(options.threads, 0));

    const std::string root = options.out.empty() ? defaultOutput(options.scene) : options.out;
    FrameRange wanted = options.frames.empty() ? session.playbackRange() : parseFrames(options.frames);
    const int start = session.startFrame();
    std::string out = root;
    int done = start - 1;
    if (!options.branch.empty()) {
        out = branchFolder(root, options.branch);
        wanted.first = options.from;
        done = beginBranch(session, options, root, out, progress);
    } else {
        for (const std::string& assignment : options.assignments) progress.line(session.set(assignment));
        if (!mayRun(session, options, wanted.last, progress)) return kCancelled;
        session.writeCache(out, options.formats, options.oneFile, wanted.first);
        if (options.resume) {
            done = session.resume(out);
            progress.line(done < start ? out + ": nothing to resume from; starting anew"
                                       : fmt::format("{}: resuming after frame {}", out, done));
        }
    }
    const int first = std::max(done + 1, std::min(start, wanted.first));

    Log log(options);
    VolumeWatch volumes;
    const auto began = Clock::now();
    int reached = done;
    FrameProgress within;
    within.beginAt((first - 1 - start) / session.fps());
    session.solver().onProgress([&](const Progress& at) {
        within.step(at);
        const double frames = at.until * session.fps() + start;
        const double passed = at.time * session.fps() + start;
        const double pace = since(began) / std::max(0.05, passed - first + 1);
        progress.live(fmt::format("frame {:.0f} of {}: {}, {} particles, {} left", frames, wanted.last, within.text(),
                                  at.particles, duration(pace * (wanted.last - passed))));
    });
    try {
        for (int number = first; number <= wanted.last; ++number) {
            const auto frameBegan = Clock::now();
            const auto frame = session.frame(number);
            if (number >= wanted.first) session.saveResumePoint(out, number, options.checkpoints);
            const double seconds = since(frameBegan);
            reached = number;
            log.add(number, frame, seconds, *session.solver().simulator());
            volumes.add(number, *frame);
            progress.line(fmt::format("frame {}: {} particles, {} steps, {:.0f} ms{}, {}", number,
                                      frame->points.count(), frame->stats.steps, 1000 * seconds,
                                      compressionText(*frame), toHex(frame->stateHash)));
        }
        session.finishCache();
    } catch (const Cancelled&) {
        session.waitForDisk();
        log.save();
        progress.line(reached < wanted.first ? std::string("cancelled before the first frame was whole")
                                             : fmt::format("cancelled: {} holds frames {} to {}; go on with --resume",
                                                           out, wanted.first, reached));
        return kCancelled;
    }
    log.save();
    for (const std::string& warning : volumes.warnings()) progress.line("warning: " + warning);
    progress.line(fmt::format("{}: frames {} to {} in {}", out, wanted.first, wanted.last, duration(since(began))));
    return kDone;
}

}  // namespace purl

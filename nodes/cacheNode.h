// purlCache: writes the frames that pass through it to disk, or plays them back in place of the simulation.
#pragma once
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "nodes/ids.h"
#include "nodes/mayaYear.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/cache/cache.h"
#include "solver/cache/writeBehind.h"

namespace purl {

enum class CacheMode { pass, write, read };
inline Choices choicesOf(CacheMode) { return {"pass", "write", "read"}; }

struct CacheParams {
    CacheMode mode = CacheMode::pass;
    std::string directory;
    std::string formats;
    bool oneFile = false;
    float speed = 1;
    float speedStart = 1;
};
// Help text of the formats attribute, with the names from the table of formats.
const char* formatsSentence();

template <class Visit>
void describe(Visit&& visit, CacheParams& p) {
    visit(p.mode, About{"mode", "mod", "",
                        "pass: hands frames on unchanged; write: also writes them to disk; read: plays them from "
                        "disk."});
    visit(p.directory, About{"directory", "dir", "", "Folder of the cache."});
    visit(p.formats, About{"formats", "fmt", "", formatsSentence()});
    visit(p.oneFile, About{"oneFile", "onf", "",
                           "Writes one nCache or Alembic file for all frames, assembled at the end of the range."});
    visit(p.speed, About{"retime", "rtm", "",
                         "Playback speed of the cache: 0.5 is slow motion, -1 backwards. Between frames, particles are "
                         "interpolated from their positions and velocities.",
                         -1000, 1000, 0, 4});
    visit(p.speedStart, About{"retimeStart", "rts", "", "Frame that a retimed cache shows at its original time."});
}

class CacheNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlCache";
    static constexpr unsigned kId = id::kCache;
    static constexpr const char* kSentence = "Writes frames to disk, or plays them back in place of the simulation.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlSurface."});
        visit(currentTime_, PlugAbout{"currentTime", "cti", PlugType::time, PlugUse::in, "From time1.outTime."});
        visit(outFrame_, PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out,
                                   "The frame that was passed on, written or read."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;
    SchedulingType schedulingType() const override { return kOneAtATime; }
    static constexpr const char* kFileAttribute = "directory";
    std::vector<std::string> inputFiles() const;

    // --- for the command line and Python
    // Off: mode write behaves like pass, so that a scene that is only viewed does not touch the disk.
    void allowWriting(bool allowed) { mayWrite_ = allowed; }
    // Parameters to use in place of the attributes and of allowWriting; nullopt: the attributes.
    void override(std::optional<CacheParams> params) { override_ = std::move(params); }
    // Throws Error unless this run is the one recorded in the manifest; see purl::checkSameRun.
    void checkSameRun(const Manifest& found) const;
    // The next cache written continues after `frame`; nullopt: it starts from the beginning.
    void resumeAfter(std::optional<int> frame) { resumeAfter_ = frame; }
    // Provenance of the frames, recorded in the manifest.
    struct Origin {
        std::string scenePath;
        RunIdentity run;
        std::function<std::vector<std::string>()> values;  // of all parameters, read when the first frame is written
        std::string branch, parent;
        int branchFrame = 0;
    };
    void setOrigin(Origin origin) { origin_ = std::move(origin); }
    // Frames are written in the background while the next one is simulated. Jobs run in order after those before them;
    // their exceptions are thrown by the next frame, job or finish.
    void addJob(std::function<void()> job);
    // The last frame queued for writing, with its deferred work done; see Frame::deferred.
    std::shared_future<std::shared_ptr<const Frame>> whole() const { return whole_; }
    // Waits until all frames are on disk and completes the cache. This includes a resumed cache that had no frame to
    // add: the earlier run may have been killed before completing it.
    void finish();
    // Waits until all frames are on disk.
    void waitForDisk();

  private:
    std::shared_ptr<const Frame> write(const CacheParams& params, int number, std::shared_ptr<const Frame> frame);
    std::shared_ptr<const Frame> read(const CacheParams& params, double now);
    CacheParams paramsOf(MDataBlock& block) const;
    CacheSettings settingsOf(const CacheParams& params) const;
    void open(const CacheParams& params, int startFrame);
    WriteBehind& jobs();

    static inline MObject inFrame_, currentTime_, outFrame_;
    static inline ParamAttributes<CacheParams> params_;

    std::unique_ptr<CacheWriter> writer_;
    std::unique_ptr<CacheReader> reader_;
    CacheParams opened_;  // parameters that writer_ or reader_ was opened with
    bool mayWrite_ = true;
    std::optional<CacheParams> override_;
    std::optional<int> resumeAfter_;
    Origin origin_;
    std::shared_future<std::shared_ptr<const Frame>> whole_;
    std::unique_ptr<WriteBehind> behind_;  // last member: destroyed first, while the writer still exists
};

}  // namespace purl

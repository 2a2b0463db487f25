// purlCache: frames to disk as they come by, or back from disk in the simulation's place.
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
template <class Visit>
void describe(Visit&& visit, CacheParams& p) {
    visit(p.mode,
          About{"mode", "mod", "", "pass hands frames on, write also puts them on disk, read takes them from there."});
    visit(p.directory, About{"directory", "dir", "", "Folder of the cache."});
    visit(p.formats,
          About{"formats", "fmt", "",
                "What to write, with commas: mcx, mcc, abc, bgeo, vdb, ply, obj, usda, pov; abc:points, abc:meshes or "
                "abc:curves is that alone. Empty: mcx,ply,usda:curves."});
    visit(p.oneFile, About{"oneFile", "onf", "",
                           "One nCache or Alembic file for all frames, put together when the range is done."});
    visit(p.speed,
          About{"retime", "rtm", "",
                "How fast a cache is played: 0.5 is slow motion, -1 backwards. Between frames particles follow "
                "the curve of their positions and velocities.",
                -1000, 1000, 0, 4});
    visit(p.speedStart, About{"retimeStart", "rts", "", "The frame that a retimed cache shows at its own time."});
}

class CacheNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlCache";
    static constexpr unsigned kId = id::kCache;
    static constexpr const char* kSentence = "Frames to disk as they come by, or from disk in the simulation's place.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlSurface."});
        visit(currentTime_, PlugAbout{"currentTime", "cti", PlugType::time, PlugUse::in, "From time1.outTime."});
        visit(outFrame_,
              PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out, "The frame passed, written or read."});
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
    // Off: frames pass where the attributes say write. Scenes that are only looked at must not touch the disk.
    void allowWriting(bool allowed) { mayWrite_ = allowed; }
    // In place of the attributes, whatever drives those; none: the attributes, under allowWriting.
    void override(std::optional<CacheParams> params) { override_ = std::move(params); }
    // Throws Error unless the run that writes here is the manifest's; see purl::checkSameRun.
    void checkSameRun(const Manifest& found) const;
    // The cache written next goes on after `frame`; none: it starts again.
    void resumeAfter(std::optional<int> frame) { resumeAfter_ = frame; }
    // Where the frames come from, for the manifest.
    struct Origin {
        std::string scenePath;
        RunIdentity run;
        std::function<std::vector<std::string>()> values;  // of all parameters, asked when the first frame is written
        std::string branch, parent;
        int branchFrame = 0;
    };
    void setOrigin(Origin origin) { origin_ = std::move(origin); }
    // Frames are written while the next one is simulated. A job added here is done behind those before it; what goes
    // wrong is thrown by the next frame, job or finish.
    void addJob(std::function<void()> job);
    // The last frame taken for writing, with all that was deferred; see Frame::deferred.
    std::shared_future<std::shared_ptr<const Frame>> whole() const { return whole_; }
    // Waits until all frames are on disk, and ends the cache. One that was to go on and had no frame to add is ended
    // too: the run before may have been killed while it did that.
    void finish();
    // Waits only: what was simulated is on disk then.
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
    CacheParams opened_;  // what writer_ or reader_ was opened with
    bool mayWrite_ = true;
    std::optional<CacheParams> override_;
    std::optional<int> resumeAfter_;
    Origin origin_;
    std::shared_future<std::shared_ptr<const Frame>> whole_;
    std::unique_ptr<WriteBehind> behind_;  // last: it still needs the writer
};

}  // namespace purl

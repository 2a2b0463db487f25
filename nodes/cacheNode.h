// purlCache: writes the frames that pass through it to disk, or plays them back in place of the simulation.
#pragma once
#include <memory>
#include <mutex>

#include "nodes/cacheRecorder.h"
#include "nodes/ids.h"
#include "nodes/mayaYear.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"

namespace purl {

enum class CacheMode { pass, write, read };
inline Choices choicesOf(CacheMode) { return {"pass", "write", "read"}; }

struct CacheParams {
    CacheMode mode = CacheMode::pass;
    std::string directory;
    std::string formats;
    std::string channels;
    bool oneFile = false;
    float speed = 1;
    float speedStart = 1;
};
// Help text of the formats attribute, with the names from the table of formats.
const char* formatsSentence();
const char* channelsSentence();

template <class Visit>
void describe(Visit&& visit, CacheParams& p) {
    visit(p.mode, About{"mode", "mod", "",
                        "pass: hands frames on unchanged; write: also writes them to disk; read: plays them from "
                        "disk."});
    visit(p.directory, About{"directory", "dir", "", "Folder of the cache."});
    visit(p.formats, About{"formats", "fmt", "", formatsSentence()});
    visit(p.channels, About{"channels", "chn", "", channelsSentence()});
    visit(p.oneFile, About{"oneFile", "onf", "",
                           "Writes one nCache or Alembic file for all frames, assembled at the end of the range."});
    visit(p.speed, About{"retime", "rtm", "",
                         "Playback speed of the cache: 0.5 is slow motion, -1 backwards. Between frames, particles are "
                         "interpolated from their positions and velocities.",
                         -1000, 1000, 0, 4});
    visit(p.speedStart, About{"retimeStart", "rts", "", "Frame that a retimed cache shows at its original time."});
}

class CacheNode : public RecordingNode {
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
    static constexpr const char* kFileAttribute = "directory";
    std::vector<std::string> inputFiles() const;
    MStringArray getFilesToArchive(bool, bool, bool) const override { return archived(inputFiles()); }

    // --- for the command line and Python
    // Off: mode write behaves like pass, so that a scene that is only viewed does not touch the disk.
    void allowWriting(bool allowed) { mayWrite_ = allowed; }
    // Passes frames on, whatever the attributes say.
    void bypass() { bypassed_ = true; }

  protected:
    bool records() const override;
    MObject recordingSwitch() const override { return params_.attribute("mode"); }

  private:
    CacheMode modeOutsideCompute() const;
    // With computing_ locked.
    void open(const CacheParams& params);
    void write(const CacheParams& params, int number, const FramePtr& frame);
    FramePtr read(const CacheParams& params, double now);
    CacheParams paramsOf(MDataBlock& block) const;

    static inline MObject inFrame_, currentTime_, outFrame_;
    static inline ParamAttributes<CacheParams> params_;

    std::unique_ptr<CacheRecorder> recorder_;
    std::unique_ptr<CacheReader> reader_;
    CacheParams opened_;  // parameters that recorder_ or reader_ was opened with
    bool mayWrite_ = true, bypassed_ = false;
    // Cached playback computes in the background, with its own data blocks but this one writer and reader.
    std::mutex computing_;
};

}  // namespace purl

// purlCache: frames to disk as they come by, or back from disk in the simulation's place.
#pragma once
#include <maya/MPxNode.h>

#include <memory>
#include <optional>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/cache/cache.h"

namespace purl {

enum class CacheMode { pass, write, read };
inline Choices choicesOf(CacheMode) { return {"pass", "write", "read"}; }

struct CacheParams {
    CacheMode mode = CacheMode::pass;
    std::string directory;
    std::string formats;
    bool oneFile = false;
};
template <class Visit>
void describe(Visit&& visit, CacheParams& p) {
    visit(p.mode,
          About{"mode", "mod", "", "pass hands frames on, write also puts them on disk, read takes them from there."});
    visit(p.directory, About{"directory", "dir", "", "Folder of the cache."});
    visit(p.formats,
          About{"formats", "fmt", "",
                "What to write, with commas: mcx, mcc, abc, bgeo, vdb, ply, obj, usda; abc:points, abc:meshes or "
                "abc:curves is that alone. Empty: mcx,ply,usda:curves."});
    visit(p.oneFile,
          About{"oneFile", "onf", "", "One nCache file for all frames, put together when the range is done."});
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
    SchedulingType schedulingType() const override { return kGloballySerial; }

    // For the command line: the cache being written, goes on after `frame` (or begins anew); null before the first
    // frame.
    void resumeAfter(int frame) { resumeAfter_ = frame; }
    // Where the frames come from, for the manifest: the scene file, and a hash that differs when the run would.
    void setOrigin(const std::string& scenePath, uint64_t parametersHash) {
        scenePath_ = scenePath;
        parametersHash_ = parametersHash;
    }
    // The cache being written; null before its first frame.
    CacheWriter* writer() { return writer_.get(); }

  private:
    std::shared_ptr<const Frame> write(const CacheParams& params, int number, std::shared_ptr<const Frame> frame);
    std::shared_ptr<const Frame> read(const CacheParams& params, int number);

    static inline MObject inFrame_, currentTime_, outFrame_;
    static inline ParamAttributes<CacheParams> params_;

    std::unique_ptr<CacheWriter> writer_;
    std::unique_ptr<CacheReader> reader_;
    CacheParams opened_;  // what writer_ or reader_ was opened with
    std::optional<int> resumeAfter_;
    std::string scenePath_;
    uint64_t parametersHash_ = 0;
};

}  // namespace purl

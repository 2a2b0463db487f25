// purlFoam: spray, foam and bubbles of a liquid, advanced from frame to frame. It keeps the foam of the last frame.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "nodes/data.h"
#include "nodes/ids.h"
#include "nodes/mayaYear.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/pointsNode.h"
#include "solver/scene.h"
#include "solver/surface/foam.h"

namespace purl {

// The scene's colliders, which stop foam, in the scene's units.
std::vector<FoamCollider> foamWalls(const Scene& scene);

// The foam of one liquid at a frame. Requesting the same frame again returns the same foam.
struct PlayedFoam {
    std::string body;
    double time;
    Foam foam;
};
struct FoamTraits {
    using Value = std::vector<PlayedFoam>;
    static constexpr unsigned kId = id::kFoamData;
    static constexpr const char* kName = "purlFoamState";
};
using FoamData = SharedData<FoamTraits>;

class FoamNode : public MemoryNode {
  public:
    static constexpr const char* kName = "purlFoam";
    static constexpr unsigned kId = id::kFoam;
    static constexpr const char* kSentence =
        "Spray, foam and bubbles where a liquid traps air and waves break. Play it frame by frame: a jump back, or "
        "forward by more than half a second, starts with no foam.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(inBody_,
              PlugAbout{"inBody", "ib", PlugType::body, PlugUse::in,
                        "The fluid to add foam to, from its outBody. Follows it if it is renamed or referenced."});
        visit(bodies_, PlugAbout{"bodies", "bod", PlugType::body, PlugUse::inArray, "Colliders that stop the foam."});
        visit(outFrame_, PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out,
                                   "The frame with the foam added, as a body named after its liquid."});
        visit(outState_,
              PlugAbout{"outState", "ost", PlugType::foam, PlugUse::out,
                        "State that the next frame continues from; stored with every frame by cached playback."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  protected:
    std::vector<MObject> cachedAttributes() const override { return {outFrame_, outState_}; }

  private:
    static inline MObject inFrame_, inBody_, bodies_, outFrame_, outState_;
    static inline ParamAttributes<BodyChoice> choice_;
    static inline ParamAttributes<FoamParams> params_;

    std::vector<PlayedFoam> played_;
    std::shared_ptr<const std::vector<PlayedFoam>> published_;  // the last foam set on a data block
    std::mutex computing_;                                      // as in purlSolver
};

}  // namespace purl

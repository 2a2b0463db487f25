// purlSurface: the mesh around a liquid's particles, for the viewport and, along outFrame, for caches and pictures.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/pointsNode.h"
#include "solver/surface/surface.h"

namespace purl {

// Which liquids share one surface. automatic: those that mix, which have a dispersion above 0.
enum class Together { off, on, automatic };
inline Choices choicesOf(Together) { return {"off", "on", "automatic"}; }

struct SurfaceChoice {
    Together together = Together::automatic;
    bool useCached = true;
};
template <class Visit>
void describe(Visit&& visit, SurfaceChoice& p) {
    visit(p.together,
          About{"together", "tgt", "",
                "Which liquids share one surface. automatic: those with a dispersion above 0, which mix; on: all of "
                "them; off: each has its own."});
    visit(p.useCached,
          About{"useCached", "ucs", "",
                "A liquid that brings its mesh along, from a cache with surfaces, keeps it; off: it is made anew."});
}

class SurfaceNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlSurface";
    static constexpr unsigned kId = id::kSurface;
    static constexpr const char* kSentence = "The mesh around a liquid's particles.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_,
              PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver, purlCache or purlSurface."});
        visit(outMesh_, PlugAbout{"outMesh", "om", PlugType::mesh, PlugUse::out, "To a mesh shape's inMesh."});
        visit(outFrame_, PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out, "The frame with the mesh put in."});
        visit(outVelocities_, PlugAbout{"outVelocities", "ovl", PlugType::vectors, PlugUse::out,
                                        "Velocity per second of each vertex of outMesh, for motion blur."});
        visit(outNormals_, PlugAbout{"outNormals", "onr", PlugType::vectors, PlugUse::out,
                                     "Outward normal of each vertex, from the field."});
        visit(outColors_, PlugAbout{"outColors", "ocl", PlugType::vectors, PlugUse::out, "Colour of each vertex."});
        visit(outRestPositions_, PlugAbout{"outRestPositions", "orp", PlugType::vectors, PlugUse::out,
                                           "Where the liquid at each vertex was let in."});
        visit(outAges_, PlugAbout{"outAges", "oag", PlugType::doubles, PlugUse::out, "Seconds since then."});
        visit(outIds_, PlugAbout{"outIds", "oid", PlugType::doubles, PlugUse::out,
                                 "Id of the particle nearest to each vertex."});
        visit(outSources_, PlugAbout{"outSources", "osr", PlugType::ints, PlugUse::out,
                                     "Which of the liquid's volumes let it in, or, counted on from them, emitters."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
        visit(together_);
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

    // For who plays a range of frames and wants no more than outFrame: surfaces are left to whoever completes the frame
    // (Frame::deferred), and the simulation goes on meanwhile.
    void defer(bool deferred) { defer_ = deferred; }
    // See Simulator::recordLoops; the record is in Frame::phases.
    void recordLoops(bool record) { recordLoops_ = record; }

  private:
    static inline MObject inFrame_, outMesh_, outFrame_, outVelocities_, outNormals_, outColors_, outRestPositions_,
        outAges_, outIds_, outSources_;
    static inline ParamAttributes<BodyChoice> choice_;
    static inline ParamAttributes<SurfaceChoice> together_;
    static inline ParamAttributes<SurfaceParams> params_;

    bool defer_ = false, recordLoops_ = false;
};

}  // namespace purl

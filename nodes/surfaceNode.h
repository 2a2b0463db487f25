// purlSurface: the surface mesh of liquids, for the viewport and, on outFrame, for caches and rendering.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/pointsNode.h"
#include "solver/surface/surface.h"

namespace purl {

// Which liquids share one surface. automatic: liquids that mix, with a dispersion above 0.
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
                "Which liquids share one surface. automatic: those that mix, with a dispersion above 0; on: all; off: "
                "each has its own."});
    visit(p.useCached, About{"useCached", "ucs", "",
                             "Uses the mesh of a liquid that is already in the frame, from a cache with surfaces. Off: "
                             "the surface is computed again."});
}

class SurfaceNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlSurface";
    static constexpr unsigned kId = id::kSurface;
    static constexpr const char* kSentence = "The surface mesh of liquids.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_,
              PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver, purlCache or purlSurface."});
        visit(inBody_, PlugAbout{"inBody", "ib", PlugType::body, PlugUse::in,
                                 "The fluid to surface, from its outBody. Follows it if it is renamed or referenced."});
        visit(outMesh_, PlugAbout{"outMesh", "om", PlugType::mesh, PlugUse::out, "To the inMesh of a mesh shape."});
        visit(outFrame_, PlugAbout{"outFrame", "of", PlugType::frame, PlugUse::out, "The frame with the mesh added."});
        visit(outVelocities_, PlugAbout{"outVelocities", "ovl", PlugType::vectors, PlugUse::out,
                                        "Velocity per second of each vertex of outMesh, for motion blur."});
        visit(outNormals_, PlugAbout{"outNormals", "onr", PlugType::vectors, PlugUse::out,
                                     "Outward normal of each vertex, from the gradient of the field."});
        visit(outColors_, PlugAbout{"outColors", "ocl", PlugType::vectors, PlugUse::out, "Colour of each vertex."});
        visit(outRestPositions_, PlugAbout{"outRestPositions", "orp", PlugType::vectors, PlugUse::out,
                                           "Position at which the liquid at each vertex entered the scene."});
        visit(outAges_, PlugAbout{"outAges", "oag", PlugType::doubles, PlugUse::out,
                                  "Seconds since the liquid at each vertex entered the scene."});
        visit(outIds_, PlugAbout{"outIds", "oid", PlugType::doubles, PlugUse::out,
                                 "Id of the particle closest to each vertex."});
        visit(outSources_,
              PlugAbout{"outSources", "osr", PlugType::ints, PlugUse::out,
                        "Index of the volume or emitter that the liquid at each vertex came from; emitters "
                        "are counted after volumes."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
        visit(together_);
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

    // Adds the surfaces to a frame that is not at inFrame, with the attributes of the current time.
    void addTo(Frame& frame);
    // For playing a range of frames of which only outFrame is needed: surfaces are left to Frame::deferred, so that the
    // simulation can continue in the meantime.
    void defer(bool deferred) { defer_ = deferred; }
    // See Simulator::recordLoops; the record is in Frame::phases.
    void recordLoops(bool record) { recordLoops_ = record; }

  private:
    struct AddSurfaces;
    AddSurfaces settingsIn(MDataBlock& block);
    // Sets the mesh and the arrays that are asked for or connected.
    void publish(const MPlug& asked, MDataBlock& block, const Mesh& surface) const;

    static inline MObject inFrame_, inBody_, outMesh_, outFrame_, outVelocities_, outNormals_, outColors_,
        outRestPositions_, outAges_, outIds_, outSources_;
    static inline ParamAttributes<BodyChoice> choice_;
    static inline ParamAttributes<SurfaceChoice> together_;
    static inline ParamAttributes<SurfaceParams> params_;
    FormerValues former_{*this};

    bool defer_ = false, recordLoops_ = false;
};

}  // namespace purl

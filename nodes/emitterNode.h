// purlEmitter: a disc, a mesh or a curve that emits fluid at a given rate.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

class EmitterNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlEmitter";
    static constexpr unsigned kId = id::kEmitter;
    static constexpr const char* kSentence = "Emits fluid from a disc, the volume or surface of a mesh, or a curve.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh, for shape volume (closed) or surface."});
        visit(inCurve_, PlugAbout{"inCurve", "ic", PlugType::curve, PlugUse::in, "The curve, for shape curve."});
        visit(inMatrix_, PlugAbout{"inMatrix", "imx", PlugType::matrix, PlugUse::in,
                                   "Placement of the disc. Its scale multiplies the radius."});
        visit(outEmitter_,
              PlugAbout{"outEmitter", "oe", PlugType::emitter, PlugUse::out, "To the inEmitter of a purlFluid."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, inCurve_, inMatrix_, outEmitter_;
    static inline ParamAttributes<EmitterParams> params_;
};

}  // namespace purl

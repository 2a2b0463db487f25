// purlEmitter: a disc, a mesh or a curve that lets fluid in, by the litre.
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
    static constexpr const char* kSentence =
        "Lets fluid in: a disc that blows along its y axis, a mesh that fills up or blows off its faces, or a curve.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh of the volume shape, closed, or of the surface shape."});
        visit(inCurve_, PlugAbout{"inCurve", "ic", PlugType::curve, PlugUse::in, "The curve of the curve shape."});
        visit(inMatrix_,
              PlugAbout{"inMatrix", "imx", PlugType::matrix, PlugUse::in, "Where the disc stands; its scale counts."});
        visit(outEmitter_,
              PlugAbout{"outEmitter", "oe", PlugType::emitter, PlugUse::out, "To a purlFluid's inEmitter."});
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

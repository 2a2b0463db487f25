// purlSoftBody: what a soft body is made of, the mesh or points it begins as, and what holds or drags it.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "nodes/reference.h"
#include "solver/scene.h"

namespace purl {

enum class SoftPresetChoice { custom, jelly, sponge, rubber, clay, rigid };
inline Choices choicesOf(SoftPresetChoice) { return {"custom", "jelly", "sponge", "rubber", "clay", "rigid"}; }

class SoftBodyNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlSoftBody";
    static constexpr unsigned kId = id::kSoftBody;
    static constexpr const char* kSentence = "A soft body: its material, the mesh it begins as, and what holds it.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The mesh at the start, filled where it is closed; later what is pinned or frozen "
                                 "follows it."});
        visit(inPoints_, PlugAbout{"inPoints", "ip", PlugType::vectors, PlugUse::in,
                                   "A cloud of points in place of a mesh, in centimetres."});
        visit(pins_, PlugAbout{"pins", "pns", PlugType::doubles, PlugUse::in,
                               "How firmly each vertex follows the mesh: 0 free, 1 pinned; may be painted."});
        visit(inDrag_, PlugAbout{"inDrag", "idr", PlugType::matrix, PlugUse::in,
                                 "The place that drags the nearest vertex along while drag is on."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To a purlSolver's bodies."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(nodeParams_);
        visit(params_);
    }

    static std::vector<PresetReference> presets() { return presetsOf(softMaterials()); }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inMesh_, inPoints_, pins_, inDrag_, outBody_;
    static inline ParamAttributes<MaterialAndPins<SoftPresetChoice>> nodeParams_;
    static inline ParamAttributes<SoftBodyParams> params_;
};

}  // namespace purl

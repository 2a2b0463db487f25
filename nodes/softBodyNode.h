// purlSoftBody: the material of a soft body, its initial mesh or points, and what pins or drags it.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "nodes/reference.h"
#include "solver/scene.h"

namespace purl {

enum class SoftPresetChoice : int { custom };
inline Choices choicesOf(SoftPresetChoice) { return presetChoices(softMaterials().rows); }
inline const char* presetHeading(SoftPresetChoice) { return "Material"; }

class SoftBodyNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlSoftBody";
    static constexpr unsigned kId = id::kSoftBody;
    static constexpr const char* kSentence = "A soft body: its material, its initial mesh, and its pins.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "The initial mesh, filled with points if it is closed. Afterwards only pinned "
                                 "vertices follow it, or all while freeze is on."});
        visit(inPoints_, PlugAbout{"inPoints", "ip", PlugType::vectors, PlugUse::in,
                                   "A point cloud in place of a mesh, in centimetres."});
        visit(pins_, PlugAbout{"pins", "pns", PlugType::doubles, PlugUse::in,
                               "How firmly each vertex follows the mesh: 0 is free, 1 is pinned. Paintable."});
        visit(inDrag_, PlugAbout{"inDrag", "idr", PlugType::matrix, PlugUse::in,
                                 "Position that pulls the nearest vertex while drag is on."});
        visit(outBody_, PlugAbout{"outBody", "ob", PlugType::body, PlugUse::out, "To the bodies of a purlSolver."});
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

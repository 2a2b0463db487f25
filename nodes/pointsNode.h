// purlPoints: a frame's particles as Maya arrays, ready for instancers, nParticles and expressions.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/wetting.h"
#include "solver/frame.h"

namespace purl {

// Which body of the frame a node shows; shared by the output nodes.
struct BodyChoice {
    std::string body;
};
template <class Visit>
void describe(Visit&& visit, BodyChoice& p) {
    visit(p.body, About{"body", "bdy", "", "Name of the fluid to show. Empty: all of them."});
}

// The body so named, or every liquid where the name is empty.
std::vector<int> chosenLiquids(const Frame& frame, const std::string& name);

class PointsNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlPoints";
    static constexpr unsigned kId = id::kPoints;
    static constexpr const char* kSentence = "Particles of a frame as Maya arrays.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(outPositions_, PlugAbout{"outPositions", "ops", PlugType::vectors, PlugUse::out, "Where they are."});
        visit(outVelocities_,
              PlugAbout{"outVelocities", "ovl", PlugType::vectors, PlugUse::out, "Velocity per second."});
        visit(outNormals_, PlugAbout{"outNormals", "onr", PlugType::vectors, PlugUse::out,
                                     "Outward normal of surface particles, zero inside."});
        visit(outIds_, PlugAbout{"outIds", "oid", PlugType::doubles, PlugUse::out, "Ids that never change."});
        visit(outBodies_, PlugAbout{"outBodies", "obd", PlugType::ints, PlugUse::out, "Which fluid each belongs to."});
        visit(outRadii_,
              PlugAbout{"outRadii", "ord", PlugType::doubles, PlugUse::out, "Radius of each particle's sphere."});
        visit(outDensities_, PlugAbout{"outDensities", "odn", PlugType::doubles, PlugUse::out, "Density in kg/m³."});
        visit(outPressures_, PlugAbout{"outPressures", "opr", PlugType::doubles, PlugUse::out, "Pressure in Pa."});
        visit(outColors_, PlugAbout{"outColors", "ocl", PlugType::vectors, PlugUse::out,
                                    "Colour of each particle: that of its fluid, or mixed."});
        describeWetting(visit, wetting_);
        visit(outParticles_,
              PlugAbout{"outParticles", "opt", PlugType::particles, PlugUse::out,
                        "All of it for an instancer's inputPoints: position, velocity, id, radiusPP, rgbPP."});
        visit(outCount_, PlugAbout{"outCount", "oct", PlugType::count, PlugUse::out, "How many there are."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, outPositions_, outVelocities_, outNormals_, outIds_, outBodies_, outRadii_,
        outDensities_, outPressures_, outColors_, outParticles_, outCount_;
    static inline WettingPlugs wetting_;
    static inline ParamAttributes<BodyChoice> choice_;
};

}  // namespace purl

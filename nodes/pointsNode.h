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

// What of a particle a ramp goes by.
enum class RampInput { off, age, speed, wetness };
inline Choices choicesOf(RampInput) { return {"off", "age", "speed", "wetness"}; }

// Sizes and colours by what particles do, with the names that nParticles have for them.
struct PointsDisplay {
    CurveRamp radiusScale;
    RampInput radiusScaleInput = RampInput::off;
    float radiusScaleInputMax = 1;
    float radiusScaleRandomize = 0;
    ColorRamp color;
    RampInput colorInput = RampInput::off;
    float colorInputMax = 1;
};
template <class Visit>
void describe(Visit&& visit, PointsDisplay& p) {
    visit(p.radiusScale, About{"radiusScale", "rdc", "", "Factor of the radius along radiusScaleInput."});
    visit(p.radiusScaleInput, About{"radiusScaleInput", "rci", "",
                                    "What radiusScale goes by: age in seconds, speed in m/s, or wetness of the fabric "
                                    "that a particle touches."});
    visit(p.radiusScaleInputMax,
          About{"radiusScaleInputMax", "rcx", "", "The right end of radiusScale.", 1e-6, 1e6, 0, 10});
    visit(p.radiusScaleRandomize, About{"radiusScaleRandomize", "rcr", "",
                                        "Share by which particles are smaller, each by its own chance.", 0, 1, 0, 1});
    visit(p.color, About{"color", "clr", "", "Colour along colorInput, in place of the fluid's own."});
    visit(p.colorInput, About{"colorInput", "cin", "", "What color goes by, as radiusScaleInput has it."});
    visit(p.colorInputMax, About{"colorInputMax", "cim", "", "The right end of color.", 1e-6, 1e6, 0, 10});
}

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
        visit(outDropKnits_,
              PlugAbout{"outDropKnits", "odk", PlugType::ints, PlugUse::out,
                        "Which knit each drop fell from, -1: none; these four with purlSolver's origins."});
        visit(outDropYarns_, PlugAbout{"outDropYarns", "odyn", PlugType::ints, PlugUse::out, "Which yarn of that."});
        visit(outDropCourses_, PlugAbout{"outDropCourses", "odc", PlugType::ints, PlugUse::out, "Row of the stitch."});
        visit(outDropWales_, PlugAbout{"outDropWales", "odw", PlugType::ints, PlugUse::out, "Column of the stitch."});
        visit(outParticles_,
              PlugAbout{"outParticles", "opt", PlugType::particles, PlugUse::out,
                        "All of it for an instancer's inputPoints: position, velocity, id, radiusPP, rgbPP."});
        visit(outCount_, PlugAbout{"outCount", "oct", PlugType::count, PlugUse::out, "How many there are."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
        visit(look_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, outPositions_, outVelocities_, outNormals_, outIds_, outBodies_, outRadii_,
        outDensities_, outPressures_, outColors_, outDropKnits_, outDropYarns_, outDropCourses_, outDropWales_,
        outParticles_, outCount_;
    static inline WettingPlugs wetting_;
    static inline ParamAttributes<BodyChoice> choice_;
    static inline ParamAttributes<PointsDisplay> look_;
};

}  // namespace purl

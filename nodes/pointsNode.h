// purlPoints: the particles of a frame as Maya arrays, for instancers, nParticles and expressions.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/names.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/wetting.h"
#include "solver/frame.h"

namespace purl {

// Selects a body of the frame; shared by the output nodes.
struct BodyChoice {
    std::string body;
};
template <class Visit>
void describe(Visit&& visit, BodyChoice& p) {
    visit(p.body,
          About{"body", "bdy", "", "Name of the fluid to show, if inBody is not connected. Empty: all of them."});
}

// Indices of the wanted body, or of all liquids if none is named.
std::vector<int> chosenLiquids(const Frame& frame, const WantedBody& wanted);

// Quantity that a ramp is evaluated at.
enum class RampInput { off, age, speed, wetness };
inline Choices choicesOf(RampInput) { return {"off", "age", "speed", "wetness"}; }

// Size and colour ramps, with the attribute names of nParticle.
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
    visit(p.radiusScale, About{"radiusScale", "rdc", "", "Factor on the radius, as a ramp over radiusScaleInput."});
    visit(p.radiusScaleInput,
          About{"radiusScaleInput", "rci", "",
                "Input of radiusScale: age in seconds, speed in m/s, or wetness of the fabric that a particle "
                "touches."});
    visit(p.radiusScaleInputMax, About{"radiusScaleInputMax", "rcx", "",
                                       "Value of radiusScaleInput at the right end of the ramp.", 1e-6, 1e6, 0, 10});
    visit(p.radiusScaleRandomize,
          About{"radiusScaleRandomize", "rcr", "", "Random reduction of the radius: 0.5 is up to half.", 0, 1, 0, 1});
    visit(p.color, About{"color", "clr", "", "Colour as a ramp over colorInput, in place of the fluid's own colour."});
    visit(p.colorInput,
          About{"colorInput", "cin", "", "Input of color: age, speed or wetness, as in radiusScaleInput."});
    visit(p.colorInputMax,
          About{"colorInputMax", "cim", "", "Value of colorInput at the right end of the ramp.", 1e-6, 1e6, 0, 10});
}

class PointsNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlPoints";
    static constexpr unsigned kId = id::kPoints;
    static constexpr const char* kSentence = "Particles of a frame as Maya arrays.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(inBody_, PlugAbout{"inBody", "ib", PlugType::body, PlugUse::in,
                                 "The fluid to show, from its outBody. Follows it if it is renamed or referenced."});
        visit(outPositions_, PlugAbout{"outPositions", "ops", PlugType::vectors, PlugUse::out, "Positions."});
        visit(outVelocities_,
              PlugAbout{"outVelocities", "ovl", PlugType::vectors, PlugUse::out, "Velocities per second."});
        visit(outNormals_, PlugAbout{"outNormals", "onr", PlugType::vectors, PlugUse::out,
                                     "Outward normals of surface particles; zero inside."});
        visit(outIds_, PlugAbout{"outIds", "oid", PlugType::doubles, PlugUse::out, "Ids, which never change."});
        visit(outBodies_, PlugAbout{"outBodies", "obd", PlugType::ints, PlugUse::out,
                                    "Index of the fluid that each particle belongs to."});
        visit(outRadii_, PlugAbout{"outRadii", "ord", PlugType::doubles, PlugUse::out, "Radii of the particles."});
        visit(outDensities_, PlugAbout{"outDensities", "odn", PlugType::doubles, PlugUse::out, "Densities in kg/m³."});
        visit(outPressures_, PlugAbout{"outPressures", "opr", PlugType::doubles, PlugUse::out, "Pressures in Pa."});
        visit(outColors_,
              PlugAbout{"outColors", "ocl", PlugType::vectors, PlugUse::out, "Colours: that of the fluid, or a mix."});
        describeWetting(visit, wetting_);
        visit(outDropKnits_, PlugAbout{"outDropKnits", "odk", PlugType::ints, PlugUse::out,
                                       "Index of the knit that each drop fell from, or -1. The four outDrop arrays "
                                       "need origins on the purlSolver."});
        visit(outDropYarns_, PlugAbout{"outDropYarns", "odyn", PlugType::ints, PlugUse::out,
                                       "Id of the yarn that each drop fell from."});
        visit(outDropCourses_, PlugAbout{"outDropCourses", "odc", PlugType::ints, PlugUse::out,
                                         "Row of the stitch that each drop fell from."});
        visit(outDropWales_, PlugAbout{"outDropWales", "odw", PlugType::ints, PlugUse::out,
                                       "Column of the stitch that each drop fell from."});
        visit(outParticles_, PlugAbout{"outParticles", "opt", PlugType::particles, PlugUse::out,
                                       "To the inputPoints of an instancer: position, velocity, id, radiusPP, rgbPP."});
        visit(outCount_, PlugAbout{"outCount", "oct", PlugType::count, PlugUse::out, "Number of particles."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
        visit(look_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, inBody_, outPositions_, outVelocities_, outNormals_, outIds_, outBodies_, outRadii_,
        outDensities_, outPressures_, outColors_, outDropKnits_, outDropYarns_, outDropCourses_, outDropWales_,
        outParticles_, outCount_;
    static inline WettingPlugs wetting_;
    static inline ParamAttributes<BodyChoice> choice_;
    static inline ParamAttributes<PointsDisplay> look_;
};

}  // namespace purl

// purlYarn: the yarns of a knit, one as a NURBS curve and all as arrays for instancers and expressions.
#pragma once
#include <maya/MPxNode.h>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "nodes/wetting.h"

namespace purl {

struct YarnChoice {
    std::string knit;
    int yarn = 0;
};
template <class Visit>
void describe(Visit&& visit, YarnChoice& p) {
    visit(p.knit, About{"knit", "kni", "", "Name of the knit to show, if inKnit is not connected. Empty: the first."});
    visit(p.yarn, About{"yarn", "yrn", "",
                        "Id of the yarn of outCurve: 0 is yarn A of the chart, 1 is B; 26 is yarn A of the second "
                        "piece.",
                        0, kUnbounded, 0, 3});
}

class YarnNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlYarn";
    static constexpr unsigned kId = id::kYarn;
    static constexpr const char* kSentence = "The yarns of a knit as a curve and as arrays.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "if", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
        visit(inKnit_, PlugAbout{"inKnit", "ik", PlugType::body, PlugUse::in,
                                 "The knit to show, from its outBody. Follows it if it is renamed or referenced."});
        visit(outCurve_, PlugAbout{"outCurve", "oc", PlugType::curve, PlugUse::out,
                                   "One yarn, to the create of a nurbsCurve: a cubic curve through its points."});
        visit(outPositions_, PlugAbout{"outPositions", "ops", PlugType::vectors, PlugUse::out,
                                       "Points of all yarns, one yarn after another."});
        visit(outVelocities_,
              PlugAbout{"outVelocities", "ovl", PlugType::vectors, PlugUse::out, "Velocity per second of each point."});
        visit(outWidths_, PlugAbout{"outWidths", "owd", PlugType::doubles, PlugUse::out, "Diameter at each point."});
        visit(outTwists_, PlugAbout{"outTwists", "otw", PlugType::doubles, PlugUse::out,
                                    "Accumulated twist of the plies at each point, in radians."});
        visit(outPlies_, PlugAbout{"outPlies", "opl", PlugType::count, PlugUse::out, "Number of plies of each yarn."});
        visit(outCourses_, PlugAbout{"outCourses", "ocs", PlugType::ints, PlugUse::out,
                                     "Row of the stitch of each point; -1 is the cast-on edge."});
        visit(outWales_,
              PlugAbout{"outWales", "owl", PlugType::ints, PlugUse::out, "Column of the stitch of each point."});
        visit(outCounts_,
              PlugAbout{"outCounts", "ocn", PlugType::ints, PlugUse::out, "Number of points of each yarn."});
        visit(outIds_,
              PlugAbout{"outIds", "oid", PlugType::ints, PlugUse::out, "Id of each yarn, which never changes."});
        visit(outColors_, PlugAbout{"outColors", "ocl", PlugType::vectors, PlugUse::out, "Colour of each yarn."});
        visit(outWetColors_,
              PlugAbout{"outWetColors", "owc", PlugType::vectors, PlugUse::out,
                        "Colour of each point of an absorbing knit: darker and stained where it is wet."});
        describeWetting(visit, wetting_);
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(choice_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;

  private:
    static inline MObject inFrame_, inKnit_, outCurve_, outPositions_, outVelocities_, outWidths_, outTwists_,
        outPlies_, outCourses_, outWales_, outCounts_, outIds_, outColors_, outWetColors_;
    static inline WettingPlugs wetting_;
    static inline ParamAttributes<YarnChoice> choice_;
};

}  // namespace purl

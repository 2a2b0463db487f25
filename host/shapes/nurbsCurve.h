// NURBS curves as Maya stores them: knots without the two superfluous end knots, periodic curves with their first
// `degree` points repeated at the end.
#pragma once
#include <string>
#include <vector>

#include "host/shapes/transform.h"

namespace purl::host {

enum class CurveForm { open = 0, closed = 1, periodic = 2 };

struct NurbsCurve {
    int degree = 3;
    CurveForm form = CurveForm::open;
    bool rational = false;
    std::vector<double> knots;      // cvs + degree − 1
    std::vector<Vec3d> cvs;
    std::vector<double> weights;    // one per cv when rational, else empty

    int spans() const { return static_cast<int>(cvs.size()) - degree; }
};

// "" when the counts fit together, else what is wrong: "12 knots for 9 points of degree 3, expected 11".
std::string check(const NurbsCurve& curve);

// The parameter range, [knots[degree − 1], knots[cvs − 1]].
double firstParameter(const NurbsCurve& curve);
double lastParameter(const NurbsCurve& curve);

Vec3d pointAt(const NurbsCurve& curve, double parameter);   // the parameter is clamped to the range

}  // namespace purl::host

#include <maya/MFnNurbsCurve.h>

#include <cmath>

#include "host/api/geometry.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MStatus MFnNurbsCurve::setObject(const MObject& object) { return MFnDagNode::setObject(object); }

static std::shared_ptr<const CurveData> openCurve(const MObject& o, MStatus* status) {
    auto curve = readGeometry<CurveData>(o, "local");
    setStatus(status, curve ? MStatus::kSuccess : MStatus::kFailure);
    return curve;
}

MObject MFnNurbsCurve::create(const MPointArray& cvs, const MDoubleArray& knots, unsigned int degree, Form form, bool,
                              bool rational, MObject parentOrOwner, MStatus* status) {
    std::string why = knotsWrong(Api::items(knots), cvs.length(), int(degree));
    if (form <= kInvalid || form >= kLast) why = "unknown form";
    if (!why.empty()) {
        report(Severity::Error, "MFnNurbsCurve::create: " + why);
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    auto curve = std::make_shared<CurveData>();
    curve->degree = int(degree);
    curve->form = int(form) - kOpen;
    curve->rational = rational;
    curve->knots = Api::items(knots);
    curve->cvs = Api::items(cvs);
    return placeGeometry(object_, curve, parentOrOwner, "nurbsCurve", "create", status);
}

MObject MFnNurbsCurve::copy(const MObject& source, MObject parentOrOwner, MStatus* status) {
    const auto curve = openCurve(source, status);
    if (!curve) return {};
    return placeGeometry(object_, std::static_pointer_cast<CurveData>(curve->clone()), parentOrOwner, "nurbsCurve",
                         "create", status);
}

int MFnNurbsCurve::degree(MStatus* s) const {
    auto c = openCurve(object_, s);
    return c ? c->degree : 0;
}
MFnNurbsCurve::Form MFnNurbsCurve::form(MStatus* s) const {
    auto c = openCurve(object_, s);
    return c ? Form(kOpen + c->form) : kInvalid;
}
int MFnNurbsCurve::numSpans(MStatus* s) const {
    auto c = openCurve(object_, s);
    return c ? c->spans() : 0;
}
int MFnNurbsCurve::numCVs(MStatus* s) const {
    auto c = openCurve(object_, s);
    return c ? int(c->cvs.size()) : 0;
}
int MFnNurbsCurve::numKnots(MStatus* s) const {
    auto c = openCurve(object_, s);
    return c ? int(c->knots.size()) : 0;
}
static MPoint moved(const MPoint& p, const MMatrix& m) {
    MPoint q = MPoint(p.x, p.y, p.z) * m;
    q.w = p.w;
    return q;
}
MStatus MFnNurbsCurve::getCV(unsigned int i, MPoint& p, MSpace::Space space) const {
    auto c = openCurve(object_, nullptr);
    MMatrix m;
    if (!c || i >= c->cvs.size() || !spaceMatrix(object_, path_, space, m)) return MStatus::kInvalidParameter;
    p = moved(c->cvs[i], m);
    return MStatus::kSuccess;
}
MStatus MFnNurbsCurve::getCVs(MPointArray& points, MSpace::Space space) const {
    auto c = openCurve(object_, nullptr);
    MMatrix m;
    points.clear();
    if (!c || !spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    for (const MPoint& p : c->cvs) points.append(moved(p, m));
    return MStatus::kSuccess;
}
MStatus MFnNurbsCurve::setCVs(const MPointArray& points, MSpace::Space space) {
    MMatrix m;
    if (!spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    const MMatrix back = m.inverse();
    return editGeometry<CurveData>(object_, controlledInput(object_), [&](CurveData& c) -> MStatus {
        if (points.length() != c.cvs.size()) return MStatus::kInvalidParameter;
        for (unsigned int k = 0; k < points.length(); ++k) c.cvs[k] = moved(points[k], back);
        return MStatus::kSuccess;
    });
}
MStatus MFnNurbsCurve::getKnots(MDoubleArray& knots) const {
    auto c = openCurve(object_, nullptr);
    knots.clear();
    if (!c) return MStatus::kFailure;
    Api::items(knots) = c->knots;
    return MStatus::kSuccess;
}
MStatus MFnNurbsCurve::getKnotDomain(double& start, double& end) const {
    auto c = openCurve(object_, nullptr);
    if (!c || c->knots.empty()) return MStatus::kFailure;
    start = c->start();
    end = c->end();
    return MStatus::kSuccess;
}
MStatus MFnNurbsCurve::getPointAtParam(double u, MPoint& p, MSpace::Space space) const {
    auto c = openCurve(object_, nullptr);
    MMatrix m;
    if (!c || c->knots.empty() || !spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    if (u < c->start() - 1e-9 || u > c->end() + 1e-9) return MStatus::kInvalidParameter;
    p = c->pointAt(u) * m;
    return MStatus::kSuccess;
}
MVector MFnNurbsCurve::tangent(double u, MSpace::Space space, MStatus* s) const {
    auto c = openCurve(object_, s);
    MMatrix m;
    if (!c || c->knots.empty() || !spaceMatrix(object_, path_, space, m)) {
        setStatus(s, MStatus::kFailure);
        return {};
    }
    MVector t;
    c->pointAt(u, &t);
    return (t * m).normal();
}

// Arc length ∫|c'(u)| du over [a, b] by adaptive five-point Gauss–Legendre quadrature with bisection.
static double arc(const CurveData& c, double a, double b, double tolerance, int depth) {
    static const double x[] = {0, 0.5384693101056831, 0.9061798459386640};
    static const double w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    auto gauss = [&](double lo, double hi) {
        const double mid = (lo + hi) / 2, half = (hi - lo) / 2;
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            for (int side = k ? -1 : 1; side <= 1; side += 2) {
                MVector t;
                c.pointAt(mid + side * x[k] * half, &t);
                sum += w[k] * t.length();
            }
        return sum * half;
    };
    const double mid = (a + b) / 2, whole = gauss(a, b), halves = gauss(a, mid) + gauss(mid, b);
    if (depth == 0 || std::abs(whole - halves) < tolerance) return halves;
    return arc(c, a, mid, tolerance / 2, depth - 1) + arc(c, mid, b, tolerance / 2, depth - 1);
}
// Integrates per span, because derivatives are discontinuous at the knots.
static double arcTo(const CurveData& c, double end, double tolerance) {
    double sum = 0;
    for (size_t k = size_t(c.degree - 1); k + size_t(c.degree) < c.knots.size(); ++k) {
        const double a = c.knots[k], b = std::min(c.knots[k + 1], end);
        if (b > a) sum += arc(c, a, b, tolerance / std::max(1, c.spans()), 12);
    }
    return sum;
}
double MFnNurbsCurve::length(double tolerance, MStatus* s) const {
    auto c = openCurve(object_, s);
    return c && !c->knots.empty() ? arcTo(*c, c->end(), tolerance) : 0;
}
double MFnNurbsCurve::findParamFromLength(double wanted, MStatus* s) const {
    auto c = openCurve(object_, s);
    if (!c || c->knots.empty()) return 0;
    double lo = c->start(), hi = c->end();
    if (wanted <= 0) return lo;
    if (wanted >= arcTo(*c, hi, 1e-9)) return hi;
    for (int k = 0; k < 60; ++k) {
        const double mid = (lo + hi) / 2;
        (arcTo(*c, mid, 1e-9) < wanted ? lo : hi) = mid;
    }
    return (lo + hi) / 2;
}
// Nothing to update: no derived data is cached.
MStatus MFnNurbsCurve::updateCurve() { return openCurve(object_, nullptr) ? MStatus::kSuccess : MStatus::kFailure; }

}  // namespace Autodesk::Maya::OpenMayaHost

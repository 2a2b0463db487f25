#include <maya/MFnNurbsSurface.h>

#include <cmath>

#include "host/api/geometry.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MStatus MFnNurbsSurface::setObject(const MObject& object) { return MFnDagNode::setObject(object); }

static std::shared_ptr<const SurfaceData> openSurface(const MObject& o, MStatus* status) {
    auto surface = readGeometry<SurfaceData>(o, "local");
    if (surface && surface->cvs.empty()) surface = nullptr;  // data that has not been filled yet
    setStatus(status, surface ? MStatus::kSuccess : MStatus::kFailure);
    return surface;
}

MObject MFnNurbsSurface::create(const MPointArray& cvs, const MDoubleArray& uKnots, const MDoubleArray& vKnots,
                                unsigned int degreeInU, unsigned int degreeInV, Form formU, Form formV, bool rational,
                                MObject parentOrOwner, MStatus* status) {
    auto surface = std::make_shared<SurfaceData>();
    surface->degreeU = int(degreeInU), surface->degreeV = int(degreeInV);
    surface->formU = int(formU) - kOpen, surface->formV = int(formV) - kOpen;
    surface->rational = rational;
    surface->knotsU = Api::items(uKnots), surface->knotsV = Api::items(vKnots);
    surface->cvs = Api::items(cvs);
    const std::string why = surface->wrong();
    if (!why.empty()) {
        report(Severity::Error, "MFnNurbsSurface::create: " + why);
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    return placeGeometry(object_, surface, parentOrOwner, "nurbsSurface", "create", status);
}

MObject MFnNurbsSurface::copy(const MObject& source, MObject parentOrOwner, MStatus* status) {
    const auto surface = openSurface(source, status);
    if (!surface) return {};
    return placeGeometry(object_, std::static_pointer_cast<SurfaceData>(surface->clone()), parentOrOwner,
                         "nurbsSurface", "create", status);
}

// --- degrees, forms, knots

int MFnNurbsSurface::degreeU(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? c->degreeU : 0;
}
int MFnNurbsSurface::degreeV(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? c->degreeV : 0;
}
MFnNurbsSurface::Form MFnNurbsSurface::formInU(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? Form(kOpen + c->formU) : kInvalid;
}
MFnNurbsSurface::Form MFnNurbsSurface::formInV(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? Form(kOpen + c->formV) : kInvalid;
}
int MFnNurbsSurface::numSpansInU(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? c->countU() - c->degreeU : 0;
}
int MFnNurbsSurface::numSpansInV(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? c->countV() - c->degreeV : 0;
}
int MFnNurbsSurface::numCVsInU(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? c->countU() : 0;
}
int MFnNurbsSurface::numCVsInV(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? c->countV() : 0;
}
int MFnNurbsSurface::numKnotsInU(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? int(c->knotsU.size()) : 0;
}
int MFnNurbsSurface::numKnotsInV(MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c ? int(c->knotsV.size()) : 0;
}
MStatus MFnNurbsSurface::getKnotsInU(MDoubleArray& knots) const {
    const auto c = openSurface(object_, nullptr);
    knots.clear();
    if (!c) return MStatus::kFailure;
    Api::items(knots) = c->knotsU;
    return MStatus::kSuccess;
}
MStatus MFnNurbsSurface::getKnotsInV(MDoubleArray& knots) const {
    const auto c = openSurface(object_, nullptr);
    knots.clear();
    if (!c) return MStatus::kFailure;
    Api::items(knots) = c->knotsV;
    return MStatus::kSuccess;
}
MStatus MFnNurbsSurface::getKnotDomain(double& startU, double& endU, double& startV, double& endV) const {
    const auto c = openSurface(object_, nullptr);
    if (!c) return MStatus::kFailure;
    startU = startOf(c->knotsU, c->degreeU), endU = endOf(c->knotsU, c->degreeU);
    startV = startOf(c->knotsV, c->degreeV), endV = endOf(c->knotsV, c->degreeV);
    return MStatus::kSuccess;
}

// --- control vertices

// As of a control vertex, whose weight stays.
static MPoint cvIn(const MPoint& p, const MMatrix& m) {
    MPoint q = MPoint(p.x, p.y, p.z) * m;
    q.w = p.w;
    return q;
}
constexpr int kPeriodicForm = MFnNurbsSurface::kPeriodic - MFnNurbsSurface::kOpen;

static void closePeriods(SurfaceData& c) {
    const int countU = c.countU(), countV = c.countV();
    if (c.formU == kPeriodicForm)
        for (int i = 0; i < c.degreeU; ++i)
            for (int j = 0; j < countV; ++j) c.cv(countU - c.degreeU + i, j) = c.cv(i, j);
    if (c.formV == kPeriodicForm)
        for (int i = 0; i < countU; ++i)
            for (int j = 0; j < c.degreeV; ++j) c.cv(i, countV - c.degreeV + j) = c.cv(i, j);
}

MStatus MFnNurbsSurface::getCV(unsigned int u, unsigned int v, MPoint& p, MSpace::Space space) const {
    const auto c = openSurface(object_, nullptr);
    MMatrix m;
    if (!c || u >= unsigned(c->countU()) || v >= unsigned(c->countV()) || !spaceMatrix(object_, path_, space, m))
        return MStatus::kInvalidParameter;
    p = cvIn(c->cv(int(u), int(v)), m);
    return MStatus::kSuccess;
}
MStatus MFnNurbsSurface::setCV(unsigned int u, unsigned int v, const MPoint& p, MSpace::Space space) {
    MMatrix m;
    if (!spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    return editGeometry<SurfaceData>(object_, controlledInput(object_), [&](SurfaceData& c) -> MStatus {
        const int freeU = c.countU() - (c.formU == kPeriodicForm ? c.degreeU : 0),
                  freeV = c.countV() - (c.formV == kPeriodicForm ? c.degreeV : 0);
        if (c.cvs.empty() || u >= unsigned(freeU) || v >= unsigned(freeV)) return MStatus::kInvalidParameter;
        c.cv(int(u), int(v)) = cvIn(p, m.inverse());
        closePeriods(c);
        return MStatus::kSuccess;
    });
}
MStatus MFnNurbsSurface::getCVs(MPointArray& points, MSpace::Space space) const {
    const auto c = openSurface(object_, nullptr);
    MMatrix m;
    points.clear();
    if (!c || !spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    for (const MPoint& p : c->cvs) points.append(cvIn(p, m));
    return MStatus::kSuccess;
}
MStatus MFnNurbsSurface::setCVs(const MPointArray& points, MSpace::Space space) {
    MMatrix m;
    if (!spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    const MMatrix back = m.inverse();
    return editGeometry<SurfaceData>(object_, controlledInput(object_), [&](SurfaceData& c) -> MStatus {
        if (points.length() != c.cvs.size()) return MStatus::kInvalidParameter;
        for (unsigned int k = 0; k < points.length(); ++k) c.cvs[k] = cvIn(points[k], back);
        closePeriods(c);
        return MStatus::kSuccess;
    });
}
// Nothing to update: no derived data is cached.
MStatus MFnNurbsSurface::updateSurface() {
    return openSurface(object_, nullptr) ? MStatus::kSuccess : MStatus::kFailure;
}

// --- evaluation

static bool isInDomain(const SurfaceData& c, double u, double v) {
    constexpr double kRounding = 1e-9;
    return u >= startOf(c.knotsU, c.degreeU) - kRounding && u <= endOf(c.knotsU, c.degreeU) + kRounding &&
           v >= startOf(c.knotsV, c.degreeV) - kRounding && v <= endOf(c.knotsV, c.degreeV) + kRounding;
}
bool MFnNurbsSurface::isParamOnSurface(double u, double v, MStatus* s) const {
    const auto c = openSurface(object_, s);
    return c && isInDomain(*c, u, v);
}
MStatus MFnNurbsSurface::getPointAtParam(double u, double v, MPoint& p, MSpace::Space space) const {
    const auto c = openSurface(object_, nullptr);
    MMatrix m;
    if (!c || !spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    if (!isInDomain(*c, u, v)) return MStatus::kInvalidParameter;
    p = c->pointAt(u, v) * m;
    return MStatus::kSuccess;
}
MStatus MFnNurbsSurface::getDerivativesAtParm(double u, double v, MPoint& p, MVector& dU, MVector& dV,
                                              MSpace::Space space) const {
    const auto c = openSurface(object_, nullptr);
    MMatrix m;
    if (!c || !spaceMatrix(object_, path_, space, m)) return MStatus::kFailure;
    if (!isInDomain(*c, u, v)) return MStatus::kInvalidParameter;
    p = c->pointAt(u, v, &dU, &dV) * m;
    dU = dU * m, dV = dV * m;
    return MStatus::kSuccess;
}
MStatus MFnNurbsSurface::getTangents(double u, double v, MVector& alongU, MVector& alongV, MSpace::Space space) const {
    MPoint p;
    const MStatus s = getDerivativesAtParm(u, v, p, alongU, alongV, space);
    alongU.normalize();
    alongV.normalize();
    return s;
}
MVector MFnNurbsSurface::normal(double u, double v, MSpace::Space space, MStatus* status) const {
    MPoint p;
    MVector dU, dV;
    MStatus s = getDerivativesAtParm(u, v, p, dU, dV, space);
    MVector n = dU ^ dV;
    // At a pole one of the derivatives vanishes: the normal is the limit from within.
    if (s && n.length() <= 1e-12 * (dU * dU + dV * dV)) {
        double startU, endU, startV, endV;
        getKnotDomain(startU, endU, startV, endV);
        constexpr double kInward = 1e-6;
        u += kInward * ((startU + endU) / 2 - u), v += kInward * ((startV + endV) / 2 - v);
        s = getDerivativesAtParm(u, v, p, dU, dV, space);
        n = dU ^ dV;
    }
    if (status) *status = s;
    return s ? n.normal() : MVector();
}

// The samples of a direction: some in each span, because there may be a minimum in each.
static std::vector<double> samplesOf(const std::vector<double>& knots, int degree) {
    std::vector<double> at;
    const int each = 2 * degree + 1;
    for (size_t k = size_t(degree - 1); k + size_t(degree) < knots.size(); ++k)
        for (int i = 0; i < each && knots[k + 1] > knots[k]; ++i)
            at.push_back(knots[k] + (knots[k + 1] - knots[k]) * i / each);
    at.push_back(endOf(knots, degree));
    return at;
}

MPoint MFnNurbsSurface::closestPoint(const MPoint& target, double* paramU, double* paramV, bool, double tolerance,
                                     MSpace::Space space, MStatus* status) const {
    const auto c = openSurface(object_, status);
    MMatrix m;
    if (!c || !spaceMatrix(object_, path_, space, m)) {
        setStatus(status, MStatus::kFailure);
        return {};
    }
    const double lowU = startOf(c->knotsU, c->degreeU), highU = endOf(c->knotsU, c->degreeU),
                 lowV = startOf(c->knotsV, c->degreeV), highV = endOf(c->knotsV, c->degreeV);
    double bestU = lowU, bestV = lowV, best = INFINITY;
    const std::vector<double> samplesV = samplesOf(c->knotsV, c->degreeV);
    for (const double u : samplesOf(c->knotsU, c->degreeU))
        for (const double v : samplesV)
            if (const double d = (c->pointAt(u, v) * m).distanceTo(target); d < best) best = d, bestU = u, bestV = v;
    // Gauss–Newton: the step to the point of the tangent plane that is closest, halved until it helps. A parameter that
    // a step would take out of the domain stays at its border, and the other one is minimised alone.
    for (int iteration = 0; iteration < 50; ++iteration) {
        MVector dU, dV;
        const MPoint p = c->pointAt(bestU, bestV, &dU, &dV) * m;
        dU = dU * m, dV = dV * m;
        const MVector r = target - p;
        const double uu = dU * dU, uv = dU * dV, vv = dV * dV, ur = dU * r, vr = dV * r, det = uu * vv - uv * uv;
        const bool fixedU = (bestU <= lowU && ur <= 0) || (bestU >= highU && ur >= 0) || uu == 0,
                   fixedV = (bestV <= lowV && vr <= 0) || (bestV >= highV && vr >= 0) || vv == 0;
        double stepU = 0, stepV = 0;
        if (!fixedU && !fixedV && det > 1e-12 * uu * vv)
            stepU = (ur * vv - vr * uv) / det, stepV = (vr * uu - ur * uv) / det;
        else if (!fixedU)
            stepU = ur / uu;
        else if (!fixedV)
            stepV = vr / vv;
        double moved = 0;
        for (double share = 1; share > 1e-6; share /= 2) {
            const double u = std::clamp(bestU + share * stepU, lowU, highU),
                         v = std::clamp(bestV + share * stepV, lowV, highV);
            const MPoint q = c->pointAt(u, v) * m;
            const double d = q.distanceTo(target);
            if (d >= best) continue;
            moved = q.distanceTo(p);
            best = d, bestU = u, bestV = v;
            break;
        }
        if (moved <= 0.1 * tolerance) break;
    }
    if (paramU) *paramU = bestU;
    if (paramV) *paramV = bestV;
    return c->pointAt(bestU, bestV) * m;
}

}  // namespace Autodesk::Maya::OpenMayaHost

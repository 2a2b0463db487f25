// MFnNurbsCurve: NURBS curves, as nodes or as data.
#pragma once
#include <maya/MDoubleArray.h>
#include <maya/MFnDagNode.h>
#include <maya/MPointArray.h>
#include <maya/MSpace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNurbsCurve : public MFnDagNode {
  public:
    MFnNurbsCurve() = default;
    MFnNurbsCurve(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNurbsCurve; }
    MFnNurbsCurve(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }

    enum Form { kInvalid, kOpen, kClosed, kPeriodic, kLast };
    MObject create(const MPointArray& controlVertices, const MDoubleArray& knotSequences, unsigned int degree,
                   Form form, bool create2D, bool createRational, MObject parentOrOwner = MObject::kNullObj,
                   MStatus* status = nullptr);
    MObject copy(const MObject& source, MObject parentOrOwner = MObject::kNullObj, MStatus* status = nullptr);
    int degree(MStatus* status = nullptr) const;
    Form form(MStatus* status = nullptr) const;
    int numSpans(MStatus* status = nullptr) const;
    int numCVs(MStatus* status = nullptr) const;
    int numKnots(MStatus* status = nullptr) const;
    MStatus getCV(unsigned int index, MPoint& point, MSpace::Space space = MSpace::kObject) const;
    MStatus getCVs(MPointArray& points, MSpace::Space space = MSpace::kObject) const;
    MStatus setCVs(const MPointArray& points, MSpace::Space space = MSpace::kObject);
    MStatus getKnots(MDoubleArray& knots) const;
    MStatus getKnotDomain(double& start, double& end) const;
    MStatus getPointAtParam(double param, MPoint& point, MSpace::Space space = MSpace::kObject) const;
    MVector tangent(double param, MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;
    double length(double tolerance = 0.001, MStatus* status = nullptr) const;
    double findParamFromLength(double length, MStatus* status = nullptr) const;
    MStatus updateCurve();

    MStatus setObject(const MObject& object) override;
    using MFnDagNode::setObject;
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MFnNurbsSurface: NURBS surfaces, as nodes or as data, without trim curves.
#pragma once
#include <maya/MDoubleArray.h>
#include <maya/MFnDagNode.h>
#include <maya/MPointArray.h>
#include <maya/MSpace.h>

namespace Autodesk::Maya::OpenMayaHost {

constexpr double kMFnNurbsEpsilon = 1e-3;

class MFnNurbsSurface : public MFnDagNode {
  public:
    MFnNurbsSurface() = default;
    MFnNurbsSurface(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNurbsSurface; }
    MFnNurbsSurface(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }

    enum Form { kInvalid, kOpen, kClosed, kPeriodic, kLast };
    // Control vertex (u, v) has the index u * numCVsInV + v.
    MObject create(const MPointArray& controlVertices, const MDoubleArray& uKnotSequences,
                   const MDoubleArray& vKnotSequences, unsigned int degreeInU, unsigned int degreeInV, Form formU,
                   Form formV, bool createRational, MObject parentOrOwner = MObject::kNullObj,
                   MStatus* status = nullptr);
    MObject copy(const MObject& source, MObject parentOrOwner = MObject::kNullObj, MStatus* status = nullptr);

    int degreeU(MStatus* status = nullptr) const;
    int degreeV(MStatus* status = nullptr) const;
    Form formInU(MStatus* status = nullptr) const;
    Form formInV(MStatus* status = nullptr) const;
    int numSpansInU(MStatus* status = nullptr) const;
    int numSpansInV(MStatus* status = nullptr) const;
    int numCVsInU(MStatus* status = nullptr) const;
    int numCVsInV(MStatus* status = nullptr) const;
    int numKnotsInU(MStatus* status = nullptr) const;
    int numKnotsInV(MStatus* status = nullptr) const;
    MStatus getKnotsInU(MDoubleArray& knots) const;
    MStatus getKnotsInV(MDoubleArray& knots) const;
    MStatus getKnotDomain(double& startU, double& endU, double& startV, double& endV) const;

    // The last degree rows of a periodic surface follow the first ones and cannot be set on their own.
    MStatus getCV(unsigned int indexU, unsigned int indexV, MPoint& point, MSpace::Space space = MSpace::kObject) const;
    MStatus setCV(unsigned int indexU, unsigned int indexV, const MPoint& point, MSpace::Space space = MSpace::kObject);
    MStatus getCVs(MPointArray& points, MSpace::Space space = MSpace::kObject) const;
    MStatus setCVs(const MPointArray& points, MSpace::Space space = MSpace::kObject);
    MStatus updateSurface();

    bool isParamOnSurface(double paramU, double paramV, MStatus* status = nullptr) const;
    MStatus getPointAtParam(double paramU, double paramV, MPoint& point, MSpace::Space space = MSpace::kObject) const;
    MStatus getDerivativesAtParm(double paramU, double paramV, MPoint& point, MVector& dU, MVector& dV,
                                 MSpace::Space space = MSpace::kObject) const;
    // Unit vectors.
    MStatus getTangents(double paramU, double paramV, MVector& tangentInU, MVector& tangentInV,
                        MSpace::Space space = MSpace::kObject) const;
    MVector normal(double paramU, double paramV, MSpace::Space space = MSpace::kObject,
                   MStatus* status = nullptr) const;
    // `tolerance`: an error of the result that is allowed, in cm.
    MPoint closestPoint(const MPoint& toThisPoint, double* paramU = nullptr, double* paramV = nullptr,
                        bool ignoreTrimBoundaries = false, double tolerance = kMFnNurbsEpsilon,
                        MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;

    MStatus setObject(const MObject& object) override;
    using MFnDagNode::setObject;
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MFnTransform: position, rotation and scale of a transform.
#pragma once
#include <maya/MEulerRotation.h>
#include <maya/MFnDagNode.h>
#include <maya/MSpace.h>
#include <maya/MTransformationMatrix.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnTransform : public MFnDagNode {
  public:
    MFnTransform() = default;
    MFnTransform(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kTransform; }
    MFnTransform(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    MTransformationMatrix transformation(MStatus* status = nullptr) const;
    MStatus set(const MTransformationMatrix& m);
    MVector getTranslation(MSpace::Space space, MStatus* status = nullptr) const;  // kTransform or, by path, kWorld
    MStatus setTranslation(const MVector& v, MSpace::Space space);                 // kTransform only
    MStatus getRotation(MEulerRotation& r) const;
    MStatus setRotation(const MEulerRotation& r);
    MStatus getScale(double scale[3]) const;
    MStatus setScale(const double scale[3]);
};

}  // namespace Autodesk::Maya::OpenMayaHost

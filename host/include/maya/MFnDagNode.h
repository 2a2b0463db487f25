// MFnDagNode: parents, children and matrices of a DAG node.
#pragma once
#include <maya/MDagPath.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MMatrix.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnDagNode : public MFnDependencyNode {
  public:
    MFnDagNode() = default;
    MFnDagNode(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kDagNode; }
    MFnDagNode(const MDagPath& path, MStatus* status = nullptr);
    MObject create(const MString& typeName, MObject parent = MObject::kNullObj, MStatus* status = nullptr);
    MObject create(const MString& typeName, const MString& name, MObject parent = MObject::kNullObj,
                   MStatus* status = nullptr);
    MStatus setObject(const MObject& object) override;
    MStatus setObject(const MDagPath& path);

    unsigned int parentCount(MStatus* status = nullptr) const;
    MObject parent(unsigned int index, MStatus* status = nullptr) const;  // null object if under the world
    unsigned int childCount(MStatus* status = nullptr) const;
    MObject child(unsigned int index, MStatus* status = nullptr) const;
    MStatus addChild(MObject& child, unsigned int index = kNextPos, bool keepExistingParents = false);
    bool isInstanced(bool indirect = true, MStatus* status = nullptr) const;
    unsigned int instanceCount(bool total, MStatus* status = nullptr) const;
    bool isIntermediateObject(MStatus* status = nullptr) const;
    MStatus setIntermediateObject(bool on);
    MString fullPathName(MStatus* status = nullptr) const;
    MString partialPathName(MStatus* status = nullptr) const;
    MDagPath dagPath(MStatus* status = nullptr) const;
    MStatus getPath(MDagPath& path);
    MMatrix transformationMatrix(MStatus* status = nullptr) const;

    enum { kNextPos = 0xff };

  protected:
    using MFnBase::init;
    void init(const MDagPath& path, MStatus* status);
    MDagPath path_;  // valid only if the function set was constructed from one
};

}  // namespace Autodesk::Maya::OpenMayaHost

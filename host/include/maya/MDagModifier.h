// MDagModifier: an MDGModifier that also edits the DAG.
#pragma once
#include <maya/MDGModifier.h>

namespace Autodesk::Maya::OpenMayaHost {

class MDagModifier : public MDGModifier {
  public:
    // A shape without a parent gets a transform, and the transform is returned.
    MObject createNode(const MTypeId& id, MObject parent = MObject::kNullObj, MStatus* status = nullptr);
    MObject createNode(const MString& typeName, MObject parent = MObject::kNullObj, MStatus* status = nullptr);
    MStatus reparentNode(const MObject& node, MObject newParent = MObject::kNullObj);
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MFnDependencyNode: names, attributes and plugs of any node.
#pragma once
#include <maya/MFnBase.h>
#include <maya/MPlug.h>
#include <maya/MString.h>
#include <maya/MTypeId.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnDependencyNode : public MFnBase {
  public:
    MFnDependencyNode() = default;
    MFnDependencyNode(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kDependencyNode; }
    MObject create(const MTypeId& id, MStatus* status = nullptr);
    MObject create(const MTypeId& id, const MString& name, MStatus* status = nullptr);
    MObject create(const MString& typeName, MStatus* status = nullptr);
    MObject create(const MString& typeName, const MString& name, MStatus* status = nullptr);

    MTypeId typeId(MStatus* status = nullptr) const;
    MString typeName(MStatus* status = nullptr) const;
    MString name(MStatus* status = nullptr) const;
    MString absoluteName(MStatus* status = nullptr) const;
    MString setName(const MString& name, bool createNamespace = false, MStatus* status = nullptr);
    bool hasUniqueName(MStatus* status = nullptr) const;
    MPxNode* userNode(MStatus* status = nullptr) const;
    MString pluginName(MStatus* status = nullptr) const;
    static MString classification(const MString& typeName);

    unsigned int attributeCount(MStatus* status = nullptr) const;
    MObject attribute(unsigned int index, MStatus* status = nullptr) const;
    MObject attribute(const MString& name, MStatus* status = nullptr) const;
    bool hasAttribute(const MString& name, MStatus* status = nullptr) const;
    MStatus addAttribute(const MObject& attribute);
    MStatus removeAttribute(const MObject& attribute);
    MPlug findPlug(const MObject& attribute, bool wantNetworkedPlug, MStatus* status = nullptr) const;
    MPlug findPlug(const MString& name, bool wantNetworkedPlug, MStatus* status = nullptr) const;
    MStatus getConnections(MPlugArray& plugs) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MSelectionList: a list of nodes, DAG paths and plugs.
#pragma once
#include <maya/MDagPath.h>
#include <maya/MPlug.h>

namespace Autodesk::Maya::OpenMayaHost {

class MSelectionList {
  public:
    MStatus add(const MString& name, bool searchChildNamespacesInAllNamespaces = false);  // accepts wildcards * and ?
    MStatus add(const MObject& node, bool mergeWithExisting = false);
    MStatus add(const MDagPath& path, const MObject& component = MObject::kNullObj, bool mergeWithExisting = false);
    MStatus add(const MPlug& plug, bool mergeWithExisting = false);
    MStatus remove(unsigned int index);
    MStatus clear();
    bool isEmpty(MStatus* status = nullptr) const { return length(status) == 0; }
    unsigned int length(MStatus* status = nullptr) const;
    MStatus getDependNode(unsigned int index, MObject& node) const;
    MStatus getDagPath(unsigned int index, MDagPath& path) const;
    MStatus getDagPath(unsigned int index, MDagPath& path, MObject& component) const;
    MStatus getPlug(unsigned int index, MPlug& plug) const;
    MStatus getSelectionStrings(MStringArray& names) const;
    MStatus getSelectionStrings(unsigned int index, MStringArray& names) const;
    bool hasItem(const MObject& node, MStatus* status = nullptr) const;

  private:
    friend struct purl::host::Api;
    struct Item {
        MObject node;
        MDagPath path;
        MPlug plug;
    };
    std::vector<Item> items_;
};

}  // namespace Autodesk::Maya::OpenMayaHost

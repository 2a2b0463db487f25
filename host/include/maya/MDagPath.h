// MDagPath: a path from the world down to a node; identifies one instance.
#pragma once
#include <maya/MMatrix.h>
#include <maya/MObject.h>
#include <maya/MString.h>

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MDagPath {
  public:
    MDagPath() = default;
    bool isValid(MStatus* status = nullptr) const;
    MObject node(MStatus* status = nullptr) const;
    MObject transform(MStatus* status = nullptr) const;
    bool hasFn(MFn::Type fn, MStatus* status = nullptr) const;
    MFn::Type apiType(MStatus* status = nullptr) const;
    unsigned int length(MStatus* status = nullptr) const;
    unsigned int childCount(MStatus* status = nullptr) const;
    MObject child(unsigned int index, MStatus* status = nullptr) const;
    MStatus push(const MObject& child);
    MStatus pop(unsigned int count = 1);
    MStatus extendToShape();  // fails unless there is exactly one child shape
    MMatrix inclusiveMatrix(MStatus* status = nullptr) const;
    MMatrix inclusiveMatrixInverse(MStatus* status = nullptr) const;
    MMatrix exclusiveMatrix(MStatus* status = nullptr) const;
    MMatrix exclusiveMatrixInverse(MStatus* status = nullptr) const;
    unsigned int instanceNumber(MStatus* status = nullptr) const;
    MString fullPathName(MStatus* status = nullptr) const;
    MString partialPathName(MStatus* status = nullptr) const;
    bool operator==(const MDagPath& o) const { return nodes_ == o.nodes_; }
    static MStatus getAPathTo(const MObject& node, MDagPath& path);

  private:
    friend struct purl::host::Api;
    std::vector<MObject> nodes_;  // from the world down
};

}  // namespace Autodesk::Maya::OpenMayaHost

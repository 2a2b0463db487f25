// MEvaluationNode: the dirty plugs of a node that the evaluation manager is about to evaluate.
#pragma once
#include <maya/MPlug.h>

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MEvaluationNode {
  public:
    bool dirtyPlugExists(const MObject& attribute, MStatus* status = nullptr) const;
    MPlug dirtyPlug(const MObject& attribute, MStatus* status = nullptr) const;

  private:
    friend struct purl::host::Api;
    MEvaluationNode() = default;
    std::vector<MPlug> dirty_;
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MEvaluationManager: whether nodes are evaluated in the order of the evaluation graph instead of on demand.
#pragma once
#include <maya/MApiNamespace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MEvaluationManager {
  public:
    // On the host, the evaluation manager is active while it evaluates.
    static bool evaluationManagerActive(const MDGContext& context);
    static bool evaluationInExecution(const MDGContext& context);
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MDGContext: the time of an evaluation; the normal context is the current time.
#pragma once
#include <maya/MTime.h>

namespace Autodesk::Maya::OpenMayaHost {

class MDGContext {
  public:
    MDGContext() = default;
    MDGContext(const MTime& when) : normal_(false), time_(when) {}
    bool isNormal(MStatus* status = nullptr) const;
    MStatus getTime(MTime& time) const;  // kFailure for the normal context

    static MDGContext fsNormal;

  private:
    bool normal_ = true;
    MTime time_;
};

}  // namespace Autodesk::Maya::OpenMayaHost

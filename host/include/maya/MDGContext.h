// MDGContext: the time of an evaluation; the normal context is the current time.
#pragma once
#include <maya/MTime.h>

#include <memory>

namespace purl::host {
class Context;
}

namespace Autodesk::Maya::OpenMayaHost {

class MDGContext {
  public:
    MDGContext() = default;
    MDGContext(const MTime& when) : normal_(false), time_(when) {}
    bool isNormal(MStatus* status = nullptr) const;
    MStatus getTime(MTime& time) const;  // kFailure for the normal context

    static MDGContext fsNormal;

#if MAYA_API_VERSION >= 20180000
    // The context of this thread, and what makes this one it; returns the one before. Values are evaluated at the time
    // of the current context.
    static MDGContext current(MStatus* status = nullptr);
    MDGContext makeCurrent(MStatus* status = nullptr) const;
#endif

  private:
    friend struct purl::host::Api;
    bool normal_ = true;
    MTime time_;
    std::shared_ptr<purl::host::Context> context_;  // its values, once it was current
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MDGContextGuard: makes a context current for the lifetime of the guard.
#pragma once
#include <maya/MDGContext.h>

#if MAYA_API_VERSION < 20180000
    #error "MDGContextGuard requires Maya 2018 or later"
#endif

namespace Autodesk::Maya::OpenMayaHost {

class MDGContextGuard {
  public:
    explicit MDGContextGuard(const MDGContext& context) : before_(context.makeCurrent()) {}
    ~MDGContextGuard() { before_.makeCurrent(); }
    MDGContextGuard(const MDGContextGuard&) = delete;
    MDGContextGuard& operator=(const MDGContextGuard&) = delete;
    const MDGContext& oldContext() const { return before_; }

  private:
    MDGContext before_;
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MFnBase: the base of function sets; holds the object they operate on.
#pragma once
#include <maya/MFn.h>
#include <maya/MObject.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnBase {
  public:
    virtual ~MFnBase() = default;
    virtual MFn::Type type() const { return MFn::kBase; }
    bool hasObj(MFn::Type fn) const;
    bool hasObj(const MObject& object) const { return object.hasFn(type()); }
    MObject object(MStatus* status = nullptr) const;
    virtual MStatus setObject(const MObject& object);  // kInvalidParameter if the type is incompatible

  protected:
    void init(const MObject& object, MStatus* status);
    MObject object_;
    friend struct purl::host::Api;
};

}  // namespace Autodesk::Maya::OpenMayaHost

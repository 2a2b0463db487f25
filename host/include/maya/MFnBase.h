// MFnBase: what all function sets share: the object they work on.
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
    virtual MStatus setObject(const MObject& object);  // kInvalidParameter if it does not fit

  protected:
    void init(const MObject& object, MStatus* status);
    MObject object_;
    friend struct purl::host::Api;
};

}  // namespace Autodesk::Maya::OpenMayaHost

// MObject: an opaque reference to a node, an attribute, data or a plugin.
#pragma once
#include <maya/MFn.h>
#include <maya/MStatus.h>

#include <memory>

namespace purl::host {
class Object;
}

namespace Autodesk::Maya::OpenMayaHost {

class MObject {
  public:
    MObject() = default;
    bool isNull() const { return !object_; }
    bool hasFn(MFn::Type fn) const;
    MFn::Type apiType() const;
    const char* apiTypeStr() const;
    bool operator==(const MObject& o) const { return object_ == o.object_; }
    bool operator!=(const MObject& o) const { return object_ != o.object_; }

    static MObject kNullObj;

  private:
    friend struct purl::host::Api;
    std::shared_ptr<purl::host::Object> object_;
};

}  // namespace Autodesk::Maya::OpenMayaHost

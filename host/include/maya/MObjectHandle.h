// MObjectHandle: a weak reference to an object that knows whether it still exists in the scene.
#pragma once
#include <maya/MObject.h>

namespace Autodesk::Maya::OpenMayaHost {

class MObjectHandle {
  public:
    MObjectHandle() = default;
    MObjectHandle(const MObject& object);
    MObject object() const;
    const MObject& objectRef() const;
    bool isValid() const;  // alive, and part of a graph
    bool isAlive() const;  // its memory still exists, e.g. in the undo history
    unsigned int hashCode() const;
    bool operator==(const MObjectHandle& o) const;
    bool operator!=(const MObjectHandle& o) const { return !(*this == o); }
    MObjectHandle& operator=(const MObject& object);

  private:
    std::weak_ptr<purl::host::Object> object_;
    mutable MObject strong_;
    friend struct purl::host::Api;
};

}  // namespace Autodesk::Maya::OpenMayaHost

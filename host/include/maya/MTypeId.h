// MTypeId: the numeric id of a node or data type in files.
#pragma once
#include <maya/MStatus.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

class MTypeId {
  public:
    MTypeId() = default;
    MTypeId(unsigned int id) : id_(id) {}
    MTypeId(unsigned int prefix, unsigned int id) : id_((prefix << 8) | id) {}
    unsigned int id() const { return id_; }
    bool operator==(const MTypeId& o) const { return id_ == o.id_; }
    bool operator!=(const MTypeId& o) const { return id_ != o.id_; }

  private:
    unsigned int id_ = 0;
};

std::ostream& operator<<(std::ostream& out, const MTypeId& id);

}  // namespace Autodesk::Maya::OpenMayaHost

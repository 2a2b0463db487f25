// MItGeometry: the points of a geometry, as a deformer visits them. Meshes: vertices; curves: control vertices.
#pragma once
#include <maya/MPoint.h>
#include <maya/MSpace.h>
#include <maya/MStatus.h>

#include <memory>

namespace purl::host {
struct Data;
}

namespace Autodesk::Maya::OpenMayaHost {

class MItGeometry {
  public:
    // The points of a data block's geometry are read and written, those of a node are read.
    MItGeometry(MDataHandle& handle, bool readOnly = false, MStatus* status = nullptr);
    MItGeometry(const MDagPath& path, MStatus* status = nullptr);

    bool isDone(MStatus* status = nullptr) const;
    MStatus next();
    MStatus reset();
    MPoint position(MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;  // kObject only
    MStatus setPosition(const MPoint& point, MSpace::Space space = MSpace::kObject);
    int index(MStatus* status = nullptr) const;
    int count(MStatus* status = nullptr) const;
    int exactCount(MStatus* status = nullptr) const { return count(status); }
    MStatus allPositions(MPointArray& points, MSpace::Space space = MSpace::kObject) const;
    MStatus setAllPositions(const MPointArray& points, MSpace::Space space = MSpace::kObject);

  private:
    std::shared_ptr<purl::host::Data> geometry_;
    bool readOnly_ = true;
    int at_ = 0;
};

}  // namespace Autodesk::Maya::OpenMayaHost

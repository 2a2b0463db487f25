// MBoundingBox: an axis-aligned bounding box, initially empty.
#pragma once
#include <maya/MPoint.h>

namespace Autodesk::Maya::OpenMayaHost {

class MBoundingBox {
  public:
    MBoundingBox() = default;
    MBoundingBox(const MPoint& corner1, const MPoint& corner2);
    void clear();
    void transformUsing(const MMatrix& m);
    void expand(const MPoint& p);
    void expand(const MBoundingBox& box);
    bool contains(const MPoint& p) const;
    bool intersects(const MBoundingBox& box, double tolerance = 0.0) const;
    double width() const;
    double height() const;
    double depth() const;
    MPoint center() const;
    MPoint min() const;
    MPoint max() const;

  private:
    bool empty_ = true;
    MPoint min_, max_;
};

std::ostream& operator<<(std::ostream& out, const MBoundingBox& box);

}  // namespace Autodesk::Maya::OpenMayaHost

// Gizmo: the handles that move, rotate or scale an object by dragging, without Qt.
#pragma once
#include <string>
#include <vector>

#include "app/view/objects.h"
#include "app/view/projection.h"

namespace purl {

enum class Tool { select, move, rotate, scale };

struct GizmoHandle {
    int axis = 0;             // 0 to 2: x, y, z; 3: the centre, for the image plane or all axes
    std::vector<Pixel> line;  // points of a polyline
    bool closed = false;      // ends in a filled tip
};

class Gizmo {
  public:
    Gizmo(Tool tool, const SceneObject& object, const Projection& projection);

    const std::vector<GizmoHandle>& handles() const { return handles_; }
    // The axis of the handle at a pixel; -1: none.
    int axisAt(Pixel at) const;

    struct Drag {
        Placement placement = Placement::translate;
        std::array<double, 3> value{};        // in the scene's units, as the attribute is entered
        host::Mat4d moved = host::kIdentity;  // of world space: shows the object where it will be
    };
    // The object after a drag of a handle.
    Drag drag(int axis, Pixel from, Pixel to) const;

    // "1.5 0 -2", for setAttr.
    static std::string text(const Drag& drag);

  private:
    double along(int axis, Pixel at) const;
    Vec3 inPlane(Vec3 normal, Pixel at) const;
    Drag move(int axis, Pixel from, Pixel to) const;
    Drag rotate(int axis, Pixel from, Pixel to) const;
    Drag scale(int axis, Pixel from, Pixel to) const;

    Tool tool_;
    SceneObject object_;
    Projection projection_;
    Vec3 pivot_, axes_[3];
    float length_ = 1;  // of the handles, in world units
    std::vector<GizmoHandle> handles_;
};

}  // namespace purl

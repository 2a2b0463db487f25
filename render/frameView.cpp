#include "render/frameView.h"

namespace purl {

namespace {

// Fabric is seen from both sides, and bends smoothly however coarse its mesh.
MeshLook cloth(const Mesh& mesh) {
    MeshLook look = matte(mesh, mesh.color);
    look.roughness = 0.9f;
    look.creaseAngle = 3.15f;
    return look;
}

// Clear liquids bend light and take some of it; others are seen by what they throw back.
MeshLook liquid(const Mesh& mesh) {
    if (mesh.opacity < 0.5f) return water(mesh, mesh.color);
    MeshLook look = matte(mesh, mesh.color);
    look.roughness = 0.3f;
    look.creaseAngle = 3.15f;
    return look;
}

}  // namespace

View viewOf(const Frame& frame, const FrameDisplay& display, const std::vector<Vec3>& colors,
            std::list<Points>& foams) {
    View view;
    foams.clear();
    bool hasSurface = false;
    for (const Mesh& mesh : frame.meshes) {
        hasSurface = hasSurface || mesh.kind == MeshKind::liquid;
        const bool fabric = mesh.kind == MeshKind::cloth || mesh.kind == MeshKind::softBody;
        if (mesh.kind == MeshKind::liquid && (display.onlyPoints || !display.surface)) continue;
        if (fabric && !display.cloth) continue;
        view.meshes.push_back(mesh.kind == MeshKind::solid    ? matte(mesh)
                              : mesh.kind == MeshKind::liquid ? liquid(mesh)
                                                              : cloth(mesh));
    }
    for (const Curves& curves : frame.curves)
        if (display.yarns) view.yarns.push_back({&curves, display.detail});
    if (display.onlyPoints || !hasSurface || display.points) {
        PointsLook look;
        look.name = "particles";
        look.radiusScale = display.pointScale;
        look.points = &frame.points;
        look.colors = colors.empty() ? colorsOf(frame, frame.points) : colors;
        view.points.push_back(look);
    }
    // Foam has no surface: it is points upon the liquid's.
    for (size_t b = 0; !display.onlyPoints && hasSurface && b < frame.bodies.size(); ++b) {
        if (frame.bodies[b].kind != BodyKind::foam) continue;
        foams.push_back(pointsOf(frame, static_cast<int>(b)));
        PointsLook look;
        look.name = frame.bodies[b].name;
        look.foam = true;
        look.points = &foams.back();
        look.color = frame.bodies[b].color;
        view.points.push_back(look);
    }
    view.ground.visible = display.ground;
    if (display.bounds) view.lines.push_back({boxEdges(boundsOf(view))});
    return view;
}

void showWetness(Frame& frame) {
    for (Curves& curves : frame.curves)
        if (!curves.wetting.empty()) curves.pointColors = rampColors(curves.wetting.wetness, 0, 1);
    for (Mesh& mesh : frame.meshes)
        if (!mesh.wetting.empty()) mesh.colors = rampColors(mesh.wetting.wetness, 0, 1);
}

}  // namespace purl

#include "render/frameView.h"

#include <algorithm>

namespace purl {

namespace {

// Fabric is two-sided and smooth-shaded, however coarse its mesh.
MeshLook cloth(const Mesh& mesh) {
    MeshLook look = matte(mesh, mesh.color);
    look.roughness = 0.9f;
    look.creaseAngle = 3.15f;
    return look;
}

constexpr float kOpaqueThreshold = 0.5f;  // liquids at or above this opacity are drawn as matte, without refraction
bool isClear(float opacity) { return opacity < kOpaqueThreshold; }

// Distance, in particle spacings, within which a liquid surface counts as touching a wall: the radius by which its mesh
// is rounded there.
constexpr float kWallDistance = 1.5f;

// Clear liquids refract and absorb; turbid ones are drawn as matte surfaces.
MeshLook liquid(const Mesh& mesh, float cooling, float spacing) {
    if (isClear(mesh.opacity)) {
        MeshLook look = water(mesh, mesh.color);
        look.turbidity = mesh.opacity / kOpaqueThreshold;
        look.wallDistance = kWallDistance * spacing;
        return look;
    }
    MeshLook look = matte(mesh, mesh.color);
    look.wallDistance = kWallDistance * spacing;
    look.cooling = cooling;
    look.roughness = 0.3f;
    look.creaseAngle = 3.15f;
    return look;
}

// Adds ray-marched clear liquids. Returns false if there are none.
bool addLiquids(const Frame& frame, View& view, std::list<Points>& kept) {
    constexpr float kSupportScale = 1.15f;  // kernel radii: purlSurface's default kernelScale
    for (size_t b = 0; b < frame.bodies.size(); ++b) {
        const BodyInfo& body = frame.bodies[b];
        if (body.kind != BodyKind::liquid || !isClear(body.opacity)) continue;
        Points points = pointsOf(frame, static_cast<int>(b));
        if (points.count() == 0) continue;
        kept.push_back(std::move(points));
        LiquidLook look;
        look.points = &kept.back();
        look.spacing = body.spacing;
        look.supportRadius = kSupportScale * body.supportRadius;
        look.color = body.color;
        look.turbidity = body.opacity / kOpaqueThreshold;
        look.wallDistance = kWallDistance * body.spacing;
        look.name = body.name;
        view.liquids.push_back(look);
    }
    return !view.liquids.empty();
}

void addGases(const Frame& frame, float depth, View& view, std::list<Points>& kept) {
    for (size_t b = 0; b < frame.bodies.size(); ++b) {
        const BodyInfo& body = frame.bodies[b];
        if (body.kind != BodyKind::gas) continue;
        kept.push_back(pointsOf(frame, static_cast<int>(b)));
        GasLook look;
        look.points = &kept.back();
        look.color = body.color;
        look.spacing = body.spacing;
        look.depth = depth;
        look.name = body.name;
        view.gases.push_back(look);
    }
}

// Draws particles as balls; gases are skipped if they are drawn as volumes.
void addBalls(const Frame& frame, const FrameDisplay& display, const std::vector<Vec3>& colors, View& view,
              std::list<Points>& kept) {
    PointsLook look;
    look.name = "particles";
    look.radiusScale = display.pointScale;
    if (view.gases.empty()) {
        look.points = &frame.points;
        look.colors = colors.empty() ? colorsOf(frame, frame.points) : colors;
        view.points.push_back(look);
        return;
    }
    for (size_t b = 0; b < frame.bodies.size(); ++b) {
        if (frame.bodies[b].kind == BodyKind::gas) continue;
        kept.push_back(pointsOf(frame, static_cast<int>(b)));
        look.points = &kept.back();
        look.colors = colorsOf(frame, kept.back());
        view.points.push_back(look);
    }
}

}  // namespace

View viewOf(const Frame& frame, const FrameDisplay& display, const std::vector<Vec3>& colors, std::list<Points>& kept) {
    View view;
    setStudio(view, display.studio);
    kept.clear();
    const bool rays = display.rays && display.surface && !display.onlyPoints && addLiquids(frame, view, kept);
    bool hasSurface = rays;
    float spacing = 0;  // spacing of the finest liquid
    for (const BodyInfo& body : frame.bodies)
        if (body.kind == BodyKind::liquid && body.spacing > 0)
            spacing = spacing > 0 ? std::min(spacing, body.spacing) : body.spacing;
    for (const Mesh& mesh : frame.meshes) {
        hasSurface = hasSurface || mesh.kind == MeshKind::liquid;
        const bool fabric = mesh.kind == MeshKind::cloth || mesh.kind == MeshKind::softBody;
        if (mesh.kind == MeshKind::liquid &&
            (display.onlyPoints || !display.surface || (rays && isClear(mesh.opacity))))
            continue;
        if (fabric && !display.cloth) continue;
        view.meshes.push_back(mesh.kind == MeshKind::solid    ? matte(mesh)
                              : mesh.kind == MeshKind::liquid ? liquid(mesh, display.cooling, spacing)
                                                              : cloth(mesh));
    }
    for (const Curves& curves : frame.curves)
        if (display.yarns) view.yarns.push_back({&curves, display.detail});
    if (!display.onlyPoints) addGases(frame, display.gasDepth, view, kept);
    if (display.onlyPoints || !hasSurface || display.points) addBalls(frame, display, colors, view, kept);
    // Foam is drawn as points on the liquid's surface.
    for (size_t b = 0; !display.onlyPoints && hasSurface && b < frame.bodies.size(); ++b) {
        if (frame.bodies[b].kind != BodyKind::foam) continue;
        kept.push_back(pointsOf(frame, static_cast<int>(b)));
        PointsLook look;
        look.name = frame.bodies[b].name;
        look.foam = true;
        look.points = &kept.back();
        look.color = frame.bodies[b].color;
        view.points.push_back(look);
    }
    view.ground.visible = view.ground.visible && display.ground;
    view.ground.grid = display.grid ? 0.0f : -1.0f;
    view.medium = display.medium;
    view.time = frame.time;
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

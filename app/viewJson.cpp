#include "app/viewJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace purl {
namespace {

using nlohmann::json;

json asJson(Vec3 v) { return {v.x, v.y, v.z}; }

json asJson(const std::vector<Vec3>& points) {
    json numbers = json::array();
    for (const Vec3 p : points) numbers.push_back(asJson(p));
    return numbers;
}

const char* nameOf(LightKind kind) {
    switch (kind) {
        case LightKind::directional: return "directional";
        case LightKind::point: return "point";
        case LightKind::ambient: return "ambient";
        case LightKind::spot: return "spot";
        case LightKind::area: return "area";
    }
    return "";
}

const char* nameOf(Material material) {
    switch (material) {
        case Material::matte: return "matte";
        case Material::water: return "water";
        case Material::glass: return "glass";
    }
    return "";
}

json asJson(const Light& light) {
    return {{"kind", nameOf(light.kind)},
            {"color", asJson(light.intensity * light.color)},
            {"direction", asJson(light.direction)},
            {"position", asJson(light.position)},
            {"decay", light.decay},
            {"cone", light.cone},
            {"penumbra", light.penumbra},
            {"across", asJson(light.across)},
            {"up", asJson(light.up)}};
}

json asJson(const MeshLook& look, bool inCache) {
    json mesh{{"name", look.mesh->name},     {"material", nameOf(look.material)},
              {"color", asJson(look.color)}, {"roughness", look.roughness},
              {"opacity", look.opacity},     {"clarity", look.clarity},
              {"turbidity", look.turbidity}, {"creaseAngle", look.creaseAngle},
              {"inCache", inCache},          {"glow", asJson(look.glow)},
              {"cooling", look.cooling}};
    if (!inCache) {
        mesh["positions"] = asJson(look.mesh->positions);
        mesh["triangles"] = look.mesh->triangles;
    }
    return mesh;
}

}  // namespace

std::string viewJson(const View& view, const Frame& frame) {
    json meshes = json::array(), yarns = json::array(), foams = json::array(), lines = json::array(),
         lights = json::array();
    for (const MeshLook& look : view.meshes) {
        const bool inCache = std::any_of(frame.meshes.begin(), frame.meshes.end(),
                                         [&](const Mesh& mesh) { return mesh.name == look.mesh->name; });
        meshes.push_back(asJson(look, inCache));
    }
    for (const YarnLook& look : view.yarns)
        yarns.push_back({{"name", look.curves->name}, {"plies", look.curves->plies}});
    for (const PointsLook& look : view.points)
        if (look.foam) foams.push_back({{"name", look.name}, {"color", asJson(look.color)}});
    for (const LinesLook& look : view.lines)
        lines.push_back({{"ends", asJson(look.ends)}, {"color", asJson(look.color)}});
    for (const Light& light : view.lights) lights.push_back(asJson(light));
    const Camera& camera = view.camera;
    return json{{"camera",
                 {{"position", asJson(camera.position)},
                  {"right", asJson(camera.axes.x)},
                  {"up", asJson(camera.axes.y)},
                  {"back", asJson(camera.axes.z)},
                  {"verticalFov", camera.verticalFov}}},
                {"focus", {{"low", asJson(view.focus.low)}, {"high", asJson(view.focus.high)}}},
                {"ground",
                 {{"visible", view.ground.visible},
                  {"height", view.ground.height},
                  {"color", asJson(view.ground.color)}}},
                {"sky",
                 {{"zenith", asJson(view.sky.intensity * view.sky.zenith)},
                  {"horizon", asJson(view.sky.intensity * view.sky.horizon)},
                  {"floor", asJson(view.sky.intensity * view.sky.floor)}}},
                {"background", asJson(view.background)},
                {"exposure", view.exposure},
                {"lights", lights},
                {"meshes", meshes},
                {"yarns", yarns},
                {"foams", foams},
                {"lines", lines}}
               .dump(1) +
           "\n";
}

}  // namespace purl

// Objects: what can be selected and moved in the window: the transforms of meshes, locators and cameras, with the body
// each of them belongs to. Plain values, independent of the scene they were read from.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/shot.h"
#include "host/shapes/transform.h"
#include "panel/model.h"

namespace purl {

// The attributes that place a transform.
enum class Placement { translate, rotate, scale };
constexpr std::array<const char*, 3> kPlacements{"translate", "rotate", "scale"};

struct SceneObject {
    std::string transform, shape;
    std::string body;  // the node that reads it; empty: none does
    PanelKind kind = PanelKind::output;
    std::string type;      // of the shape: mesh, locator, camera …
    bool atStart = false;  // its body reads it at the start frame only
    bool isGuide = false;  // not in the image: drawn over it, so that it can be seen and clicked
    host::Mat4d world = host::kIdentity, parent = host::kIdentity;
    host::TransformParts parts;                // local
    std::array<std::string, 3> drivers;        // of translate, rotate and scale; empty: free
    std::array<bool, 3> keyed{};               // driven by animation curves only
    double cmPerUnit = 1, radiansPerUnit = 1;  // of the scene
    std::vector<Vec3> wire;                    // world space; every two points are a segment
};
using Objects = std::vector<SceneObject>;

// At the current frame.
Objects objectsOf(Playback& playback);
// Rows for the panel, below their bodies.
std::vector<PanelNode> objectRows(host::Graph& graph, const Objects& objects);
// The object of this transform, or else the first one of this body; null if there is none.
const SceneObject* findObject(const Objects& objects, const std::string& name);

}  // namespace purl

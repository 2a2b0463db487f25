// What the window's Create menu makes: the bodies of purlCreate and Maya's primitives.
#pragma once
#include <string>
#include <vector>

#include "app/view/player.h"

namespace purl {

// The commands that make primitives: polyCube, polySphere …
std::vector<std::string> primitiveCommands();
// Makes a body of a kind of purlCreate, or a primitive by its command, like polySphere. `selected`: as in purlCreate,
// what the body is made of or belongs to. New primitives and locators are placed at `at`; primitives have the size
// `size`. (cm)
Player::Commands creation(const std::string& kind, const std::string& selected, Vec3 at, float size);
// A camera that sees what `view` shows in an image of this aspect ratio.
Player::Commands cameraCreation(const Camera& view, float aspect);
// A copy of an object beside it; with a body, the body is copied with its settings.
Player::Commands duplication(const SceneObject& object, const std::vector<PanelAttribute>& settings);
// Sets keys at the current frame. `values`: of the attribute `placement` of the object; without it, of all three as
// they are.
Player::Commands keying(const std::string& transform, int frame);
Player::Commands keying(const std::string& transform, int frame, Placement placement,
                        const std::array<double, 3>& values);

}  // namespace purl

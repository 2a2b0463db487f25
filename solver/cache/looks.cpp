#include "solver/cache/looks.h"

#include <algorithm>

namespace purl {
namespace {

bool isWet(const Manifest& manifest, Content content) {
    return std::any_of(manifest.attributes.begin(), manifest.attributes.end(), [&](const AttributeRecord& attribute) {
        return attribute.content == content && attribute.name == "wetness";
    });
}

}  // namespace

// Arnold draws curves as flat ribbons and takes shapes for opaque unless they say otherwise.
Look lookOf(const Manifest& manifest, Content content, const std::string& item) {
    if (content == Content::curves) return {isWet(manifest, content) ? "wetYarn" : "yarn", "thick"};
    if (content == Content::points) return {nullptr, "sphere"};
    constexpr float kOpaque = 0.5f;  // from here on a liquid is drawn in its colour (docs/shading.md)
    for (const MeshInfo& mesh : manifest.meshes) {
        if (mesh.name != item) continue;
        if (mesh.kind == MeshKind::cloth) return {"wetCloth", nullptr, true, true};
        if (mesh.kind == MeshKind::liquid && mesh.opacity < kOpaque) return {"water", nullptr, false};
    }
    return {};
}

}  // namespace purl

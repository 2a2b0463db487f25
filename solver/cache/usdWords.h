// USD's names of what a frame holds, shared by the writer and the reader.
#pragma once
#include <cstddef>
#include <string>

#include "solver/cache/attributes.h"

namespace purl::usd {

enum class Prim { points, mesh, curves };
constexpr const char* kPrims[] = {"Points", "Mesh", "BasisCurves"};

// USD's own attribute where it has one; otherwise a primvar of the channel's name, which shaders can access.
inline std::string attributeName(const std::string& channel, Prim prim) {
    if (channel == "position") return "points";
    if (channel == "velocity") return "velocities";
    if (channel == "acceleration") return "accelerations";
    if (channel == "normal" && prim == Prim::mesh) return "normals";
    if (channel == "id" && prim == Prim::points) return "ids";
    if (channel == "width") return "widths";
    if (channel == "radiusPP") return "primvars:radius";
    if (channel == "rgbPP") return "primvars:displayColor";
    if (channel == "restPosition") return "primvars:rest";
    if (channel == "source") return "primvars:sourceId";
    return "primvars:" + channel;
}

// A prim's name: letters, digits and underscores.
inline std::string primName(const std::string& name, Prim prim) {
    std::string made = name.empty() || (name[0] >= '0' && name[0] <= '9') ? "_" + name : name;
    for (char& c : made)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) c = '_';
    return made + (prim == Prim::points ? kPointsEnding : "");
}

}  // namespace purl::usd

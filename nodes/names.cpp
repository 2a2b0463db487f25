#include "nodes/names.h"

#include <maya/MDataHandle.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <algorithm>

#include "nodes/data.h"

namespace purl {
namespace {

// The name of the one body of a scene that a body node made; empty if it has none.
std::string nameOfBody(const Scene& scene) {
    std::string name;
    const auto first = [&](const auto& bodies) {
        if (name.empty() && !bodies.empty()) name = bodies.front().name;
    };
    first(scene.fluids);
    first(scene.cloths);
    first(scene.softBodies);
    first(scene.knits);
    first(scene.colliders);
    return name;
}

std::string withoutNamespace(const std::string& name) { return name.substr(namespaceOf(name).size()); }

int indexOf(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

std::string namespaceOf(const std::string& name) {
    const size_t colon = name.rfind(':');
    return colon == std::string::npos ? "" : name.substr(0, colon + 1);
}

int indexOfName(const std::vector<std::string>& names, const std::string& wanted, const std::string& reader) {
    if (const int own = indexOf(names, namespaceOf(reader) + wanted); own >= 0) return own;
    if (const int exact = indexOf(names, wanted); exact >= 0) return exact;
    int only = -1;
    for (size_t i = 0; i < names.size(); ++i) {
        if (withoutNamespace(names[i]) != withoutNamespace(wanted)) continue;
        if (only >= 0) return -1;  // ambiguous
        only = static_cast<int>(i);
    }
    return only;
}

int WantedBody::indexIn(const std::vector<std::string>& names) const {
    int index = -1;
    if (!connected.empty()) index = indexOf(names, connected);
    if (index < 0 && !typed.empty()) index = indexOfName(names, typed, reader);
    if (index < 0 && !connected.empty()) index = indexOfName(names, connected, reader);
    return index;
}

WantedBody wantedBody(MDataBlock& block, const MObject& bodyPlug, const std::string& typed, const MPxNode& reader) {
    WantedBody wanted{"", typed, reader.name().asUTF8()};
    MStatus status;
    const MDataHandle handle = block.inputValue(bodyPlug, &status);
    // A body that failed has reported it, and the typed name may still do.
    if (const auto body = status ? BodyData::get(handle) : nullptr) wanted.connected = nameOfBody(*body);
    return wanted;
}

void resolveAttachments(Scene& scene) {
    std::vector<std::string> colliders;
    for (const Collider& collider : scene.colliders) colliders.push_back(collider.name);
    for (Cloth& cloth : scene.cloths) {
        if (cloth.attachTo.empty()) continue;
        const int index = indexOfName(colliders, cloth.attachTo, cloth.name);
        if (index >= 0) cloth.attachTo = colliders[static_cast<size_t>(index)];
    }
}

}  // namespace purl

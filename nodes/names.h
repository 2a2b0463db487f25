// How nodes that show or follow a body find it: by the body connected to them, else by a name that a user typed. File
// references put names into a namespace, and users rename nodes.
#pragma once
#include <maya/MDataBlock.h>
#include <maya/MObject.h>
#include <maya/MPxNode.h>

#include <string>
#include <vector>

#include "solver/scene.h"

namespace purl {

// "a:b:" of "a:b:cloth1"; empty in the root namespace.
std::string namespaceOf(const std::string& name);

// Index of the name that `wanted` means to the node `reader`: of that name in the namespace of the reader, of exactly
// that name, or of the only one with that name in any namespace. −1: none.
int indexOfName(const std::vector<std::string>& names, const std::string& wanted, const std::string& reader);

// The body that a node asks for.
struct WantedBody {
    std::string connected, typed;  // names; empty: none
    std::string reader;            // name of the node

    bool isAny() const { return connected.empty() && typed.empty(); }
    const std::string& name() const { return connected.empty() ? typed : connected; }  // for messages
    // Index of the body with this name; −1: none. A frame read from a cache may have an older name than the body that
    // is connected: then the typed one counts.
    int indexIn(const std::vector<std::string>& names) const;
    template <class Items>
    int indexIn(const Items& items) const {
        std::vector<std::string> names;
        for (const auto& item : items) names.push_back(item.name);
        return indexIn(names);
    }
};
WantedBody wantedBody(MDataBlock& block, const MObject& bodyPlug, const std::string& typed, const MPxNode& reader);

// The colliders that cloths name in attachTo, by their full names.
void resolveAttachments(Scene& scene);

}  // namespace purl

// Plugs: inputs and outputs of a node that are not parameters (meshes, matrices, times, frames). Each is declared once:
//     template <class Visit> static void plugs(Visit&& visit)    // visit(MObject& attribute, PlugAbout)
// both creates the attributes and writes the reference page.
#pragma once
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MStringArray.h>

#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/describe.h"

namespace purl {

enum class PlugType {
    mesh,
    curve,
    matrix,
    translation,
    rotation,
    time,
    string,
    body,
    emitter,
    frame,
    state,
    foam,
    vectors,
    doubles,
    ints,
    particles,
    count
};
const char* toString(PlugType type);

enum class PlugUse { in, inArray, out };

struct PlugAbout {
    const char* name;
    const char* shortName;
    PlugType type;
    PlugUse use;
    const char* sentence;
};

// Creates the attribute and adds it to the node type that is being initialized.
MStatus addPlug(MObject& attribute, const PlugAbout& about);

// The value of a string attribute, read outside of compute.
std::string textOf(const MPxNode& node, const char* attribute);

// Nodes that read files have `kFileAttribute`, the attribute that names them, and `inputFiles()`.
template <class Node, class = void>
struct ReadsFiles : std::false_type {};
template <class Node>
struct ReadsFiles<Node, std::void_t<decltype(Node::kFileAttribute)>> : std::true_type {};

// Has Maya treat a string attribute as a path: the File Path Editor lists it, and archives contain its file.
void markAsFile(const MObject& attribute);
// For MPxNode::getFilesToArchive.
MStringArray archived(const std::vector<std::string>& files);

// Creates all plugs and parameters of a node. Every input affects every output.
template <class Node>
MStatus addPlugs() {
    MStatus status;
    std::vector<MObject> inputs, outputs;
    Node::plugs([&](MObject& attribute, const PlugAbout& about) {
        if (status) status = addPlug(attribute, about);
        (about.use == PlugUse::out ? outputs : inputs).push_back(attribute);
    });
    Node::params([&](auto& params) {
        if (status) status = params.create();
        for (const MObject& output : outputs)
            if (status) status = params.affect(output);
    });
    if constexpr (ReadsFiles<Node>::value)
        Node::params([](auto& params) { markAsFile(params.attribute(Node::kFileAttribute)); });
    for (const MObject& input : inputs)
        for (const MObject& output : outputs)
            if (status) status = MPxNode::attributeAffects(input, output);
    return status;
}

template <class Node>
bool isOutput(const MPlug& plug) {
    bool is = false;
    Node::plugs([&](const MObject& attribute, const PlugAbout& about) {
        is = is || (about.use == PlugUse::out && plug == attribute);
    });
    return is;
}

}  // namespace purl

// The reference of a node: its plugs and parameters as rows of text, read from the declarations that create the
// attributes.
#pragma once
#include <string>
#include <vector>

#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/core/describe.h"

namespace purl {

struct AttributeReference {
    std::string name, shortName;
    std::string type;  // "float", "distance", "enum", "purlFrame[]" …
    std::string unit;
    std::string defaultValue;
    std::string min, max;          // empty: no limit
    std::string softMin, softMax;  // range of the slider; empty: the limits
    std::string section;           // heading in attribute editors; settings only
    SectionPlace place = SectionPlace::details;
    std::vector<std::string> choices;
    std::vector<int> choiceIndices;  // values of the attribute, one per choice
    std::string sentence;
    std::string use;           // "in", "out" or "setting"
    bool initialOnly = false;  // see About
};

// A named material: the parameters it sets, with its values as their defaults.
struct PresetReference {
    std::string name;
    std::vector<AttributeReference> values;
};

// What a node does in the graph, derived from the types of its plugs: describe a body, emit into one, simulate, pass
// frames on, or make something else of them.
enum class NodeRole { other, body, emitter, solver, frameFilter, output };
const char* toString(NodeRole role);

struct NodeReference {
    std::string name;
    unsigned id;
    std::string sentence;
    NodeRole role;
    std::vector<AttributeReference> attributes;
    std::vector<PresetReference> presets;
};

std::string numberText(double value);
// Quoted and escaped for JSON and MEL.
std::string quoted(const std::string& text);
// Completes the sections of a node's settings, and sorts the settings by section.
void arrangeSections(NodeReference& node);
// Lengths are declared in metres; attributes, and therefore their reference, are in Maya's centimetres.
void toCentimeters(AttributeReference& row);

// Turns described fields into rows.
struct ReferenceWriter {
    std::vector<AttributeReference>& rows;

    template <class Field>
    void operator()(Field& field, const About& about) const {
        AttributeReference row;
        row.name = about.name;
        row.shortName = about.shortName;
        row.unit = about.unit;
        row.sentence = about.sentence;
        row.use = "setting";
        row.initialOnly = about.isInitialOnly;
        if (about.startsSection.heading) row.section = about.startsSection.heading;
        row.place = about.startsSection.place;
        if (std::isfinite(about.min)) row.min = numberText(about.min);
        if (std::isfinite(about.max)) row.max = numberText(about.max);
        if (std::isfinite(about.softMin)) row.softMin = numberText(about.softMin);
        if (std::isfinite(about.softMax)) row.softMax = numberText(about.softMax);
        value(field, row);
        rows.push_back(row);
    }

  private:
    static void value(float field, AttributeReference& row) {
        row.type = row.unit == "m" ? "distance" : "float";
        row.defaultValue = numberText(field);
    }
    static void value(int field, AttributeReference& row) {
        row.type = "int";
        row.defaultValue = numberText(field);
    }
    static void value(bool field, AttributeReference& row) {
        row.type = "bool";
        row.defaultValue = field ? "on" : "off";
    }
    static void value(const Vec3& field, AttributeReference& row) {
        row.type = row.unit == "rgb" ? "color" : row.unit == "m" ? "distance3" : "float3";
        row.defaultValue = numberText(field.x) + " " + numberText(field.y) + " " + numberText(field.z);
    }
    static void value(const std::string& field, AttributeReference& row) {
        row.type = "string";
        row.defaultValue = field;
    }
    static void value(const CurveRamp&, AttributeReference& row) { row.type = "ramp"; }
    static void value(const ColorRamp&, AttributeReference& row) { row.type = "colorRamp"; }
    template <class E>
    static std::enable_if_t<std::is_enum_v<E>> value(E field, AttributeReference& row) {
        row.type = "enum";
        const Choices choices = choicesOf(field);
        for (size_t i = 0; i < choices.size(); ++i) {
            if (!*choices[i]) continue;
            row.choices.push_back(choices[i]);
            row.choiceIndices.push_back(static_cast<int>(i));
        }
        row.defaultValue = choices[static_cast<size_t>(field)];
    }
};

// The rows of a table of materials, each with the fields that the table sets.
template <class Table>
std::vector<PresetReference> presetsOf(const Table& table) {
    std::vector<PresetReference> presets;
    for (const std::string& name : table.names()) {
        PresetReference preset{name, {}};
        auto material = table.with(name, {});
        describe(
            [&](auto& field, const About& about) {
                if constexpr (std::is_same_v<std::decay_t<decltype(field)>, float>)
                    for (const auto member : table.fields)
                        if (&(material.*member) == &field) ReferenceWriter{preset.values}(field, about);
            },
            material);
        presets.push_back(std::move(preset));
    }
    return presets;
}

// Nodes with presets have `static std::vector<PresetReference> presets()`.
template <class Node, class = void>
struct HasPresets : std::false_type {};
template <class Node>
struct HasPresets<Node, std::void_t<decltype(Node::presets())>> : std::true_type {};

template <class P>
P paramsOf(const ParamAttributes<P>&) {
    return {};
}

template <class Node>
NodeRole roleOf() {
    bool frameIn = false, frameOut = false, bodyOut = false, emitterOut = false;
    Node::plugs([&](const MObject&, const PlugAbout& about) {
        const bool out = about.use == PlugUse::out;
        frameIn = frameIn || (!out && about.type == PlugType::frame);
        frameOut = frameOut || (out && about.type == PlugType::frame);
        bodyOut = bodyOut || (out && about.type == PlugType::body);
        emitterOut = emitterOut || (out && about.type == PlugType::emitter);
    });
    if (frameOut) return frameIn ? NodeRole::frameFilter : NodeRole::solver;
    if (frameIn) return NodeRole::output;
    return bodyOut ? NodeRole::body : emitterOut ? NodeRole::emitter : NodeRole::other;
}

template <class Node>
NodeReference referenceOf() {
    NodeReference node{Node::kName, Node::kId, Node::kSentence, roleOf<Node>(), {}, {}};
    Node::plugs([&](const MObject&, const PlugAbout& about) {
        AttributeReference row;
        row.name = about.name;
        row.shortName = about.shortName;
        row.type = std::string(toString(about.type)) + (about.use == PlugUse::inArray ? "[]" : "");
        row.sentence = about.sentence;
        row.use = about.use == PlugUse::out ? "out" : "in";
        node.attributes.push_back(row);
    });
    Node::params([&](const auto& attributes) {
        auto defaults = paramsOf(attributes);
        describe(ReferenceWriter{node.attributes}, defaults);
    });
    arrangeSections(node);
    if constexpr (HasPresets<Node>::value) node.presets = Node::presets();
    for (AttributeReference& row : node.attributes) toCentimeters(row);
    for (PresetReference& preset : node.presets)
        for (AttributeReference& row : preset.values) toCentimeters(row);
    return node;
}

std::string toMarkdown(const std::vector<NodeReference>& nodes);
std::string toJson(const std::vector<NodeReference>& nodes);

}  // namespace purl

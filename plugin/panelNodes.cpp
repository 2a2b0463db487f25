#include "plugin/panelNodes.h"

#include <maya/MDistance.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MPlug.h>

#include <algorithm>
#include <cstdlib>

#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/connections.h"
#include "nodes/nodes.h"

namespace purl {
namespace {

struct KindOfType {
    const char* type;
    PanelKind kind;
};
const KindOfType kKinds[] = {
    {"purlSolver", PanelKind::solver}, {"purlFluid", PanelKind::fluid},       {"purlEmitter", PanelKind::emitter},
    {"purlCloth", PanelKind::cloth},   {"purlKnit", PanelKind::knit},         {"purlSoftBody", PanelKind::softBody},
    {"purlField", PanelKind::field},   {"purlCollider", PanelKind::collider},
};

PanelKind kindOf(const std::string& type) {
    for (const KindOfType& row : kKinds)
        if (type == row.type) return row.kind;
    return PanelKind::output;
}

bool isLength(const AttributeReference& row) { return row.type == "distance" || row.type == "distance3"; }

double unitsPerCentimeter() { return MDistance(1, MDistance::kCentimeters).as(MDistance::uiUnit()); }

// Text of a scalar. Floats are printed with all significant digits.
std::string numberOf(const MPlug& plug, const AttributeReference& row) {
    if (row.type == "int") return std::to_string(plug.asInt());
    return numberText(isLength(row) ? plug.asMDistance().as(MDistance::uiUnit()) : plug.asDouble());
}

std::string valueOf(const MPlug& plug, const AttributeReference& row) {
    if (row.type == "string") return plug.asString().asUTF8();
    if (row.type == "bool") return plug.asBool() ? "on" : "off";
    if (row.type == "enum") {
        const auto choice = std::find(row.choiceIndices.begin(), row.choiceIndices.end(), int(plug.asShort()));
        return choice == row.choiceIndices.end() ? row.defaultValue : row.choices[choice - row.choiceIndices.begin()];
    }
    if (plug.numChildren() != 3) return numberOf(plug, row);
    std::string text;
    for (unsigned i = 0; i < 3; ++i) text += (i ? " " : "") + numberOf(plug.child(i), row);
    return text;
}

std::string driverOf(const MPlug& plug) {
    MPlug source = sourceOf(plug);
    for (unsigned i = 0; source.isNull() && plug.isCompound() && i < plug.numChildren(); ++i)
        source = sourceOf(plug.child(i));
    return source.isNull() ? std::string() : source.name().asUTF8();
}

// Unit label.
std::string uiUnitName() {
    switch (MDistance::uiUnit()) {
        case MDistance::kMillimeters: return "mm";
        case MDistance::kMeters: return "m";
        case MDistance::kKilometers: return "km";
        case MDistance::kInches: return "in";
        case MDistance::kFeet: return "ft";
        case MDistance::kYards: return "yd";
        case MDistance::kMiles: return "mi";
        default: return "cm";
    }
}

// Converts "1 2 3" from centimetres to scene units.
std::string inUnits(const std::string& centimeters, double perCentimeter) {
    std::string text;
    const char* at = centimeters.c_str();
    for (char* end = nullptr;; at = end) {
        const double number = std::strtod(at, &end);
        if (end == at) return text;
        text += (text.empty() ? "" : " ") + numberText(number * perCentimeter);
    }
}

PanelAttribute attributeOf(const MFnDependencyNode& node, const AttributeReference& row) {
    PanelAttribute attribute;
    attribute.name = row.name;
    attribute.section = row.section;
    attribute.sentence = row.sentence;
    attribute.type = row.type;
    attribute.choices = row.choices;
    attribute.choiceIndices = row.choiceIndices;
    attribute.startsClosed = row.place == SectionPlace::reference;
    attribute.initialOnly = row.initialOnly;
    const double scale = isLength(row) ? unitsPerCentimeter() : 1;
    attribute.unit = isLength(row) ? uiUnitName() : row.unit;
    attribute.defaultValue = isLength(row) ? inUnits(row.defaultValue, scale) : row.defaultValue;
    const auto limit = [scale](const std::string& text, double& value) {
        if (!text.empty()) value = scale * std::strtod(text.c_str(), nullptr);
    };
    limit(row.min, attribute.min);
    limit(row.max, attribute.max);
    attribute.softMin = attribute.min;
    attribute.softMax = attribute.max;
    limit(row.softMin, attribute.softMin);
    limit(row.softMax, attribute.softMax);
    const MPlug plug = node.findPlug(MString(row.name.c_str()), false);
    if (plug.isNull()) return attribute;
    attribute.value = valueOf(plug, row);
    attribute.driver = driverOf(plug);
    return attribute;
}

class Lister {
  public:
    Lister() : references_(nodeReferences()) {}

    void add(const MObject& object, const std::string& owner) {
        const MFnDependencyNode node(object);
        const std::string name = node.name().asUTF8(), type = node.typeName().asUTF8();
        const auto reference = std::find_if(references_.begin(), references_.end(),
                                            [&](const NodeReference& each) { return each.name == type; });
        const bool known = std::any_of(nodes.begin(), nodes.end(), [&](const PanelNode& n) { return n.name == name; });
        if (reference == references_.end() || known) return;
        PanelNode row;
        row.name = name;
        row.type = type;
        row.kind = kindOf(type);
        row.owner = owner;
        row.sentence = reference->sentence;
        for (const AttributeReference& attribute : reference->attributes)
            if (attribute.use == "setting") row.attributes.push_back(attributeOf(node, attribute));
        nodes.push_back(std::move(row));
        if (type == "purlFluid") addSources(node, "inEmitter", name);
        if (type == "purlSolver") {
            addSources(node, "bodies", name);
            addReaders(node, name);
        }
        if (isFrameFilter(type)) addReaders(node, owner);
    }

    std::vector<PanelNode> nodes;

  private:
    void addSources(const MFnDependencyNode& node, const char* array, const std::string& owner) {
        const MPlug plugs = node.findPlug(MString(array), false);
        for (unsigned i = 0; i < plugs.numElements(); ++i) {
            const MPlug source = sourceOf(plugs.elementByPhysicalIndex(i));
            if (!source.isNull()) add(source.node(), owner);
        }
    }
    void addReaders(const MFnDependencyNode& node, const std::string& owner) {
        for (const MPlug& reader : destinationsOf(node.findPlug(MString("outFrame"), false))) add(reader.node(), owner);
    }

    std::vector<NodeReference> references_;
};

}  // namespace

std::vector<PanelNode> panelNodes(const MObject& solver) {
    Lister lister;
    if (!solver.isNull()) lister.add(solver, "");
    for (MItDependencyNodes each; !each.isDone(); each.next()) lister.add(each.thisNode(), "");
    return lister.nodes;
}

}  // namespace purl

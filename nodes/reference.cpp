#include "nodes/reference.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace purl {
namespace {

std::string rangeText(const AttributeReference& row) {
    if (row.min.empty() && row.max.empty()) return "";
    if (row.max.empty()) return "≥ " + row.min;
    if (row.min.empty()) return "≤ " + row.max;
    return row.min + " … " + row.max;
}

std::string joinedChoices(const AttributeReference& row) {
    std::string out;
    for (const std::string& choice : row.choices) out += (out.empty() ? "" : ", ") + choice;
    return out;
}

// Where sections begin, in the order of describe: what stands before a node's first is under its own name. Nodes that
// share a block of settings share its headings; an attribute that a node does not have is passed over.
struct SectionStart {
    const char *node, *attribute, *heading;  // node: empty for all
};
const SectionStart kSections[] = {
    {"purlSolver", "enable", "Playback"},
    {"purlSolver", "windSpeed", "Air and ground"},
    {"purlSolver", "dimensions", "World"},
    {"purlSolver", "subSteps", "Time steps"},
    {"purlSolver", "integrator", "Pressure"},
    {"purlSolver", "pbfIterations", "Position-based fluids"},
    {"purlSolver", "maxViscosityError", "Viscosity and swirls"},
    {"purlSolver", "periodicSize", "Periodic box"},
    {"purlSolver", "wallRepulsion", "Walls of wcsph"},
    {"purlSolver", "timeScale", "Limits"},
    {"purlFluid", "preset", "Material"},
    {"purlFluid", "kernelParticles", "Kernel and pressure"},
    {"purlFluid", "viscosityModel", "Viscosity"},
    {"purlFluid", "surfaceTension", "Surface"},
    {"purlFluid", "buoyancy", "In the air"},
    {"purlFluid", "nearStiffness", "Pastes"},
    {"purlFluid", "jitter", "Start and look"},
    {"purlEmitter", "shape", "Emitter"},
    {"purlEmitter", "startTime", "When"},
    {"purlSoftBody", "preset", "Material"},
    {"purlSoftBody", "clusterSize", "Clusters"},
    {"purlSoftBody", "density", "Body and contact"},
    {"purlSoftBody", "maxTimeStep", "Solver"},
    {"purlSoftBody", "fluidContact", "Fluids and dragging"},
    {"purlCloth", "preset", "Fabric and pins"},
    {"purlKnit", "preset", "Yarn and pins"},
    {"purlKnit", "pattern", "Stitches"},
    {"purlKnit", "plies", "Yarn"},
    {"", "solver", "Solver"},
    {"purlCloth", "density", "Stiffness"},
    {"purlKnit", "density", "Stiffness"},
    {"", "airDrag", "Air"},
    {"purlCloth", "friction", "Contact"},
    {"purlKnit", "friction", "Contact"},
    {"purlCloth", "correctionOrder", "Tearing and order"},
    {"purlCloth", "immersion", "Under water"},
    {"purlCloth", "color", "Look"},
    {"", "stiffnessMapType", "Painted maps"},
    {"", "absorption", "Soaking"},
    {"", "wickingSpeed", "Wicking"},
    {"", "wetWeight", "When wet"},
    {"purlCollider", "shape", "Collider"},
    {"purlCollider", "friction", "Contact"},
    {"purlCollider", "density", "Rigid body"},
    {"purlSurface", "body", "Surface"},
    {"purlFoam", "body", "Foam"},
    {"purlFoam", "minTurbulence", "Where it comes from"},
    {"purlFoam", "lifetime", "Life and look"},
};

// Sections stand as those of Maya's own simulation nodes do: what it is made of, what it touches, how it moves, air and
// liquid, and last how well it is solved and how it is shown. What is not named here keeps its place among the middle.
int placeOf(const std::string& heading) {
    const std::vector<std::vector<const char*>> first = {
        {"Playback", "Material", "Fabric and pins", "Yarn and pins", "Emitter", "Collider"},
        {"World", "Stitches", "Yarn"},
        {"Air and ground", "Contact", "Body and contact"},
        {"Stiffness", "Viscosity", "Clusters"},
    };
    const std::vector<std::vector<const char*>> last = {
        {"Kernel and pressure", "Solver", "Time steps"},
        {"Start and look", "Look", "Limits"},
    };
    const auto rank = [&](const std::vector<std::vector<const char*>>& rows) {
        for (size_t row = 0; row < rows.size(); ++row)
            for (const char* each : rows[row])
                if (heading == each) return static_cast<int>(row);
        return -1;
    };
    const int front = rank(first), back = rank(last);
    return front >= 0 ? front : static_cast<int>(first.size()) + 1 + back;
}

}  // namespace

void parted(NodeReference& node) {
    std::string heading = node.name.rfind("purl", 0) == 0 ? node.name.substr(4) : node.name;
    for (AttributeReference& row : node.attributes) {
        if (row.use != "setting") continue;
        for (const SectionStart& start : kSections)
            if (row.name == start.attribute && (!*start.node || node.name == start.node)) heading = start.heading;
        row.section = heading;
    }
    const auto setting = std::find_if(node.attributes.begin(), node.attributes.end(),
                                      [](const AttributeReference& row) { return row.use == "setting"; });
    std::stable_sort(setting, node.attributes.end(), [](const AttributeReference& a, const AttributeReference& b) {
        return placeOf(a.section) < placeOf(b.section);
    });
}

void toCentimeters(AttributeReference& row) {
    if (row.unit != "m") return;
    row.unit = "cm";
    // "1 2 3", or one number; empty where there is none.
    const auto scaled = [](const std::string& meters) {
        std::istringstream numbers(meters);
        std::string text;
        for (double number = 0; numbers >> number;)
            text += (text.empty() ? "" : " ") + numberText(kCentimetersPerMeter * number);
        return text;
    };
    for (std::string* text : {&row.defaultValue, &row.min, &row.max, &row.softMin, &row.softMax}) *text = scaled(*text);
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string numberText(double value) {
    char text[32];
    const bool whole = value == std::floor(value) && std::abs(value) < 1e9;
    const auto end = whole ? std::to_chars(text, text + sizeof text, std::llround(value))
                           : std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
    return {text, end.ptr};  // with a point in every locale
}

std::string toMarkdown(const std::vector<NodeReference>& nodes) {
    std::ostringstream out;
    out << "# Nodes and attributes\n\nMade by `purl describe --markdown`; do not edit.\n\n"
           "**Units.** Lengths are in centimetres, Maya's default unit: the numbers in this page are those of a `.ma` "
           "file, of `setAttr`\nand of `--set` in a scene in centimetres. A scene in another linear unit shows and "
           "takes "
           "lengths in that unit.\n`--set` also takes a unit: `4mm`, `0.4cm`, `0.004m`. One centimetre is 0.01 m in "
           "the "
           "simulation while\n`purlSolver.spaceScale` is 0.01. Everything else is in the unit that stands beside it, "
           "whatever the scene's.\n";
    for (const NodeReference& node : nodes) {
        char id[16];
        std::snprintf(id, sizeof id, "0x%05x", node.id);
        out << "\n## " << node.name << "\n\n" << node.sentence << " (id " << id << ")\n\n";
        out << "| attribute | short | type | default | unit | range | what it does |\n|---|---|---|---|---|---|---|\n";
        for (const AttributeReference& row : node.attributes) {
            const std::string type = row.use == "setting" ? row.type : row.type + " " + row.use;
            const std::string range = row.choices.empty() ? rangeText(row) : joinedChoices(row);
            out << "| `" << row.name << "` | `" << row.shortName << "` | " << type << " | " << row.defaultValue << " | "
                << row.unit << " | " << range << " | " << row.sentence << " |\n";
        }
    }
    return out.str();
}

std::string toJson(const std::vector<NodeReference>& nodes) {
    std::ostringstream out;
    out << "[";
    for (size_t n = 0; n < nodes.size(); ++n) {
        const NodeReference& node = nodes[n];
        out << (n ? ",\n " : "\n ") << "{\"name\": " << quoted(node.name) << ", \"id\": " << node.id
            << ", \"sentence\": " << quoted(node.sentence) << ", \"attributes\": [";
        for (size_t a = 0; a < node.attributes.size(); ++a) {
            const AttributeReference& row = node.attributes[a];
            out << (a ? ",\n   " : "\n   ") << "{\"name\": " << quoted(row.name)
                << ", \"short\": " << quoted(row.shortName) << ", \"use\": " << quoted(row.use)
                << ", \"type\": " << quoted(row.type);
            if (!row.defaultValue.empty()) out << ", \"default\": " << quoted(row.defaultValue);
            if (!row.unit.empty()) out << ", \"unit\": " << quoted(row.unit);
            if (!row.min.empty()) out << ", \"min\": " << row.min;
            if (!row.max.empty()) out << ", \"max\": " << row.max;
            if (!row.softMin.empty()) out << ", \"softMin\": " << row.softMin;
            if (!row.softMax.empty()) out << ", \"softMax\": " << row.softMax;
            if (!row.section.empty()) out << ", \"section\": " << quoted(row.section);
            if (!row.choices.empty()) {
                out << ", \"choices\": [";
                for (size_t c = 0; c < row.choices.size(); ++c) out << (c ? ", " : "") << quoted(row.choices[c]);
                out << "]";
            }
            out << ", \"sentence\": " << quoted(row.sentence) << "}";
        }
        out << "]";
        for (size_t p = 0; p < node.presets.size(); ++p) {
            const PresetReference& preset = node.presets[p];
            out << (p ? ",\n   " : ", \"presets\": {\n   ") << quoted(preset.name) << ": {";
            for (size_t v = 0; v < preset.values.size(); ++v)
                out << (v ? ", " : "") << quoted(preset.values[v].name) << ": "
                    << quoted(preset.values[v].defaultValue);
            out << "}" << (p + 1 == node.presets.size() ? "}" : "");
        }
        out << "}";
    }
    out << "\n]\n";
    return out.str();
}

}  // namespace purl

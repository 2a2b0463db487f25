#include "farm/units.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include "nodes/nodes.h"
#include "solver/core/error.h"

namespace purl {
namespace {

constexpr double kRadiansPerDegree = 0.017453292519943295;

// One `name` is `factor` times `base`. Includes ASCII spellings of the printed names.
struct Unit {
    const char *name, *base;
    double factor;
};
const Unit kUnits[] = {
    {"mm", "m", 1e-3},
    {"cm", "m", 1e-2},
    {"m", "m", 1},
    {"km", "m", 1e3},
    {"in", "m", 0.0254},
    {"ft", "m", 0.3048},
    {"yd", "m", 0.9144},
    {"ms", "s", 1e-3},
    {"s", "s", 1},
    {"min", "s", 60},
    {"deg", "rad", kRadiansPerDegree},
    {"°", "rad", kRadiansPerDegree},
    {"rad", "rad", 1},
    {"mm/s", "m/s", 1e-3},
    {"cm/s", "m/s", 1e-2},
    {"m/s", "m/s", 1},
    {"km/h", "m/s", 1 / 3.6},
    {"m/s²", "m/s²", 1},
    {"m/s2", "m/s²", 1},
    {"cm/s²", "m/s²", 1e-2},
    {"cm/s2", "m/s²", 1e-2},
    {"deg/s", "rad/s", kRadiansPerDegree},
    {"rad/s", "rad/s", 1},
    {"l", "l", 1},
    {"ml", "l", 1e-3},
    {"cm³", "l", 1e-3},
    {"cm3", "l", 1e-3},
    {"m³", "l", 1e3},
    {"m3", "l", 1e3},
    {"l/s", "l/s", 1},
    {"ml/s", "l/s", 1e-3},
    {"l/min", "l/s", 1.0 / 60},
    {"kg/m³", "kg/m³", 1},
    {"kg/m3", "kg/m³", 1},
    {"g/cm³", "kg/m³", 1e3},
    {"g/cm3", "kg/m³", 1e3},
    {"kg/m²", "kg/m²", 1},
    {"kg/m2", "kg/m²", 1},
    {"g/m²", "kg/m²", 1e-3},
    {"g/m2", "kg/m²", 1e-3},
    {"Pa·s", "Pa·s", 1},
    {"Pa.s", "Pa·s", 1},
    {"Pas", "Pa·s", 1},
    {"mPa·s", "Pa·s", 1e-3},
    {"mPa.s", "Pa·s", 1e-3},
    {"mPas", "Pa·s", 1e-3},
    {"N/m", "N/m", 1},
    {"mN/m", "N/m", 1e-3},
    {"Pa", "Pa", 1},
    {"kPa", "Pa", 1e3},
    {"%", "%", 1},
};

const Unit* findUnit(const std::string& name) {
    const auto found =
        std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return name == u.name; });
    return found == std::end(kUnits) ? nullptr : found;
}

// The unit of a plain number of a plug: `factor` times `base`, shown as `name`.
struct PlugUnit {
    std::string name, base;
    double factor = 1;
};

host::Kind leafKind(host::Plug plug) {
    while (plug.isCompound() && plug.childCount() > 0) plug = plug.child(0);
    return plug.attr->kind;
}

// The unit in the node's declaration; components of a vector have the unit of the vector.
std::string declaredUnit(const host::Plug& plug) {
    host::Plug root = plug;
    while (const host::Plug above = root.parent()) root = above;
    const std::string& type = root.node->type->name;
    if (type.rfind("purl", 0) != 0) return "";
    for (const NodeReference& node : nodeReferences()) {
        if (node.name != type) continue;
        for (const AttributeReference& row : node.attributes)
            if (row.name == root.attr->name) return row.unit == "rgb" ? "" : row.unit;
    }
    return "";
}

PlugUnit plugUnitOf(const host::Plug& plug) {
    const host::Units& units = plug.node->graph->units;
    switch (leafKind(plug)) {
        case host::Kind::Distance: return {units.linear, "m", 0.01 * units.cmPerUnit};
        case host::Kind::Angle: return {units.angular, "rad", units.radiansPerUnit};
        case host::Kind::Time: return {"frames", "s", units.ticksPerFrame / host::kTicksPerSecond};
        default: break;
    }
    const std::string declared = declaredUnit(plug);
    const Unit* unit = findUnit(declared);
    return unit ? PlugUnit{declared, unit->base, unit->factor} : PlugUnit{declared, declared, 1};
}

std::string namesOf(const PlugUnit& own) {
    std::vector<std::string> names;
    for (const Unit& unit : kUnits)
        if (own.base == unit.base) names.emplace_back(unit.name);
    if (names.empty()) names.push_back(own.name);
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
}

std::string convertedText(const host::Plug& plug, const PlugUnit& own, double value, const std::string& typedUnit) {
    if (typedUnit != own.name) {
        const Unit* unit = findUnit(typedUnit);
        if (own.base.empty())
            throw Error(plug.name() + " has no unit: '" + typedUnit + "' does not fit; use a plain number");
        if (!unit || own.base != unit->base)
            throw Error(plug.name() + " is in " + own.name + ": '" + typedUnit + "' does not fit; use " + namesOf(own));
        value *= unit->factor / own.factor;
    }
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 15);
    return {text, end.ptr};
}

bool beginsNumber(const std::string& text, size_t at) {
    const auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    return digit(at) || (at < text.size() && text[at] == '.' && digit(at + 1));
}

}  // namespace

std::string unitOf(const host::Plug& plug) {
    const host::Kind kind = leafKind(plug);
    return kind == host::Kind::Enum || kind == host::Kind::Bool || host::holdsData(kind) ? "" : plugUnitOf(plug).name;
}

std::string withoutUnits(const host::Plug& plug, const std::string& text) {
    const host::Kind kind = leafKind(plug);
    if (kind == host::Kind::Enum || kind == host::Kind::Bool || host::holdsData(kind)) return text;
    const auto isSeparator = [](char c) { return c == ' ' || c == '\t' || c == ','; };
    std::string result;
    for (size_t at = 0; at < text.size();) {
        if (isSeparator(text[at])) {
            ++at;
            continue;
        }
        if (!beginsNumber(text, at)) return text;  // left to the attribute to parse
        const size_t digits = text[at] == '+' ? at + 1 : at;
        double value = 0;
        const auto [end, error] = std::from_chars(text.data() + digits, text.data() + text.size(), value);
        if (error != std::errc()) return text;
        const auto numberEnd = static_cast<size_t>(end - text.data());
        size_t next = numberEnd;
        while (next < text.size() && isSeparator(text[next]) && text[next] != ',') ++next;
        std::string unit;
        if (!beginsNumber(text, next))
            while (next < text.size() && !isSeparator(text[next])) unit += text[next++];
        result += (result.empty() ? "" : " ") +
                  (unit.empty() ? text.substr(at, numberEnd - at) : convertedText(plug, plugUnitOf(plug), value, unit));
        at = next;
    }
    return result;
}

std::string valueWithUnit(const host::Plug& plug) {
    const std::string unit = unitOf(plug);
    std::string text = plug.name() + " = " + plug.asText() + (unit.empty() ? "" : " " + unit);
    // Attributes are documented in metres.
    if (leafKind(plug) == host::Kind::Distance && !plug.isCompound() && unit != "m") {
        char metres[32];
        std::snprintf(metres, sizeof metres, " (%.6g m)", 0.01 * plug.number());  // internally in cm
        text += metres;
    }
    return text;
}

}  // namespace purl

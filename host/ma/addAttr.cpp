#include "host/ma/addAttr.h"

#include <algorithm>
#include <cmath>

#include "host/builtin/declare.h"
#include "host/ma/values.h"

namespace purl::host {
namespace {

// Nesting limit of addAttr compounds: values are looked up recursively (Plug::value).
constexpr int kMaxCompoundDepth = 16;
constexpr size_t kMaxChildren = 4096;

struct NumberType {
    const char* name;
    Kind kind;
    int components;
};

constexpr NumberType kNumberTypes[] = {
    {"bool", Kind::Bool, 1},
    {"long", Kind::Int, 1},
    {"short", Kind::Short, 1},
    {"byte", Kind::Byte, 1},
    {"char", Kind::Char, 1},
    {"float", Kind::Float, 1},
    {"double", Kind::Double, 1},
    {"doubleAngle", Kind::Angle, 1},
    {"doubleLinear", Kind::Distance, 1},
    {"floatAngle", Kind::Angle, 1},
    {"floatLinear", Kind::Distance, 1},
    {"time", Kind::Time, 1},
    {"enum", Kind::Enum, 1},
    {"double2", Kind::Double, 2},
    {"double3", Kind::Double, 3},
    {"double4", Kind::Double, 4},
    {"float2", Kind::Float, 2},
    {"float3", Kind::Float, 3},
    {"long2", Kind::Int, 2},
    {"long3", Kind::Int, 3},
    {"short2", Kind::Short, 2},
    {"short3", Kind::Short, 3},
    {"reflectance", Kind::Float, 3},
    {"spectrum", Kind::Float, 3},
};

const NumberType* findNumberType(const std::string& name) {
    for (const NumberType& t : kNumberTypes)
        if (name == t.name) return &t;
    return nullptr;
}

const char* nameOfNumberType(Kind kind, std::size_t components) {
    for (const NumberType& t : kNumberTypes)
        if (t.kind == kind && static_cast<std::size_t>(t.components) == components) return t.name;
    return "double";
}

// "off:on=4:auto" → off 0, on 4, auto 5
void readFields(Attr& attr, const std::string& names) {
    constexpr long long kMinField = -2147483647, kMaxField = 2147483647;
    long long value = 0;
    for (const std::string& field : splitWords(names, ":")) {
        const std::size_t equals = field.find('=');
        long long given;
        if (equals != std::string::npos && readNumber(std::string_view(field).substr(equals + 1), given))
            value = std::min(std::max(given, kMinField), kMaxField);
        attr.fields.emplace_back(static_cast<int>(std::min(value++, kMaxField)), field.substr(0, equals));
    }
}

}  // namespace

void AttrBuilder::add(const NodePtr& node, const Statement& statement) {
    std::unique_ptr<Spec> spec = specFrom(statement);
    Spec* const added = spec.get();
    if (!spec->parent.empty()) {
        const std::string who = node->name + "." + spec->name;
        const auto found = root_ && node_ == node ? byName_.find(spec->parent) : byName_.end();
        if (found == byName_.end()) throw Error(who + ": its parent " + spec->parent + " has not been added");
        Spec* const above = found->second;
        spec->depth = above->depth + 1;
        if (spec->depth > kMaxCompoundDepth)
            throw Error(who + ": compounds can be nested at most " + std::to_string(kMaxCompoundDepth) +
                        " levels deep");
        if (above->parts.size() >= kMaxChildren)
            throw Error(who + ": a compound can have at most " + std::to_string(kMaxChildren) + " children");
        if (above->children-- > 0) --missing_;
        above->parts.push_back(std::move(spec));
    } else {
        finish();
        node_ = node;
        root_ = std::move(spec);
    }
    byName_.emplace(added->name, added);
    if (!added->shortName.empty()) byName_.emplace(added->shortName, added);
    missing_ += std::max(added->children, 0);
    if (missing_ == 0) finish();
}

void AttrBuilder::finish() {
    if (!root_) return;
    const std::unique_ptr<Spec> spec = std::move(root_);
    const NodePtr node = std::move(node_);
    byName_.clear();
    missing_ = 0;
    if (node->find(spec->name)) return;  // already exists: on a shared node, or as an attribute of the type
    node->addDynamic(build(*spec, node->graph->units));
}

std::unique_ptr<AttrBuilder::Spec> AttrBuilder::specFrom(const Statement& s) {
    auto spec = std::make_unique<Spec>();
    const auto text = [&](const char* shortName, const char* longName) {
        return std::string(s.value(shortName, longName));
    };
    const auto flag = [&](const char* shortName, const char* longName, bool otherwise) {
        const Flag* f = s.flag(shortName, longName);
        bool on = true;
        if (!f) return otherwise;
        return f->values.empty() || !readBool(f->values[0].text, on) || on;
    };
    spec->name = text("ln", "longName");
    spec->shortName = text("sn", "shortName");
    if (spec->name.empty()) spec->name = spec->shortName;
    if (spec->name.empty()) throw Error("addAttr: a name is required (-longName)");
    spec->parent = text("p", "parent");
    if (s.has("at", "attributeType")) spec->attributeType.push_back(text("at", "attributeType"));
    for (const Flag& f : s.flags)
        if ((f.name == "dt" || f.name == "dataType") && !f.values.empty())
            spec->dataTypes.emplace_back(f.values[0].text);
    long long children = 0;
    readNumber(s.value("nc", "numberOfChildren"), children);
    spec->children = static_cast<int>(std::min<long long>(std::max(children, 0LL), kMaxChildren + 1));
    spec->multi = flag("m", "multi", false);
    spec->keyable = flag("k", "keyable", false);
    spec->hidden = flag("h", "hidden", false);
    spec->writable = flag("w", "writable", true);
    spec->readable = flag("r", "readable", true);
    spec->color = flag("uac", "usedAsColor", false);
    spec->filename = flag("uaf", "usedAsFilename", false);
    spec->niceName = text("nn", "niceName");
    spec->enumNames = text("en", "enumName");
    spec->min = text("min", "minValue");
    spec->max = text("max", "maxValue");
    spec->softMin = text("smn", "softMinValue");
    spec->softMax = text("smx", "softMaxValue");
    spec->initial = text("dv", "defaultValue");
    return spec;
}

AttrPtr AttrBuilder::build(const Spec& spec, const Units& units) {
    const std::string type = spec.attributeType.empty() ? "" : spec.attributeType[0];
    std::vector<AttrPtr> parts;
    for (const auto& part : spec.parts) parts.push_back(build(*part, units));

    AttrPtr a;
    if (const NumberType* numberType = findNumberType(type)) {
        if (numberType->components == 1) {
            a = number(spec.name, spec.shortName, 0, numberType->kind);
            const double size = sizeOfUnit(numberType->kind, units);
            const auto read = [size](const std::string& text, double& x) {
                double value;
                bool yes;
                if (readNumber(std::string_view(text), value))
                    x = value * size;
                else if (readBool(text, yes))
                    x = yes;
            };
            read(spec.min, a->min);
            read(spec.max, a->max);
            a->softMin = a->min;
            a->softMax = a->max;
            read(spec.softMin, a->softMin);
            read(spec.softMax, a->softMax);
            read(spec.initial, a->initial[0]);
            if (numberType->kind == Kind::Enum) readFields(*a, spec.enumNames);
        } else {
            // Default names of children that are not declared: …X …Y …Z.
            static const char* const kLetters[] = {"X", "Y", "Z", "W"};
            for (int k = static_cast<int>(parts.size()); k < numberType->components; ++k)
                parts.push_back(number(spec.name + kLetters[k], "", 0, numberType->kind));
            parts.resize(numberType->components);
            a = numeric(spec.name, spec.shortName, numberType->kind, std::move(parts));
        }
    } else if (type == "message") {
        a = message(spec.name, spec.shortName);
    } else if (type == "compound") {
        a = compound(spec.name, spec.shortName, std::move(parts));
    } else if (type == "fltMatrix" || type == "matrix") {
        a = matrix(spec.name, spec.shortName);
    } else if (!spec.dataTypes.empty()) {
        DataType data = DataType::Any;
        const NumberType* wide = findNumberType(spec.dataTypes[0]);
        if (spec.dataTypes.size() == 1 && wide && wide->components > 1) {
            static const char* const kLetters[] = {"0", "1", "2", "3"};
            for (int k = 0; k < wide->components; ++k)
                parts.push_back(number(spec.name + kLetters[k], "", 0, wide->kind));
            a = numeric(spec.name, spec.shortName, wide->kind, std::move(parts));
        } else {
            if (spec.dataTypes.size() == 1 && !dataTypeFromName(spec.dataTypes[0], data)) data = DataType::Any;
            a = typed(spec.name, spec.shortName, data);
        }
    } else {
        throw Error(spec.name + ": attributes of type '" + type + "' are not supported");
    }
    a->array = spec.multi;
    a->keyable = spec.keyable;
    a->hidden = spec.hidden;
    a->writable = spec.writable;
    a->readable = spec.readable;
    a->usedAsColor = spec.color;
    a->usedAsFilename = spec.filename;
    a->niceName = spec.niceName;
    return a;
}

namespace {

std::string addAttrFlags(const Attr& a, const Units& units) {
    std::string out;
    const auto limit = [&](const char* flag, double value) {
        if (std::isfinite(value)) out += std::string(" -") + flag + " " + numberText(value, sizeOfUnit(a.kind, units));
    };
    if (isScalar(a.kind)) {
        if (a.initial[0] != 0) limit("dv", a.initial[0]);
        limit("min", a.min);
        limit("max", a.max);
        if (a.softMin != a.min) limit("smn", a.softMin);
        if (a.softMax != a.max) limit("smx", a.softMax);
    }
    if (a.kind == Kind::Enum) {
        std::string fields;
        for (const auto& field : a.fields)
            fields += (fields.empty() ? "" : ":") + field.second + "=" + std::to_string(field.first);
        out += " -en " + inQuotes(fields);
    }
    if (a.array) out += " -m";
    if (a.keyable) out += " -k true";
    if (a.hidden) out += " -h true";
    if (!a.writable) out += " -w false";
    if (!a.readable) out += " -r false";
    if (a.usedAsColor) out += " -uac";
    if (a.usedAsFilename) out += " -uaf";
    if (!a.niceName.empty()) out += " -nn " + inQuotes(a.niceName);
    return out;
}

std::string typeFlag(const Attr& a) {
    switch (a.kind) {
        case Kind::Numeric: return std::string("-at \"") + nameOfNumberType(a.element, a.children.size()) + "\"";
        case Kind::Compound: return "-at \"compound\"";
        case Kind::Message: return "-at \"message\"";
        case Kind::Matrix: return "-at \"matrix\"";
        case Kind::Typed:
            // In Maya, two types mean that several are accepted.
            if (a.dataType == DataType::Any) return "-dt \"mesh\" -dt \"nurbsCurve\"";
            return std::string("-dt \"") + nameOf(a.dataType) + "\"";
        default: return std::string("-at \"") + nameOfNumberType(a.kind, 1) + "\"";
    }
}

}  // namespace

std::vector<std::string> addAttrStatements(const Attr& attr, const Units& units) {
    std::string text = "addAttr -ci true -sn " + inQuotes(attr.shortName) + " -ln " + inQuotes(attr.name);
    if (attr.parent) text += " -p " + inQuotes(attr.parent->name);
    text += addAttrFlags(attr, units) + " " + typeFlag(attr);
    if (!attr.children.empty()) text += " -nc " + std::to_string(attr.children.size());
    std::vector<std::string> all = {text + ";"};
    for (const AttrPtr& child : attr.children)
        for (const std::string& statement : addAttrStatements(*child, units)) all.push_back(statement);
    return all;
}

}  // namespace purl::host

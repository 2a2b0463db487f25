// Attribute commands: setAttr, getAttr, addAttr, attributeQuery, listAttr and others.
#include <algorithm>
#include <cmath>

#include "host/commands/command.h"
#include "host/graph/text.h"
#include "host/host.h"
#include "host/ma/addAttr.h"
#include "host/ma/values.h"

namespace purl::host {

std::vector<Plug> plugsNamed(const CommandContext& d, const std::string& text) {
    const size_t dot = text.find('.');
    if (dot != std::string::npos && dot > 0) {
        std::vector<Plug> all;
        for (const NodePtr& n : nodesNamed(d.graph, {text.substr(0, dot)}))
            for (const Plug& p : n->plugs(text.substr(dot + 1))) all.push_back(p);
        return all;
    }
    std::vector<Plug> all;
    for (const NodePtr& n : nodesNamed(d.graph, d.graph.selection))
        for (const Plug& p : n->plugs(dot == 0 ? text.substr(1) : text)) all.push_back(p);
    if (all.empty()) throw Error(text + ": expected node.attribute");
    return all;
}

Plug plugNamed(const CommandContext& d, const std::string& text) {
    Plug plug = plugsNamed(d, text).front();
    // Omitted indices, except the last, are 0, as in files.
    for (int& i : plug.indices)
        if (i < 0) i = 0;
    return plug;
}

namespace {

bool isListType(const std::string& type) {
    for (const char* t :
         {"doubleArray", "floatArray", "Int32Array", "vectorArray", "pointArray", "stringArray", "componentList"})
        if (type == t) return true;
    return false;
}

// The value words of setAttr. Adds the element count that arrays have in files and MEL, but not in Python lists.
std::vector<std::string> valueWords(const CommandContext& d, const std::string& type) {
    std::vector<std::string> words;
    const std::vector<Argument>& args = d.call.args;
    if (isListType(type) && args.size() == 2 && args[1].list) {
        const size_t each = type == "vectorArray" ? 3 : type == "pointArray" ? 4 : 1;
        words.push_back(std::to_string(args[1].words.size() / each));
    }
    for (size_t k = 1; k < args.size(); ++k) words.insert(words.end(), args[k].words.begin(), args[k].words.end());
    return words;
}

void setValue(CommandContext& d, const Plug& plug, const std::string& type, const std::vector<std::string>& words) {
    if (plug.isArray()) throw Error(plug.name() + " is an array; specify an element such as " + plug.path() + "[0]");
    if (plug.attr->kind == Kind::Message) throw Error(plug.name() + " is a message attribute and has no value");
    for (const Attr* at = plug.attr.get(); at; at = at->parent)
        if (!at->writable) throw Error(plug.name() + " is an output and cannot be set");
    if (holdsData(plug.attr->kind)) {
        std::string wanted = type;
        if (wanted.empty() && (plug.attr->kind == Kind::Matrix || plug.attr->dataType == DataType::Matrix))
            wanted = "matrix";
        if (wanted.empty())
            throw Error(plug.name() + " holds " + nameOf(plug.attr->dataType) + "; pass type=\"" +
                        nameOf(plug.attr->dataType) + "\"");
        std::vector<Token> tokens;
        for (const std::string& w : words) tokens.push_back({w, wanted == "string"});
        Words values(tokens.data(), tokens.data() + tokens.size());
        DataPtr data;
        try {
            data = readData(wanted, values, d.graph.units);
        } catch (const Error& e) { throw Error(plug.name() + ": " + e.what()); }
        if (!data) throw Error(plug.name() + ": unknown value type \"" + wanted + "\"");
        d.edits.make(setting(plug, [plug, data] { plug.set(data); }));
        return;
    }
    if (type == "string") throw Error(plug.name() + ": expected a number, not a string");
    if (words.empty()) throw Error(plug.name() + ": missing value");
    // Joins lists of numbers from Python into text, as typed by a user.
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
    if (d.call.on("clamp") && words.size() == 1 && isScalar(plug.attr->kind)) {
        double x = plug.fromScene(numberOf(words[0], plug.name()));
        x = std::min(std::max(x, plug.attr->min), plug.attr->max);
        d.edits.make(setting(plug, [plug, x] { plug.set(x); }));
        return;
    }
    d.edits.make(setting(plug, [plug, text] { plug.setFromText(text); }));
}

CommandResult setAttr(CommandContext& d) {
    if (d.call.args.empty() || d.call.args[0].words.empty()) throw Error("expected an attribute");
    const std::string& name = d.call.args[0].words[0];
    const std::string type = d.call.text("type");
    const std::vector<std::string> words = valueWords(d, type);
    std::vector<Plug> plugs = plugsNamed(d, name);
    for (Plug& plug : plugs)
        for (int& i : plug.indices)
            if (i < 0) i = 0;
    // Unlocks before setting the value, locks afterwards.
    const bool unlocks = d.call.has("lock") && !d.call.on("lock");
    if (unlocks)
        for (const Plug& p : plugs) d.edits.make(locking(p, false));
    if (!words.empty()) {
        if (plugs.size() > 1 && words.size() % plugs.size() == 0 && words.size() >= plugs.size() && !isListType(type)) {
            const size_t each = words.size() / plugs.size();
            for (size_t k = 0; k < plugs.size(); ++k)
                setValue(d, plugs[k], type, {words.begin() + long(k * each), words.begin() + long((k + 1) * each)});
        } else {
            for (const Plug& p : plugs) setValue(d, p, type, words);
        }
    } else if (!d.call.has("lock") && !d.call.has("keyable") && !d.call.has("channelBox") && !d.call.has("size") &&
               !d.call.has("caching")) {
        throw Error(name + ": missing value");
    }
    if (d.call.on("lock"))
        for (const Plug& p : plugs) d.edits.make(locking(p, true));
    // Display flags are stored as file statements: only Maya's UI uses them.
    for (const auto& [flag, word] : {std::pair<const char*, const char*>{"keyable", "-k"}, {"channelBox", "-cb"}}) {
        if (!d.call.has(flag)) continue;
        for (const Plug& p : plugs) {
            const NodePtr node = p.node;
            Node::KeptStatement kept{p.path(false), {word, d.call.on(flag) ? "on" : "off"}, {}};
            d.edits.make({[node, kept] { node->kept.push_back(kept); }, [node] { node->kept.pop_back(); }});
        }
    }
    return {};
}

// True if a plug is keyable or in the channel box: the type's setting, unless overridden for this node.
bool isShown(const Plug& plug, const char* flag, const char* longFlag, bool otherwise) {
    bool shown = otherwise;
    for (const Node::KeptStatement& kept : plug.node->kept) {
        if (kept.path != plug.path(false) && kept.path != plug.path(true)) continue;
        for (size_t k = 0; k + 1 < kept.flags.size(); ++k)
            if (kept.flags[k] == flag || kept.flags[k] == longFlag) shown = wordIsTrue(kept.flags[k + 1]);
    }
    return shown;
}

std::string typeOf(const Plug& plug) {
    const Attr& a = *plug.attr;
    if (plug.isArray()) return "TdataCompound";
    switch (a.kind) {
        case Kind::Bool: return "bool";
        case Kind::Char: return "char";
        case Kind::Byte: return "byte";
        case Kind::Short: return "short";
        case Kind::Int: return "long";
        case Kind::Int64: return "int64";
        case Kind::Float: return "float";
        case Kind::Double: return "double";
        case Kind::Enum: return "enum";
        case Kind::Time: return "time";
        case Kind::Distance: return "doubleLinear";
        case Kind::Angle: return "doubleAngle";
        case Kind::Matrix: return "matrix";
        case Kind::Message: return "message";
        case Kind::Compound: return "TdataCompound";
        case Kind::Numeric: {
            const char* element = a.element == Kind::Float   ? "float"
                                  : a.element == Kind::Int   ? "long"
                                  : a.element == Kind::Short ? "short"
                                                             : "double";
            return element + std::to_string(a.children.size());
        }
        case Kind::Typed: break;
    }
    if (a.dataType == DataType::Plugin)
        if (const PluginDataType* type = findPluginData(a.dataId)) return type->name;
    return nameOf(a.dataType);
}

CommandResult scalarResult(const Plug& plug, bool asString) {
    const double x = plug.number();
    switch (plug.attr->kind) {
        case Kind::Bool: return x != 0;
        case Kind::Enum:
            if (asString)
                if (const std::string* field = plug.attr->fieldName(int(std::lround(x)))) return *field;
            return int(std::lround(x));
        case Kind::Char:
        case Kind::Byte:
        case Kind::Short:
        case Kind::Int:
        case Kind::Int64: return int(std::llround(x));
        default: return plug.toScene(x);
    }
}

void flatten(const Plug& plug, std::vector<double>& out) {
    if (plug.isArray()) {
        for (const int i : plug.elements()) flatten(plug.element(i), out);
    } else if (plug.isCompound()) {
        for (int k = 0; k < plug.childCount(); ++k) flatten(plug.child(k), out);
    } else if (isScalar(plug.attr->kind)) {
        out.push_back(plug.toScene(plug.number()));
    } else {
        throw Error(plug.name() + " holds " + typeOf(plug) + ", which is not a number; specify one of its components");
    }
}

CommandResult valueResult(const Plug& plug, bool asString) {
    const Attr& a = *plug.attr;
    if (a.kind == Kind::Message) throw Error(plug.name() + " is a message attribute and has no value");
    if (plug.isArray() && holdsData(a.kind))
        throw Error(plug.name() + " is an array; specify an element such as " + plug.path() + "[0]");
    if (!plug.isArray() && isScalar(a.kind)) return scalarResult(plug, asString);
    if (plug.isArray() || plug.isCompound()) {
        plug.evaluate();
        std::vector<double> flat;
        flatten(plug, flat);
        if (plug.isArray() && !a.children.empty() && !plug.elements().empty()) {  // one row per element
            Rows rows;
            const size_t each = flat.size() / plug.elements().size();
            for (size_t k = 0; k < flat.size(); k += each)
                rows.emplace_back(flat.begin() + long(k), flat.begin() + long(k + each));
            return rows;
        }
        return Rows{flat};
    }
    if (plug.evaluate() == Result::Failed) throw Error(plug.name() + ": evaluation failed");
    const DataPtr data = plug.value()->data;
    if (!data)
        return a.kind == Kind::Matrix
                   ? CommandResult(std::vector<double>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
                   : CommandResult();
    switch (data->type()) {
        case DataType::String: return std::string(static_cast<const StringData&>(*data).text.asChar());
        case DataType::Matrix: {
            std::vector<double> m;
            for (unsigned k = 0; k < 16; ++k) m.push_back(static_cast<const MatrixData&>(*data).matrix(k / 4, k % 4));
            return m;
        }
        case DataType::DoubleArray: return *static_cast<const DoubleArrayData&>(*data).values;
        case DataType::IntArray: return *static_cast<const IntArrayData&>(*data).values;
        case DataType::FloatArray: {
            const auto& v = *static_cast<const FloatArrayData&>(*data).values;
            return std::vector<double>(v.begin(), v.end());
        }
        case DataType::VectorArray: {
            Rows rows;
            for (const MVector& v : *static_cast<const VectorArrayData&>(*data).values) rows.push_back({v.x, v.y, v.z});
            return rows;
        }
        case DataType::PointArray: {
            Rows rows;
            for (const MPoint& v : *static_cast<const PointArrayData&>(*data).values)
                rows.push_back({v.x, v.y, v.z, v.w});
            return rows;
        }
        case DataType::StringArray: {
            std::vector<std::string> all;
            for (const MString& v : *static_cast<const StringArrayData&>(*data).values) all.push_back(v.asChar());
            return all;
        }
        case DataType::ComponentList: {
            std::vector<std::string> all;
            for (const MString& v : *static_cast<const ComponentListData&>(*data).values) all.push_back(v.asChar());
            return all;
        }
        default: throw Error(plug.name() + " holds " + typeOf(plug) + ", which cannot be converted to text");
    }
}

// Sets the scene to another time for the lifetime of this object.
class AtTime {
  public:
    AtTime(Graph& graph, double frame) : graph_(graph), ticks_(graph.ticks()) { graph_.setFrame(frame); }
    ~AtTime() { graph_.setTicks(ticks_); }

  private:
    Graph& graph_;
    double ticks_;
};

CommandResult getAttr(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one attribute");
    const Plug plug = plugNamed(d, words[0]);
    if (d.call.on("type")) return typeOf(plug);
    if (d.call.on("lock")) return plug.locked();
    if (d.call.on("keyable")) return isShown(plug, "-k", "-keyable", plug.attr->keyable);
    if (d.call.on("channelBox")) return isShown(plug, "-cb", "-channelBox", plug.attr->channelBox);
    if (d.call.on("settable")) return !plug.locked() && !plug.drivingSource() && plug.attr->writable;
    if (d.call.on("size")) return int(plug.isArray() ? plug.elements().size() : 1);
    if (d.call.on("multiIndices")) {
        const std::vector<int> indices = plug.elements();
        return indices.empty() ? CommandResult() : CommandResult(indices);
    }
    if (!d.call.has("time")) return valueResult(plug, d.call.on("asString"));
    const AtTime elsewhere(d.graph, d.call.number("time"));
    return valueResult(plug, d.call.on("asString"));
}

// Formats the call as an addAttr statement and parses it like one from a scene file: both have the same syntax.
CommandResult addAttr(CommandContext& d) {
    if (d.call.query) {
        const std::vector<std::string> words = d.call.words();
        if (words.size() != 1) throw Error("expected one attribute");
        const Attr& a = *plugNamed(d, words[0]).attr;
        for (const std::string& flag : d.call.used()) {
            if (flag == "minValue") return a.min;
            if (flag == "maxValue") return a.max;
            if (flag == "softMinValue") return a.softMin;
            if (flag == "softMaxValue") return a.softMax;
            if (flag == "defaultValue") return a.initial[0];
            if (flag == "keyable") return a.keyable;
            if (flag == "longName") return a.name;
            if (flag == "shortName") return a.shortName;
            if (flag == "niceName") return a.niceName;
            if (flag == "enumName") {
                std::string all;
                for (const auto& f : a.fields) all += (all.empty() ? "" : ":") + f.second;
                return all;
            }
        }
        throw Error("expected a flag that says what to query");
    }
    Statement statement;
    statement.command = "addAttr";
    std::vector<std::pair<std::string, std::vector<std::string>>> kept;
    for (const std::string& name : d.call.used()) {
        const auto values = d.call.values(name);
        if (!kept.empty() && kept.back().first == name) continue;
        for (const auto& v : values) kept.emplace_back(name, v);
    }
    // A vector without a child count waits for all its children.
    const std::string type = d.call.text("attributeType");
    if (!d.call.has("numberOfChildren") && type.size() > 1 && type.back() >= '2' && type.back() <= '4')
        kept.push_back({"numberOfChildren", {std::string(1, type.back())}});
    for (const auto& [name, values] : kept) {
        Flag flag;
        flag.name = name;
        for (const std::string& v : values) flag.values.push_back({v, false});
        statement.flags.push_back(flag);
    }
    for (const NodePtr& node : targets(d)) {
        const std::string wanted = d.call.text("longName", d.call.text("shortName"));
        if (d.call.text("parent").empty() && node->find(wanted))
            throw Error(node->name + " already has an attribute " + wanted);
        const size_t before = node->dynamic().size();
        d.session.attributeBuilder().add(node, statement);
        const auto& all = node->dynamic();
        for (size_t k = before; k < all.size(); ++k) {
            const AttrPtr attr = all[k];
            Edit edit = addingAttribute(node, attr);
            edit.done = true;
            d.edits.make(edit);
        }
    }
    return {};
}

CommandResult deleteAttr(CommandContext& d) {
    std::vector<std::string> words = d.call.words();
    if (d.call.has("attribute") && !words.empty()) words = {words[0] + "." + d.call.text("attribute")};
    for (const std::string& w : words) {
        const Plug plug = plugNamed(d, w);
        if (!plug.attr->dynamic || plug.attr->parent)
            throw Error(plug.name() + " was not added by addAttr and cannot be deleted");
        d.edits.make(deletingAttribute(plug.node, plug.attr));
    }
    return {};
}

CommandResult attributeQuery(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one attribute");
    NodePtr node;
    AttrPtr attr;
    if (d.call.has("node")) {
        node = d.graph.get(d.call.text("node"));
        attr = node->find(words[0]);
    } else if (d.call.has("type")) {
        const Type* type = findType(d.call.text("type"));
        if (!type) throw Error("unknown node type " + d.call.text("type"));
        attr = type->find(words[0]);
    } else {
        throw Error("-node or -type is required");
    }
    if (d.call.on("exists")) return attr != nullptr;
    if (!attr) {
        if (node) node->plug(words[0]);  // throws with a suggestion
        throw Error(d.call.text("type") + " has no attribute " + words[0]);
    }
    const Attr& a = *attr;
    const double size = sizeOfUnit(a.kind, d.graph.units);
    const auto finite = [](double x) { return std::isfinite(x); };
    for (const std::string& flag : d.call.used()) {
        if (flag == "longName") return a.name;
        if (flag == "shortName") return a.shortName;
        if (flag == "niceName") return niceNameOf(a);
        if (flag == "attributeType") {
            if (a.array && a.children.empty() && holdsData(a.kind)) return std::string("typed");
            return a.kind == Kind::Typed ? std::string("typed") : typeOf(Plug(node, attr));
        }
        if (flag == "minimum") return std::vector<double>{a.min / size};
        if (flag == "maximum") return std::vector<double>{a.max / size};
        if (flag == "range") return std::vector<double>{a.min / size, a.max / size};
        if (flag == "softMin") return std::vector<double>{a.softMin / size};
        if (flag == "softMax") return std::vector<double>{a.softMax / size};
        if (flag == "softRange") return std::vector<double>{a.softMin / size, a.softMax / size};
        if (flag == "minExists") return finite(a.min);
        if (flag == "maxExists") return finite(a.max);
        if (flag == "rangeExists") return finite(a.min) && finite(a.max);
        if (flag == "softMinExists") return finite(a.softMin);
        if (flag == "softMaxExists") return finite(a.softMax);
        if (flag == "softRangeExists") return finite(a.softMin) && finite(a.softMax);
        if (flag == "listDefault") {
            std::vector<double> all;
            if (a.children.empty() || a.kind == Kind::Numeric)
                for (size_t k = 0; k < std::max<size_t>(1, a.children.size()); ++k) all.push_back(a.initial[k] / size);
            else
                for (const AttrPtr& c : a.children) all.push_back(c->initial[0] / sizeOfUnit(c->kind, d.graph.units));
            return all;
        }
        if (flag == "listEnum") {
            std::string all;
            for (size_t k = 0; k < a.fields.size(); ++k) {
                const int before = k == 0 ? -1 : a.fields[k - 1].first;
                all += (all.empty() ? "" : ":") + a.fields[k].second;
                if (a.fields[k].first != before + 1) all += "=" + std::to_string(a.fields[k].first);
            }
            return listOrNothing(a.fields.empty() ? std::vector<std::string>() : std::vector<std::string>{all});
        }
        if (flag == "listChildren") {
            std::vector<std::string> all;
            for (const AttrPtr& c : a.children) all.push_back(c->name);
            return listOrNothing(all);
        }
        if (flag == "listParent")
            return listOrNothing(a.parent ? std::vector<std::string>{a.parent->name} : std::vector<std::string>());
        if (flag == "numberOfChildren") return std::vector<int>{int(a.children.size())};
        if (flag == "multi") return a.array;
        if (flag == "enum") return a.kind == Kind::Enum;
        if (flag == "message") return a.kind == Kind::Message;
        if (flag == "keyable") return a.keyable;
        if (flag == "channelBox") return a.channelBox;
        if (flag == "hidden") return a.hidden;
        if (flag == "readable") return a.readable;
        if (flag == "writable") return a.writable;
        if (flag == "storable") return a.storable;
        if (flag == "connectable") return a.connectable;
        if (flag == "indexMatters") return a.indexMatters;
        if (flag == "internal") return a.internal;
        if (flag == "usedAsColor") return a.usedAsColor;
        if (flag == "usedAsFilename") return a.usedAsFilename;
        if (flag == "usesMultiBuilder") return a.usesArrayBuilder;
        if (flag == "worldSpace") return a.worldSpace;
    }
    throw Error("expected a flag that says what to query");
}

void listLeaves(const Attr& a, const std::string& prefix, const Invocation& call, std::vector<std::string>& out) {
    const std::string name = call.on("shortNames") ? a.shortName : a.name;
    bool fits = true;
    if (call.on("keyable")) fits = a.keyable;
    if (call.on("userDefined")) fits = fits && a.dynamic;
    if (call.on("channelBox")) fits = fits && a.channelBox;
    if (call.on("multi")) fits = fits && a.array;
    if (call.on("visible")) fits = fits && !a.hidden;
    if (call.on("write")) fits = fits && a.writable;
    if (call.on("output")) fits = fits && a.readable && !a.writable;
    if (call.on("read")) fits = fits && a.readable;
    if (call.on("scalar")) fits = fits && isScalar(a.kind);
    if (call.on("settable")) fits = fits && a.writable;
    // Only scalar attributes can be keyed: the components of a vector, not the vector.
    if (call.on("keyable") && !a.children.empty()) fits = false;
    if (call.on("keyable") && a.parent && a.parent->keyable && a.children.empty()) fits = true;
    const auto patterns = call.values("string");
    if (!patterns.empty()) {
        bool named = false;
        for (const auto& p : patterns) named = named || matches(a.name, p[0]) || matches(a.shortName, p[0]);
        fits = fits && named;
    }
    if (fits) out.push_back(prefix + name);
    for (const AttrPtr& c : a.children)
        listLeaves(*c, a.kind == Kind::Compound ? prefix + name + "." : prefix, call, out);
}

CommandResult listAttr(CommandContext& d) {
    std::vector<std::string> out;
    std::vector<std::string> words = targetWords(d);
    for (const std::string& w : words) {
        const size_t dot = w.find('.');
        const NodePtr node = d.graph.get(w.substr(0, dot));
        if (dot != std::string::npos) {
            listLeaves(*node->plug(w.substr(dot + 1)).attr, "", d.call, out);
            continue;
        }
        for (const AttrPtr& a : node->attributes()) listLeaves(*a, "", d.call, out);
    }
    return listOrNothing(out);
}

CommandResult aliasAttr(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (d.call.query) {
        if (words.size() != 1) throw Error("expected one attribute");
        const Plug p = plugNamed(d, words[0]);
        for (const auto& [alias, path] : p.node->aliases)
            if (path == p.path() || path == p.path(false)) return alias;
        return {};
    }
    if (words.size() != 2) throw Error("expected an alias and an attribute");
    const Plug p = plugNamed(d, words[1]);
    const NodePtr node = p.node;
    const std::string alias = words[0], path = p.path();
    if (node->find(alias)) throw Error(node->name + " already has an attribute " + alias);
    d.edits.make({[node, alias, path] { node->aliases[alias] = path; }, [node, alias] { node->aliases.erase(alias); }});
    return alias;
}

}  // namespace

std::string niceNameOf(const Attr& a) {
    if (!a.niceName.empty()) return a.niceName;
    std::string nice;
    for (const char c : a.name) {
        if (std::isupper(static_cast<unsigned char>(c)) && !nice.empty() &&
            !std::isupper(static_cast<unsigned char>(nice.back())))
            nice += ' ';
        nice += nice.empty() ? char(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    return nice;
}

std::vector<Command> attributeCommands() {
    return {
        {"setAttr",
         "Sets an attribute.",
         {"type typ string", "lock l bool", "keyable k bool", "channelBox cb bool", "size s int", "caching ca bool",
          "clamp c", "alteredValue av", "capacityHint ch int"},
         setAttr},
        {"getAttr",
         "Returns the value of an attribute, in the scene's units.",
         {"time t double", "asString as", "size s", "lock l", "keyable k", "channelBox cb", "type typ", "settable se",
          "multiIndices mi", "silent sl", "caching ca"},
         getAttr},
        {"addAttr",
         "Adds an attribute to nodes.",
         {"longName ln string",
          "shortName sn string",
          "niceName nn string",
          "attributeType at string",
          "dataType dt string ...",
          "parent p string",
          "numberOfChildren nc int",
          "multi m",
          "keyable k bool",
          "hidden h bool",
          "writable w bool",
          "readable r bool",
          "storable s bool",
          "usedAsColor uac",
          "usedAsFilename uaf",
          "enumName en string",
          "minValue min double",
          "maxValue max double",
          "softMinValue smn double",
          "softMaxValue smx double",
          "defaultValue dv double",
          "cachedInternally ci bool",
          "indexMatters im bool",
          "disconnectBehaviour dcb int",
          "exists ex"},
         addAttr},
        {"deleteAttr", "Deletes an attribute that addAttr added.", {"attribute at string"}, deleteAttr},
        {"attributeQuery",
         "Returns facts about an attribute, such as its range or its enum names.",
         {"node n string",  "type typ string",   "exists ex",          "longName ln",          "shortName sn",
          "niceName nn",    "attributeType at",  "minimum min",        "maximum max",          "range r",
          "softMin smn",    "softMax smx",       "softRange s",        "minExists mne",        "maxExists mxe",
          "rangeExists re", "softMinExists sme", "softMaxExists sxe",  "softRangeExists se",   "listDefault ld",
          "listEnum le",    "listChildren lc",   "listParent lp",      "numberOfChildren nc",  "multi m",
          "enum e",         "message msg",       "keyable k",          "channelBox ch",        "hidden h",
          "readable rd",    "writable w",        "storable st",        "connectable c",        "indexMatters im",
          "internal i",     "usedAsColor uac",   "usedAsFilename uaf", "usesMultiBuilder umb", "worldSpace ws"},
         attributeQuery},
        {"listAttr",
         "Lists the attributes of nodes.",
         {"keyable k", "userDefined ud", "channelBox cb", "multi m", "visible v", "write w", "output o",
          "shortNames sn", "string st string ...", "settable se", "read r", "scalar s"},
         listAttr},
        {"aliasAttr", "Gives an attribute another name.", {}, aliasAttr},
    };
}

}  // namespace purl::host

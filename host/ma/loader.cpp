#include "host/ma/loader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "host/file.h"
#include "host/ma/referenceEdits.h"
#include "host/ma/standIn.h"
#include "solver/core/path.h"

namespace purl::host {
namespace fs = std::filesystem;

std::string readSceneFile(const std::string& path) {
    return readTextFile(path, ".ma file", kMaxSceneBytes,
                        [&path](std::string_view text) { checkIsMayaAscii(text, path); });
}

static std::string canonical(const std::string& path) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(toPath(path), error);
    return error ? path : toText(found);
}

FilesRead::FilesRead(const std::string& scene) : open{canonical(scene)} {}

void checkIsMayaAscii(std::string_view text, const std::string& fileName) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw Error(fileName + ": the file is empty");
    if (text.substr(0, 4) == "FOR4" || text.substr(0, 4) == "FOR8")
        throw Error(fileName + ": is a Maya binary file; save it as Maya ASCII (.ma)");
    if (text.substr(0, 12) != "//Maya ASCII")
        throw Error(fileName + ": is not a Maya ASCII file; the first line must start with //Maya ASCII");
}

namespace {

// "node.attr" and "|a|b.attr" split at the dot.
bool splitPlug(std::string_view text, std::string& node, std::string& path) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return false;
    node = std::string(text.substr(0, dot));
    path = std::string(text.substr(dot + 1));
    return !path.empty();
}

std::string countText(double n) { return n < 1e18 ? std::to_string(static_cast<long long>(n)) : shortest(n); }

// a[0:99] needs at least a hundred values, so that a range alone cannot allocate much memory.
void checkRange(const std::string& path, std::size_t values) {
    const std::size_t colon = path.find(':'), open = path.rfind('[', colon), close = path.find(']', colon);
    if (colon == std::string::npos || open == std::string::npos || close == std::string::npos) return;
    double first = 0, last = 0;  // double: may exceed the range of integers
    const std::string_view text(path);
    if (!readNumber(text.substr(open + 1, colon - open - 1), first) ||
        !readNumber(text.substr(colon + 1, close - colon - 1), last))
        return;
    const double elements = last - first + 1;
    if (elements > static_cast<double>(values))
        throw Error(path + ": " + std::to_string(values) + " values for " + countText(elements) + " elements");
}

std::string withoutIndices(const std::string& path) {
    std::string out;
    bool inside = false;
    for (const char c : path) {
        if (c == '[') inside = true;
        if (!inside) out += c;
        if (c == ']') inside = false;
    }
    return out;
}

// A placeholder has the attributes of a DAG node even if its type is not one. A file's attribute that matches one of
// these names ("m", "v") is then a different attribute, unless the node has a parent.
bool isForeign(const Node& node, const std::string& path) {
    if (!node.type->placeholder || !node.parents.empty()) return false;
    const AttrPtr attr = node.find(path.substr(0, path.find_first_of(".[")));
    if (!attr || attr->dynamic) return false;
    const std::vector<AttrPtr>& own = node.type->own();
    const bool declared =
        std::any_of(own.begin(), own.end(), [&](const AttrPtr& each) { return each.get() == attr->root(); });
    return !declared && !findType("dependNode")->has(attr->root());
}

// Nodes that Maya writes into every scene for its own UI. They become placeholders, but are not reported.
bool isBookkeeping(const std::string& type) {
    static const std::set<std::string> kTypes = {
        "lightLinker",
        "displayLayer",
        "displayLayerManager",
        "renderLayer",
        "renderLayerManager",
        "materialInfo",
        "hyperGraphInfo",
        "hyperView",
        "hyperLayout",
        "nodeGraphEditorInfo",
        "partition",
        "dagPose",
        "shapeEditorManager",
        "poseInterpolatorManager",
        "ikRPsolver",
        "place2dTexture",
        "file",
        "groupId",
        "reference",
        "sequenceManager",
    };
    return kTypes.count(type) > 0;
}

}  // namespace

void Loader::run(std::string_view text) {
    checkIsMayaAscii(text, fileName_);
    Lexer lexer(text, fileName_);
    Statement statement;
    while (lexer.next(statement)) execute(statement);
    finishNode();
    for (const Plug& plug : toLock_) plug.setLocked(true);
    if (!lexer.hasEndMark() && text.substr(0, 400).find("//Last modified:") != std::string_view::npos)
        report_.warn(fileName_ + ": the line '// End of' is missing; the file may be truncated");
}

void Loader::execute(const Statement& s) {
    ++report_.statements;
    static const struct {
        std::string_view name;
        void (Loader::*run)(const Statement&);
    } kCommands[] = {
        {"setAttr", &Loader::setAttr},         {"createNode", &Loader::createNode},
        {"connectAttr", &Loader::connectAttr}, {"addAttr", &Loader::addAttr},
        {"rename", &Loader::rename},           {"select", &Loader::select},
        {"requires", &Loader::requiresPlugin}, {"currentUnit", &Loader::currentUnit},
        {"parent", &Loader::parent},           {"lockNode", &Loader::lockNode},
        {"file", &Loader::reference},          {"disconnectAttr", &Loader::disconnectAttr},
    };
    for (const auto& command : kCommands) {
        if (s.command != command.name) continue;
        ++report_.executed[std::string(s.command)];
        try {
            (this->*command.run)(s);
        } catch (const SyntaxError&) { throw; } catch (const Error& e) {
            warn(s, e.what());
        }
        return;
    }
    if (s.command == "fileInfo") {
        ++report_.executed["fileInfo"];
        if (s.args.size() > 1 && depth_ == 0)
            graph_.fileInfo[std::string(s.args[0].text)] = std::string(s.args[1].text);
        return;
    }
    static const std::set<std::string_view> kKept = {"relationship", "dataStructure", "applyMetadata"};
    if (kKept.count(s.command) && depth_ == 0) keepCommand(s);
    skip(std::string(s.command));
}

void Loader::requiresPlugin(const Statement& s) {
    if (s.args.empty()) return;
    const std::string plugin(s.args[0].text);
    if (plugin == "maya") return;
    if (depth_ == 0) {
        Graph::Requirement needs{plugin, s.args.size() > 1 ? std::string(s.args[1].text) : "", {}, {}};
        for (const Flag& f : s.flags) {
            if (f.values.empty()) continue;
            if (f.name == "nodeType" || f.name == "nt") needs.nodeTypes.emplace_back(f.values[0].text);
            if (f.name == "dataType" || f.name == "dt") needs.dataTypes.emplace_back(f.values[0].text);
        }
        graph_.required.push_back(std::move(needs));
    }
    if (knownPlugins_.empty())
        for (const std::string& name : typeNames()) knownPlugins_.insert(findType(name)->plugin);
    for (const Flag& f : s.flags)
        if ((f.name == "nodeType" || f.name == "nt") && !f.values.empty())
            pluginOf_[std::string(f.values[0].text)] = plugin;
    auto& missing = report_.missingPlugins;
    if (!knownPlugins_.count(plugin) && missing.size() < LoadReport::kMaxKinds &&
        std::find(missing.begin(), missing.end(), plugin) == missing.end())
        missing.push_back(plugin);
}

void Loader::currentUnit(const Statement& s) {
    Units& units = graph_.units;
    const auto apply = [&](const char* shortName, const char* longName, void (Units::*set)(const std::string&)) {
        const std::string name(s.value(shortName, longName));
        if (name.empty()) return;
        try {
            (units.*set)(name);
        } catch (const Error& e) { warn(s, std::string(e.what()) + "; using the default"); }
    };
    apply("l", "linear", &Units::setLinear);
    apply("a", "angle", &Units::setAngular);
    apply("t", "time", &Units::setTime);
}

// Converts a name of this file to its name in the graph: inside a reference, each path component gets the namespace
// prefix.
std::string Loader::qualified(std::string_view name) const {
    if (prefix_.empty() || name.empty() || name[0] == ':') return std::string(name);
    std::string out;
    std::size_t at = 0;
    while (at <= name.size()) {
        const std::size_t bar = std::min(name.find('|', at), name.size());
        const std::string_view part = name.substr(at, bar - at);
        if (!part.empty()) out += prefix_ + std::string(part);
        if (bar < name.size()) out += '|';
        at = bar + 1;
    }
    return out;
}

NodePtr Loader::find(std::string_view name) const {
    const std::string full = qualified(name);
    const auto it = renamed_.find(full);
    if (it != renamed_.end()) return it->second;
    if (NodePtr node = graph_.find(full)) return node;
    // Shared nodes of the outer scene have no namespace.
    return prefix_.empty() ? nullptr : graph_.find(std::string(name));
}

void Loader::createNode(const Statement& s) {
    finishNode();
    if (s.args.empty()) throw Error("createNode: missing node type");
    const std::string type(s.args[0].text), name(s.value("n", "name")), parentName(s.value("p", "parent"));
    currentName_ = name;
    current_ = nullptr;
    ignoreCurrent_ = false;

    if (s.has("s", "shared") && !name.empty()) {
        const NodePtr there = graph_.find(name);
        if (there && there->type->name == type) {
            current_ = there;
            ignoreCurrent_ = depth_ > 0;
            return;
        }
    }
    NodePtr above;
    if (!parentName.empty()) {
        above = find(parentName);
        if (!above) warn(s, name + ": its parent " + parentName + " does not exist; created under the world instead");
    }
    const Type* known = findType(type);
    const std::string full = qualified(name);
    if (above && known && !known->dag) {
        warn(s, name + ": " + type + " nodes are not in the DAG; parent ignored");
        above = nullptr;
    }
    current_ = !above && known && known->shape ? graph_.createWithParent(type, full) : graph_.create(type, full, above);
    if (!full.empty() && current_->name != full) renamed_[full] = current_;
    if (current_->type->placeholder && !isBookkeeping(type)) {
        const auto plugin = pluginOf_.find(type);
        if (LoadReport::count(report_.unknownTypes, type) == 1 && plugin != pluginOf_.end())
            warn(s, current_->name + ": unknown node type " + type + " (plug-in " + plugin->second +
                        " is not loaded); kept as a placeholder that computes nothing");
    }
}

void Loader::rename(const Statement& s) {
    if (s.has("uid", "uuid")) {
        if (current_ && !ignoreCurrent_) current_->uuid = std::string(s.value("uid", "uuid"));
        return;
    }
    const NodePtr node = s.args.size() > 1 ? find(s.args[0].text) : current_;
    if (node && !s.args.empty()) graph_.rename(node, qualified(s.args.back().text));
}

void Loader::select(const Statement& s) {
    finishNode();
    if (s.args.empty()) return;
    currentName_ = std::string(s.args.back().text);
    current_ = find(currentName_);
    ignoreCurrent_ = depth_ > 0 && !currentName_.empty() && currentName_[0] == ':';
    if (!current_) skip("select " + currentName_);
}

void Loader::lockNode(const Statement& s) {
    bool on = true;
    readBool(s.value("l", "lock", "on"), on);
    const NodePtr node = s.args.empty() ? current_ : find(s.args[0].text);
    if (node && !ignoreCurrent_) node->nodeLocked = on;
}

void Loader::addAttr(const Statement& s) {
    const NodePtr node = s.args.empty() ? current_ : find(s.args[0].text);
    if (!node || ignoreCurrent_) return skip("addAttr on " + currentName_);
    attributes_.add(node, s);
}

void Loader::setAttr(const Statement& s) {
    if (s.args.empty()) throw Error("setAttr: missing attribute");
    const std::string_view text = s.args[0].text;
    std::string nodeName, path;
    if (!splitPlug(text, nodeName, path)) throw Error("setAttr: '" + std::string(text) + "' is not an attribute");
    const NodePtr node = nodeName.empty() ? current_ : find(nodeName);
    if (!node) return skip("setAttr on " + (nodeName.empty() ? currentName_ : nodeName));
    if (nodeName.empty() && ignoreCurrent_) return;
    attributes_.finish();

    if (s.args.size() > 1) setValues(node, path, s);
    const bool keptWhole = !node->kept.empty() && node->kept.back().path == path && !node->kept.back().values.empty();
    if (!keptWhole) keepDisplay(node, path, s);

    bool lock = false;
    if (readBool(s.value("l", "lock"), lock) && lock && node->has(path))
        for (const Plug& plug : node->plugs(path)) toLock_.push_back(plug);
}

// Sets one attribute of one node. An invalid value leaves the attribute unchanged.
void Loader::setValues(const NodePtr& node, const std::string& path, const Statement& s) {
    const Words values(s.args.data() + 1, s.args.data() + s.args.size());
    if (node->type->isA("mesh")) {
        if (node == current_) mesh_.read(node->name, path, values, graph_.units.cmPerUnit);
        if (MeshReader::keeps(path)) return;
    }
    const std::string type(s.value("typ", "type"));
    Words words = values;

    if (type == "attributeAlias") {  // { "smile" , "weight[0]" , … }
        std::vector<std::string> names;
        while (!words.atEnd()) {
            const std::string_view word = words.word();
            if (word != "{" && word != "}") names.emplace_back(word);
        }
        for (std::size_t i = 0; i + 1 < names.size(); i += 2) node->aliases[names[i]] = names[i + 1];
        return;
    }

    if (type == "dataReferenceEdits") {
        // Applied edits are recomputed on save; the statement is kept verbatim only if it has unknown ones.
        if (applyEdits(s, words) > 0) keepWords(node, path, s);
        return;
    }
    checkRange(path, s.args.size() - 1);
    std::vector<Plug> plugs;
    if (isForeign(*node, path)) return keepWords(node, path, s);
    const auto keepUnknown = [&] {
        keepWords(node, path, s);
        if (!node->type->placeholder) skip("setAttr " + node->type->name + "." + withoutIndices(path));
    };
    // Fast path: most unknown attributes are recognized by their first name; files have thousands of them.
    if (!node->user && !node->aliases.count(path) && !node->find(path.substr(0, path.find_first_of(".["))))
        return keepUnknown();
    try {
        plugs = node->plugs(path);
    } catch (const Error& e) {
        keepUnknown();
        if (node->user) throw Error(e.what());  // plugin nodes: most likely a typing error
        return;
    }
    // Omitted indices are 0: .iog.og[1]
    for (Plug& plug : plugs)
        for (int& i : plug.indices)
            if (i < 0) i = 0;
    const Plug& first = plugs.front();
    const std::string unchanged = "; its value is left as it was";
    try {
        if (holdsData(first.attr->kind)) {
            const bool bareString = type.empty() && first.attr->dataType == DataType::String && s.args[1].quoted;
            std::string dataType = bareString ? "string" : type;
            if (dataType.empty() && (first.attr->kind == Kind::Matrix || first.attr->dataType == DataType::Matrix))
                dataType = "matrix";
            for (const Plug& plug : plugs) {
                const DataPtr data = readData(dataType, words, graph_.units);
                if (!data) {
                    keepWords(node, path, s);
                    return skip("setAttr -type " + (dataType.empty() ? "(none)" : dataType));
                }
                plug.set(data);
            }
            return;
        }
        if (first.attr->kind == Kind::Message || first.isArray()) return keepWords(node, path, s);
        if (type == "string" || s.args[1].quoted)
            throw Error(first.name() + ": expected a number, not the string '" + std::string(s.args[1].text) + "'");
        std::vector<double> numbers;
        while (!words.atEnd()) {
            try {
                numbers.push_back(words.number());
            } catch (const Error& e) { throw Error(first.name() + ": " + e.what()); }
        }
        const std::size_t each = numbers.size() / plugs.size();
        if (each * plugs.size() != numbers.size() || each == 0)
            throw Error(first.name() + ": " + std::to_string(numbers.size()) + " numbers for " +
                        std::to_string(plugs.size()) + " elements");
        for (std::size_t i = 0; i < plugs.size(); ++i)
            plugs[i].setNumbers(numbers.data() + i * each, static_cast<int>(each));
    } catch (const Error& e) {
        // prepend the plug, which the messages of readData lack
        const std::string what = e.what(), name = node->name;
        throw Error((what.compare(0, name.size(), name) == 0 ? what : first.name() + ": " + what) + unchanged);
    }
}

void Loader::keepWords(const NodePtr& node, const std::string& path, const Statement& s) {
    Node::KeptStatement statement{path, {}, {}};
    for (const Flag& flag : s.flags) appendFlag(statement.flags, flag);
    for (std::size_t i = 1; i < s.args.size(); ++i) statement.values.push_back(asWritten(s.args[i]));
    const auto [place, isNew] = keptAt_.try_emplace({node.get(), path}, node->kept.size());
    if (isNew)
        node->kept.push_back(std::move(statement));
    else
        node->kept[place->second] = std::move(statement);
}

// The referenced file is already loaded: references come first in a scene.
int Loader::applyEdits(const Statement& s, Words words) {
    const ReferenceEdits edits = readReferenceEdits(words);
    for (const auto& [holder, plug] : edits.placeHolders) placeHolders_[holder] = plug;
    for (const std::string& text : edits.statements) {
        Statement edit;
        try {
            Lexer lexer(text, fileName_);
            lexer.next(edit);
            edit.line = s.line;
            execute(edit);
        } catch (const SyntaxError&) { warn(s, "skipped an unreadable reference edit: " + text); }
    }
    if (edits.unknown > 0) report_.skipped["edits of references"] += edits.unknown;
    return edits.unknown;
}

// Keyable and channel box flags, which only affect Maya's UI.
void Loader::keepDisplay(const NodePtr& node, const std::string& path, const Statement& s) {
    static const std::set<std::string_view> kFlags = {"k", "keyable", "cb", "channelBox", "ca", "caching"};
    Node::KeptStatement statement{path, {}, {}};
    for (const Flag& flag : s.flags)
        if (kFlags.count(flag.name)) appendFlag(statement.flags, flag);
    if (!statement.flags.empty()) node->kept.push_back(std::move(statement));
}

// Called after the last statement of the current node: stores the collected data.
void Loader::finishNode() {
    try {
        attributes_.finish();
        if (const DataPtr data = current_ ? mesh_.data() : nullptr) {
            current_->plug("inMesh").set(data);
            if (mesh_.holes() > 0)
                report_.warn(fileName_ + ": " + current_->name + ": " + std::to_string(mesh_.holes()) +
                             " holes in faces were filled; holes are not supported");
        }
        if (current_ && current_->type->name == "script" &&
            current_->name.find("sceneConfigurationScriptNode") != std::string::npos && depth_ == 0)
            readPlaybackOptions(current_->plug("before").text());
    } catch (const Error& e) {
        report_.warn(fileName_ + ": " + current_->name + ": " + e.what() + "; the mesh is left empty");
    }
    mesh_ = {};
}

// Parses "playbackOptions -min 1 -max 120 -ast 1 -aet 200" without executing it.
void Loader::readPlaybackOptions(const std::string& script) {
    const std::vector<std::string> words = splitWords(script, " \t\n;");
    if (words.empty() || words[0] != "playbackOptions") return;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        double value;
        if (!readNumber(std::string_view(words[i + 1]), value)) continue;
        constexpr double kMaxFrame = 1e9;  // frame numbers must fit an int
        if (!(std::abs(value) <= kMaxFrame)) {
            report_.warn(fileName_ + ": playback range: frame " + words[i + 1] + " is out of range; ignored");
            continue;
        }
        const std::string& flag = words[i];
        if (flag == "-min" || flag == "-minTime")
            report_.firstFrame = value;
        else if (flag == "-max" || flag == "-maxTime")
            report_.lastFrame = value;
        else if (flag == "-ast" || flag == "-animationStartTime")
            report_.animationStart = value;
        else if (flag == "-aet" || flag == "-animationEndTime")
            report_.animationEnd = value;
        else
            continue;
        report_.hasFrameRange = true;
    }
}

// The last statement about a plug counts, except for a list.
void Loader::keepConnection(Node& node, const Node::KeptConnection& connection) {
    auto& kept = node.keptConnections;
    if (!connection.nextAvailable)
        kept.erase(
            std::remove_if(kept.begin(), kept.end(), [&](const auto& each) { return each.path == connection.path; }),
            kept.end());
    if (std::find(kept.begin(), kept.end(), connection) == kept.end()) kept.push_back(connection);
}

// Keeps a statement verbatim, but for the names of nodes, which may be renamed.
void Loader::keepCommand(const Statement& s) {
    Graph::KeptCommand kept{std::string(s.command), {}};
    std::vector<std::string> flags;
    for (const Flag& flag : s.flags) appendFlag(flags, flag);
    for (const std::string& word : flags) kept.words.push_back({word, {}, false});
    for (const Token& argument : s.args) {
        const std::string text(argument.text);
        const size_t dot = std::min(text.find('.'), text.size());
        const NodePtr node = argument.quoted && dot > 0 ? find(text.substr(0, dot)) : nullptr;
        if (node)
            kept.words.push_back({text.substr(dot), node, true});
        else
            kept.words.push_back({asWritten(argument), {}, false});
    }
    graph_.kept.push_back(std::move(kept));
}

// The plug named by a token, with reference placeholders resolved.
std::string Loader::plugName(const Token& token) const {
    std::string text(token.text);
    const std::size_t shortName = text.find(".phl[");
    if (shortName != std::string::npos) text.replace(shortName, 5, ".placeHolderList[");
    const auto it = placeHolders_.find(text);
    return it == placeHolders_.end() ? std::string(token.text) : it->second;
}

void Loader::connectAttr(const Statement& s) {
    finishNode();
    if (s.args.size() < 2) throw Error("connectAttr needs a source and a destination");
    std::string names[2], paths[2];
    NodePtr nodes[2];
    for (int i = 0; i < 2; ++i) {
        if (!splitPlug(plugName(s.args[i]), names[i], paths[i]))
            throw Error("connectAttr: '" + std::string(s.args[i].text) + "' is not an attribute");
        nodes[i] = names[i].empty() ? current_ : find(names[i]);
        if (!nodes[i]) return skip("connectAttr with a missing node");
    }
    const bool next = s.has("na", "nextAvailable");
    Plug plugs[2];
    for (int i = 0; i < 2; ++i) {
        if (isForeign(*nodes[i], paths[i])) continue;
        try {
            plugs[i] = nodes[i]->plug(paths[i]);
            for (int& index : plugs[i].indices)
                if (index < 0) index = 0;
        } catch (const Error& e) {
            if (nodes[i]->user)
                throw Error(std::string("cannot connect ") + std::string(s.args[0].text) + " to " +
                            std::string(s.args[1].text) + ": " + e.what());
        }
    }
    if (!plugs[0] && plugs[1]) plugs[0] = standIn(nodes[0], paths[0], plugs[1], true);
    if (!plugs[1] && plugs[0]) plugs[1] = standIn(nodes[1], paths[1], plugs[0], false, next);
    if (!plugs[0] || !plugs[1]) {
        // Neither attribute is known: keep the statement verbatim.
        keepConnection(*nodes[1], {paths[1], graph_.dagName(nodes[0]) + "." + paths[0], next});
        if (!nodes[0]->type->placeholder && !nodes[1]->type->placeholder)
            skip("connectAttr " + nodes[0]->type->name + "." + withoutIndices(paths[0]) + " to " +
                 nodes[1]->type->name + "." + withoutIndices(paths[1]));
        return;
    }
    // worldMesh means worldMesh[0]; a destination array without an index takes its next free element.
    const bool toMessage = plugs[1].attr->kind == Kind::Message;
    if (plugs[1].isArray() && (next || !plugs[0].isArray() || toMessage)) plugs[1] = graph_.nextAvailable(plugs[1]);
    if (plugs[0].isArray() && !plugs[1].isArray() && !toMessage) plugs[0] = plugs[0].element(0);
    graph_.connect(plugs[0], plugs[1], true);
    bool lock = false;
    if (readBool(s.value("l", "lock"), lock) && lock) toLock_.push_back(plugs[1]);
}

void Loader::disconnectAttr(const Statement& s) {
    if (s.args.size() < 2) throw Error("disconnectAttr needs a source and a destination");
    Plug plugs[2];
    for (size_t i = 0; i < 2; ++i) {
        std::string name, path;
        if (!splitPlug(s.args[i].text, name, path))
            throw Error("disconnectAttr: '" + std::string(s.args[i].text) + "' is not an attribute");
        const NodePtr node = find(name);
        if (!node || !node->has(path)) return skip("disconnectAttr of a missing plug");
        plugs[i] = node->plug(path);
    }
    if (plugs[1].source() == plugs[0]) graph_.disconnect(plugs[0], plugs[1]);
}

void Loader::parent(const Statement& s) {
    finishNode();
    if (s.args.empty()) return;
    const bool toWorld = s.has("w", "world");
    const NodePtr above = toWorld ? nullptr : find(s.args.back().text);
    if (!toWorld && !above) throw Error("parent: no node named " + std::string(s.args.back().text));
    for (std::size_t i = 0; i + (toWorld ? 0 : 1) < s.args.size(); ++i) {
        const NodePtr node = find(s.args[i].text);
        if (!node) throw Error("parent: no node named " + std::string(s.args[i].text));
        if (s.has("add", "addObject"))
            graph_.addInstance(node, above);
        else
            graph_.setParent(node, above);
    }
}

// file -r -ns "a" … "path" loads the other scene with its nodes named a:…; -rdi only declares it.
void Loader::reference(const Statement& s) {
    finishNode();
    current_ = nullptr;
    if (depth_ == 0) graph_.references.push_back({asWritten(s), "", ""});
    if (!s.has("r", "reference") || s.args.empty()) return;
    std::string given(s.args.back().text);
    // "prop.ma{2}": the second reference to the same file
    const std::size_t brace = given.find_last_of('{');
    if (brace != std::string::npos && given.back() == '}') given.erase(brace);
    std::string space(s.value("ns", "namespace"));
    while (!space.empty() && space[0] == ':') space.erase(0, 1);

    const fs::path wanted = toPath(graph_.mapPath ? graph_.mapPath(given) : given);
    fs::path path = wanted;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) path = toPath(folder_) / wanted;
    if (!fs::is_regular_file(path, ignored)) path = toPath(folder_) / wanted.filename();
    if (!fs::is_regular_file(path, ignored))
        throw Error("the referenced file " + given + " does not exist; its nodes are missing");

    const Units units = graph_.units;  // restored afterwards: the referenced file has its own units
    const long long last = graph_.lastSerial();
    try {
        readReference(toText(path), space);
        if (depth_ == 0) {
            graph_.references.back().path = toText(path);
            graph_.references.back().nameSpace = space;
        }
    } catch (const Error& e) { warn(s, "reference: " + std::string(e.what())); }
    graph_.units = units;
    for (const NodePtr& node : graph_.nodesSince(last)) node->referenced = true;
}

void Loader::readReference(const std::string& path, const std::string& nameSpace) {
    const std::string file = canonical(path);
    if (std::find(files_.open.begin(), files_.open.end(), file) != files_.open.end())
        throw Error(path + ": references itself, directly or through another file; skipped this reference");
    if (files_.open.size() > FilesRead::kMaxDepth)
        throw Error(path + ": references are nested more than " + std::to_string(FilesRead::kMaxDepth) +
                    " levels deep; skipped");
    if (files_.references >= FilesRead::kMaxReferences)
        throw Error(path + ": skipped; a scene can have at most " + std::to_string(FilesRead::kMaxReferences) +
                    " references");
    std::error_code ignored;
    if (files_.bytes + fs::file_size(toPath(path), ignored) > FilesRead::kMaxBytes)
        throw Error(path + ": skipped; the references of a scene can have at most " +
                    std::to_string(FilesRead::kMaxBytes >> 20) + " MB in total");
    const std::string text = readSceneFile(path);
    ++files_.references;
    files_.bytes += text.size();
    report_.references.push_back(path);
    files_.open.push_back(file);
    Loader loader(graph_, report_, files_, path, toText(toPath(path).parent_path()),
                  prefix_ + (nameSpace.empty() ? "" : nameSpace + ":"), depth_ + 1);
    try {
        loader.run(text);
    } catch (...) {
        files_.open.pop_back();
        throw;
    }
    files_.open.pop_back();
}

}  // namespace purl::host

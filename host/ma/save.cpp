#include "host/ma/save.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "host/api/plugin.h"
#include "host/builtin/builtin.h"
#include "host/ma/addAttr.h"
#include "host/ma/load.h"
#include "host/ma/meshWriter.h"
#include "host/ma/values.h"
#include "solver/core/path.h"

namespace purl::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRangeNode = "sceneConfigurationScriptNode";

bool isCamera(const Node& node) {
    return node.type->isA("camera") || (!node.children.empty() && node.children[0]->type->isA("camera"));
}

bool allNumbers(const Attr& attr) {
    if (isScalar(attr.kind)) return true;
    if (attr.kind == Kind::Numeric) return true;
    if (attr.kind != Kind::Compound) return false;
    for (const AttrPtr& child : attr.children)
        if (child->array || !allNumbers(*child)) return false;
    return true;
}

class Writer {
  public:
    // `folder`: destination folder of the scene; empty if unknown.
    Writer(const Graph& graph, const std::string& folder) : graph_(graph), folder_(toPath(folder)) {
        addDefaultNodes(newScene_);
        if (!graph.references.empty()) addDefaultNodes(referencesOnly_);
        for (const Graph::Reference& reference : graph.references) {
            if (reference.path.empty()) continue;
            try {
                loadInto(referencesOnly_, reference.path, reference.nameSpace);
            } catch (const Error&) {}  // unreadable reference: its nodes are written as part of this scene
        }
    }

    std::string run(const std::string& name) {
        out_ = "//Maya ASCII 2024 scene\n//Name: " + name + "\n//Codeset: UTF-8\n";
        for (const Graph::Reference& reference : graph_.references) out_ += statementOf(reference) + "\n";
        out_ += "requires maya \"2024\";\n";
        writeRequirements();
        out_ += "currentUnit -l " + graph_.units.linear + " -a " + graph_.units.angular + " -t " + graph_.units.time +
                ";\n";
        for (const auto& [key, value] : graph_.fileInfo)
            out_ += "fileInfo " + inQuotes(key) + " " + inQuotes(value) + ";\n";
        const std::vector<NodePtr> nodes = inOrder();
        for (const NodePtr& node : nodes)
            if (!inReference(*node) && (!isDefault(*node) || isCamera(*node))) writeNode(*node);
        writeRange();
        for (const NodePtr& node : nodes)
            if (isDefault(*node) && !isCamera(*node)) writeDefault(*node);
        writeEdits(nodes);
        for (const NodePtr& node : nodes) writeInstances(node);
        for (const Graph::KeptCommand& command : graph_.kept) writeKept(command);
        writeAllConnections(nodes);
        out_ += "// End of " + name + "\n";
        return std::move(out_);
    }

  private:
    // The original statement, unless the referenced file could not be found from the new folder.
    std::string statementOf(const Graph::Reference& reference) const {
        const std::string& text = reference.statement;
        const std::size_t close = text.rfind('"'), open = close == 0 || close == std::string::npos
                                                              ? std::string::npos
                                                              : text.rfind('"', close - 1);
        if (open == std::string::npos) return text;
        const std::string given = text.substr(open, close + 1 - open);
        const fs::path wanted = toPath(given.substr(1, given.size() - 2));
        std::error_code ignored;
        if (!folder_.empty() && (fs::is_regular_file(folder_ / wanted, ignored) ||
                                 fs::is_regular_file(folder_ / wanted.filename(), ignored)))
            return text;
        for (const Graph::Reference& read : graph_.references)
            if (!read.path.empty() && read.statement.find(given) != std::string::npos)
                return text.substr(0, open) + inQuotes(absolutePath(read.path)) + text.substr(close + 1);
        return text;
    }

    // DAG nodes in creation order, parents before children, then all other nodes.
    std::vector<NodePtr> inOrder() const {
        std::vector<NodePtr> nodes;
        std::set<const Node*> seen;
        const auto descend = [&](const NodePtr& node, const auto& self) -> void {
            if (!seen.insert(node.get()).second) return;
            nodes.push_back(node);
            for (Node* child : node->children) self(child->ptr(), self);
        };
        for (const NodePtr& node : graph_.nodes())
            if (node->isDag() && node->parents.empty() && (node->inWorld || !node->type->placeholder))
                descend(node, descend);
        for (const NodePtr& node : graph_.nodes())
            if (seen.insert(node.get()).second) nodes.push_back(node);
        return nodes;
    }

    // True for the default nodes of every scene.
    bool isDefault(const Node& node) const {
        if (!node.parents.empty() && !isCamera(node)) return false;
        const NodePtr there = newScene_.find(node.name);
        return there && there->type == node.type;
    }

    // The corresponding node of the unedited references; null if the node belongs to the scene itself.
    NodePtr inReference(const Node& node) const {
        if (!node.referenced) return nullptr;
        const NodePtr there = referencesOnly_.find(graph_.dagName(const_cast<Node&>(node).ptr()));
        return there && there->type == node.type ? there : nullptr;
    }

    // The statements about a node, as if it were the current one.
    std::vector<std::string> statementsOf(Node& node) {
        const std::string before = std::move(out_);
        out_.clear();
        writeStatements(node);
        const std::string text = std::exchange(out_, before);
        std::vector<std::string> all;
        for (std::size_t at = 0, end; (end = text.find(";\n", at)) != std::string::npos; at = end + 2)
            all.push_back(text.substr(at, end - at));
        return all;
    }

    // Writes the scene's edits of referenced nodes, with full node names.
    void writeEdits(const std::vector<NodePtr>& nodes) {
        for (const NodePtr& node : nodes) {
            const NodePtr there = inReference(*node);
            if (!there) continue;
            const std::vector<std::string> plain = statementsOf(*there);
            for (const std::string& statement : statementsOf(*node)) {
                if (std::find(plain.begin(), plain.end(), statement) != plain.end()) continue;
                const std::size_t path = statement.find(" \".");
                out_ += path == std::string::npos  // addAttr
                            ? statement.substr(1) + " " + inQuotes(nameOf(node)) + ";\n"
                            : statement.substr(1, path + 1) + nameOf(node) + statement.substr(path + 2) + ";\n";
            }
        }
    }

    std::vector<std::string> connectionsOf(const std::vector<NodePtr>& nodes) {
        const std::string before = std::move(out_);
        out_.clear();
        for (const NodePtr& node : nodes) writeConnections(*node);
        const std::string text = std::exchange(out_, before);
        std::vector<std::string> all;
        for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
            all.push_back(text.substr(at, end - at));
        return all;
    }

    void writeAllConnections(const std::vector<NodePtr>& nodes) {
        const std::vector<std::string> now = connectionsOf(nodes);
        std::vector<NodePtr> there;
        for (const NodePtr& node : nodes)
            if (const NodePtr twin = inReference(*node)) there.push_back(twin);
        const std::vector<std::string> plain = connectionsOf(there);
        const std::set<std::string> had(plain.begin(), plain.end()), has(now.begin(), now.end());
        for (const std::string& line : plain)
            if (!has.count(line)) out_ += "disconnectAttr" + line.substr(std::strlen("connectAttr")) + "\n";
        for (const std::string& line : now)
            if (!had.count(line)) out_ += line + "\n";
    }

    // Left out if one of its nodes was deleted.
    void writeKept(const Graph::KeptCommand& command) {
        std::string line = command.command;
        for (const auto& word : command.words) {
            const NodePtr node = word.node.lock();
            if (word.named && (!node || !node->alive())) return;
            line += " " + (word.named ? inQuotes(nameOf(node) + word.text) : word.text);
        }
        out_ += line + ";\n";
    }

    std::string nameOf(const NodePtr& node) const {
        return (isDefault(*node) && !isCamera(*node) ? ":" : "") + graph_.dagName(node);
    }

    void writeRequirements() {
        std::vector<Graph::Requirement> all;
        std::set<std::string> covered;
        for (const Graph::Requirement& needs : graph_.required) {
            all.push_back(needs);
            covered.insert(needs.nodeTypes.begin(), needs.nodeTypes.end());
        }
        std::set<std::string> types;
        for (const NodePtr& node : graph_.nodes())
            if (!node->type->plugin.empty()) types.insert(node->type->name);
        for (const std::string& name : types) {
            if (covered.count(name)) continue;
            const std::string& plugin = findType(name)->plugin;
            Graph::Requirement* needs = nullptr;
            for (Graph::Requirement& r : all)
                if (r.plugin == plugin) needs = &r;
            if (!needs) {
                const std::shared_ptr<Plugin> loaded = findPlugin(plugin);
                all.push_back({plugin, loaded ? loaded->version : "", {}, {}});
                needs = &all.back();
            }
            needs->nodeTypes.push_back(name);
        }
        for (const Graph::Requirement& needs : all) {
            out_ += "requires";
            for (const std::string& type : needs.nodeTypes) out_ += " -nodeType " + inQuotes(type);
            for (const std::string& type : needs.dataTypes) out_ += " -dataType " + inQuotes(type);
            out_ += " " + inQuotes(needs.plugin) + " " + inQuotes(needs.version) + ";\n";
        }
    }

    void writeNode(Node& node) {
        if (isRange(node)) return;  // written by writeRange()
        out_ += "createNode " + node.type->name;
        if (isDefault(node)) out_ += " -s";
        out_ += " -n " + inQuotes(node.name);
        if (!node.parents.empty()) out_ += " -p " + inQuotes(graph_.dagName(node.parents[0]->ptr()));
        out_ += ";\n";
        if (!node.uuid.empty()) out_ += "\trename -uid " + inQuotes(node.uuid) + ";\n";
        writeStatements(node);
        if (node.nodeLocked) out_ += "\tlockNode -l 1;\n";
    }

    void writeDefault(Node& node) {
        const std::size_t before = out_.size();
        out_ += "select -ne :" + node.name + ";\n";
        const std::size_t begun = out_.size();
        writeStatements(node);
        if (out_.size() == begun) out_.resize(before);
    }

    void writeStatements(Node& node) {
        for (const AttrPtr& attr : node.dynamic()) {
            if (attr->standIn) continue;
            for (const std::string& statement : addAttrStatements(*attr, graph_.units)) out_ += "\t" + statement + "\n";
        }
        const bool outsideDag = node.type->placeholder && node.parents.empty();
        for (const AttrPtr& attr : node.attributes()) {
            if (!attr->storable || !attr->writable || attr->standIn || node.type->isOutput(attr.get())) continue;
            if (outsideDag && !attr->dynamic && !findType("dependNode")->has(attr.get())) continue;
            writePlug(node.plug(attr));
        }
        for (const Node::KeptStatement& kept : node.kept) {
            out_ += "\tsetAttr";
            bool typed = false;
            for (const std::string& word : kept.flags) {
                // -type follows the attribute.
                if (word == "-type" || word == "-typ") break;
                out_ += " " + word;
            }
            out_ += " \"." + kept.path + "\"";
            for (const std::string& word : kept.flags) {
                typed = typed || word == "-type" || word == "-typ";
                if (typed) out_ += " " + word;
            }
            for (const std::string& word : kept.values) out_ += " " + word;
            out_ += ";\n";
        }
        if (!node.aliases.empty()) {
            std::string words;
            for (const auto& [alias, path] : node.aliases)
                words += (words.empty() ? "" : ",") + inQuotes(alias) + "," + inQuotes(path);
            out_ += "\tsetAttr \".aal\" -type \"attributeAlias\" {" + words + "};\n";
        }
        for (const AttrPtr& attr : node.attributes()) writeLocks(node, *attr);
    }

    void writeLocks(Node& node, const Attr& attr) {
        for (const Node::Key& key : node.lockedPlugs)
            if (key.attr == attr.id) {
                const auto pointer = std::static_pointer_cast<Attr>(const_cast<Attr&>(attr).shared_from_this());
                out_ += "\tsetAttr -l on \"." + Plug(node.ptr(), pointer, key.indices).path(false) + "\";\n";
            }
        for (const AttrPtr& child : attr.children) writeLocks(node, *child);
    }

    // True if driven by a source that is saved with the scene.
    static bool driven(const Plug& plug) {
        const Plug source = plug.drivingSource();
        return source && !source.attr->standIn;
    }

    static bool anyDrivenBelow(const Plug& plug) {
        for (const auto& [key, input] : plug.node->inputs)
            if (input.plug != plug && input.plug.isOrIsBelow(plug) && driven(input.plug)) return true;
        return false;
    }

    void writePlug(const Plug& plug) {
        const Value* value = plug.peek();
        if (!value || driven(plug)) return;
        const Attr& attr = *plug.attr;
        if (plug.isArray()) {
            if (allNumbers(attr) && !anyDrivenBelow(plug)) return writeRuns(plug);
            for (const int i : plug.elements()) writePlug(plug.element(i));
        } else if (holdsData(attr.kind)) {
            writeData(plug, *value);
        } else if (attr.kind == Kind::Compound || (attr.kind == Kind::Numeric && anyDrivenBelow(plug))) {
            for (int k = 0; k < plug.childCount(); ++k) writePlug(plug.child(k));
        } else if (attr.kind != Kind::Message && (plug.isElement() || differs(plug, *value))) {
            std::string type;
            if (attr.kind == Kind::Numeric) type = " -type " + inQuotes(numericName(attr));
            out_ += "\tsetAttr \"." + plug.path(false) + "\"" + type + numbersOf(plug) + ";\n";
        }
    }

    static std::string numericName(const Attr& attr) {
        const char* element = attr.element == Kind::Float   ? "float"
                              : attr.element == Kind::Int   ? "long"
                              : attr.element == Kind::Short ? "short"
                                                            : "double";
        return element + std::to_string(attr.children.size());
    }

    // True if the value differs from the type's default, or from its value in a new scene.
    bool differs(const Plug& plug, const Value& value) const {
        if (differsFromType(plug, value)) return true;
        const NodePtr twin = inReference(*plug.node);
        if (!twin && !isDefault(*plug.node)) return false;
        const Plug there(twin ? twin : newScene_.find(plug.node->name), plug.attr, plug.indices);
        const Value* other = plug.attr->dynamic ? nullptr : there.peek();
        return other && differsFromType(there, *other);
    }

    static bool differsFromType(const Plug& plug, const Value& value) {
        const Attr& attr = *plug.attr;
        if (attr.kind != Kind::Numeric) {
            const Value* above = value.above;
            const bool packed = above && above->attr != &attr && above->attr->kind == Kind::Numeric;
            return value.number() != (packed ? above->attr->initial[attr.childIndex()] : attr.initial[0]);
        }
        for (int k = 0; k < plug.childCount(); ++k)
            if (value.component(k) != attr.initial[k]) return true;
        return false;
    }

    // All numbers of a plug, compound children flattened, each preceded by a blank.
    std::string numbersOf(const Plug& plug) const {
        const Attr& attr = *plug.attr;
        std::string text;
        if (!isScalar(attr.kind)) {
            for (int k = 0; k < plug.childCount(); ++k) text += numbersOf(plug.child(k));
            return text;
        }
        const Value& value = *plug.value();
        const double size = sizeOfUnit(attr.kind, graph_.units);
        if (attr.kind == Kind::Bool) return value.number() != 0 ? " yes" : " no";
        if (value.storage() == Kind::Float) return " " + numberText(static_cast<float>(value.number()), size);
        return " " + numberText(value.number(), size);
    }

    // Writes an array of numbers, with consecutive elements in one statement.
    void writeRuns(const Plug& array) {
        const std::vector<int> elements = array.elements();
        const int each = std::max(1, static_cast<int>(array.attr->leafCount()));
        const std::size_t most = static_cast<std::size_t>(std::max(1, kNumbersPerStatement / each));
        for (std::size_t first = 0; first < elements.size();) {
            std::size_t end = first + 1;
            while (end < elements.size() && end - first < most && elements[end] == elements[end - 1] + 1) ++end;
            out_ += "\tsetAttr ";
            if (first == 0) out_ += "-s " + std::to_string(elements.size()) + " ";
            out_ += "\"." + array.path(false) + "[" + std::to_string(elements[first]) +
                    (end - first > 1 ? ":" + std::to_string(elements[end - 1]) : "") + "]\"";
            if (array.attr->kind == Kind::Numeric) out_ += " -type " + inQuotes(numericName(*array.attr));
            for (std::size_t i = first; i < end; ++i) out_ += numbersOf(array.element(elements[i]));
            out_ += ";\n";
            first = end;
        }
    }

    void writeData(const Plug& plug, const Value& value) {
        if (!value.data || value.data == plug.attr->initialData) return;
        const auto* text = dynamic_cast<const StringData*>(value.data.get());
        if (text && text->text.length() == 0 && !plug.attr->initialData) return;
        if (plug.node->type->isA("mesh") && plug.attr->name == "inMesh" && value.data->type() == DataType::Mesh) {
            out_ += meshStatements(static_cast<const MeshData&>(*value.data), graph_.units);
            return;
        }
        const std::string words = dataText(*value.data, graph_.units);
        if (!words.empty()) out_ += "\tsetAttr \"." + plug.path(false) + "\" " + words + ";\n";
    }

    // The scene's own playback range node; references may have one with the same name.
    static bool isRange(const Node& node) {
        return node.type->name == "script" && node.name.compare(0, std::strlen(kRangeNode), kRangeNode) == 0 &&
               !node.referenced;
    }

    // Maya stores the playback range in a script node.
    void writeRange() {
        NodePtr node;
        for (const NodePtr& each : graph_.nodesOfType("script"))
            if (!node && isRange(*each)) node = each;
        const std::string name = node                      ? node->name
                                 : graph_.find(kRangeNode) ? std::string(kRangeNode) + "1"
                                                           : std::string(kRangeNode);
        if (!node && graph_.maxTicks <= graph_.minTicks) return;
        const auto frame = [&](double ticks) { return numberText(ticks, graph_.units.ticksPerFrame); };
        out_ += "createNode script -n " + inQuotes(name) + ";\n";
        if (node && !node->uuid.empty()) out_ += "\trename -uid " + inQuotes(node->uuid) + ";\n";
        out_ += "\tsetAttr \".b\" -type \"string\" \"playbackOptions -min " + frame(graph_.minTicks) + " -max " +
                frame(graph_.maxTicks) + " -ast " + frame(graph_.startTicks) + " -aet " + frame(graph_.endTicks) +
                " \";\n\tsetAttr \".st\" 6;\n";
    }

    void writeInstances(const NodePtr& node) {
        if (node->parents.size() < 2 || inReference(*node)) return;
        const std::string first = Graph::fullName(graph_.dagPaths(*node).front());
        for (std::size_t i = 1; i < node->parents.size(); ++i)
            out_ += "parent -s -nc -r -add " + inQuotes(first) + " " +
                    inQuotes(graph_.dagName(node->parents[i]->ptr())) + ";\n";
    }

    void writeConnections(Node& node) {
        for (const auto& [key, input] : node.inputs) {
            if (isDefault(node) && isDefault(*input.source.node)) {
                const NodePtr there = newScene_.find(node.name);
                const Plug same(there, input.plug.attr, input.plug.indices);
                if (same.source() && same.source().node->name == input.source.node->name) continue;
            }
            // Entries in the lists of default nodes, in addition to Maya's own entries.
            // So are those of unknown attributes that the scene connected with -na.
            const bool list = input.plug.attr->standIn && !input.plug.attr->indexMatters;
            const bool listed =
                input.plug.isElement() && (list || (input.plug.attr->kind == Kind::Message && isDefault(node)));
            const Plug to = listed ? input.plug.array() : input.plug;
            out_ += "connectAttr " + inQuotes(nameOf(input.source.node) + "." + input.source.path(false)) + " " +
                    inQuotes(nameOf(node.ptr()) + "." + to.path(false)) + (listed ? " -na" : "") + ";\n";
        }
        for (const auto& [path, source, nextAvailable] : node.keptConnections)
            out_ += "connectAttr " + inQuotes(source) + " " + inQuotes(nameOf(node.ptr()) + "." + path) +
                    (nextAvailable ? " -na" : "") + ";\n";
    }

    const Graph& graph_;
    fs::path folder_;
    Graph newScene_;        // a new scene
    Graph referencesOnly_;  // a new scene with only the unedited references
    std::string out_;
};

}  // namespace

std::string sceneText(const Graph& graph, const std::string& name, const std::string& folder) {
    return Writer(graph, folder).run(name);
}

void saveScene(const Graph& graph, const std::string& path) {
    const std::string part = path + ".part";
    const std::string text =
        sceneText(graph, toText(toPath(path).filename()), toText(toPath(absolutePath(path)).parent_path()));
    const auto fail = [&](const std::string& what) {
        std::error_code ignored;
        fs::remove(toPath(part), ignored);
        throw Error(path + ": cannot be written: " + what);
    };
    std::error_code error;
    // Removes an existing symlink instead of following it.
    fs::remove(toPath(part), error);
    errno = 0;
    std::FILE* const file = openStream(part, "wbx");
    bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    written = file && std::fclose(file) == 0 && written;
    if (!written) fail(errno ? std::strerror(errno) : "does the folder exist?");
    fs::rename(toPath(part), toPath(path), error);
    if (error) fail(error.message());
}

}  // namespace purl::host

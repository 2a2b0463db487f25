#include "host/commands/command.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "host/builtin/meshEdits.h"
#include "host/graph/text.h"

namespace purl::host {

Word::Word(std::string t) : text(std::move(t)) {
    flag = text.size() > 1 && text[0] == '-' && (std::isalpha(static_cast<unsigned char>(text[1])) || text[1] == '_');
}

FlagSpec::FlagSpec(const std::string& spec) {
    const std::vector<std::string> words = splitWords(spec, " ");
    longName = words[0];
    shortName = words[1];
    for (size_t k = 2; k < words.size(); ++k)
        if (words[k] == "...")
            multiUse = true;
        else if (words[k] == "!")
            refused = true;
        else
            types.push_back(words[k]);
}

Command::Command(const char* n, const char* s, const std::vector<const char*>& specs,
                 std::function<CommandResult(CommandContext&)> r)
    : name(n), sentence(s), run(std::move(r)) {
    for (const char* spec : specs) flags.emplace_back(spec);
}

static const std::map<std::string, Command>& table() {
    static const std::map<std::string, Command> all = [] {
        std::map<std::string, Command> commands;
        for (const auto& family : {nodeCommands(), attributeCommands(), connectionCommands(), dagCommands(),
                                   polyCommands(), meshCommands(), timeCommands(), sceneCommands(), helpCommands()})
            for (const Command& command : family) commands.emplace(command.name, command);
        return commands;
    }();
    return all;
}

const Command* findBuiltinCommand(const std::string& name) {
    const auto it = table().find(name);
    return it == table().end() ? nullptr : &it->second;
}

std::vector<std::string> builtinCommandNames() {
    std::vector<std::string> names;
    for (const auto& entry : table()) names.push_back(entry.first);
    return names;
}

bool wordIsTrue(const std::string& word) {
    for (const char* no : {"0", "off", "no", "false", ""})
        if (word == no) return false;
    return true;
}

double numberOf(const std::string& word, const std::string& who) {
    double x;
    if (parseNumber(word, x)) return x;
    for (const char* yes : {"on", "yes", "true"})
        if (word == yes) return 1;
    for (const char* no : {"off", "no", "false"})
        if (word == no) return 0;
    throw Error(who + ": '" + word + "' is not a number");
}

// --- flags

class FlagReader {
  public:
    FlagReader(const Command& command, Invocation& into) : command_(command), into_(into) {}

    bool isMode(const std::string& flag) const {
        return (flag == "query" || flag == "q" || flag == "edit" || flag == "e") && !find(flag);
    }
    void mode(const std::string& flag) {
        (flag[0] == 'q' ? into_.query : into_.edit) = true;
        if (into_.query && into_.edit) throw Error(command_.name + ": -query and -edit cannot be combined");
    }
    const FlagSpec& get(const std::string& flag) const {
        if (const FlagSpec* spec = find(flag)) {
            if (spec->refused) throw Error(command_.name + ": -" + spec->longName + " is not supported; leave it out");
            return *spec;
        }
        std::vector<std::string> names;
        for (const FlagSpec& f : command_.flags) names.push_back(f.longName);
        const std::string close = nearest(flag, names);
        throw Error(command_.name + ": unknown flag -" + flag +
                    (close.empty() ? "" : "; did you mean -" + close + "?"));
    }
    void use(const FlagSpec& flag, std::vector<std::string> values) {
        if (!flag.multiUse && into_.has(flag.longName))
            throw Error(command_.name + ": flag -" + flag.longName + " is used twice");
        for (size_t k = 0; k < values.size() && k < flag.types.size(); ++k) check(flag, flag.types[k], values[k]);
        if (values.size() < flag.types.size()) values.clear();
        into_.uses_.emplace_back(flag.longName, std::move(values));
    }
    [[noreturn]] void wrongCount(const FlagSpec& flag) const {
        throw Error(command_.name + ": flag -" + flag.longName + " needs " + std::to_string(flag.types.size()) +
                    (flag.types.size() == 1 ? " value" : " values"));
    }

  private:
    const FlagSpec* find(const std::string& flag) const {
        for (const FlagSpec& f : command_.flags)
            if (flag == f.longName || flag == f.shortName) return &f;
        return nullptr;
    }
    void check(const FlagSpec& flag, const std::string& type, const std::string& value) const {
        const std::string who = command_.name + ": -" + flag.longName;
        if (type == "string") return;
        const double x = numberOf(value, who);
        if (type == "int" && !(x == std::floor(x) && std::abs(x) <= 2147483647.0))
            throw Error(who + ": '" + value + "' is not an integer");
    }

    const Command& command_;
    Invocation& into_;
};

Invocation parseInvocation(const Command& command, const Call& call) {
    Invocation result;
    FlagReader read(command, result);
    for (const auto& [name, value] : call.flags)
        if (read.isMode(name) && (value.words.empty() || wordIsTrue(value.words[0]))) read.mode(name);
    for (const auto& [name, value] : call.flags) {
        if (read.isMode(name)) continue;
        const FlagSpec& flag = read.get(name);
        const size_t each = flag.types.size();
        if (result.query || each == 0) {
            if (value.words.empty() || wordIsTrue(value.words[0]))
                read.use(flag, result.query ? value.words : std::vector<std::string>());
            continue;
        }
        if (value.words.size() == each || (flag.multiUse && value.words.size() % each == 0 && !value.words.empty())) {
            for (size_t k = 0; k < value.words.size(); k += each)
                read.use(flag, {value.words.begin() + long(k), value.words.begin() + long(k + each)});
        } else {
            read.wrongCount(flag);
        }
    }
    result.args = call.args;
    return result;
}

Invocation parseInvocation(const Command& command, const std::vector<Word>& words) {
    Invocation result;
    FlagReader read(command, result);
    for (const Word& w : words)
        if (w.flag && read.isMode(w.text.substr(1))) read.mode(w.text.substr(1));
    for (size_t i = 0; i < words.size(); ++i) {
        if (!words[i].flag) {
            result.args.emplace_back(words[i].text);
            continue;
        }
        const std::string name = words[i].text.substr(1);
        if (read.isMode(name)) continue;
        const FlagSpec& flag = read.get(name);
        std::vector<std::string> values;
        // In query mode, flags have no values.
        for (size_t k = 0; k < flag.types.size() && !result.query; ++k) {
            if (i + 1 >= words.size() || words[i + 1].flag) read.wrongCount(flag);
            values.push_back(words[++i].text);
        }
        read.use(flag, std::move(values));
    }
    return result;
}

std::vector<std::string> Invocation::words() const {
    std::vector<std::string> all;
    for (const Argument& a : args) all.insert(all.end(), a.words.begin(), a.words.end());
    return all;
}
std::vector<std::vector<std::string>> Invocation::values(const std::string& flag) const {
    std::vector<std::vector<std::string>> all;
    for (const auto& use : uses_)
        if (use.first == flag && !use.second.empty()) all.push_back(use.second);
    return all;
}
bool Invocation::has(const std::string& flag) const {
    return std::any_of(uses_.begin(), uses_.end(), [&](const auto& use) { return use.first == flag; });
}
bool Invocation::on(const std::string& flag, bool otherwise) const {
    bool last = otherwise;
    for (const auto& use : uses_)
        if (use.first == flag) last = use.second.empty() || wordIsTrue(use.second[0]);
    return last;
}
std::string Invocation::text(const std::string& flag, const std::string& otherwise) const {
    const auto all = values(flag);
    return all.empty() ? otherwise : all.back()[0];
}
double Invocation::number(const std::string& flag, double otherwise) const {
    const auto all = values(flag);
    return all.empty() ? otherwise : numberOf(all.back()[0], flag);
}
std::vector<double> Invocation::numbers(const std::string& flag) const {
    std::vector<double> out;
    const auto all = values(flag);
    if (!all.empty())
        for (const std::string& w : all.back()) out.push_back(numberOf(w, flag));
    return out;
}
std::vector<std::string> Invocation::used() const {
    std::vector<std::string> names;
    for (const auto& use : uses_) names.push_back(use.first);
    return names;
}

// --- shared by several commands

std::string nameOf(const Graph& graph, const NodePtr& node, bool longName) {
    if (!longName || !node->isDag()) return graph.dagName(node);
    const auto paths = graph.dagPaths(*node);
    return paths.empty() ? node->name : Graph::fullName(paths.front());
}

std::vector<std::string> namesOf(const Graph& graph, const std::vector<NodePtr>& nodes, bool longNames) {
    std::vector<std::string> names;
    for (const NodePtr& n : nodes) names.push_back(nameOf(graph, n, longNames));
    return names;
}

std::vector<NodePtr> nodesNamed(const Graph& graph, const std::vector<std::string>& words) {
    std::vector<NodePtr> all;
    for (const std::string& word : words) {
        if (word.find_first_of("*?") == std::string::npos) {
            all.push_back(graph.get(word));
            continue;
        }
        const auto found = graph.findAll(word);
        if (found.empty()) throw Error("no node matches " + word);
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

std::vector<std::string> targetWords(const CommandContext& context) {
    std::vector<std::string> words = context.call.words();
    return words.empty() ? context.graph.selection : words;
}

std::vector<NodePtr> targets(const CommandContext& context) {
    std::vector<std::string> words = targetWords(context);
    if (words.empty()) throw Error("nothing is specified or selected");
    for (std::string& w : words) w = w.substr(0, w.find('.'));
    return nodesNamed(context.graph, words);
}

NodePtr firstShape(const NodePtr& node) {
    if (node->type->shape) return node;
    for (Node* c : node->children)
        if (c->type->shape && !c->plug("intermediateObject").flag()) return c->ptr();
    return nullptr;
}

CommandResult listOrNothing(std::vector<std::string> list) {
    if (list.empty()) return {};
    return list;
}

Edit selecting(Graph& graph, const std::vector<std::string>& names) {
    Graph* g = &graph;
    return {[g, names] { g->selection = names; }, [g, before = graph.selection] { g->selection = before; }};
}

NodePtr createdNode(CommandContext& context, const std::string& type, const std::string& name, const NodePtr& parent) {
    const NodePtr node = context.graph.create(type, name, parent);
    context.edits.make(creating(context.graph, {node}));
    return node;
}

std::pair<NodePtr, NodePtr> createdShape(CommandContext& context, const std::string& type, const std::string& name) {
    const NodePtr transform = createdNode(context, "transform", name);
    return {transform, createdNode(context, type, shapeName(transform->name), transform)};
}

std::string shapeName(const std::string& transform) {
    size_t end = transform.size();
    while (end > 1 && std::isdigit(static_cast<unsigned char>(transform[end - 1]))) --end;
    return transform.substr(0, end) + "Shape" + transform.substr(end);
}

void setNumbers(CommandContext& context, const Plug& plug, const std::vector<double>& shown) {
    context.edits.make(setting(plug, [plug, shown] { plug.setNumbers(shown.data(), int(shown.size())); }));
}

void setNumber(CommandContext& context, const Plug& plug, double shown) { setNumbers(context, plug, {shown}); }

// Moves a shape's tweaks into a polyTweak node after `source`, as Maya does before an edit of the topology; returns the
// plug to continue from.
static Plug tweaksBefore(CommandContext& context, const NodePtr& shape, const Plug& source) {
    const Plug tweaks = shape->plug("pnts");
    const std::vector<int> vertices = tweaks.elements();
    if (vertices.empty()) return source;
    Plug next = source;
    if (source) {
        const NodePtr node = createdNode(context, "polyTweak", "polyTweak#");
        const Plug list = node->plug("tweak");
        context.edits.make(setting(list, [list, tweaks, vertices] {
            for (const int v : vertices) {
                const auto d = tweaks.element(v).vec3();
                list.element(v).set(d[0], d[1], d[2]);
            }
        }));
        context.edits.make(connecting(source, node->plug("inputPolymesh")));
        next = node->plug("output");
    }
    context.edits.make(setting(tweaks, [tweaks] {
        tweaks.value()->elements.clear();
        tweaks.node->graph->dirtyBelow(tweaks);
    }));
    return next;
}

NodePtr insertHistory(CommandContext& context, const NodePtr& shape, const HistoryNode& kind,
                      const std::vector<int>& faces,
                      const std::function<std::shared_ptr<MeshData>(const MeshData&)>& edit) {
    const Plug in = shape->plug("inMesh"), source = in.source();
    const auto mesh = shape->plug("outMesh").data<MeshData>();
    if (!mesh) throw Error(shape->name + ": has no mesh");
    const DataPtr edited = edit(*mesh);
    const Plug before = tweaksBefore(context, shape, source);
    if (!source) {
        context.edits.make(setting(in, [in, edited] { in.set(edited); }));
        return nullptr;
    }
    const NodePtr node = createdNode(context, kind.type, kind.type + std::string("#"));
    const Plug components = node->plug(kind.components);
    const DataPtr list = faceList(faces);
    context.edits.make(setting(components, [components, list] { components.set(list); }));
    context.edits.make(disconnecting(source, in));
    context.edits.make(connecting(before, node->plug(kind.input)));
    context.edits.make(connecting(node->plug(kind.output), in));
    return node;
}

void addToSet(CommandContext& context, const NodePtr& set, const NodePtr& shape) {
    const Plug group = shape->plug("instObjGroups").element(0);
    const std::vector<Plug> before = group.destinations();
    for (const Plug& d : before) {
        if (d.node == set) return;
        // A shape belongs to only one shading group.
        if (d.node->type->isA("shadingEngine") && set->type->isA("shadingEngine"))
            context.edits.make(disconnecting(group, d));
    }
    context.edits.make(connecting(group, context.graph.nextAvailable(set->plug("dagSetMembers"))));
}

// Parses "pCube1.vtx[3:5]", with kind "vtx", into the shape of pCube1 and the indices 3 to 5.
static bool componentsNamed(const Graph& graph, const std::string& text, const std::string& kind, NodePtr& shape,
                            std::vector<int>& indices) {
    const std::string opening = "." + kind + "[";
    const size_t dot = text.find(opening);
    if (dot == std::string::npos || text.back() != ']') return false;
    shape = firstShape(graph.get(text.substr(0, dot)));
    if (!shape || !shape->type->isA("mesh")) throw Error(text + ": is not a mesh");
    const auto mesh = shape->plug("outMesh").data<MeshData>();
    const int count = !mesh           ? 0
                      : kind == "vtx" ? mesh->vertexCount()
                      : kind == "f"   ? mesh->faceCount()
                                      : int(mesh->edges().size());
    const char* const what = kind == "vtx" ? " vertices" : kind == "f" ? " faces" : " edges";
    const size_t begin = dot + opening.size();
    const std::string inside = text.substr(begin, text.size() - begin - 1);
    const size_t colon = inside.find(':');
    double first = 0, last = count - 1;
    if (inside != "*") {
        first = last = numberOf(inside.substr(0, colon), text);
        if (colon != std::string::npos) last = numberOf(inside.substr(colon + 1), text);
    }
    if (!(first >= 0 && last < count))
        throw Error(text + ": out of range; the mesh has " + std::to_string(count) + what);
    indices.clear();
    for (int i = int(first); i <= int(last); ++i) indices.push_back(i);
    return true;
}

bool verticesNamed(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& vertices) {
    return componentsNamed(graph, text, "vtx", shape, vertices);
}

bool facesNamed(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& faces) {
    return componentsNamed(graph, text, "f", shape, faces);
}

bool verticesOfComponents(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& vertices) {
    if (verticesNamed(graph, text, shape, vertices)) return true;
    std::vector<int> found;
    const bool faces = facesNamed(graph, text, shape, found);
    if (!faces && !componentsNamed(graph, text, "e", shape, found)) return false;
    const auto mesh = shape->plug("outMesh").data<MeshData>();
    std::vector<char> used(size_t(mesh->vertexCount()));
    for (const int i : found)
        if (faces)
            for (int k = mesh->faceStarts()[i]; k < mesh->faceStarts()[i + 1]; ++k) used[mesh->faceVertices[k]] = 1;
        else
            used[mesh->edges()[i].a] = used[mesh->edges()[i].b] = 1;
    vertices.clear();
    for (int v = 0; v < mesh->vertexCount(); ++v)
        if (used[v]) vertices.push_back(v);
    return true;
}

}  // namespace purl::host

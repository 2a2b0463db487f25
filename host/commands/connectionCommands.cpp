// Connection commands: connectAttr, disconnectAttr, isConnected, listConnections and others.
#include <algorithm>

#include "host/commands/command.h"
#include "host/graph/text.h"
#include "host/host.h"

namespace purl::host {
namespace {

// worldMesh means worldMesh[0] where a single value is expected.
Plug single(Plug plug) { return plug.isArray() ? plug.element(0) : plug; }

CommandResult connectAttr(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 2) throw Error("expected a source and a destination");
    Plug s = plugNamed(d, words[0]), t = plugNamed(d, words[1]);
    const bool message = t.attr->kind == Kind::Message;
    if (t.isArray() && (d.call.on("nextAvailable") || (!s.isArray() && (!t.attr->indexMatters || message))))
        t = d.graph.nextAvailable(t);
    if (s.isArray() && !t.isArray() && !message) s = single(s);
    // As in Maya, replacing an existing connection requires -force.
    d.edits.make(connecting(s, t, d.call.on("force")));
    if (d.call.has("lock")) d.edits.make(locking(t, d.call.on("lock")));
    return "Connected " + s.name() + " to " + t.name() + ".";
}

CommandResult disconnectAttr(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 2) throw Error("expected a source and a destination");
    Plug s = plugNamed(d, words[0]), t = plugNamed(d, words[1]);
    if (t.isArray() && d.call.on("nextAvailable"))
        for (const int i : t.elements())
            if (t.element(i).source() == s) {
                t = t.element(i);
                break;
            }
    if (s.isArray() && !t.isArray()) s = single(s);
    d.edits.make(disconnecting(s, t));
    return "Disconnect " + s.name() + " from " + t.name() + ".";
}

CommandResult isConnected(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 2) throw Error("expected a source and a destination");
    const Plug s = plugNamed(d, words[0]), t = plugNamed(d, words[1]);
    const Plug from = t.source();
    return from && (from == s || (s.isArray() && from == single(s)));
}

CommandResult connectionInfo(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one attribute");
    const Plug p = plugNamed(d, words[0]);
    if (d.call.on("isSource")) return !p.destinations().empty();
    if (d.call.on("isDestination")) return bool(p.source());
    if (d.call.on("sourceFromDestination")) {
        const Plug s = p.source();
        return s ? s.name() : std::string();
    }
    if (d.call.on("destinationFromSource")) {
        std::vector<std::string> all;
        for (const Plug& t : p.destinations()) all.push_back(t.name());
        return all;
    }
    throw Error("expected a flag that says what to query");
}

std::string plugName(const Graph& graph, const Plug& p) { return nameOf(graph, p.node) + "." + p.path(); }

CommandResult listConnections(CommandContext& d) {
    const Invocation& call = d.call;
    // As in Maya, -s and -d are independent and on by default: only -s false excludes sources.
    const bool wantsIn = call.has("source") ? call.on("source") : true;
    const bool wantsOut = call.has("destination") ? call.on("destination") : true;
    std::vector<std::string> list;
    const auto add = [&](const Plug& own, const Plug& other, bool isSource) {
        NodePtr node = other.node;
        Plug plug = other;
        if (call.on("skipConversionNodes") && node->type->name == "unitConversion") {
            if (isSource) {
                plug = node->plug("input").source();
                if (!plug) return;
            } else {
                const auto next = node->plug("output").destinations();
                if (next.empty()) return;
                plug = next.front();
            }
            node = plug.node;
        }
        if (call.has("type") &&
            !(call.on("exactType") ? node->type->name == call.text("type") : node->type->isA(call.text("type"))))
            return;
        if (call.on("connections")) list.push_back(plugName(d.graph, own));
        if (call.on("plugs")) return list.push_back(plugName(d.graph, plug));
        // A shape is listed as its transform, unless -shapes is given.
        if (!call.on("shapes") && node->type->shape && !node->parents.empty()) node = node->parents.front()->ptr();
        list.push_back(nameOf(d.graph, node));
    };
    for (const std::string& word : targetWords(d)) {
        const size_t dot = word.find('.');
        const NodePtr node = d.graph.get(word.substr(0, dot));
        Plug only;
        if (dot != std::string::npos) only = node->plug(word.substr(dot + 1));
        const auto fits = [&](const Plug& p) { return !only || p.isOrIsBelow(only); };
        const auto inputs = node->inputs;
        const auto outputs = node->outputs;
        if (wantsIn)
            for (const auto& i : inputs)
                if (fits(i.second.plug)) add(i.second.plug, i.second.source, true);
        if (wantsOut)
            for (const auto& o : outputs)
                if (fits(o.second.plug))
                    for (const Plug& t : o.second.destinations) add(o.second.plug, t, false);
    }
    return listOrNothing(list);
}

}  // namespace

std::vector<Command> connectionCommands() {
    return {
        {"connectAttr",
         "Connects an attribute to another one, which it then drives.",
         {"force f", "nextAvailable na", "lock l bool", "referenceDest rd string"},
         connectAttr},
        {"disconnectAttr", "Breaks a connection.", {"nextAvailable na"}, disconnectAttr},
        {"isConnected", "Returns whether two attributes are connected.", {"ignoreUnitConversion iuc"}, isConnected},
        {"connectionInfo",
         "Returns what an attribute is connected to.",
         {"isSource is", "isDestination id", "sourceFromDestination sfd", "destinationFromSource dfs"},
         connectionInfo},
        {"listConnections",
         "Lists what nodes or attributes are connected to.",
         {"source s bool", "destination d bool", "plugs p bool", "connections c bool", "shapes sh bool",
          "type t string", "exactType et bool", "skipConversionNodes scn bool"},
         listConnections},
    };
}

}  // namespace purl::host

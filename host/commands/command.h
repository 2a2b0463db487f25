// The commands that are there without any plugin: one table, each with its flags and what it does.
//
//     {"group", {"name n string", "empty em", "parent p string", "world w"}, group},
//
// A flag is its long name, its short name and the types of its values: bool, int, double or string; "..." lets it be
// given several times, and "!" says that it is one of Maya's that cannot be honoured here, so that nobody is misled. A
// command works through `edits`, so that all of them are undone and redone in the same way; one
// that throws leaves the scene as it was. What it returns is what maya.cmds returns.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "host/api/commandResult.h"
#include "host/commands/call.h"
#include "host/graph/edits.h"

namespace purl::host {

class Session;

struct FlagSpec {
    std::string longName, shortName;
    std::vector<std::string> types;
    bool multiUse = false, refused = false;

    explicit FlagSpec(const std::string& spec);
};

// A call taken apart by the flags of its command.
class Invocation {
  public:
    bool query = false, edit = false;
    std::vector<Argument> args;

    std::vector<std::string> words() const;  // of all arguments, one after another
    // All by long name.
    bool has(const std::string& flag) const;
    bool on(const std::string& flag, bool otherwise = false) const;  // given, and not given as false
    std::string text(const std::string& flag, const std::string& otherwise = {}) const;
    double number(const std::string& flag, double otherwise = 0) const;
    std::vector<double> numbers(const std::string& flag) const;  // of its last use
    // Of each use that has all its values; a flag that is asked for may have none.
    std::vector<std::vector<std::string>> values(const std::string& flag) const;
    std::vector<std::string> used() const;  // long names, in order
    bool isQueried(const std::string& flag) const { return query && has(flag); }

  private:
    friend class FlagReader;
    std::vector<std::pair<std::string, std::vector<std::string>>> uses_;
};

struct CommandContext {
    Session& session;
    Graph& graph;
    Edits& edits;
    const Invocation& call;
};

struct Command {
    std::string name;
    std::vector<FlagSpec> flags;
    std::function<CommandResult(CommandContext&)> run;

    Command(const char* name, const std::vector<const char*>& flags, std::function<CommandResult(CommandContext&)> run);
};

const Command* findBuiltinCommand(const std::string& name);
std::vector<std::string> builtinCommandNames();

// Both throw Error naming the flag: unknown, given twice, with too few values or ones of the wrong kind.
Invocation parseInvocation(const Command& command, const Call& call);
Invocation parseInvocation(const Command& command, const std::vector<Word>& words);

bool wordIsTrue(const std::string& word);  // anything but 0, off, no, false and nothing
// The number a word is; throws Error naming `who`.
double numberOf(const std::string& word, const std::string& who);

// The families, each in its file.
std::vector<Command> nodeCommands();        // createNode delete rename select ls objExists nodeType …
std::vector<Command> attributeCommands();   // setAttr getAttr addAttr attributeQuery listAttr …
std::vector<Command> connectionCommands();  // connectAttr disconnectAttr isConnected listConnections …
std::vector<Command> dagCommands();         // parent group instance listRelatives xform move rotate scale …
std::vector<Command> polyCommands();        // polyCube … polyEvaluate, spaceLocator, camera, sets
std::vector<Command> timeCommands();        // currentTime playbackOptions setKeyframe currentUnit
std::vector<Command> sceneCommands();       // file undo redo loadPlugin optionVar about workspace

// --- what several of them need

// The nodes that words name; a pattern may name many. Throws Error where one names nothing.
std::vector<NodePtr> nodesNamed(const Graph& graph, const std::vector<std::string>& words);
// "ball.tx", or ".tx" and "tx" of what is selected.
std::vector<Plug> plugsNamed(const CommandContext& context, const std::string& text);
Plug plugNamed(const CommandContext& context, const std::string& text);
// Those of the arguments, or the selected ones. Throws Error where there are none of either.
std::vector<NodePtr> targets(const CommandContext& context);
std::vector<std::string> targetWords(const CommandContext& context);
std::vector<std::string> namesOf(const Graph& graph, const std::vector<NodePtr>& nodes, bool longNames = false);
std::string nameOf(const Graph& graph, const NodePtr& node, bool longName = false);
NodePtr firstShape(const NodePtr& node);   // itself if it is one, or the first below that is not intermediate; or null
std::string niceNameOf(const Attr& attr);  // "Particle Spacing"
// Lists are None where they are empty, for the commands of Maya that do so.
CommandResult listOrNothing(std::vector<std::string> list);

// Replaces what is selected; undone with the command.
Edit selecting(Graph& graph, const std::vector<std::string>& names);
// Creates as Graph::create does, undoably.
NodePtr createdNode(CommandContext& context, const std::string& type, const std::string& name,
                    const NodePtr& parent = nullptr);
std::string shapeName(const std::string& transform);  // ballShape1 for ball1
// A transform of that name with one shape.
std::pair<NodePtr, NodePtr> createdShape(CommandContext& context, const std::string& type, const std::string& name);
// A setAttr: undone it has the value it had.
void setNumber(CommandContext& context, const Plug& plug, double shown);
void setNumbers(CommandContext& context, const Plug& plug, const std::vector<double>& shown);
// A node of modelling history: its type, its mesh in and out, and the list of the faces it works on.
struct HistoryNode {
    const char *type, *input, *output, *components;
};
// Puts such a node between a mesh shape and what feeds it, and returns it. A shape without history is edited itself,
// and the result is null. `edit` is what the node does: it throws, and nothing is changed, where it cannot.
NodePtr insertHistory(CommandContext& context, const NodePtr& shape, const HistoryNode& kind,
                      const std::vector<int>& faces,
                      const std::function<std::shared_ptr<MeshData>(const MeshData&)>& edit);
// Puts shapes into the set, as `sets -forceElement` does.
void addToSet(CommandContext& context, const NodePtr& set, const NodePtr& shape);

// "pCube1.vtx[3]" and "pCube1.vtx[3:5]": the mesh shape and its vertices; false if it is not such a name.
bool verticesNamed(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& vertices);
// The same for "pCube1.f[3:5]".
bool facesNamed(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& faces);

}  // namespace purl::host

// The built-in commands: one table with the flags and function of each.
//
//     {"group", "Puts objects under a new transform.", {"name n string", "empty em", "world w"}, group},
//
// A flag is declared by its long name, short name and value types (bool, int, double or string); "..." marks a
// multi-use flag, "!" a Maya flag that is refused because it is not supported here. Commands change the scene only
// through `edits`, which gives all of them undo and redo; a command that throws leaves the scene unchanged. The result
// is that of maya.cmds.
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

// A call parsed according to the flags of its command.
class Invocation {
  public:
    bool query = false, edit = false;
    std::vector<Argument> args;

    std::vector<std::string> words() const;  // of all arguments, concatenated
    // Flags by long name.
    bool has(const std::string& flag) const;
    bool on(const std::string& flag, bool otherwise = false) const;  // present and not false
    std::string text(const std::string& flag, const std::string& otherwise = {}) const;
    double number(const std::string& flag, double otherwise = 0) const;
    std::vector<double> numbers(const std::string& flag) const;  // values of its last use
    // The values of each use; queried flags without values are left out.
    std::vector<std::vector<std::string>> values(const std::string& flag) const;
    std::vector<std::string> used() const;  // long names of the flags present, in order
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
    std::string name, sentence;
    std::vector<FlagSpec> flags;
    std::function<CommandResult(CommandContext&)> run;

    Command(const char* name, const char* sentence, const std::vector<const char*>& flags,
            std::function<CommandResult(CommandContext&)> run);
};

const Command* findBuiltinCommand(const std::string& name);
std::vector<std::string> builtinCommandNames();

// What a command does and its flags, one a line: "name (n) string". Refused flags are left out. For a plugin's command,
// which declares no sentences, only the flags. Throws Error if there is no such command.
std::string helpText(const std::string& command);

// Both throw Error naming the flag if it is unknown, repeated, or has too few values or values of the wrong type.
Invocation parseInvocation(const Command& command, const Call& call);
Invocation parseInvocation(const Command& command, const std::vector<Word>& words);

bool wordIsTrue(const std::string& word);  // anything but 0, off, no, false and the empty string
// Parses a number; throws Error naming `who`.
double numberOf(const std::string& word, const std::string& who);

// The groups of commands, one file each.
std::vector<Command> nodeCommands();        // createNode delete rename duplicate select ls objExists …
std::vector<Command> attributeCommands();   // setAttr getAttr addAttr attributeQuery listAttr …
std::vector<Command> connectionCommands();  // connectAttr disconnectAttr isConnected listConnections …
std::vector<Command> dagCommands();         // parent group instance listRelatives xform move rotate scale …
std::vector<Command> polyCommands();        // polyCube … polyEvaluate, spaceLocator, camera, sets
std::vector<Command> meshCommands();        // polyExtrudeFacet polyDelFacet polySmooth polyUnite revolve
std::vector<Command> timeCommands();        // currentTime playbackOptions setKeyframe currentUnit
std::vector<Command> sceneCommands();       // file undo redo loadPlugin optionVar about workspace
std::vector<Command> helpCommands();        // help

// --- shared by several commands

// The nodes with these names or wildcard patterns. Throws Error for a word without a match.
std::vector<NodePtr> nodesNamed(const Graph& graph, const std::vector<std::string>& words);
// Accepts "ball.tx", or ".tx" and "tx" for the selected nodes.
std::vector<Plug> plugsNamed(const CommandContext& context, const std::string& text);
Plug plugNamed(const CommandContext& context, const std::string& text);
// The nodes named by the arguments, or else the selection. Throws Error if both are empty.
std::vector<NodePtr> targets(const CommandContext& context);
std::vector<std::string> targetWords(const CommandContext& context);
std::vector<std::string> namesOf(const Graph& graph, const std::vector<NodePtr>& nodes, bool longNames = false);
std::string nameOf(const Graph& graph, const NodePtr& node, bool longName = false);
NodePtr firstShape(
    const NodePtr& node);  // the node itself, or its first child that is a non-intermediate shape; or null
std::string niceNameOf(const Attr& attr);  // "Particle Spacing"
// Returns None for an empty list, as some of Maya's commands do.
CommandResult listOrNothing(std::vector<std::string> list);

// Replaces the selection.
Edit selecting(Graph& graph, const std::vector<std::string>& names);
// Like Graph::create, but undoable.
NodePtr createdNode(CommandContext& context, const std::string& type, const std::string& name,
                    const NodePtr& parent = nullptr);
std::string shapeName(const std::string& transform);  // ball1 → ballShape1
// Creates a transform with this name and one shape.
std::pair<NodePtr, NodePtr> createdShape(CommandContext& context, const std::string& type, const std::string& name);
// Undoable setAttr, in the scene's units.
void setNumber(CommandContext& context, const Plug& plug, double shown);
void setNumbers(CommandContext& context, const Plug& plug, const std::vector<double>& shown);
// A construction history node type: its mesh input and output and its component list attribute.
struct HistoryNode {
    const char *type, *input, *output, *components;
};
// Inserts such a node between a mesh shape and its source, and returns it. A shape without history is edited directly,
// and the result is null. Vertices that were moved on the shape are moved before the node. `edit` applies the node's
// operation; if it throws, nothing is changed.
NodePtr insertHistory(CommandContext& context, const NodePtr& shape, const HistoryNode& kind,
                      const std::vector<int>& faces,
                      const std::function<std::shared_ptr<MeshData>(const MeshData&)>& edit);
// Deletes the faces named by these words, with a history node of this kind for each mesh. Returns these nodes.
std::vector<NodePtr> deleteFaces(CommandContext& context, const std::vector<std::string>& words,
                                 const HistoryNode& kind);
// Adds a shape to a set, like `sets -forceElement`.
void addToSet(CommandContext& context, const NodePtr& set, const NodePtr& shape);

// Parses "pCube1.vtx[3]" and "pCube1.vtx[3:5]" into a mesh shape and its vertices; false for other names.
bool verticesNamed(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& vertices);
// The same for "pCube1.f[3:5]".
bool facesNamed(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& faces);
// The vertices of such faces, of edges ("pCube1.e[3:5]") or the vertices themselves.
bool verticesOfComponents(const Graph& graph, const std::string& text, NodePtr& shape, std::vector<int>& vertices);

}  // namespace purl::host

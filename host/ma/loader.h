// Executes a scene file into a graph, statement by statement. Implementation of load.h.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/ma/addAttr.h"
#include "host/ma/lexer.h"
#include "host/ma/load.h"
#include "host/ma/meshReader.h"
#include "host/ma/values.h"

namespace purl::host {

// Returns the text of a scene file. Throws Error if it cannot be read or is not Maya ASCII.
std::string readSceneFile(const std::string& path);
// Throws Error that says what the file is instead.
void checkIsMayaAscii(std::string_view text, const std::string& fileName);

// Counts what a scene and its references have read so far. The number of references can grow exponentially with their
// depth, so a depth limit alone would not bound time and memory.
struct FilesRead {
    std::vector<std::string> open;  // the file being read and its chain of referencing files, outermost first
    int references = 0;
    std::uintmax_t bytes = 0;  // of all references

    static constexpr int kMaxDepth = 16, kMaxReferences = 10000;
    static constexpr std::uintmax_t kMaxBytes = std::uintmax_t(8) << 30;

    explicit FilesRead(const std::string& scene);
};

// Loads one file. Each reference gets its own Loader, with the same graph and report.
class Loader {
  public:
    Loader(Graph& graph, LoadReport& report, FilesRead& files, std::string fileName, std::string folder,
           std::string prefix, int depth)
        : graph_(graph),
          report_(report),
          files_(files),
          fileName_(std::move(fileName)),
          folder_(std::move(folder)),
          prefix_(std::move(prefix)),
          depth_(depth) {}

    void run(std::string_view text);

  private:
    void execute(const Statement& s);
    void requiresPlugin(const Statement& s);
    void currentUnit(const Statement& s);
    void createNode(const Statement& s);
    void rename(const Statement& s);
    void select(const Statement& s);
    void lockNode(const Statement& s);
    void addAttr(const Statement& s);
    void setAttr(const Statement& s);
    void connectAttr(const Statement& s);
    void disconnectAttr(const Statement& s);
    void parent(const Statement& s);
    void reference(const Statement& s);
    void readReference(const std::string& path, const std::string& nameSpace);

    void finishNode();
    void setValues(const NodePtr& node, const std::string& path, const Statement& s);
    void keepWords(const NodePtr& node, const std::string& path, const Statement& s);
    int applyEdits(const Statement& s, Words words);  // returns the number of unknown edits
    void keepDisplay(const NodePtr& node, const std::string& path, const Statement& s);
    void readPlaybackOptions(const std::string& script);

    std::string qualified(std::string_view name) const;
    std::string plugName(const Token& token) const;
    NodePtr find(std::string_view name) const;
    static void keepConnection(Node& node, const Node::KeptConnection& connection);
    void keepCommand(const Statement& s);

    void warn(const Statement& s, const std::string& what) {
        report_.warn(fileName_ + ":" + std::to_string(s.line) + ": " + what);
    }
    void skip(const std::string& kind) { LoadReport::count(report_.skipped, kind); }

    Graph& graph_;
    LoadReport& report_;
    FilesRead& files_;
    std::string fileName_, folder_, prefix_;  // prefix: "ns:" inside a reference
    int depth_;

    NodePtr current_;             // the node that ".attr" refers to
    bool ignoreCurrent_ = false;  // a shared or default node inside a reference: the outer scene's settings win
    std::string currentName_;     // its name in the file, for counting skipped statements if it does not exist
    std::map<std::string, NodePtr>
        renamed_;  // nodes renamed because their name was already in use, by name in the file
    std::map<std::string, std::string> pluginOf_;  // node type → plugin, from `requires -nodeType`
    std::set<std::string> knownPlugins_;           // plugins with registered node types; filled on first use
    MeshReader mesh_;                              // geometry of the current node, while its statements are read
    AttrBuilder attributes_;
    std::map<std::pair<const Node*, std::string>, std::size_t> keptAt_;  // index into Node::kept, by attribute
    std::map<std::string, std::string>
        placeHolders_;          // reference placeholders: "ballRN.placeHolderList[1]" → "ball:top.rx"
    std::vector<Plug> toLock_;  // locked after loading, because files connect to locked plugs
};

}  // namespace purl::host

// Reads a Maya ASCII scene into a graph: executes known statements and counts the others. MEL in a scene is never
// executed; script nodes only store their text.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/graph/graph.h"

namespace purl::host {

struct LoadReport {
    int statements = 0;                       // in the file and its references
    std::map<std::string, int> executed;      // statements, by command
    std::map<std::string, int> skipped;       // skipped statements by kind: "relationship", "setAttr mesh.covm"
    std::map<std::string, int> unknownTypes;  // placeholders created, by node type; without Maya's own UI nodes
    std::vector<std::string> warnings;        // one line each: "scene.ma:12: …"; the first kMaxWarnings
    int moreWarnings = 0;                     // number of warnings beyond kMaxWarnings
    std::vector<std::string> missingPlugins;  // required plugins without any known node type
    std::vector<std::string> references;      // referenced files that were read, in order

    std::string mayaVersion;  // version that wrote the file: "2024ff02"
    std::string linearUnit = "cm", angularUnit = "deg", timeUnit = "film";
    double framesPerSecond = 24;
    bool hasFrameRange = false;              // the scene has playbackOptions
    double firstFrame = 1, lastFrame = 120;  // playback
    double animationStart = 1, animationEnd = 200;
    std::string upAxis = "y";  // "y" or "z"

    static constexpr size_t kMaxWarnings = 100;
    static constexpr size_t kMaxKinds = 100, kMaxKindBytes = 120;  // limits of skipped and unknownTypes
    void warn(const std::string& line);
    static int count(std::map<std::string, int>& kinds, const std::string& kind);  // increments a count and returns it
    int skippedCount() const;
    std::string summary() const;  // "412 statements, 3 skipped (relationship 3), unknown nodes kept (polyBevel 1)"
};

// Throws Error for a file that cannot be read or is not Maya ASCII, SyntaxError for a truncated or malformed file, and
// Interrupted if the user cancels. All other problems become warnings in the report, and the rest of the scene loads.
LoadReport loadScene(Graph& graph, const std::string& path);
// Imports a file into a graph, optionally under a namespace. The file is read in its own units.
LoadReport loadInto(Graph& graph, const std::string& path, const std::string& nameSpace);
LoadReport loadSceneText(Graph& graph, std::string_view text, const std::string& fileName);

}  // namespace purl::host

#include "plugin/strings.h"

#include <maya/MStringResource.h>
#include <maya/MStringResourceId.h>

#include <set>

#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"
#include "solver/core/error.h"

namespace purl {
namespace {

constexpr const char* kPlugin = "purl";

// Falls back to English.
MString translated(const std::string& key, const std::string& english) {
    MStatus status;
    const MString text(english.c_str());
    const MString found = MStringResource::getString(MStringResourceId(kPlugin, key.c_str(), text), status);
    return status && found.length() > 0 ? found : text;
}

std::string headingKey(const std::string& english) { return "heading." + english; }
std::string sentenceKey(const std::string& node, const std::string& attribute) {
    return "sentence." + node + "." + attribute;
}

}  // namespace

const std::vector<UiString>& uiStrings() {
    static const std::vector<UiString> all = {
        {"menu", "Purl"},
        {"create", "Create"},
        {"simulate", "Simulate"},
        {"createHelp", "Create from the selection:"},
        {"cache", "Cache Simulation"},
        {"cacheHelp", "Simulate a range of frames into a cache and play it back"},
        {"export", "Export"},
        {"exportHelp", "Write the frames to files for other programs"},
        {"initialState", "Set Initial State"},
        {"initialStateHelp", "Start the simulation from the current state"},
        {"clearInitialState", "Clear Initial State"},
        {"clearInitialStateHelp", "Start the simulation from the bodies' own initial state again"},
        {"branch", "Branch Cache"},
        {"branchHelp", "Continue the cache from the current frame with the current settings, as a branch"},
        {"panel", "Purl Panel"},
        {"panelHelp", "Dockable panel with bodies, settings, plots, caches, presets and the doctor"},
        {"farm", "Submit to Farm"},
        {"farmHelp", "Write a job that simulates variations of the scene on a farm, and look at its wedges"},
        {"info", "Simulation Info"},
        {"infoHelp", "Print the solver's bodies, particle counts and timings to the script editor"},
        {"apply", "Apply"},
        {"name", "Name"},
        {"output", "Show the result"},
        {"directory", "Folder"},
        {"formats", "Formats"},
    };
    return all;
}

MStatus registerStrings() {
    // Keys must be unique, and a string that cannot be registered is shown in English.
    std::set<std::string> keys;
    const auto add = [&](const std::string& key, const std::string& english) {
        if (keys.insert(key).second)
            MStringResource::registerString(MStringResourceId(kPlugin, key.c_str(), MString(english.c_str())));
    };
    for (const UiString& each : uiStrings()) add(each.key, each.english);
    for (const NodeReference& node : nodeReferences())
        for (const AttributeReference& row : node.attributes) {
            if (!row.section.empty()) add(headingKey(row.section), row.section);
            add(sentenceKey(node.name, row.name), row.sentence);
        }
    return MS::kSuccess;
}

MString uiString(const std::string& key) {
    for (const UiString& each : uiStrings())
        if (key == each.key) return translated(key, each.english);
    throw Error("unknown text \"" + key + "\"");
}

MString uiHeading(const std::string& english) { return translated(headingKey(english), english); }
MString uiSentence(const std::string& node, const std::string& attribute, const std::string& english) {
    return translated(sentenceKey(node, attribute), english);
}

}  // namespace purl

#include "plugin/strings.h"

#include <maya/MStringResource.h>
#include <maya/MStringResourceId.h>

#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"
#include "solver/core/error.h"

namespace purl {
namespace {

constexpr const char* kPlugin = "purl";

// What is not translated, or not registered, is English.
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
        {"cacheHelp", "Simulate a range of frames into a cache that plays from then on"},
        {"export", "Export"},
        {"exportHelp", "Write the frames as they leave, for other programs"},
        {"initialState", "Set Initial State"},
        {"initialStateHelp", "The simulation begins from the state shown now"},
        {"clearInitialState", "Clear Initial State"},
        {"clearInitialStateHelp", "The simulation begins from what the bodies say again"},
        {"branch", "Branch Cache"},
        {"branchHelp", "Let the cache go on otherwise from the current frame"},
        {"panel", "Purl Panel"},
        {"panelHelp", "Bodies, settings, plots, caches, presets and the doctor, in a panel that docks"},
        {"info", "Tell What Is Simulated"},
        {"infoHelp", "Bodies, particles and times of the solver, in the script editor"},
        {"apply", "Apply"},
        {"name", "Name"},
        {"output", "Show the result"},
        {"directory", "Folder"},
        {"formats", "Formats"},
    };
    return all;
}

MStatus registerStrings() {
    MStatus status;
    const auto add = [&](const std::string& key, const std::string& english) {
        if (status)
            status = MStringResource::registerString(MStringResourceId(kPlugin, key.c_str(), MString(english.c_str())));
    };
    for (const UiString& each : uiStrings()) add(each.key, each.english);
    for (const NodeReference& node : nodeReferences())
        for (const AttributeReference& row : node.attributes) {
            if (!row.section.empty()) add(headingKey(row.section), row.section);
            add(sentenceKey(node.name, row.name), row.sentence);
        }
    return status;
}

MString uiString(const std::string& key) {
    for (const UiString& each : uiStrings())
        if (key == each.key) return translated(key, each.english);
    throw Error("there is no text \"" + key + "\"");
}

MString uiHeading(const std::string& english) { return translated(headingKey(english), english); }
MString uiSentence(const std::string& node, const std::string& attribute, const std::string& english) {
    return translated(sentenceKey(node, attribute), english);
}

}  // namespace purl

// Scene commands: file, undo, redo, plugins, option variables, about, workspace.
#include <maya/MTypes.h>

#include <algorithm>
#include <filesystem>

#include "host/api/plugin.h"
#include "host/commands/command.h"
#include "host/host.h"
#include "host/ma/load.h"
#include "host/ma/save.h"
#include "solver/core/path.h"

namespace purl::host {
namespace {

namespace fs = std::filesystem;

CommandResult queryFile(CommandContext& d) {
    if (d.call.on("sceneName")) return absolutePath(d.session.sceneName());
    if (d.call.on("modified")) return d.session.modified();
    if (d.call.on("exists")) {
        const std::vector<std::string> words = d.call.words();
        return words.size() == 1 && fs::exists(toPath(words[0]));
    }
    if (d.call.on("type")) return std::vector<std::string>{"mayaAscii"};
    throw Error("expected a flag that says what to query");
}

CommandResult file(CommandContext& d) {
    if (d.call.query) return queryFile(d);
    const std::vector<std::string> words = d.call.words();
    const bool asks = (d.call.on("newFile") || d.call.on("open")) && !d.call.on("force") && d.session.modified();
    if (asks) throw Error("the scene has unsaved changes; save it or use -force");
    if (d.call.has("type") && d.call.text("type") != "mayaAscii")
        throw Error("only mayaAscii is supported, not " + d.call.text("type"));
    if (d.call.on("newFile")) {
        d.session.newScene();
        return std::string("untitled");
    }
    if (d.call.on("open")) {
        if (words.size() != 1) throw Error("expected one file");
        d.session.open(words[0]);
        return absolutePath(words[0]);
    }
    if (d.call.on("import")) {
        if (words.size() != 1) throw Error("expected one file");
        d.session.importScene(words[0], d.call.text("namespace"));
        return absolutePath(words[0]);
    }
    if (d.call.has("rename")) {
        d.session.setSceneName(d.call.text("rename"));
        return absolutePath(d.session.sceneName());
    }
    if (d.call.on("save")) {
        d.session.save();
        return absolutePath(d.session.sceneName());
    }
    throw Error("expected -open, -newFile, -save, -rename, -import or -query");
}

CommandResult undo(CommandContext& d) {
    d.session.undo();
    return {};
}
CommandResult redo(CommandContext& d) {
    d.session.redo();
    return {};
}
CommandResult undoInfo(CommandContext& d) {
    if (d.call.query) {
        if (d.call.on("undoName")) return d.session.undoName();
        if (d.call.on("redoName")) return d.session.redoName();
        return true;
    }
    if (d.call.on("openChunk")) d.session.openChunk();
    if (d.call.on("closeChunk")) d.session.closeChunk();
    return {};
}
CommandResult flushUndo(CommandContext& d) {
    d.session.forgetHistory();
    return {};
}

// --- plugins

std::string pluginNameOf(const std::string& word) { return toText(toPath(word).stem()); }

CommandResult loadPluginCommand(CommandContext& d) {
    std::vector<std::string> loaded;
    for (const std::string& word : d.call.words())
        if (loadLinkedPlugin(pluginNameOf(word))) loaded.push_back(pluginNameOf(word));
    return listOrNothing(loaded);
}

CommandResult unloadPluginCommand(CommandContext& d) {
    std::vector<std::string> unloaded;
    for (const std::string& word : d.call.words()) {
        // The undo history may contain commands implemented in the plugin.
        d.session.forgetHistory();
        unloadLinkedPlugin(pluginNameOf(word));
        unloaded.push_back(pluginNameOf(word));
    }
    return listOrNothing(unloaded);
}

CommandResult pluginInfo(CommandContext& d) {
    if (!d.call.query) throw Error("only -query is supported");
    if (d.call.on("listPlugins")) return listOrNothing(pluginNames());
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one plugin");
    const std::string name = pluginNameOf(words[0]);
    const auto plugin = findPlugin(name);
    if (d.call.on("loaded")) return plugin != nullptr;
    if (!plugin) throw Error("no plugin " + name + " is loaded");
    if (d.call.on("version")) return plugin->version;
    if (d.call.on("vendor")) return plugin->vendor;
    if (d.call.on("apiVersion")) return plugin->apiVersion;
    if (d.call.on("path")) return plugin->path;
    if (d.call.on("name")) return plugin->name;
    if (d.call.on("command")) {
        std::vector<std::string> all;
        for (const std::string& c : commandNames())
            if (findCommand(c)->plugin == name) all.push_back(c);
        return listOrNothing(all);
    }
    if (d.call.on("dependNode")) {
        std::vector<std::string> all;
        for (const std::string& t : typeNames())
            if (findType(t)->plugin == name) all.push_back(t);
        return listOrNothing(all);
    }
    throw Error("expected a flag that says what to query");
}

// --- option variables: user preferences, kept for the session only

CommandResult optionVar(CommandContext& d) {
    auto& vars = d.session.optionVars;
    if (d.call.has("query")) {
        const auto it = vars.find(d.call.text("query"));
        return it == vars.end() ? CommandResult(0) : it->second;
    }
    if (d.call.has("exists")) return vars.count(d.call.text("exists")) > 0;
    if (d.call.on("list")) {
        std::vector<std::string> names;
        for (const auto& v : vars) names.push_back(v.first);
        return names;
    }
    for (const auto& v : d.call.values("remove")) vars.erase(v[0]);
    for (const auto& v : d.call.values("intValue")) vars[v[0]] = int(numberOf(v[1], v[0]));
    for (const auto& v : d.call.values("floatValue")) vars[v[0]] = numberOf(v[1], v[0]);
    for (const auto& v : d.call.values("stringValue")) vars[v[0]] = v[1];
    const auto append = [&](const char* flag, auto convert) {
        for (const auto& v : d.call.values(flag)) {
            using T = decltype(convert(v));
            CommandResult& var = vars[v[0]];
            if (const T* one = std::get_if<T>(&var)) var = std::vector<T>{*one};
            if (!std::holds_alternative<std::vector<T>>(var)) var = std::vector<T>();
            std::get<std::vector<T>>(var).push_back(convert(v));
        }
    };
    append("intValueAppend", [](const auto& v) { return int(numberOf(v[1], v[0])); });
    append("floatValueAppend", [](const auto& v) { return numberOf(v[1], v[0]); });
    append("stringValueAppend", [](const auto& v) { return v[1]; });
    for (const auto& v : d.call.values("clearArray")) vars.erase(v[0]);
    return {};
}

CommandResult about(CommandContext& d) {
    if (d.call.on("batch")) return !d.session.interactive;
    if (d.call.on("version")) return std::to_string(MAYA_API_VERSION / 10000);
    if (d.call.on("apiVersion")) return int(MAYA_API_VERSION);
    if (d.call.on("linux")) return true;
    if (d.call.on("windows") || d.call.on("macOS")) return false;
    if (d.call.on("product") || d.call.on("application")) return std::string("Purl host");
    if (d.call.on("operatingSystem")) return std::string("linux64");
    throw Error("expected a flag that says what to query");
}

CommandResult workspace(CommandContext& d) {
    if (d.call.query) {
        if (d.call.on("rootDirectory")) return toText(fs::current_path()) + "/";
        if (d.call.on("directory") || d.call.on("fullName")) return toText(fs::current_path());
    }
    throw Error("only -query -rootDirectory is supported");
}

CommandResult fileInfo(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    auto& info = d.graph.fileInfo;
    if (d.call.query) {
        std::vector<std::string> all;
        for (const auto& [key, value] : info)
            if (words.empty() || words[0] == key) {
                if (words.empty()) all.push_back(key);
                all.push_back(value);
            }
        return all;
    }
    if (d.call.has("remove")) {
        info.erase(d.call.text("remove"));
        return {};
    }
    if (words.size() != 2) throw Error("expected a key and a value");
    Graph* g = &d.graph;
    const std::string key = words[0], value = words[1];
    const bool had = info.count(key) > 0;
    const std::string before = had ? info[key] : "";
    d.edits.make({[g, key, value] { g->fileInfo[key] = value; },
                  [g, key, had, before] {
                      if (had)
                          g->fileInfo[key] = before;
                      else
                          g->fileInfo.erase(key);
                  }});
    return {};
}

CommandResult upAxis(CommandContext& d) {
    auto& info = d.graph.fileInfo;
    if (d.call.query) return d.graph.upAxis();
    if (d.call.has("axis")) info["upAxis"] = d.call.text("axis");
    return {};
}

CommandResult say(CommandContext& d, Severity severity) {
    std::string text;
    for (const std::string& w : d.call.words()) text += (text.empty() ? "" : " ") + w;
    d.graph.report(severity, text);
    return {};
}

}  // namespace

std::vector<Command> sceneCommands() {
    return {
        {"file",
         "Creates, opens, imports, renames, saves and queries scenes.",
         {"newFile new", "open o", "save s", "rename rn string", "type typ string", "force f", "import i",
          "namespace ns string", "sceneName sn", "modified mf", "exists ex", "ignoreVersion iv", "prompt pmt bool",
          "defaultExtensions de bool"},
         file},
        {"undo", "Undoes the last command.", {}, undo},
        {"redo", "Repeats what was undone.", {}, redo},
        {"undoInfo",
         "Groups commands that are undone together, and returns what can be undone.",
         {"openChunk ock", "closeChunk cck", "undoName un", "redoName rn", "state st bool", "infinity in bool",
          "length l int", "chunkName cn string"},
         undoInfo},
        {"flushUndo", "Forgets what could be undone.", {}, flushUndo},
        {"loadPlugin", "Loads a plug-in; purl is the only one here.", {"quiet qt", "allPlugins a"}, loadPluginCommand},
        {"unloadPlugin", "Unloads a plug-in.", {"force f"}, unloadPluginCommand},
        {"pluginInfo",
         "Returns facts about a loaded plug-in.",
         {"loaded l", "listPlugins ls", "version v", "vendor vd", "apiVersion av", "path p", "name n", "command c",
          "dependNode dn"},
         pluginInfo},
        {"optionVar",
         "Sets and returns preferences, which last as long as the session.",
         {"query q string", "exists ex string", "list l", "remove rm string ...", "intValue iv string int ...",
          "floatValue fv string double ...", "stringValue sv string string ...", "intValueAppend iva string int ...",
          "floatValueAppend fva string double ...", "stringValueAppend sva string string ...",
          "clearArray ca string ..."},
         optionVar},
        {"about",
         "Returns facts about this program.",
         {"batch b", "version v", "apiVersion api", "linux li", "windows win", "macOS mac", "product p",
          "application a", "operatingSystem os"},
         about},
        {"workspace", "Returns the current folder.", {"rootDirectory rd", "directory dir", "fullName fn"}, workspace},
        {"fileInfo", "Sets and returns texts that are saved with the scene.", {"remove rm string"}, fileInfo},
        {"upAxis", "Sets or returns the axis that points up.", {"axis ax string", "rotateView rv"}, upAxis},
        {"warning", "Prints a warning.", {}, [](CommandContext& d) { return say(d, Severity::Warning); }},
    };
}

}  // namespace purl::host

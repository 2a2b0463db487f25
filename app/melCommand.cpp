// purl mel: runs a MEL script over a scene without Maya.
#include <filesystem>

#include "app/commands.h"
#include "app/print.h"
#include "farm/commands.h"
#include "host/mel/interpreter.h"

namespace purl {

int runMel(const MelOptions& options) {
    const auto session = newCommandSession();
    session->interactive = options.windows;
    session->graph().sink = [](host::Severity severity, const std::string& text) {
        if (severity == host::Severity::Info)
            printOut("{}\n", text);
        else
            printError("{}: {}\n", severity == host::Severity::Warning ? "warning" : "error", text);
    };
    host::mel::Interpreter mel(*session);
    mel.out = [](const std::string& text) { printOut("{}", text); };
    mel.scriptPaths = options.paths;
    // Builds the plug-in's UI, as loading it in Maya does.
    if (options.windows) mel.call(host::pluginUi("purl").create, {});
    if (!options.scene.empty()) session->open(options.scene);
    mel.runFile(options.script);
    if (options.windows) printOut("{}", mel.ui.text());
    return kDone;
}

}  // namespace purl

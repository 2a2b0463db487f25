// help: what a command does, and its flags.
#include <maya/MSyntax.h>

#include "host/api/access.h"
#include "host/api/plugin.h"
#include "host/commands/command.h"

namespace purl::host {
namespace {

std::string flagLine(const std::string& longName, const std::string& shortName, const std::string& types,
                     bool multiUse) {
    return "  " + longName + " (" + shortName + ")" + types + (multiUse ? ", may be used several times" : "") + "\n";
}

std::string pluginHelp(const CommandType& command) {
    std::string text = command.name + ": a command of the plug-in " + command.plugin + ".\n";
    if (command.syntax)
        for (const Api::FlagText& flag : Api::flags(command.syntax()))
            text += flagLine(flag.longName, flag.shortName, flag.types, flag.multiUse);
    return text;
}

CommandResult help(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected the name of one command");
    return helpText(words[0]);
}

}  // namespace

std::string helpText(const std::string& name) {
    const Command* command = findBuiltinCommand(name);
    if (!command) {
        if (const CommandType* plugin = findCommand(name)) return pluginHelp(*plugin);
        std::vector<std::string> names = builtinCommandNames();
        for (const std::string& other : commandNames()) names.push_back(other);
        const std::string close = nearest(name, names);
        throw Error("there is no command " + name + (close.empty() ? "" : "; did you mean " + close + "?"));
    }
    std::string text = name + ": " + command->sentence + "\n";
    for (const FlagSpec& flag : command->flags) {
        if (flag.refused) continue;
        std::string types;
        for (const std::string& type : flag.types) types += " " + type;
        text += flagLine(flag.longName, flag.shortName, types, flag.multiUse);
    }
    return text;
}

std::vector<Command> helpCommands() {
    return {{"help", "Returns what a command does and its flags, with their short names.", {}, help}};
}

}  // namespace purl::host

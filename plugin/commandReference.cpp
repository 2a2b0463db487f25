#include "plugin/commandReference.h"

namespace purl {
namespace {

const char* typeText(const CommandFlag& flag) {
    switch (flag.type) {
        case MSyntax::kString: return "string";
        case MSyntax::kLong: return "int";
        case MSyntax::kDouble: return "float";
        case MSyntax::kBoolean: return "on or off";
        default: return "";
    }
}

// "Undoable. Works with query and edit. Takes objects, or else the selection."
std::string notesOf(const CommandAbout& command) {
    std::string text;
    if (command.query || command.edit)
        text += std::string("Works with ") + (command.query ? "query" : "") +
                (command.query && command.edit ? " and " : "") + (command.edit ? "edit" : "") + ". ";
    text += command.takesObjects ? "Takes objects, or else the selection." : "Takes no objects.";
    return text;
}

}  // namespace

std::string helpOf(const CommandAbout& command) {
    std::string text = std::string(command.name) + ": " + command.sentence + "\n" + notesOf(command) + "\n";
    for (const CommandFlag& flag : command.flags) {
        const std::string type = typeText(flag);
        text += std::string("  ") + flag.longName + " (" + flag.shortName + ")" + (type.empty() ? "" : " " + type) +
                ": " + flag.sentence + "\n";
    }
    return text;
}

std::string commandsAsMarkdown(const std::vector<CommandAbout>& commands) {
    std::string text;
    for (const CommandAbout& command : commands) {
        text += std::string("\n### ") + command.name + "\n\n" + command.sentence + " " + notesOf(command) +
                "\n\n| flag | short | value | what it does |\n|---|---|---|---|\n";
        for (const CommandFlag& flag : command.flags)
            text += std::string("| `") + flag.longName + "` | `" + flag.shortName + "` | " + typeText(flag) + " | " +
                    flag.sentence + " |\n";
    }
    return text;
}

}  // namespace purl

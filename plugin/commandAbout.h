// What a command does and which flags it takes, declared once: Maya's syntax, `purlDescribe -command` and
// docs/commands.md are made from it.
#pragma once
#include <maya/MStatus.h>
#include <maya/MSyntax.h>

#include <string>
#include <vector>

namespace purl {

struct CommandFlag {
    const char *shortName, *longName;  // without the dash
    MSyntax::MArgType type;            // kNoArg: no value
    const char* sentence;
    bool keepsValueInQuery = false;
};

struct CommandAbout {
    const char* name;
    const char* sentence;
    std::vector<CommandFlag> flags;
    bool takesObjects = true;  // objects, or else the selection
    bool query = false, edit = false;
};

inline const CommandFlag kSolverFlag = {
    "s", "solver", MSyntax::kString,
    "The purlSolver, if the scene has several and none of the given or selected objects belongs to one.", true};

inline MSyntax syntaxOf(const CommandAbout& about) {
    MSyntax syntax;
    for (const CommandFlag& flag : about.flags) {
        const std::string longName = std::string("-") + flag.longName;
        syntax.addFlag((std::string("-") + flag.shortName).c_str(), longName.c_str(), flag.type);
        if (flag.keepsValueInQuery && about.query) syntax.makeFlagQueryWithFullArgs(longName.c_str(), false);
    }
    if (about.takesObjects) {
        syntax.setObjectType(MSyntax::kSelectionList, 0);
        syntax.useSelectionAsDefault(true);
    }
    syntax.enableQuery(about.query);
    syntax.enableEdit(about.edit);
    return syntax;
}

}  // namespace purl

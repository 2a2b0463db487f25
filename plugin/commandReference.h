// Purl's commands as text: help of one, and the page docs/commands.md of all.
#pragma once
#include "plugin/commandAbout.h"

namespace purl {

std::string helpOf(const CommandAbout& command);
std::string commandsAsMarkdown(const std::vector<CommandAbout>& commands);

}  // namespace purl

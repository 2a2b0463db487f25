// A scene edited by commands, with the Purl plugin loaded: `from purl import cmds` and `purl mel` run on it.
#pragma once
#include <memory>
#include <string>

#include "host/host.h"

namespace purl {

// Registers the plugin with this program, and loads it unless it is loaded.
void loadPurl();
// A new scene, with Purl loaded.
std::unique_ptr<host::Session> newCommandSession();

// What a command does and its flags; throws host::Error if there is no such command.
std::string commandHelp(host::Session& session, const std::string& command);
// The page docs/commands.md: Purl's commands with all flags, and those of Maya that the host has.
std::string commandsPage();

}  // namespace purl

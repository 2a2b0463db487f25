// A scene edited by commands, with the Purl plugin loaded: `from purl import cmds` and `purl mel` run on it.
#pragma once
#include <memory>

#include "host/host.h"

namespace purl {

// Registers the plugin with this program, and loads it unless it is loaded.
void loadPurl();
// A new scene, with Purl loaded.
std::unique_ptr<host::Session> newCommandSession();

}  // namespace purl

// A scene that is worked on by commands, with Purl in it: what `from purl import cmds` and `purl mel` run on.
#pragma once
#include <memory>

#include "host/host.h"

namespace purl {

// Makes the plugin known to this program, and loads it unless it is.
void loadPurl();
// A new scene, with Purl loaded.
std::unique_ptr<host::Session> newCommandSession();

}  // namespace purl

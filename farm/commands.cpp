#include "farm/commands.h"

MStatus initializePlugin(MObject);
MStatus uninitializePlugin(MObject);

namespace purl {

void loadPurl() {
    host::linkPlugin("purl", initializePlugin, uninitializePlugin);
    host::loadLinkedPlugin("purl");
}

std::unique_ptr<host::Session> newCommandSession() {
    loadPurl();
    auto session = std::make_unique<host::Session>();
    session->newScene();
    return session;
}

}  // namespace purl

// Where Maya, or the headless host, takes Purl in and lets it go.
#include <maya/MFnPlugin.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>

#include "nodes/nodes.h"
#include "plugin/cacheCommand.h"
#include "plugin/createCommand.h"
#include "plugin/describeCommand.h"
#include "plugin/infoCommand.h"
#include "plugin/stateCommands.h"
#ifdef PURL_MAYA_PANEL
    #include "plugin/maya/panelCommand.h"
#endif
#ifdef PURL_MAYA_VIEWPORT
    #include "plugin/viewport/viewOverride.h"
#endif

namespace purl {
namespace {

template <class C>
CommandEntry entry() {
    return {C::kName, C::creator, C::newSyntax};
}

}  // namespace

const std::vector<CommandEntry>& purlCommands() {
    static const std::vector<CommandEntry> all = {
        entry<CreateCommand>(), entry<CacheCommand>(), entry<ExportCommand>(),   entry<InitialStateCommand>(),
        entry<BranchCommand>(), entry<InfoCommand>(),  entry<DescribeCommand>(),
#ifdef PURL_MAYA_PANEL
        entry<PanelCommand>(),
#endif
    };
    return all;
}

}  // namespace purl

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Purl", PURL_VERSION, "Any");
    MStatus status = purl::registerNodes(plugin);
    for (const purl::CommandEntry& command : purl::purlCommands())
        if (status) status = plugin.registerCommand(command.name, command.create, command.syntax);
#ifdef PURL_MAYA_VIEWPORT
    if (status) status = purl::registerViewOverride();
#endif
    // Menu, shelf, hotkeys and templates; where there are no windows nothing of it runs.
    if (status) status = plugin.registerUI("purlCreateUI", "purlDeleteUI");
    return status;
}

MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
#ifdef PURL_MAYA_PANEL
    purl::PanelCommand::close();
#endif
    MStatus status;
    for (const purl::CommandEntry& command : purl::purlCommands())
        if (status) status = plugin.deregisterCommand(command.name);
#ifdef PURL_MAYA_VIEWPORT
    if (status) status = purl::deregisterViewOverride();
#endif
    if (!status) return status;
    return purl::deregisterNodes(plugin);
}

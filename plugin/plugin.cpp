// Plug-in entry points: registers Purl with Maya or the headless host.
#include <maya/MFnPlugin.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>

#include <exception>

#include "nodes/nodes.h"
#include "plugin/cacheCommand.h"
#include "plugin/createCommand.h"
#include "plugin/describeCommand.h"
#include "plugin/infoCommand.h"
#include "plugin/stateCommands.h"
#include "plugin/strings.h"
#include "plugin/usdCommand.h"
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
    return {C::kName, C::creator, [] { return syntaxOf(C::about()); }, C::about};
}

}  // namespace

const std::vector<CommandEntry>& purlCommands() {
    static const std::vector<CommandEntry> all = {
        entry<CreateCommand>(), entry<CacheCommand>(), entry<ExportCommand>(),   entry<InitialStateCommand>(),
        entry<BranchCommand>(), entry<InfoCommand>(),  entry<DescribeCommand>(), entry<UsdStageCommand>(),
#ifdef PURL_MAYA_PANEL
        entry<PanelCommand>(),
#endif
    };
    return all;
}

}  // namespace purl

namespace {

// No exception may reach Maya.
template <class Work>
MStatus bounded(const char* what, Work&& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        MGlobal::displayError(MString("purl: cannot be ") + what + ": " + error.what());
    } catch (...) { MGlobal::displayError(MString("purl: cannot be ") + what); }
    return MS::kFailure;
}

}  // namespace

MStatus initializePlugin(MObject object) {
    return bounded("loaded", [&] {
        MFnPlugin plugin(object, "Purl", PURL_VERSION, "Any");
        MStatus status = plugin.registerUIStrings(purl::registerStrings, "purlInitStrings");
        if (status) status = purl::registerNodes(plugin);
        if (!status) return status;
        std::vector<const char*> registered;
        for (const purl::CommandEntry& command : purl::purlCommands()) {
            if (status) status = plugin.registerCommand(command.name, command.create, command.syntax);
            if (status) registered.push_back(command.name);
        }
#ifdef PURL_MAYA_VIEWPORT
        bool drawn = false;
        if (status) {
            status = purl::registerViewOverride();
            drawn = bool(status);
        }
#endif
        // Menu, shelf, hotkeys and templates; skipped in batch mode.
        if (status) status = plugin.registerUI("purlCreateUI", "purlDeleteUI");
        if (status) return status;
            // Maya does not call uninitializePlugin if initialisation failed.
#ifdef PURL_MAYA_VIEWPORT
        if (drawn) purl::deregisterViewOverride();
#endif
        for (const char* name : registered) plugin.deregisterCommand(name);
        purl::deregisterNodes(plugin);
        return status;
    });
}

// Deregisters everything even if a step fails: leftovers would point into an unloaded library.
MStatus uninitializePlugin(MObject object) {
    return bounded("unloaded", [&] {
        MFnPlugin plugin(object);
#ifdef PURL_MAYA_PANEL
        purl::PanelCommand::close();
#endif
        MStatus all;
        for (const purl::CommandEntry& command : purl::purlCommands()) {
            const MStatus status = plugin.deregisterCommand(command.name);
            if (!status) all = status;
        }
#ifdef PURL_MAYA_VIEWPORT
        const MStatus override = purl::deregisterViewOverride();
        if (!override) all = override;
#endif
        const MStatus status = purl::deregisterNodes(plugin);
        return status ? all : status;
    });
}

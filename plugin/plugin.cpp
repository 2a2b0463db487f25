// Where Maya, or the headless host, takes Purl in and lets it go.
#include <maya/MFnPlugin.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>

#include "nodes/nodes.h"
#include "plugin/describeCommand.h"
#ifdef PURL_MAYA_PANEL
    #include "plugin/maya/panelCommand.h"
#endif

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Purl", PURL_VERSION, "Any");
    MStatus status = purl::registerNodes(plugin);
    if (!status) return status;
#ifdef PURL_MAYA_PANEL
    status =
        plugin.registerCommand(purl::PanelCommand::kName, purl::PanelCommand::creator, purl::PanelCommand::newSyntax);
    if (!status) return status;
#endif
    return plugin.registerCommand(purl::DescribeCommand::kName, purl::DescribeCommand::creator,
                                  purl::DescribeCommand::newSyntax);
}

MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    MStatus status = plugin.deregisterCommand(purl::DescribeCommand::kName);
    if (!status) return status;
#ifdef PURL_MAYA_PANEL
    purl::PanelCommand::close();
    status = plugin.deregisterCommand(purl::PanelCommand::kName);
    if (!status) return status;
#endif
    return purl::deregisterNodes(plugin);
}

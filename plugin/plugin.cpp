// Where Maya, or the headless host, takes Purl in and lets it go.
#include <maya/MFnPlugin.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>

#include "nodes/nodes.h"
#include "plugin/describeCommand.h"

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Purl", PURL_VERSION, "Any");
    MStatus status = purl::registerNodes(plugin);
    if (!status) return status;
    return plugin.registerCommand(purl::DescribeCommand::kName, purl::DescribeCommand::creator,
                                  purl::DescribeCommand::newSyntax);
}

MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    MStatus status = plugin.deregisterCommand(purl::DescribeCommand::kName);
    if (!status) return status;
    return purl::deregisterNodes(plugin);
}

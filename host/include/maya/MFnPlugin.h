// MFnPlugin: registers a plugin's nodes, commands and data; also declares the plugin's two entry points.
#pragma once
#include <maya/MFnBase.h>
#include <maya/MPxCommand.h>
#include <maya/MPxData.h>
#include <maya/MPxNode.h>

// The vendor that a plugin of this build may give.
#define PLUGIN_COMPANY "Purl headless host"

namespace Autodesk::Maya::OpenMayaHost {

typedef void* (*MCreatorFunction)();
typedef MStatus (*MInitializeFunction)();
typedef MSyntax (*MCreateSyntaxFunction)();

class MFnPlugin : public MFnBase {
  public:
    MFnPlugin() = default;
    MFnPlugin(MObject& plugin, const char* vendor = "Unknown", const char* version = "Unknown",
              const char* requiredApiVersion = "Any", MStatus* status = nullptr);
    MFn::Type type() const override { return MFn::kPlugin; }

    MString vendor(MStatus* status = nullptr) const;
    MString version(MStatus* status = nullptr) const;
    MString apiVersion(MStatus* status = nullptr) const;
    MString name(MStatus* status = nullptr) const;
    MString loadPath(MStatus* status = nullptr) const;
    MStatus setName(const MString& name, bool allowRename = true);
    MStatus setVersion(const MString& version);

    MStatus registerNode(const MString& typeName, const MTypeId& id, MCreatorFunction create,
                         MInitializeFunction initialize, MPxNode::Type type = MPxNode::kDependNode,
                         const MString* classification = nullptr);
    MStatus deregisterNode(const MTypeId& id);
    MStatus registerData(const MString& typeName, const MTypeId& id, MCreatorFunction create,
                         MPxData::Type type = MPxData::kData);
    MStatus deregisterData(const MTypeId& id);
    MStatus registerCommand(const MString& name, MCreatorFunction create, MCreateSyntaxFunction syntax = nullptr);
    MStatus deregisterCommand(const MString& name);
    static bool isNodeRegistered(const MString& typeName);
    // MEL procedures that create and delete the plugin's UI. The host has no windows, only optional stand-ins.
    MStatus registerUI(const MString& creationProc, const MString& deletionProc, const MString& creationBatchProc = "",
                       const MString& deletionBatchProc = "");
    // Registers the plugin's UI strings, and a MEL procedure that loads their translation.
    MStatus registerUIStrings(MStatus (*registerStrings)(), const MString& pluginStringsProc);
    static MObject findPlugin(const MString& name);
};

}  // namespace Autodesk::Maya::OpenMayaHost

using Autodesk::Maya::OpenMayaHost::MCreateSyntaxFunction;
using Autodesk::Maya::OpenMayaHost::MCreatorFunction;
using Autodesk::Maya::OpenMayaHost::MInitializeFunction;

#ifndef MNoPluginEntry
    #ifdef _WIN32
        #define PURL_PLUGIN_ENTRY __declspec(dllexport)
    #else
        #define PURL_PLUGIN_ENTRY __attribute__((visibility("default")))
    #endif
PURL_PLUGIN_ENTRY MStatus initializePlugin(MObject object);
PURL_PLUGIN_ENTRY MStatus uninitializePlugin(MObject object);
#endif

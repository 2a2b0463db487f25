// MSimple: declares a command and the entry points of its plugin in one line.
#pragma once
#include <maya/MArgList.h>
#include <maya/MFnPlugin.h>
#include <maya/MObject.h>
#include <maya/MPxCommand.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

// DeclareSimpleCommand(spin, "Vendor", "1.0") declares class spin with MStatus spin::doIt(const MArgList&) to be
// defined, and a plugin with the command "spin", which cannot be undone.
#define DeclareSimpleCommand(Command, vendor, pluginVersion)                                                \
    class Command : public MPxCommand {                                                                     \
      public:                                                                                               \
        MStatus doIt(const MArgList&) override;                                                             \
        static void* creator() { return new Command; }                                                      \
    };                                                                                                      \
    MStatus initializePlugin(MObject object) {                                                              \
        return MFnPlugin(object, vendor, pluginVersion, "Any").registerCommand(#Command, Command::creator); \
    }                                                                                                       \
    MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterCommand(#Command); }

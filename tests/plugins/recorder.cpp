// Callbacks: exampleRecorder returns what happened to the scene since the plug-in was loaded.
#include <maya/MCallbackIdArray.h>
#include <maya/MDGMessage.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnPlugin.h>
#include <maya/MPxCommand.h>
#include <maya/MSceneMessage.h>
#include <maya/MString.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>

static MStringArray heard;
static MCallbackIdArray callbacks;

class Recorder : public MPxCommand {
  public:
    static void* creator() { return new Recorder; }
    MStatus doIt(const MArgList&) override {
        setResult(heard);
        return MS::kSuccess;
    }
};

MStatus initializePlugin(MObject object) {
    callbacks.append(MDGMessage::addNodeAddedCallback(
        [](MObject& node, void*) { heard.append(MString("added ") + MFnDependencyNode(node).name()); }, "transform"));
    callbacks.append(MDGMessage::addTimeChangeCallback(
        [](MTime& time, void*) { heard.append(MString("frame ") + int(time.as(MTime::uiUnit()))); }));
    callbacks.append(MSceneMessage::addCallback(MSceneMessage::kAfterNew, [](void*) { heard.append("new scene"); }));
    return MFnPlugin(object, "Example", "1.0").registerCommand("exampleRecorder", Recorder::creator);
}
MStatus uninitializePlugin(MObject object) {
    MMessage::removeCallbacks(callbacks);
    return MFnPlugin(object).deregisterCommand("exampleRecorder");
}

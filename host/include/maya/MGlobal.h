// MGlobal: messages, versions and the selection of the current scene.
#pragma once
#include <maya/MSelectionList.h>
#include <maya/MString.h>
#include <maya/MVector.h>

namespace Autodesk::Maya::OpenMayaHost {

class MGlobal {
  public:
    enum MMayaState { kInteractive, kBatch, kLibraryApp, kBaseUIMode };
    enum ListAdjustment { kReplaceList, kXORWithList, kAddToList, kRemoveFromList, kAddToHeadOfList };

    static void displayInfo(const MString& text);
    static void displayWarning(const MString& text, bool showLineNumber = false);
    static void displayError(const MString& text, bool showLineNumber = false);

    static MMayaState mayaState(MStatus* status = nullptr);
    static int apiVersion();
    static MString mayaVersion();

    static MStatus getActiveSelectionList(MSelectionList& list, bool orderedIfAvailable = false);
    static MStatus setActiveSelectionList(const MSelectionList& list, ListAdjustment how = kReplaceList);
    static MStatus clearSelectionList();
    static MStatus getSelectionListByName(const MString& name, MSelectionList& list);
    // Runs MEL, if the application that owns the scene provides an interpreter; on errors, reports a message and
    // returns kFailure.
    static MStatus executeCommand(const MString& command, bool displayEnabled = false, bool undoEnabled = false);

    // The world's up axis.
    static bool isYAxisUp(MStatus* status = nullptr);
    static bool isZAxisUp(MStatus* status = nullptr);
    static MVector upAxis(MStatus* status = nullptr);
    static MStatus setYAxisUp(bool rotateView = false);
    static MStatus setZAxisUp(bool rotateView = false);

    static bool isUndoing();
    static bool isRedoing();
};

}  // namespace Autodesk::Maya::OpenMayaHost

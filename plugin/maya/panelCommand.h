// purlPanel: the panel as a tab that docks anywhere in Maya's window.   purlPanel [-restore]
// Built with PURL_MAYA_PANEL, against Maya's own Qt; no Maya has run it yet.
#pragma once
#include <maya/MArgList.h>
#include <maya/MPxCommand.h>
#include <maya/MSyntax.h>

namespace purl {

class PanelCommand : public MPxCommand {
  public:
    static constexpr const char* kName = "purlPanel";
    static void* creator() { return new PanelCommand; }
    static MSyntax newSyntax();

    // -restore: fills the tab that Maya has just made, at the start or when a layout is loaded.
    MStatus doIt(const MArgList& arguments) override;
    bool isUndoable() const override { return false; }

    // Before the plugin goes: its code is in the widgets.
    static void close();
};

}  // namespace purl

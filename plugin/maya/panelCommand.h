// purlPanel: the panel as a dockable tab in Maya.   purlPanel [-restore] [-showTab NAME]
// Built with PURL_MAYA_PANEL against Maya's Qt; not yet run in Maya.
#pragma once
#include <maya/MArgList.h>
#include <maya/MPxCommand.h>

#include "plugin/commandAbout.h"

namespace purl {

class PanelCommand : public MPxCommand {
  public:
    static constexpr const char* kName = "purlPanel";
    static void* creator() { return new PanelCommand; }
    static CommandAbout about();
    static MSyntax newSyntax() { return syntaxOf(about()); }

    // -restore: fills the tab that Maya has just created, at start-up or when a layout is loaded.
    MStatus doIt(const MArgList& arguments) override;
    bool isUndoable() const override { return false; }

    // Call before unloading the plug-in: the widgets use its code.
    static void close();
};

}  // namespace purl

#include "plugin/maya/panelCommand.h"

#include <maya/MAnimControl.h>
#include <maya/MArgDatabase.h>
#include <maya/MGlobal.h>
#include <maya/MQtUtil.h>
#include <maya/MTime.h>

#include <QPointer>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>

#include "panel/panel.h"
#include "plugin/maya/panelModel.h"

namespace purl {
namespace {

constexpr const char* kControl = "purlPanelControl";
constexpr int kPollMilliseconds = 300;  // polling interval

QPointer<Panel> shownPanel;  // the panel opened last

// The panel with its model; polls while visible.
class MayaPanel : public QWidget {
  public:
    explicit MayaPanel(QWidget* parent) : QWidget(parent) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        model_.watch();
        panel_ = new Panel(model_, this);
        shownPanel = panel_;
        column->addWidget(panel_);
        connect(&clock_, &QTimer::timeout, this, [this] {
            if (!isVisible()) return;
            model_.watch();
            panel_->refresh(static_cast<int>(std::floor(MAnimControl::currentTime().as(MTime::uiUnit()))));
        });
        clock_.start(kPollMilliseconds);
    }

  private:
    MayaPanelModel model_;
    Panel* panel_;
    QTimer clock_;
};

MStatus fill() {
    QWidget* tab = MQtUtil::findControl(kControl);
    if (!tab) {
        MGlobal::displayError(MString(PanelCommand::kName) + ": Maya has no workspace control " + kControl);
        return MS::kFailure;
    }
    if (!tab->layout()) new QVBoxLayout(tab);
    tab->layout()->setContentsMargins(0, 0, 0, 0);
    tab->layout()->addWidget(new MayaPanel(tab));
    return MS::kSuccess;
}

}  // namespace

CommandAbout PanelCommand::about() {
    return {kName,
            "Opens the Purl panel as a dockable tab.",
            {{"r", "restore", MSyntax::kNoArg, "Fills the tab that Maya has just created, at start-up."},
             {"st", "showTab", MSyntax::kString, "Shows one of its tabs, like Farm or Caches."}},
            false};
}

MStatus PanelCommand::doIt(const MArgList& arguments) {
    MStatus status;
    const MArgDatabase parsed(syntax(), arguments, &status);
    if (!status) return status;
    if (MGlobal::mayaState() != MGlobal::kInteractive) {
        MGlobal::displayError(MString(kName) + ": not available in batch mode");
        return MS::kFailure;
    }
    if (parsed.isFlagSet("-r")) return fill();
    const MString control(kControl);
    status = MGlobal::executeCommand("if (`workspaceControl -exists " + control + "`) workspaceControl -e -restore " +
                                     control + "; else workspaceControl -label \"Purl\" -loadImmediately true " +
                                     "-initialWidth 400 -minimumWidth 340 -requiredPlugin \"purl\" -uiScript \"" +
                                     kName + " -restore\" " + control + ";");
    MString tab;
    if (!status || !parsed.isFlagSet("-st") || !parsed.getFlagArgument("-st", 0, tab)) return status;
    if (shownPanel && shownPanel->showTab(tab.asUTF8())) return status;
    MGlobal::displayError(MString(kName) + ": has no tab \"" + tab + "\"");
    return MS::kFailure;
}

void PanelCommand::close() {
    if (MGlobal::mayaState() != MGlobal::kInteractive) return;
    const MString control(kControl);
    MGlobal::executeCommand("if (`workspaceControl -exists " + control + "`) deleteUI -control " + control + ";");
}

}  // namespace purl

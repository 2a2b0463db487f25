// purlPanel on the host: its commands run as MEL, and its tab is a plain widget.
#include <gtest/gtest.h>
#include <maya/MFnPlugin.h>

#include <QApplication>
#include <QLayout>
#include <QTabWidget>
#include <filesystem>

#include "farm/commands.h"
#include "host/mel/interpreter.h"
#include "panel/bodyTree.h"
#include "panel/doctorList.h"
#include "panel/panel.h"
#include "plugin/maya/panelCommand.h"
#include "plugin/maya/panelModel.h"

namespace purl {
namespace {

class MayaPanelTest : public testing::Test {
  protected:
    MayaPanelTest() : session(newCommandSession()), mel(*session) {
        session->interactive = true;
        mel.scriptPaths = {PURL_SOURCE_DIR "/mel"};
        session->graph().ui = std::make_shared<host::MayaUi>();
        session->graph().ui->script = [this](const std::string& text) {
            said += text + "\n";
            mel.run(text, "maya");
        };
        session->graph().sink = [this](host::Severity severity, const std::string& text) {
            if (severity == host::Severity::Error) errors += text + "\n";
        };
        mel.run(
            "file -f -new; playbackOptions -min 1 -max 4; polyCube -n pool -w 40 -h 20 -d 40; purlCreate -type fluid; "
            "setAttr purlFluid1.particleSpacing 5; setAttr purlSolver1.usePlane 1;",
            "test");
    }
    std::string get(const std::string& plug) { return session->get(plug); }

    std::unique_ptr<host::Session> session;
    host::mel::Interpreter mel;
    std::string said, errors;
};

TEST_F(MayaPanelTest, editsAndFixesAreCommandsThatUndoTakesBack) {
    const host::Graph::Scope scope(session->graph());
    MayaPanelModel model;
    model.watch();
    ASSERT_FALSE(model.state().nodes->empty());
    EXPECT_EQ(model.state().nodes->front().name, "purlSolver1");
    model.set("purlFluid1", "viscosity", "7");
    EXPECT_EQ(get("purlFluid1.viscosity"), "7");
    model.set("purlFluid1", "preset", "honey");
    EXPECT_EQ(get("purlFluid1.preset"), "honey");
    model.set("purlSolver1", "gravityDirection", "0 0 -1");
    EXPECT_EQ(get("purlSolver1.gravityDirection"), "0 0 -1");
    model.set("purlSolver1", "enable", "off");
    EXPECT_EQ(get("purlSolver1.enable"), "off");
    for (int i = 0; i < 4; ++i) session->undo();
    EXPECT_EQ(get("purlFluid1.viscosity"), "0.05");
    EXPECT_EQ(get("purlSolver1.enable"), "on");

    session->set("purlSolver1.gravity=981");
    session->graph().setFrame(1);
    session->graph().plug("purlSolver1.outFrame").evaluate();
    model.watch();
    ASSERT_FALSE(model.state().problems.empty());
    model.fix(model.state().problems.front());
    EXPECT_EQ(get("purlSolver1.gravity"), "9.81");
    session->undo();
    EXPECT_EQ(get("purlSolver1.gravity"), "981");
    EXPECT_EQ(errors, "");
}

TEST_F(MayaPanelTest, plotsCachesAndBranchesAreThoseOfTheScene) {
    const std::string folder = testing::TempDir() + "purl_maya_panel";
    std::filesystem::remove_all(folder);
    const host::Graph::Scope scope(session->graph());
    MayaPanelModel model;
    for (int frame = 1; frame <= 3; ++frame) {
        session->graph().setFrame(frame);
        session->graph().plug("purlSolver1.outFrame").evaluate();
        model.watch();
    }
    ASSERT_EQ(model.state().samples.size(), 3u);
    EXPECT_GT(model.state().samples.back().waterMass, 0);
    EXPECT_GT(model.state().memory, 1);
    EXPECT_FALSE(model.state().phases.empty());
    EXPECT_EQ(model.state().frames, (std::vector<PanelFrame>{PanelFrame::upToDate, PanelFrame::upToDate,
                                                             PanelFrame::upToDate, PanelFrame::missing}));
    mel.run("optionVar -stringValue purlCacheDirectory \"" + folder + "\";", "test");
    model.writeCache("");
    model.watch();
    EXPECT_EQ(errors, "");
    ASSERT_EQ(model.state().caches.size(), 1u);
    EXPECT_EQ(model.state().openCache, folder);
    EXPECT_EQ(get("purlSolver1.playFromCache"), "on");
    mel.run("purlBranch -name thick -fromFrame 3;", "test");
    model.watch();
    ASSERT_EQ(model.state().caches.size(), 2u);
    EXPECT_EQ(model.state().caches[1].depth, 1);
    EXPECT_EQ(model.state().openCache, model.state().caches[1].folder);
    model.openCache(model.state().caches[0].folder);
    EXPECT_EQ(get("purlSolver1Cache1.directory"), folder);
    model.openCache("");
    EXPECT_EQ(get("purlSolver1Cache1.mode"), "pass");
    EXPECT_EQ(get("purlSolver1.playFromCache"), "off");
}

MStatus addPanel(MObject object) {
    MFnPlugin plugin(object, "Purl", "1", "Any");
    return plugin.registerCommand(PanelCommand::kName, PanelCommand::creator, PanelCommand::newSyntax);
}
MStatus removePanel(MObject object) {
    PanelCommand::close();
    return MFnPlugin(object).deregisterCommand(PanelCommand::kName);
}

TEST_F(MayaPanelTest, docksAsATabThatTheMenuOpens) {
    if (!QApplication::instance()) {
        setenv("QT_QPA_PLATFORM", "offscreen", 1);
        static int argc = 1;
        static char name[] = "app_tests", *argv[] = {name, nullptr};
        new QApplication(argc, argv);
    }
    host::loadPlugin("purlPanelTest", addPanel);
    const host::Graph::Scope scope(session->graph());
    mel.call(host::pluginUi("purl").create, {});
    ASSERT_NE(mel.ui.find("purlMenu_panel"), nullptr);
    ASSERT_NE(mel.ui.find("PurlPanel"), nullptr) << "a command for the hotkey editor";
    mel.run(mel.ui.find("purlMenu_panel")->find("command")->front(), "menu");
    const host::mel::UiItem* tab = mel.ui.find("purlPanelControl");
    ASSERT_NE(tab, nullptr);
    // Maya creates the tab and has it filled, also when a layout is loaded again.
    QWidget widget;
    session->graph().ui->controls["purlPanelControl"] = &widget;
    mel.run(tab->find("uiScript")->front(), "tab");
    EXPECT_EQ(errors, "");
    const auto panels = widget.findChildren<QTabWidget*>();
    ASSERT_EQ(panels.size(), 1);
    EXPECT_EQ(panels[0]->count(), 6) << "settings, plots, presets, caches, doctor, farm";
    ASSERT_NE(mel.ui.find("purlMenu_farm"), nullptr);
    mel.run(mel.ui.find("purlMenu_farm")->find("command")->front(), "menu");
    EXPECT_EQ(errors, "");
    EXPECT_EQ(panels[0]->tabText(panels[0]->currentIndex()), "Farm");
    EXPECT_ANY_THROW(mel.run("purlPanel -showTab Nonsense;", "menu"));
    ASSERT_EQ(widget.findChildren<QTreeWidget*>().size(), 2);
    EXPECT_GE(widget.findChildren<QTreeWidget*>()[0]->topLevelItemCount(), 1);
    mel.call(host::pluginUi("purl").remove, {});
    session->graph().ui->controls.clear();
    session->graph().ui->script = [this](const std::string& text) { mel.run(text, "maya"); };
    host::unloadPlugin("purlPanelTest", removePanel);
}

}  // namespace
}  // namespace purl

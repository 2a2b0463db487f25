// Purl's MEL scripts, run with stand-ins for Maya's user interface: contents and behaviour of the menu, the shelf and
// the attribute editor, and that everything is removed when the plugin is unloaded.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "farm/commands.h"
#include "host/mel/interpreter.h"

namespace purl {
namespace {

using host::mel::UiItem;

class PurlMel : public ::testing::Test {
  protected:
    PurlMel() : session(newCommandSession()), mel(*session) {
        session->interactive = true;
        mel.scriptPaths = {PURL_SOURCE_DIR "/mel"};
        mel.out = [this](const std::string& text) { printed += text; };
    }
    std::string run(const std::string& text) {
        printed.clear();
        mel.run(text, "test.mel");
        return printed;
    }
    std::vector<std::string> types() {
        return std::get<std::vector<std::string>>(session->command("purlCreate", {"-q", "-type"}));
    }
    // Runs the command of a menu item.
    void click(const std::string& item, const char* flag = "command") {
        const UiItem* found = mel.ui.find(item);
        ASSERT_NE(found, nullptr) << item;
        const std::string script = found->find(flag)->front();
        mel.run(script, item);
    }

    std::unique_ptr<host::Session> session;
    host::mel::Interpreter mel;
    std::string printed;
};

TEST_F(PurlMel, everythingThatCanBeCreatedIsInTheMenuTheShelfAndTheHotkeys) {
    mel.call(host::pluginUi("purl").create, {});
    ASSERT_NE(mel.ui.find("purlMenu"), nullptr);
    EXPECT_EQ(mel.ui.find("purlMenu")->parent, "MayaWindow");
    for (const std::string& type : types()) {
        const UiItem* item = mel.ui.find("purlMenu_" + type);
        ASSERT_NE(item, nullptr) << type;
        EXPECT_EQ(item->parent, "purlMenu");
        ASSERT_NE(mel.ui.find("purlMenu_" + type + "Box"), nullptr) << type;
        ASSERT_NE(mel.ui.find("purlShelf_" + type), nullptr) << type;
        EXPECT_EQ(mel.ui.find("purlShelf_" + type)->parent, "Purl");
    }
    EXPECT_NE(mel.ui.find("purlMenu_performPurlExportBox"), nullptr);
    EXPECT_NE(mel.ui.find("purlMenu_performPurlBranch"), nullptr);
    EXPECT_EQ(mel.ui.find("purlMenu_performPurlBranchBox"), nullptr) << "it has no options";
    for (const char* hotkey : {"PurlCreateCloth", "PurlCache", "PurlExport", "PurlInitialState", "PurlBranch"})
        EXPECT_NE(mel.ui.find(hotkey), nullptr) << hotkey;
    EXPECT_NE(mel.ui.find("purlCloth.massPerVertex"), nullptr) << "may be painted";
    const UiItem* hotkey = mel.ui.find("PurlCache");
    ASSERT_NE(hotkey->find("default"), nullptr);
    EXPECT_EQ(hotkey->find("default")->front(), "true") << "Maya does not save it with the user's own commands";
    ASSERT_NE(hotkey->find("plugin"), nullptr);
    EXPECT_EQ(hotkey->find("plugin")->front(), "purl");
    EXPECT_EQ(run("print `menuItem -q -label purlMenu_softBody`;"), "Soft Body");
}

TEST_F(PurlMel, textsComeInTheArtistsLanguage) {
    mel.call(host::pluginUi("purl").strings, {});  // there is no translation, so nothing happens
    EXPECT_EQ(run("print (purlString(\"menu\"));"), "Purl");
    host::translate("purl", "create", "Erzeugen");
    host::translate("purl", "sentence.purlFluid.restDensity", "Dichte in Ruhe.");
    mel.call(host::pluginUi("purl").create, {});
    EXPECT_EQ(run("print `menuItem -q -dividerLabel purlCreateDivider`;"), "Erzeugen");
    const auto rows =
        std::get<std::vector<std::string>>(session->command("purlDescribe", {"-rows", "-nodeType", "purlFluid"}));
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const std::string& row) {
        return row.find("restDensity|Dichte in Ruhe.") != std::string::npos;
    }));
    host::translate("purl", "create", "Create");
    host::translate("purl", "sentence.purlFluid.restDensity", "");
    EXPECT_THROW(run("purlString(\"nonsense\");"), host::Error);
    EXPECT_THROW(host::translate("purl", "nonsense", "Unsinn"), host::Error);
}

TEST_F(PurlMel, everyActionOfTheMenuHasItsProcedureAndItsTexts) {
    mel.call(host::pluginUi("purl").create, {});
    int actions = 0;
    for (const UiItem& item : mel.ui.items()) {
        if (item.name.rfind("purlMenu_performPurl", 0) != 0 || !item.find("label")) continue;
        ++actions;
        const std::string command = item.find("command")->front();
        EXPECT_TRUE(mel.knows(command.substr(0, command.find('(')))) << command;
        EXPECT_FALSE(item.find("annotation")->front().empty());
    }
    EXPECT_EQ(actions, 5);
}

TEST_F(PurlMel, nothingStaysWhenThePluginGoes) {
    mel.call(host::pluginUi("purl").create, {});
    click("purlMenu_clothBox");
    EXPECT_NE(mel.ui.find("purlOptions"), nullptr);
    mel.call(host::pluginUi("purl").remove, {});
    EXPECT_TRUE(mel.ui.items().empty()) << mel.ui.text();
}

TEST_F(PurlMel, batchHasNoWindows) {
    session->interactive = false;
    mel.call(host::pluginUi("purl").create, {});
    mel.call(host::pluginUi("purl").remove, {});
    EXPECT_TRUE(mel.ui.items().empty());
}

TEST_F(PurlMel, menuItemsCreateFromTheSelection) {
    mel.call(host::pluginUi("purl").create, {});
    run("polyPlane -n sheet;");
    click("purlMenu_cloth");
    EXPECT_EQ(run("print `nodeType purlCloth1`;"), "purlCloth");
    EXPECT_EQ(run("string $s[] = `ls -sl`; print $s[0];"), "purlCloth1");
    run("polySphere -n ball;");
    click("purlShelf_collider");
    EXPECT_EQ(run("print `nodeType purlCollider1`;"), "purlCollider");
}

TEST_F(PurlMel, optionBoxesKeepTheirChoices) {
    mel.call(host::pluginUi("purl").create, {});
    run("polyPlane -n sheet;");
    click("purlMenu_clothBox");
    run("textFieldGrp -e -text \"towel\" purlOptionName; checkBoxGrp -e -value1 0 purlOptionOutput;");
    click("purlOptionCreate");
    EXPECT_EQ(mel.ui.find("purlOptions"), nullptr);
    EXPECT_EQ(run("print `nodeType towel`; print `objExists outputCloth1`; print `optionVar -q purlCreateName_cloth`;"),
              "purlCloth0towel");
}

// As in Maya's own simulation nodes.
TEST_F(PurlMel, sectionsStandInStockOrder) {
    const auto sections = [this](const std::string& type) {
        std::vector<std::string> all;
        const auto rows =
            std::get<std::vector<std::string>>(session->command("purlDescribe", {"-rows", "-nodeType", type}));
        for (const std::string& row : rows) {
            const std::string section = row.substr(0, row.find('|'));
            if (all.empty() || all.back() != section) all.push_back(section);
        }
        return all;
    };
    EXPECT_EQ(sections("purlCloth"),
              (std::vector<std::string>{"Fabric and pins", "Contact", "Stiffness", "Air", "Tearing and volume",
                                        "Under water", "Painted maps", "Soaking", "Wicking", "When wet", "Solver",
                                        "Look", "Reference variants"}));
    EXPECT_EQ(sections("purlFluid").front(), "Material");
    EXPECT_EQ(sections("purlFluid").back(), "Reference variants");
    EXPECT_EQ(sections("purlSolver")[1], "World");
}

// The attribute also accepts the values of old scenes, which the menu leaves out.
TEST_F(PurlMel, menusShowCurrentValuesOnly) {
    mel.call(host::pluginUi("purl").create, {});
    run("createNode purlCloth -n flag; purlMenuNew(\"flag.solver\");");
    const UiItem* menu = mel.ui.find("purlMenuOf_solver");
    ASSERT_NE(menu, nullptr);
    std::vector<std::string> indices;
    for (const auto& [flag, values] : menu->flags)
        if (flag == "enumeratedItem") indices.push_back(values.front());
    EXPECT_EQ(indices, (std::vector<std::string>{"0", "1", "4", "5"}));
    run("createNode purlCloth -n sail; purlMenuReplace(\"sail.solver\");");
    EXPECT_EQ(mel.ui.find("purlMenuOf_solver")->find("attribute")->front(), "sail.solver");
}

TEST_F(PurlMel, templatesShowEveryAttributeOfEveryNodeOnce) {
    mel.call(host::pluginUi("purl").create, {});
    const auto nodes = std::get<std::vector<std::string>>(session->command("purlDescribe", {"-nodeTypes"}));
    EXPECT_GE(nodes.size(), 15u);
    for (const std::string& type : nodes) {
        const size_t before = mel.ui.items().size();
        mel.call("AE" + type + "Template", {host::mel::Value(std::string("node1"))});
        std::multiset<std::string> shown;
        int open = 0;
        for (size_t k = before; k < mel.ui.items().size(); ++k) {
            const UiItem& item = mel.ui.items()[k];
            if (const auto* control = item.find("addControl")) shown.insert(control->front());
            if (const auto* menu = item.find("callCustom")) shown.insert(menu->back());
            if (item.command == "AEaddRampControl") shown.insert(item.name.substr(item.name.find('.') + 1));
            open += item.find("beginLayout") != nullptr;
            open -= item.find("endLayout") != nullptr;
        }
        EXPECT_EQ(open, 0) << type;
        const host::Type& known = *host::findType(type);
        for (const std::string& attribute : shown) {
            EXPECT_EQ(shown.count(attribute), 1u) << type << "." << attribute;
            EXPECT_NE(known.find(attribute), nullptr) << type << "." << attribute;
        }
        const auto rows =
            std::get<std::vector<std::string>>(session->command("purlDescribe", {"-rows", "-nodeType", type}));
        EXPECT_EQ(shown.size(), rows.size()) << type;
    }
}

}  // namespace
}  // namespace purl

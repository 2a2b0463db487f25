// The farm tab of the panel: runs the purl program beside the tests.
#include "panel/farmTab.h"

#include <QDir>
#include <QFileInfo>
#include <QListWidget>
#include <QTabWidget>

#include "tests/app/view/windowFixture.h"

namespace purl {
namespace {

class FarmTabTest : public WindowTest {
  protected:
    FarmTabTest() {
        const QString program = QCoreApplication::applicationDirPath() + "/../app";
        qputenv("PATH", (program + ":" + qEnvironmentVariable("PATH")).toUtf8());
        QDir(folder).removeRecursively();
    }
    FarmTab& tab() { return window->panel().farm(); }
    std::string viscosity() {
        for (const PanelNode& node : *window->panel().shown().nodes)
            if (node.name == "water") return node.find("viscosity")->value;
        return "";
    }

    const QString folder = QString::fromStdString(testing::TempDir() + "farmTab");
};

TEST_F(FarmTabTest, aJobIsWrittenAndAClickLoadsAWedge) {
    ASSERT_TRUE(window->trigger("farm"));
    EXPECT_EQ(window->panel().tabs().currentWidget(), &tab());
    // The farm would read the file without the unsaved change.
    ASSERT_TRUE(until([&] { return window->panel().shown().changed; }));
    tab().write(false);
    EXPECT_TRUE(tab().message().contains("save the scene first")) << tab().message().toStdString();

    window->player().save((folder + ".ma").toStdString());
    ASSERT_TRUE(until([&] { return !window->panel().shown().changed; }));
    tab().setFolder(folder);
    tab().setWedges("water.viscosity=1,3\n");
    tab().setFrames("1-2");
    tab().write(false);
    ASSERT_TRUE(until([&] { return !tab().isBusy() && tab().wedges().count() == 2; })) << tab().message().toStdString();
    EXPECT_TRUE(tab().message().contains("2 wedges, frames 1-2")) << tab().message().toStdString();
    EXPECT_TRUE(QFileInfo::exists(folder + "/job/submit.sh"));
    EXPECT_TRUE(tab().wedges().item(1)->text().contains("waiting"));
    tab().load(1);
    EXPECT_TRUE(until([&] { return viscosity() == "3"; })) << viscosity();
}

TEST_F(FarmTabTest, mistakesAreShown) {
    window->player().save((folder + ".ma").toStdString());
    ASSERT_TRUE(until([&] { return !window->panel().shown().changed && !window->player().path().empty(); }));
    tab().setFolder(folder);
    tab().setWedges("water.nonsense=1,3");
    tab().write(false);
    ASSERT_TRUE(until([&] { return !tab().isBusy(); }));
    EXPECT_TRUE(tab().message().contains("nonsense")) << tab().message().toStdString();
    EXPECT_FALSE(QFileInfo::exists(folder + "/job"));
}

}  // namespace
}  // namespace purl

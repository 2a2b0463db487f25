// The window's files, cameras, selection, handles, creation, playing, comparison and export.
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/view/actions.h"
#include "app/view/recentFiles.h"
#include "panel/bodyTree.h"
#include "tests/app/view/windowFixture.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

const std::string kDam = damScene();

class WindowToolsTest : public WindowTest {
  protected:
    bool settle() {
        return until([&] { return window->settled(); });
    }
    const SceneObject* object(const std::string& name) {
        stage = window->player().stage(window->frame());
        return stage ? findObject(stage->objects, name) : nullptr;
    }
    bool hasNode(const std::string& name) {
        for (const PanelNode& node : *window->panel().shown().nodes)
            if (node.name == name) return true;
        return false;
    }
    std::string temporary(const std::string& name) {
        const std::string path = testing::TempDir() + name;
        fs::remove_all(path);
        return path;
    }
    StagePtr stage;
};

TEST_F(WindowToolsTest, documentsItsKeysFromTheirDeclaration) {
    std::ifstream file(PURL_SOURCE_DIR "/docs/viewer.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(keyTable()), std::string::npos) << "run purl view --keys and put its table there";
    for (const ActionAbout& action : windowActions()) EXPECT_GT(std::string(action.help).size(), 5u) << action.id;
    EXPECT_FALSE(window->trigger("noSuchAction"));
}

TEST_F(WindowToolsTest, anEditWhilePlayingDoesNotStopIt) {
    ASSERT_TRUE(settle());
    press(Qt::Key_Space);
    for (int edit = 0; edit < 5; ++edit) {
        const int before = window->frame();
        ASSERT_TRUE(until([&] { return window->frame() != before; }));
        window->player().set("water", "viscosity", std::to_string(1 + edit));
    }
    const int before = window->frame();
    ASSERT_TRUE(until([&] { return window->frame() != before; }));
    EXPECT_TRUE(window->playing());
    EXPECT_EQ(window->player().error(), "");
    press(Qt::Key_Space);
    ASSERT_TRUE(settle());
    EXPECT_EQ(attribute("water", "viscosity")->value, "5");
}

TEST_F(WindowToolsTest, anErrorIsShownUntilItsCauseIsGone) {
    ASSERT_TRUE(settle());
    window->player().set("water", "viscosity", "-1");
    ASSERT_TRUE(until([&] { return window->message().find("viscosity") != std::string::npos; }));
    window->trigger("copyMessage");
    window->player().set("water", "viscosity", "1");
    ASSERT_TRUE(until([&] { return window->message().empty(); }));
}

TEST_F(WindowToolsTest, aSceneIsMadeSavedAndOpenedAgain) {
    const std::string path = temporary("purl_window_new.ma");
    window->onUnsaved = [] { return Window::Answer::discard; };
    window->open("");
    ASSERT_TRUE(settle());
    EXPECT_TRUE(hasNode("solver1"));
    window->create("polySphere");
    ASSERT_TRUE(until([&] { return window->selected() == "pSphere1"; }));
    window->create("fluid");
    ASSERT_TRUE(until([&] { return hasNode("purlFluid1"); }));
    ASSERT_TRUE(until([&] { return window->selected() == "purlFluid1"; }));
    ASSERT_NE(object("purlFluid1"), nullptr);
    EXPECT_EQ(object("purlFluid1")->transform, "pSphere1");
    EXPECT_TRUE(object("purlFluid1")->atStart);
    window->player().set("purlFluid1", "particleSpacing", "2");
    ASSERT_TRUE(until([&] {
        const MomentPtr moment = window->player().moment(1);
        return moment && moment->frame->points.count() > 50;
    }));
    window->player().save(path);
    window->player().wait();
    ASSERT_TRUE(until([&] { return !window->panel().shown().changed; }));
    window->open(kDam);
    EXPECT_TRUE(hasNode("water"));
    window->open(path);
    ASSERT_TRUE(settle());
    EXPECT_TRUE(hasNode("purlFluid1"));
    EXPECT_EQ(recentFiles().front().toStdString(), path);
    EXPECT_GT(window->player().moment(1)->frame->points.count(), 50u);
}

TEST_F(WindowToolsTest, unsavedChangesAreAskedAbout) {
    ASSERT_TRUE(until([&] { return window->player().state().changed; }));  // the fixture's coarser particles
    int asked = 0;
    Window::Answer answer = Window::Answer::cancel;
    window->onUnsaved = [&] {
        ++asked;
        return answer;
    };
    window->open("");
    EXPECT_TRUE(hasNode("water")) << "cancelled";
    answer = Window::Answer::discard;
    window->open("nothing.ma");
    EXPECT_TRUE(hasNode("water"));
    EXPECT_NE(window->message().find("nothing.ma"), std::string::npos);
    window->open("");
    EXPECT_FALSE(hasNode("water"));
    EXPECT_EQ(asked, 3);
    window->open(kDam);
    EXPECT_EQ(asked, 3) << "nothing was changed";
}

TEST_F(WindowToolsTest, aDroppedSceneIsOpened) {
    const std::string path = temporary("purl_window_drop.ma");
    fs::copy_file(kDam, path);
    window->onUnsaved = [] { return Window::Answer::discard; };
    const auto drop = [&](const std::string& what) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(what))});
        // Qt drops only where the drag was accepted.
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &event);
    };
    drop(testing::TempDir());
    EXPECT_EQ(window->player().path(), kDam) << "a folder that is no cache";
    drop(path);
    EXPECT_EQ(window->player().path(), path) << window->message();
}

TEST_F(WindowToolsTest, theShotIsFoundAgainAfterTurning) {
    ASSERT_TRUE(settle());
    EXPECT_EQ(window->lookingThrough(), "shot");
    const QImage before = window->viewport().image();
    drag(Qt::LeftButton, {150, 30});
    ASSERT_TRUE(settle());
    EXPECT_EQ(window->lookingThrough(), "");
    EXPECT_NE(window->viewport().image(), before);
    press(Qt::Key_C);
    ASSERT_TRUE(settle());
    EXPECT_EQ(window->lookingThrough(), "shot");
    EXPECT_EQ(window->viewport().image(), before);
    // A camera of the present view shows what the view shows.
    drag(Qt::LeftButton, {150, 30});
    const Camera turned = window->camera(1.5f);
    window->create("camera");
    ASSERT_TRUE(until([&] { return object("camera1") != nullptr; }));
    window->lookThrough("camera1");
    EXPECT_LT(length(window->camera(1.5f).position - turned.position), 1e-3f * length(turned.position));
    EXPECT_GT(dot(window->camera(1.5f).axes.z, turned.axes.z), 0.999999f);
}

TEST_F(WindowToolsTest, aClickSelectsWhatIsThere) {
    ASSERT_TRUE(settle());
    const auto pillar = window->placeOf({22, 30, 0});
    ASSERT_TRUE(pillar);
    click(*pillar);
    EXPECT_EQ(window->selected(), "pillarSolid");
    EXPECT_EQ(window->panel().tree().selected(), "pillarSolid");
    click(*window->placeOf({-40, 30, 20}));
    EXPECT_EQ(window->selected(), "water");
    click({window->viewport().width() - 3.0, 3.0});
    EXPECT_EQ(window->selected(), "") << "the sky";
}

TEST_F(WindowToolsTest, aHandleMovesAColliderWhichIsSimulatedAgain) {
    window->goTo(9);  // the water has reached the pillar
    ASSERT_TRUE(settle());
    const uint64_t first = window->player().moment(1)->frame->stateHash;
    const uint64_t before = window->player().moment(9)->frame->stateHash;
    window->select("pillarSolid");
    window->trigger("moveTool");
    const QPointF center = *window->placeOf({22, 20, 0}), right = *window->placeOf({24, 20, 0});
    const QPointF along = right - center;
    const double size = std::hypot(along.x(), along.y());
    const QPointF handle = center + along * (60 / size);  // on the x axis, 90 pixels long
    drag(Qt::LeftButton, handle, handle - along * (40 / size));
    ASSERT_TRUE(until([&] { return attribute("pillar", "translate")->value != "22 20 0"; }));
    const Vec3 there{std::stof(attribute("pillar", "translate")->value), 20, 0};
    EXPECT_LT(there.x, 20);
    EXPECT_EQ(attribute("pillar", "translate")->value.substr(attribute("pillar", "translate")->value.find(' ')),
              " 20 0");
    ASSERT_TRUE(until([&] {
        const MomentPtr moment = window->player().moment(9);
        return moment && moment->frame->stateHash != before;
    }));
    EXPECT_EQ(window->player().moment(1)->frame->stateHash, first) << "earlier frames stay";
    ASSERT_TRUE(settle());
    EXPECT_NEAR(double(object("pillarSolid")->world[12]), double(there.x), 1e-3);
    press(Qt::Key_Space);  // and goes on playing
    press(Qt::Key_Space);
    window->trigger("undo");
    ASSERT_TRUE(until([&] { return attribute("pillar", "translate")->value == "22 20 0"; }));
}

TEST_F(WindowToolsTest, aClickOnAHandleEditsNothing) {
    ASSERT_TRUE(settle());
    window->select("pillarSolid");
    window->trigger("moveTool");
    const QPointF center = *window->placeOf({22, 20, 0}), right = *window->placeOf({24, 20, 0});
    const QPointF along = right - center;
    const long edits = window->player().state().edits;
    click(center + along * (60 / std::hypot(along.x(), along.y())));
    window->player().wait();
    EXPECT_EQ(window->player().state().edits, edits);
    EXPECT_EQ(window->selected(), "pillarSolid") << "the click was on the handle";
}

TEST_F(WindowToolsTest, movingWhatAFluidFillsRestartsIt) {
    window->goTo(3);
    ASSERT_TRUE(settle());
    const uint64_t first = window->player().moment(1)->frame->stateHash;
    window->player().set("waterColumn", "translate", "-35 25.6 0");
    ASSERT_TRUE(until([&] {
        const MomentPtr moment = window->player().moment(1);
        return moment && moment->frame->stateHash != first;
    }));
}

TEST_F(WindowToolsTest, nodesAreCreatedAndDeletedWithUndo) {
    ASSERT_TRUE(settle());
    window->player().set("pillarSolid", "friction", "0.7");
    window->select("pillarSolid");
    ASSERT_TRUE(until([&] { return attribute("pillarSolid", "friction")->value == "0.7"; }));
    press(Qt::Key_Delete);
    ASSERT_TRUE(until([&] { return !hasNode("pillarSolid"); }));
    window->trigger("undo");
    ASSERT_TRUE(until([&] { return hasNode("pillarSolid"); }));
    EXPECT_EQ(attribute("pillarSolid", "friction")->value, "0.7");
    window->trigger("redo");
    ASSERT_TRUE(until([&] { return !hasNode("pillarSolid"); }));
    ASSERT_TRUE(settle());
    window->select("solver");
    press(Qt::Key_Delete);
    EXPECT_NE(window->message().find("cannot be deleted"), std::string::npos);
    window->create("emitter");
    ASSERT_TRUE(until([&] { return hasNode("purlEmitter1"); }));
    window->create("cloth");  // of nothing that could be a cloth
    ASSERT_TRUE(until([&] { return window->message().find("mesh") != std::string::npos; }));
    EXPECT_TRUE(hasNode("purlEmitter1"));
}

TEST_F(WindowToolsTest, playsItsRangeInALoop) {
    window->goTo(6);
    ASSERT_TRUE(settle());
    window->setPlayRange({2, 4});
    window->goTo(2);
    press(Qt::Key_Space);
    std::set<int> seen;
    ASSERT_TRUE(until([&] {
        if (window->frame() == 2 && seen.count(4)) return true;
        seen.insert(window->frame());
        return false;
    }));
    EXPECT_EQ(*seen.begin(), 2);
    EXPECT_EQ(*seen.rbegin(), 4);
    window->trigger("loop");
    ASSERT_TRUE(until([&] { return !window->playing(); }));
    EXPECT_EQ(window->frame(), 4) << "without the loop it ends";
    press(Qt::Key_BracketLeft);
    press(Qt::Key_Home);
    EXPECT_EQ(window->frame(), 4);
}

TEST_F(WindowToolsTest, aFrameThatFailsPreventsNeitherSavingNorTheEndOfAnExport) {
    const std::string path = temporary("purl_window_failing.ma"), film = temporary("purl_window_failing.mp4");
    ASSERT_TRUE(settle());
    window->player().set("solver", "maxParticles", "1");
    ASSERT_TRUE(until([&] { return window->message().find("maxParticles") != std::string::npos; }));
    ExportPlan plan;
    plan.kind = ExportKind::film;
    plan.path = film;
    plan.frames = {1, 3};
    window->exportTo(plan);
    ASSERT_TRUE(until([&] { return !window->exporting(); }));
    EXPECT_NE(window->message().find("frame 1 is missing: "), std::string::npos) << window->message();
    EXPECT_FALSE(fs::exists(film));
    // Answers "Save" when the window is closed.
    window->player().save(path);
    window->player().wait();
    window->player().set("solver", "gravity", "5");
    ASSERT_TRUE(until([&] { return window->player().state().changed; }));
    window->onUnsaved = [] { return Window::Answer::save; };
    EXPECT_TRUE(window->close());
    EXPECT_FALSE(window->player().state().changed);
}

TEST_F(WindowToolsTest, anExportKeepsTheCameraItBeganWith) {
    const std::string still = temporary("purl_window_still"), turned = temporary("purl_window_turned");
    ASSERT_TRUE(settle());
    ExportPlan plan;
    plan.kind = ExportKind::images;
    plan.width = 160;
    plan.height = 100;
    plan.frames = {1, 3};
    plan.path = still;
    window->exportTo(plan);
    ASSERT_TRUE(until([&] { return !window->exporting(); }));
    EXPECT_EQ(window->frame(), 1) << "what was shown before is shown again";
    plan.path = turned;
    window->exportTo(plan);
    drag(Qt::LeftButton, {150, 30});
    ASSERT_TRUE(until([&] { return !window->exporting(); }));
    for (const char* name : {"/0001.png", "/0002.png", "/0003.png"})
        EXPECT_TRUE(readPng(still + name) == readPng(turned + name)) << name;
}

TEST_F(WindowToolsTest, aFolderThatIsNoCacheIsNotCompared) {
    ASSERT_TRUE(settle());
    EXPECT_THROW(window->compareWith(testing::TempDir()), Error);
    EXPECT_EQ(window->second(), nullptr);
    EXPECT_NE(window->message().find("manifest"), std::string::npos) << window->message();
    window->panel().onCompare(testing::TempDir());  // as from its menu: must not throw through Qt
    EXPECT_EQ(window->second(), nullptr);
}

TEST_F(WindowToolsTest, comparesWithACacheAndExports) {
    const std::string folder = temporary("purl_window_cache"), images = temporary("purl_window_export");
    {
        Playback playback(kDam);
        playback.set("water.particleSpacing=5");
        playback.set("water.viscosity=50");
        CacheTarget target;
        target.directory = folder;
        target.formats = {"mcx"};
        playback.writeCache(target);
        playback.frame(4);
        playback.finishCache();
    }
    window->goTo(4);
    ASSERT_TRUE(settle());
    window->compareWith(folder);
    ASSERT_NE(window->second(), nullptr);
    ASSERT_TRUE(until([&] { return window->settled() && window->second()->settled(); }));
    EXPECT_NE(window->second()->viewport().image(), window->viewport().image());
    EXPECT_GT(colorsIn(window->second()->viewport().image()), 200);
    window->trigger("wipe");
    ASSERT_TRUE(settle());
    EXPECT_EQ(window->viewport().wipe(), 0.5);
    EXPECT_FALSE(window->second()->viewport().isVisible());
    window->endCompare();
    EXPECT_EQ(window->second(), nullptr);
    EXPECT_LT(window->viewport().wipe(), 0);
    ASSERT_TRUE(settle());

    ExportPlan plan;
    plan.width = 320;
    plan.height = 200;
    plan.frames = {1, 3};
    const auto exported = [&](ExportKind kind, const std::string& path) {
        plan.kind = kind;
        plan.path = path;
        window->exportTo(plan);
        return until([&] { return !window->exporting(); });
    };
    ASSERT_TRUE(exported(ExportKind::images, images));
    EXPECT_EQ(readPng(images + "/0003.png").width, 320);
    EXPECT_FALSE(readPng(images + "/0001.png") == readPng(images + "/0003.png"));
    ASSERT_TRUE(exported(ExportKind::sheet, images + "/sheet.png"));
    EXPECT_GT(readPng(images + "/sheet.png").width, 900);
    window->goTo(2);
    ASSERT_TRUE(exported(ExportKind::picture, images + "/one.png"));
    EXPECT_TRUE(readPng(images + "/one.png") == readPng(images + "/0002.png"));
    ASSERT_TRUE(exported(ExportKind::film, images + "/film.mp4"));
    EXPECT_GT(fs::file_size(images + "/film.mp4"), 1000u);
    plan.frames = {1, 1000};
    ASSERT_TRUE(exported(ExportKind::film, images + "/long.mp4"));
    EXPECT_NE(window->message().find("frames 1 to 72"), std::string::npos);
}

}  // namespace
}  // namespace purl

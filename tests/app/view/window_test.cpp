// The window on an offscreen platform: opening, playing, editing, orbiting.
#include "app/view/window.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QTabWidget>
#include <QThread>
#include <set>

#include "app/view/viewport.h"
#include "panel/attributeEditor.h"
#include "panel/bodyTree.h"
#include "panel/doctorList.h"
#include "panel/panel.h"
#include "panel/presetBrowser.h"
#include "panel/style.h"
#include "solver/params/fluid.h"

namespace purl {
namespace {

// One QApplication per process, as Qt requires; never destroyed, so that it outlives everything.
void startQt() {
    if (QApplication::instance()) return;
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    static int argc = 1;
    static char name[] = "app_tests", *argv[] = {name, nullptr};
    static auto* app = new QApplication(argc, argv);
    app->setStyleSheet(styleSheet());
}

class WindowTest : public testing::Test {
  protected:
    WindowTest() {
        startQt();
        window = std::make_unique<Window>(PURL_SOURCE_DIR "/scenes/damBreak.ma");
        window->player().set("water", "particleSpacing", "5");
        window->resize(900, 560);
        window->setAttribute(Qt::WA_DontShowOnScreen);
        window->show();
    }
    // Processes events until the condition holds; fails after a minute.
    template <class Condition>
    bool until(const Condition& condition) {
        for (int i = 0; i < 6000; ++i) {
            QApplication::processEvents(QEventLoop::AllEvents, 10);
            if (condition()) return true;
            QThread::msleep(10);
        }
        return false;
    }
    void press(int key) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &event);
    }
    void drag(Qt::MouseButton button, QPoint by) {
        Viewport& viewport = window->viewport();
        const QPointF from(200, 200), to = from + by;
        const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButtons held) {
            QMouseEvent event(type, at, viewport.mapToGlobal(at.toPoint()), button, held, Qt::NoModifier);
            QApplication::sendEvent(&viewport, &event);
        };
        send(QEvent::MouseButtonPress, from, button);
        send(QEvent::MouseMove, to, button);
        send(QEvent::MouseButtonRelease, to, Qt::NoButton);
    }
    const PanelAttribute* attribute(const std::string& node, const std::string& name) {
        for (const PanelNode& each : *window->panel().shown().nodes)
            if (each.name == node) return each.find(name);
        return nullptr;
    }

    std::unique_ptr<Window> window;
};

int colorsIn(const QImage& image) {
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); y += 4)
        for (int x = 0; x < image.width(); x += 4) colors.insert(image.pixel(x, y));
    return static_cast<int>(colors.size());
}

TEST_F(WindowTest, opensWithItsBodiesAndAPicture) {
    ASSERT_TRUE(until([&] { return window->settled(); }));
    EXPECT_EQ(window->frame(), 1);
    EXPECT_EQ(window->panel().tree().selected(), "water");
    EXPECT_EQ(window->viewport().image().size(), window->viewport().size());
    // A blank image would have a handful of colours.
    EXPECT_GT(colorsIn(window->viewport().image()), 500);
    EXPECT_EQ(attribute("tankWalls", "shape")->value, "box");
}

TEST_F(WindowTest, playsByTheSpaceBarAndStops) {
    ASSERT_TRUE(until([&] { return window->settled(); }));
    press(Qt::Key_Space);
    EXPECT_TRUE(window->playing());
    ASSERT_TRUE(until([&] { return window->frame() >= 3; }));
    press(Qt::Key_Space);
    EXPECT_FALSE(window->playing());
    window->player().cancel();
    const int stopped = window->frame();
    press(Qt::Key_Left);
    EXPECT_EQ(window->frame(), stopped - 1);
    press(Qt::Key_Home);
    EXPECT_EQ(window->frame(), 1);
    ASSERT_TRUE(until([&] { return window->settled(); }));
    EXPECT_GE(window->panel().shown().samples.size(), 3u);
}

TEST_F(WindowTest, anEditedSettingIsSimulatedAgain) {
    window->goTo(3);
    ASSERT_TRUE(until([&] { return window->settled(); }));
    const uint64_t before = window->player().moment(3)->frame->stateHash;
    window->panel().tree().select("water");
    ASSERT_TRUE(window->panel().attributes().enter("viscosity", "30"));
    ASSERT_TRUE(until([&] {
        const MomentPtr moment = window->player().moment(3);
        return moment && moment->frame->stateHash != before;
    }));
    ASSERT_TRUE(until([&] { return window->settled(); }));
    EXPECT_EQ(attribute("water", "viscosity")->value, "30");
    EXPECT_TRUE(window->windowTitle().contains("•"));
}

TEST_F(WindowTest, draggingTurnsTheCameraAndFRecoversTheView) {
    ASSERT_TRUE(until([&] { return window->settled(); }));
    const QImage before = window->viewport().image();
    drag(Qt::LeftButton, {120, 0});
    EXPECT_FALSE(window->settled());
    ASSERT_TRUE(until([&] { return window->settled(); }));
    const QImage turned = window->viewport().image();
    EXPECT_NE(turned, before);
    drag(Qt::LeftButton, {-120, 0});
    ASSERT_TRUE(until([&] { return window->settled(); }));
    EXPECT_EQ(window->viewport().image(), before) << "there and back is nowhere";
    drag(Qt::RightButton, {-300, 0});
    press(Qt::Key_F);
    ASSERT_TRUE(until([&] { return window->settled(); }));
    EXPECT_GT(colorsIn(window->viewport().image()), 500);
}

TEST_F(WindowTest, coloursByWhatIsAskedFor) {
    window->goTo(3);
    ASSERT_TRUE(until([&] { return window->settled(); }));
    const QImage look = window->viewport().image();
    window->setShow(Show::speed);
    ASSERT_TRUE(until([&] { return window->settled(); }));
    EXPECT_NE(window->viewport().image(), look);
}

TEST_F(WindowTest, aPresetIsTakenWithAClick) {
    ASSERT_TRUE(until([&] { return window->settled(); }));
    // Custom and ten liquids.
    EXPECT_EQ(window->panel().presets().count(), int(fluidPresets().size()) + 1) << "and custom";
    window->panel().presets().onPick("honey");
    ASSERT_TRUE(until([&] { return attribute("water", "preset")->value == "honey"; }));
    window->panel().tree().select("tankWalls");
    EXPECT_EQ(window->panel().presets().count(), 0) << "a wall is of no material";
}

TEST_F(WindowTest, theDoctorsFixIsOneClickAway) {
    window->player().set("solver", "gravity", "981");
    ASSERT_TRUE(until([&] { return window->panel().shown().problems.size() == 1; }));
    EXPECT_EQ(window->panel().tabs().tabText(window->panel().tabs().indexOf(&window->panel().doctor())), "Doctor (1)");
    auto* fix = window->panel().doctor().findChild<QPushButton*>();
    ASSERT_TRUE(fix);
    fix->click();
    ASSERT_TRUE(until([&] { return window->panel().shown().problems.empty(); }));
    EXPECT_EQ(attribute("solver", "gravity")->value, "9.81");
}

TEST_F(WindowTest, settingsAreFoundByTheirWords) {
    ASSERT_TRUE(until([&] { return window->settled(); }));
    const auto visible = [&] {
        int count = 0;
        for (const QLabel* label : window->panel().attributes().findChildren<QLabel*>())
            if (label->isVisible() && (label->objectName() == "quiet" || label->objectName() == "changed")) ++count;
        return count;
    };
    const int all = visible();
    window->panel().attributes().filter("tension");
    EXPECT_LT(visible(), all / 3);
    EXPECT_GT(visible(), 0);
}

}  // namespace
}  // namespace purl

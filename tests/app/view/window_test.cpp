// The window on an offscreen platform: opening, playing, editing, orbiting.
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>

#include "panel/attributeEditor.h"
#include "panel/bodyTree.h"
#include "panel/doctorList.h"
#include "panel/presetBrowser.h"
#include "solver/params/fluid.h"
#include "tests/app/view/windowFixture.h"

namespace purl {

std::string damScene() { return PURL_SOURCE_DIR "/scenes/damBreak.ma"; }

namespace {

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
    window->lookThrough("");  // a turn there and back leaves the shot's camera
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

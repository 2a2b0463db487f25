// The window on an offscreen platform, with a coarse dam break: milliseconds a frame.
#pragma once
#include <gtest/gtest.h>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <memory>
#include <set>
#include <string>

#include "app/view/viewport.h"
#include "app/view/window.h"
#include "panel/panel.h"
#include "panel/style.h"

namespace purl {

std::string damScene();  // its path

// One QApplication per process, as Qt requires; never destroyed, so that it outlives everything.
inline void startQt() {
    if (QApplication::instance()) return;
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    static int argc = 1;
    static char name[] = "app_tests", *argv[] = {name, nullptr};
    static auto* app = new QApplication(argc, argv);
    app->setStyleSheet(styleSheet());
    // A list of recent files for this process: not that of whoever runs the tests, nor of tests run at the same time.
    static const QTemporaryDir settings;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
}

class WindowTest : public testing::Test {
  protected:
    WindowTest() {
        startQt();
        window = std::make_unique<Window>(damScene());
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
    void drag(Qt::MouseButton button, QPoint by) { drag(button, {200, 200}, QPointF(200, 200) + by); }
    void drag(Qt::MouseButton button, QPointF from, QPointF to) {
        Viewport& viewport = window->viewport();
        const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButtons held) {
            QMouseEvent event(type, at, viewport.mapToGlobal(at.toPoint()), button, held, Qt::NoModifier);
            QApplication::sendEvent(&viewport, &event);
        };
        send(QEvent::MouseButtonPress, from, button);
        send(QEvent::MouseMove, to, button);
        send(QEvent::MouseButtonRelease, to, Qt::NoButton);
    }
    void click(QPointF at) { drag(Qt::LeftButton, at, at); }
    const PanelAttribute* attribute(const std::string& node, const std::string& name) {
        for (const PanelNode& each : *window->panel().shown().nodes)
            if (each.name == node) return each.find(name);
        return nullptr;
    }

    std::unique_ptr<Window> window;
};

inline int colorsIn(const QImage& image) {
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); y += 4)
        for (int x = 0; x < image.width(); x += 4) colors.insert(image.pixel(x, y));
    return static_cast<int>(colors.size());
}

}  // namespace purl

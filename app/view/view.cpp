#include "app/view/view.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyleFactory>
#include <QTabWidget>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>

#include "app/commands.h"
#include "app/view/actions.h"
#include "app/view/viewport.h"
#include "app/view/window.h"
#include "host/host.h"
#include "panel/bodyTree.h"
#include "panel/panel.h"
#include "panel/style.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// Waits until the frame is shown in full quality. Throws the error that prevents it.
void settle(Window& window, int frame) {
    window.goTo(frame);
    while (!window.settled() || window.frame() != frame || window.exporting()) {
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(5);
        if (host::interruptRequested()) throw Cancelled();
        const PanelState state = window.player().state();
        if (state.activity == PanelActivity::idle && !window.player().moment(frame) && !window.player().error().empty())
            throw Error(window.player().error());
        if (!window.paintError().empty()) throw Error(window.paintError());
    }
    QApplication::processEvents();
}

// Applies the options, waits for the image and saves a screenshot.
void takeScreenshot(Window& window, const ViewOptions& options) {
    settle(window, options.frame ? options.frame : window.frame());
    for (const std::string& kind : options.create) {
        window.create(kind);
        window.player().wait();
        settle(window, window.frame());
    }
    for (const PanelMessage& message : window.player().state().messages)
        if (message.severity == PanelSeverity::error) throw Error(message.text);
    if (!options.select.empty()) window.select(options.select);
    for (const std::string& action : options.actions)
        if (!window.trigger(action)) throw Error("do \"" + action + "\": the window has no such action");
    settle(window, window.frame());
    QMenu* const menu = options.menu.empty() ? nullptr : window.menuNamed(options.menu);
    if (!options.menu.empty() && !menu) throw Error("menu \"" + options.menu + "\": the window has no such menu");
    QApplication::processEvents();
    QPixmap image = window.grab();
    if (menu) {
        // Filled when it opens; drawn below its title.
        emit menu->aboutToShow();
        menu->adjustSize();
        const QRect title = window.menuBar()->actionGeometry(menu->menuAction());
        QPainter(&image).drawPixmap(title.bottomLeft(), menu->grab());
    }
    if (!image.save(QString::fromStdString(options.screenshot)))
        throw Error(options.screenshot + ": cannot be written");
}

}  // namespace

int viewScene(const ViewOptions& options) {
    int width = 0, height = 0, used = 0;
    if (std::sscanf(options.size.c_str(), "%dx%d%n", &width, &height, &used) != 2 || used != int(options.size.size()) ||
        width < 640 || height < 400 || width > 8192 || height > 8192)
        throw Error("size \"" + options.size + "\": expected WIDTHxHEIGHT in pixels, at least 640x400");
    const bool display = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY") || std::getenv("QT_QPA_PLATFORM");
    if (!display && options.screenshot.empty())
        throw Error("view: no display; set DISPLAY, or save a screenshot with --screenshot FILE");
    if (!display) setenv("QT_QPA_PLATFORM", "offscreen", 1);
    int argc = 1;
    char name[] = "purl", *argv[] = {name, nullptr};
    QApplication app(argc, argv);
    std::setlocale(LC_NUMERIC, "C");  // Qt has set the user's locale; numbers in files need a decimal point
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    app.setStyleSheet(styleSheet());
    Window window(options.source);
    window.resize(width, height);
    if (!options.show.empty()) window.setShow(showNamed(options.show));
    for (const std::string& assignment : options.assignments) {
        const size_t dot = assignment.find('.'), equals = assignment.find('=');
        if (dot == std::string::npos || equals == std::string::npos || dot > equals)
            throw Error("set \"" + assignment + "\": expected node.attribute=value");
        window.player().set(assignment.substr(0, dot), assignment.substr(dot + 1, equals - dot - 1),
                            assignment.substr(equals + 1));
    }
    if (!options.compare.empty()) window.compareWith(options.compare);
    if (!options.camera.empty()) {
        const StagePtr stage = window.player().stage(window.frame());
        std::string names;
        for (const NamedCamera& each : stage ? stage->cameras : std::vector<NamedCamera>())
            names += (names.empty() ? "" : ", ") + each.name;
        if (stage && (", " + names + ", ").find(", " + options.camera + ", ") == std::string::npos)
            throw Error("camera \"" + options.camera + "\": not in the scene; there are: " + names);
        window.lookThrough(options.camera);
    }
    if (!options.select.empty()) window.select(options.select);
    QTabWidget& tabs = window.panel().tabs();
    for (int i = 0; i < tabs.count(); ++i)
        if (tabs.tabText(i).toLower().startsWith(QString::fromStdString(options.tab).toLower())) {
            tabs.setCurrentIndex(i);
            break;
        }
    if (!options.screenshot.empty()) {
        window.setAttribute(Qt::WA_DontShowOnScreen);
        window.show();
        takeScreenshot(window, options);
        return kDone;
    }
    window.show();
    // Closes the window on Ctrl-C in the terminal.
    QTimer interruptTimer;
    QObject::connect(&interruptTimer, &QTimer::timeout, [] {
        if (host::interruptRequested()) QApplication::exit(0);
    });
    interruptTimer.start(200);
    const int code = QApplication::exec();
    if (host::interruptRequested()) throw Cancelled();
    return code;
}

int printKeys() {
    std::fputs(keyTable().c_str(), stdout);
    return kDone;
}

}  // namespace purl

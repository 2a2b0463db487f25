// The window's menus, transport and play loop.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/view/actions.h"
#include "app/view/create.h"
#include "app/view/keysOverlay.h"
#include "app/view/recentFiles.h"
#include "app/view/viewport.h"
#include "app/view/window.h"
#include "panel/panel.h"
#include "panel/style.h"

namespace purl {
namespace {

constexpr int kNarrow = 40;  // pixels: least width of texts and lists, which small windows cut off

QToolButton* flat(Glyph glyph, const char* action, Window* window) {
    auto* button = new QToolButton;
    button->setObjectName("flat");
    button->setIcon(iconOf(glyph));
    button->setIconSize({18, 18});
    button->setFocusPolicy(Qt::NoFocus);
    for (const ActionAbout& about : windowActions())
        if (std::string(about.id) == action) button->setToolTip(QString("%1 (%2)").arg(about.help, about.keys));
    QObject::connect(button, &QToolButton::clicked, window, [window, action] { window->trigger(action); });
    return button;
}

QSpinBox* frameBox(const char* tip) {
    auto* box = new QSpinBox;
    box->setButtonSymbols(QSpinBox::NoButtons);
    box->setRange(-kMaxFrame, kMaxFrame);
    box->setAlignment(Qt::AlignCenter);
    box->setMinimumWidth(30);
    box->setMaximumWidth(58);
    box->setKeyboardTracking(false);
    box->setFocusPolicy(Qt::ClickFocus);
    box->setToolTip(tip);
    QObject::connect(box, &QSpinBox::editingFinished, box, [box] { box->clearFocus(); });
    return box;
}

// Changes with every edit, error and message.
std::string newsOf(const Player& player, const PanelState& state) {
    return std::to_string(state.edits) + player.error() +
           (state.messages.empty() ? std::string() : state.messages.back().text);
}

QLabel* quiet(const char* text) {
    auto* label = new QLabel(text);
    label->setObjectName("quiet");
    return label;
}

}  // namespace

QWidget* Window::makeTransport() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 0, 10, 7);
    row->setSpacing(2);
    number_ = frameBox("Current frame");
    rangeFirst_ = frameBox("First frame of the scene's playback range");
    rangeLast_ = frameBox("Last frame of the scene's playback range");
    row->addWidget(flat(Glyph::toStart, "first", this));
    row->addWidget(flat(Glyph::stepBack, "back", this));
    row->addWidget(play_ = flat(Glyph::play, "play", this));
    row->addWidget(flat(Glyph::stepOn, "forward", this));
    row->addWidget(flat(Glyph::toEnd, "last", this));
    row->addWidget(number_);
    row->addSpacing(8);
    row->addWidget(quiet("of"));
    row->addSpacing(4);
    row->addWidget(rangeFirst_);
    row->addWidget(rangeLast_);
    row->addSpacing(8);
    row->addWidget(speed_ = quiet(""));
    speed_->setMinimumWidth(kNarrow);
    message_ = quiet("");
    message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addSpacing(14);
    row->addWidget(message_, 1);
    cameras_ = new QComboBox;
    cameras_->setToolTip("Camera to look through; moving the view leaves it");
    cameras_->setFocusPolicy(Qt::NoFocus);
    cameras_->setMinimumWidth(kNarrow);
    show_ = new QComboBox;
    for (const ShowAbout& about : kShows) show_->addItem(about.title);
    show_->setToolTip("Colour everything by a quantity");
    show_->setFocusPolicy(Qt::NoFocus);
    show_->setMinimumWidth(kNarrow);
    row->addWidget(cameras_);
    row->addSpacing(6);
    row->addWidget(quiet("Show"));
    row->addSpacing(4);
    row->addWidget(show_);
    row->addSpacing(6);
    row->addWidget(flat(Glyph::frameAll, "frameAll", this));
    connect(number_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int frame) { goTo(frame); });
    const auto setRange = [this] { player_->setRange({rangeFirst_->value(), rangeLast_->value()}); };
    connect(rangeFirst_, qOverload<int>(&QSpinBox::valueChanged), this, setRange);
    connect(rangeLast_, qOverload<int>(&QSpinBox::valueChanged), this, setRange);
    connect(cameras_, qOverload<int>(&QComboBox::activated), this,
            [this](int index) { lookThrough(index > 0 ? cameras_->itemText(index).toStdString() : std::string()); });
    connect(show_, qOverload<int>(&QComboBox::currentIndexChanged), this, [this] { repaintScene(); });
    return bar;
}

// What each action does.
std::map<std::string, std::function<void(bool on)>> Window::functions() {
    const auto state = [this]() -> const PanelState& { return panel_->shown(); };
    const auto flag = [this](bool& member) {
        return [this, &member](bool on) {
            member = on;
            repaintScene();
        };
    };
    const auto tool = [this](Tool which) { return [this, which](bool) { setTool(which); }; };
    return {
        {"new", [this](bool) { open(""); }},
        {"open", [this](bool) { askForFile(false); }},
        {"openCache", [this](bool) { askForFile(true); }},
        {"save", [this](bool) { save(false); }},
        {"saveAs", [this](bool) { save(true); }},
        {"export", [this](bool) { showExport(); }},
        {"farm", [this](bool) { panel_->showTab("Farm"); }},
        {"quit", [this](bool) { close(); }},
        {"undo", [this](bool) { player_->undo(); }},
        {"redo", [this](bool) { player_->redo(); }},
        {"delete", [this](bool) { deleteSelected(); }},
        {"duplicate", [this](bool) { duplicateSelected(); }},
        {"key", [this](bool) { keySelected(); }},
        {"deselect", [this](bool) { select(""); }},
        {"fromStart", [this](bool on) { player_->editFrom(on ? EditFrom::start : EditFrom::thisFrame); }},
        {"selectTool", tool(Tool::select)},
        {"moveTool", tool(Tool::move)},
        {"rotateTool", tool(Tool::rotate)},
        {"scaleTool", tool(Tool::scale)},
        {"play", [this](bool) { setPlaying(!playing()); }},
        {"back", [this](bool) { goTo(frame_ - 1); }},
        {"forward", [this](bool) { goTo(frame_ + 1); }},
        {"first", [this](bool) { goTo(playRange().first); }},
        {"last", [this](bool) { goTo(playRange().last); }},
        {"rangeStart",
         [this](bool) {
             setPlayRange({frame_, std::max(frame_, playRange().last)});
         }},
        {"rangeEnd",
         [this](bool) {
             setPlayRange({std::min(frame_, playRange().first), frame_});
         }},
        {"rangeAll",
         [this](bool) {
             playRange_.reset();
             refresh();
         }},
        {"loop", [this](bool on) { loop_ = on; }},
        {"realTime", [this](bool on) { realTime_ = on; }},
        {"simulate", [this, state](bool) { player_->simulateTo(state().lastFrame); }},
        {"stop",
         [this](bool) {
             if (exporting()) {
                 endExport();
                 say(PanelSeverity::note, "export stopped");
             }
             setPlaying(false);
             player_->cancel();
         }},
        {"restart", [this](bool) { player_->restart(); }},
        {"frameAll", [this](bool) { frameAll(); }},
        {"frameSelected", [this](bool) { frameSelected(); }},
        {"shot",
         [this](bool) {
             if (const StagePtr stage = player_->stage(frame_); stage && !stage->shot.empty()) lookThrough(stage->shot);
         }},
        {"points", flag(points_)},
        {"wire", flag(wire_)},
        {"ground", flag(ground_)},
        {"guides",
         [this](bool on) {
             guides_ = on;
             updateOverlay();
         }},
        {"compare",
         [this](bool) {
             const QString folder = QFileDialog::getExistingDirectory(this, "Compare with a cache");
             if (!folder.isEmpty()) panel_->onCompare(folder.toStdString());
         }},
        {"wipe",
         [this](bool on) {
             if (!second_) return;
             second_->viewport().setVisible(!on);
             if (on)
                 viewport().setWipe({}, 0.5);
             else
                 viewport().endWipe();
             refresh();
             repaintScene();
         }},
        {"endCompare", [this](bool) { endCompare(); }},
        {"help", [this](bool) { keys_->toggle(); }},
        {"copyMessage", [this](bool) { QApplication::clipboard()->setText(message_->text()); }},
    };
}

void Window::makeMenus() {
    const auto all = functions();
    std::map<std::string, QMenu*> menus;
    QMenu* create = nullptr;
    for (const ActionAbout& about : windowActions()) {
        QMenu*& menu = menus[about.menu];
        if (!menu) {
            menu = menuBar()->addMenu(QString("&") + about.menu);
            menu->setToolTipsVisible(true);
            // Create follows Edit.
            if (std::string(about.menu) == "Edit") {
                create = menuBar()->addMenu("&Create");
                connect(create, &QMenu::aboutToShow, this, [this, create] { fillCreate(create); });
            }
        }
        const QString name = about.name;
        QAction* action = menu->addAction(name.endsWith('|') ? name.chopped(1) : name);
        if (name.endsWith('|')) menu->addSeparator();
        action->setShortcut(QKeySequence(about.keys));
        action->setToolTip(about.help);
        action->setCheckable(about.kind != ActionAbout::command);
        action->setChecked(about.kind == ActionAbout::on);
        connect(action, &QAction::triggered, this, all.at(about.id));
        actions_[about.id] = action;
        if (std::string(about.id) == "openCache") {
            QMenu* recent = new QMenu("Open &recent", menu);
            menu->insertMenu(action, recent);
            connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
        }
    }
}

QMenu* Window::menuNamed(const std::string& name) {
    for (QAction* each : menuBar()->actions())
        if (each->menu() && each->text().remove('&').toStdString() == name) return each->menu();
    return nullptr;
}

bool Window::trigger(const std::string& id) {
    const auto found = actions_.find(id);
    if (found == actions_.end()) return false;
    found->second->trigger();
    return true;
}

void Window::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& path : recentFiles()) menu->addAction(path, this, [this, path] { open(path.toStdString()); });
    if (menu->isEmpty()) menu->addAction("nothing yet")->setEnabled(false);
}

void Window::fillCreate(QMenu* menu) {
    menu->clear();
    for (const std::string& kind : player_->creatable())
        menu->addAction(QString::fromStdString(displayName(kind)), this, [this, kind] { create(kind); });
    menu->addSeparator();
    for (const std::string& command : primitiveCommands())
        menu->addAction(QString::fromStdString(displayName(command.substr(4))), this,
                        [this, command] { create(command); });
    menu->addSeparator();
    menu->addAction("Camera from this view", this, [this] { create("camera"); });
    for (QAction* each : menu->actions()) each->setEnabled(panel_->shown().editable);
}

// Keys that no widget has taken.
void Window::keyPressEvent(QKeyEvent* event) {
    const QKeySequence pressed(int(event->modifiers()) | event->key());
    for (const ActionAbout& about : windowActions())
        if (*about.keys && QKeySequence(about.keys) == pressed) {
            trigger(about.id);
            return;
        }
    QMainWindow::keyPressEvent(event);
}

// --- playing

void Window::setPlaying(bool playing) {
    play_->setIcon(iconOf(playing ? Glyph::pause : Glyph::play));
    if (!playing) {
        const bool was = playTimer_.isActive();
        playTimer_.stop();
        if (was) refresh();
        repaintScene();
        return;
    }
    const FrameRange range = playRange();
    if (frame_ >= range.last || frame_ < range.first) goTo(range.first);
    player_->simulateTo(range.last);
    if (compared_) compared_->simulateTo(range.last);
    playFrom_ = frame_;
    playClock_.restart();
    shownTimes_.clear();
    playTimer_.start(static_cast<int>(1000 / std::max(1.0, panel_->shown().fps)));
}

// Plays no faster than frames become available. In real time, frames are left out where drawing takes longer.
void Window::advance() {
    const PanelState& state = panel_->shown();
    const FrameRange range = playRange();
    const bool behind = main_->behind() || (second_ && second_->behind());
    const auto present = [&](int number) {
        while (number <= range.last && player_->isAbsent(number)) ++number;
        return number;
    };
    const int following = present(frame_ + 1);
    int next = following;
    if (realTime_) {
        next = playFrom_ + static_cast<int>(std::floor(1e-3 * double(playClock_.elapsed()) * state.fps));
        if (next < following) return;
    } else if (behind) {
        return;
    }
    if (next > range.last) {
        if (following <= range.last) {
            next = range.last;
        } else if (loop_ && present(range.first) <= range.last) {
            next = present(range.first);
        } else {
            setPlaying(false);
            return;
        }
    }
    while (next > following && !player_->moment(next)) --next;
    if (!player_->moment(next)) {
        if (next < frame_) player_->look(next);  // it was dropped to limit memory
        playFrom_ = frame_;                      // waits
        playClock_.restart();
        return;
    }
    if (next < frame_ || !realTime_) {
        playFrom_ = next;
        playClock_.restart();
    }
    frame_ = next;
    player_->look(frame_);
    if (compared_) compared_->look(frame_);
    refresh();
}

double Window::playedFps() const {
    if (shownTimes_.size() < 2) return 0;
    const double seconds = 1e-3 * double(shownTimes_.back() - shownTimes_.front());
    return seconds > 0 ? double(shownTimes_.size() - 1) / seconds : 0;
}

// What came of the last action, or else the standing error, the export or the latest message that is not an error.
void Window::showMessage(const PanelState& state) {
    if (notice_ && notice_->after != newsOf(*player_, state)) notice_.reset();
    PanelMessage shown;
    if (notice_)
        shown = notice_->message;
    else if (!player_->error().empty())
        shown = {PanelSeverity::error, player_->error()};
    else if (exporting())
        shown = {PanelSeverity::note, exporter_->text()};
    else if (!state.messages.empty() && state.messages.back().severity != PanelSeverity::error && state.edits > 1)
        shown = state.messages.back();  // notes from loading are listed by the doctor
    const QString text = QString::fromStdString(shown.text);
    if (message_->text() == text) return;
    message_->setText(text);
    message_->setToolTip(text);
    message_->setStyleSheet("color: " + colorOf(shown.severity).name());
}

void Window::say(PanelSeverity severity, const std::string& text) {
    const PanelState state = player_->state();
    notice_ = Notice{{severity, text}, newsOf(*player_, state)};
    showMessage(state);
}

std::string Window::message() const { return message_->text().toStdString(); }

}  // namespace purl

#include "app/view/window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QShortcut>
#include <QSpinBox>
#include <QSplitter>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/view/timeline.h"
#include "app/view/viewport.h"
#include "panel/panel.h"
#include "panel/style.h"

namespace purl {
namespace {

constexpr int kIdleMilliseconds = 180;
constexpr double kSketchScale = 0.42;  // factor on the viewport's width and height
constexpr double kFastSeconds = 0.06;  // s: full images faster than this need no sketches

QToolButton* flat(Glyph glyph, const char* tip) {
    auto* button = new QToolButton;
    button->setObjectName("flat");
    button->setIcon(iconOf(glyph));
    button->setIconSize({18, 18});
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::NoFocus);
    return button;
}

Bounds boundsOf(const Moment& moment) {
    std::list<Points> foams;
    return purl::boundsOf(arrange(*moment.frame, moment.around, false, {}, foams));
}

}  // namespace

Window::Window(const std::string& source) {
    player_ = std::make_unique<Player>(source, [this] {
        // One queued refresh is enough.
        if (refreshQueued_.exchange(true)) return;
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
    });
    const auto done = [this](Painting painting) {
        auto shared = std::make_shared<Painting>(std::move(painting));
        QMetaObject::invokeMethod(
            this, [this, shared] { showPainting(std::move(*shared)); }, Qt::QueuedConnection);
    };
    sketcher_ = std::make_unique<Painter>(done);
    painter_ = std::make_unique<Painter>(done);
    build();
    const PanelState state = player_->state();
    goTo(state.firstFrame);
}

Window::~Window() {
    sketcher_.reset();
    painter_.reset();
    player_.reset();
}

void Window::build() {
    setObjectName("window");
    viewport_ = new Viewport;
    timeline_ = new Timeline;
    panel_ = new Panel(*player_);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(viewport_, 1);
    column->addWidget(timeline_);
    column->addWidget(makeTransport());
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(left);
    split->addWidget(panel_);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 0);
    split->setChildrenCollapsible(false);
    split->setSizes({1000, 400});
    setCentralWidget(split);
    makeMenus();
    resize(1400, 840);

    viewport_->onTurn = [this](float around, float up) {
        orbit_.turn(around, up);
        repaintScene();
    };
    viewport_->onPan = [this](float right, float up) {
        orbit_.pan(right, up);
        repaintScene();
    };
    viewport_->onZoom = [this](float factor) {
        orbit_.zoom(factor);
        repaintScene();
    };
    viewport_->onResize = [this] { repaintScene(); };
    timeline_->onScrub = [this](int frame) {
        setPlaying(false);
        goTo(frame);
    };
    connect(&playTimer_, &QTimer::timeout, this, [this] { advance(); });
    idleTimer_.setSingleShot(true);
    connect(&idleTimer_, &QTimer::timeout, this, [this] {
        if (current_) painter_->paint(request(Detail::picture));
    });
}

QWidget* Window::makeTransport() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 0, 10, 7);
    row->setSpacing(2);
    auto* toStart = flat(Glyph::toStart, "Go to the first frame (Home)");
    auto* back = flat(Glyph::stepBack, "Previous frame (←)");
    play_ = flat(Glyph::play, "Play (space)");
    auto* on = flat(Glyph::stepOn, "Next frame (→)");
    auto* toEnd = flat(Glyph::toEnd, "Go to the last frame (End)");
    number_ = new QSpinBox;
    number_->setButtonSymbols(QSpinBox::NoButtons);
    number_->setRange(-1000000, 1000000);
    number_->setAlignment(Qt::AlignCenter);
    number_->setFixedWidth(58);
    number_->setKeyboardTracking(false);
    number_->setFocusPolicy(Qt::ClickFocus);
    connect(number_, &QSpinBox::editingFinished, number_, [this] { number_->clearFocus(); });
    for (QWidget* each : {static_cast<QWidget*>(toStart), static_cast<QWidget*>(back), static_cast<QWidget*>(play_),
                          static_cast<QWidget*>(on), static_cast<QWidget*>(toEnd), static_cast<QWidget*>(number_)})
        row->addWidget(each);
    message_ = new QLabel;
    message_->setObjectName("quiet");
    message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addSpacing(14);
    row->addWidget(message_, 1);
    auto* label = new QLabel("Show");
    label->setObjectName("quiet");
    show_ = new QComboBox;
    for (const ShowAbout& about : kShows) show_->addItem(about.title);
    show_->setToolTip("Colour everything by a quantity");
    show_->setFocusPolicy(Qt::NoFocus);
    auto* frame = flat(Glyph::frameAll, "Frame all (F)");
    row->addWidget(label);
    row->addSpacing(4);
    row->addWidget(show_);
    row->addSpacing(6);
    row->addWidget(frame);
    connect(toStart, &QToolButton::clicked, this, [this] { goTo(panel_->shown().firstFrame); });
    connect(back, &QToolButton::clicked, this, [this] { goTo(frame_ - 1); });
    connect(play_, &QToolButton::clicked, this, [this] { setPlaying(!playing()); });
    connect(on, &QToolButton::clicked, this, [this] { goTo(frame_ + 1); });
    connect(toEnd, &QToolButton::clicked, this, [this] { goTo(panel_->shown().lastFrame); });
    connect(number_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int frame) { goTo(frame); });
    connect(show_, qOverload<int>(&QComboBox::currentIndexChanged), this, [this] { repaintScene(); });
    connect(frame, &QToolButton::clicked, this, [this] { frameAll(); });
    return bar;
}

void Window::makeMenus() {
    const auto add = [this](QMenu* menu, const char* text, const QKeySequence& keys, auto&& act) {
        QAction* action = menu->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    QMenu* file = menuBar()->addMenu("&File");
    add(file, "&Save scene as…", QKeySequence::Save, [this] { saveAs(); });
    add(file, "Save &image…", {}, [this] {
        const QString path = QFileDialog::getSaveFileName(this, "Save image", "image.png", "PNG (*.png)");
        if (!path.isEmpty()) viewport_->image().save(path);
    });
    file->addSeparator();
    add(file, "&Quit", QKeySequence::Quit, [this] { close(); });
    QMenu* edit = menuBar()->addMenu("&Edit");
    add(edit, "&Undo", QKeySequence::Undo, [this] { player_->undo(); });
    add(edit, "&Redo", QKeySequence::Redo, [this] { player_->redo(); });
    edit->addSeparator();
    QAction* fromStart = add(edit, "Apply edits from the &first frame", {},
                             [this](bool on) { player_->editFrom(on ? EditFrom::start : EditFrom::thisFrame); });
    fromStart->setCheckable(true);
    QMenu* sim = menuBar()->addMenu("&Simulation");
    add(sim, "Simulate &all frames", QKeySequence("Ctrl+Return"),
        [this] { player_->simulateTo(panel_->shown().lastFrame); });
    add(sim, "&Stop", QKeySequence(Qt::Key_Escape), [this] {
        setPlaying(false);
        player_->cancel();
    });
    add(sim, "&Restart", QKeySequence("Ctrl+R"), [this] { player_->restart(); });
    QMenu* view = menuBar()->addMenu("&View");
    add(view, "&Frame all", {}, [this] { frameAll(); });
    QAction* points = add(view, "&Particles instead of surfaces", QKeySequence("P"), [this](bool on) {
        points_ = on;
        repaintScene();
    });
    points->setCheckable(true);
    QAction* ground = add(view, "&Ground", QKeySequence("G"), [this](bool on) {
        ground_ = on;
        repaintScene();
    });
    ground->setCheckable(true);
    ground->setChecked(true);
}

void Window::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Space: setPlaying(!playing()); break;
        case Qt::Key_Left: goTo(frame_ - 1); break;
        case Qt::Key_Right: goTo(frame_ + 1); break;
        case Qt::Key_Home: goTo(panel_->shown().firstFrame); break;
        case Qt::Key_End: goTo(panel_->shown().lastFrame); break;
        case Qt::Key_F: frameAll(); break;
        default: QMainWindow::keyPressEvent(event);
    }
}

void Window::closeEvent(QCloseEvent* event) {
    if (panel_->shown().changed &&
        QMessageBox::question(this, "Purl", "The scene has unsaved changes. Close it anyway?") != QMessageBox::Yes) {
        event->ignore();
        return;
    }
    player_->cancel();
    event->accept();
}

void Window::saveAs() {
    const QString path = QFileDialog::getSaveFileName(this, "Save scene", {}, "Maya ASCII (*.ma)");
    if (!path.isEmpty()) player_->save(path.toStdString());
}

void Window::goTo(int frame) {
    const PanelState& state = panel_->shown();
    frame_ = std::clamp(frame, state.firstFrame, std::max(state.firstFrame, state.lastFrame));
    player_->look(frame_);
    player_->simulateTo(playing() ? state.lastFrame : frame_);
    refresh();
}

void Window::setPlaying(bool playing) {
    play_->setIcon(iconOf(playing ? Glyph::pause : Glyph::play));
    if (!playing) {
        playTimer_.stop();
        repaintScene();
        return;
    }
    const PanelState& state = panel_->shown();
    if (frame_ >= state.lastFrame) goTo(state.firstFrame);
    player_->simulateTo(state.lastFrame);
    playTimer_.start(static_cast<int>(1000 / std::max(1.0, state.fps)));
}

// Plays no faster than frames become available or are rendered.
void Window::advance() {
    const PanelState& state = panel_->shown();
    const int next = frame_ >= state.lastFrame ? state.firstFrame : frame_ + 1;
    if (!player_->moment(next) || (current_ && shownSerial_ < serial_ && sketcher_->busy())) return;
    frame_ = next;
    player_->look(frame_);
    refresh();
}

void Window::setShow(Show show) { show_->setCurrentIndex(static_cast<int>(show)); }

void Window::frameAll() {
    if (!current_) return;
    orbit_.frame(boundsOf(*current_), float(viewport_->width()) / float(std::max(1, viewport_->height())));
    repaintScene();
}

void Window::refresh() {
    refreshQueued_ = false;
    panel_->refresh(frame_);
    const PanelState& state = panel_->shown();
    timeline_->show(state, frame_);
    number_->blockSignals(true);
    number_->setValue(frame_);
    number_->blockSignals(false);
    setWindowTitle(QString::fromStdString(state.title) + (state.changed ? " •" : "") + " – Purl");
    if (state.messages.size() != messagesSeen_ && !state.messages.empty()) {
        messagesSeen_ = state.messages.size();
        const PanelMessage& last = state.messages.back();
        // Notes from loading are listed by the doctor.
        const bool loading = state.edits <= 1 && last.severity == PanelSeverity::note;
        message_->setText(loading ? QString() : QString::fromStdString(last.text));
        message_->setToolTip(message_->text());
        message_->setStyleSheet("color: " + colorOf(last.severity).name());
    }
    const MomentPtr moment = player_->moment(frame_);
    if (moment && moment != current_) {
        // Use the scene's setting unless the user has chosen one.
        if (!current_ && show_->currentIndex() == 0)
            show_->setCurrentIndex(static_cast<int>(moment->around.display.show));
        current_ = moment;
        if (focus_.empty()) focus_ = boundsOf(*moment);
        if (!orbit_.placed()) {
            if (moment->around.camera)
                orbit_.takeOver(*moment->around.camera, focus_);
            else
                orbit_.frame(focus_, float(viewport_->width()) / float(std::max(1, viewport_->height())));
        }
        repaintScene();
    }
    const bool waiting = !moment && state.activity != PanelActivity::idle;
    viewport_->setNotice(moment    ? QString()
                         : waiting ? QString("Simulating frame %1 …").arg(frame_)
                                   : QString("Frame %1 is not simulated yet. Press Space to play.").arg(frame_));
    if (moment)
        viewport_->setCaption(
            QString("%1   frame %2").arg(QString::fromStdString(state.title)).arg(moment->number),
            QString("%L1 particles   %2 s").arg(moment->frame->points.count()).arg(moment->frame->time, 0, 'f', 3));
}

PaintRequest Window::request(Detail detail) const {
    const double ratio = viewport_->devicePixelRatioF();
    const double scale = detail == Detail::sketch ? kSketchScale : 1;
    PaintRequest request;
    request.moment = current_;
    request.start = player_->firstMoment();
    request.width = std::max(16, static_cast<int>(scale * ratio * viewport_->width()));
    request.height = std::max(16, static_cast<int>(scale * ratio * viewport_->height()));
    request.camera = orbit_.camera(float(request.width) / float(request.height));
    request.focus = focus_;
    request.show = static_cast<Show>(show_->currentIndex());
    request.points = points_;
    request.ground = ground_;
    request.detail = detail;
    request.serial = serial_;
    return request;
}

void Window::repaintScene() {
    if (!current_) return;
    ++serial_;
    if (pictureSeconds_ < kFastSeconds) {
        painter_->paint(request(Detail::picture));
        return;
    }
    sketcher_->paint(request(Detail::sketch));
    if (playing())
        idleTimer_.stop();
    else
        idleTimer_.start(kIdleMilliseconds);
}

void Window::showPainting(Painting painting) {
    const bool full = painting.of.detail == Detail::picture;
    if (full) pictureSeconds_ = painting.seconds;
    // A sketch never replaces the full image of the same request.
    if (painting.of.serial < shownSerial_ || (painting.of.serial == shownSerial_ && shownFull_ && !full)) return;
    if (!painting.error.empty()) {
        viewport_->setNotice(QString::fromStdString(painting.error));
        return;
    }
    shownSerial_ = painting.of.serial;
    shownFull_ = full;
    viewport_->show(painting);
}

bool Window::settled() const { return current_ && current_->number == frame_ && shownSerial_ == serial_ && shownFull_; }

}  // namespace purl

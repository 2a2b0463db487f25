#include "app/view/window.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/view/exportSheet.h"
#include "app/view/keysOverlay.h"
#include "app/view/recentFiles.h"
#include "app/view/timeline.h"
#include "app/view/viewport.h"
#include "panel/panel.h"
#include "panel/style.h"

namespace purl {
namespace {

// What an empty scene shows: a metre around the origin.
const Bounds kEmptyFocus{{-50, 0, -50}, {50, 60, 50}};

float aspectOf(const QWidget& widget) {
    return float(std::max(1, widget.width())) / float(std::max(1, widget.height()));
}

// Why a frame of a cache is not shown.
QString noticeOfCache(const Player& player, int frame) {
    return player.isPending(frame) ? QString("Reading frame %1 …").arg(frame)
                                   : QString("This cache has no frame %1, or it cannot be read.").arg(frame);
}

Bounds boundsOf(const Moment& moment) {
    std::list<Points> foams;
    return purl::boundsOf(arrange(*moment.frame, moment.around, false, {}, foams));
}

}  // namespace

Window::Window(const std::string& source) {
    clock_.start();
    main_ = std::make_unique<ViewPane>();
    player_ = std::make_unique<Player>(source, [this] { queueRefresh(); });
    build();
    load(source);
}

Window::~Window() {
    exporter_.reset();
    second_.reset();
    main_.reset();
    compared_.reset();
    player_.reset();
}

void Window::queueRefresh() {
    // One queued refresh is enough.
    if (refreshQueued_.exchange(true)) return;
    QMetaObject::invokeMethod(
        this, [this] { refresh(); }, Qt::QueuedConnection);
}

void Window::build() {
    setObjectName("window");
    setAcceptDrops(true);
    timeline_ = new Timeline;
    views_ = new QSplitter(Qt::Horizontal);
    views_->setChildrenCollapsible(false);
    views_->addWidget(&main_->viewport());
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(views_, 1);
    column->addWidget(timeline_);
    column->addWidget(makeTransport());
    split_ = new QSplitter(Qt::Horizontal);
    split_->addWidget(left);
    split_->setChildrenCollapsible(false);
    setCentralWidget(split_);
    exportSheet_ = new ExportSheet(this);
    exportSheet_->onExport = [this](const ExportPlan& plan) { exportTo(plan); };
    keys_ = new KeysOverlay(this);
    makeMenus();
    resize(1400, 840);
    watch(*main_);
    Viewport& viewport = main_->viewport();
    viewport.onClick = [this](QPointF at) { pick(at); };
    viewport.onGrab = [this](QPointF at) { return grabHandle(at); };
    viewport.onDrag = [this](QPointF at, bool last) { dragHandle(at, last); };
    viewport.onHover = [this](QPointF at) { return isHandle(at); };
    main_->onShown = [this](const Painting& painting) {
        if (!painting.error.empty()) return queueRefresh();
        if (!playing()) return;
        shownTimes_.push_back(clock_.elapsed());
        while (shownTimes_.size() > 2 && shownTimes_.back() - shownTimes_.front() > 1000) shownTimes_.pop_front();
    };
    timeline_->onScrub = [this](int frame) {
        setPlaying(false);
        goTo(frame);
    };
    timeline_->onRange = [this](int first, int last) { setPlayRange({first, last}); };
    playTimer_.setTimerType(Qt::PreciseTimer);
    connect(&playTimer_, &QTimer::timeout, this, [this] { advance(); });
    connect(&exportTimer_, &QTimer::timeout, this, [this] {
        if (exporter_) exporter_->proceed();
    });
}

// Both viewports move the same camera.
void Window::watch(ViewPane& pane) {
    Viewport& viewport = pane.viewport();
    viewport.onTurn = [this](float around, float up) {
        takeOrbit();
        orbit_.turn(around, up);
        repaintScene();
    };
    viewport.onPan = [this](float right, float up) {
        takeOrbit();
        orbit_.pan(right, up);
        repaintScene();
    };
    viewport.onZoom = [this](float factor) {
        takeOrbit();
        orbit_.zoom(factor);
        repaintScene();
    };
    viewport.onResize = [this] { repaintScene(); };
}

// Shows the player's scene from its first frame.
void Window::load(const std::string& source) {
    panel_ = new Panel(*player_);
    split_->addWidget(panel_);
    split_->setStretchFactor(0, 1);
    split_->setStretchFactor(1, 0);
    split_->setSizes({1000, 400});
    panel_->onSelect = [this](const std::string& node) {
        selected_ = node;
        updateOverlay();
    };
    panel_->onCompare = [this](const std::string& folder) {
        try {
            compareWith(folder);
        } catch (const std::exception&) {}  // the message says why
    };
    current_ = nullptr;
    focus_ = {};
    orbit_ = {};
    through_.clear();
    cameraChosen_ = false;
    selected_.clear();
    preview_.reset();
    dragging_.reset();
    playRange_.reset();
    notice_.reset();
    createdSeen_ = player_->created().second;
    player_->editFrom(actions_.at("fromStart")->isChecked() ? EditFrom::start : EditFrom::thisFrame);
    if (!source.empty()) addRecentFile(QString::fromStdString(source));
    goTo(player_->state().firstFrame);
}

void Window::goTo(int frame) {
    const PanelState& state = panel_->shown();
    frame_ = std::clamp(frame, state.firstFrame, std::max(state.firstFrame, state.lastFrame));
    playFrom_ = frame_;
    playClock_.restart();
    player_->look(frame_);
    player_->simulateTo(playing() ? playRange().last : frame_);
    if (compared_) {
        compared_->look(frame_);
        compared_->simulateTo(frame_);
    }
    refresh();
}

FrameRange Window::playRange() const {
    const PanelState& state = panel_->shown();
    FrameRange range = playRange_.value_or(FrameRange{state.firstFrame, state.lastFrame});
    range.first = std::clamp(range.first, state.firstFrame, std::max(state.firstFrame, state.lastFrame));
    range.last = std::clamp(range.last, range.first, std::max(range.first, state.lastFrame));
    return range;
}

void Window::setPlayRange(const FrameRange& range) {
    playRange_ = range;
    playRange_ = playRange();
    if (playing()) player_->simulateTo(playRange_->last);
    refresh();
}

void Window::setShow(Show show) { show_->setCurrentIndex(static_cast<int>(show)); }

void Window::frameBounds(const Bounds& bounds) {
    takeOrbit();
    orbit_.frame(bounds.empty() ? kEmptyFocus : bounds, aspectOf(viewport()));
    repaintScene();
}

void Window::frameAll() {
    if (current_) frameBounds(boundsOf(*current_));
}

// --- cameras

void Window::lookThrough(const std::string& camera) {
    if (camera.empty()) takeOrbit();
    through_ = camera;
    cameraChosen_ = true;
    refreshCameras();
    repaintScene();
}

void Window::takeOrbit() {
    if (through_.empty()) return;
    const StagePtr stage = player_->stage(frame_);
    for (const NamedCamera& each : stage ? stage->cameras : std::vector<NamedCamera>())
        if (each.name == through_) orbit_.takeOver(each.camera, focus_.empty() ? kEmptyFocus : focus_);
    through_.clear();
    refreshCameras();
}

Camera Window::camera(float aspect) const { return cameraAt(frame_, {orbit_, through_}, aspect); }

Camera Window::cameraAt(int frame, const View& view, float aspect) const {
    if (!view.through.empty())
        if (const StagePtr stage = player_->stage(frame))
            for (const NamedCamera& each : stage->cameras)
                if (each.name == view.through) return cameraOf(each.camera, aspect);
    return view.orbit.camera(aspect);
}

// Lists the scene's cameras, of which the shot is chosen at first.
void Window::refreshCameras() {
    const StagePtr known = player_->stage(frame_), stage = known ? known : std::make_shared<const Stage>();
    const auto isThere = [&](const std::string& name) {
        return std::any_of(stage->cameras.begin(), stage->cameras.end(), [&](const auto& c) { return c.name == name; });
    };
    if (!cameraChosen_ && current_) {
        cameraChosen_ = true;
        through_ = stage->shot;
        if (through_.empty()) orbit_.frame(focus_.empty() ? kEmptyFocus : focus_, aspectOf(viewport()));
    }
    if (!through_.empty() && !isThere(through_)) through_.clear();
    if (through_.empty() && !orbit_.placed()) orbit_.frame(focus_.empty() ? kEmptyFocus : focus_, aspectOf(viewport()));
    const QSignalBlocker quiet(cameras_);
    QStringList names{"Free camera"};
    for (const NamedCamera& each : stage->cameras) names << QString::fromStdString(each.name);
    QStringList listed;
    for (int i = 0; i < cameras_->count(); ++i) listed << cameras_->itemText(i);
    if (names != listed) {
        cameras_->clear();
        cameras_->addItems(names);
    }
    cameras_->setCurrentIndex(through_.empty() ? 0 : int(names.indexOf(QString::fromStdString(through_))));
}

Projection Window::projection() const {
    const Viewport& view = main_->viewport();
    return Projection(camera(aspectOf(view)), view.width(), view.height());
}

std::optional<QPointF> Window::placeOf(Vec3 point) const {
    const auto pixel = projection().pixelOf(point);
    if (!pixel) return std::nullopt;
    return QPointF(pixel->x, pixel->y);
}

// --- showing

void Window::refresh() {
    refreshQueued_ = false;
    panel_->refresh(frame_);
    const PanelState& state = panel_->shown();
    timeline_->show(state, frame_, playRange());
    const auto setNumber = [](QSpinBox* box, int value) {
        const QSignalBlocker quiet(box);
        if (!box->hasFocus()) box->setValue(value);
    };
    setNumber(number_, frame_);
    setNumber(rangeFirst_, state.firstFrame);
    setNumber(rangeLast_, state.lastFrame);
    rangeFirst_->setEnabled(state.editable);
    rangeLast_->setEnabled(state.editable);
    setWindowTitle(QString::fromStdString(state.title) + (state.changed ? " •" : "") + " – Purl");
    showMessage(state);
    speed_->setText(playing() ? QString("%1 of %2 fps").arg(playedFps(), 0, 'f', 0).arg(state.fps, 0, 'g', 4)
                              : QString("%1 fps").arg(state.fps, 0, 'g', 4));
    // A frame that failed ends the playback.
    if (playing() && frame_ < playRange().last && !player_->error().empty() && !player_->moment(frame_ + 1) &&
        !player_->isPending(frame_ + 1) && !player_->isAbsent(frame_ + 1))
        setPlaying(false);
    // A refused edit leaves the object where it is.
    if (preview_ && !dragging_ && (state.edits > preview_->edits || !player_->requestError().empty())) preview_.reset();
    const auto [created, count] = player_->created();
    if (count != createdSeen_) {
        createdSeen_ = count;
        select(created);
    }
    const MomentPtr moment = player_->moment(frame_);
    const bool isNew = moment && moment != current_;
    if (isNew) {
        // Use the scene's setting unless the user has chosen one.
        if (!current_ && show_->currentIndex() == 0)
            show_->setCurrentIndex(static_cast<int>(moment->around.display.show));
        current_ = moment;
        if (focus_.empty()) focus_ = boundsOf(*moment);
    }
    refreshCameras();
    const MomentPtr there = compared_ ? compared_->moment(frame_) : nullptr;
    const bool isOther = there && there != there_;
    there_ = there;
    if (isNew || isOther)
        repaintScene();
    else
        updateOverlay();
    const bool waiting = !moment && state.activity != PanelActivity::idle;
    viewport().setNotice(!paintError().empty() ? QString::fromStdString(paintError())
                         : moment              ? QString()
                         : waiting             ? QString("Simulating frame %1 …").arg(frame_)
                         : !state.openCache.empty()
                             ? noticeOfCache(*player_, frame_)
                             : QString("Frame %1 is not simulated yet. Press Space to play.").arg(frame_));
    showCaptions(state, moment);
    if (exporter_) exporter_->proceed();
}

void Window::showCaptions(const PanelState& state, const MomentPtr& moment) {
    if (!moment) return;
    const QString where = through_.empty() ? QString() : "   " + QString::fromStdString(through_);
    viewport().setCaption(
        QString("%1   frame %2%3").arg(QString::fromStdString(state.title)).arg(moment->number).arg(where),
        QString("%L1 particles   %2 s").arg(moment->frame->points.count()).arg(moment->frame->time, 0, 'f', 3));
    if (!second_) return;
    const PanelState other = compared_->state();
    const MomentPtr there = compared_->moment(frame_);
    const QString name = QString::fromStdString(other.title);
    if (viewport().wipe() >= 0) {
        viewport().setCaption(QString("%1   frame %2").arg(QString::fromStdString(state.title)).arg(moment->number),
                              name);
        return;
    }
    second_->viewport().setCaption(QString("%1   frame %2").arg(name).arg(frame_),
                                   there ? QString("%L1 particles").arg(there->frame->points.count()) : QString());
    second_->viewport().setNotice(there ? QString() : noticeOfCache(*compared_, frame_));
}

PaintRequest Window::request(float aspect) const {
    PaintRequest request;
    request.moment = current_;
    request.start = player_->firstMoment();
    request.camera = camera(aspect);
    request.focus = focus_.empty() ? kEmptyFocus : focus_;
    request.show = static_cast<Show>(show_->currentIndex());
    request.points = points_;
    request.ground = ground_;
    request.wire = wire_;
    return request;
}

PaintRequest Window::requestFor(const QWidget& widget) const {
    const double ratio = widget.devicePixelRatioF();
    PaintRequest sized = request(aspectOf(widget));
    sized.width = std::max(16, static_cast<int>(ratio * widget.width()));
    sized.height = std::max(16, static_cast<int>(ratio * widget.height()));
    return sized;
}

void Window::repaintScene() {
    if (!current_) return;
    main_->repaint(requestFor(viewport()), playing());
    if (second_)
        if (const MomentPtr there = compared_->moment(frame_)) {
            PaintRequest other = requestFor(viewport().wipe() >= 0 ? viewport() : second_->viewport());
            other.moment = there;
            other.start = compared_->firstMoment();
            second_->repaint(other, playing());
        }
    updateOverlay();
}

bool Window::settled() const {
    return current_ && current_->number == frame_ && main_->settled() &&
           (!second_ || !compared_->moment(frame_) || second_->settled());
}

// --- comparison

void Window::compareWith(const std::string& folder) {
    std::unique_ptr<Player> other;
    try {
        other = std::make_unique<Player>(folder, [this] { queueRefresh(); });
    } catch (const std::exception& error) {
        say(PanelSeverity::error, error.what());
        throw;
    }
    endCompare();
    compared_ = std::move(other);
    second_ = std::make_unique<ViewPane>();
    watch(*second_);
    views_->addWidget(&second_->viewport());
    views_->setSizes({1000, 1000});
    second_->onShown = [this](const Painting& painting) {
        if (viewport().wipe() < 0 || !painting.error.empty()) return;
        const Picture& picture = painting.picture;
        viewport().setWipe(
            QImage(picture.rgba.data(), picture.width, picture.height, 4 * picture.width, QImage::Format_RGBA8888)
                .copy(),
            viewport().wipe());
    };
    if (actions_.at("wipe")->isChecked()) {
        second_->viewport().hide();
        viewport().setWipe({}, 0.5);
    }
    goTo(frame_);
}

void Window::endCompare() {
    if (!second_) return;
    viewport().endWipe();
    Viewport* const old = &second_->viewport();
    second_.reset();
    delete old;
    compared_.reset();
    there_ = nullptr;
    repaintScene();
}

}  // namespace purl

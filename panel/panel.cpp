#include "panel/panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "panel/attributeEditor.h"
#include "panel/bodyTree.h"
#include "panel/cacheTree.h"
#include "panel/doctorList.h"
#include "panel/farmTab.h"
#include "panel/plots.h"
#include "panel/presetBrowser.h"
#include "panel/style.h"

namespace purl {
namespace {

constexpr int kProgressSteps = 1000;

QToolButton* button(Glyph glyph, const char* text, const char* tip) {
    auto* button = new QToolButton;
    button->setIcon(iconOf(glyph));
    button->setIconSize({16, 16});
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::NoFocus);
    return button;
}

QString statusOf(const PanelState& state) {
    const auto ready = std::count_if(state.frames.begin(), state.frames.end(),
                                     [](PanelFrame frame) { return frame != PanelFrame::missing; });
    const QString frames = QString("%1 of %2 frames").arg(ready).arg(state.frames.size());
    if (!state.progressText.empty() && state.activity != PanelActivity::idle)
        return QString::fromStdString(state.progressText);
    switch (state.activity) {
        case PanelActivity::idle: return frames;
        case PanelActivity::simulating: return frames;  // the progress bar shows the rest
        case PanelActivity::caching: return "Caching " + frames;
    }
    return frames;
}

}  // namespace

Panel::Panel(PanelModel& model, QWidget* parent) : QWidget(parent), model_(model) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    tree_ = new BodyTree;
    attributes_ = new AttributeEditor;
    plots_ = new Plots;
    tabs_ = new QTabWidget;
    tabs_->setDocumentMode(true);
    tabs_->setFocusPolicy(Qt::NoFocus);
    tabs_->addTab(attributes_, "Settings");
    tabs_->addTab(plots_, "Plots");
    presets_ = new PresetBrowser;
    tabs_->addTab(presets_, "Presets");
    caches_ = new CacheTree;
    tabs_->addTab(caches_, "Caches");
    doctor_ = new DoctorList;
    tabs_->addTab(doctor_, "Doctor");
    farm_ = new FarmTab;
    tabs_->addTab(farm_, "Farm");
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(tree_);
    split->addWidget(tabs_);
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    split->setSizes({210, 560});
    split->setChildrenCollapsible(false);
    column->addWidget(makeBar());
    column->addWidget(split, 1);
    tree_->onSelect = [this](const std::string& node) {
        attributes_->show(state_, node);
        presets_->show(state_, node);
        if (onSelect) onSelect(node);
    };
    presets_->onPick = [this](const std::string& preset) { model_.set(tree_->selected(), "preset", preset); };
    caches_->onOpen = [this](const std::string& folder) { model_.openCache(folder); };
    caches_->onMenu = [this](const std::string& folder, const QPoint& at) {
        if (folder.empty() || !onCompare) return;
        QMenu menu;
        menu.addAction("Open", [this, folder] { model_.openCache(folder); });
        menu.addAction("Compare with this", [this, folder] { onCompare(folder); });
        menu.exec(at);
    };
    farm_->onSet = [this](const std::string& node, const std::string& attribute, const std::string& value) {
        model_.set(node, attribute, value);
    };
    doctor_->onFix = [this](const PanelProblem& problem) { model_.fix(problem); };
    doctor_->onNode = [this](const std::string& node) {
        tree_->select(node);
        tabs_->setCurrentWidget(attributes_);
    };
    attributes_->onEdit = [this](const std::string& attribute, const std::string& value) {
        model_.set(tree_->selected(), attribute, value);
    };
    setMinimumWidth(340);
    refresh();
}

QWidget* Panel::makeBar() {
    auto* bar = new QWidget;
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(8, 8, 8, 6);
    column->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(5);
    simulate_ = button(Glyph::play, "Simulate", "Simulate all frames of the playback range");
    cache_ = button(Glyph::cache, "Cache", "Simulate from the start and write every frame to disk");
    stop_ = button(Glyph::stop, "Stop", "Stop; completed frames are kept");
    for (QToolButton* each : {simulate_, cache_, stop_}) row->addWidget(each);
    row->addStretch(1);
    status_ = new QLabel;
    status_->setObjectName("quiet");
    row->addWidget(status_);
    progress_ = new QProgressBar;
    progress_->setRange(0, kProgressSteps);
    progress_->setTextVisible(false);
    column->addLayout(row);
    column->addWidget(progress_);
    connect(simulate_, &QToolButton::clicked, this, [this] { model_.simulateTo(state_.lastFrame); });
    connect(cache_, &QToolButton::clicked, this, [this] { model_.writeCache(""); });
    connect(stop_, &QToolButton::clicked, this, [this] { model_.cancel(); });
    return bar;
}

bool Panel::showTab(const std::string& title) {
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->tabText(i).startsWith(QString::fromStdString(title), Qt::CaseInsensitive)) {
            tabs_->setCurrentIndex(i);
            return true;
        }
    return false;
}

void Panel::refresh(int frame) {
    frame_ = frame;
    state_ = model_.state();
    const bool first = tree_->topLevelItemCount() == 0;
    tree_->show(state_);
    // Select a body rather than the solver.
    if (first)
        for (const PanelNode& node : *state_.nodes)
            if (node.kind != PanelKind::solver) {
                tree_->select(node.name);
                break;
            }
    attributes_->show(state_, tree_->selected());
    plots_->show(state_, frame_);
    presets_->show(state_, tree_->selected());
    caches_->show(state_);
    doctor_->show(state_);
    farm_->show(state_);
    const auto problems = std::count_if(state_.problems.begin(), state_.problems.end(),
                                        [](const auto& p) { return p.severity != PanelSeverity::note; });
    tabs_->setTabText(tabs_->indexOf(doctor_), problems ? QString("Doctor (%1)").arg(problems) : QString("Doctor"));
    const bool busy = state_.activity != PanelActivity::idle;
    simulate_->setEnabled(!busy && state_.editable);
    cache_->setEnabled(!busy && state_.editable);
    stop_->setEnabled(busy);
    progress_->setValue(busy ? static_cast<int>(kProgressSteps * state_.progress) : 0);
    status_->setText(statusOf(state_));
}

}  // namespace purl

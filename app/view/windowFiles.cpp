// The window's files: opening, saving, dropping, exporting.
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <algorithm>

#include "app/view/exportSheet.h"
#include "app/view/keysOverlay.h"
#include "app/view/recentFiles.h"
#include "app/view/viewport.h"
#include "app/view/window.h"
#include "panel/panel.h"

namespace purl {
namespace {

constexpr int kExportMilliseconds = 100;

Window::Answer askAboutChanges(QWidget* window) {
    const auto answer =
        QMessageBox::question(window, "Purl", "The scene has unsaved changes.",
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save      ? Window::Answer::save
           : answer == QMessageBox::Discard ? Window::Answer::discard
                                            : Window::Answer::cancel;
}

// The path of what was dropped, if it can be opened.
std::string droppedPath(const QMimeData& data) {
    if (data.urls().isEmpty()) return "";
    const QString path = data.urls().front().toLocalFile();
    const QFileInfo info(path);
    const bool scene = info.isFile() && info.suffix() == "ma";
    const bool cache = info.isDir() && QFileInfo::exists(path + "/manifest.json");
    return scene || cache ? path.toStdString() : std::string();
}

}  // namespace

bool Window::mayClose() {
    if (!panel_->shown().changed && !player_->state().changed) return true;
    const Answer answer = onUnsaved ? onUnsaved() : askAboutChanges(this);
    return answer == Answer::discard || (answer == Answer::save && save(false));
}

void Window::open(const std::string& source) {
    if (!mayClose()) return;
    setPlaying(false);
    std::unique_ptr<Player> next;
    try {
        next = std::make_unique<Player>(source, [this] { queueRefresh(); });
    } catch (const std::exception& error) { return say(PanelSeverity::error, error.what()); }
    exporter_.reset();
    endCompare();
    const int tab = panel_->tabs().currentIndex();
    delete panel_;
    player_ = std::move(next);
    load(source);
    panel_->tabs().setCurrentIndex(tab);
}

void Window::askForFile(bool cache) {
    const QString path = cache ? QFileDialog::getExistingDirectory(this, "Open cache")
                               : QFileDialog::getOpenFileName(this, "Open scene", {}, "Maya ASCII (*.ma)");
    if (!path.isEmpty()) open(path.toStdString());
}

// Waits until the scene is saved; a running simulation is stopped.
bool Window::save(bool as) {
    QString path = QString::fromStdString(player_->path());
    if (as || path.isEmpty()) path = QFileDialog::getSaveFileName(this, "Save scene", path, "Maya ASCII (*.ma)");
    if (path.isEmpty()) return false;
    if (!path.endsWith(".ma")) path += ".ma";
    player_->cancel();
    player_->save(path.toStdString());
    player_->wait();
    refresh();
    const bool saved = player_->requestError().empty();
    if (saved) addRecentFile(path);
    return saved;
}

void Window::closeEvent(QCloseEvent* event) {
    if (!mayClose()) {
        event->ignore();
        return;
    }
    player_->cancel();
    event->accept();
}

void Window::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedPath(*event->mimeData()).empty()) event->acceptProposedAction();
}

void Window::dropEvent(QDropEvent* event) {
    const std::string path = droppedPath(*event->mimeData());
    if (path.empty()) return;
    event->acceptProposedAction();
    open(path);
}

void Window::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    keys_->setGeometry(rect());
}

// --- export

void Window::showExport() {
    const QString stem = QFileInfo(QString::fromStdString(panel_->shown().title)).completeBaseName();
    exportSheet_->ask(stem, viewport().size() * viewport().devicePixelRatioF(), playRange());
}

void Window::exportTo(const ExportPlan& plan) {
    setPlaying(false);
    notice_.reset();
    exporter_.reset();
    if (plan.path.empty()) return say(PanelSeverity::error, "export: no file is given; enter one");
    if (plan.frames.last < plan.frames.first)
        return say(PanelSeverity::error, "export: the last frame is before the first");
    if (plan.kind == ExportKind::cache) {
        player_->writeCache(plan.path, plan.formats, plan.oneFile);
        return;
    }
    ExportPlan whole = plan;
    if (plan.kind == ExportKind::picture) whole.frames = {frame_, frame_};
    const PanelState& state = panel_->shown();
    if (whole.frames.first < state.firstFrame || whole.frames.last > state.lastFrame)
        return say(PanelSeverity::error, "export: there are frames " + std::to_string(state.firstFrame) + " to " +
                                             std::to_string(state.lastFrame) + " only");
    exportedFrom_ = frame_;
    PaintRequest look = request(1);
    look.width = whole.width;
    look.height = whole.height;
    exporter_ = std::make_unique<Exporter>(
        whole, state.fps,
        [this, look, view = View{orbit_, through_}](int frame) { return exportRequest(look, view, frame); },
        [this] {
            queueRefresh();
            if (!exporter_->done()) return;
            const PanelSeverity severity = exporter_->error().empty() ? PanelSeverity::note : PanelSeverity::error;
            const std::string text = exporter_->text();
            // Not here: the exporter is calling.
            QMetaObject::invokeMethod(
                this,
                [this, severity, text, which = exporter_.get()] {
                    if (exporter_.get() != which) return;
                    endExport();
                    say(severity, text);
                },
                Qt::QueuedConnection);
        });
    exportTimer_.start(kExportMilliseconds);
    exporter_->proceed();
}

// Shows the frame, which also simulates it, and draws it as the window looked when the export began.
std::optional<PaintRequest> Window::exportRequest(const PaintRequest& look, const View& view, int frame) {
    if (frame_ != frame) goTo(frame);
    PaintRequest now = look;
    now.moment = player_->moment(frame);
    if (!now.moment) {
        if (player_->isPending(frame)) return std::nullopt;
        const std::string error = player_->error();
        throw Error("export: frame " + std::to_string(frame) +
                    " is missing: " + (error.empty() ? "the simulation was stopped" : error));
    }
    now.start = player_->firstMoment();
    now.camera = cameraAt(frame, view, float(now.width) / float(std::max(1, now.height)));
    return now;
}

// Shows again what was shown before.
void Window::endExport() {
    if (!exporter_) return;
    exporter_.reset();
    exportTimer_.stop();
    goTo(exportedFrom_);
}

}  // namespace purl

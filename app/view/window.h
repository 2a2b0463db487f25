// Window: the main window of `purl view`: viewport with timeline, and the panel beside it. Never blocks: simulation and
// rendering run on their own threads and report when something is ready.
#pragma once
#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "app/view/exporter.h"
#include "app/view/gizmo.h"
#include "app/view/orbit.h"
#include "app/view/player.h"
#include "app/view/viewPane.h"

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QSpinBox;
class QSplitter;
class QToolButton;

namespace purl {

class ExportSheet;
class KeysOverlay;
class Panel;
class Timeline;

class Window : public QMainWindow {
  public:
    // A scene, a cache, or a new scene if `source` is empty. Throws Error if it cannot be opened.
    explicit Window(const std::string& source);
    ~Window() override;

    void goTo(int frame);
    void setPlaying(bool playing);
    void setPlayRange(const FrameRange& range);
    void setShow(Show show);
    void frameAll();

    int frame() const { return frame_; }
    bool playing() const { return playTimer_.isActive(); }
    Player& player() { return *player_; }
    Panel& panel() { return *panel_; }
    Viewport& viewport() { return main_->viewport(); }
    // Whether the full-quality images of the current frame, camera and size are shown.
    bool settled() const;
    // Why the image cannot be drawn; empty: it can.
    const std::string& paintError() const { return main_->error(); }

    // --- actions, by their id in windowActions(). False if there is no such action.
    bool trigger(const std::string& id);
    QMenu* menuNamed(const std::string& name);  // null: there is none

    // --- files
    // Asks about unsaved changes, then opens a scene, a cache or, if empty, a new scene.
    void open(const std::string& source);
    enum class Answer { save, discard, cancel };
    std::function<Answer()> onUnsaved;  // asks what to do with unsaved changes
    void exportTo(const ExportPlan& plan);
    bool exporting() const { return exporter_ != nullptr; }

    // --- selection and edits
    void select(const std::string& node);  // of the panel's tree; empty: nothing
    const std::string& selected() const { return selected_; }
    void setTool(Tool tool);
    void create(const std::string& kind);  // of purlCreate, or a primitive's command

    // --- cameras. Empty: free.
    void lookThrough(const std::string& camera);
    const std::string& lookingThrough() const { return through_; }
    Camera camera(float aspect) const;  // of an image of this aspect ratio
    // Where a point is in the viewport; nullopt behind the camera.
    std::optional<QPointF> placeOf(Vec3 point) const;

    // --- comparison. Throws Error if it is not a cache; the message below the timeline then says so, too.
    void compareWith(const std::string& folder);
    void endCompare();
    ViewPane* second() { return second_.get(); }

    std::string message() const;  // below the timeline
    double playedFps() const;     // images shown in the last second of playing

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    // The camera: one of the scene, or the orbit.
    struct View {
        Orbit orbit;
        std::string through;  // name of the scene's camera; empty: the orbit
    };

    // window.cpp
    void load(const std::string& source);
    void build();
    void watch(ViewPane& pane);
    void refresh();  // shows the player's state
    void showCaptions(const PanelState& state, const MomentPtr& moment);
    void repaintScene();  // requests sketches now, and the full images once idle
    PaintRequest request(float aspect) const;
    Camera cameraAt(int frame, const View& view, float aspect) const;
    PaintRequest requestFor(const QWidget& widget) const;
    FrameRange playRange() const;
    Projection projection() const;  // of the main viewport
    void takeOrbit();               // leaves the scene camera
    void frameBounds(const Bounds& bounds);
    void refreshCameras();
    void queueRefresh();
    // windowActions.cpp
    void makeMenus();
    QWidget* makeTransport();
    void fillRecent(QMenu* menu);
    void fillCreate(QMenu* menu);
    std::map<std::string, std::function<void(bool on)>> functions();
    void advance();  // timer tick
    void showMessage(const PanelState& state);
    // What came of the user's last action, shown until the player has something newer to say.
    void say(PanelSeverity severity, const std::string& text);
    // windowFiles.cpp
    bool mayClose();
    bool save(bool as);
    void askForFile(bool cache);
    void showExport();
    std::optional<PaintRequest> exportRequest(const PaintRequest& look, const View& view, int frame);
    void endExport();
    // windowEdit.cpp
    void pick(QPointF at);
    bool grabHandle(QPointF at);
    void dragHandle(QPointF at, bool last);
    bool isHandle(QPointF at) const;
    void updateOverlay();
    std::optional<Gizmo> gizmo() const;
    std::shared_ptr<const SceneObject> selectedObject() const;  // null: none
    void deleteSelected();
    void duplicateSelected();
    void keySelected();
    void frameSelected();

    std::atomic<bool> refreshQueued_{false};  // a refresh is already queued
    std::unique_ptr<Player> player_, compared_;
    QSplitter *split_ = nullptr, *views_ = nullptr;
    Panel* panel_ = nullptr;
    Timeline* timeline_ = nullptr;
    KeysOverlay* keys_ = nullptr;
    ExportSheet* exportSheet_ = nullptr;
    QToolButton* play_ = nullptr;
    QSpinBox *number_ = nullptr, *rangeFirst_ = nullptr, *rangeLast_ = nullptr;
    QComboBox *show_ = nullptr, *cameras_ = nullptr;
    QLabel *message_ = nullptr, *speed_ = nullptr;
    std::map<std::string, QAction*> actions_;
    QTimer playTimer_, exportTimer_;

    Orbit orbit_;
    std::string through_;  // the camera looked through; empty: the orbit
    bool cameraChosen_ = false;
    Bounds focus_;
    int frame_ = 1;
    bool points_ = false, ground_ = true, wire_ = false, guides_ = true, loop_ = true, realTime_ = true;
    std::optional<FrameRange> playRange_;  // nullopt: all frames
    QElapsedTimer playClock_;
    int playFrom_ = 1;               // the frame shown when playClock_ started
    std::deque<qint64> shownTimes_;  // ms, of images shown while playing
    QElapsedTimer clock_;
    MomentPtr current_, there_;  // shown; there_: of the cache compared with

    std::string selected_;
    long createdSeen_ = 0;
    Tool tool_ = Tool::select;
    struct Dragging {
        Gizmo gizmo;
        SceneObject object;
        int axis;
        Pixel from;
        bool moved;
        QElapsedTimer sent;
    };
    std::optional<Dragging> dragging_;
    // Where the dragged object will be, until the player has made the edit of this number.
    struct Preview {
        std::string transform;
        host::Mat4d moved;
        long edits;
    };
    std::optional<Preview> preview_;

    std::unique_ptr<Exporter> exporter_;
    int exportedFrom_ = 1;  // the frame shown when the export began
    struct Notice {
        PanelMessage message;
        std::string after;  // what the player had to say at that time
    };
    std::optional<Notice> notice_;
    // Last: their threads call into this window.
    std::unique_ptr<ViewPane> main_, second_;
};

}  // namespace purl

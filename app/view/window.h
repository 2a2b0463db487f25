// Window: the main window of `purl view`: viewport with timeline, and the panel beside it. Never blocks: simulation and
// rendering run on their own threads and report when something is ready.
#pragma once
#include <QMainWindow>
#include <QTimer>

#include <atomic>
#include <memory>

#include "app/view/orbit.h"
#include "app/view/painter.h"
#include "app/view/player.h"

class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace purl {

class Panel;
class Timeline;
class Viewport;

class Window : public QMainWindow {
  public:
    // Throws Error if the source cannot be opened.
    explicit Window(const std::string& source);
    ~Window() override;

    void goTo(int frame);
    void setPlaying(bool playing);
    void setShow(Show show);
    void frameAll();

    int frame() const { return frame_; }
    bool playing() const { return playTimer_.isActive(); }
    Player& player() { return *player_; }
    Panel& panel() { return *panel_; }
    Viewport& viewport() { return *viewport_; }
    // Whether the full-quality image of the current frame, camera and size is shown.
    bool settled() const;

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void build();
    QWidget* makeTransport();
    void makeMenus();
    void advance();       // timer tick
    void refresh();       // shows the player's state
    void repaintScene();  // requests a sketch now, and the full image once idle
    void showPainting(Painting painting);
    PaintRequest request(Detail detail) const;
    void saveAs();

    std::atomic<bool> refreshQueued_{false};  // a refresh is already queued
    std::unique_ptr<Player> player_;
    Panel* panel_ = nullptr;
    Viewport* viewport_ = nullptr;
    Timeline* timeline_ = nullptr;
    QToolButton* play_ = nullptr;
    QSpinBox* number_ = nullptr;
    QComboBox* show_ = nullptr;
    QLabel* message_ = nullptr;
    QTimer playTimer_, idleTimer_;
    Orbit orbit_;
    Bounds focus_;
    int frame_ = 1;
    bool points_ = false, ground_ = true;
    MomentPtr current_;
    long serial_ = 0, shownSerial_ = -1;
    bool shownFull_ = false;
    double pictureSeconds_ = 1;  // time of the last full image: fast machines skip sketches
    size_t messagesSeen_ = 0;
    // Last: their threads call into this window.
    std::unique_ptr<Painter> sketcher_, painter_;
};

}  // namespace purl

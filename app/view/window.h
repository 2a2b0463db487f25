// Window: what `purl view` opens. A viewport with a timeline below it, and the panel beside it. Never waits for the
// simulation or for a picture: both have threads of their own and report when they have something.
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
    // Throws Error where the source cannot be opened.
    explicit Window(const std::string& source);
    ~Window() override;

    void goTo(int frame);
    void setPlaying(bool playing);
    void setShow(Show show);
    void frameAll();

    int frame() const { return frame_; }
    bool playing() const { return clock_.isActive(); }
    Player& player() { return *player_; }
    Panel& panel() { return *panel_; }
    Viewport& viewport() { return *viewport_; }
    // Whether the picture on show is the full one of this very frame, camera and size.
    bool settled() const;

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void build();
    QWidget* makeTransport();
    void makeMenus();
    void advance();       // of the clock
    void refresh();       // what the player has to tell
    void repaintScene();  // asks for a sketch now, and for the picture once all is still
    void take(Painting painting);
    PaintRequest request(Detail detail) const;
    void saveAs();

    std::atomic<bool> told_{false};  // a refresh is under way already
    std::unique_ptr<Player> player_;
    Panel* panel_ = nullptr;
    Viewport* viewport_ = nullptr;
    Timeline* timeline_ = nullptr;
    QToolButton* play_ = nullptr;
    QSpinBox* number_ = nullptr;
    QComboBox* show_ = nullptr;
    QLabel* message_ = nullptr;
    QTimer clock_, still_;
    Orbit orbit_;
    Bounds focus_;
    int frame_ = 1;
    bool points_ = false, ground_ = true;
    MomentPtr current_;  // of the last request
    long serial_ = 0, taken_ = -1;
    bool takenWhole_ = false;
    double pictureSeconds_ = 1;  // what the last full one took: a fast machine draws no sketches
    size_t messagesSeen_ = 0;
    // Last: their threads call into this window.
    std::unique_ptr<Painter> sketcher_, painter_;
};

}  // namespace purl

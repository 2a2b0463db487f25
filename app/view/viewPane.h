// ViewPane: a viewport and the two painters that fill it: sketches while something moves, then the full image.
#pragma once
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <string>

#include "app/view/painter.h"

namespace purl {

class Viewport;

class ViewPane : public QObject {
  public:
    ViewPane();
    ~ViewPane() override;

    Viewport& viewport() { return *viewport_; }
    // Draws this request; its size is that of the full image. `moving`: no full image follows.
    void repaint(const PaintRequest& request, bool moving);
    // Whether the full image of the latest request is shown.
    bool settled() const { return requested_ && shownSerial_ == serial_ && shownFull_; }
    // Why the latest image could not be drawn; empty: it could.
    const std::string& error() const { return error_; }
    // Whether a sketch is still to be drawn.
    bool behind() const { return shownSerial_ < serial_ && sketcher_->busy(); }
    // Called after an image is shown, or failed to be drawn.
    std::function<void(const Painting&)> onShown;

  private:
    void show(const Painting& painting);

    Viewport* viewport_;  // owned by its parent widget
    PaintRequest request_;
    bool requested_ = false;
    QTimer idleTimer_;
    long serial_ = 0, shownSerial_ = -1;
    bool shownFull_ = false;
    std::string error_;
    double pictureSeconds_ = 1;  // time of the last full image: fast machines skip sketches
    // Last: their threads call into this pane.
    std::unique_ptr<Painter> sketcher_, painter_;
};

}  // namespace purl

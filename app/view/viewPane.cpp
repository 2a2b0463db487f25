#include "app/view/viewPane.h"

#include <QMetaObject>
#include <algorithm>

#include "app/view/viewport.h"

namespace purl {
namespace {

constexpr int kIdleMilliseconds = 180;
constexpr double kSketchScale = 0.42;  // factor on the viewport's width and height
constexpr double kFastSeconds = 0.06;  // s: full images faster than this need no sketches

}  // namespace

ViewPane::ViewPane() : viewport_(new Viewport) {
    const auto done = [this](Painting painting) {
        auto shared = std::make_shared<Painting>(std::move(painting));
        QMetaObject::invokeMethod(
            this, [this, shared] { show(*shared); }, Qt::QueuedConnection);
    };
    sketcher_ = std::make_unique<Painter>(done);
    painter_ = std::make_unique<Painter>(done);
    idleTimer_.setSingleShot(true);
    QObject::connect(&idleTimer_, &QTimer::timeout, this, [this] { painter_->paint(request_); });
}

ViewPane::~ViewPane() {
    sketcher_.reset();
    painter_.reset();
}

void ViewPane::repaint(const PaintRequest& request, bool moving) {
    request_ = request;
    requested_ = true;
    request_.detail = Detail::picture;
    request_.serial = ++serial_;
    if (pictureSeconds_ < kFastSeconds) {
        painter_->paint(request_);
        return;
    }
    PaintRequest sketch = request_;
    sketch.detail = Detail::sketch;
    sketch.width = std::max(16, static_cast<int>(kSketchScale * request.width));
    sketch.height = std::max(16, static_cast<int>(kSketchScale * request.height));
    sketcher_->paint(std::move(sketch));
    if (moving)
        idleTimer_.stop();
    else
        idleTimer_.start(kIdleMilliseconds);
}

void ViewPane::show(const Painting& painting) {
    const bool full = painting.of.detail == Detail::picture;
    if (full) pictureSeconds_ = painting.seconds;
    // A sketch never replaces the full image of the same request.
    if (painting.of.serial < shownSerial_ || (painting.of.serial == shownSerial_ && shownFull_ && !full)) return;
    error_ = painting.error;
    if (!error_.empty()) {
        if (onShown) onShown(painting);
        return;
    }
    shownSerial_ = painting.of.serial;
    shownFull_ = full;
    viewport_->show(painting);
    if (onShown) onShown(painting);
}

}  // namespace purl

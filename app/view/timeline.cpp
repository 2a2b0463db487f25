#include "app/view/timeline.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "panel/style.h"

namespace purl {
namespace {

constexpr int kMargin = 12;

// Label spacing in frames, so that labels do not overlap: 1, 2, 5, 10 …
int stepFor(int frames, int width) {
    const int most = std::max(1, width / 52);
    for (int power = 1;; power *= 10)
        for (const int step : {1, 2, 5})
            if (frames / (step * power) <= most) return step * power;
}

}  // namespace

Timeline::Timeline(QWidget* parent) : QWidget(parent) {
    setMinimumHeight(40);
    setCursor(Qt::PointingHandCursor);
}

void Timeline::show(const PanelState& state, int frame, const FrameRange& played) {
    played_ = played;
    first_ = state.firstFrame;
    last_ = std::max(state.lastFrame, first_ + 1);
    frames_ = state.frames;
    frame_ = frame;
    update();
}

// Left edge of a frame; all frames have the same width.
double Timeline::frameX(double frame) const {
    return kMargin + (frame - first_) / (last_ - first_ + 1) * (width() - 2 * kMargin);
}

void Timeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double top = 6, height = 12;
    painter.fillRect(QRectF(kMargin, top, width() - 2 * kMargin, height), ink::kField);
    for (size_t i = 0; i < frames_.size(); ++i) {
        if (frames_[i] == PanelFrame::missing) continue;
        size_t end = i + 1;
        while (end < frames_.size() && frames_[end] == frames_[i]) ++end;
        const double left = frameX(first_ + double(i)), right = frameX(first_ + double(end));
        QColor color = frames_[i] == PanelFrame::upToDate ? ink::kAccent : ink::kFaint;
        color.setAlpha(190);
        painter.fillRect(QRectF(left, top + 3, right - left, height - 6), color);
        i = end - 1;
    }
    // Frames that are not played.
    const QColor unplayed(0x23, 0x25, 0x28, 190);
    painter.fillRect(QRectF(kMargin, top, frameX(played_.first) - kMargin, height), unplayed);
    painter.fillRect(QRectF(frameX(played_.last + 1), top, frameX(last_ + 1) - frameX(played_.last + 1), height),
                     unplayed);
    QFont font = this->font();
    font.setPixelSize(11);
    painter.setFont(font);
    const int step = stepFor(last_ - first_ + 1, width() - 2 * kMargin);
    for (int frame = first_; frame <= last_; ++frame) {
        if (frame % step != 0 && frame != first_) continue;
        const double x = (frameX(frame) + frameX(frame + 1)) / 2;
        painter.setPen(ink::kLine);
        painter.drawLine(QPointF(x, top + height), QPointF(x, top + height + 3));
        painter.setPen(ink::kQuiet);
        if (std::abs(frame - frame_) > step / 3 || frame == frame_)
            painter.drawText(QRectF(x - 26, top + height + 3, 52, 14), Qt::AlignCenter, QString::number(frame));
    }
    const double left = frameX(frame_), right = frameX(frame_ + 1), middle = (left + right) / 2;
    const double half = std::max(1.5, (right - left) / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(255, 255, 255, 70));
    painter.drawRect(QRectF(middle - half, top - 2, 2 * half, height + 4));
    painter.setBrush(QColor(255, 255, 255));
    painter.drawRect(QRectF(middle - 1, top - 3, 2, height + 6));
}

int Timeline::frameAt(int x) const {
    const double fraction = double(x - kMargin) / std::max(1, width() - 2 * kMargin);
    return std::clamp(first_ + static_cast<int>(std::floor(fraction * (last_ - first_ + 1))), first_, last_);
}

void Timeline::scrub(const QMouseEvent& event) {
    const int frame = frameAt(event.pos().x());
    if (!(event.modifiers() & Qt::ShiftModifier)) {
        if (onScrub) onScrub(frame);
        return;
    }
    if (event.type() == QEvent::MouseButtonPress) rangeFrom_ = frame;
    if (onRange) onRange(std::min(rangeFrom_, frame), std::max(rangeFrom_, frame));
}

void Timeline::mousePressEvent(QMouseEvent* event) { scrub(*event); }
void Timeline::mouseMoveEvent(QMouseEvent* event) { scrub(*event); }

}  // namespace purl

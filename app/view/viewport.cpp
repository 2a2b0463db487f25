#include "app/view/viewport.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "panel/style.h"

namespace purl {
namespace {

constexpr float kRadiansPerPixel = 0.008f;
constexpr int kClickPixels = 4;  // a shorter drag is a click
constexpr double kDividerReach = 7;

}  // namespace

Viewport::Viewport(QWidget* parent) : QWidget(parent) {
    setMinimumSize(320, 200);
    setFocusPolicy(Qt::ClickFocus);
    setMouseTracking(true);
}

void Viewport::show(const Painting& painting) {
    const Picture& picture = painting.picture;
    image_ =
        QImage(picture.rgba.data(), picture.width, picture.height, 4 * picture.width, QImage::Format_RGBA8888).copy();
    show_ = painting.of.show;
    low_ = painting.low;
    high_ = painting.high;
    hasValues_ = painting.hasValues;
    update();
}

void Viewport::setCaption(const QString& left, const QString& right) {
    if (left == left_ && right == right_) return;
    left_ = left;
    right_ = right;
    update();
}

void Viewport::setNotice(const QString& text) {
    if (text == notice_) return;
    notice_ = text;
    update();
}

void Viewport::setOverlay(std::vector<OverlayLine> lines) {
    if (lines.empty() && overlay_.empty()) return;
    overlay_ = std::move(lines);
    update();
}

void Viewport::setWipe(const QImage& image, double at) {
    other_ = image;
    wipe_ = at;
    update();
}

void Viewport::endWipe() {
    other_ = {};
    wipe_ = -1;
    update();
}

bool Viewport::isOnDivider(QPointF at) const {
    return wipe_ >= 0 && std::abs(at.x() - wipe_ * width()) < kDividerReach;
}

void Viewport::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), QColor(0x2b, 0x2f, 0x35));
    if (!image_.isNull()) painter.drawImage(rect(), image_);
    if (wipe_ >= 0 && !other_.isNull()) {
        const double x = wipe_ * width();
        painter.save();
        painter.setClipRect(QRectF(x, 0, width() - x, height()));
        painter.drawImage(rect(), other_);
        painter.restore();
        painter.setPen(QPen(Qt::white, 2));
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    }
    drawOverlay(painter);

    // Text on a dark plate, readable on any image.
    const QRectF inside = QRectF(rect()).adjusted(18, 13, -18, -13);
    const auto write = [&](int flags, const QString& text, QSizeF margin, const QColor& color) {
        if (text.isEmpty()) return;
        painter.setPen(color);  // without a pen, which handles leave, texts have no bounds
        const QRectF words = painter.boundingRect(inside, flags, text);
        QPainterPath plate;
        plate.addRoundedRect(words.adjusted(-margin.width(), -margin.height(), margin.width(), margin.height()), 6, 6);
        painter.fillPath(plate, QColor(20, 22, 25, 170));
        painter.drawText(inside, flags, text);
    };
    write(Qt::AlignLeft | Qt::AlignTop, left_, {9, 5}, ink::kText);
    write(Qt::AlignRight | Qt::AlignTop, right_, {9, 5}, ink::kText);
    if (show_ != Show::look) drawLegend(painter);
    write(Qt::AlignCenter | Qt::TextWordWrap, notice_, {18, 11}, ink::kText);
}

void Viewport::drawOverlay(QPainter& painter) const {
    for (const OverlayLine& line : overlay_) {
        painter.setPen(QPen(line.color, line.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line.points);
        if (!line.tip || line.points.isEmpty()) continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(line.color);
        painter.drawEllipse(line.points.last(), 5, 5);
        painter.setBrush(Qt::NoBrush);
    }
}

void Viewport::drawLegend(QPainter& painter) const {
    const QRectF bar(14, height() - 40, 220, 10);
    const QString title = aboutOf(show_).title;
    painter.setPen(QColor(255, 255, 255, 220));
    if (!hasValues_) {
        painter.drawText(QRectF(14, height() - 34, 500, 18), Qt::AlignLeft, title + ": not available in this frame");
        return;
    }
    QPainterPath plate;
    plate.addRoundedRect(bar.adjusted(-9, -25, 9, 24), 6, 6);
    painter.fillPath(plate, QColor(20, 22, 25, 170));
    constexpr int kSteps = 48;
    std::vector<float> values(kSteps);
    for (int i = 0; i < kSteps; ++i) values[i] = float(i) / (kSteps - 1);
    const std::vector<Vec3> colors = rampColors(values, 0, 1);
    QLinearGradient gradient(bar.left(), 0, bar.right(), 0);
    for (int i = 0; i < kSteps; ++i) {
        const Vec3 c = colors[i];
        const auto byte = [](float x) {
            return static_cast<int>(255 * std::pow(std::min(std::max(x, 0.0f), 1.0f), 1 / 2.2f));
        };
        gradient.setColorAt(double(i) / (kSteps - 1), QColor(byte(c.x), byte(c.y), byte(c.z)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 3, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QColor(255, 255, 255, 220));
    const char* const own = aboutOf(show_).unit;
    const QString unit = *own ? QString(" ") + own : QString();
    painter.drawText(QRectF(bar.left(), bar.top() - 20, bar.width(), 16), Qt::AlignLeft, title);
    const QRectF below(bar.left(), bar.bottom() + 3, bar.width(), 16);
    painter.drawText(below, Qt::AlignLeft, QString::number(double(low_), 'g', 3));
    painter.drawText(below, Qt::AlignRight, QString::number(double(high_), 'g', 3) + unit);
}

void Viewport::resizeEvent(QResizeEvent*) {
    if (onResize) onResize();
}

void Viewport::mousePressEvent(QMouseEvent* event) {
    last_ = pressed_ = event->pos();
    const bool plain = event->button() == Qt::LeftButton && !(event->modifiers() & Qt::AltModifier);
    if (plain && isOnDivider(event->pos()))
        gesture_ = Gesture::wipe;
    else if (plain && onGrab && onGrab(event->pos()))
        gesture_ = Gesture::handle;
    else
        gesture_ = plain ? Gesture::click : Gesture::camera;
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture gesture = std::exchange(gesture_, Gesture::none);
    unsetCursor();
    if (gesture == Gesture::handle && onDrag) onDrag(event->pos(), true);
    if (gesture == Gesture::click && onClick) onClick(event->pos());
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
    if (gesture_ == Gesture::none) {
        const bool handle = onHover && onHover(event->pos());
        setCursor(isOnDivider(event->pos()) ? Qt::SplitHCursor : handle ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    if (gesture_ == Gesture::wipe) {
        wipe_ = std::clamp(event->pos().x() / double(std::max(1, width())), 0.0, 1.0);
        if (onWipe) onWipe(wipe_);
        update();
        return;
    }
    if (gesture_ == Gesture::handle) {
        if (onDrag) onDrag(event->pos(), false);
        return;
    }
    if (gesture_ == Gesture::click) {
        if ((event->pos() - pressed_).manhattanLength() < kClickPixels) return;
        gesture_ = Gesture::camera;
    }
    setCursor(Qt::ClosedHandCursor);
    const QPoint moved = event->pos() - last_;
    last_ = event->pos();
    const float dx = static_cast<float>(moved.x()), dy = static_cast<float>(moved.y());
    const float tall = static_cast<float>(std::max(1, height()));
    if ((event->buttons() & Qt::LeftButton) && onTurn) onTurn(-kRadiansPerPixel * dx, kRadiansPerPixel * dy);
    if ((event->buttons() & Qt::MiddleButton) && onPan) onPan(dx / tall, -dy / tall);
    // As in Maya: dragging right or up moves closer.
    if ((event->buttons() & Qt::RightButton) && onZoom) onZoom(std::exp(-0.006f * (dx - dy)));
}

void Viewport::wheelEvent(QWheelEvent* event) {
    if (onZoom) onZoom(std::exp(-0.0012f * static_cast<float>(event->angleDelta().y())));
}

}  // namespace purl

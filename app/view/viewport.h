// Viewport: shows the latest image with captions, guides and handles over it, and turns mouse input into camera moves,
// clicks and drags of handles.
#pragma once
#include <QImage>
#include <QWidget>

#include <functional>
#include <vector>

#include "app/view/painter.h"

namespace purl {

// A polyline over the image, in widget coordinates; `tip`: ends in a filled dot.
struct OverlayLine {
    QPolygonF points;
    QColor color;
    double width = 1.4;
    bool tip = false;
};

class Viewport : public QWidget {
  public:
    explicit Viewport(QWidget* parent = nullptr);

    void show(const Painting& painting);
    void setCaption(const QString& left, const QString& right);
    // Message in the centre; empty: none.
    void setNotice(const QString& text);
    void setOverlay(std::vector<OverlayLine> lines);
    const std::vector<OverlayLine>& overlay() const { return overlay_; }
    // Another image over the right part of this one, from the fraction `at` of the width on.
    void setWipe(const QImage& image, double at);
    void endWipe();
    double wipe() const { return wipe_; }  // negative: off
    const QImage& image() const { return image_; }

    // Drags with the left, middle and right button, with or without Alt: tumble (radians), pan (fractions of the
    // height), zoom.
    std::function<void(float around, float up)> onTurn;
    std::function<void(float right, float up)> onPan;
    std::function<void(float factor)> onZoom;
    std::function<void()> onResize;
    // A click without a drag.
    std::function<void(QPointF at)> onClick;
    // Drag of a handle: `onGrab` says whether there is one, then `onDrag` is called until `last`.
    std::function<bool(QPointF at)> onGrab;
    std::function<void(QPointF at, bool last)> onDrag;
    std::function<bool(QPointF at)> onHover;  // whether a handle is there
    std::function<void(double at)> onWipe;    // the divider was dragged

  protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    enum class Gesture { none, click, camera, handle, wipe };
    void drawLegend(QPainter& painter) const;
    void drawOverlay(QPainter& painter) const;
    bool isOnDivider(QPointF at) const;

    QImage image_, other_;
    QString left_, right_, notice_;
    QPoint last_, pressed_;
    Gesture gesture_ = Gesture::none;
    double wipe_ = -1;
    std::vector<OverlayLine> overlay_;
    Show show_ = Show::look;
    float low_ = 0, high_ = 0;
    bool hasValues_ = true;
};

}  // namespace purl

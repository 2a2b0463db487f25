// Viewport: shows the latest image with captions, and turns mouse drags into camera moves.
#pragma once
#include <QImage>
#include <QWidget>

#include <functional>

#include "app/view/painter.h"

namespace purl {

class Viewport : public QWidget {
  public:
    explicit Viewport(QWidget* parent = nullptr);

    void show(const Painting& painting);
    void setCaption(const QString& left, const QString& right);
    // Message in the centre; empty: none.
    void setNotice(const QString& text);
    const QImage& image() const { return image_; }

    // Drags with the left, middle and right button, with or without Alt: tumble (radians), pan (fractions of the
    // height), zoom.
    std::function<void(float around, float up)> onTurn;
    std::function<void(float right, float up)> onPan;
    std::function<void(float factor)> onZoom;
    std::function<void()> onResize;

  protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void drawLegend(QPainter& painter) const;

    QImage image_;
    Show show_ = Show::look;
    float low_ = 0, high_ = 1;
    bool hasValues_ = true;
    QString left_, right_, notice_;
    QPoint last_;
};

}  // namespace purl

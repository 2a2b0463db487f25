// KeysOverlay: all keys and mouse gestures over the window; a click or any key hides it.
#pragma once
#include <QWidget>

namespace purl {

class KeysOverlay : public QWidget {
  public:
    explicit KeysOverlay(QWidget* over);
    void toggle();

  protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override { hide(); }
    void keyPressEvent(QKeyEvent*) override { hide(); }
};

}  // namespace purl

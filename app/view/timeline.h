// Timeline: shows the available frames and the current one; dragging scrubs.
#pragma once
#include <QWidget>

#include <functional>
#include <vector>

#include "nodes/scenePlayer.h"
#include "panel/model.h"

namespace purl {

class Timeline : public QWidget {
  public:
    explicit Timeline(QWidget* parent = nullptr);

    void show(const PanelState& state, int frame, const FrameRange& played);
    std::function<void(int frame)> onScrub;
    std::function<void(int first, int last)> onRange;  // dragged with Shift

    QSize sizeHint() const override { return {600, 40}; }

  protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    double frameX(double frame) const;
    int frameAt(int x) const;
    void scrub(const QMouseEvent& event);

    FrameRange played_;
    int rangeFrom_ = 1;  // where a drag with Shift began
    int first_ = 1, last_ = 1, frame_ = 1;
    std::vector<PanelFrame> frames_;
};

}  // namespace purl

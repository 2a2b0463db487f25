// Live plots of per-frame statistics and phase timings.
#pragma once
#include <QScrollArea>
#include <QWidget>

#include <vector>

#include "panel/model.h"

namespace purl {

// One quantity over the frames, with its latest value and a marker at the current frame.
class Plot : public QWidget {
  public:
    using Field = double PanelSample::*;

    Plot(const char* title, const char* unit, Field field, QColor color, QWidget* parent = nullptr);
    void show(const PanelState& state, int frame);
    bool hasData() const { return hasData_; }

    QSize sizeHint() const override { return {280, 92}; }

  protected:
    void paintEvent(QPaintEvent*) override;

  private:
    QString title_, unit_;
    Field field_;
    QColor color_;
    std::vector<PanelSample> samples_;
    int first_ = 1, last_ = 1, frame_ = 1;
    bool hasData_ = false;
};

// Bar chart of the phase timings of the last frame.
class PhaseBars : public QWidget {
  public:
    explicit PhaseBars(QWidget* parent = nullptr);
    void show(const PanelState& state);

  protected:
    void paintEvent(QPaintEvent*) override;

  private:
    std::vector<PanelPhase> phases_;
    double total_ = 0, memory_ = 0;
};

// All plots; those without data are hidden.
class Plots : public QScrollArea {
  public:
    explicit Plots(QWidget* parent = nullptr);
    void show(const PanelState& state, int frame);

  private:
    std::vector<Plot*> plots_;
    PhaseBars* phases_;
};

}  // namespace purl

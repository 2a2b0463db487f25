#include "panel/plots.h"

#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "panel/style.h"

namespace purl {
namespace {

QString rounded(double value) {
    const double size = std::abs(value);
    return QString::number(value, 'f', size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}

QFont smaller(QFont font) {
    font.setPixelSize(11);
    return font;
}

// Rounds up to 1, 2 or 5 times a power of ten.
double roundUp(double value) {
    if (!(value > 0)) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (value <= step * power * (1 + 1e-9)) return step * power;
    return 10 * power;
}

}  // namespace

Plot::Plot(const char* title, const char* unit, Field field, QColor color, QWidget* parent)
    : QWidget(parent), title_(title), unit_(unit), field_(field), color_(color) {
    setMinimumHeight(92);
}

void Plot::show(const PanelState& state, int frame) {
    samples_ = state.samples;
    // Fit the range to the available samples, so that the first few are visible too.
    constexpr int kMinFrames = 12;
    first_ = state.firstFrame;
    last_ = std::min(std::max(state.lastFrame, first_ + 1), first_ + kMinFrames);
    if (!samples_.empty()) last_ = std::max(last_, samples_.back().frame);
    frame_ = frame;
    hasData_ = std::any_of(samples_.begin(), samples_.end(), [&](const auto& s) { return s.*field_ != 0; });
    update();
}

void Plot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smaller(font()));
    const QRectF area = QRectF(rect()).adjusted(10, 26, -10, -8);
    painter.fillRect(area, ink::kField);

    double highest = 0, lowest = 0;
    const PanelSample* now = nullptr;
    for (const PanelSample& sample : samples_) {
        highest = std::max(highest, sample.*field_);
        lowest = std::min(lowest, sample.*field_);
        if (sample.frame <= frame_) now = &sample;
    }
    const double top = roundUp(highest), bottom = lowest < 0 ? -roundUp(-lowest) : 0;
    const auto toPixel = [&](double frame, double value) {
        return QPointF(area.left() + (frame - first_) / (last_ - first_) * area.width(),
                       area.bottom() - 2 - (value - bottom) / (top - bottom) * (area.height() - 6));
    };
    painter.setPen(ink::kQuiet);
    painter.drawText(QRectF(10, 6, width() - 20, 16), Qt::AlignLeft | Qt::AlignVCenter, title_);
    if (now) {
        painter.setPen(color_);
        painter.drawText(QRectF(10, 6, width() - 20, 16), Qt::AlignRight | Qt::AlignVCenter,
                         rounded(now->*field_) + " " + unit_);
    }
    painter.setPen(ink::kFaint);
    // Keep clear of the frame marker.
    const bool early = frame_ < (first_ + last_) / 2;
    painter.drawText(area.adjusted(4, 1, -4, 0), (early ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop, rounded(top));
    painter.setPen(QPen(ink::kLine, 1, Qt::DotLine));
    painter.drawLine(toPixel(first_, (top + bottom) / 2), toPixel(last_, (top + bottom) / 2));
    const QPointF cursor = toPixel(std::min(frame_, last_), bottom);
    painter.setPen(QPen(ink::kFaint, 1));
    painter.drawLine(QPointF(cursor.x(), area.top()), QPointF(cursor.x(), area.bottom()));
    if (samples_.empty()) return;
    QPainterPath line;
    int before = first_ - 2;
    for (const PanelSample& sample : samples_) {
        const QPointF point = toPixel(sample.frame, sample.*field_);
        if (sample.frame > before + 1)
            line.moveTo(point);
        else
            line.lineTo(point);
        before = sample.frame;
    }
    QPainterPath fill = line;
    fill.lineTo(toPixel(before, bottom));
    fill.lineTo(toPixel(samples_.front().frame, bottom));
    QColor wash = color_;
    wash.setAlpha(40);
    painter.fillPath(fill, wash);
    painter.setPen(QPen(color_, 1.6));
    painter.drawPath(line);
    if (now) {
        painter.setBrush(color_);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(toPixel(now->frame, now->*field_), 2.6, 2.6);
    }
}

PhaseBars::PhaseBars(QWidget* parent) : QWidget(parent) { setMinimumHeight(60); }

void PhaseBars::show(const PanelState& state) {
    phases_ = state.phases;
    memory_ = state.memory;
    total_ = 0;
    for (const PanelPhase& phase : phases_) total_ += phase.milliseconds;
    std::stable_sort(phases_.begin(), phases_.end(),
                     [](const auto& a, const auto& b) { return a.milliseconds > b.milliseconds; });
    if (phases_.size() > 9) phases_.resize(9);
    setMinimumHeight(44 + 18 * static_cast<int>(phases_.size()));
    update();
}

void PhaseBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smaller(font()));
    painter.setPen(ink::kQuiet);
    const QRectF head(10, 6, width() - 20, 16);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, "Time in the last frame");
    painter.setPen(ink::kText);
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, rounded(total_) + " ms   " + rounded(memory_) + " MB");
    double y = 28;
    const double most = phases_.empty() ? 1 : std::max(phases_.front().milliseconds, 1e-9);
    for (const PanelPhase& phase : phases_) {
        const QRectF row(10, y, width() - 20, 16);
        const double left = 128, room = row.width() - left - 52;
        painter.setPen(ink::kText);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(displayName(phase.name)));
        painter.fillRect(QRectF(row.left() + left, y + 4, room, 8), ink::kField);
        painter.fillRect(QRectF(row.left() + left, y + 4, room * phase.milliseconds / most, 8), ink::kAccent);
        painter.setPen(ink::kQuiet);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, rounded(phase.milliseconds));
        y += 18;
    }
}

Plots::Plots(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 8);
    column->setSpacing(2);
    phases_ = new PhaseBars;
    column->addWidget(phases_);
    plots_ = {new Plot("Time per frame", "ms", &PanelSample::milliseconds, ink::kAccent),
              new Plot("Particles", "", &PanelSample::particles, QColor(0x58, 0xa9, 0xdb)),
              new Plot("Density error", "%", &PanelSample::densityError, ink::kWarm),
              new Plot("Surface volume", "%", &PanelSample::volumeRatio, ink::kGood),
              new Plot("Water", "kg", &PanelSample::waterMass, QColor(0x6f, 0xc7, 0xd6)),
              new Plot("Mass error", "%", &PanelSample::massError, ink::kBad),
              new Plot("Maximum strain", "%", &PanelSample::maxStrain, QColor(0xd9, 0x7a, 0x6c)),
              new Plot("Fabric wetness", "%", &PanelSample::wetness, QColor(0xd6, 0xa8, 0x5c)),
              new Plot("Maximum speed", "m/s", &PanelSample::maxSpeed, QColor(0xa7, 0x8b, 0xd0))};
    for (Plot* plot : plots_) column->addWidget(plot);
    column->addStretch(1);
    setWidget(page);
}

void Plots::show(const PanelState& state, int frame) {
    phases_->show(state);
    phases_->setVisible(!state.phases.empty());
    for (Plot* plot : plots_) {
        plot->show(state, frame);
        plot->setVisible(plot->hasData());
    }
}

}  // namespace purl

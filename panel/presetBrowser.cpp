#include "panel/presetBrowser.h"

#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <cmath>

#include "panel/style.h"

namespace purl {
namespace {

constexpr int kSwatch = 84;

struct Look {
    const char* preset;
    QColor color;
    double scale;  // weaves and stitches: size in pixels; liquids: apparent thickness
};
const Look kLooks[] = {
    {"purlWater", QColor(0x3f, 0x93, 0xc6), 0},
    {"water", QColor(0x4b, 0xa0, 0xd2), 0},
    {"nearIncompressibleWater", QColor(0x2f, 0x7f, 0xb4), 0},
    {"mucus", QColor(0x9b, 0xb8, 0x55), 1},
    {"steam", QColor(0xc4, 0xcb, 0xd2), 0},
    {"honey", QColor(0xe0, 0x9a, 0x2b), 1},
    {"lava", QColor(0xe2, 0x55, 0x25), 1},
    {"milk", QColor(0xf0, 0xec, 0xe2), 0},
    {"oil", QColor(0xc9, 0xb0, 0x3c), 0},
    {"cornstarch", QColor(0xe8, 0xdc, 0xbd), 1},
    {"silk", QColor(0xd9, 0xb9, 0xc4), 3},
    {"cotton", QColor(0xd8, 0xd4, 0xc8), 5},
    {"wool", QColor(0x8e, 0x7a, 0x66), 9},
    {"denim", QColor(0x3b, 0x57, 0x82), 6},
    {"leather", QColor(0x7a, 0x4c, 0x31), 0},
    {"rubber", QColor(0x3d, 0x40, 0x45), 0},
    {"fineMerino", QColor(0xa9, 0xb7, 0xc6), 7},
    {"worsted", QColor(0xb8, 0x6b, 0x55), 12},
    {"chunky", QColor(0x6f, 0x8f, 0x7d), 20},
    {"cottonJersey", QColor(0xe3, 0xdf, 0xd3), 6},
    {"acrylic", QColor(0xcf, 0x7f, 0xa0), 11},
    {"mohair", QColor(0xc9, 0xb2, 0xd8), 10},
};

Look lookOf(const std::string& preset, PanelKind kind) {
    for (const Look& look : kLooks)
        if (preset == look.preset) return look;
    return {"", colorOf(kind), 8};
}

void drawDrop(QPainter& p, double size, const Look& look) {
    QPainterPath drop(QPointF(0.5 * size, 0.12 * size));
    drop.cubicTo(0.56 * size, 0.34 * size, 0.82 * size, 0.46 * size, 0.82 * size, 0.64 * size);
    drop.cubicTo(0.82 * size, 0.98 * size, 0.18 * size, 0.98 * size, 0.18 * size, 0.64 * size);
    drop.cubicTo(0.18 * size, 0.46 * size, 0.44 * size, 0.34 * size, 0.5 * size, 0.12 * size);
    QRadialGradient body(QPointF(0.42 * size, 0.5 * size), 0.55 * size);
    body.setColorAt(0, look.color.lighter(135));
    body.setColorAt(1, look.scale > 0 ? look.color.darker(120) : look.color.darker(165));
    p.fillPath(drop, body);
    QRadialGradient shine(QPointF(0.36 * size, 0.52 * size), 0.14 * size);
    shine.setColorAt(0, QColor(255, 255, 255, 190));
    shine.setColorAt(1, QColor(255, 255, 255, 0));
    p.fillRect(QRectF(0, 0, size, size), shine);
}

void drawWeave(QPainter& p, double size, const Look& look) {
    p.fillRect(QRectF(0, 0, size, size), look.color);
    if (look.scale > 0) {
        const double step = look.scale;
        int row = 0;
        for (double y = 0; y < size; y += step, ++row)
            for (double x = (row % 2) * step; x < size; x += 2 * step) {
                p.fillRect(QRectF(x, y, step, step), look.color.darker(122));
                p.fillRect(QRectF(x, y, step, 1), look.color.darker(150));
            }
    }
    // A fold.
    QLinearGradient fold(0, 0, size, 0.35 * size);
    fold.setColorAt(0.0, QColor(0, 0, 0, 60));
    fold.setColorAt(0.3, QColor(255, 255, 255, 62));
    fold.setColorAt(0.55, QColor(0, 0, 0, 88));
    fold.setColorAt(0.8, QColor(255, 255, 255, 40));
    fold.setColorAt(1.0, QColor(0, 0, 0, 70));
    p.fillRect(QRectF(0, 0, size, size), fold);
}

// Stockinette: columns of V-shaped stitches.
void drawStitches(QPainter& p, double size, const Look& look) {
    p.fillRect(QRectF(0, 0, size, size), look.color.darker(210));
    const double width = look.scale * 1.25, height = look.scale;
    for (double y = -height; y < size + height; y += height * 0.82)
        for (double x = 0; x < size; x += width)
            for (const double side : {-1.0, 1.0}) {
                QPainterPath leg(QPointF(x + width * (0.5 + side * 0.03), y + height * 1.05));
                leg.cubicTo(x + width * (0.5 + side * 0.2), y + height * 0.8, x + width * (0.5 + side * 0.46),
                            y + height * 0.35, x + width * (0.5 + side * 0.40), y + height * 0.05);
                p.strokePath(leg, QPen(look.color.darker(125), width * 0.36, Qt::SolidLine, Qt::RoundCap));
                p.strokePath(leg, QPen(look.color.lighter(106), width * 0.22, Qt::SolidLine, Qt::RoundCap));
            }
}

}  // namespace

QPixmap swatchOf(PanelKind kind, const std::string& preset, int size) {
    constexpr double kScale = 2;  // for high-DPI screens
    QPixmap pixmap(static_cast<int>(size * kScale), static_cast<int>(size * kScale));
    pixmap.setDevicePixelRatio(kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath frame;
    frame.addRoundedRect(QRectF(1, 1, size - 2, size - 2), 6, 6);
    painter.setClipPath(frame);
    painter.fillRect(QRectF(0, 0, size, size), ink::kField);
    const Look look = lookOf(preset, kind);
    if (preset == "custom") {
        painter.setPen(QPen(ink::kFaint, 2, Qt::DashLine));
        painter.drawRoundedRect(QRectF(14, 14, size - 28, size - 28), 5, 5);
    } else if (kind == PanelKind::knit) {
        drawStitches(painter, size, look);
    } else if (kind == PanelKind::cloth) {
        drawWeave(painter, size, look);
    } else {
        drawDrop(painter, size, look);
    }
    return pixmap;
}

PresetBrowser::PresetBrowser(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 4, 0);
    title_ = new QLabel;
    title_->setObjectName("quiet");
    title_->setWordWrap(true);
    list_ = new QListWidget;
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setViewMode(QListView::IconMode);
    list_->setIconSize({kSwatch, kSwatch});
    list_->setGridSize({kSwatch + 26, kSwatch + 48});
    list_->setStyleSheet("font-size: 11px");
    list_->setResizeMode(QListView::Adjust);
    list_->setMovement(QListView::Static);
    list_->setWordWrap(true);
    column->addWidget(title_);
    column->addWidget(list_, 1);
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        if (onPick) onPick(item->data(Qt::UserRole).toString().toStdString());
    });
}

void PresetBrowser::show(const PanelState& state, const std::string& name) {
    const PanelNode* node = nullptr;
    for (const PanelNode& each : *state.nodes)
        if (each.name == name) node = &each;
    const PanelAttribute* presets = node ? node->find("preset") : nullptr;
    const std::string key = name + "=" + (presets ? presets->value : "") + (state.editable ? "" : "!");
    if (key == shown_) return;
    shown_ = key;
    list_->clear();
    list_->setEnabled(state.editable);
    if (!presets) {
        title_->setText("Select a fluid, cloth, knit or soft body to see its presets.");
        return;
    }
    title_->setText(
        QString::fromStdString("Material of " + name + ". Custom uses the values of its settings, a preset its own."));
    for (const std::string& choice : presets->choices) {
        const QPixmap swatch = swatchOf(node->kind, choice, kSwatch);
        QIcon icon(swatch);
        icon.addPixmap(swatch, QIcon::Selected);  // keeps Qt from tinting it
        auto* item = new QListWidgetItem(icon, QString::fromStdString(displayName(choice)), list_);
        item->setData(Qt::UserRole, QString::fromStdString(choice));
        item->setTextAlignment(Qt::AlignHCenter | Qt::AlignTop);
        if (choice == presets->value) list_->setCurrentItem(item);
    }
}

}  // namespace purl

#include "panel/style.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

// In a static library nobody else would; must stand outside of any namespace.
static void takeImages() { Q_INIT_RESOURCE(panel); }

namespace purl {
namespace {

// Drawn at twice the size, for high-DPI screens.
constexpr int kIconSize = 18, kIconScale = 2;

template <class Draw>
QIcon drawn(const Draw& draw) {
    QPixmap pixmap(kIconSize * kIconScale, kIconSize * kIconScale);
    pixmap.setDevicePixelRatio(kIconScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter);
    painter.end();
    return QIcon(pixmap);
}

QPolygonF triangle(double x, double width, double height) {
    const double middle = kIconSize / 2.0;
    return QPolygonF({{x, middle - height / 2}, {x + width, middle}, {x, middle + height / 2}});
}

}  // namespace

QString styleSheet() {
    takeImages();
    QString sheet = R"(
* { font-family: "Inter", "Noto Sans", "Segoe UI", "DejaVu Sans", sans-serif; font-size: 12px; color: @text; }
QMainWindow, QDialog, QWidget#window { background: @window; }
QWidget#panel, QScrollArea, QScrollArea > QWidget > QWidget, QStackedWidget { background: @panel; }
QToolTip { background: @field; color: @text; border: 1px solid @line; padding: 5px; }
QTreeWidget, QListWidget, QPlainTextEdit { background: @panel; border: none; outline: none; }
QTreeWidget::item, QListWidget::item { padding: 3px 2px; }
QTreeWidget::item:hover, QListWidget::item:hover { background: #33363b; }
QTreeWidget::item:selected, QListWidget::item:selected { background: #37515f; color: #ffffff; }
QHeaderView::section { background: @panel; color: @quiet; border: none; padding: 4px; }
QLineEdit, QComboBox, QAbstractSpinBox, QPlainTextEdit#field { background: @field; border: 1px solid @line; border-radius: 3px; padding: 2px 5px;
    min-height: 18px; selection-background-color: @accent; }
QLineEdit:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QComboBox:disabled { color: @faint; border-color: #313439; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url(:/purl/down.png); width: 9px; height: 9px; margin-right: 6px; }
QComboBox QAbstractItemView { background: @field; border: 1px solid @line; selection-background-color: #37515f; }
QPushButton, QToolButton { background: #383b41; border: 1px solid #44474e; border-radius: 4px; padding: 4px 10px; }
QPushButton:hover, QToolButton:hover { background: #42464d; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: #2f5566; border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @faint; background: #2f3136; border-color: #383b40; }
QToolButton#flat { background: transparent; border: none; padding: 3px; }
QToolButton#flat:hover { background: #3a3d43; }
QToolButton#section { background: transparent; border: none; border-bottom: 1px solid @line; border-radius: 0;
    font-weight: 600; padding: 7px 4px 5px 2px; text-align: left; }
QToolButton#section:hover { color: #ffffff; }
QTabWidget::pane { border: none; }
QTabBar { background: @panel; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @quiet; padding: 7px 11px 6px 11px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: #ffffff; border-bottom: 2px solid @accent; }
QSlider::groove:horizontal { height: 3px; background: @line; border-radius: 1px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 1px; }
QSlider::sub-page:horizontal:disabled { background: @faint; }
QSlider::handle:horizontal { width: 11px; height: 11px; margin: -4px 0; border-radius: 5px; background: #c9ced4; }
QSlider::handle:horizontal:hover { background: #ffffff; }
QSlider::handle:horizontal:disabled { background: @faint; }
QCheckBox::indicator { width: 13px; height: 13px; border: 1px solid @faint; border-radius: 3px; background: @field; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/purl/check.png); }
QProgressBar { background: @field; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar::handle:vertical { background: #45494f; border-radius: 4px; min-height: 28px; }
QScrollBar::handle:vertical:hover { background: #575c64; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle:horizontal { background: #45494f; border-radius: 4px; min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; border: none;
    width: 0; height: 0; }
QSplitter::handle { background: #1b1c1f; }
QSplitter::handle:horizontal { width: 3px; } QSplitter::handle:vertical { height: 3px; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { background: transparent; padding: 4px 9px; border-radius: 3px; }
QMenuBar::item:selected { background: #3a3d43; }
QMenu { background: @field; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 4px 26px 4px 20px; border-radius: 3px; }
QMenu::item:selected { background: #37515f; }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }
QFrame#sheet { background: @panel; border: 1px solid @line; border-radius: 8px; }
QLabel#quiet { color: @quiet; } QLabel#title { font-size: 13px; font-weight: 600; }
QLabel#changed { color: #ffffff; }
QStatusBar { background: @window; color: @quiet; } QStatusBar::item { border: none; }
)";
    const std::pair<const char*, QColor> names[] = {
        {"@window", ink::kWindow}, {"@panel", ink::kPanel}, {"@field", ink::kField}, {"@line", ink::kLine},
        {"@text", ink::kText},     {"@quiet", ink::kQuiet}, {"@faint", ink::kFaint}, {"@accent", ink::kAccent},
    };
    for (const auto& name : names) sheet.replace(QLatin1String(name.first), name.second.name());
    return sheet;
}

QColor colorOf(PanelKind kind) {
    switch (kind) {
        case PanelKind::solver: return QColor(0xc8, 0xcc, 0xd2);
        case PanelKind::fluid: return QColor(0x58, 0xa9, 0xdb);
        case PanelKind::emitter: return QColor(0x6f, 0xc7, 0xd6);
        case PanelKind::cloth: return QColor(0xd9, 0x7a, 0x6c);
        case PanelKind::knit: return QColor(0xd6, 0xa8, 0x5c);
        case PanelKind::softBody: return QColor(0xa7, 0x8b, 0xd0);
        case PanelKind::collider: return QColor(0x97, 0x9d, 0xa6);
        case PanelKind::field: return QColor(0x79, 0xbb, 0x7f);
        case PanelKind::output: return QColor(0x7d, 0x83, 0x8c);
    }
    return ink::kQuiet;
}

QColor colorOf(PanelSeverity severity) {
    return severity == PanelSeverity::error ? ink::kBad : severity == PanelSeverity::warning ? ink::kWarm : ink::kQuiet;
}

QIcon iconOf(PanelKind kind) {
    return drawn([kind](QPainter& p) {
        const QColor color = colorOf(kind);
        p.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        switch (kind) {
            case PanelKind::solver:
                p.drawEllipse(QRectF(3.5, 3.5, 11, 11));
                p.drawLine(QPointF(9, 6), QPointF(9, 9));
                p.drawLine(QPointF(9, 9), QPointF(11.5, 10.5));
                break;
            case PanelKind::fluid: {
                QPainterPath drop(QPointF(9, 2.5));
                drop.cubicTo(10, 6, 14, 8, 14, 11);
                drop.cubicTo(14, 17, 4, 17, 4, 11);
                drop.cubicTo(4, 8, 8, 6, 9, 2.5);
                p.fillPath(drop, color);
                break;
            }
            case PanelKind::emitter:
                for (const double x : {5.0, 9.0, 13.0}) p.drawLine(QPointF(9, 4), QPointF(x, 13));
                p.setBrush(color);
                p.drawEllipse(QPointF(9, 4), 1.6, 1.6);
                break;
            case PanelKind::cloth: {
                QPainterPath sheet(QPointF(3, 5));
                sheet.cubicTo(7, 2, 11, 8, 15, 5);
                sheet.lineTo(15, 13);
                sheet.cubicTo(11, 16, 7, 10, 3, 13);
                sheet.closeSubpath();
                p.fillPath(sheet, color);
                break;
            }
            case PanelKind::knit:
                for (const double x : {4.0, 9.0}) {
                    QPainterPath loop(QPointF(x, 14.5));
                    loop.cubicTo(x + 4, 10, x - 1, 4, x + 2.5, 4);
                    loop.cubicTo(x + 6, 4, x + 1, 10, x + 5, 14.5);
                    p.drawPath(loop);
                }
                break;
            case PanelKind::softBody:
                p.setBrush(color);
                p.drawRoundedRect(QRectF(3.5, 4, 11, 10.5), 5, 4.5);
                break;
            case PanelKind::collider:
                p.drawPolygon(QPolygonF({{9, 2.5}, {15, 6}, {15, 12}, {9, 15.5}, {3, 12}, {3, 6}}));
                p.drawPolyline(QPolygonF({{3, 6}, {9, 9}, {15, 6}}));
                p.drawLine(QPointF(9, 9), QPointF(9, 15.5));
                break;
            case PanelKind::field:
                for (const double y : {5.0, 9.0, 13.0}) {
                    p.drawLine(QPointF(3, y), QPointF(14, y));
                    p.drawPolyline(QPolygonF({{12, y - 2}, {14.5, y}, {12, y + 2}}));
                }
                break;
            case PanelKind::output:
                p.drawRect(QRectF(3.5, 4.5, 11, 9));
                p.drawLine(QPointF(6.5, 9), QPointF(11.5, 9));
                break;
        }
    });
}

QIcon iconOf(Glyph glyph) {
    return drawn([glyph](QPainter& p) {
        p.setPen(QPen(ink::kText, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        p.setBrush(ink::kText);
        switch (glyph) {
            case Glyph::play: p.drawPolygon(triangle(6, 8, 9)); break;
            case Glyph::pause:
                p.drawRect(QRectF(5, 4.5, 2.4, 9));
                p.drawRect(QRectF(10.6, 4.5, 2.4, 9));
                break;
            case Glyph::toStart:
                p.drawPolygon(triangle(13, -7, 8));
                p.drawLine(QPointF(4.5, 5), QPointF(4.5, 13));
                break;
            case Glyph::toEnd:
                p.drawPolygon(triangle(5, 7, 8));
                p.drawLine(QPointF(13.5, 5), QPointF(13.5, 13));
                break;
            case Glyph::stepBack: p.drawPolygon(triangle(11.5, -5, 6)); break;
            case Glyph::stepOn: p.drawPolygon(triangle(6.5, 5, 6)); break;
            case Glyph::cache:
                p.setBrush(Qt::NoBrush);
                p.drawEllipse(QRectF(4, 3, 10, 4));
                p.drawLine(QPointF(4, 5), QPointF(4, 13));
                p.drawLine(QPointF(14, 5), QPointF(14, 13));
                p.drawArc(QRectF(4, 11, 10, 4), 180 * 16, 180 * 16);
                p.drawArc(QRectF(4, 7, 10, 4), 180 * 16, 180 * 16);
                break;
            case Glyph::stop: p.drawRoundedRect(QRectF(5, 5, 8, 8), 1, 1); break;
            case Glyph::restart:
                p.setBrush(Qt::NoBrush);
                p.drawArc(QRectF(4, 4, 10, 10), 60 * 16, 290 * 16);
                p.setBrush(ink::kText);
                p.drawPolygon(QPolygonF({{9.5, 1.8}, {13.5, 4.2}, {9.5, 6.8}}));
                break;
            case Glyph::frameAll:
                for (const double x : {4.0, 14.0})
                    for (const double y : {4.0, 14.0}) {
                        const double dx = x < 9 ? 3.5 : -3.5, dy = y < 9 ? 3.5 : -3.5;
                        p.drawLine(QPointF(x, y), QPointF(x + dx, y));
                        p.drawLine(QPointF(x, y), QPointF(x, y + dy));
                    }
                break;
            case Glyph::camera:
                p.setBrush(Qt::NoBrush);
                p.drawRoundedRect(QRectF(2.5, 5.5, 9, 7), 1, 1);
                p.drawPolygon(QPolygonF({{11.5, 8.5}, {15.5, 6}, {15.5, 12}, {11.5, 9.5}}));
                break;
        }
    });
}

}  // namespace purl

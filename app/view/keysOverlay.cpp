#include "app/view/keysOverlay.h"

#include <QPainter>
#include <string>
#include <utility>
#include <vector>

#include "app/view/actions.h"
#include "panel/style.h"

namespace purl {

KeysOverlay::KeysOverlay(QWidget* over) : QWidget(over) {
    setFocusPolicy(Qt::StrongFocus);
    hide();
}

void KeysOverlay::toggle() {
    if (isVisible()) return hide();
    setGeometry(parentWidget()->rect());
    raise();
    show();
    setFocus();
}

void KeysOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), QColor(12, 13, 15, 215));
    std::vector<std::pair<QString, QString>> rows;
    QString menu;
    for (const ActionAbout& action : windowActions()) {
        if (!*action.keys) continue;
        if (menu != action.menu) {
            menu = action.menu;
            rows.emplace_back(QString(), menu);
        }
        rows.emplace_back(action.keys, action.help);
    }
    rows.emplace_back(QString(), "Mouse");
    for (const MouseAbout& mouse : mouseGestures()) rows.emplace_back(mouse.gesture, mouse.help);
    // Two columns of rows, as wide as the window allows.
    constexpr int kMargin = 36, kKeys = 118, kRow = 25;
    const int columns = 2, width = (this->width() - 2 * kMargin) / columns;
    const int each = (int(rows.size()) + columns - 1) / columns;
    const int row = std::min(kRow, (height() - 2 * kMargin) / std::max(1, each));
    for (int i = 0; i < int(rows.size()); ++i) {
        const int x = kMargin + (i / each) * width, y = kMargin + (i % each) * row;
        const auto& [keys, help] = rows[size_t(i)];
        QFont font = this->font();
        font.setBold(keys.isEmpty());
        painter.setFont(font);
        if (keys.isEmpty()) {
            painter.setPen(ink::kAccent);
            painter.drawText(QRect(x, y, width, row), Qt::AlignLeft | Qt::AlignVCenter, help);
            continue;
        }
        const bool isLong = painter.fontMetrics().horizontalAdvance(keys) > kKeys - 8;
        painter.setPen(Qt::white);
        painter.drawText(QRect(x, y, isLong ? width : kKeys, row), Qt::AlignLeft | Qt::AlignVCenter, keys);
        const int from = isLong ? painter.fontMetrics().horizontalAdvance(keys) + 14 : kKeys;
        painter.setPen(ink::kText);
        painter.drawText(QRect(x + from, y, width - from - 20, row), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(help, Qt::ElideRight, width - from - 20));
    }
}

}  // namespace purl

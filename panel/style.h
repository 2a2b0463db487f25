// Colours, style sheet and icons of the panel and the window. In Maya only the colours of custom-drawn widgets are
// used; Maya styles the others.
#pragma once
#include <QColor>
#include <QIcon>
#include <QString>

#include "panel/model.h"

namespace purl {

namespace ink {
const QColor kWindow(0x23, 0x25, 0x28), kPanel(0x2b, 0x2d, 0x31), kField(0x1d, 0x1f, 0x22), kLine(0x3b, 0x3e, 0x44);
const QColor kText(0xd8, 0xda, 0xdd), kQuiet(0x93, 0x98, 0xa1), kFaint(0x5d, 0x62, 0x6b);
const QColor kAccent(0x4f, 0xa3, 0xc7), kWarm(0xd9, 0x9a, 0x4e), kBad(0xd6, 0x5f, 0x5f), kGood(0x6d, 0xb2, 0x7c);
}  // namespace ink

// For QApplication::setStyleSheet.
QString styleSheet();

QColor colorOf(PanelKind kind);
QColor colorOf(PanelSeverity severity);
// Icon of a body kind: a drop, a sheet, loops …
QIcon iconOf(PanelKind kind);

enum class Glyph { play, pause, toStart, toEnd, stepBack, stepOn, cache, stop, restart, frameAll, camera };
QIcon iconOf(Glyph glyph);

}  // namespace purl

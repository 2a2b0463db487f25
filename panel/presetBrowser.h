// PresetBrowser: material presets of a body as swatches; a click applies one.
#pragma once
#include <QListWidget>

#include <functional>
#include <string>

#include "panel/model.h"

class QLabel;

namespace purl {

class PresetBrowser : public QWidget {
  public:
    explicit PresetBrowser(QWidget* parent = nullptr);
    void show(const PanelState& state, const std::string& node);
    int count() const { return list_->count(); }

    std::function<void(const std::string& preset)> onPick;

  private:
    QLabel* title_;
    QListWidget* list_;
    std::string shown_;
};

// Swatch of a material: a drop, a weave or stitches in its colour.
QPixmap swatchOf(PanelKind kind, const std::string& preset, int size);

}  // namespace purl

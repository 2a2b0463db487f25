// BodyTree: the bodies of a simulation under their solver.
#pragma once
#include <QTreeWidget>

#include <functional>

#include "panel/model.h"

namespace purl {

class BodyTree : public QTreeWidget {
  public:
    explicit BodyTree(QWidget* parent = nullptr);

    void show(const PanelState& state);
    std::string selected() const;
    void select(const std::string& node);

    std::function<void(const std::string& node)> onSelect;

  private:
    long shown_ = -1;  // PanelState::edits at the last rebuild
};

}  // namespace purl

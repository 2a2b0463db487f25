// CacheTree: the caches of a scene with their branches; activating one opens it.
#pragma once
#include <QTreeWidget>

#include <functional>
#include <string>

#include "panel/model.h"

namespace purl {

class CacheTree : public QTreeWidget {
  public:
    explicit CacheTree(QWidget* parent = nullptr);
    void show(const PanelState& state);

    // Folder of a cache; empty: back to the simulation.
    std::function<void(const std::string& folder)> onOpen;
    std::function<void(const std::string& folder, const QPoint& at)> onMenu;  // right click; on the screen

  private:
    std::string shown_;
};

}  // namespace purl

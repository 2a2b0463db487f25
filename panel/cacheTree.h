// The caches of a scene, each with the branches that left it; one click looks at another.
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

    // The folder of a cache; empty: the simulation itself.
    std::function<void(const std::string& folder)> onOpen;

  private:
    std::string shown_;
};

}  // namespace purl

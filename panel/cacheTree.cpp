#include "panel/cacheTree.h"

#include <QHeaderView>
#include <vector>

#include "panel/style.h"

namespace purl {

CacheTree::CacheTree(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(3);
    setFocusPolicy(Qt::NoFocus);
    setHeaderLabels({"Cache", "Frames", "Changes"});
    setIndentation(16);
    setUniformRowHeights(true);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (onOpen) onOpen(item->data(0, Qt::UserRole).toString().toStdString());
    });
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const auto* item = itemAt(at); item && onMenu)
            onMenu(item->data(0, Qt::UserRole).toString().toStdString(), viewport()->mapToGlobal(at));
    });
}

void CacheTree::show(const PanelState& state) {
    std::string text = state.openCache + "\n";
    for (const PanelCache& cache : state.caches) text += cache.folder + std::to_string(cache.lastFrame) + "\n";
    if (text == shown_) return;
    shown_ = text;
    clear();
    const auto add = [&](QTreeWidgetItem* under, const PanelCache& cache) {
        auto* item = under ? new QTreeWidgetItem(under) : new QTreeWidgetItem(this);
        item->setText(0, QString::fromStdString(cache.name));
        item->setData(0, Qt::UserRole, QString::fromStdString(cache.folder));
        if (!cache.folder.empty()) item->setText(1, QString("%1 – %2").arg(cache.firstFrame).arg(cache.lastFrame));
        item->setText(2, QString::fromStdString(cache.changes));
        item->setForeground(2, ink::kQuiet);
        item->setToolTip(0, QString::fromStdString(cache.folder.empty() ? "Double-click to return to the simulation"
                                                                        : cache.folder + "\nDouble-click to open"));
        if (cache.folder == state.openCache) {
            QFont bold = font();
            bold.setBold(true);
            item->setFont(0, bold);
            item->setForeground(0, ink::kAccent);
        }
        return item;
    };
    PanelCache live;
    live.name = "Simulation";
    add(nullptr, live);
    std::vector<QTreeWidgetItem*> path;  // from a root to the last cache
    for (const PanelCache& cache : state.caches) {
        const auto depth = static_cast<size_t>(cache.depth);
        path.resize(std::min(path.size(), depth));
        path.push_back(add(path.empty() ? nullptr : path.back(), cache));
    }
    expandAll();
}

}  // namespace purl

#include "panel/bodyTree.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <map>

#include "panel/style.h"

namespace purl {
namespace {

// Short info shown beside the name.
QString detailOf(const PanelNode& node) {
    for (const char* telling : {"preset", "pattern", "shape", "pressureSolver"})
        if (const PanelAttribute* row = node.find(telling))
            if (row->value != "custom" && !row->value.empty()) return QString::fromStdString(displayName(row->value));
    return QString::fromStdString(displayName(node.type.rfind("purl", 0) == 0 ? node.type.substr(4) : node.type));
}

}  // namespace

BodyTree::BodyTree(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(2);
    setFocusPolicy(Qt::NoFocus);
    setHeaderHidden(true);
    setIconSize({18, 18});
    setIndentation(14);
    setRootIsDecorated(false);
    setExpandsOnDoubleClick(false);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::currentItemChanged, this, [this] {
        if (onSelect) onSelect(selected());
    });
}

void BodyTree::show(const PanelState& state) {
    if (shown_ == state.edits) return;
    shown_ = state.edits;
    const std::string before = selected();
    const QSignalBlocker quiet(this);
    clear();
    std::map<std::string, QTreeWidgetItem*> items;
    for (const PanelNode& node : *state.nodes) {
        const auto owner = items.find(node.owner);
        auto* item = owner == items.end() ? new QTreeWidgetItem(this) : new QTreeWidgetItem(owner->second);
        item->setText(0, QString::fromStdString(node.name));
        item->setIcon(0, iconOf(node.kind));
        item->setText(1, detailOf(node));
        item->setForeground(1, ink::kQuiet);
        item->setToolTip(0, QString::fromStdString(node.type + ": " + node.sentence));
        items[node.name] = item;
    }
    expandAll();
    select(before);
}

std::string BodyTree::selected() const { return currentItem() ? currentItem()->text(0).toStdString() : std::string(); }

void BodyTree::select(const std::string& node) {
    if (node.empty()) return setCurrentItem(nullptr);
    const auto found = findItems(QString::fromStdString(node), Qt::MatchExactly | Qt::MatchRecursive, 0);
    if (!found.isEmpty()) setCurrentItem(found.front());
}

}  // namespace purl

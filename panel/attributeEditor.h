// The settings of a node as sections of sliders, fields and boxes, made from what `describe` says of them.
#pragma once
#include <QScrollArea>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "panel/model.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace purl {

class AttributeRow;

class AttributeEditor : public QWidget {
  public:
    explicit AttributeEditor(QWidget* parent = nullptr);
    ~AttributeEditor() override;

    // An empty name shows nothing. Fields that are being typed in are left alone.
    void show(const PanelState& state, const std::string& node);
    // Shows only settings with this in their names or sentences.
    void filter(const QString& text);
    // For tests and scripts: as if the value was typed in. False: there is no such row.
    bool enter(const std::string& attribute, const std::string& value);

    std::function<void(const std::string& attribute, const std::string& value)> onEdit;

  private:
    struct Section;

    void build(const PanelNode& node);

    QLabel *title_, *sentence_;
    QLineEdit* search_;
    QScrollArea* scroll_;
    std::string node_;
    std::vector<std::unique_ptr<Section>> sections_;
    std::set<std::string> closed_;  // by type and heading; the artist's choice, kept from node to node
    std::string type_;
};

}  // namespace purl

// AttributeEditor: edits a node's settings in sections of sliders, fields and check boxes, built from its `describe`.
#pragma once
#include <QScrollArea>

#include <functional>
#include <map>
#include <memory>
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

    // An empty name clears it. Fields being edited are not updated.
    void show(const PanelState& state, const std::string& node);
    // Shows only settings with this text in their names or descriptions.
    void filter(const QString& text);
    // Enters a value as if typed, for tests and scripts. False if there is no such row.
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
    std::map<std::string, bool> isOpen_;  // sections by type and heading; remembered across nodes
    std::string type_;
};

}  // namespace purl

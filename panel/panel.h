// Panel: bodies, settings, plots, caches, presets and the doctor of one simulation, in one dockable widget. Shows the
// model's state whenever `refresh` is called.
#pragma once
#include <QWidget>

#include <functional>
#include <string>

#include "panel/model.h"

class QLabel;
class QProgressBar;
class QTabWidget;
class QToolButton;

namespace purl {

class AttributeEditor;
class BodyTree;
class CacheTree;
class DoctorList;
class FarmTab;
class Plots;
class PresetBrowser;

class Panel : public QWidget {
  public:
    explicit Panel(PanelModel& model, QWidget* parent = nullptr);

    // Call after changes of the model or of the current frame.
    void refresh(int frame);
    void refresh() { refresh(frame_); }

    std::function<void(const std::string& node)> onSelect;     // another node of the tree is selected
    std::function<void(const std::string& folder)> onCompare;  // compare with this cache; null: not offered

    const PanelState& shown() const { return state_; }
    BodyTree& tree() { return *tree_; }
    AttributeEditor& attributes() { return *attributes_; }
    QTabWidget& tabs() { return *tabs_; }
    PresetBrowser& presets() { return *presets_; }
    DoctorList& doctor() { return *doctor_; }
    CacheTree& caches() { return *caches_; }
    FarmTab& farm() { return *farm_; }
    bool showTab(const std::string& title);  // false: there is no such tab

  private:
    QWidget* makeBar();

    PanelModel& model_;
    PanelState state_;
    int frame_ = 1;
    BodyTree* tree_;
    AttributeEditor* attributes_;
    Plots* plots_;
    PresetBrowser* presets_;
    CacheTree* caches_;
    DoctorList* doctor_;
    FarmTab* farm_;
    QTabWidget* tabs_;
    QToolButton *simulate_, *cache_, *stop_;
    QProgressBar* progress_;
    QLabel* status_;
};

}  // namespace purl

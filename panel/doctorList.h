// DoctorList: problems of a scene, each with a button to fix it, and the message log.
#pragma once
#include <QScrollArea>

#include <functional>
#include <string>
#include <vector>

#include "panel/model.h"

class QPlainTextEdit;
class QVBoxLayout;

namespace purl {

class DoctorList : public QWidget {
  public:
    explicit DoctorList(QWidget* parent = nullptr);
    void show(const PanelState& state);

    std::function<void(const PanelProblem& problem)> onFix;
    std::function<void(const std::string& node)> onNode;

  private:
    QWidget* cardOf(const PanelProblem& problem);

    QScrollArea* scroll_;
    QPlainTextEdit* log_;
    std::vector<PanelProblem> shown_;
    bool any_ = false;
    size_t messages_ = 0;
};

}  // namespace purl

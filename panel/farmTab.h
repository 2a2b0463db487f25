// FarmTab: writes or submits a farm job of the scene, and shows its wedges with their last images; a click loads the
// attributes of one. Runs the purl program (`purl farm`, `purl status`), because Maya's process does not contain it.
#pragma once
#include <QWidget>

#include <functional>
#include <string>

#include "panel/model.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPlainTextEdit;
class QProcess;
class QPushButton;
class QSpinBox;

namespace purl {

class FarmTab : public QWidget {
  public:
    explicit FarmTab(QWidget* parent = nullptr);
    void show(const PanelState& state);

    std::function<void(const std::string& node, const std::string& attribute, const std::string& value)> onSet;

    // --- the fields
    void setFolder(const QString& folder);  // of the job
    void setWedges(const QString& lines);   // like water.viscosity=1,3,10, one attribute per line
    void setFrames(const QString& frames);  // empty: the playback range
    // Arguments of `purl farm`.
    QStringList arguments(bool submits) const;

    void write(bool submits);  // the job; then shows its wedges
    void lookAtWedges();       // of the job's folder
    void load(int wedge);      // its attributes
    bool isBusy() const;
    QString message() const;
    const QListWidget& wedges() const { return *wedges_; }

  private:
    void run(const QStringList& arguments, std::function<void(const QString& printed)> then);
    void showWedges(const QString& json);
    void say(const QString& text);

    QString scene_, suggested_;  // suggested_: the folder that was filled in
    bool saved_ = false;
    QComboBox* engine_;
    QLineEdit *folder_, *frames_, *size_;
    QPlainTextEdit* variations_;
    QCheckBox *mesh_, *render_, *movie_;
    QSpinBox *chunk_, *cpus_;
    QDoubleSpinBox* memory_;
    QPushButton *write_, *submit_, *look_;
    QListWidget* wedges_;
    QLabel* message_;
    QProcess* process_;
    std::function<void(const QString&)> then_;
};

}  // namespace purl

// ExportSheet: asks what to export, over the window.
#pragma once
#include <QFrame>

#include <functional>

#include "app/view/exporter.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace purl {

class ExportSheet : public QFrame {
  public:
    explicit ExportSheet(QWidget* over);
    // `stem`: of the suggested files.
    void ask(const QString& stem, QSize size, const FrameRange& frames);

    std::function<void(const ExportPlan& plan)> onExport;

  private:
    void showKind();
    void browse();
    ExportKind kind() const;
    void accept();

    QString stem_;
    QComboBox* kind_;
    QLineEdit *path_, *formats_;
    QSpinBox *width_, *height_, *first_, *last_;
    QCheckBox* oneFile_;
    QWidget *sizeRow_, *rangeRow_, *cacheRow_;
    QLabel *sizeLabel_, *rangeLabel_, *cacheLabel_;
};

}  // namespace purl

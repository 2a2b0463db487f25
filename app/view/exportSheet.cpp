#include "app/view/exportSheet.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <array>

#include "solver/cache/format.h"

namespace purl {
namespace {

struct ExportAbout {
    const char *name, *path;  // %1: the scene's name
    const char* filter;       // empty: a folder
    bool isImage, isRange;
};
// In the order of ExportKind.
constexpr std::array<ExportAbout, 5> kExports{{
    {"Image of this frame", "%1.png", "PNG (*.png)", true, false},
    {"Images of all frames", "%1-images", "", true, true},
    {"Film", "%1.mp4", "MP4 (*.mp4)", true, true},
    {"Contact sheet", "%1-sheet.png", "PNG (*.png)", true, true},
    {"Cache", "out/%1", "", false, false},
}};

QSpinBox* spinBox(int low, int high) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setButtonSymbols(QSpinBox::NoButtons);
    box->setFixedWidth(76);
    return box;
}

QWidget* rowOf(std::initializer_list<QWidget*> widgets) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* each : widgets) layout->addWidget(each);
    layout->addStretch(1);
    return row;
}

}  // namespace

ExportSheet::ExportSheet(QWidget* over) : QFrame(over) {
    setObjectName("sheet");
    auto* form = new QFormLayout(this);
    form->setContentsMargins(22, 18, 22, 18);
    form->setSpacing(9);
    auto* title = new QLabel("Export");
    title->setObjectName("title");
    form->addRow(title);
    kind_ = new QComboBox;
    for (const ExportAbout& about : kExports) kind_->addItem(about.name);
    form->addRow("What", kind_);
    path_ = new QLineEdit;
    path_->setMinimumWidth(300);
    auto* other = new QPushButton("…");
    form->addRow("Where", rowOf({path_, other}));
    width_ = spinBox(16, 16384);
    height_ = spinBox(16, 16384);
    form->addRow(sizeLabel_ = new QLabel("Size"),
                 sizeRow_ = rowOf({width_, new QLabel("×"), height_, new QLabel("pixels")}));
    first_ = spinBox(-kMaxFrame, kMaxFrame);
    last_ = spinBox(-kMaxFrame, kMaxFrame);
    form->addRow(rangeLabel_ = new QLabel("Frames"), rangeRow_ = rowOf({first_, new QLabel("to"), last_}));
    formats_ = new QLineEdit;
    formats_->setPlaceholderText(kDefaultFormats);
    formats_->setToolTip(QString::fromStdString("Separated by commas: " + joinedNames(formats())));
    oneFile_ = new QCheckBox("one file");
    form->addRow(cacheLabel_ = new QLabel("Formats"), cacheRow_ = rowOf({formats_, oneFile_}));
    auto* cancel = new QPushButton("Cancel");
    auto* run = new QPushButton("Export");
    run->setDefault(true);
    form->addRow("", rowOf({run, cancel}));
    connect(kind_, qOverload<int>(&QComboBox::currentIndexChanged), this, [this] { showKind(); });
    connect(other, &QPushButton::clicked, this, [this] { browse(); });
    connect(cancel, &QPushButton::clicked, this, [this] { hide(); });
    connect(run, &QPushButton::clicked, this, [this] { accept(); });
    hide();
}

ExportKind ExportSheet::kind() const { return static_cast<ExportKind>(kind_->currentIndex()); }

void ExportSheet::ask(const QString& stem, QSize size, const FrameRange& frames) {
    stem_ = stem;
    width_->setValue(size.width() / 2 * 2);  // films need even sizes
    height_->setValue(size.height() / 2 * 2);
    first_->setValue(frames.first);
    last_->setValue(frames.last);
    showKind();
    show();
    raise();
}

void ExportSheet::showKind() {
    const ExportAbout& about = kExports[size_t(kind_->currentIndex())];
    path_->setText(QString(about.path).arg(stem_));
    for (QWidget* each : {sizeRow_, static_cast<QWidget*>(sizeLabel_)}) each->setVisible(about.isImage);
    for (QWidget* each : {rangeRow_, static_cast<QWidget*>(rangeLabel_)}) each->setVisible(about.isRange);
    for (QWidget* each : {cacheRow_, static_cast<QWidget*>(cacheLabel_)}) each->setVisible(kind() == ExportKind::cache);
    adjustSize();
    move((parentWidget()->width() - width()) / 2, (parentWidget()->height() - height()) / 3);
}

void ExportSheet::browse() {
    const ExportAbout& about = kExports[size_t(kind_->currentIndex())];
    const QString path = *about.filter ? QFileDialog::getSaveFileName(this, "Export", path_->text(), about.filter)
                                       : QFileDialog::getExistingDirectory(this, "Export", path_->text());
    if (!path.isEmpty()) path_->setText(path);
}

void ExportSheet::accept() {
    ExportPlan plan;
    plan.kind = kind();
    plan.path = path_->text().toStdString();
    plan.width = width_->value();
    plan.height = height_->value();
    plan.frames = {first_->value(), last_->value()};
    plan.formats = formats_->text().toStdString();
    plan.oneFile = oneFile_->isChecked();
    hide();
    if (onExport) onExport(plan);
}

}  // namespace purl

#include "panel/farmTab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <utility>

namespace purl {
namespace {

constexpr int kImageWidth = 144, kImageHeight = 81;
constexpr int kAssignments = Qt::UserRole;

// The program beside this one, else on the path; empty if there is none.
QString purlProgram() {
    const QString beside = QStandardPaths::findExecutable("purl", {QCoreApplication::applicationDirPath()});
    return beside.isEmpty() ? QStandardPaths::findExecutable("purl") : beside;
}

QWidget* fieldsInRow(std::initializer_list<QWidget*> widgets) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* each : widgets) layout->addWidget(each);
    layout->addStretch(1);
    return row;
}

// The last image that was rendered of a wedge.
QPixmap lastImage(const QString& folder) {
    const QDir images(folder + "/frames", "*.png", QDir::Name, QDir::Files);
    const QStringList names = images.entryList();
    QPixmap picture;
    if (!names.isEmpty()) picture.load(images.filePath(names.back()));
    if (!picture.isNull())
        return picture.scaled(kImageWidth, kImageHeight, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture = QPixmap(kImageWidth, kImageHeight);
    picture.fill(Qt::black);
    return picture;
}

}  // namespace

FarmTab::FarmTab(QWidget* parent) : QWidget(parent) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(8, 8, 8, 8);
    form->setSpacing(6);
    engine_ = new QComboBox;
    engine_->addItem("Slurm", "slurm");
    engine_->addItem("Open Job Description (Deadline Cloud)", "openjd");
    folder_ = new QLineEdit;
    folder_->setToolTip("For the job and a cache of each wedge; the farm's machines must see it");
    variations_ = new QPlainTextEdit;
    variations_->setObjectName("field");
    variations_->setPlaceholderText("water.viscosity=1,3,10");
    variations_->setToolTip("An attribute per line with the values to try; several lines give all combinations");
    variations_->setFixedHeight(54);
    frames_ = new QLineEdit;
    frames_->setPlaceholderText("playback range");
    mesh_ = new QCheckBox("Mesh");
    render_ = new QCheckBox("Render");
    movie_ = new QCheckBox("Movie and sheet");
    size_ = new QLineEdit;
    size_->setPlaceholderText("960x540");
    chunk_ = new QSpinBox;
    chunk_->setRange(1, 100000);
    chunk_->setValue(24);
    cpus_ = new QSpinBox;
    cpus_->setRange(0, 4096);
    cpus_->setSpecialValueText("farm's default");
    memory_ = new QDoubleSpinBox;
    memory_->setRange(0, 100000);
    memory_->setSuffix(" GB");
    memory_->setSpecialValueText("farm's default");
    for (QAbstractSpinBox* each : std::initializer_list<QAbstractSpinBox*>{chunk_, cpus_, memory_})
        each->setButtonSymbols(QAbstractSpinBox::NoButtons);
    write_ = new QPushButton("Write job");
    submit_ = new QPushButton("Submit");
    look_ = new QPushButton("Show wedges");
    wedges_ = new QListWidget;
    wedges_->setViewMode(QListView::IconMode);
    wedges_->setResizeMode(QListView::Adjust);
    wedges_->setMovement(QListView::Static);
    wedges_->setIconSize({kImageWidth, kImageHeight});
    wedges_->setSpacing(6);
    wedges_->setWordWrap(true);
    wedges_->setToolTip("Click to load the attributes of a wedge");
    message_ = new QLabel;
    message_->setObjectName("quiet");
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form->addRow("Farm", engine_);
    form->addRow("Folder", folder_);
    form->addRow("Wedges", variations_);
    form->addRow("Frames", frames_);
    form->addRow("Steps", fieldsInRow({mesh_, render_, movie_}));
    form->addRow("Image size", size_);
    form->addRow("Frames a task", chunk_);
    form->addRow("Processors", cpus_);
    form->addRow("Memory", memory_);
    form->addRow("", fieldsInRow({write_, submit_, look_}));
    form->addRow(message_);
    form->addRow(wedges_);
    process_ = new QProcess(this);
    connect(write_, &QPushButton::clicked, this, [this] { write(false); });
    connect(submit_, &QPushButton::clicked, this, [this] { write(true); });
    connect(look_, &QPushButton::clicked, this, [this] { lookAtWedges(); });
    connect(wedges_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { load(wedges_->row(item)); });
    connect(process_, qOverload<int, QProcess::ExitStatus>(&QProcess::finished), this,
            [this](int code, QProcess::ExitStatus status) {
                const QString printed = QString::fromUtf8(process_->readAllStandardOutput());
                const QString errors = QString::fromUtf8(process_->readAllStandardError()).trimmed();
                if (status == QProcess::NormalExit && code == 0)
                    std::exchange(then_, {})(printed);
                else
                    say(errors.section('\n', -1));
            });
}

void FarmTab::show(const PanelState& state) {
    scene_ = QString::fromStdString(state.scenePath);
    saved_ = !state.changed;
    const QString folder = scene_.isEmpty() ? QString() : "out/" + QFileInfo(scene_).completeBaseName();
    if (folder_->text() == suggested_ && folder != suggested_) folder_->setText(folder);
    suggested_ = folder;
    for (QPushButton* each : {write_, submit_, look_}) each->setEnabled(!isBusy());
}

void FarmTab::setFolder(const QString& folder) { folder_->setText(folder); }
void FarmTab::setWedges(const QString& lines) { variations_->setPlainText(lines); }
void FarmTab::setFrames(const QString& frames) { frames_->setText(frames); }

QStringList FarmTab::arguments(bool submits) const {
    QStringList words = {"farm", engine_->currentData().toString(), scene_};
    const auto add = [&](const char* option, const QString& value) {
        if (!value.trimmed().isEmpty()) words << option << value.trimmed();
    };
    add("--out", folder_->text());
    for (const QString& line : variations_->toPlainText().split('\n')) add("--wedge", line);
    add("--frames", frames_->text());
    if (mesh_->isChecked()) words << "--mesh";
    if (render_->isChecked()) words << "--render";
    if (movie_->isChecked()) words << "--movie";
    add("--size", size_->text());
    add("--chunk", QString::number(chunk_->value()));
    if (cpus_->value() > 0) add("--cpus", QString::number(cpus_->value()));
    if (memory_->value() > 0) add("--memory", QString::number(memory_->value()));
    if (submits) words << "--submit";
    return words;
}

void FarmTab::write(bool submits) {
    if (scene_.isEmpty() || !saved_) return say("save the scene first: the farm reads its file");
    run(arguments(submits), [this](const QString& printed) {
        const QString result = printed.section('\n', 0, 0);
        run({"status", folder_->text(), "--json"}, [this, result](const QString& json) {
            showWedges(json);
            say(result);
        });
    });
}

void FarmTab::lookAtWedges() {
    run({"status", folder_->text(), "--json"}, [this](const QString& json) { showWedges(json); });
}

void FarmTab::showWedges(const QString& json) {
    wedges_->clear();
    const QJsonArray all = QJsonDocument::fromJson(json.toUtf8()).array();
    for (const auto& value : all) {
        const QJsonObject wedge = value.toObject();
        QStringList assignments;
        for (const auto& assignment : wedge["set"].toArray()) assignments << assignment.toString();
        QString state = wedge["state"].toString();
        if (wedge["wanted"].toInt() > 0)
            state += QString(", %1 of %2").arg(wedge["frames"].toInt()).arg(wedge["wanted"].toInt());
        auto* item = new QListWidgetItem(QIcon(lastImage(wedge["folder"].toString())),
                                         (assignments + QStringList{state}).join('\n'), wedges_);
        item->setData(kAssignments, assignments);
        item->setToolTip(wedge["folder"].toString() + "\n" + wedge["error"].toString());
    }
    say(QString("%1 wedges").arg(all.size()));
}

void FarmTab::load(int wedge) {
    const QListWidgetItem* const item = wedges_->item(wedge);
    if (!item || !onSet) return;
    const QStringList assignments = item->data(kAssignments).toStringList();
    for (const QString& assignment : assignments) {
        const QString plug = assignment.section('=', 0, 0);
        onSet(plug.section('.', 0, 0).toStdString(), plug.section('.', 1).toStdString(),
              assignment.section('=', 1).toStdString());
    }
    say("loaded " + (assignments.isEmpty() ? "the scene's own values" : assignments.join(", ")));
}

bool FarmTab::isBusy() const { return process_->state() != QProcess::NotRunning; }
QString FarmTab::message() const { return message_->text(); }
void FarmTab::say(const QString& text) { message_->setText(text); }

void FarmTab::run(const QStringList& arguments, std::function<void(const QString& printed)> then) {
    const QString program = purlProgram();
    if (program.isEmpty()) return say("the purl program was not found; add its folder to PATH");
    if (isBusy()) return;
    then_ = std::move(then);
    say("purl " + arguments.join(' '));
    process_->start(program, arguments);
}

}  // namespace purl
